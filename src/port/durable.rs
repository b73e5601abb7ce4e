//! Makes captures durable, those of many ports in one go: in a large hall, a call for each file each second would be
//! most of what the program costs.
//!
//! A port says once in a round that its file has something new, and need not come back when the round is over: no timer wakes a
//! port for its disk.

use std::{
    collections::BTreeMap,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::sleep,
    time::Duration,
};

use tokio::{sync::oneshot, task::spawn_blocking};
use tracing::warn;

use jadoube_runtime::{append::OpenFile, platform::sync_file_system};

/// How long a file waits for others at least.
const GATHER: Duration = Duration::from_millis(100);

/// How many times that at most, together a second.
const ROUND: u32 = 10;

/// With more files than this, making everything on their file system durable costs less than doing it one by one.
const MANY: usize = 16;

/// How soon a file is to be made durable.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Urgency {
    /// Within a second.
    Second,
    /// At once, unless so many files wait that a second of all costs less.
    Soon,
    /// At once: somebody waits for it.
    Now,
}

/// Files that are to be made durable.
#[derive(Debug)]
pub(super) struct Durable {
    queue: Mutex<Queue>,
    /// Number of the round that gathers files; raised before they are taken.
    round: AtomicU64,
}

#[derive(Debug)]
struct Queue {
    files: Vec<Waiting>,
    /// Whether a thread serves the queue: one for all ports, as a task for each file would cost more than the file.
    is_served: bool,
}

#[derive(Debug)]
struct Waiting {
    file: Arc<OpenFile>,
    urgency: Urgency,
    done: Option<oneshot::Sender<()>>,
}

/// A file that is to be made durable in a round.
#[derive(Debug)]
pub(super) struct Syncing {
    durable: &'static Durable,
    file: Arc<OpenFile>,
    urgency: Urgency,
    round: u64,
}

