//! Two things go wrong in one Round: every pair of irregularities, at every moment, with a few steps between them.
//!
//! Whatever the pair, the table finds its way to the end of the Round and through the next one, and its record has no
//! finding, the post-conditions of the interpretations included. A stuck table and a wrong cent would both show here.
//! `PUNTO_SOAK=1` tries all of them; otherwise one in 97, always the same ones.

use crate::ledger;
#[path = "combinations/driver.rs"]
mod driver;
#[path = "combinations/trouble.rs"]
mod trouble;

use std::collections::BTreeSet;

use crate::scale::{says, scale};
use driver::{Driver, TABLES, Variant};
use punto_audit::Inputs;
use trouble::Trouble;

/// Where the first thing goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Bets are open, with several boxes and, on chips, one over the Differential.
    Betting,
    /// So many cards are out.
    Cards(usize),
    /// The Hands are complete.
    Complete,
    /// The Round is settled.
    Settled,
    /// It is settled, and everybody who can has cashed out.
    CashedOut,
    /// The next Round has commenced.
    NextRound,
}

const MOMENTS: [Moment; 10] = [
    Moment::Betting,
    Moment::Cards(0),
    Moment::Cards(1),
    Moment::Cards(2),
    Moment::Cards(3),
    Moment::Cards(4),
    Moment::Complete,
    Moment::Settled,
    Moment::CashedOut,
    Moment::NextRound,
];

/// The most steps from the first trouble to its ruling, the choices and the cards after them.
const STEPS_BETWEEN: usize = 5;

fn brought_to(variant: &Variant, moment: Moment, prefer: usize) -> Option<Driver> {
    let mut driver = Driver::opened(variant, prefer);
    let reached = match moment {
        Moment::Betting => driver.until(|it| it.has_bets()),
        Moment::Cards(count) => driver.until(|it| it.is_dealing() && it.cards_out() == count),
        Moment::Complete => driver.until(|it| it.is_confirming()),
        Moment::Settled | Moment::CashedOut => driver.until(|it| it.is_over(1)),
        Moment::NextRound => driver.until(|it| it.is_over(1)) && driver.until(|it| it.has_bets()),
    };
    if moment == Moment::CashedOut {
        driver.cash_out();
    }
    reached.then_some(driver)
}

/// What went wrong with a pair.
struct Wrong {
    what: String,
    why: String,
}

fn finish(mut driver: Driver, what: &dyn Fn() -> String) -> Result<(), Wrong> {
    let first = driver.rounds();
    // The Round ends, and another is played from what it left behind.
    if !driver.until(|it| it.is_over(first + 1)) {
        return Err(Wrong { what: what(), why: format!("stuck: {}", driver.whereabouts()) });
    }
    let mut audit = driver.ledger.audit_entries_with(Inputs { strict: true, ..Inputs::default() });
    let made_up = [punto_audit::FindingKind::TicketNotGood, punto_audit::FindingKind::WrongTicket];
    audit.findings.retain(|finding| !made_up.contains(&finding.kind));
    if audit.is_clean() {
        return Ok(());
    }
    audit.findings.truncate(3);
    Err(Wrong { what: what(), why: ledger::told(&audit) })
}

/// Tries all pairs of one table; every `stride`th.
fn try_pairs(variant: &Variant, stride: usize, seen: &mut BTreeSet<(usize, usize)>) -> (u32, Vec<Wrong>) {
    let (mut tried, mut count, mut wrong) = (0, 0_usize, Vec::new());
    for prefer in 0..driver::PREFERENCES {
        for moment in MOMENTS {
            let Some(at) = brought_to(variant, moment, prefer) else { continue };
            for (i, first) in Trouble::ALL.iter().enumerate() {
                let mut after_first = at.clone();
                if !after_first.give_one(&first.orders(&at)) {
                    continue;
                }
                for steps in 0..=STEPS_BETWEEN {
                    for (j, second) in Trouble::ALL.iter().enumerate() {
                        count += 1;
                        if !count.is_multiple_of(stride) {
                            continue;
                        }
                        let mut both = after_first.clone();
                        if !both.give_one(&second.orders(&after_first)) {
                            continue;
                        }
                        tried += 1;
                        seen.insert((i, j));
                        let what = || {
                            format!(
                                "{}, {moment:?}, {first:?}, {steps} steps, {second:?}, preference {prefer}",
                                variant.name
                            )
                        };
                        wrong.extend(finish(both, &what).err());
                    }
                    if !after_first.step() {
                        break;
                    }
                }
            }
        }
    }
    (tried, wrong)
}

#[test]
fn whatever_pair_goes_wrong_the_round_ends_and_its_record_is_clean() {
    // A prime, so that no kind of trouble is always passed over.
    let stride = scale(97, 1) as usize;
    let (mut tried, mut wrong, mut seen) = (0, Vec::new(), BTreeSet::new());
    for variant in TABLES {
        let (more, found) = try_pairs(variant, stride, &mut seen);
        tried += more;
        wrong.extend(found);
    }
    says("pairs of irregularities", tried);
    let count = wrong.len();
    wrong.truncate(10);
    let told: Vec<String> = wrong.iter().map(|it| format!("{}\n{}", it.what, it.why)).collect();
    assert!(wrong.is_empty(), "{count} of {tried} pairs\n{}", told.join("\n"));
    let pairs = Trouble::ALL.len() * Trouble::ALL.len();
    assert!(seen.len() * 10 > pairs * 7, "only {} of {pairs} pairs were tried", seen.len());
}
