#![allow(dead_code, unreachable_pub)]
//! How much the randomised tests do, and the one way in which they are run: seeded, so that what fails once fails
//! again. `PUNTO_SOAK=1` asks for the large counts.
//!
//! Included by several test binaries with `mod scale;`, none of which needs all of it.

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// `soak` when a long run was asked for, else `test`.
pub fn scale(test: u32, soak: u32) -> u32 {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { soak } else { test }
}

/// Says on the record how many cases a randomised test ran.
pub fn says(name: &str, cases: u32) {
    eprintln!("soak: {name}: {cases} cases");
}

/// Runs `test` on so many values of the strategy, always the same ones, and shrinks what fails.
pub fn check<S: Strategy>(name: &str, cases: u32, strategy: S, test: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, b"punto: the same cases every time");
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    says(name, cases);
    if let Err(failure) = result {
        panic!("{name}: {failure}");
    }
}
