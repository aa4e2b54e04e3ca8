//! Who looks at a table, and what of its events they may see.

use punto_record::{Actor, Choice, Event, Person, Seen, ShownTo};
use punto_rules::{Money, PatronNo, Post};
use serde::{Deserialize, Serialize};

/// Who looks at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "audience", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Audience {
    /// The display board: nobody's money.
    Board,
    /// A Player Terminal: its own money.
    Terminal { patron: PatronNo },
    /// The Game Console: every wager.
    Console { post: Post },
    /// The pit: everything.
    Pit { post: Post },
    /// The cage: credits, and what is owed or kept for somebody.
    Cage,
    /// An auditor: everything, and no orders.
    Auditor,
}

impl Audience {
    /// Whom a view's orders would come from; nobody for those who only look.
    pub(crate) fn actor(self) -> Option<Actor> {
        match self {
            Audience::Board | Audience::Auditor => None,
            Audience::Terminal { patron } => Some(Actor::Patron { patron }),
            Audience::Console { post } | Audience::Pit { post } => {
                Some(Actor::Staff { person: Person::as_recorded(""), post })
            }
            Audience::Cage => Some(Actor::Cashier { person: Person::as_recorded("") }),
        }
    }

    /// Whether other people's wagers are shown.
    pub(crate) const fn sees_wagers(self) -> bool {
        match self {
            Audience::Console { .. } | Audience::Pit { .. } | Audience::Auditor => true,
            Audience::Board | Audience::Terminal { .. } | Audience::Cage => false,
        }
    }

    /// Whether everybody's credits are shown.
    pub(crate) const fn sees_accounts(self) -> bool {
        match self {
            Audience::Pit { .. } | Audience::Cage | Audience::Auditor => true,
            Audience::Board | Audience::Terminal { .. } | Audience::Console { .. } => false,
        }
    }
}

/// A stream of events for those who see the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Feed {
    /// Everybody: boards and all terminals.
    Public,
    /// One terminal, beside what is public.
    Patron(PatronNo),
    /// The Game Console: every wager, nobody's credits.
    Floor,
    /// The cage: credits and tickets, nobody's wagers.
    Cage,
    /// Pit and auditor: everything.
    Staff,
}

/// What an event looks like to whoever gave the order: staff see all of it, a patron what is public or their own.
pub(crate) fn to_orderer(event: &Event, covered: bool, by: &Actor) -> Option<Event> {
    let Some(patron) = by.patron() else { return Some(event.clone()) };
    let seen = on_feeds(event, covered);
    let own = seen.iter().find(|(feed, _)| *feed == Feed::Patron(patron));
    own.or_else(|| seen.iter().find(|(feed, _)| *feed == Feed::Public)).map(|(_, event)| event.clone())
}

/// What an event looks like on the feeds, given whether cards lie face down after it. What is not here is not seen.
pub(crate) fn on_feeds(event: &Event, covered: bool) -> Vec<(Feed, Event)> {
    let facts = event.kind().facts();
    let feed = if facts.at_the_cage { Feed::Cage } else { Feed::Floor };
    let mut seen = vec![(Feed::Staff, event.clone()), (feed, event.clone())];
    match facts.shown {
        ShownTo::House => {}
        ShownTo::EverybodyOnceTurned if covered => {}
        ShownTo::Everybody | ShownTo::EverybodyOnceTurned => seen.push((Feed::Public, event.clone())),
        ShownTo::Patron => seen.extend(event.patron().map(|patron| (Feed::Patron(patron), event.clone()))),
        ShownTo::EachTheirPart => parts(event, &mut seen),
    }
    seen
}

