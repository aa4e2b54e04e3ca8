//! Approved rules only (interpretation 33), and the settings that touch the rights of patrons (interpretation 48).
//!
//! A demonstration or a practice floor may try anything. In a house a table opens, changes its settings and opens a Round
//! only under a text whose approval is on record and in force; a Round that has commenced is never asked again.

use std::ops::RangeInclusive;

use punto_record::{
    Anchor, Approval, Cards, Digest, EstablishedBy, Person, PostsBy, Reason, Rejection, Settings, Timestamp,
};
use punto_rules::Cite;

use super::Decided;
use crate::law::Law;
use crate::state::State;
use crate::table::{Given, Rules};

/// The interpretations that refusals cite.
pub(super) const APPROVED_RULES: u8 = 33;
const POSTS: u8 = 46;
const RIGHTS: u8 = 48;

/// How long bets may be open in a house, in seconds: nobody can see a table, decide and place a bet in less than ten, and
/// a Round that stays open for more than five minutes keeps the stakes of those who bet at once.
const BETTING_SECONDS: RangeInclusive<u16> = 10..=300;

/// The approval under which something is done at that moment; none where any rules may be played.
// INTERPRETATION 33: a text is approved by its digest, and only while its approval is in force.
pub(super) fn approval(
    given: &Given,
    text: Option<Digest>,
    at: Timestamp,
) -> Result<Option<&Approval>, Rejection> {
    let Rules::Approved(found) = &given.rules else { return Ok(None) };
    let cite = Cite::interpretation(APPROVED_RULES);
    let Some(found) = found.as_ref().filter(|it| Some(it.digest) == text) else {
        return Err(Reason::RulesNotApproved {}.under(&cite));
    };
    match found.withdrawn {
        _ if found.is_in_force(at) => Ok(Some(found)),
        Some(withdrawn) if withdrawn < at => Err(Reason::RulesWithdrawn { from: withdrawn }.under(&cite)),
        Some(_) | None => Err(Reason::RulesNotInForce { from: found.in_force }.under(&cite)),
    }
}

/// The deed that records an approval, as events cite it.
pub(super) fn deed(approval: Option<&Approval>) -> Option<Anchor> {
    approval.map(|approval| approval.deed)
}

/// The approval under which a Round may commence at this table now.
pub(super) fn to_commence<'a>(
    given: &'a Given,
    state: &State,
    law: &Law,
    at: Timestamp,
) -> Result<Option<&'a Approval>, Rejection> {
    let approval = approval(given, state.digest, at)?;
    in_a_house(approval, &law.settings)?;
    Ok(approval)
}

/// Whether a house may run a table with these settings under this approval.
// INTERPRETATION 46: where real money is played for, whoever orders holds their post; being signed in is not enough.
// INTERPRETATION 48: cards of software only where the approval expressly allows them; an outcome is established by the
// bets that are available (5.4.1), not by those that happen to be placed.
pub(super) fn in_a_house(approval: Option<&Approval>, settings: &Settings) -> Decided {
    let Some(approval) = approval else { return Ok(()) };
    if settings.posts == PostsBy::Role {
        let why = "in a house posts are held in the running shift (posts = held)".to_owned();
        return Err(Reason::SettingsRefused { why }.under(&Cite::interpretation(POSTS)));
    }
    let refuse = |why: String| Err(Reason::SettingsRefused { why }.under(&Cite::interpretation(RIGHTS)));
    if settings.cards == Cards::Software && !approval.software_cards {
        return refuse("in a house cards are real, unless the approval allows those of software".to_owned());
    }
    if settings.established_by == EstablishedBy::Placed {
        return refuse("in a house an outcome is established by the bets offered".to_owned());
    }
    if !BETTING_SECONDS.contains(&settings.betting_seconds) {
        let (least, most) = (BETTING_SECONDS.start(), BETTING_SECONDS.end());
        return refuse(format!("in a house bets are open for {least} to {most} seconds"));
    }
    Ok(())
}

/// Whether two people agree to settings that touch rights: another one than whoever gives the order.
// INTERPRETATION 48: in a house, when a table is opened and when one of those settings changes.
pub(super) fn two_people(
    approval: Option<&Approval>,
    before: Option<&Settings>,
    settings: &Settings,
    first: Option<&Person>,
    second: Option<&Person>,
) -> Decided {
    let is_asked = approval.is_some() && before.is_none_or(|before| touches_rights(before, settings));
    let agrees = second.is_some_and(|it| Some(it) != first && !it.as_str().trim().is_empty());
    // Whoever is named agrees, whether or not somebody has to.
    if agrees || (!is_asked && second.is_none()) {
        return Ok(());
    }
    Err(Reason::SecondPersonNeeded {}.under(&Cite::interpretation(RIGHTS)))
}

/// Whether a change of settings touches what patrons may rely on: the time to bet and to choose, what is done about
/// limits, what settles a Round, what establishes an outcome, and whose the cards are.
fn touches_rights(before: &Settings, after: &Settings) -> bool {
    (before.choice_seconds, before.betting_seconds) != (after.choice_seconds, after.betting_seconds)
        || (before.limits, before.result) != (after.limits, after.result)
        || (before.established_by, before.cards) != (after.established_by, after.cards)
}
