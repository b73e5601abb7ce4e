//! Owns the accounts of the arbiters: a file with names, tables, roles and the hashes of their tokens.
//!
//! A token is `ID-SECRET`: the id finds the account, so that one hash is computed for a sign-in and none for an id that
//! nobody has. It is random and is stored nowhere. What `[[arbiter]]` says of a name counts more than what the file says.

mod attention;
mod link;
mod names;
#[cfg(feature = "push")]
mod push;

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use self::attention::{ATTENTION_FILE, AttentionState, GOING_S, Going, Watched};
pub(crate) use self::link::{DeskLink, desk_address, own_address, picture, terminal_picture};
#[cfg(feature = "push")]
pub(crate) use self::push::{PushError, Subscription, Subscriptions};
use crate::config::{ArbiterConfig, Config, Role, TableSet};
use jadoube_core::{laws::Language, printable::is_seen};
use jadoube_runtime::{platform, private, replace::replace_secret};

/// Name of the file in the state directory.
const NAME: &str = "arbiters.json";

/// Bytes of an id.
const ID: usize = 4;

/// Bytes of a secret.
const SECRET: usize = 16;

/// Bytes of the salt of a hash.
const SALT: usize = 16;

/// What the secret of a link begins with; hexadecimal digits, which that of an account is made of, do not have it.
const LINK: char = 'x';

/// Longest name, characters.
const LONGEST_NAME: usize = 64;

/// Most accounts; more are no arbiters.
const MOST: usize = 256;

/// Why an account cannot be read, made or removed.
#[derive(Debug, Error)]
pub(crate) enum AccountError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The name is in use.
    #[error(
        "{0} has a token already; 'jadoube arbiter revoke \"{0}\"' makes it invalid, then another one can be made"
    )]
    Exists(String),
    /// Nobody has this name.
    #[error("no arbiter {0} has a token; 'jadoube arbiter list' shows who has")]
    Missing(String),
    /// The name cannot be one.
    #[error(
        "a name has 1 to {LONGEST_NAME} characters that can be seen: no line ends, no marks for the direction of writing"
    )]
    Name,
    /// The name has letters that look like others.
    #[error("a name has letters of one alphabet: Latin, Greek or Cyrillic")]
    Alphabets,
    /// Nobody could distinguish the name from that of somebody else.
    #[error("{0} looks like {1}, who has a token already; take a name that others can distinguish from it")]
    Similar(String, String),
    /// The list of orders takes no entry.
    #[error("audit.jsonl: {0}; nothing was changed")]
    Unlisted(io::Error),
    /// There are too many.
    #[error("there are {MOST} arbiters with tokens already")]
    Full,
    /// The token could not be hashed.
    #[error("the token cannot be hashed: {0}")]
    Hash(String),
}

/// Who somebody with a token is.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Account {
    /// The first part of the token.
    pub(crate) id: String,
    /// The name that others see.
    pub(crate) name: String,
    /// Tables that the arbiter looks after.
    #[serde(default)]
    pub(crate) tables: TableSet,
    /// What the arbiter may do.
    #[serde(default)]
    pub(crate) role: Role,
    /// Language of the desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<Language>,
    /// When the token was made, UTC.
    pub(crate) made: jiff::Timestamp,
    /// Hash of the secret, as PHC writes it.
    hash: String,
    /// A link that signs one device in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invite: Option<Box<Invite>>,
}

/// A link that can be used once.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Invite {
    /// Hash of its secret.
    hash: String,
    until: jiff::Timestamp,
    /// The device at which it was made; none at a terminal, and with the token of the daemon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device: Option<String>,
}

impl Account {
    /// Returns whether a secret is the account's, or that of its link; takes tens of milliseconds and 19 MiB on purpose.
    pub(crate) fn verifies(&self, secret: &str, now: jiff::Timestamp) -> bool {
        let hash = match &self.invite {
            _ if !is_of_link(secret) => &self.hash,
            Some(invite) if now < invite.until => &invite.hash,
            Some(_) | None => return false,
        };
        PasswordHash::new(hash)
            .is_ok_and(|hash| Argon2::default().verify_password(secret.as_bytes(), &hash).is_ok())
    }

    /// Puts what the configuration says of the name over what the file says.
    fn configured(self, config: &Config) -> Self {
        match config.arbiters.iter().find(|arbiter| arbiter.name == self.name) {
            Some(ArbiterConfig { tables, role, language, .. }) => {
                Self { tables: tables.clone(), role: *role, language: *language, ..self }
            }
            None => self,
        }
    }
}

/// What is asked for with a new account.
#[derive(Clone, Debug)]
pub(crate) struct NewAccount {
    /// The name that others see.
    pub(crate) name: String,
    /// Tables that the arbiter looks after.
    pub(crate) tables: TableSet,
    /// What the arbiter may do.
    pub(crate) role: Role,
    /// Language of the desk.
    pub(crate) language: Option<Language>,
}

