//! `jadoube arbiter`: the tokens with which arbiters sign in at the desk.

use std::io::{self, IsTerminal as _};

use super::{ConfigArgs, Exit, Failure, Output, complain};
use crate::{
    accounts::{AccountError, AccountFile, DeskLink, NewAccount, desk_address},
    audit::{self, Place},
    config::{ArbiterConfig, Config, HttpConfig, Role, TableSet},
};
use jadoube_core::laws::Language;
use jadoube_runtime::clock::SystemClock;
use jiff::SignedDuration;
use serde_json::{Value, json};

/// Black background and white blocks: what a camera reads, whatever the colours of the terminal are.
const COLOURS: (&str, &str) = ("\u{1b}[40;97m", "\u{1b}[0m");

/// What to do with tokens.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Make a token, and show it once as a link and a QR code
    Add(Add),
    /// Make a further link for one more device of somebody who has a token
    Link(Link),
    /// List who has a token
    List(List),
    /// Make a token invalid; whoever uses it is signed out at once
    Revoke(Revoke),
}

/// Arguments of `jadoube arbiter add`.
#[derive(clap::Args, Debug)]
pub(super) struct Add {
    /// The arbiter's name, as orders and the other arbiters show it
    name: String,
    /// Tables that the arbiter looks after, such as 1-20,25, or hall-a:1-20 at a hub [default: those of [[arbiter]], otherwise all]
    #[arg(long, value_name = "TABLES")]
    tables: Option<TableSet>,
    /// What the arbiter may do: chief, sector, tables, screen [default: that of [[arbiter]], otherwise sector]
    #[arg(long)]
    role: Option<Role>,
    /// Language of the desk for this arbiter: en, de, fr, es, it
    #[arg(long)]
    language: Option<Language>,
    /// Where phones find the desk [default: http.url, http.hosts or the address of this machine]
    #[arg(long)]
    url: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Arguments of `jadoube arbiter link`.
#[derive(clap::Args, Debug)]
pub(super) struct Link {
    /// The arbiter's name
    name: String,
    /// Where phones find the desk [default: http.url, http.hosts or the address of this machine]
    #[arg(long)]
    url: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Arguments of `jadoube arbiter list`.
#[derive(clap::Args, Debug)]
pub(super) struct List {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Arguments of `jadoube arbiter revoke`.
#[derive(clap::Args, Debug)]
pub(super) struct Revoke {
    /// The arbiter's name
    name: String,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Does it.
pub(super) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Add(args) => add(args),
        Command::Link(args) => {
            let config = args.config.load()?;
            let http = config.http.clone().unwrap_or_default();
            let desk = args.url.or_else(|| desk_address(&http)).ok_or_else(|| {
                Failure::new(
                    Exit::Config,
                    "phones cannot reach the desk: set http.listen, and http.url for links",
                )
            })?;
            show_link(&config, &args.name, &desk)
        }
        Command::List(args) => list(&args),
        Command::Revoke(args) => revoke(&args),
    }
}

fn add(args: Add) -> Result<(), Failure> {
    let config = args.config.load()?;
    let known = config.arbiters.iter().find(|arbiter| arbiter.name == args.name.trim());
    if known.is_some() && (args.tables.is_some() || args.role.is_some() || args.language.is_some()) {
        let reason = format!("{}: is in [[arbiter]] of the configuration; change it there", args.name);
        return Err(Failure::new(Exit::Usage, reason));
    }
    let known = known.map(|ArbiterConfig { tables, role, language, .. }| (tables.clone(), *role, *language));
    let (tables, role, language) = known.unwrap_or_default();
    let new = NewAccount {
        name: args.name,
        tables: args.tables.unwrap_or(tables),
        role: args.role.unwrap_or(role),
        language: args.language.or(language),
    };
    let file = AccountFile::of(&config.state_dir);
    let (account, token) = listed(&config, "account-made", |list| {
        file.add_listed(new, SystemClock::start().started(), |account| {
            list(json!({ "name": account.name, "role": account.role, "tables": account.tables }))
        })
    })?;
    let mut output = Output::new();
    let tables =
        if account.tables.is_all() { "all tables".to_owned() } else { format!("tables {}", account.tables) };
    output.line(&format!("{}: {}, {tables}", account.name, account.role))?;
    let http = config.http.clone().unwrap_or_default();
    if let Some(desk) = args.url.or_else(|| desk_address(&http)) {
        show_link(&config, &account.name, &desk)?;
    } else {
        output.line(&format!(
            "The token, which is shown only now: {token}\n\
             The desk listens on {} only, so phones cannot reach it: set http.listen, and http.url for links",
            http.listen
        ))?;
    }
    Ok(())
}

/// Makes a change that the list of orders has before it counts: `change` gets what writes the entry. One that fails after it has a second
/// entry, which says so.
fn listed<T>(
    config: &Config,
    what: &str,
    change: impl FnOnce(&mut dyn FnMut(Value) -> io::Result<()>) -> Result<T, AccountError>,
) -> Result<T, Failure> {
    let place = Place::of(config);
    let mut written = None;
    let mut list = |more: Value| {
        audit::note_local(&place, what, more.clone(), None)?;
        written = Some(more);
        Ok(())
    };
    let changed = change(&mut list);
    if let (Err(error), Some(more)) = (&changed, written)
        && let Err(unlisted) = audit::note_local(&place, what, more, Some(error.to_string()))
    {
        complain(&format!("{}: {unlisted}; {what} is in the list, and was not done", audit::NAME));
    }
    Ok(changed?)
}

/// Makes a link that signs one phone in, and shows it.
fn show_link(config: &Config, name: &str, desk: &str) -> Result<(), Failure> {
    let hours = config.http.as_ref().map_or_else(|| HttpConfig::default().link_h, |http| http.link_h);
    let until = SystemClock::start().started() + SignedDuration::from_hours(i64::from(hours));
    let (_, code) = listed(config, "link-made", |list| {
        AccountFile::of(&config.state_dir)
            .invite_listed(name, until, None, |account| list(json!({ "name": account.name, "until": until })))
    })?;
    let mut output = Output::new();
    let link = DeskLink::new(desk, &code);
    output.line(&format!(
        "This link signs one phone in, once, until {}:\n{}\n",
        until.strftime("%F %R UTC"),
        link.url()
    ))?;
    match link.terminal() {
        Ok(picture) if io::stdout().is_terminal() => {
            for line in picture.lines() {
                output.line(&format!("{}{line}{}", COLOURS.0, COLOURS.1))?;
            }
        }
        Ok(picture) => output.line(&picture)?,
        Err(reason) => output.line(&reason)?,
    }
    Ok(())
}

fn list(args: &List) -> Result<(), Failure> {
    let config = args.config.load()?;
    let accounts = AccountFile::of(&config.state_dir).load(&config)?;
    let mut output = Output::new();
    for account in &accounts {
        let tables = if account.tables.is_all() { "all".to_owned() } else { account.tables.to_string() };
        output.line(&format!(
            "{:24} {:7} tables {tables:12} token of {}",
            account.name,
            account.role.name(),
            account.made.strftime("%F %R UTC")
        ))?;
    }
    for arbiter in &config.arbiters {
        if accounts.iter().all(|account| account.name != arbiter.name) {
            output.line(&format!(
                "{:24} {:7} has no token: jadoube arbiter add \"{}\"",
                arbiter.name,
                arbiter.role.name(),
                arbiter.name
            ))?;
        }
    }
    if accounts.is_empty() && config.arbiters.is_empty() {
        output.line("no arbiter has an own token: jadoube arbiter add NAME --tables 1-20")?;
    }
    Ok(())
}

fn revoke(args: &Revoke) -> Result<(), Failure> {
    let config = args.config.load()?;
    let mut unlisted = None;
    let account = listed(&config, "account-revoked", |list| {
        AccountFile::of(&config.state_dir).revoke_listed(&args.name, |account| {
            // A full disk keeps nobody in whose token was lost.
            unlisted = list(json!({ "name": account.name })).err();
        })
    })?;
    Output::new()
        .line(&format!("{}: the token counts no more, and its phones are signed out", account.name))?;
    let Some(error) = unlisted else { return Ok(()) };
    let list = config.log_dir.join(audit::NAME);
    let reason = format!("{}: {error}; the token was revoked, and the list does not have it", list.display());
    Err(Failure::new(Exit::of(error.kind()), reason))
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        let exit = match &error {
            AccountError::File { source, .. } | AccountError::Unlisted(source) => Exit::of(source.kind()),
            AccountError::Exists(_)
            | AccountError::Similar(..)
            | AccountError::Missing(_)
            | AccountError::Name
            | AccountError::Alphabets
            | AccountError::Full => Exit::Data,
            AccountError::Hash(_) => Exit::Software,
        };
        Self::new(exit, error)
    }
}
