//! HTTPS: a certificate of the local authority, clear text that is sent away, and a certificate that is replaced.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    sync::Arc,
};

use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use serde_json::json;

use super::{Answer, Desk, ordering::TOKEN};
use crate::support::{PATIENCE, run};

/// Connects as a browser that trusts the authority.
fn connect(address: SocketAddr, authority: &Path, host: &str) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).unwrap();
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), socket)
}

/// Asks over TLS; returns the answer and the desk's certificate.
fn ask(
    address: SocketAddr,
    authority: &Path,
    host: &str,
    head: &str,
    body: &str,
) -> Result<(Answer, Vec<u8>), String> {
    let mut stream = connect(address, authority, host);
    let head = head.replace('\n', "\r\n");
    let length = body.len();
    let request = format!("{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    stream.read_to_end(&mut text).map_err(|error| error.to_string())?;
    let certificate = stream.conn.peer_certificates().ok_or("no certificate")?[0].to_vec();
    Ok((Answer::read(text.as_slice()), certificate))
}

fn make(dir: &Path, desk: &Desk, more: &[&str]) -> String {
    let (dir, config) =
        (dir.display().to_string(), desk.hall.dir.path().join("jadoube.toml").display().to_string());
    let (code, said, errors) =
        run(&[&["certificate", "--dir", &dir, "--config", &config], more].concat(), "");
    assert_eq!((code, errors.as_str()), (0, ""));
    said
}

#[test]
fn the_desk_speaks_https_with_an_own_authority() {
    let dir = tempfile::tempdir().unwrap();
    let (authority, file) =
        (dir.path().join("authority.pem"), |name: &str| dir.path().join(name).display().to_string());
    let keys = format!("certificate = '{}'\nkey = '{}'\n", file("desk.pem"), file("desk.key"));
    let mut desk = Desk::start(&keys);
    // Nothing is served as long as there is no certificate, least of all in clear text.
    let mut closed = TcpStream::connect(desk.address).unwrap();
    closed.set_read_timeout(Some(PATIENCE)).unwrap();
    // It may be closed before the request is written.
    write!(closed, "GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", desk.address).unwrap_or_default();
    assert!(!matches!(closed.read(&mut [0; 1]), Ok(1..)));

    let said = make(dir.path(), &desk, &["--name", "hall.example"]);
    assert!(said.contains("certificate = \"") && said.contains("fingerprint"), "{said}");
    desk.hall.wait_message("the desk is encrypted");
    let address = desk.address;
    let host = address.to_string();
    let get = |path: &str, name: &str| {
        ask(address, &authority, name, &format!("GET {path} HTTP/1.1\nhost: {host}"), "")
    };
    let (answer, first) = get("/api/hall", "127.0.0.1").unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    get("/healthz", "hall.example").unwrap();
    assert!(get("/healthz", "other.example").unwrap_err().contains("certificate"), "for its own names only");

    // In clear text there is the way to trust it, and nothing else.
    assert_eq!(desk.get("/trust").status, 200);
    assert_eq!(desk.get("/ca.crt").body, fs::read_to_string(&authority).unwrap());
    let sent_on = desk.get("/api/hall?x=1");
    assert_eq!(
        (sent_on.status, sent_on.header("location")),
        (307, Some(format!("https://{host}/api/hall?x=1").as_str()))
    );
    // A token that has come in clear text is not sent on: its program would go on sending it.
    let head = format!("GET /api/hall HTTP/1.1\nhost: {host}\nauthorization: Bearer x");
    let bare = desk.ask(&head, "");
    assert!(bare.status == 403 && bare.body.contains("in clear text"), "{bare:?}");
    // Nor is a sign-in, or what comes with the cookie of a session.
    let cookie = format!("cookie: other=1; jadoube-{}=x", desk.address.port());
    for (head, body) in [
        (format!("POST /api/session HTTP/1.1\nhost: {host}"), "{\"token\":\"x\"}"),
        (format!("GET /api/hall HTTP/1.1\nhost: {host}\n{cookie}"), ""),
    ] {
        assert_eq!(desk.ask(&head, body).status, 403, "{head}");
    }
    let other = desk.ask(&format!("GET / HTTP/1.1\nhost: {host}\ncookie: other=1"), "");
    assert_eq!(other.status, 307, "cookies of other servers are none of this one's");
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=2592000"));
    assert_eq!(sent_on.header("strict-transport-security"), None);

    let config = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    let (_, shown, _) = run(&["arbiter", "add", "Ada", "--url", "https://x", "--config", &config], "");
    let token = shown.split("/#/join/").nth(1).unwrap().lines().next().unwrap();
    let body = json!({ "token": token }).to_string();
    let head = format!("POST /api/session HTTP/1.1\nhost: {host}\norigin: https://{host}");
    let (signed_in, _) = ask(address, &authority, "127.0.0.1", &head, &body).unwrap();
    assert!(signed_in.header("set-cookie").unwrap().ends_with("; secure"), "{signed_in:?}");

    // Programs of this machine find the desk by its configuration.
    let (_, found, _) = run(&["doctor", "--json", "--config", &config], "");
    let is_well = format!("\"subject\":\"https://{host}/healthz\",\"text\":\"is well\"");
    assert!(found.contains(&is_well), "{found}");

    // A new certificate of the same authority counts without a restart; one that cannot be used changes nothing.
    let again = make(dir.path(), &desk, &[]);
    assert!(again.contains("The authority is as before"), "{again}");
    desk.hall.wait_message("the desk is encrypted");
    let (_, second) = get("/healthz", "127.0.0.1").unwrap();
    assert_ne!(first, second);
    fs::write(dir.path().join("desk.pem"), TOKEN).unwrap();
    desk.hall.wait_message("goes on with the old one");
    let (answer, third) = get("/healthz", "127.0.0.1").unwrap();
    assert_eq!(third, second);
    assert!(answer.body.contains("http.certificate"), "{answer:?}");
}
