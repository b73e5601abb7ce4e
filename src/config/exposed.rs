//! Finds what lets others in, or shows them what they should not see, in a configuration.

use std::fs;

use super::{
    BrokerAddress, Config, ConfigUrl, Network, NotifyKind,
    check::{Warnings, entry, field},
    is_short,
};
use jadoube_runtime::private;

/// The list of public suffixes, as distributions have it: the compiled ones would be a twentieth of the program, and as old as it.
const SUFFIXES: &str = "/usr/share/publicsuffix/public_suffix_list.dat";

/// How long that list may be, MiB.
const LONGEST_LIST: u64 = 4;

/// Second levels under which names of a country are registered, as `co` of `co.uk`; this and the next are for machines without the list.
const REGISTRIES: [&str; 29] = [
    "ac", "ad", "co", "com", "ed", "edu", "firm", "gen", "go", "gob", "gov", "gouv", "gr", "gv", "id", "in",
    "info", "lg", "ltd", "me", "mil", "ne", "net", "nom", "or", "org", "plc", "sch", "web",
];

/// Domains below which anybody gets pages of their own.
const SHARED: [&str; 25] = [
    "amazonaws.com",
    "appspot.com",
    "azurewebsites.net",
    "blogspot.com",
    "cloudfront.net",
    "ddns.net",
    "duckdns.org",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "gitlab.io",
    "glitch.me",
    "herokuapp.com",
    "neocities.org",
    "netlify.app",
    "ngrok-free.app",
    "ngrok.io",
    "onrender.com",
    "pages.dev",
    "surge.sh",
    "trycloudflare.com",
    "vercel.app",
    "web.app",
    "wordpress.com",
    "workers.dev",
];

impl Config {
    /// Warns of what is open to more than was probably meant.
    pub(super) fn check_exposed(&self, warnings: &mut Warnings) {
        self.check_broker(warnings);
        self.check_programs(warnings);
        self.check_proxies(warnings);
        let suffixes = self.livechess.as_ref().map(|_| suffixes()).unwrap_or_default();
        for (index, origin) in self.livechess.iter().flat_map(|livechess| &livechess.origins).enumerate() {
            let key = || entry("livechess.origins", index);
            if origin.trim() == "null" {
                let text = "'null' is every page in a frame without an origin, and every file: any page can make one";
                warnings.add(key(), text);
                continue;
            }
            let domain = origin.split_once("://*.").map(|(_, domain)| domain.trim_end_matches('/'));
            if let Some(domain) = domain.filter(|domain| is_registry(domain, &suffixes)) {
                let text =
                    format!("'{origin}' lets the pages of everybody connect who has a name below .{domain}");
                warnings.add(key(), text);
            } else if domain.is_some_and(|domain| domain.ends_with('.')) {
                warnings
                    .add(key(), format!("'{origin}' ends with a dot: no page is called so; leave it out"));
            } else if ConfigUrl::from(origin.replace("://*.", "://").as_str()).is_clear() {
                let text = format!(
                    "'{origin}' is a page in clear text: whoever is on the way to it can be that page; use https://"
                );
                warnings.add(key(), text);
            }
        }
        for (index, way) in self.notify.iter().enumerate() {
            let secret = match way.token_file {
                Some(_) => "the token",
                None if way.url.has_more() => {
                    "what lets others send there, as a topic, a path, a user or a query,"
                }
                None => continue,
            };
            if way.url.is_clear() && way.kind != NotifyKind::Command {
                let text = format!("{} gets {secret} in clear text: use https://", way.url);
                warnings.add(field("notify", index, "url"), text);
            }
        }
        if let Some(lichess) = self.lichess.as_ref().filter(|lichess| lichess.url.is_clear()) {
            warnings
                .add("lichess.url", format!("{} gets the token in clear text: use https://", lichess.url));
        }
        if let Some(http) = &self.http {
            if let Some(url) = http.url.as_ref().filter(|url| url.is_clear()) {
                let text = format!(
                    "{url}: links and tokens of arbiters go there in clear text; see 'jadoube certificate'"
                );
                warnings.add("http.url", text);
            }
            if http.url.as_ref().is_some_and(ConfigUrl::has_user) {
                let text = "holds a user or a password, which is no part of links: leave it out";
                warnings.add_error("http.url", text);
            }
            for (index, service) in http.push_services.iter().enumerate() {
                let key = entry("http.push_services", index);
                if !service.is_web() {
                    let text = "is no address of a push service: https://push.example/";
                    warnings.add_error(key, text);
                } else if service.is_clear() {
                    warnings
                        .add(key, format!("{service}: who rings when is sent in clear text: use https://"));
                }
            }
        }
        let has_delay = self.pgn.as_ref().is_some_and(|pgn| pgn.delay_s > 0);
        if let Some(public) = &self.public
            && !public.listen.ip().to_canonical().is_loopback()
            && !has_delay
        {
            let text = format!(
                "{} shows everybody the games as they are played: set pgn.delay_s, unless the hall keeps phones out",
                public.listen
            );
            warnings.add("public.listen", text);
        }
        if self.public.is_some() && has_delay {
            for (index, _) in self.tables.iter().enumerate().filter(|(_, table)| table.delay_s == Some(0)) {
                let text = "0 shows everybody the games of this table as they are played, by [public], although others are delayed";
                warnings.add(field("table", index, "delay_s"), text);
            }
        }
    }

