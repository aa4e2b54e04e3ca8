//! The floor as it is: whatever goes wrong, everything holds.

use std::time::{Duration, Instant};

use punto_drill::{Counters, Plan, drill};
use punto_ledger::Place;
use punto_record::{CommandKind, DeedKind};

fn is_soak() -> bool {
    std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1")
}

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// How long a long run takes: an hour to soak, as `PUNTO_DRILL_SECONDS` says, or as long as this.
fn at_least(seconds: u64) -> Duration {
    let soaks = if is_soak() { 3600 } else { seconds };
    Duration::from_secs(asked("PUNTO_DRILL_SECONDS").unwrap_or(soaks))
}

fn seed() -> u64 {
    asked("PUNTO_DRILL_SEED").unwrap_or(1)
}

fn run(plan: &Plan, keep_going: &mut dyn FnMut(&Counters) -> bool) -> Counters {
    drill(plan, keep_going).unwrap_or_else(|failure| panic!("{failure}\n{}", failure.counters))
}

/// On a machine that is busy with other things the long run takes longer, up to so many steps.
const STEPS: u64 = 400_000;

#[test]
fn every_fault_strikes_and_everything_holds() {
    let began = Instant::now();
    let time = at_least(8);
    let counters = run(&Plan::new(seed()), &mut |so_far| {
        began.elapsed() < time || (!missing(so_far, &["faults"]).is_empty() && so_far.steps < STEPS)
    });
    eprintln!("{counters}\nin {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!(missing(&counters, &["faults"]), [""; 0], "never happened");
}

/// What has not happened yet, of what stands under these headings.
fn missing(counters: &Counters, headings: &[&str]) -> Vec<&'static str> {
    let list = counters.list().into_iter();
    list.filter(|(heading, _, count)| headings.contains(heading) && *count == 0)
        .map(|(_, name, _)| name)
        .collect()
}

/// Deeds of the house that take two people, each of which insiders try in every one of these ways.
const DEEDS: [DeedKind; 9] = [
    DeedKind::TicketPaid,
    DeedKind::TicketVoided,
    DeedKind::FactorResetBegun,
    DeedKind::WitnessChanged,
    DeedKind::OpenedUnwitnessed,
    DeedKind::LossDeclared,
    DeedKind::DeviceEnrolled,
    DeedKind::ClockConfirmed,
    DeedKind::StaffChanged,
];
const WAYS: [&str; 5] = ["alone", "second-not-asked", "junior", "oneself", "signed-for-another"];

/// What is wrong whoever agrees: a reset before its day, a code used twice, a device over somebody's credits, …
const OTHERWISE: [DeedKind; 9] = [
    DeedKind::TicketPaid,
    DeedKind::FactorReset,
    DeedKind::FactorResetStopped,
    DeedKind::FactorEnrolled,
    DeedKind::RecoveryCodesMade,
    DeedKind::SignedIn,
    DeedKind::WitnessConfirmed,
    DeedKind::DeviceEnrolled,
    DeedKind::SoftwareStarted,
];

/// What insiders have not tried yet.
fn untried(counters: &Counters) -> Vec<(&'static str, &'static str)> {
    let deeds = DEEDS.iter().flat_map(|kind| WAYS.map(|way| (kind.id(), way)));
    let otherwise = OTHERWISE.iter().map(|kind| (kind.id(), "otherwise"));
    let drops = ["alone", "oneself", "junior", "second-not-asked"].map(|way| (CommandKind::Drop.id(), way));
    deeds.chain(otherwise).chain(drops).filter(|tried| !counters.tried.contains_key(tried)).collect()
}

#[test]
fn in_a_house_two_people_answer_and_insiders_are_refused_or_named() {
    let began = Instant::now();
    let (time, plan) = (at_least(0), Plan { only_houses: true, ..Plan::new(seed()) });
    let of_house = |so_far: &Counters| missing(so_far, &["the house", "insiders"]);
    let counters = run(&plan, &mut |so_far| {
        let is_left = !of_house(so_far).is_empty() || !untried(so_far).is_empty();
        began.elapsed() < time || (is_left && so_far.steps < STEPS)
    });
    eprintln!("{counters}\nin {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!((of_house(&counters), untried(&counters)), (vec![], vec![]), "never happened");
    // What nobody of standing agreed to is refused by the vault itself; a signature is the auditor's to miss.
    for ((what, how), outcomes) in &counters.tried {
        let is_deed = DEEDS.iter().any(|kind| kind.id() == *what);
        if is_deed && matches!(*how, "alone" | "junior" | "oneself") {
            assert_eq!(outcomes.named, 0, "{what} {how} got past the vault");
        }
    }
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
