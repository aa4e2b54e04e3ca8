//! The float of a chip table: what is in the tray, and what moves to and from the cage and the drop box.

use std::sync::Arc;

use punto_record::{Cause, Event, Person, Reason};
use punto_rules::{Cite, Money};

use super::Decided;
use crate::draft::Draft;

/// The number of the interpretation about a float that is covered.
const COVERED: u8 = 51;

pub(super) fn open(draft: &mut Draft<'_>, amount: Money) -> Decided {
    draft.push(Event::FloatOpened { amount });
    Ok(())
}

/// What was counted is a fact; what should have been there stands beside it.
pub(super) fn close(draft: &mut Draft<'_>, counted: Money) -> Decided {
    let expected = draft.state.float.expect("the gate saw a float");
    draft.push(Event::FloatClosed { counted, expected });
    Ok(())
}

pub(super) fn fill(draft: &mut Draft<'_>, amount: Money, slip: &Arc<str>) -> Decided {
    something(amount)?;
    let float = draft.state.float.expect("the gate saw a float").max(0) as u64;
    let most = Money::MAX.less(Money::new(float).unwrap_or(Money::MAX));
    if amount > most {
        return Err(Reason::MoreThanThere { most }.into());
    }
    draft.push(Event::Filled { amount, slip: slip.clone() });
    Ok(())
}

pub(super) fn credit(draft: &mut Draft<'_>, amount: Money, slip: &Arc<str>) -> Decided {
    in_the_tray(draft, amount)?;
    draft.push(Event::Credited { amount, slip: slip.clone() });
    Ok(())
}

/// The float is covered: nobody is at the table (interpretation 51).
pub(super) fn cover(draft: &mut Draft<'_>, cause: Cause) -> Decided {
    draft.push(Event::FloatCovered { cause, cite: Cite::interpretation(COVERED) });
    Ok(())
}

/// It is uncovered by two people who see that it is as it was left.
pub(super) fn uncover(draft: &mut Draft<'_>, second: Option<&Person>) -> Decided {
    let cite = Cite::interpretation(COVERED);
    let other = second.filter(|it| Some(*it) != draft.person() && !it.as_str().trim().is_empty());
    let second = other.ok_or_else(|| Reason::SecondPersonNeeded {}.under(&cite))?.clone();
    draft.push(Event::FloatUncovered { second, cite });
    Ok(())
}

/// Cash goes into the box, chips to the patron.
pub(super) fn drop(draft: &mut Draft<'_>, amount: Money) -> Decided {
    in_the_tray(draft, amount)?;
    draft.push(Event::Dropped { amount });
    Ok(())
}

fn something(amount: Money) -> Decided {
    if amount.is_zero() { Err(Reason::Nothing {}.into()) } else { Ok(()) }
}

fn in_the_tray(draft: &Draft<'_>, amount: Money) -> Decided {
    something(amount)?;
    let float = draft.state.float.expect("the gate saw a float").max(0) as u64;
    if amount.get() > float {
        return Err(Reason::MoreThanThere { most: Money::new(float).unwrap_or(Money::MAX) }.into());
    }
    Ok(())
}
