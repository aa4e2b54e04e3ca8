//! The float of a chip table: what is in the tray, and what moves to and from the cage and the drop box.

use std::sync::Arc;

use punto_record::{Event, Reason};
use punto_rules::Money;

use super::Decided;
use crate::draft::Draft;

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