/// State of a file (inode, time, length, mode): a change of what is in it, or of who may read it, changes it.
pub(crate) type Stamp = Option<(Option<platform::FileId>, SystemTime, u64, u32)>;

/// Returns the state of a file.
pub(crate) fn stamp(file: &Path) -> Stamp {
    let meta = fs::metadata(file).ok()?;
    Some((platform::file_id(&meta), meta.modified().ok()?, meta.len(), platform::mode(&meta)))
}

/// The file with the accounts.
#[derive(Clone, Debug)]
pub(crate) struct AccountFile(PathBuf);

impl AccountFile {
    /// Names the file in a state directory.
    pub(crate) fn of(state_dir: &Path) -> Self {
        Self(state_dir.join(NAME))
    }

    /// Returns the state of the file, which is enough to see whether it has changed.
    pub(crate) fn stamp(&self) -> Stamp {
        stamp(&self.0)
    }

    /// Reads the accounts as the configuration wants them; there are none without a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or if others than its owner can.
    pub(crate) fn load(&self, config: &Config) -> Result<Vec<Account>, AccountError> {
        let accounts = self.read().map_err(|source| self.error(source))?;
        Ok(accounts.into_iter().map(|account| account.configured(config)).collect())
    }

    /// Makes an account; returns it with its token, which is not kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is in use, or if the file cannot be written.
    pub(crate) fn add(
        &self,
        new: NewAccount,
        now: jiff::Timestamp,
    ) -> Result<(Account, String), AccountError> {
        self.add_listed(new, now, |_| Ok(()))
    }