    /// Warns of an interface without tokens that others reach; with a delay it is refused.
    fn check_programs(&self, warnings: &mut Warnings) {
        for (index, address) in self.livechess.iter().flat_map(|livechess| &livechess.listen).enumerate() {
            if !address.ip().to_canonical().is_loopback() && !self.has_delay() {
                let text = format!(
                    "{address} is open to everybody who can reach this machine, without a token and without encryption"
                );
                warnings.add(entry("livechess.listen", index), text);
            }
        }
    }

    /// Refuses proxies that are everybody.
    fn check_proxies(&self, warnings: &mut Warnings) {
        let proxies = self.http.as_ref().map_or(&[][..], |http| &http.trusted_proxies);
        let remedy = "whoever asks could name any address; name the proxies";
        let key = "http.trusted_proxies";
        let all = || proxies.iter().enumerate().filter(|(_, proxy)| proxy.is_everybody());
        for (index, proxy) in all() {
            warnings.add_error(entry(key, index), format!("{proxy} is everybody: {remedy}"));
        }
        if all().next().is_none() && Network::are_everybody(proxies) {
            warnings.add_error(key, format!("together these are everybody: {remedy}"));
        }
    }

    fn check_broker(&self, warnings: &mut Warnings) {
        let Some(mqtt) = &self.mqtt else { return };
        let Ok(broker) = BrokerAddress::parse(mqtt.url.secret()) else { return };
        if broker.is_local() {
            return;
        }
        if !broker.tls && mqtt.password_file.is_some() {
            let text = format!("{}: the password goes there in clear text; use mqtts://", mqtt.url);
            warnings.add("mqtt.url", text);
        }
        if mqtt.commands && mqtt.user.is_empty() {
            let text = "orders come from a broker on another machine that asks for no user: whoever reaches it may give them";
            warnings.add("mqtt.commands", text);
        }
    }

    /// Refuses tokens that could be guessed; what cannot be read here is not looked at.
    pub(super) fn check_tokens(&self, warnings: &mut Warnings) {
        let Some(http) = &self.http else { return };
        let files = [
            ("http.token_file", Some(&http.token_file)),
            ("http.metrics_token_file", http.metrics_token_file.as_ref()),
        ];
        for (key, file) in files {
            let Some(file) = file else { continue };
            let Ok(token) = private::read_secret(file) else { continue };
            let token = token.trim();
            if !token.is_empty() && is_short(token) {
                let text = format!(
                    "{0}: the token has less than 64 bits and could be guessed: 'openssl rand -hex 16 > {0}' makes a good one",
                    file.display()
                );
                warnings.add_error(key, text);
            }
        }
    }
}

