//! `jadoube run`: the daemon.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::{ConfigArgs, Exit, Failure, home::Home, reload::ConfigSource};
use crate::{
    daemon::{Daemon, log},
    pairings,
};

/// How long tasks that hang may hold up the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long an idle blocking thread is kept.
const IDLE: Duration = Duration::from_secs(1);

/// Arguments of `jadoube run`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the daemon until a signal ends it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load_for(true)?;
    log::init();
    // A file that was named says all by itself.
    let home = Home::of_user().filter(|_| args.config.config.is_none());
    if let Some(home) = &home {
        for reported in home.prepare(&config)? {
            info!("{reported}");
        }
    }
    #[cfg(feature = "http")]
    let plain_desk = home.and_then(|home| home.plain_desk(&config));
    for warning in config.check().into_iter().chain(config.check_files()).chain(pairings::check(&config)) {
        warn!("{warning}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // At the start each port is opened by a blocking thread of its own; afterwards few are needed.
        .thread_keep_alive(IDLE)
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}")))?;
    let source = ConfigSource::new(&args.config);
    let (daemon, desk) = Daemon::new(config)?;
    let reload = Arc::new(move || source.load());
    let running = daemon.run(reload, CancellationToken::new());
    #[cfg(feature = "http")]
    let running = super::page::beside(running, plain_desk);
    let outcome = runtime.block_on(running);
    drop(desk);
    runtime.shutdown_timeout(PATIENCE);
    Ok(outcome?)
}
