//! The page of a daemon at home: it opens in the browser of whoever has started the daemon without any configuration.

use std::{env, net::SocketAddr, pin::pin, time::Duration};

use tokio::{net::TcpStream, select, time::sleep};
use tracing::info;

/// How often the desk is looked for, and how many times: it listens a moment after the start.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 300;

/// Runs the daemon, and opens the page of its desk once that is there.
pub(super) async fn beside<T>(running: impl Future<Output = T>, desk: Option<SocketAddr>) -> T {
    let mut running = pin!(running);
    if let Some(desk) = desk.filter(|_| has_desktop()) {
        select! {
            outcome = &mut running => return outcome,
            () = show(desk) => {}
        }
    }
    running.await
}

/// Returns whether somebody sits in front of a desktop, and no service manager has started this.
fn has_desktop() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) && !is_set("INVOCATION_ID")
}

/// Waits for the desk and opens its page: of the only board, or of all.
async fn show(desk: SocketAddr) {
    for _ in 0..LOOKS {
        if TcpStream::connect(desk).await.is_ok() {
            let url = format!("http://{desk}/#/live");
            match open::that_detached(&url) {
                Ok(()) => info!("the browser shows {url}"),
                Err(error) => info!("no browser opens {url}: {error}"),
            }
            return;
        }
        sleep(LOOK).await;
    }
}