/// Reads the list of public suffixes; there are none without it.
fn suffixes() -> String {
    let list = fs::File::open(SUFFIXES).and_then(|file| private::bytes_of(file, LONGEST_LIST));
    list.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Returns whether a domain is one of a list of public suffixes: in it, or matched by a rule with an asterisk and by no exception.
fn is_listed(domain: &str, suffixes: &str) -> bool {
    let asterisk = domain.split_once('.').map(|(_, above)| format!("*.{above}"));
    let has = |rule: &str| suffixes.lines().any(|line| line.trim() == rule);
    has(domain) || asterisk.is_some_and(|rule| has(&rule)) && !has(&format!("!{domain}"))
}

/// Returns whether anybody may register a name below a domain, or gets pages there.
fn is_registry(domain: &str, suffixes: &str) -> bool {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    if is_listed(&domain, suffixes) {
        return true;
    }
    match domain.split_once('.') {
        None => true,
        Some((second, country)) => {
            country.len() == 2 && REGISTRIES.contains(&second) || SHARED.contains(&domain.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[track_caller]
    fn check(config: &str, expected: &[&str]) {
        let mut warnings = Warnings::default();
        Config::parse("t", config, &[]).unwrap().check_exposed(&mut warnings);
        let found: Vec<String> = warnings.0.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expected.len(), "{config}: {found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected) && !found.contains("secret"), "{config}: {found}");
        }
    }

    #[test]
    fn what_is_open_to_others_is_warned_of() {
        check("", &[]);
        let origins = |list: &str| format!("[livechess]\norigins = [{list}]");
        check(
            &origins("'null', 'https://*.com', 'https://*.co.uk/'"),
            &["origins 1", "origins 2", "origins 3"],
        );
        check(
            &origins(
                "'https://*.com.', 'https://*.github.io', 'https://*.ne.jp', 'https://*.lichess.org.', 'http://page.example'",
            ),
            &["below .com", "below .github.io", "below .ne.jp", "ends with a dot", "in clear text"],
        );
        check(&origins("'http://localhost:3000'"), &[]);
        check(
            "[livechess]\nlisten = ['10.0.0.7:1982', '127.0.0.1:1982']",
            &["livechess.listen 1: 10.0.0.7:1982 is open to everybody"],
        );
        check(
            "[http]\ntrusted_proxies = ['0.0.0.0/2', '10.0.0.0/8']",
            &["trusted_proxies 1: 0.0.0.0/2 is everybody"],
        );
        check(&origins("'https://*.lichess.org', 'https://*.tornelo.com', 'https://lichess.org'"), &[]);
        check("[mqtt]\nurl = 'mqtt://broker'\nuser = 'a'\npassword_file = '/x'", &["in clear text"]);
        check("[mqtt]\nurl = 'mqtts://broker'\nuser = 'a'\npassword_file = '/x'\ncommands = true", &[]);
        check("[mqtt]\nurl = 'mqtt://localhost'\npassword_file = '/x'\ncommands = true", &[]);
        check(
            "[mqtt]\nurl = 'mqtt://broker'\ncommands = true",
            &["mqtt.commands: orders come from a broker"],
        );
        let way = |url: &str| format!("[[notify]]\nkind = 'gotify'\nurl = '{url}'\ntoken_file = '/x'");
        check(
            &way("http://10.0.0.7/secret"),
            &["notify 1: url: http://10.0.0.7 gets the token in clear text"],
        );
        check(&way("https://10.0.0.7/"), &[]);
        let open = |kind: &str, url: &str| format!("[[notify]]\nkind = '{kind}'\nurl = '{url}'");
        for url in ["http://10.0.0.7/secret", "http://10.0.0.7?token=secret", "http://me:secret@10.0.0.7"] {
            check(&open("webhook", url), &["in clear text"]);
            check(&open("ntfy", url), &["in clear text"]);
        }
        check(&open("webhook", "http://10.0.0.7/"), &[]);
        check(&open("webhook", "http://localhost/secret"), &[]);
        check("[lichess]\nurl = 'http://lichess.example'", &["lichess.url"]);
        check("[public]\nlisten = '0.0.0.0:80'", &["public.listen: 0.0.0.0:80 shows everybody the games"]);
        check("[public]\nlisten = '[::1]:80'", &[]);
        check("[pgn]\ndelay_s = 900\n[public]\nlisten = '0.0.0.0:80'", &[]);
        let services = |list: &str| format!("[http]\npush_services = [{list}]");
        check(
            &services("'https://', 'secret', 'http://10.0.0.7/'"),
            &["services 1: is no address", "services 2", "10.0.0.7"],
        );
        check("[http]\nurl = 'http://hall.example'", &["http.url"]);
        check("[http]\nurl = 'https://me:secret@hall.example'", &["http.url: holds a user"]);
        check(
            &services("'https://*', 'https://['"),
            &["services 1: is no address", "services 2: is no address"],
        );
        check(
            "[pgn]\ndelay_s = 900\n[public]\n[[table]]\nserial = '1'\ndelay_s = 0",
            &["table 1: delay_s: 0 shows everybody"],
        );
    }

    #[test]
    fn the_list_of_public_suffixes_counts_where_there_is_one() {
        let list = "// a remark\ncom\nco.ao\n*.ck\n!www.ck\nplatform.example\n";
        for (domain, expected) in [
            ("platform.example", true),
            ("co.ao", true),
            ("com.", true),
            ("any.ck", true),
            ("www.ck", false),
            ("lichess.org", false),
            ("own.platform.example", false),
        ] {
            assert_eq!(is_registry(domain, list), expected, "{domain}");
        }
        // Without it, the short lists count.
        assert!(is_registry("github.io", "") && !is_registry("platform.example", ""));
    }

    #[test]
    fn tokens_that_could_be_guessed_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        let config = format!("[http]\ntoken_file = '{0}'\nmetrics_token_file = '{0}'", file.display());
        let config = Config::parse("t", &config, &[]).unwrap();
        for (token, expected) in [("4711\n", 2), ("0123456789abcdef\n", 0), ("", 0)] {
            fs::write(&file, token).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            let mut warnings = Warnings::default();
            config.check_tokens(&mut warnings);
            assert_eq!(warnings.0.len(), expected, "{token:?}");
            assert!(warnings.0.iter().all(|warning| warning.is_error && !warning.text.contains("4711")));
        }
    }
}
