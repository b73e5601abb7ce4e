//! Web Push: what a push service gets of an alert, which only the browser can read, and that phones that are gone are forgotten.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    hkdf::{HKDF_SHA256, KeyType, Salt},
    rand::SystemRandom,
    signature,
};
use serde_json::{Value, json};

use super::{
    Answer, Desk,
    ordering::{TOKEN, write_token},
};
use crate::support::PATIENCE;

/// Secret of the browser for authentication.
const AUTH: [u8; 16] = *b"sixteen bytes ok";

/// A message as a push service gets it.
struct Pushed {
    head: Vec<String>,
    body: Vec<u8>,
}

impl Pushed {
    /// Handles one message and answers it.
    fn receive(service: &TcpListener, status: &str) -> Self {
        let (mut stream, _) = service.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            if line.trim_end().is_empty() {
                break;
            }
            head.push(line.trim_end().to_owned());
        }
        let mut pushed = Self { head, body: Vec::new() };
        pushed.body = vec![0; pushed.header("content-length").parse().unwrap()];
        lines.read_exact(&mut pushed.body).unwrap();
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        pushed
    }

    #[track_caller]
    fn header(&self, name: &str) -> &str {
        let mut lines = self.head.iter().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).unwrap().1
    }

    /// Reads the message as the browser does (RFC 8291).
    fn decrypt(&self, own: EphemeralPrivateKey, own_public: &[u8]) -> Value {
        let (salt, rest) = self.body.split_at(16);
        assert_eq!(rest[..5], [0, 0, 0x10, 0, 65], "one record of 4096 bytes, with a key of 65");
        let (sender, sealed) = rest[5..].split_at(65);
        let shared = UnparsedPublicKey::new(&ECDH_P256, sender);
        let input = agree_ephemeral(own, &shared, |secret| {
            derive::<32>(&AUTH, secret, &[b"WebPush: info\0", own_public, sender])
        });
        let input = input.unwrap();
        let key = derive::<16>(salt, &input, &[b"Content-Encoding: aes128gcm\0"]);
        let nonce = derive::<12>(salt, &input, &[b"Content-Encoding: nonce\0"]);
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let mut sealed = sealed.to_vec();
        let text =
            cipher.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed).unwrap();
        let (last, text) = text.split_last().unwrap();
        assert_eq!(*last, 2, "the last record ends so");
        serde_json::from_slice(text).unwrap()
    }

    /// Checks who sends (RFC 8292); returns what is claimed.
    fn claims(&self, key: &str) -> Value {
        let said = self.header("authorization").strip_prefix("vapid t=").unwrap();
        let (token, named) = said.split_once(", k=").unwrap();
        assert_eq!(named, key);
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, decode(key))
            .verify(signed.as_bytes(), &decode(signature))
            .unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        assert_eq!(
            serde_json::from_slice::<Value>(&decode(head)).unwrap(),
            json!({ "typ": "JWT", "alg": "ES256" })
        );
        serde_json::from_slice(&decode(claims)).unwrap()
    }
}

struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    let secret = Salt::new(HKDF_SHA256, salt).extract(secret);
    secret.expand(info, Bytes(N)).unwrap().fill(&mut key).unwrap();
    key
}

fn ask(desk: &Desk, what: &str, head: &str, body: &Value) -> Answer {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    desk.ask(&format!("{what} HTTP/1.1\nhost: {}\n{head}", desk.address), &body)
}

#[test]
fn a_locked_phone_gets_an_alert_that_only_it_can_read() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", service.local_addr().unwrap());
    let mut desk = Desk::start(&format!("url = 'https://hall.example'\npush_services = ['{origin}/up/']\n"));
    write_token(&desk.hall, 0o600);
    let chief = format!("authorization: Bearer {TOKEN}");
    let ada = ask(&desk, "POST /api/arbiters", &chief, &json!({ "name": "Ada", "tables": "7" })).json();
    let answer = ask(&desk, "POST /api/session", "x-a: b", &json!({ "token": ada["token"] }));
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap();
    let phone = format!("cookie: {cookie}");
    let key = ask(&desk, "GET /api/push", &phone, &Value::Null).json()["key"].as_str().unwrap().to_owned();

    let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
    let public = own.compute_public_key().unwrap();
    let keys = json!({ "p256dh": URL_SAFE_NO_PAD.encode(&public), "auth": URL_SAFE_NO_PAD.encode(AUTH) });
    let subscription = json!({ "endpoint": format!("{origin}/up/secret"), "keys": keys, "soon": true });
    let elsewhere = json!({ "endpoint": format!("{origin}/admin"), "keys": keys });
    assert_eq!(ask(&desk, "POST /api/push", &chief, &subscription).status, 409);
    assert_eq!(ask(&desk, "POST /api/push", &phone, &elsewhere).status, 422);
    assert_eq!(ask(&desk, "POST /api/push", &phone, &subscription).status, 200);
    let state = desk.hall.dir.path().join("state");
    for file in ["push.json", "push.key"] {
        assert_eq!(fs::metadata(state.join(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }

    drop(desk.plug());
    let pushed = Pushed::receive(&service, "201 Created");
    assert!(pushed.head[0].starts_with("POST /up/secret "), "{:?}", pushed.head);
    assert_eq!(pushed.header("content-encoding"), "aes128gcm");
    assert_eq!((pushed.header("ttl"), pushed.header("urgency")), ("600", "normal"));
    let claims = pushed.claims(&key);
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(origin), &json!("https://hall.example")));
    let hours = (claims["exp"].as_i64().unwrap() - jiff::Timestamp::now().as_second()) / 3600;
    assert!((1..24).contains(&hours), "{claims}");
    let reported = pushed.decrypt(own, public.as_ref());
    assert_eq!((&reported["title"], &reported["urgent"]), (&json!("Table 7"), &json!(false)), "{reported}");
    assert!(reported["alert"].as_str().unwrap().starts_with("23946-"), "{reported}");
    assert!(!reported.to_string().contains("Wei"), "no name leaves: {reported}");

    // A browser that has gone is forgotten, and so are those of an account that is revoked.
    let known = || fs::read_to_string(state.join("push.json")).unwrap();
    let test = std::thread::spawn({
        let service = service.try_clone().unwrap();
        move || Pushed::receive(&service, "410 Gone").head
    });
    let tried = ask(&desk, "POST /api/notify/test", &chief, &Value::Null).json();
    assert_eq!(tried[0]["way"], "phone of Ada");
    let reason = tried[0]["error"].as_str().unwrap();
    assert!(reason.contains("410") && !reason.contains("secret"), "{reason}");
    test.join().unwrap();
    assert_eq!(known(), "[]");
    assert_eq!(ask(&desk, "POST /api/push", &phone, &subscription).status, 200);
    assert!(known().contains("secret"));
    assert_eq!(ask(&desk, "DELETE /api/arbiters/Ada", &chief, &Value::Null).status, 200);
    assert_eq!(known(), "[]");
    assert_eq!(ask(&desk, "POST /api/push", &phone, &subscription).status, 401);
}
