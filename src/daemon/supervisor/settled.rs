//! Reads the configuration until its file is as a whole: an editor or a copy may be in the middle of writing it.

use std::{pin::Pin, time::Duration};

use tokio::{task::spawn_blocking, time::sleep};
use tracing::debug;

use super::Reload;
use crate::config::Config;

/// A file that says the same after this is not being written.
const CALM: Duration = Duration::from_millis(500);

/// How often a file is read that says something else each time.
const READINGS: u32 = 20;

/// What has been read, or why it cannot be.
type Outcome = Result<Config, String>;

/// Reads the configuration whenever it is asked to.
pub(super) struct SettledReader {
    reload: Reload,
    reading: Option<Pin<Box<dyn Future<Output = Outcome> + Send>>>,
    /// Whether it was asked again while it was reading.
    again: bool,
}

impl SettledReader {
    pub(super) const fn new(reload: Reload) -> Self {
        Self { reload, reading: None, again: false }
    }

    /// Begins to read, unless that is being done; then it is done once more.
    pub(super) fn ask(&mut self) {
        if self.reading.is_some() {
            self.again = true;
        } else {
            self.reading = Some(Box::pin(settled(self.reload.clone())));
        }
    }

    /// Waits for what was asked for; may be dropped and called again.
    pub(super) async fn outcome(&mut self) -> Outcome {
        let Some(reading) = &mut self.reading else { return std::future::pending().await };
        let outcome = reading.await;
        self.reading = None;
        if std::mem::take(&mut self.again) {
            self.ask();
        }
        outcome
    }
}

/// Reads until two readings in a row are the same.
async fn settled(reload: Reload) -> Outcome {
    let mut last = read(&reload).await;
    for _ in 1..READINGS {
        sleep(CALM).await;
        let next = read(&reload).await;
        if next == last {
            return last;
        }
        debug!("the configuration is being written");
        last = next;
    }
    Err("it is still being written; reload again once it is not".to_owned())
}

async fn read(reload: &Reload) -> Outcome {
    let reload = reload.clone();
    let read = spawn_blocking(move || reload().map_err(|error| error.to_string())).await;
    read.unwrap_or_else(|error| Err(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    const WHOLE: &str = "[[port]]\npath = 'tcp://127.0.0.1:1'";

    /// A reader of a file that says these things one after another, then the last one for ever.
    fn reader(texts: &[&str]) -> SettledReader {
        let mut texts: Vec<String> = texts.iter().rev().map(ToString::to_string).collect();
        let next = move || if texts.len() > 1 { texts.pop().unwrap() } else { texts[0].clone() };
        let next = Mutex::new(next);
        SettledReader::new(Arc::new(move || Config::parse("file", &next.lock().unwrap()(), &[])))
    }

    async fn outcome(texts: &[&str]) -> Result<usize, String> {
        let mut reader = reader(texts);
        reader.ask();
        reader.outcome().await.map(|config| config.listed.len())
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_that_is_being_written_is_read_once_it_is_whole() {
        assert_eq!(outcome(&[WHOLE]).await, Ok(1));
        // Nothing yet, a table without a key, a string without its end.
        assert_eq!(outcome(&["", WHOLE]).await, Ok(1));
        assert_eq!(outcome(&["", "[[port]]", "[[port]]\npath = 'tcp", WHOLE]).await, Ok(1));
        assert!(outcome(&["", "nonsense = 1"]).await.unwrap_err().contains("nonsense"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_that_is_written_without_end_is_not_taken() {
        let texts: Vec<String> = (1..100).map(|round| format!("[event]\nround = {round}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(outcome(&texts).await.unwrap_err().contains("still being written"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_asked_while_it_reads_is_read_afterwards() {
        let mut reader = reader(&["", "", WHOLE]);
        reader.ask();
        reader.ask();
        assert_eq!(reader.outcome().await.map(|config| config.listed.len()), Ok(0));
        assert_eq!(reader.outcome().await.map(|config| config.listed.len()), Ok(1));
        assert!(tokio::time::timeout(CALM * 100, reader.outcome()).await.is_err(), "nobody has asked");
    }
}
