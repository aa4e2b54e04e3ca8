//! The floor as it is: whatever goes wrong, everything holds.

use std::time::{Duration, Instant};

use punto_drill::{Counters, Plan, drill};
use punto_ledger::Place;

fn is_soak() -> bool {
    std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1")
}

/// How long the long run takes: a few seconds, an hour to soak, or as `PUNTO_DRILL_SECONDS` says.
fn seconds() -> u64 {
    let asked = std::env::var("PUNTO_DRILL_SECONDS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(if is_soak() { 3600 } else { 8 })
}

fn run(plan: &Plan, keep_going: &mut dyn FnMut(&Counters) -> bool) -> Counters {
    drill(plan, keep_going).unwrap_or_else(|failure| panic!("{failure}\n{}", failure.counters))
}

/// On a machine that is busy with other things the long run takes longer, up to so many steps.
const STEPS: u64 = 400_000;

#[test]
fn every_fault_strikes_and_everything_holds() {
    let began = Instant::now();
    let time = Duration::from_secs(seconds());
    let seed = std::env::var("PUNTO_DRILL_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let counters = run(&Plan::new(seed), &mut |so_far| {
        began.elapsed() < time || (!missing(so_far).is_empty() && so_far.steps < STEPS)
    });
    eprintln!("{counters}\nin {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!(missing(&counters), [""; 0], "never happened");
}

/// Faults and insiders' tries that have not happened yet.
fn missing(counters: &Counters) -> Vec<&'static str> {
    let struck = |heading: &str| heading == "faults" || heading == "insiders";
    let list = counters.list().into_iter();
    list.filter(|(heading, _, count)| struck(heading) && *count == 0).map(|(_, name, _)| name).collect()
}

#[test]
fn a_few_seeds_hold() {
    let seeds = if is_soak() { 200 } else { 6 };
    for seed in 100..100 + seeds {
        let counters = run(&Plan::new(seed), &mut |so_far| so_far.steps < 4_000);
        assert_eq!((counters.nights, counters.full_audits), (1, 1));
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let plan = Plan { steps_a_night: 3_000, ..Plan::new(42) };
    let once = run(&plan, &mut |so_far| so_far.steps < 5_000);
    let again = run(&plan, &mut |so_far| so_far.steps < 5_000);
    assert_eq!(once, again);
    assert!(once.root.is_some());
    let other = run(&Plan { seed: 43, ..plan }, &mut |so_far| so_far.steps < 5_000);
    assert_ne!(once.root, other.root);
}

#[test]
fn a_quiet_floor_has_no_faults() {
    let counters = run(&Plan { trouble: 0, ..Plan::new(3) }, &mut |so_far| so_far.steps < 5_000);
    assert_eq!((counters.restarts, counters.orders_lost, counters.tables_reloaded), (0, 0, 0));
    assert!(counters.rounds_settled > 0, "{counters}");
}

#[test]
fn a_file_holds_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("floor.punto"));
    let counters = run(&Plan { place, ..Plan::new(5) }, &mut |so_far| {
        so_far.steps < 4_000 || (so_far.restarts == 0 && so_far.steps < STEPS)
    });
    assert!(counters.restarts > 0, "{counters}");
}
