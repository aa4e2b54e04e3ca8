//! Runs the real binary.

#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// What a run of `punto` answered.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// As one text, for snapshots.
    pub fn page(&self) -> String {
        let part = |name: &str, text: &str| {
            if text.is_empty() { String::new() } else { format!("---- {name}\n{}\n", text.trim_end()) }
        };
        format!("exit {}\n{}{}", self.code, part("stdout", &self.stdout), part("stderr", &self.stderr))
    }

    /// The standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.page()))
    }

    /// The standard output as NDJSON.
    pub fn lines(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }
}

/// The folder with the tests' own rule books, from which commands run so that messages name short paths.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Runs `punto` with these words and this standard input.
pub fn punto_with(args: &[&str], stdin: &str) -> Run {
    let output = Command::cargo_bin("punto")
        .expect("the binary is built")
        .current_dir(data())
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .args(args)
        .write_stdin(stdin)
        .output()
        .expect("it runs");
    Run {
        code: output.status.code().expect("it exits"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs `punto` with these words.
pub fn punto(args: &[&str]) -> Run {
    punto_with(args, "")
}
