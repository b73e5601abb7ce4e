//! `jadoube hub`: one desk for many halls.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{ConfigArgs, Exit, Failure};
use crate::{
    config::{Config, HttpConfig, MqttConfig},
    daemon::log,
    hub,
};
use jadoube_runtime::platform::Signals;

/// How long tasks that hang may hold up the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Arguments of `jadoube hub`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Refuses sections that only the daemon of a hall has: nothing would come of them.
fn refuse_keys_of_halls(config: &Config) -> Result<(), Failure> {
    let usual = Config::default();
    let given = [
        ("board", config.board != usual.board),
        ("game", config.game != usual.game),
        ("captures", config.captures != usual.captures),
        ("ports", config.ports != usual.ports),
        ("port", !config.listed.is_empty()),
        ("table", !config.tables.is_empty()),
        ("notify", !config.notify.is_empty()),
        ("public", config.public.is_some()),
        ("livechess", config.livechess.is_some()),
        ("pgn", config.pgn.is_some()),
        ("lichess", config.lichess.is_some()),
        ("pairings", config.pairings.is_some()),
    ];
    let ignored: Vec<&str> = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key).collect();
    if ignored.is_empty() {
        return Ok(());
    }
    let sections = ignored.join("], [");
    let text = format!(
        "[{sections}]: a hub has no boards of its own; write this into the configuration of the halls, and remove it here"
    );
    Err(Failure::new(Exit::Config, text))
}

/// Serves the desk until a signal ends it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut config = args.config.load()?;
    refuse_keys_of_halls(&config)?;
    log::init();
    config.http.get_or_insert_with(HttpConfig::default);
    config.mqtt.get_or_insert_with(MqttConfig::default);
    let unable = |error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(unable)?;
    let outcome = runtime.block_on(async {
        let mut signals = Signals::of_the_end().map_err(unable)?;
        let shutdown = CancellationToken::new();
        let hub = hub::run(config, shutdown.clone());
        tokio::pin!(hub);
        tokio::select! {
            () = &mut hub => return Ok(()),
            _ = signals.next() => {}
        }
        shutdown.cancel();
        hub.await;
        Ok(())
    });
    runtime.shutdown_timeout(PATIENCE);
    outcome
}