/// Serves the queue, and lets another one do so when it ends in whatever way.
struct Server(Option<&'static Durable>);

impl Durable {
    pub(super) const fn new() -> Self {
        Self { queue: Mutex::new(Queue { files: Vec::new(), is_served: false }), round: AtomicU64::new(0) }
    }

    /// Begins to make a file durable; a disk that cannot is reported by the next write.
    pub(super) fn make(&'static self, file: Arc<OpenFile>, urgency: Urgency) -> Syncing {
        let round = self.add(Waiting { file: file.clone(), urgency, done: None });
        Syncing { durable: self, file, urgency, round }
    }

    /// Returns when a file is durable, or cannot be made so.
    pub(super) async fn make_now(&'static self, file: Arc<OpenFile>) {
        let (done, waits) = oneshot::channel();
        self.add(Waiting { file, urgency: Urgency::Now, done: Some(done) });
        // Nobody answers where the program is about to end.
        waits.await.unwrap_or_default();
    }

    /// Lets a file wait; returns the round that takes it.
    fn add(&'static self, waiting: Waiting) -> u64 {
        let mut queue = self.queue();
        queue.files.push(waiting);
        let round = self.round.load(Ordering::SeqCst);
        let is_served = mem::replace(&mut queue.is_served, true);
        drop(queue);
        if !is_served {
            let server = Server(Some(self));
            spawn_blocking(move || server.run());
        }
        round
    }

    /// Writes nothing to the disk from now on, as a disk that hangs does, or goes on.
    #[cfg(test)]
    pub(super) fn hang(&self, hangs: bool) {
        // Whoever serves the queue comes to an end first.
        while hangs && self.queue().is_served {
            sleep(Duration::from_millis(1));
        }
        self.queue().is_served = hangs;
    }

    /// Returns whether what waits may wait for more.
    fn gathers(&self) -> bool {
        let queue = self.queue();
        match queue.files.iter().map(|waiting| waiting.urgency).max() {
            None | Some(Urgency::Now) => false,
            Some(Urgency::Soon) => queue.files.len() > MANY,
            Some(Urgency::Second) => true,
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Syncing {
    /// Returns whether what has just been written to a file becomes durable with this, as soon as it has to.
    pub(super) fn covers(&self, file: &Arc<OpenFile>, urgency: Urgency) -> bool {
        self.round == self.durable.round.load(Ordering::SeqCst)
            && self.urgency >= urgency
            && Arc::ptr_eq(&self.file, file)
    }
}

impl Server {
    fn run(mut self) {
        while let Some(durable) = self.0 {
            let mut rest = ROUND;
            loop {
                sleep(GATHER);
                rest -= 1;
                if rest == 0 || !durable.gathers() {
                    break;
                }
            }
            sync_all(self.take());
        }
    }

    /// Handles what waits; ends the service if nothing does.
    fn take(&mut self) -> Vec<Waiting> {
        let Some(durable) = self.0 else { return Vec::new() };
        let mut queue = durable.queue();
        // Whoever has written before sees this, or has written what is synchronised now.
        durable.round.fetch_add(1, Ordering::SeqCst);
        queue.is_served = !queue.files.is_empty();
        if !queue.is_served {
            self.0 = None;
        }
        mem::take(&mut queue.files)
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
        for done in files.into_iter().filter_map(|waiting| waiting.done) {
            // A port that has ended does not ask.
            done.send(()).unwrap_or_default();
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
        file.handle().unwrap().clone()
    }

    #[tokio::test]
    async fn whoever_waits_is_reported_with_the_others() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let files: Vec<_> =
            (0..3 * MANY).map(|number| written(directory.path(), &number.to_string())).collect();
        DURABLE.hang(true);
        let waiting: Vec<_> = files.iter().map(|file| DURABLE.make(file.clone(), Urgency::Second)).collect();
        assert!(files.iter().zip(&waiting).all(|(file, syncing)| syncing.covers(file, Urgency::Second)));
        // Somebody who cannot wait takes them along.
        DURABLE.hang(false);
        DURABLE.make_now(written(directory.path(), "now")).await;
        assert!(!files.iter().zip(&waiting).any(|(file, syncing)| syncing.covers(file, Urgency::Second)));
        DURABLE.make_now(written(directory.path(), "later")).await;
    }

    #[tokio::test]
    async fn only_what_waits_in_time_covers_what_is_written_to_a_file() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (written(directory.path(), "one"), written(directory.path(), "other"));
        // No round is over before all has been looked at.
        DURABLE.hang(true);
        let syncing = DURABLE.make(one.clone(), Urgency::Second);
        assert!(syncing.covers(&one, Urgency::Second));
        assert!(!syncing.covers(&one, Urgency::Soon), "a move does not wait so long");
        assert!(!syncing.covers(&other, Urgency::Second), "the next game has another file");
        let soon = DURABLE.make(one.clone(), Urgency::Soon);
        assert!(soon.covers(&one, Urgency::Soon) && soon.covers(&one, Urgency::Second));
    }

    #[test]
    fn moves_wait_for_others_only_where_many_do() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        let file = written(directory.path(), "a");
        let wait = |urgency| {
            DURABLE.queue().files.push(Waiting { file: file.clone(), urgency, done: None });
            DURABLE.gathers()
        };
        assert!(!DURABLE.gathers());
        assert!((1..MANY).all(|_| wait(Urgency::Second)));
        assert!(!wait(Urgency::Soon));
        assert!(wait(Urgency::Second));
        assert!(!wait(Urgency::Now));
    }

    #[tokio::test]
    async fn all_that_wait_are_taken() {
        static DURABLE: Durable = Durable::new();
        let directory = tempfile::tempdir().unwrap();
        for number in 0..3 * MANY {
            DURABLE.make(written(directory.path(), &number.to_string()), Urgency::Soon);
        }
        DURABLE.make_now(written(directory.path(), "now")).await;
        assert!(DURABLE.queue().files.is_empty());
        // Whoever comes later is not forgotten, whether or not the queue is still served.
        DURABLE.make_now(written(directory.path(), "0")).await;
        while DURABLE.queue().is_served {
            tokio::task::yield_now().await;
        }
        let late = written(directory.path(), "1");
        let syncing = DURABLE.make(late.clone(), Urgency::Second);
        while syncing.covers(&late, Urgency::Second) {
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
        let file = written(directory.path(), "a");
        let given_up = ended.block_on(async { DURABLE.make(file.clone(), Urgency::Second) });
        drop(ended);
        runtime().block_on(DURABLE.make_now(written(directory.path(), "b")));
        assert!(!given_up.covers(&file, Urgency::Second));
        assert!(DURABLE.queue().files.is_empty());
    }
}
