//! Opening and closing the table, and its settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Command, Event, Order, Person, Reason, ReasonKind, Rejection, Settings, digest};
use punto_rules::{BetId, BoxLimits, Cite, Range};

use super::{Decided, approved, seats};
use crate::draft::Draft;
use crate::gate;
use crate::law::Law;
use crate::state::{Announced, State};
use crate::table::Given;

/// The number of the interpretation about limits that change.
const CHANGED_BETWEEN_ROUNDS: u8 = 48;

/// Opens a table that was never open.
pub(crate) fn open_table(order: &Order, given: &Given) -> Result<Vec<Event>, Rejection> {
    let Command::OpenTable { settings, rulebook, second } = &order.command else {
        return Err(Reason::TableNotOpen {}.into());
    };
    let digest = digest(rulebook.as_bytes());
    let approval = approved::approval(given, Some(digest), order.at)?;
    let law = law(settings, rulebook)?;
    approved::in_a_house(approval, &law.settings)?;
    approved::two_people(approval, None, &law.settings, order.by.person(), second.as_ref())?;
    let (approval, settings) = (approved::deed(approval), Box::new(law.settings));
    let (rulebook, second) = (rulebook.clone(), second.clone());
    Ok(vec![Event::TableOpened { settings, rulebook, digest, second, approval }])
}

/// Opens a table again.
pub(super) fn open_again(
    draft: &mut Draft<'_>,
    settings: &Settings,
    rulebook: &Arc<str>,
    second: Option<&Person>,
    given: &Given,
) -> Decided {
    let digest = digest(rulebook.as_bytes());
    let approval = approved::approval(given, Some(digest), draft.at)?;
    let law = keeps_its_own(draft, settings, rulebook)?;
    approved::in_a_house(approval, &law.settings)?;
    approved::two_people(approval, None, &law.settings, draft.person(), second)?;
    let (approval, settings) = (approved::deed(approval), Box::new(law.settings));
    let (rulebook, second) = (rulebook.clone(), second.cloned());
    draft.push(Event::TableOpened { settings, rulebook, digest, second, approval });
    Ok(())
}

fn keeps_its_own(draft: &Draft<'_>, settings: &Settings, rulebook: &str) -> Result<Law, Rejection> {
    let refuse = |why: &str| Err(Reason::SettingsRefused { why: why.to_owned() }.into());
    if settings.table != draft.law.settings.table {
        return refuse("a table keeps its name");
    }
    // Credits, payouts held, claims about earlier Rounds, meters: all of them are amounts of the currency they began with.
    if settings.currency != draft.law.settings.currency {
        return refuse("a table keeps its currency; open another table for another currency");
    }
    law(settings, rulebook)
}

fn law(settings: &Settings, rulebook: &str) -> Result<Law, Rejection> {
    let law = Law::new(settings, rulebook).and_then(|law| law.is_current().map(|()| law));
    law.map_err(|why| Reason::SettingsRefused { why }.into())
}

pub(super) fn change_settings(
    draft: &mut Draft<'_>,
    settings: &Settings,
    rulebook: &Arc<str>,
    second: Option<&Person>,
    given: &Given,
) -> Decided {
    if settings.money != draft.law.settings.money {
        // The gate saw that no credits stand.
        let has_money = |it: &crate::state::Account| !it.owed.is_zero() || it.unclaimed > 0;
        if let Some((patron, _)) = draft.state.accounts.iter().find(|(_, account)| has_money(account)) {
            return Err(Reason::CreditsStand { patron: *patron }.into());
        }
        if let Some(held) = draft.state.held_payouts.values().next() {
            return Err(Reason::CreditsStand { patron: held.patron }.into());
        }
        gate::nothing_in_acceptors(&draft.state)?;
        if draft.state.float.is_some() {
            return Err(Reason::FloatOpen {}.into());
        }
    }
    let digest = digest(rulebook.as_bytes());
    let approval = approved::approval(given, Some(digest), draft.at)?;
    let law = keeps_its_own(draft, settings, rulebook)?;
    // The Round before may still have to be settled anew, by the pay tables it was played under.
    let before = (draft.state.digest, &draft.law.settings.layout);
    if draft.state.last().is_some() && before != (Some(digest), &law.settings.layout) {
        let why =
            "after a Round the rule book and the layout change only when the table is opened anew".to_owned();
        return Err(Reason::SettingsRefused { why }.into());
    }
    approved::in_a_house(approval, &law.settings)?;
    approved::two_people(approval, Some(&draft.law.settings), &law.settings, draft.person(), second)?;
    let (approval, settings) = (approved::deed(approval), Box::new(law.settings));
    let (rulebook, second) = (rulebook.clone(), second.cloned());
    seats::leave_boxes_above(draft, settings.boxes.unwrap_or(0));
    draft.push(Event::SettingsChanged { settings, rulebook, digest, second, approval });
    Ok(())
}

