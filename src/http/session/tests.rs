use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use axum::http::HeaderValue;
use futures_util::FutureExt as _;

use super::*;
use crate::{accounts::NewAccount, config::Role, http::replays::Asker};

const PHONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

struct Desk {
    sessions: Sessions,
    file: AccountFile,
    config: watch::Sender<Arc<Config>>,
    dir: tempfile::TempDir,
}

fn desk() -> Desk {
    let dir = tempfile::tempdir().unwrap();
    let text = format!("state_dir = '{}'\n[http]\nsession_h = 2", dir.path().display());
    let (config, receiver) = watch::channel(Arc::new(Config::parse("t", &text, &[]).unwrap()));
    Desk { sessions: Sessions::new(receiver), file: AccountFile::of(dir.path()), config, dir }
}

impl Desk {
    fn add(&self, name: &str) -> String {
        let new = NewAccount {
            name: name.to_owned(),
            tables: "1-3".parse().unwrap(),
            role: Role::Sector,
            language: None,
        };
        let (_, token) = self.file.add(new, now()).unwrap();
        self.sessions.refresh();
        token
    }

    async fn sign_in(&self, client: IpAddr, token: &str) -> Result<(Session, String), ApiError> {
        let account = self.sessions.verify(client, token).await?;
        self.sessions.open_session(client, account).await
    }
}

fn with_cookie(sessions: &Sessions, cookie: &str) -> HeaderMap {
    let line = sessions.set_cookie(Some(cookie), true);
    let (pair, rest) = line.split_once(';').unwrap();
    assert_eq!(rest, " Path=/; Max-Age=7200; HttpOnly; SameSite=Strict; Secure");
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, HeaderValue::from_str(&format!("other=1; {pair}")).unwrap());
    headers
}

#[tokio::test]
async fn a_session_outlives_a_restart_and_ends_with_its_account() {
    let desk = desk();
    let token = desk.add("Ada");
    let (session, cookie) = desk.sign_in(PHONE, &token).await.unwrap();
    let headers = with_cookie(&desk.sessions, &cookie);
    assert_eq!(desk.sessions.find(&headers).unwrap().account.name, "Ada");
    assert!(!fs::read_to_string(desk.dir.path().join(NAME)).unwrap().contains(&cookie));
    let again = Sessions::new(desk.config.subscribe());
    assert_eq!(again.find(&headers).unwrap().account.tables.to_string(), "1-3");
    assert!(again.find(&with_cookie(&again, "other")).is_none());
    desk.file.revoke("Ada").unwrap();
    let (ended, ()) = tokio::join!(
        async {
            desk.sessions.ended(&session).await;
            true
        },
        async {
            desk.sessions.refresh();
        }
    );
    assert!(ended && desk.sessions.find(&headers).is_none());
    assert_eq!(desk.sign_in(PHONE, &token).await.unwrap_err().status, 401);
}

#[test]
fn an_account_is_known_as_soon_as_it_is_made() {
    let desk = desk();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // As the service does on its own, at any moment of the change.
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                desk.sessions.refresh();
            }
        });
        let known = (1..=20).map(|number| {
            desk.add(&format!("Arbiter {number}"));
            desk.sessions.accounts().len()
        });
        let known: Vec<_> = known.collect();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(known, (1..=20).collect::<Vec<_>>());
    });
}

#[test]
fn a_file_that_others_could_read_counts_once_they_cannot() {
    let desk = desk();
    desk.add("Ada");
    let path = desk.dir.path().join("arbiters.json");
    for (mode, accounts) in [(0o640, 0), (0o600, 1)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        desk.sessions.refresh();
        assert_eq!(desk.sessions.accounts().len(), accounts, "mode {mode:o}");
    }
}

#[tokio::test]
async fn wrong_tokens_lock_their_account_for_whoever_sent_them_only() {
    let desk = desk();
    let (ada, bob) = (desk.add("Ada"), desk.add("Bob"));
    let (id, _) = ada.split_once('-').unwrap();
    for _ in 0..TRIES.0 {
        assert_eq!(desk.sign_in(PHONE, &format!("{id}-0")).await.unwrap_err().status, 401);
    }
    let locked = desk.sign_in(PHONE, &ada).await.unwrap_err();
    assert_eq!(locked.status, 429);
    assert!(locked.retry_after.is_some());
    desk.sign_in(PHONE, &bob).await.unwrap();
    desk.sign_in(IpAddr::from([10, 0, 0, 2]), &ada).await.unwrap();
    for nonsense in ["", "x", "-", "0-0", "---"] {
        assert_eq!(desk.sign_in(PHONE, nonsense).await.unwrap_err().status, 401, "{nonsense}");
    }
}

fn open_until(account: &Account, until: jiff::Timestamp) -> Open {
    Open { account: account.id.clone(), until, since: None, address: None, device: String::new() }
}

#[tokio::test]
async fn a_link_signs_one_device_in_and_each_is_signed_out_by_itself() {
    let desk = desk();
    let token = desk.add("Ada");
    desk.add("Bob");
    let (_, link) = desk.file.invite("Ada", now() + SignedDuration::from_hours(1), None).unwrap();
    desk.sessions.refresh();
    let (phone, cookie) = desk.sign_in(PHONE, &link).await.unwrap();
    desk.sessions.refresh();
    assert_eq!(desk.sign_in(PHONE, &link).await.unwrap_err().status, 401, "once");
    desk.sessions.name_device(&phone, "Phone\u{1b}[2J").await;
    desk.sign_in(PHONE, &token).await.unwrap();
    let devices = desk.sessions.devices(Some("Ada"));
    assert_eq!((devices.len(), desk.sessions.devices(Some("Bob")).len()), (2, 0));
    let device = devices.iter().find(|device| device.id == phone.id()).unwrap();
    assert_eq!((device.name.as_str(), device.address), ("Phone[2J", Some(PHONE)));
    assert!(desk.sessions.sign_out_device(&phone.id()).await && !desk.sessions.sign_out_device("").await);
    assert!(desk.sessions.find(&with_cookie(&desk.sessions, &cookie)).is_none());
    assert_eq!(desk.sessions.devices(None).len(), 1, "the other one goes on");
}

