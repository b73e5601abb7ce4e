use std::os::unix::fs::PermissionsExt as _;

use super::*;

fn new(name: &str, tables: &str) -> NewAccount {
    NewAccount { name: name.to_owned(), tables: tables.parse().unwrap(), role: Role::Sector, language: None }
}

fn now() -> jiff::Timestamp {
    "2026-11-23T10:00:00Z".parse().unwrap()
}

#[test]
fn a_token_is_shown_once_and_kept_as_a_hash() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(&dir.path().join("state"));
    assert!(file.load(&Config::default()).unwrap().is_empty());
    let before = file.stamp();
    let (account, token) = file.add(new(" Ada ", "1-3"), now()).unwrap();
    assert_ne!(file.stamp(), before);
    let (id, secret) = token.split_once('-').unwrap();
    assert_eq!((id, account.name.as_str()), (account.id.as_str(), "Ada"));
    let path = dir.path().join("state").join(NAME);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(secret) && text.contains("$argon2id$"), "{text}");
    let [read] = &file.load(&Config::default()).unwrap()[..] else { panic!("one account") };
    assert_eq!(read, &account);
    assert!(read.verifies(secret, now()) && !read.verifies("", now()) && !read.verifies(id, now()));
}

#[test]
fn a_link_signs_in_once_and_not_for_ever() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    file.add(new("Ada", ""), now()).unwrap();
    let until = now() + jiff::SignedDuration::from_hours(24);
    let secret = |code: String| code.split_once('-').unwrap().1.to_owned();
    let (_, replaced) = file.invite("Ada", until, None).unwrap();
    let (account, code) = file.invite("Ada", until, None).unwrap();
    let code = secret(code);
    assert!(is_of_link(&code) && !account.verifies(&secret(replaced), now()));
    assert!(account.verifies(&code, now()) && !account.verifies(&code, until));
    assert!(file.use_link(&account).unwrap() && !file.use_link(&account).unwrap(), "once");
    let [used] = &file.load(&Config::default()).unwrap()[..] else { panic!("one account") };
    assert!(!used.verifies(&code, now()));
    assert!(matches!(file.invite("Bob", until, None), Err(AccountError::Missing(_))));
}

#[test]
fn links_end_with_the_device_at_which_they_were_made() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    let until = now() + jiff::SignedDuration::from_hours(24);
    for name in ["Ada", "Bob"] {
        file.add(new(name, ""), now()).unwrap();
        file.invite(name, until, Some("phone".to_owned())).unwrap();
    }
    let links = || file.load(&Config::default()).unwrap().iter().filter(|one| one.invite.is_some()).count();
    let ada = file.load(&Config::default()).unwrap()[0].id.clone();
    file.end_links("other", None).unwrap();
    assert_eq!(links(), 2);
    file.end_links("phone", Some(&ada)).unwrap();
    assert_eq!(links(), 1);
    file.end_links("phone", None).unwrap();
    assert_eq!(links(), 0);
}

#[test]
fn a_name_shows_itself() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    for name in [
        "Ada\u{202e}bob",
        "\u{2066}Ada",
        "A\u{200b}da",
        "A\nda",
        "\u{feff}Ada",
        " ",
        "Ada\u{3164}",
        "Ada\u{fe0f}",
        "\u{2800}",
        "Ada\u{e0101}",
    ] {
        assert!(matches!(file.add(new(name, ""), now()), Err(AccountError::Name)), "{name:?}");
    }
    file.add(new("Jürgen Müller-Łódź 王", ""), now()).unwrap();
    file.add(new("Ada", ""), now()).unwrap();
    assert!(matches!(file.add(new("\u{410}da", ""), now()), Err(AccountError::Alphabets)));
    for name in ["ADA", "ada"] {
        let similar = file.add(new(name, ""), now()).unwrap_err();
        assert!(matches!(similar, AccountError::Similar(..)), "{similar}");
    }
}

#[test]
fn what_the_configuration_says_of_a_name_counts() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    file.add(new("Ada", "1-3"), now()).unwrap();
    let text = "[[arbiter]]\nname = 'Ada'\ntables = '7'\nrole = 'screen'\nlanguage = 'de'";
    let config = Config::parse("t", text, &[]).unwrap();
    let [account] = &file.load(&config).unwrap()[..] else { panic!("one account") };
    assert_eq!((account.tables.to_string().as_str(), account.role), ("7", Role::Screen));
    assert_eq!(account.language, Some(Language::De));
}

#[test]
fn names_are_used_once_and_accounts_end() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    file.add(new("Ada", ""), now()).unwrap();
    let again = file.add(new("Ada", ""), now()).unwrap_err().to_string();
    assert!(again.contains("jadoube arbiter revoke \"Ada\""), "{again}");
    assert!(matches!(file.add(new(" ", ""), now()), Err(AccountError::Name)));
    assert!(matches!(file.add(new("a\nb", ""), now()), Err(AccountError::Name)));
    file.revoke("Ada").unwrap();
    assert!(matches!(file.revoke("Ada"), Err(AccountError::Missing(_))));
    assert!(file.load(&Config::default()).unwrap().is_empty());
}

#[test]
fn a_file_that_others_can_read_counts_for_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = AccountFile::of(dir.path());
    file.add(new("Ada", ""), now()).unwrap();
    fs::set_permissions(dir.path().join(NAME), fs::Permissions::from_mode(0o640)).unwrap();
    assert!(file.load(&Config::default()).unwrap_err().to_string().contains("chmod 600"));
}

#[test]
fn a_damaged_file_lets_nobody_in_and_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (file, path) = (AccountFile::of(dir.path()), dir.path().join(NAME));
    file.add(new("Ada", "1-3"), now()).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = file.load(&Config::default()).unwrap_err().to_string();
        assert!(error.contains(NAME), "{length}: {error}");
        file.add(new("Eve", ""), now()).unwrap_err();
        file.revoke("Ada").unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
    }
}

#[test]
fn a_link_begins_where_phones_find_the_desk() {
    let desk = |text: &str| desk_address(&Config::parse("t", text, &[]).unwrap().http.unwrap());
    assert_eq!(desk("[http]"), None);
    assert_eq!(desk("[http]\nlisten = '10.0.0.7:80'").as_deref(), Some("http://10.0.0.7:80"));
    assert_eq!(
        desk("[http]\nlisten = '0.0.0.0:80'\nhosts = ['hall.lan']").as_deref(),
        Some("http://hall.lan:80")
    );
    assert_eq!(desk("[http]\nurl = 'https://hall.lan'").as_deref(), Some("https://hall.lan"));
    assert_eq!(DeskLink::new("https://hall.lan/", "1-2").url(), "https://hall.lan/#/join/1-2");
    assert!(DeskLink::new("https://hall.lan", "1-2").svg().unwrap().contains("<svg"));
}
