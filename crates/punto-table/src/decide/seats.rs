//! Who sits where (1.23, 1.20, 1.17). It is a fact about people, of which no bet decides: a terminal stands at a box, and
//! at a table with chips the Dealer marks the box.

use punto_record::{BoxNo, Event, MoneyKind, Reason, Rejection};
use punto_rules::{Cite, PatronNo, Stance};

use super::{Decided, wager};
use crate::draft::Draft;
use crate::law::Law;
use crate::state::State;

/// The number of the interpretation about seats.
const SEATED: u8 = 39;

/// A patron sits down at a box.
// INTERPRETATION 39: one box a person, one person a box; nobody moves with a bet in the Round.
pub(super) fn take(draft: &mut Draft<'_>, patron: Option<PatronNo>, box_no: BoxNo) -> Decided {
    wager::check_box(draft.law, Some(box_no))?;
    let state = &draft.state;
    let own = Cite::interpretation(SEATED);
    let patron = match patron {
        Some(patron) => patron,
        // Credits belong to a terminal, and a terminal has the number of its patron.
        None if draft.law.settings.money == MoneyKind::Credits => {
            return Err(Reason::PatronNeeded {}.under(&own));
        }
        None => state.next_patron(),
    };
    let seated = sits_at(state, box_no);
    if seated.is_some_and(|it| it != patron) {
        return Err(Reason::SeatTaken {}.under(&own));
    }
    if let Some((other, _)) = state.seats.iter().find(|(other, it)| **it == patron && **other != box_no) {
        return Err(Reason::SeatElsewhere { box_no: *other }.under(&own));
    }
    has_no_bet(state, patron)?;
    if seated.is_some() {
        return Err(Reason::Nothing {}.into());
    }
    draft.push(Event::SeatTaken { patron, box_no });
    Ok(())
}

/// The one who sits at a box gets up.
pub(super) fn leave(draft: &mut Draft<'_>, box_no: BoxNo) -> Decided {
    wager::check_box(draft.law, Some(box_no))?;
    let seated = draft.state.seats.get(&box_no);
    let patron = *seated.ok_or_else(|| Reason::SeatEmpty {}.under(&Cite::interpretation(SEATED)))?;
    has_no_bet(&draft.state, patron)?;
    draft.push(Event::SeatLeft { patron, box_no });
    Ok(())
}

/// Boxes that the table is about to have no more are left.
pub(super) fn leave_boxes_above(draft: &mut Draft<'_>, boxes: u8) {
    let gone = draft.state.seats.iter().filter(|(box_no, _)| box_no.0 > boxes);
    let gone: Vec<(BoxNo, PatronNo)> = gone.map(|(box_no, patron)| (*box_no, *patron)).collect();
    for (box_no, patron) in gone {
        draft.push(Event::SeatLeft { patron, box_no });
    }
}

/// Who sits at a box. In a Round of the first release that is what the bets said.
fn sits_at(state: &State, box_no: BoxNo) -> Option<PatronNo> {
    let said = state.round().and_then(|round| round.wagers.seated(box_no));
    state.seats.get(&box_no).copied().or(said)
}

/// Priority and the squeeze go by the seat, so that it stays what it was when the bets were placed.
fn has_no_bet(state: &State, patron: PatronNo) -> Decided {
    if state.round().is_some_and(|round| round.wagers.of(patron).next().is_some()) {
        return Err(Reason::SeatInPlay {}.under(&Cite::interpretation(SEATED)));
    }
    Ok(())
}

/// How a patron bets at a box: Seated at their own, Standing at any other; nothing where there are no boxes. A claim that
/// says otherwise is refused.
// INTERPRETATION 39: where a person sits, not what a bet claims.
pub(super) fn stance(
    state: &State,
    law: &Law,
    patron: PatronNo,
    box_no: Option<BoxNo>,
    claimed: Option<Stance>,
) -> Result<Option<Stance>, Rejection> {
    wager::check_box(law, box_no)?;
    let Some(box_no) = box_no else {
        return match claimed {
            Some(_) => Err(Reason::NoBoxes {}.under(&law.terms.layout().cite)),
            None => Ok(None),
        };
    };
    let mut standing = state.round().into_iter().flat_map(|round| round.wagers.of(patron));
    let before = standing.find(|(key, _)| key.box_no == Some(box_no)).and_then(|(_, it)| it.stance);
    let sits = state.seats.get(&box_no) == Some(&patron);
    let stance = before.unwrap_or(if sits { Stance::Seated } else { Stance::Standing });
    let own = Cite::interpretation(SEATED);
    match claimed {
        Some(claimed) if claimed != stance => Err(match (claimed, sits_at(state, box_no)) {
            (Stance::Seated, Some(_)) => Reason::SeatTaken {}.under(&own),
            (Stance::Seated, None) => Reason::NotSeated {}.under(&own),
            (Stance::Standing, _) => Reason::OtherStance {}.under(&own),
        }),
        Some(_) | None => Ok(Some(stance)),
    }
}
