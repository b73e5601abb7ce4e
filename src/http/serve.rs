//! Serves connections with limits: how many there are, how long one may take to ask, how long to take the answer.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    pin::{Pin, pin},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Extension, Router, middleware};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    select,
    task::JoinSet,
    time::{Sleep, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, warn};

pub(crate) use self::connection_limit::recognise;
use self::connection_limit::{Activity, ConnectionLimit, TooManyConnections};
use super::{
    listener::Listener,
    tls::{Opened, TlsListener},
};

mod connection_limit;
mod plain;

/// How long a client may take to say what it wants, and how long a connection may be idle.
const ASKING: Duration = Duration::from_secs(15);

/// How long a client may take nothing of what it has asked for.
const STALLED: Duration = Duration::from_secs(15);

/// How long answers may go on when the program ends.
const ENDING: Duration = Duration::from_secs(1);

/// Longest head of a request, bytes.
const HEAD: usize = 16 * 1024;

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Whether a request has come over an encrypted connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsEncrypted(pub(crate) bool);

/// Serves whoever comes in, in clear text, until the end.
pub(crate) async fn serve(listener: Listener, router: Router, shutdown: CancellationToken) {
    serve_at(listener, TlsListener::clear(router), shutdown).await;
}

/// Serves whoever comes in until the end.
///
/// A handler that panics ends its own connection and nothing else.
pub(crate) async fn serve_at(mut listener: Listener, tls: TlsListener, shutdown: CancellationToken) {
    let mut connections = JoinSet::new();
    let mut connection_limit = ConnectionLimit::default();
    let mut full = false;
    loop {
        select! {
            (stream, from) = listener.accept() => {
                let ip = from.ip().to_canonical();
                if let Err(TooManyConnections { all, of_one }) = connection_limit.make_room(ip, tls.is_shared(ip)) {
                    if !std::mem::replace(&mut full, true) {
                        warn!(%from, all, of_one, "too many connections, all of them in use; further ones are closed at once");
                    }
                    continue;
                }
                let activity = connection_limit.activity();
                let connection = connection(stream, from, tls.clone(), activity.clone(), shutdown.clone());
                connection_limit.add(ip, activity, connections.spawn(connection));
            }
            Some(ended) = connections.join_next_with_id() => {
                let id = match ended {
                    Ok((id, ())) => id,
                    Err(error) => {
                        if !error.is_cancelled() {
                            error!(%error, "an answer has failed; this is a bug in jadoube");
                        }
                        error.id()
                    }
                };
                connection_limit.remove(id);
                full &= !connection_limit.is_calm();
            }
            () = shutdown.cancelled() => break,
        }
    }
    let all = async { while connections.join_next().await.is_some() {} };
    if timeout(ENDING, all).await.is_err() {
        debug!("connections are closed before their answers were taken");
    }
}

async fn connection(
    stream: TcpStream,
    from: SocketAddr,
    tls: TlsListener,
    activity: Activity,
    shutdown: CancellationToken,
) {
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "small answers may be delayed: TCP_NODELAY is not set");
    }
    match timeout(ASKING, tls.open(stream)).await {
        Ok(Ok(Opened::Clear(stream, router))) => {
            talk(stream, from, noted(router, activity), false, shutdown).await;
        }
        #[cfg(feature = "tls")]
        Ok(Ok(Opened::Encrypted(stream, router))) => {
            talk(stream, from, noted(router, activity), true, shutdown).await;
        }
        Ok(Err(error)) => debug!(%from, %error, "a connection could not be encrypted"),
        Err(_) => debug!(%from, "a client has said nothing"),
    }
}

fn noted(router: Router, activity: Activity) -> Router {
    router.layer(middleware::from_fn_with_state(activity, connection_limit::note))
}

async fn talk<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(
    stream: S,
    from: SocketAddr,
    router: Router,
    is_encrypted: bool,
    shutdown: CancellationToken,
) {
    let router = router
        .layer(middleware::from_fn(plain::only))
        .layer(Extension(Peer(from.ip().to_canonical())))
        .layer(Extension(IsEncrypted(is_encrypted)));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ASKING)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream)), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    let outcome = select! {
        outcome = &mut connection => outcome,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = outcome {
        debug!(%from, %error, "connection ended");
    }
}

/// A connection with a write timeout: an error once the other side has read nothing for [`STALLED`].
struct WriteTimeout<S> {
    stream: S,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    const fn new(stream: S) -> Self {
        Self { stream, stalled: None }
    }

    fn watch<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes no answer")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(outcome, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watch(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    /// Serves one connection, whose other end `client` is, until it ends.
    async fn served<F: Future<Output = ()>>(router: Router, client: impl FnOnce(TcpStream) -> F) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, from) = listener.accept().await.unwrap();
        let activity = ConnectionLimit::default().activity();
        let connection =
            connection(stream, from, TlsListener::clear(router), activity, CancellationToken::new());
        tokio::join!(connection, client(other));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_asks_nothing_is_sent_away() {
        served(Router::new(), |mut client| async move {
            client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nx: ").await.unwrap();
            client.read_to_end(&mut Vec::new()).await.unwrap();
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_no_answer_is_cut_off() {
        let long = Router::new().route("/", axum::routing::get(async || vec![0_u8; 64 << 20]));
        served(long, |mut client| async move {
            client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
            // Held open, and not read: the other end gives up.
            std::future::ready(()).await;
            std::mem::forget(client);
        })
        .await;
    }
}
