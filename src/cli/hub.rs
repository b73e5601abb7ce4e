//! `jadoube hub`: one desk for many halls.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{ConfigArgs, Exit, Failure};
use crate::{config::HttpConfig, config::MqttConfig, daemon::log, hub};
use jadoube_runtime::platform::Signals;

/// How long tasks that hang may hold up the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Arguments of `jadoube hub`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Serves the desk until a signal ends it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut config = args.config.load()?;
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
