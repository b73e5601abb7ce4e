//! The counts of `tests/run` and `tests/lib.sh`, for outputs of test runners and for generated steps.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

#[test]
fn a_failure_of_nextest_counts_once() {
    let output = "\
running 1 test
test hub::orders_go_back ... FAILED
test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 137 filtered out; finished in 0.01s
────────────
     Summary [   0.860s] 17 tests run: 15 passed (1 slow), 1 failed, 1 timed out, 121 skipped
";
    check_counts(output, "15 2 0");
}

#[test]
fn other_runners_are_counted() {
    check_counts(
        "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n",
        "4 2 1",
    );
    check_counts("==== 5 passed, 1 failed, 2 skipped in 0.12s ====\n", "5 1 2");
    check_counts("# pass 7\n# fail 1\n# skipped 0\n", "7 1 0");
    check_counts("Ran 4 tests in 0.1s\n\nOK\n", "4 0 0");
    check_counts("nothing\n", "0 0 0");
}

#[test]
fn rounds_are_added_up() {
    let tree = tree("passed 2 'good'\n");
    let (status, text) = run(tree.path(), &["--repeat", "3"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("round 3 of 3"), "{text}");
    assert!(text.ends_with("6 passed, 0 failed, 0 skipped\n"), "{text}");
    let logs = tree.path().join("target/test-steps");
    assert!(logs.join("10-one.log").exists() && logs.join("10-one.3.log").exists());
}

#[test]
fn one_round_that_fails_is_enough() {
    let tree = tree(
        "if [[ -e $ROOT/again ]]; then failed 'the second time'; else touch \"$ROOT/again\"; passed 1 'at first'; fi\n",
    );
    let (status, text) = run(tree.path(), &["--repeat", "2"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.ends_with("1 passed, 1 failed, 0 skipped\n"), "{text}");
}

#[test]
fn steps_can_be_left_out() {
    let tree = tree("passed 1 'good'\n");
    fs::copy(tree.path().join("tests/steps/10-one.sh"), tree.path().join("tests/steps/20-two.sh")).unwrap();
    let (status, text) = run(tree.path(), &["--without", "none"]);
    assert_eq!(status, 64, "{text}");
    let (status, text) = run(tree.path(), &["--without", "two"]);
    assert!(status == 0 && text.ends_with("1 passed, 0 failed, 0 skipped\n"), "{text}");
}

#[test]
fn the_load_ends_with_the_run() {
    // The step records the children of the process that runs it: the step and the loops.
    let step = "\
runner=$(awk '/^PPid:/ { print $2 }' \"/proc/$PPID/status\")
{ grep -lE \"^PPid:\\s+$runner$\" /proc/[0-9]*/status 2>/dev/null || true; } | cut -d/ -f3 >\"$ROOT/children\"
passed 1 'good'
";
    let tree = tree(step);
    let (status, text) = run(tree.path(), &["--under-load"]);
    assert_eq!(status, 0, "{text}");
    let children = fs::read_to_string(tree.path().join("children")).unwrap();
    let children: Vec<&str> = children.split_whitespace().collect();
    assert!(children.len() >= 3, "two loops and the step, not {children:?}: {text}");
    // The path distinguishes a loop from another process with the same, reused id.
    let name = tree.path().display().to_string();
    let is_there = |pid: &&&str| {
        let command = fs::read(Path::new("/proc").join(pid).join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(&name)
    };
    let left: Vec<&&str> = children.iter().filter(is_there).collect();
    assert!(left.is_empty(), "{left:?} are still there: {text}");
}

#[test]
fn a_step_runs_beside_those_after_the_first() {
    let waits = "\
[[ -e $ROOT/begun ]]
for _ in {1..600}; do if [[ -e $ROOT/later ]]; then break; fi; sleep 0.1; done
if [[ -e $ROOT/later ]]; then passed 2 'together'; else failed 'alone'; fi
";
    let tree = tree("touch \"$ROOT/begun\"; passed 1 'first'\n");
    add_step(tree.path(), "20-waits", waits);
    add_step(tree.path(), "30-later", "touch \"$ROOT/later\"; passed 4 'later'\n");
    let (status, text) = run(tree.path(), &["--beside", "waits"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.ends_with("7 passed, 0 failed, 0 skipped\n"), "{text}");
    let places = ["one", "later", "waits"].map(|name| text.find(name));
    assert!(places.is_sorted(), "its results come last: {text}");
    let (status, text) = run(tree.path(), &["--beside", "nothing"]);
    assert_eq!(status, 64, "{text}");
}

#[test]
fn lanes_run_in_parallel_and_their_steps_in_order() {
    // Each of the two lanes begins with a step that waits for the one of the other. `last` has to wait for `left` only: nobody knows
    // when `right` looks.
    let meets = |own: &str, other: &str| {
        format!(
            "touch \"$ROOT/{own}\"\nfor _ in {{1..600}}; do if [[ -e $ROOT/{other} ]]; then break; fi; sleep 0.1; done\n\
             if [[ -e $ROOT/{other} ]]; then passed 1 'together'; else failed 'alone'; fi\ntouch \"$ROOT/{own}-over\"\n"
        )
    };
    let tree = tree("passed 1 'first'\n");
    add_step(tree.path(), "20-left", &meets("left", "right"));
    add_step(tree.path(), "30-right", &meets("right", "left"));
    add_step(
        tree.path(),
        "40-last",
        "if [[ -e $ROOT/left-over ]]; then passed 1 'after'; else failed 'before'; fi\n",
    );
    let (status, text) = run(tree.path(), &["--beside", "left,last", "--beside", "right"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.ends_with("4 passed, 0 failed, 0 skipped\n"), "{text}");
    let (status, text) = run(tree.path(), &["left", "right", "--beside", "left", "--beside", "nothing"]);
    assert_eq!(status, 64, "{text}");
    // Alone it has nobody to run beside.
    let (status, text) = run(tree.path(), &["last", "--beside", "last"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.ends_with("1 passed, 0 failed, 0 skipped\n"), "{text}");
}

#[test]
fn what_fails_beside_the_others_fails_the_run() {
    let tree = tree("passed 1 'first'\n");
    add_step(tree.path(), "20-bad", "failed 'bad'; passed 1 'good'\n");
    add_step(tree.path(), "30-later", "passed 1 'later'\n");
    let (status, text) = run(tree.path(), &["--beside", "bad"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.ends_with("3 passed, 1 failed, 0 skipped\n"), "{text}");
}

#[test]
fn a_wrong_number_of_rounds_is_refused() {
    for wrong in ["0", "-1", "x", ""] {
        let (status, text) = run(tree("").path(), &["--repeat", wrong]);
        assert_eq!(status, 64, "--repeat {wrong}: {text}");
    }
}

#[track_caller]
fn check_counts(output: &str, expected: &str) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("output");
    fs::write(&path, output).unwrap();
    let counts = Command::new("bash")
        .args(["-c", "source tests/lib.sh && counts \"$1\"", "_"])
        .arg(&path)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", dir.path().join("target"))
        .output()
        .unwrap();
    assert!(counts.status.success(), "{}", String::from_utf8_lossy(&counts.stderr));
    assert_eq!(String::from_utf8(counts.stdout).unwrap().trim(), expected, "{output}");
}

/// Makes a tree with the runner and one step.
fn tree(step: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    let tests = dir.path().join("tests");
    fs::create_dir_all(tests.join("steps")).unwrap();
    for file in ["run", "lib.sh"] {
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file), tests.join(file)).unwrap();
    }
    add_step(dir.path(), "10-one", step);
    dir
}

/// Adds a step to a tree.
fn add_step(tree: &Path, name: &str, step: &str) {
    let head = "source \"$(dirname \"$0\")/../lib.sh\"\n";
    fs::write(tree.join("tests/steps").join(name).with_extension("sh"), format!("{head}{step}")).unwrap();
}

/// Runs the runner of a tree; returns its exit status and all that it printed.
fn run(tree: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(tree.join("tests/run"))
        .args(args)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CI")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}