/// Announces other limits, for the first Round that commences after the notice.
// INTERPRETATION 48: limits change between Rounds, announced ahead, with a shoe in use and credits standing too.
pub(super) fn change_limits(
    draft: &mut Draft<'_>,
    betting_box: Option<BoxLimits>,
    bets: &BTreeMap<BetId, Range>,
    other_bets: Option<Range>,
) -> Decided {
    let law = draft.law;
    let mut asked = law.settings.clone();
    asked.betting_box = betting_box.or(asked.betting_box);
    if let Some(range) = other_bets {
        asked.bets.values_mut().for_each(|it| *it = range);
    }
    asked.bets.extend(bets.iter().map(|(bet, range)| (bet.clone(), *range)));
    let asked = law.with_limits(&asked).map_err(|why| Rejection::from(Reason::SettingsRefused { why }))?;
    let is_same = (asked.betting_box, &asked.bets) == (law.settings.betting_box, &law.settings.bets);
    // Announcing those in force takes back what was announced before.
    if is_same && draft.state.announced.is_none() {
        return Err(Reason::Nothing {}.into());
    }
    draft.push(Event::LimitsAnnounced {
        betting_box: asked.betting_box,
        bets: asked.bets,
        from: draft.at.plus_seconds(law.settings.limits_notice_seconds),
        cite: Cite::interpretation(CHANGED_BETWEEN_ROUNDS),
    });
    Ok(())
}

/// Puts limits into force that were announced long enough ago, before bets open.
pub(super) fn limits_due(draft: &mut Draft<'_>) {
    let due = draft.state.announced.clone().filter(|it| draft.at >= it.from);
    if let Some(Announced { betting_box, bets, .. }) = due {
        let cite = Cite::interpretation(CHANGED_BETWEEN_ROUNDS);
        draft.push(Event::LimitsChanged { betting_box, bets, cite });
    }
}

/// Announces the last Round: the next one to commence.
pub(super) fn announce_closing(draft: &mut Draft<'_>) -> Decided {
    draft.push(Event::ClosingAnnounced { last_round: draft.state.rounds.next() });
    Ok(())
}

/// Whether the table must wait for the Round that was announced as its last. That depends on the register of the house, which
/// the gate does not know; `moment` is what the gate says, and the reason that comes first is answered.
pub(crate) fn waits_for_last(
    state: &State,
    law: Option<&Law>,
    order: &Order,
    given: &Given,
    moment: &Result<(), Rejection>,
) -> Decided {
    let (Command::CloseTable {}, Some(round), Some(law)) = (&order.command, state.last_to_play(), law) else {
        return Ok(());
    };
    let comes_first = |it: &Rejection| it.reason.kind() < ReasonKind::LastRoundToPlay;
    let at = order.at.max(state.now);
    if moment.as_ref().is_err_and(comes_first) || approved::to_commence(given, state, law, at).is_err() {
        return Ok(());
    }
    Err(Reason::LastRoundToPlay { round }.into())
}

/// Closes the table.
// INTERPRETATION 33: a Round that may not commence is not waited for; patrons are told that it is not played.
pub(super) fn close(draft: &mut Draft<'_>) -> Decided {
    if let Some(round) = draft.state.last_to_play() {
        let cite = Cite::interpretation(approved::APPROVED_RULES);
        draft.push(Event::LastRoundDropped { round, cite });
    }
    draft.push(Event::TableClosed {});
    Ok(())
}
