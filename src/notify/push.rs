//! Web Push: a message for one browser, encrypted so that only it can read it (RFC 8291), and signed so that its push service
//! knows who sends (VAPID, RFC 8292).

use std::{
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    error::Unspecified,
    hkdf::{HKDF_SHA256, KeyType, Salt},
    rand::{SecureRandom as _, SystemRandom},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::json;
use url::Url;

use super::{STALE_S, message::Notification, send::SendError};
use crate::{accounts::Subscription, config::ConfigUrl};
use jadoube_runtime::{clock::SystemClock, private, replace::replace_secret};

/// Name of the file with the key that messages are signed with.
const KEY: &str = "push.key";

/// Size of a record, bytes: a message is one of them.
const RECORD: u32 = 4096;

/// Bytes of a public key that is not compressed.
const PUBLIC: u8 = 65;

/// Says that this is the last record.
const LAST: u8 = 2;

/// Seconds for which a signature counts.
const SIGNED_S: i64 = 12 * 3600;

/// One at a time makes the key: of two, a browser would have subscribed to the one that the other has replaced.
static TURN: Mutex<()> = Mutex::new(());

/// The key that messages are signed with; browsers subscribe to it.
pub(crate) struct PushKey(EcdsaKeyPair);

impl PushKey {
    /// Reads the key; makes one if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or written.
    pub(crate) fn open(state_dir: &Path) -> io::Result<Self> {
        let (path, random) = (state_dir.join(KEY), SystemRandom::new());
        let wrong = |reason: String| io::Error::other(format!("{}: {reason}", path.display()));
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let pkcs8 = match private::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
                    .map_err(|error| wrong(error.to_string()))?;
                replace_secret(&path, made.as_ref()).map_err(|error| wrong(error.to_string()))?;
                made.as_ref().to_vec()
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &pkcs8, &random);
        let key = key.map_err(|error| {
            wrong(format!("is no key ({error}); remove it, and all phones have to be switched on again"))
        })?;
        Ok(Self(key))
    }

    /// Returns the public half, as browsers take it.
    pub(crate) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.public_key().as_ref())
    }

    /// Says to a push service who sends: until when, and whom to ask if there is trouble.
    fn authorization(
        &self,
        endpoint: &Url,
        contact: Option<&str>,
        now_s: i64,
    ) -> Result<String, Unspecified> {
        let mut claims =
            json!({ "aud": endpoint.origin().ascii_serialization(), "exp": now_s.saturating_add(SIGNED_S) });
        if let (Some(contact), Some(claims)) = (contact, claims.as_object_mut()) {
            claims.insert("sub".to_owned(), contact.into());
        }
        let head = URL_SAFE_NO_PAD.encode(br#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes())?;
        Ok(format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature), self.public()))
    }
}

/// Sends a notification to a browser.
pub(super) fn send(
    subscription: &Subscription,
    message: &Notification,
    state_dir: &Path,
    contact: Option<&str>,
) -> Result<(), SendError> {
    let refused = |reason: &dyn std::fmt::Display| SendError::Refused(reason.to_string());
    let endpoint = Url::parse(&subscription.endpoint).map_err(|error| refused(&error))?;
    let key = PushKey::open(state_dir).map_err(|error| refused(&error))?;
    // What the page shows; the address is that of the page itself.
    let reported = json!({
        "title": message.title,
        "text": message.text,
        "alert": message.alert,
        "urgent": message.severity.urgency() == 2,
    });
    let failed = |_| refused(&"the message cannot be encrypted");
    let body = encrypted(subscription, reported.to_string().as_bytes()).map_err(failed)?;
    let now_s = SystemClock::start().started().as_second();
    let authorization = key.authorization(&endpoint, contact, now_s).map_err(failed)?;
    let urgency = if message.severity.urgency() == 2 { "high" } else { "normal" };
    let headers = [
        ("authorization", authorization),
        ("ttl", STALE_S.to_string()),
        ("urgency", urgency.to_owned()),
        ("content-encoding", "aes128gcm".to_owned()),
        ("content-type", "application/octet-stream".to_owned()),
    ];
    // Whoever knows the whole address can send to it.
    super::send::post(&ConfigUrl::from(endpoint.as_str()), endpoint.as_str(), &headers, &body)
}

/// Encrypts a message for a browser with a key that is used once.
fn encrypted(subscription: &Subscription, text: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let (browser, auth) = subscription.keys.decoded().ok_or(Unspecified)?;
    let mut salt = [0; 16];
    random.fill(&mut salt)?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let own_public = own.compute_public_key()?;
    agree_ephemeral(own, &UnparsedPublicKey::new(&ECDH_P256, browser), |shared| {
        seal(shared, &browser, own_public.as_ref(), &auth, salt, text)
    })?
}

/// Makes the one record of a message (RFC 8291, section 4; RFC 8188).
fn seal(
    shared: &[u8],
    browser: &[u8; 65],
    own: &[u8],
    auth: &[u8; 16],
    salt: [u8; 16],
    text: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let mut input = [0; 32];
    derive(auth, shared, &[b"WebPush: info\0", browser, own], &mut input)?;
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"], &mut key)?;
    derive(&salt, &input, &[b"Content-Encoding: nonce\0"], &mut nonce)?;
    let mut sealed = [text, &[LAST]].concat();
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)?;
    Ok([&salt, RECORD.to_be_bytes().as_slice(), &[PUBLIC], own, &sealed].concat())
}

/// Bytes that are wanted of a key.
struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(salt: &[u8], secret: &[u8], info: &[&[u8]], key: &mut [u8]) -> Result<(), Unspecified> {
    Salt::new(HKDF_SHA256, salt).extract(secret).expand(info, Bytes(key.len()))?.fill(key)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn decode<const N: usize>(text: &str) -> [u8; N] {
        URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_comes_out() {
        let own: [u8; 65] =
            decode("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let browser =
            decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        let shared: [u8; 32] = decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let (auth, salt) = (decode("BTBZMqHH6r4Tts7J_aSIgg"), decode("DGv6ra1nlYgDCS1FRnbzlw"));
        let text = b"When I grow up, I want to be a watermelon";
        let sealed = seal(&shared, &browser, &own, &auth, salt, text).unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(sealed),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn the_key_is_made_once() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let first = PushKey::open(dir.path()).unwrap().public();
        assert_eq!(PushKey::open(dir.path()).unwrap().public(), first);
        let mode = fs::metadata(dir.path().join(KEY)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let path = dir.path().join(KEY);
        let whole = fs::read(&path).unwrap();
        for damaged in (0..whole.len()).map(|length| &whole[..length]).chain([b"x".as_slice()]) {
            fs::write(&path, damaged).unwrap();
            assert!(PushKey::open(dir.path()).err().unwrap().to_string().contains("push.key: is no key"));
            assert_eq!(fs::read(&path).unwrap(), damaged, "what is damaged stays");
        }
    }

    #[test]
    fn phones_that_are_switched_on_at_once_get_the_key_that_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let together = std::sync::Barrier::new(16);
        let open = || {
            together.wait();
            PushKey::open(dir.path()).map(|key| key.public()).map_err(|error| error.to_string())
        };
        let keys: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let kept = PushKey::open(dir.path()).unwrap().public();
        assert_eq!(keys, vec![Ok(kept); 16]);
    }
}
