//! The drill itself: night after night, until somebody says it is enough or something does not hold.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::night::Night;
use crate::{Counters, Failure, Plan};

/// How many steps pass between two questions whether to go on.
const ASK_EVERY: u64 = 256;

/// Plays a plan until `keep_going` says no; then the last ledger is audited like every one before it.
///
/// # Errors
/// The first thing that did not hold.
pub fn drill(plan: &Plan, keep_going: &mut dyn FnMut(&Counters) -> bool) -> Result<Counters, Failure> {
    let mut counters = Counters::default();
    let mut night = 0;
    let mut goes_on = true;
    while goes_on {
        goes_on = play(plan, night, &mut counters, keep_going)?;
        night += 1;
    }
    Ok(counters)
}

/// One night; whether there is to be another.
fn play(
    plan: &Plan,
    number: u64,
    counters: &mut Counters,
    keep_going: &mut dyn FnMut(&Counters) -> bool,
) -> Result<bool, Failure> {
    let first = counters.steps;
    let fails = |words: String, at, before, counters: &Counters| {
        let (seed, tables, step) = (plan.seed, plan.tables, counters.steps);
        Failure { seed, tables, step, at, words, before, counters: Box::new(counters.clone()) }
    };
    let begun = Night::new(plan, number, counters);
    let mut night =
        begun.map_err(|words| fails(words, punto_record::Timestamp(0), Vec::new(), &Counters::default()))?;
    let mut goes_on = true;
    while goes_on && night.counters.steps - first < plan.steps_a_night {
        let stepped = catch_unwind(AssertUnwindSafe(|| night.step()));
        if let Err(words) = stepped.unwrap_or_else(|panic| Err(spoken(panic.as_ref()))) {
            return Err(fails(words, night.time(), night.told(), night.counters));
        }
        if night.counters.steps % ASK_EVERY == 0 {
            goes_on = keep_going(night.counters);
        }
    }
    let (at, before) = (night.time(), night.told());
    let finished = catch_unwind(AssertUnwindSafe(|| night.finish()));
    match finished.unwrap_or_else(|panic| Err(spoken(panic.as_ref()))) {
        Ok(()) => Ok(goes_on),
        Err(words) => Err(fails(words, at, before, counters)),
    }
}

fn spoken(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without words"))
}
