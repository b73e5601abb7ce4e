//! Sends one notification, in the form that the other side wants.

use std::{
    io::ErrorKind,
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

use serde_json::json;
use thiserror::Error;
use ureq::{Agent, AsSendBody};

use super::message::{self, Notification};
use crate::config::{ConfigUrl, NotifyConfig, NotifyKind};
use jadoube_runtime::private;

/// How long a server or a program may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Why a notification was not taken.
#[derive(Debug, Error)]
pub(super) enum SendError {
    /// It may be taken later.
    #[error("{0}")]
    Later(String),
    /// It will not be taken.
    #[error("{0}")]
    Refused(String),
    /// Nobody is there any more.
    #[error("{0}")]
    Gone(String),
}

/// Sends a notification.
pub(super) fn send(channel: &NotifyConfig, message: &Notification) -> Result<(), SendError> {
    match channel.kind {
        NotifyKind::Ntfy => {
            let priority =
                ["2", "4", "5"].get(usize::from(message.severity.urgency())).copied().unwrap_or("3");
            let mut headers = vec![("title", encoded(&message.title)), ("priority", priority.to_owned())];
            if !message.link.is_empty() {
                headers.push(("click", message.link.clone()));
            }
            headers.extend(token(channel)?.map(|token| ("authorization", format!("Bearer {token}"))));
            post(&channel.url, channel.url.base(), &headers, message.text.as_str())
        }
        NotifyKind::Gotify => {
            let priority = [2, 5, 8].get(usize::from(message.severity.urgency())).copied().unwrap_or(5);
            let body = json!({
                "title": message.title,
                "message": message.text,
                "priority": priority,
                "extras": { "client::notification": { "click": { "url": message.link } } },
            });
            let mut headers = vec![("content-type", "application/json".to_owned())];
            headers.extend(token(channel)?.map(|token| ("x-gotify-key", token)));
            post(
                &channel.url,
                &format!("{}/message", channel.url.base()),
                &headers,
                body.to_string().as_str(),
            )
        }
        NotifyKind::Webhook => {
            let body = match &channel.template {
                Some(template) => message.fill(template, message::json),
                None => json!(message).to_string(),
            };
            let mut headers = vec![("content-type", "application/json".to_owned())];
            headers.extend(token(channel)?.map(|token| ("authorization", format!("Bearer {token}"))));
            post(&channel.url, channel.url.secret(), &headers, body.as_str())
        }
        NotifyKind::Command => run(&channel.command, message),
    }
}

/// Reads the token, every time, so that it can be replaced without a restart.
fn token(channel: &NotifyConfig) -> Result<Option<String>, SendError> {
    let Some(file) = &channel.token_file else { return Ok(None) };
    let text = private::read_secret(file);
    let text = text.map_err(|error| SendError::Refused(format!("{}: {error}", file.display())))?;
    Ok(Some(text.trim().to_owned()))
}

/// Sends a request to an address, which `shown` stands for in messages.
pub(super) fn post(
    shown: &ConfigUrl,
    address: &str,
    headers: &[(&str, String)],
    body: impl AsSendBody,
) -> Result<(), SendError> {
    // Redirects would carry the token elsewhere.
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(LIMIT))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .build()
        .into();
    let mut request = agent.post(address);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let answer = request
        .send(body)
        .map_err(|error| SendError::Later(format!("{shown}: {}", shown.hide(&error.to_string()))))?;
    let status = answer.status();
    if status.is_success() {
        return Ok(());
    }
    let reason = format!("{shown}: answers with {status}");
    if matches!(status.as_u16(), 404 | 410) {
        return Err(SendError::Gone(reason));
    }
    // Too many, or not at present.
    if status.as_u16() == 429 || status.is_server_error() {
        Err(SendError::Later(reason))
    } else {
        Err(SendError::Refused(reason))
    }
}

/// Runs a program without a shell; one that takes too long is ended.
fn run(command: &[String], message: &Notification) -> Result<(), SendError> {
    let mut words = command.iter().map(|word| message.fill(word, str::to_owned));
    let program = words.next().unwrap_or_default();
    let shown = shown(&program);
    let mut child = Command::new(&program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| {
            let hint = if program.contains(char::is_whitespace) {
                "; each argument is an entry of its own: command = [\"program\", \"argument\"]"
            } else {
                ""
            };
            let reason = format!("{shown}: {error}{hint}");
            if error.kind() == ErrorKind::WouldBlock {
                SendError::Later(reason)
            } else {
                SendError::Refused(reason)
            }
        })?;
    let mut waited = Duration::ZERO;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(SendError::Refused(format!("{shown}: {status}"))),
            Ok(None) if waited < LIMIT => {
                sleep(LOOK);
                waited += LOOK;
            }
            Ok(None) => {
                let ended = child.kill().and_then(|()| child.wait());
                let reason = ended
                    .map_or_else(|error| error.to_string(), |_| "took too long and was ended".to_owned());
                return Err(SendError::Refused(format!("{shown}: {reason}")));
            }
            Err(error) => return Err(SendError::Refused(format!("{shown}: {error}"))),
        }
    }
}

/// Returns what messages call a program: the name of its file. Whoever has written arguments beside it may have written a secret.
fn shown(program: &str) -> &str {
    let path = program.split_whitespace().next().unwrap_or_default();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '_' | '+');
    if !name.is_empty() && !path.contains("://") && name.chars().all(is_plain) { name } else { "the program" }
}

/// Writes what is not printable ASCII as ntfy reads it in a header: as an encoded word (RFC 2047).
fn encoded(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    let words = text
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("={byte:02X}") });
    format!("=?UTF-8?Q?{}?=", words.collect::<Vec<_>>().concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_command_only_the_program_is_said() {
        for (command, expected) in [
            ("/usr/bin/sms", "sms"),
            ("curl -H secret https://h/secret", "curl"),
            ("/usr/bin/curl https://h/secret", "curl"),
            ("https://h/secret", "the program"),
            ("TOKEN=secret curl", "the program"),
            ("", "the program"),
        ] {
            assert_eq!(shown(command), expected, "{command}");
        }
    }

    #[test]
    fn headers_are_ascii() {
        assert_eq!(encoded("Table 7"), "Table 7");
        assert_eq!(encoded("Weiß – x"), "=?UTF-8?Q?Wei=C3=9F=20=E2=80=93=20x?=");
        assert_eq!(encoded("A\nB"), "=?UTF-8?Q?A=0AB?=");
    }
}
