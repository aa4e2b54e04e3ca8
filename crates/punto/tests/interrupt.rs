//! Ctrl-C during a simulation: what was done is kept and reported.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether the process has a handler of its own for SIGINT by now.
fn catches_interrupts(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 0b10 != 0
}

#[test]
fn an_interrupted_simulation_reports_what_was_done() {
    let child = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["simulate", "ncb-etg", "--rounds", "1000000000000", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while !catches_interrupts(child.id()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    let output = child.wait_with_output().expect("our child");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("stopped"), "{said}");
    // Stopped before its first block it has nothing to report, and says so by its exit code.
    match output.status.code() {
        Some(0) => {
            let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let rounds = json["rounds"].as_u64().expect("a number");
            assert!(rounds > 0 && rounds < 1_000_000_000_000, "{rounds}");
            let bet = &json["bets"][0];
            let parts = ["won", "lost", "returned"].map(|part| bet[part].as_u64().expect("a number"));
            assert_eq!(parts.iter().sum::<u64>(), rounds, "the Rounds that are reported were all counted");
        }
        code => assert_eq!((code, output.stdout.len()), (Some(1), 0)),
    }
}
