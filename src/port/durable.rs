//! Makes captures durable, those of many ports in one go: in a large hall, a call for each file each second would be
//! most of what the program costs.

use std::{
    collections::BTreeMap,
    fs::File,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Mutex as Turn, task::spawn_blocking, time::sleep};
use tracing::warn;

use jadoube_runtime::platform::{file_id, sync_file_system};

/// How long a file waits for others.
const GATHER: Duration = Duration::from_millis(100);

/// With more files than this, making everything on their file system durable costs less than doing it one by one.
const MANY: usize = 16;

/// Files that are to be made durable; at most one of each port.
#[derive(Debug)]
pub(super) struct Durable {
    waiting: Mutex<Vec<File>>,
    turn: Turn<()>,
}

impl Durable {
    pub(super) const fn new() -> Self {
        Self { waiting: Mutex::new(Vec::new()), turn: Turn::const_new(()) }
    }

    /// Returns when the file is durable; a disk that cannot is reported by the next write.
    pub(super) async fn make(&self, file: File) {
        self.waiting().push(file);
        // Whoever has the turn takes all that wait along, perhaps this one.
        let _turn = self.turn.lock().await;
        if self.waiting().is_empty() {
            return;
        }
        sleep(GATHER).await;
        let files = mem::take(&mut *self.waiting());
        if let Err(error) = spawn_blocking(move || sync_all(files)).await {
            warn!(%error, "making captures durable failed");
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<File>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sync_all(files: Vec<File>) {
    let mut by_system = BTreeMap::<Option<u64>, Vec<File>>::new();
    for file in files {
        by_system
            .entry(file.metadata().ok().and_then(|meta| file_id(&meta)).map(|id| id.system))
            .or_default()
            .push(file);
    }
    for files in by_system.values() {
        sync(files);
    }
}

/// Makes files durable that lie on one file system.
fn sync(files: &[File]) {
    if files.len() > MANY
        && let Some(any) = files.first()
        && sync_file_system(any).is_ok()
    {
        return;
    }
    for file in files {
        if let Err(error) = file.sync_data() {
            warn!(%error, "cannot make a capture durable");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Arc};

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn all_that_wait_are_taken() {
        let directory = tempfile::tempdir().unwrap();
        let durable = Arc::new(Durable::new());
        let mut tasks = JoinSet::new();
        for number in 0..3 * MANY {
            let mut file = File::create(directory.path().join(number.to_string())).unwrap();
            file.write_all(b"0.1 < 8e\n").unwrap();
            let durable = durable.clone();
            tasks.spawn(async move { durable.make(file).await });
        }
        tasks.join_all().await;
        assert!(durable.waiting.lock().unwrap().is_empty());
        // Whoever comes later is not forgotten.
        durable.make(File::open(directory.path().join("0")).unwrap()).await;
        assert!(durable.waiting.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn one_that_is_given_up_is_taken_along_by_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let durable = Arc::new(Durable::new());
        let file = |name: &str| File::create(directory.path().join(name)).unwrap();
        let mut tasks = JoinSet::new();
        let (first, given_up) = (durable.clone(), file("a"));
        tasks.spawn(async move { first.make(given_up).await });
        tokio::task::yield_now().await;
        tasks.abort_all();
        while tasks.join_next().await.is_some() {}
        durable.make(file("b")).await;
        assert!(durable.waiting.lock().unwrap().is_empty());
    }
}
