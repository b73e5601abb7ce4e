//! Sends one push.

use std::time::Duration;

use ureq::Agent;

use super::answer::{self, PushOutcome};
use crate::config::LichessConfig;
use jadoube_runtime::private;

/// How long a push may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Longest answer that is read, bytes.
const LONGEST: u64 = 1 << 20;

/// Sends the games and returns what came of it.
pub(super) fn send(config: &LichessConfig, games: &str) -> PushOutcome {
    // Read every time, so that a token can be replaced without a restart.
    let token = match private::read_secret(&config.token_file) {
        Ok(token) => token.trim().to_owned(),
        Err(error) => return PushOutcome::Refused(0, format!("{}: {error}", config.token_file.display())),
    };
    // Redirects would carry the token elsewhere.
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(LIMIT))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent(user_agent(config))
        .build()
        .into();
    let request = agent.post(config.address());
    let request = request.header("authorization", format!("Bearer {token}")).content_type("text/plain");
    let mut response = match request.send(games) {
        Ok(response) => response,
        Err(error) => return PushOutcome::Unreachable(config.url.hide(&error.to_string())),
    };
    let retry_after =
        response.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
    match response.body_mut().with_config().limit(LONGEST).read_to_string() {
        Ok(body) => answer::read(response.status().as_u16(), retry_after.as_deref(), &body),
        Err(error) => PushOutcome::Unreachable(config.url.hide(&error.to_string())),
    }
}

fn user_agent(config: &LichessConfig) -> String {
    let plain = concat!("jadoube/", env!("CARGO_PKG_VERSION"));
    if config.user.is_empty() { plain.to_owned() } else { format!("{plain} as:{}", config.user) }
}