/// Everybody's part of an event, and each patron's: their own money, nobody else's.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are shown whole or not at all")]
fn parts(event: &Event, seen: &mut Vec<(Feed, Event)>) {
    match event {
        Event::ChoiceMade { patron: it, choice, silent, returns } => {
            let (choice, silent, returns): (Choice, bool, _) = (*choice, *silent, returns.clone());
            seen.push((Feed::Patron(*it), Event::ChoiceMade { patron: *it, choice, silent, returns }));
        }
        Event::WagerAmended {
            patron: it,
            box_no,
            stance,
            bet,
            side,
            stake,
            parts,
            parts_cite,
            cite,
            surveillance: _,
            second: _,
        } => {
            let concerned = parts.iter().map(|part| part.patron).chain([*it]);
            let patrons: std::collections::BTreeSet<PatronNo> = concerned.collect();
            for of in patrons {
                let parts = parts.iter().filter(|part| part.patron == of).cloned().collect();
                let (box_no, stance, bet, side) = (*box_no, *stance, bet.clone(), *side);
                let (parts_cite, cite) = (parts_cite.clone(), cite.clone());
                // Whose bet it was and how much is theirs alone; others learn their own share.
                let stake = if of == *it { *stake } else { Money::ZERO };
                let patron = of;
                // Who saw it is the house's own business.
                let (surveillance, second) = (None, None);
                let own = Event::WagerAmended {
                    patron,
                    box_no,
                    stance,
                    bet,
                    side,
                    stake,
                    parts,
                    parts_cite,
                    cite,
                    surveillance,
                    second,
                };
                seen.push((Feed::Patron(of), own));
            }
        }
        // Everybody's Round, each one's own lines.
        Event::RoundSettled { round, result, lines, house: _ } => {
            let own = |of: Option<PatronNo>| {
                let lines = lines.iter().filter(|line| Some(line.patron) == of).cloned().collect();
                Event::RoundSettled { round: *round, result: result.clone(), lines, house: 0 }
            };
            seen.push((Feed::Public, own(None)));
            let mut patrons: Vec<PatronNo> = lines.iter().map(|line| line.patron).collect();
            patrons.sort_unstable();
            patrons.dedup();
            seen.extend(patrons.into_iter().map(|patron| (Feed::Patron(patron), own(Some(patron)))));
        }
        Event::RoundCorrected { round, result, lines, house: _, changes, carried, cite, display_cite } => {
            let own = |of: Option<PatronNo>| Event::RoundCorrected {
                round: *round,
                result: result.clone(),
                lines: lines.iter().filter(|line| Some(line.patron) == of).cloned().collect(),
                house: 0,
                changes: changes.iter().filter(|change| Some(change.patron) == of).cloned().collect(),
                carried: carried.clone(),
                cite: cite.clone(),
                display_cite: display_cite.clone(),
            };
            seen.push((Feed::Public, own(None)));
            let patrons: std::collections::BTreeSet<PatronNo> =
                lines.iter().map(|line| line.patron).collect();
            seen.extend(patrons.into_iter().map(|patron| (Feed::Patron(patron), own(Some(patron)))));
        }
        // Nobody but those whose money it is.
        Event::RoundAmended {
            round,
            patron: it,
            box_no,
            stance,
            bet,
            stake,
            result,
            lines,
            house: _,
            changes,
            surveillance: _,
            second: _,
            cite,
        } => {
            let concerned = changes.iter().map(|change| change.patron).chain([*it]);
            let patrons: std::collections::BTreeSet<PatronNo> = concerned.collect();
            seen.extend(patrons.into_iter().map(|of| {
                let own = Event::RoundAmended {
                    round: *round,
                    patron: of,
                    box_no: *box_no,
                    stance: *stance,
                    bet: bet.clone(),
                    stake: if of == *it { *stake } else { Money::ZERO },
                    result: result.clone(),
                    lines: lines.iter().filter(|line| line.patron == of).cloned().collect(),
                    house: 0,
                    changes: changes.iter().filter(|change| change.patron == of).cloned().collect(),
                    surveillance: "".into(),
                    second: None,
                    cite: cite.clone(),
                };
                (Feed::Patron(of), own)
            }));
        }
        Event::RoundVoided { round, kind, cite, returns_cite, returns, changes } => {
            let own = |of: Option<PatronNo>| Event::RoundVoided {
                round: *round,
                kind: *kind,
                cite: cite.clone(),
                returns_cite: returns_cite.clone(),
                returns: returns.iter().filter(|it| Some(it.patron) == of).cloned().collect(),
                changes: changes.iter().filter(|it| Some(it.patron) == of).cloned().collect(),
            };
            seen.push((Feed::Public, own(None)));
            let concerned = returns.iter().map(|it| it.patron).chain(changes.iter().map(|it| it.patron));
            let patrons: std::collections::BTreeSet<PatronNo> = concerned.collect();
            seen.extend(patrons.into_iter().map(|patron| (Feed::Patron(patron), own(Some(patron)))));
        }
        Event::Adjusted { round, adjustments, changes, cards, cite } => {
            let patrons: std::collections::BTreeSet<PatronNo> = changes.iter().map(|it| it.patron).collect();
            seen.extend(patrons.into_iter().map(|patron| {
                let adjustments = adjustments.iter().filter(|it| it.patron == patron).cloned().collect();
                let changes = changes.iter().filter(|it| it.patron == patron).cloned().collect();
                let (cards, cite) = (cards.clone(), cite.clone());
                let own = Event::Adjusted { round: *round, adjustments, changes, cards, cite };
                (Feed::Patron(patron), own)
            }));
        }
        Event::ChoiceOffered { until, patrons, cite } => {
            let own =
                |patrons: Vec<PatronNo>| Event::ChoiceOffered { until: *until, patrons, cite: cite.clone() };
            seen.push((Feed::Public, own(Vec::new())));
            seen.extend(patrons.iter().map(|patron| (Feed::Patron(*patron), own(vec![*patron]))));
        }
        Event::BetsClosed { round, parts, parts_cite, cite, chips_cite } => {
            let own = |of: Option<PatronNo>| Event::BetsClosed {
                round: *round,
                parts: parts.iter().filter(|part| Some(part.patron) == of).cloned().collect(),
                parts_cite: parts_cite.clone().filter(|_| of.is_some()),
                cite: cite.clone(),
                chips_cite: chips_cite.clone(),
            };
            seen.push((Feed::Public, own(None)));
            let patrons: std::collections::BTreeSet<PatronNo> =
                parts.iter().map(|part| part.patron).collect();
            seen.extend(patrons.into_iter().map(|patron| (Feed::Patron(patron), own(Some(patron)))));
        }
        // A card that somebody may still be squeezing is nobody else's to see.
        Event::CardDrawn { side, source, covered: true, .. } => {
            let (card, side, source) = (Seen::Covered, *side, *source);
            seen.push((Feed::Public, Event::CardDrawn { card, side, source, covered: true }));
        }
        Event::CardDrawn { covered: false, .. } => seen.push((Feed::Public, event.clone())),
        Event::InterruptionResolved { established, because: _, cite } => {
            let (established, because, cite) = (*established, Vec::new(), cite.clone());
            seen.push((Feed::Public, Event::InterruptionResolved { established, because, cite }));
        }
        // Whoever disputes is told what became of it.
        Event::DisputeOpened {
            dispute,
            round,
            patron: Some(it),
            words,
            timely,
            seconds,
            about,
            pictured,
        } => {
            let (dispute, round, patron, words) = (*dispute, *round, Some(*it), words.clone());
            let (timely, seconds, about) = (*timely, *seconds, *about);
            // Other people's wagers in the box are not theirs to see.
            let pictured = pictured.iter().filter(|wager| wager.patron == *it).cloned().collect();
            let own =
                Event::DisputeOpened { dispute, round, patron, words, timely, seconds, about, pictured };
            seen.push((Feed::Patron(*it), own));
        }
        Event::DisputeSeen { dispute, patron: Some(it), surveillance: _, cite } => {
            let (dispute, patron, cite) = (*dispute, Some(*it), cite.clone());
            seen.push((Feed::Patron(*it), Event::DisputeSeen { dispute, patron, surveillance: None, cite }));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use punto_record::{Event, EventKind, ShownTo};

    use super::{Feed, on_feeds};

    #[test]
    fn an_event_reaches_whom_it_is_declared_for() {
        let text = include_str!("../../punto-record/tests/data/events.ndjson");
        let events: Vec<Event> =
            text.lines().map(|line| serde_json::from_str(line).expect("a golden line")).collect();
        let mut in_parts: BTreeSet<EventKind> = BTreeSet::new();
        for event in &events {
            let kind = event.kind();
            let outside: Vec<Feed> =
                on_feeds(event, false).into_iter().skip(2).map(|(feed, _)| feed).collect();
            let is_public = outside.contains(&Feed::Public);
            match kind.facts().shown {
                ShownTo::House => assert_eq!(outside, [], "{}", kind.id()),
                ShownTo::Everybody | ShownTo::EverybodyOnceTurned => assert!(is_public, "{}", kind.id()),
                ShownTo::Patron => {
                    let own: Vec<Feed> = event.patron().map(Feed::Patron).into_iter().collect();
                    assert_eq!(outside, own, "{}", kind.id());
                }
                ShownTo::EachTheirPart if outside.is_empty() => {}
                ShownTo::EachTheirPart => {
                    in_parts.insert(kind);
                }
            }
            let hidden = on_feeds(event, true).iter().all(|(feed, _)| *feed != Feed::Public);
            assert!(hidden || kind.facts().shown != ShownTo::EverybodyOnceTurned, "{}", kind.id());
        }
        let declared = EventKind::ALL.iter().filter(|kind| kind.facts().shown == ShownTo::EachTheirPart);
        assert_eq!(in_parts, declared.copied().collect(), "each of them has its parts");
    }
}