    /// Does the same; `list` writes the account down before it is made.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases, and if it cannot be written down: then nothing has changed.
    pub(crate) fn add_listed(
        &self,
        new: NewAccount,
        now: jiff::Timestamp,
        list: impl FnOnce(&Account) -> io::Result<()>,
    ) -> Result<(Account, String), AccountError> {
        let name = new.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_seen) {
            return Err(AccountError::Name);
        }
        if !names::has_one_alphabet(&name) {
            return Err(AccountError::Alphabets);
        }
        let _held = self.hold()?;
        let mut accounts = self.read().map_err(|source| self.error(source))?;
        if accounts.iter().any(|account| account.name == name) {
            return Err(AccountError::Exists(name));
        }
        if let Some(other) = accounts.iter().find(|account| names::look_alike(&account.name, &name)) {
            return Err(AccountError::Similar(name, other.name.clone()));
        }
        if accounts.len() >= MOST {
            return Err(AccountError::Full);
        }
        let id = loop {
            let id = hex(&random::<ID>().map_err(|source| self.error(source))?);
            if accounts.iter().all(|account| account.id != id) {
                break id;
            }
        };
        let secret = hex(&random::<SECRET>().map_err(|source| self.error(source))?);
        let hash = self.hashed(&secret)?;
        let NewAccount { tables, role, language, .. } = new;
        let account = Account { id: id.clone(), name, tables, role, language, made: now, hash, invite: None };
        list(&account).map_err(AccountError::Unlisted)?;
        accounts.push(account.clone());
        self.write(&accounts)?;
        Ok((account, format!("{id}-{secret}")))
    }

    /// Makes a link for one device of an account, in place of an earlier one; returns what signs in. It ends with the device at which it is
    /// made.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none of the name, or if the file cannot be written.
    pub(crate) fn invite(
        &self,
        name: &str,
        until: jiff::Timestamp,
        device: Option<String>,
    ) -> Result<(Account, String), AccountError> {
        self.invite_listed(name, until, device, |_| Ok(()))
    }

    /// Does the same; `list` writes the link down before it is made.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases, and if it cannot be written down: then nothing has changed.
    pub(crate) fn invite_listed(
        &self,
        name: &str,
        until: jiff::Timestamp,
        device: Option<String>,
        list: impl FnOnce(&Account) -> io::Result<()>,
    ) -> Result<(Account, String), AccountError> {
        let secret = format!("{LINK}{}", hex(&random::<SECRET>().map_err(|source| self.error(source))?));
        let invite = Invite { hash: self.hashed(&secret)?, until, device };
        let _held = self.hold()?;
        let mut accounts = self.read().map_err(|source| self.error(source))?;
        let account = accounts.iter_mut().find(|account| account.name == name.trim());
        let account = account.ok_or_else(|| AccountError::Missing(name.to_owned()))?;
        list(account).map_err(AccountError::Unlisted)?;
        account.invite = Some(Box::new(invite));
        let (account, code) = (account.clone(), format!("{}-{secret}", account.id));
        self.write(&accounts)?;
        Ok((account, code))
    }

    /// Uses the link of an account up; returns whether it was still there.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written: then nobody is signed in by it.
    pub(crate) fn use_link(&self, used: &Account) -> Result<bool, AccountError> {
        let _held = self.hold()?;
        let mut accounts = self.read().map_err(|source| self.error(source))?;
        let account = accounts.iter_mut().find(|account| account.id == used.id);
        let Some(account) =
            account.filter(|account| account.invite.is_some() && account.invite == used.invite)
        else {
            return Ok(false);
        };
        account.invite = None;
        self.write(&accounts)?;
        Ok(true)
    }

    /// Ends the links that were made at a device, which is signed out: those of all accounts, or of one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written: then they count on.
    pub(crate) fn end_links(&self, device: &str, of: Option<&str>) -> Result<(), AccountError> {
        let _held = self.hold()?;
        let mut accounts = self.read().map_err(|source| self.error(source))?;
        let mut has_changed = false;
        for account in accounts.iter_mut().filter(|account| of.is_none_or(|id| account.id == id)) {
            let is_of_it = |invite: &Invite| invite.device.as_deref() == Some(device);
            has_changed |= account.invite.take_if(|invite| is_of_it(invite)).is_some();
        }
        if has_changed { self.write(&accounts) } else { Ok(()) }
    }

    fn hashed(&self, secret: &str) -> Result<String, AccountError> {
        let salt = random::<SALT>().map_err(|source| self.error(source))?;
        let hash: PasswordHash = Argon2::default()
            .hash_password_with_salt(secret.as_bytes(), &salt)
            .map_err(|error| AccountError::Hash(error.to_string()))?;
        Ok(hash.to_string())
    }

    /// Removes an account: its token and its sessions count no more.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none of the name, or if the file cannot be written.
    pub(crate) fn revoke(&self, name: &str) -> Result<Account, AccountError> {
        self.revoke_listed(name, |_| ())
    }

    /// Does the same; `list` writes it down before, and if it cannot, the account is removed nevertheless.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases.
    pub(crate) fn revoke_listed(
        &self,
        name: &str,
        list: impl FnOnce(&Account),
    ) -> Result<Account, AccountError> {
        let held = self.hold()?;
        let mut accounts = self.read().map_err(|source| self.error(source))?;
        let at = accounts.iter().position(|account| account.name == name);
        let at = at.ok_or_else(|| AccountError::Missing(name.to_owned()))?;
        let account = accounts.remove(at);
        list(&account);
        self.write(&accounts)?;
        drop(held);
        #[cfg(feature = "push")]
        if let Some(state_dir) = self.0.parent()
            && let Err(error) = Subscriptions::of(state_dir).revoke(&account.id)
        {
            // Nobody is rung for it any more, as the account is gone.
            tracing::warn!(%error, "the phones of a revoked account stay in the list");
        }
        Ok(account)
    }

    /// Keeps others from changing the file at the same time, until the directory is closed.
    fn hold(&self) -> Result<Option<File>, AccountError> {
        let Some(directory) = self.0.parent() else { return Ok(None) };
        let held = private::make_directory(directory).and_then(|()| {
            let directory = File::open(directory)?;
            directory.lock()?;
            Ok(directory)
        });
        held.map(Some).map_err(|source| self.error(source))
    }

    fn read(&self) -> io::Result<Vec<Account>> {
        let mut file = match private::open(&self.0) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if platform::mode(&file.metadata()?) & 0o077 != 0 {
            let remedy = "others can read it: 'chmod 600' it, revoke all arbiters and make new tokens";
            return Err(io::Error::new(ErrorKind::PermissionDenied, remedy));
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok(serde_json::from_str(&text)?)
    }

    fn write(&self, accounts: &[Account]) -> Result<(), AccountError> {
        let write = || {
            replace_secret(&self.0, &serde_json::to_vec_pretty(accounts)?)?;
            self.give_to_owner()
        };
        write().map_err(|source| self.error(source))
    }

    /// An administrator may have called: the service has to be able to read the file.
    fn give_to_owner(&self) -> io::Result<()> {
        let owner = self.0.parent().map(fs::metadata).transpose()?;
        owner.map_or(Ok(()), |owner| platform::give_to(&self.0, &owner))
    }

    fn error(&self, source: io::Error) -> AccountError {
        AccountError::File { path: self.0.clone(), source }
    }
}

/// Returns whether a secret is that of a link.
pub(crate) fn is_of_link(secret: &str) -> bool {
    secret.starts_with(LINK)
}

/// Returns random bytes of the system.
pub(crate) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    platform::fill_random(&mut bytes)?;
    Ok(bytes)
}

/// Writes bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests;
