//! Makes captures durable, those of many ports in one go: in a large hall, a call for each file each second would be
//! most of what the program costs.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::sleep,
    time::Duration,
};

use tokio::{
    sync::oneshot::{self, error::TryRecvError},
    task::spawn_blocking,
};
use tracing::warn;

use jadoube_runtime::{append::OpenFile, platform::sync_file_system};

/// How long a file waits for others.
const GATHER: Duration = Duration::from_millis(100);

/// With more files than this, making everything on their file system durable costs less than doing it one by one.
const MANY: usize = 16;

/// Files that are to be made durable; at most one of each port.
#[derive(Debug)]
pub(super) struct Durable(Mutex<Queue>);

#[derive(Debug)]
struct Queue {
    files: Vec<Waiting>,
    /// Whether a thread serves the queue: one for all ports, as a task for each file would cost more than the file.
    is_served: bool,
}

#[derive(Debug)]
struct Waiting {
    file: Arc<OpenFile>,
    done: oneshot::Sender<()>,
}

/// A file that is being made durable. It wakes nobody when it is: a thousand ports have nothing to do then.
#[derive(Debug)]
pub(super) struct Syncing(oneshot::Receiver<()>);

/// Serves the queue, and lets another one do so when it ends in whatever way.
struct Server(Option<&'static Durable>);

impl Durable {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Queue { files: Vec::new(), is_served: false }))
    }

    /// Begins to make a file durable; a disk that cannot is reported by the next write.
    pub(super) fn make(&'static self, file: Arc<OpenFile>) -> Syncing {
        let (done, waits) = oneshot::channel();
        let mut queue = self.queue();
        queue.files.push(Waiting { file, done });
        let is_served = mem::replace(&mut queue.is_served, true);
        drop(queue);
        if !is_served {
            let server = Server(Some(self));
            spawn_blocking(move || server.run());
        }
        Syncing(waits)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Syncing {
    /// Tells whether the file is durable, or cannot be made so.
    pub(super) fn is_over(&mut self) -> bool {
        self.0.try_recv() != Err(TryRecvError::Empty)
    }

    /// Returns when that is so.
    pub(super) async fn over(self) {
        // Nobody answers where the program is about to end.
        self.0.await.unwrap_or_default();
    }
}

impl Server {
    fn run(mut self) {
        loop {
            sleep(GATHER);
            let Some(files) = self.take() else { return };
            sync_all(files);
        }
    }

    /// Takes what waits; ends the service if nothing does.
    fn take(&mut self) -> Option<Vec<Waiting>> {
        let mut queue = self.0?.queue();
        queue.is_served = !queue.files.is_empty();
        if !queue.is_served {
            self.0 = None;
            return None;
        }
        Some(mem::take(&mut queue.files))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(durable) = self.0 {
            durable.queue().is_served = false;
        }
    }
}

fn sync_all(waiting: Vec<Waiting>) {
    let mut by_system = BTreeMap::<Option<u64>, Vec<Waiting>>::new();
    for waiting in waiting {
        by_system.entry(waiting.file.id.map(|id| id.system)).or_default().push(waiting);
    }
    for files in by_system.into_values() {
        sync(&files);
        for waiting in files {
            // A port that has ended does not ask.
            waiting.done.send(()).unwrap_or_default();
        }
    }
}

/// Makes files durable that lie on one file system.
fn sync(files: &[Waiting]) {
    if files.len() > MANY
        && let Some(any) = files.first()
        && sync_file_system(&any.file.file).is_ok()
    {
        return;
    }
    for waiting in files {
        if let Err(error) = waiting.file.file.sync_data() {
            warn!(%error, "cannot make a capture durable");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use jadoube_runtime::append::AppendFile;

    use super::*;

    fn written(directory: &Path, name: &str) -> Arc<OpenFile> {
        let mut file = AppendFile::new(directory.join(name), 64);
        file.append(b"0.1 < 8e\n");
        file.handle().unwrap()
    }

    #[tokio::test]
    async fn whoever_waits_is_told_with_the_others() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let files: Vec<_> =
            (0..3 * MANY).map(|number| written(directory.path(), &number.to_string())).collect();
        let mut waiting: Vec<_> = files.iter().map(|file| DURABLE.make(file.clone())).collect();
        let last = waiting.pop().unwrap();
        // Somebody always comes later; nobody who was there before waits for them.
        let later = DURABLE.make(written(directory.path(), "later"));
        last.over().await;
        assert!(waiting.iter_mut().all(Syncing::is_over));
        later.over().await;
    }

    #[tokio::test]
    async fn all_that_wait_are_taken() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let files = (0..3 * MANY).map(|number| written(directory.path(), &number.to_string()));
        for syncing in files.map(|file| DURABLE.make(file)).collect::<Vec<_>>() {
            syncing.over().await;
        }
        assert!(DURABLE.queue().files.is_empty());
        // Whoever comes later is not forgotten, whether or not the queue is still served.
        DURABLE.make(written(directory.path(), "0")).over().await;
        while DURABLE.queue().is_served {
            tokio::task::yield_now().await;
        }
        let mut syncing = DURABLE.make(written(directory.path(), "1"));
        while !syncing.is_over() {
            tokio::task::yield_now().await;
        }
        assert!(DURABLE.queue().files.is_empty());
    }

    #[test]
    fn one_that_waits_when_the_program_ends_is_made_durable() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let ended = runtime();
        let mut given_up = ended.block_on(async { DURABLE.make(written(directory.path(), "a")) });
        drop(ended);
        runtime().block_on(async { DURABLE.make(written(directory.path(), "b")).over().await });
        assert!(given_up.is_over());
        assert!(DURABLE.queue().files.is_empty());
    }
}