#[tokio::test]
async fn whoever_is_signed_out_does_not_come_back_by_a_link_of_theirs() {
    let desk = desk();
    let token = desk.add("Ada");
    let soon = || now() + SignedDuration::from_hours(1);
    for is_by_another in [true, false] {
        let (phone, _) = desk.sign_in(PHONE, &token).await.unwrap();
        let (_, link) = desk.file.invite("Ada", soon(), Some(phone.id())).unwrap();
        desk.sessions.refresh();
        if is_by_another {
            assert!(desk.sessions.sign_out_device(&phone.id()).await);
        } else {
            desk.sessions.sign_out(&phone).await;
        }
        assert_eq!(desk.sign_in(PHONE, &link).await.unwrap_err().status, 401);
    }
    // What a chief has made for others before going home counts.
    desk.add("Bob");
    let (chief, _) = desk.sign_in(PHONE, &token).await.unwrap();
    let (_, link) = desk.file.invite("Bob", soon(), Some(chief.id())).unwrap();
    desk.sessions.refresh();
    desk.sessions.sign_out(&chief).await;
    desk.sign_in(PHONE, &link).await.unwrap();
}

#[tokio::test]
async fn one_account_signs_in_so_often_and_no_other_waits_for_it() {
    let desk = desk();
    let (ada, bob) = (desk.add("Ada"), desk.add("Bob"));
    let mut signed_in = 0;
    for _ in 0..16 {
        match desk.sign_in(PHONE, &ada).await {
            Ok(_) => signed_in += 1,
            Err(error) => assert!(error.status == 429 && error.retry_after.is_some(), "{error:?}"),
        }
    }
    assert!((SIGN_INS.0..16).contains(&signed_in), "{signed_in}");
    desk.sign_in(PHONE, &bob).await.unwrap();
}

#[tokio::test]
async fn signing_out_ends_one_session_and_a_seventeenth_the_oldest() {
    let desk = desk();
    desk.add("Ada");
    let (account, _) = desk.sessions.accounts().remove(0);
    for number in 0..20_u32 {
        let until = now() + SignedDuration::from_secs(i64::from(number) + 60);
        desk.sessions.open(key(&number.to_string()), open_until(&account, until));
    }
    assert_eq!(desk.sessions.accounts()[0].1, MOST);
    assert!(desk.sessions.find(&with_cookie(&desk.sessions, "3")).is_none());
    let last = desk.sessions.find(&with_cookie(&desk.sessions, "19")).unwrap();
    desk.sessions.sign_out(&last).await;
    assert_eq!(desk.sessions.accounts()[0].1, MOST - 1);
    desk.sessions.ended(&last).await;
    desk.sessions.open(key("old"), open_until(&account, now() - SignedDuration::from_secs(1)));
    assert!(desk.sessions.find(&with_cookie(&desk.sessions, "old")).is_none());
}

#[tokio::test]
async fn wrong_tokens_sent_at_once_are_tried_one_after_another() {
    let desk = desk();
    let ada = desk.add("Ada");
    let guess = format!("{}-{}", ada.split_once('-').unwrap().0, "0".repeat(32));
    let guesses = (0..20).map(|_| desk.sign_in(PHONE, &guess));
    let answers = futures_util::future::join_all(guesses).await;
    let tried = answers.iter().filter(|answer| answer.as_ref().unwrap_err().status == 401).count();
    assert_eq!(tried, usize::try_from(TRIES.0).unwrap());
    desk.sign_in(IpAddr::from([10, 0, 0, 2]), &ada).await.unwrap();
}

/// All phones of a hall may have one address, behind a router or a proxy that says nothing of them.
#[tokio::test]
async fn those_signed_in_at_one_address_ask_each_for_themselves() {
    let desk = desk();
    let mut askers = vec![Asker::of(&desk.sessions, &HeaderMap::new(), PHONE)];
    for name in ["Ada", "Bob"] {
        let (_, cookie) = desk.sign_in(PHONE, &desk.add(name)).await.unwrap();
        let headers = with_cookie(&desk.sessions, &cookie);
        let asker = Asker::of(&desk.sessions, &headers, PHONE);
        assert_eq!(asker, Asker::of(&desk.sessions, &headers, [10, 0, 0, 2].into()), "wherever it goes");
        askers.push(asker);
    }
    assert!(askers[0] != askers[1] && askers[1] != askers[2] && askers[2] != askers[0], "{askers:?}");
    let unknown = with_cookie(&desk.sessions, "made up");
    assert_eq!(Asker::of(&desk.sessions, &unknown, PHONE), askers[0], "whatever is sent with it");
}

#[test]
fn a_token_of_nobody_waits_for_no_disk() {
    let desk = desk();
    let _reading = desk.sessions.reading.lock().unwrap();
    let refused = desk.sign_in(PHONE, "0-0").now_or_never().unwrap().unwrap_err();
    assert_eq!(refused.status, 401);
    assert!(!desk.sessions.knows("0-0"));
}
