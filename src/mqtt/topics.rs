//! Names topics: `dgt/SITE/DAEMON/…`.

use crate::config::{MqttConfig, topic_level};

/// Longest name of a board or an alert that a topic at the broker is taken for ours by, bytes: a board is called by its number or its
/// port.
const LONGEST_LEVEL: usize = 256;

/// The topics of one daemon.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Topics {
    root: String,
}

impl Topics {
    /// Names the topics of a daemon; `machine` is used if the configuration gives it no name.
    pub(crate) fn new(config: &MqttConfig, machine: &str) -> Self {
        let or =
            |text: &str, default: &str| if text.is_empty() { default.to_owned() } else { topic_level(text) };
        let site = or(&config.site, "hall");
        let daemon = or(&config.daemon, &or(&topic_level(machine), "jadoube"));
        Self { root: format!("dgt/{site}/{daemon}") }
    }

    /// Returns what all topics begin with.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    /// Whether the daemon runs; also the last will.
    pub(crate) fn status(&self) -> String {
        format!("{}/status", self.root)
    }

    /// What the daemon is.
    pub(crate) fn info(&self) -> String {
        format!("{}/info", self.root)
    }

    /// Alerts and links as they come.
    pub(crate) fn event(&self) -> String {
        format!("{}/event", self.root)
    }

    /// Something about a board: `availability`, `state`, `game` or `move`.
    pub(crate) fn board(&self, board: &str, what: &str) -> String {
        format!("{}/board/{}/{what}", self.root, topic_level(board))
    }

    /// An alert.
    pub(crate) fn alert(&self, id: &str) -> String {
        format!("{}/alert/{}", self.root, topic_level(id))
    }

    /// What finds all that the broker keeps of ours: every alert, and one topic of each board.
    pub(crate) fn kept(&self) -> [String; 2] {
        [format!("{}/alert/+", self.root), format!("{}/board/+/availability", self.root)]
    }

    /// Returns the topics that the broker keeps with one that [`Topics::kept`] has found; `None` if we would not have named it so.
    pub(crate) fn kept_with(&self, topic: &str) -> Option<Vec<String>> {
        let below = topic.strip_prefix(&self.root)?;
        let is_ours =
            |level: &str| !level.is_empty() && level.len() <= LONGEST_LEVEL && topic_level(level) == level;
        if let Some(id) = below.strip_prefix("/alert/") {
            return is_ours(id).then(|| vec![topic.to_owned()]);
        }
        let board = below.strip_prefix("/board/")?.strip_suffix("/availability")?;
        is_ours(board).then(|| ["availability", "state", "game"].map(|what| self.board(board, what)).to_vec())
    }

    /// All orders.
    pub(crate) fn commands(&self) -> String {
        format!("{}/cmd/+", self.root)
    }

    /// Returns the level of the board that an order's topic names.
    pub(crate) fn commanded<'a>(&self, topic: &'a str) -> Option<&'a str> {
        let board = topic.strip_prefix(&self.root)?.strip_prefix("/cmd/")?;
        (!board.is_empty() && !board.contains('/')).then_some(board)
    }

    /// The answer to an order.
    pub(crate) fn reply(&self, board: &str) -> String {
        format!("{}/cmd/{board}/reply", self.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_named_by_site_and_daemon() {
        let mut config = MqttConfig { site: "hall-a".to_owned(), ..MqttConfig::default() };
        let topics = Topics::new(&config, "Pi.Local");
        assert_eq!(topics.status(), "dgt/hall-a/pi-local/status");
        assert_eq!(topics.board("/dev/ttyACM0", "state"), "dgt/hall-a/pi-local/board/dev-ttyacm0/state");
        assert_eq!(topics.commanded("dgt/hall-a/pi-local/cmd/23946"), Some("23946"));
        assert_eq!(topics.commanded("dgt/hall-a/pi-local/cmd/23946/reply"), None);
        assert_eq!(topics.commanded("dgt/hall-b/pi-local/cmd/23946"), None);
        assert_eq!(topics.kept_with("dgt/hall-a/pi-local/alert/1-2"), Some(vec![topics.alert("1-2")]));
        let of_board = ["availability", "state", "game"].map(|what| topics.board("7", what)).to_vec();
        assert_eq!(topics.kept_with("dgt/hall-a/pi-local/board/7/availability"), Some(of_board));
        for strange in [
            "dgt/hall-a/pi-local-2/alert/1-2",
            "dgt/hall-b/pi-local/alert/1-2",
            "dgt/hall-a/pi-local/alert/",
            "dgt/hall-a/pi-local/alert/1/2",
            "dgt/hall-a/pi-local/alert/A",
            "dgt/hall-a/pi-local/board/7/8/availability",
            "dgt/hall-a/pi-local/cmd/7",
            "dgt/hall-a/pi-local/status",
            &format!("dgt/hall-a/pi-local/alert/{}", "1".repeat(LONGEST_LEVEL + 1)),
            &format!("dgt/hall-a/pi-local/board/{}/availability", "1".repeat(LONGEST_LEVEL + 1)),
        ] {
            assert_eq!(topics.kept_with(strange), None, "{strange}");
        }
        (config.daemon, config.site) = ("north".to_owned(), String::new());
        assert_eq!(Topics::new(&config, "").root(), "dgt/hall/north");
        config.daemon.clear();
        assert_eq!(Topics::new(&config, "").root(), "dgt/hall/jadoube");
    }
}
