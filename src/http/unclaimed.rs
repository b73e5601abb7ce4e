//! Answers at sockets of the service manager whose section is not in the configuration: who asks learns what is missing.

use std::{io, time::Duration};

use futures_util::future::select_all;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy, sink},
    net::TcpStream,
    select,
    time::{interval, timeout},
};
use tracing::{debug, warn};

use super::listener::Listener;
use crate::{config::Config, service::ServiceContext};

/// How long a client may take to ask; there is only one at a time.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long its request may take to come; whatever has come until then, it is answered.
const ASKING: Duration = Duration::from_secs(1);

/// Most of a request that is read.
const REQUEST: u64 = 4096;

/// Most that is read after it.
const REST: u64 = 64 << 10;

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let config = context.config.borrow().clone();
    let mut listeners = Vec::new();
    for service in missing(&config) {
        for listener in Listener::passed(service) {
            warn!("the service manager listens for [{service}], which is not in the configuration");
            listeners.push((service, listener));
        }
    }
    let mut beats = interval(context.heartbeat.period());
    loop {
        select! {
            (service, client) = next(&mut listeners) => {
                if let Ok(Err(error)) = timeout(PATIENCE, answer(client, service)).await {
                    debug!(%error, "a client left before it heard that [{service}] is missing");
                }
            }
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => return,
        }
    }
}

/// Returns the services that may have a socket and are not switched on.
fn missing(config: &Config) -> Vec<&'static str> {
    let all = [
        ("http", config.http.is_some()),
        ("public", config.public.is_some()),
        ("livechess", config.livechess.is_some()),
    ];
    all.into_iter().filter(|(_, is_on)| !is_on).map(|(service, _)| service).collect()
}

/// Waits for the next client; for ever without any socket. May be dropped and called again.
async fn next(listeners: &mut [(&'static str, Listener)]) -> (&'static str, TcpStream) {
    if listeners.is_empty() {
        return std::future::pending().await;
    }
    let accepting = listeners
        .iter_mut()
        .map(|(service, listener)| Box::pin(async { (*service, listener.accept().await.0) }));
    select_all(accepting).await.0
}

async fn answer(mut client: TcpStream, service: &str) -> io::Result<()> {
    // Whatever is asked, the answer is the same. All of it is read: to close before that would reset the connection, and the answer
    // would be lost with it.
    let _asked = timeout(ASKING, receive(&mut client)).await;
    let text = format!(
        "jadoube runs, but [{service}] is not in its configuration, so that nothing is served here.\n\
         Write [{service}] into /etc/jadoube/jadoube.toml and restart the service: systemctl restart jadoube\n"
    );
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    client.write_all(head.as_bytes()).await?;
    client.write_all(text.as_bytes()).await?;
    client.shutdown().await?;
    // What comes after the head, until the client has closed.
    let _rest = copy(&mut client.take(REST), &mut sink()).await;
    Ok(())
}

/// Reads the head of a request, as far as it comes.
async fn receive(client: &mut TcpStream) -> io::Result<()> {
    let mut request = Vec::new();
    let mut client = client.take(REQUEST);
    let is_whole = |request: &[u8]| request.windows(4).any(|part| part == b"\r\n\r\n");
    while !is_whole(&request) && client.read_buf(&mut request).await? > 0 {}
    Ok(())
}
