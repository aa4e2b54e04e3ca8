//! Rulings: who decides, what the rules let them decide, and what follows.

use std::sync::Arc;

use punto_record::{Cards, Event, MatterNo, Person, Reason, Rejection, Report, Ruling, RulingWord, Seen};
use punto_rules::{Card, ChoiceOffered, Cite, IrregularityKind, Post, Remedy, reconstruct};

use super::clause::{Clause, clause};
use super::order::{as_they_lie, order};
use super::void::void;
use super::{Decided, adjust, bets, cards, choices, correction, has_reason, interruption, number, second};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Matter, Stage};
use crate::state::State;

/// The last of docs/interpretations.md.
const LAST_INTERPRETATION: u8 = 51;

/// What may be ruled on a matter.
pub(crate) fn rulings(state: &State, law: &Law, matter: &Matter) -> Vec<RulingWord> {
    let clause = clause(law, matter);
    let lie = state.round().and_then(|round| as_they_lie(&round.hands()));
    let mut all = vec![
        Ruling::Reconstruct {},
        Ruling::InOrder { order: Vec::new() },
        Ruling::Continue {},
        Ruling::Misread { card: None },
        Ruling::Misread { card: Card::all().next() },
        Ruling::Correct { cards: Vec::new() },
        Ruling::Adjust { adjustments: Vec::new(), round: None, cards: Vec::new() },
        Ruling::Stand {},
        Ruling::Void {},
    ];
    all.extend(lie.map(|order| Ruling::AsTheyLie { order }));
    let allowed = all.iter().filter(|ruling| allows(state, law, matter, &clause, ruling));
    let mut words: Vec<RulingWord> = allowed.map(Ruling::word).collect();
    words.dedup();
    words
}

pub(super) fn rule(
    draft: &mut Draft<'_>,
    no: MatterNo,
    ruling: &Ruling,
    replace_shoe: bool,
    reason: &Arc<str>,
    second: Option<&Person>,
    departs: Option<u8>,
) -> Decided {
    let matter = find(draft, no)?;
    // Cards that came out between Rounds are used in the order in which they came.
    if let Some(first) = draft.state.matters.iter().find(|it| it.exposed().is_some())
        && matter.exposed().is_some()
        && first.no < matter.no
    {
        return Err(Reason::RulingPending { matter: first.no }.into());
    }
    // While the cards that are out are in dispute, nothing else is ruled.
    if let Some(Stage::Interrupted { .. }) = draft.state.round().map(|round| &round.stage)
        && !matches!(matter.report, Report::CardsInDispute { .. })
    {
        let cite = draft.law.cite(IrregularityKind::TechnicalInterruption);
        return Err(Reason::TableInterrupted {}.under_some(cite));
    }
    let clause = clause(draft.law, &matter);
    let least = clause.least();
    if draft.by.post().is_none_or(|post| post < least) {
        return Err(Reason::NotPermitted { least: Some(least) }.under(&clause.cite));
    }
    may_depart(draft, departs)?;
    has_reason(reason)?;
    second::separate(draft, &matter, &clause, ruling, second)?;
    if departs.is_some_and(|no| !(1..=LAST_INTERPRETATION).contains(&no)) {
        return Err(Reason::RulingNotAllowed {}.under(&Cite::interpretation(33)));
    }
    if replace_shoe {
        clause.may_replace(&draft.state, draft.law)?;
    }
    carry_out(draft, &matter, &clause, ruling, reason, second, departs)?;
    if replace_shoe && draft.state.round().is_some() {
        let shoe = draft.state.shoe.as_ref().expect("a Round has its shoe").no;
        draft.push(Event::ShoeReplacementOrdered { shoe, cite: clause.cite.clone() });
    }
    resume(draft);
    Ok(())
}

/// Rules a matter that the rule book leaves to nobody.
pub(super) fn by_the_rules(draft: &mut Draft<'_>, no: MatterNo) {
    let matter = find(draft, no).expect("just opened");
    let clause = clause(draft.law, &matter);
    let ruling = match clause.remedy {
        Remedy::Void => Ruling::Void {},
        Remedy::Continue => Ruling::Continue {},
        // Somebody has to rule after all.
        Remedy::RejectExcess
        | Remedy::RaiseOrWithdraw
        | Remedy::ProRata
        | Remedy::PlayAsPlaced
        | Remedy::Settle
        | Remedy::ConcludeOrVoid
        | Remedy::PlayRegistered
        | Remedy::Refuse
        | Remedy::Reconstruct
        | Remedy::RuleOrder
        | Remedy::PatronsChoose
        | Remedy::Stand
        | Remedy::NoRefund
        | Remedy::CorrectToCards
        | Remedy::Adjust
        | Remedy::Ruling => return,
    };
    carry_out(draft, &matter, &clause, &ruling, &"by the rules".into(), None, None)
        .expect("the rules allow themselves");
    resume(draft);
}

/// Whether a ruling may name an interpretation that it departs from.
// INTERPRETATION 33: the house adopted the interpretations; in a case a Shift Manager or above may depart from one.
fn may_depart(draft: &Draft<'_>, departs: Option<u8>) -> Decided {
    if departs.is_some() && draft.by.post().is_none_or(|post| post < Post::ShiftManager) {
        return Err(Reason::NotPermitted { least: Some(Post::ShiftManager) }.under(&draft.uncovered()));
    }
    Ok(())
}

fn find(draft: &Draft<'_>, no: MatterNo) -> Result<Matter, Rejection> {
    let held = draft.state.round().map_or(&[][..], |round| round.matters());
    let found = held.iter().chain(&draft.state.matters).find(|matter| matter.no == no);
    found.cloned().ok_or(Reason::NoSuchMatter {}.into())
}

fn carry_out(
    draft: &mut Draft<'_>,
    matter: &Matter,
    clause: &Clause,
    ruling: &Ruling,
    reason: &Arc<str>,
    second: Option<&Person>,
    departs: Option<u8>,
) -> Decided {
    if !allows(&draft.state, draft.law, matter, clause, ruling) {
        let adjusts = matches!(ruling, Ruling::Adjust { .. }) && clause.remedy == Remedy::Ruling;
        let stands = adjust::refused(draft.law).filter(|_| adjusts);
        return Err(stands.unwrap_or_else(|| Reason::RulingNotAllowed {}.under(&clause.cite)));
    }
    let ordered = order(draft, matter, ruling)?;
    let choice = gives_choice(draft, clause, ruling, ordered.as_ref().map(|(order, _)| order.as_slice()));
    let ruled_by = ruled_by(draft.law, clause, ruling);
    let corrected = correction::check(draft, matter, ruling)?;
    let undone = match (ruling, draft.state.last()) {
        (Ruling::Void {}, Some(last)) => correction::undo(draft, last.no, &last.lines)?,
        (_, Some(_) | None) => Vec::new(),
    };
    let misread = misread(draft, matter, ruling)?;
    draft.push(Event::Ruled {
        matter: matter.no,
        ruling: ruling.clone(),
        cite: ruled_by,
        choice,
        second: second.cloned(),
        reason: reason.clone(),
        departs,
    });
    match ruling {
        Ruling::Void {} => void(draft, clause.kind, matter, undone),
        Ruling::Misread { .. } => read_anew(draft, misread),
        Ruling::Reconstruct {} | Ruling::AsTheyLie { .. } | Ruling::InOrder { .. } => {
            let (order, carried) = ordered.expect("an order was found");
            draft.push(Event::CardsOrdered { order, carried });
        }
        Ruling::Correct { .. } | Ruling::Adjust { .. } => {
            let left_over = draft.state.round().map_or(0, |round| round.left_over().len());
            correction::carry_out(draft, corrected);
            cards::cut_card(draft);
            if let Report::CardsInDispute { .. } = matter.report {
                interruption::resolve(draft, left_over, false);
            }
        }
        Ruling::Continue {} | Ruling::Stand {} => {}
    }
    Ok(())
}

/// The paragraph that says what is ruled.
// INTERPRETATION 40: not that of the matter, where another one says it, and a reading where none does.
fn ruled_by(law: &Law, clause: &Clause, ruling: &Ruling) -> Cite {
    use IrregularityKind as Kind;
    let own = || clause.cite.clone();
    let of = |kind: Kind| law.cite(kind).cloned().unwrap_or_else(own);
    match (clause.kind, ruling) {
        // A wrong number that can be reconstructed is a card drawn in excess (5.8/5.7; electronic 5.4).
        (Kind::WrongNumberOfCards, Ruling::Reconstruct {} | Ruling::Correct { .. }) => {
            of(Kind::ExcessOrExposedCard)
        }
        // Cards that cannot be reconstructed and leave a wrong number are void by 5.5.3 (electronic 5.3.3).
        (Kind::ExcessOrExposedCard | Kind::WrongSide, Ruling::Void {}) => of(Kind::WrongNumberOfCards),
        // "Continue their Hand" is said where the choice is (5.13.1/5.12.1).
        (Kind::ExcessOrExposedCard | Kind::WrongSide, Ruling::AsTheyLie { .. }) => {
            law.rulebook.conduct.patrons_choice.clone().unwrap_or_else(own)
        }
        (Kind::ForeignCard | Kind::ShortageOrExcess | Kind::NotShuffled, Ruling::Misread { .. }) => {
            Cite::interpretation(23)
        }
        (Kind::ShoeExhausted, Ruling::Misread { .. }) => Cite::interpretation(38),
        (_, _) => own(),
    }
}

/// What the remedy of the rule book lets somebody decide here.
fn allows(state: &State, law: &Law, matter: &Matter, clause: &Clause, ruling: &Ruling) -> bool {
    // Only the house knows the cards of its own shoe; nobody says otherwise.
    let adjusts = if let Ruling::Adjust { cards, .. } = ruling { !cards.is_empty() } else { false };
    let says_cards = adjusts || matches!(ruling, Ruling::Correct { .. } | Ruling::Misread { card: Some(_) });
    if says_cards && law.settings.cards == Cards::Software {
        return false;
    }
    // INTERPRETATION 31: the ruling says which list of the cards stands.
    if let Report::CardsInDispute { .. } = matter.report {
        return matches!(ruling, Ruling::Correct { .. });
    }
    let round = state.round().filter(|round| round.matters().iter().any(|it| it.no == matter.no));
    let is_number = clause.kind == IrregularityKind::WrongNumberOfCards;
    let Some(round) = round else {
        return match clause.remedy {
            // INTERPRETATION 32: an admitted wrong number does not stand; it is void where it cannot be reconstructed.
            Remedy::Void if is_number => match ruling {
                Ruling::Reconstruct {} | Ruling::Correct { .. } => true,
                Ruling::Void {} => number::is_wrong_now(state, matter),
                Ruling::Misread { .. }
                | Ruling::AsTheyLie { .. }
                | Ruling::InOrder { .. }
                | Ruling::Continue {}
                | Ruling::Stand {}
                | Ruling::Adjust { .. } => false,
            },
            // INTERPRETATION 36: a card out of the shoe between Rounds is used in the next. INTERPRETATION 35: of several at
            // once the order is ruled, whatever order they were keyed in.
            Remedy::Reconstruct | Remedy::RuleOrder => match matter.exposed() {
                Some([_, _, ..]) => matches!(ruling, Ruling::InOrder { .. }),
                Some(_) => matches!(ruling, Ruling::Reconstruct {}),
                None => matches!(ruling, Ruling::Stand {}),
            },
            Remedy::Void => matches!(ruling, Ruling::Void {} | Ruling::Correct { .. } | Ruling::Stand {}),
            Remedy::CorrectToCards => matches!(ruling, Ruling::Correct { .. } | Ruling::Stand {}),
            // INTERPRETATION 37: where earlier Rounds stand (5.6) nothing is adjusted, by whatever name it was reported.
            // INTERPRETATION 43: but for a Round that was disputed in time when the next one was opened over it.
            Remedy::Ruling => match ruling {
                Ruling::Adjust { round, .. } => {
                    let mut spoken = state.disputes.values().filter(|it| it.spoken);
                    law.earlier_rounds_stand().is_none()
                        || spoken.any(|it| round.is_none_or(|round| it.round == Some(round)))
                }
                Ruling::Stand {} => true,
                Ruling::Void {}
                | Ruling::Misread { .. }
                | Ruling::Reconstruct {}
                | Ruling::AsTheyLie { .. }
                | Ruling::InOrder { .. }
                | Ruling::Continue {}
                | Ruling::Correct { .. } => false,
            },
            // What is owed is owed, unless there was nothing of the kind.
            Remedy::Adjust => matches!(ruling, Ruling::Adjust { .. } | Ruling::Misread { card: None }),
            Remedy::RejectExcess
            | Remedy::RaiseOrWithdraw
            | Remedy::ProRata
            | Remedy::PlayAsPlaced
            | Remedy::Settle
            | Remedy::ConcludeOrVoid
            | Remedy::PlayRegistered
            | Remedy::Refuse
            | Remedy::Continue
            | Remedy::PatronsChoose
            | Remedy::Stand
            | Remedy::NoRefund => matches!(ruling, Ruling::Stand {}),
        };
    };
    let is_wrong = number::is_wrong_now(state, matter);
    let numbers_are_right = as_they_lie(&round.hands()).is_some() || !is_wrong;
    let may_lie = law.rulebook.conduct.patrons_choice.is_some();
    match clause.remedy {
        // INTERPRETATION 23: confirmed as void, or as a misread.
        Remedy::Void if is_number => {
            matches!(ruling, Ruling::Reconstruct {}) || (is_wrong && matches!(ruling, Ruling::Void {}))
        }
        Remedy::Void => matches!(ruling, Ruling::Void {} | Ruling::Misread { .. }),
        // INTERPRETATION 24: with a right number of cards the Hands go on as they lie; with a wrong one the Round is void.
        Remedy::Reconstruct => match ruling {
            Ruling::Reconstruct {} => true,
            // 5.13.1/5.12.1; the electronic game has no such paragraph.
            Ruling::AsTheyLie { .. } => may_lie,
            Ruling::Void {} => !numbers_are_right,
            Ruling::Misread { .. }
            | Ruling::InOrder { .. }
            | Ruling::Continue {}
            | Ruling::Stand {}
            | Ruling::Correct { .. }
            | Ruling::Adjust { .. } => false,
        },
        Remedy::RuleOrder => matches!(ruling, Ruling::InOrder { .. }),
        Remedy::Continue => matches!(ruling, Ruling::Continue {}),
        Remedy::PatronsChoose => {
            matches!(ruling, Ruling::Continue {} | Ruling::Reconstruct {})
                || (may_lie && matches!(ruling, Ruling::AsTheyLie { .. }))
        }
        Remedy::Ruling => matches!(
            ruling,
            Ruling::Continue {}
                | Ruling::Void {}
                | Ruling::Reconstruct {}
                | Ruling::AsTheyLie { .. }
                | Ruling::InOrder { .. }
        ),
        Remedy::CorrectToCards => matches!(ruling, Ruling::Correct { .. } | Ruling::Continue {}),
        Remedy::RejectExcess
        | Remedy::RaiseOrWithdraw
        | Remedy::ProRata
        | Remedy::PlayAsPlaced
        | Remedy::Settle
        | Remedy::ConcludeOrVoid
        | Remedy::PlayRegistered
        | Remedy::Refuse
        | Remedy::Stand
        | Remedy::NoRefund
        | Remedy::Adjust => matches!(ruling, Ruling::Continue {}),
    }
}

/// Whether a ruling on the Round in play asks the patrons, with the cards in the order that it fixes.
pub(super) fn gives_choice(
    draft: &Draft<'_>,
    clause: &Clause,
    ruling: &Ruling,
    ordered: Option<&[Card]>,
) -> bool {
    let in_play = draft.state.round().filter(|_| !matches!(ruling, Ruling::Void {}));
    in_play.is_some_and(|round| offers(draft, clause, ruling, ordered.unwrap_or(&round.order)))
}

/// Whether the patrons are to be asked, with the cards in this order.
// INTERPRETATION 25: who is asked, and when.
fn offers(draft: &Draft<'_>, clause: &Clause, ruling: &Ruling, order: &[Card]) -> bool {
    let established = || !draft.law.established(order, draft.placed()).is_empty();
    // A wrong number that can be reconstructed is no void cause but a card drawn in excess (5.5.3, 5.8/5.7).
    let choice = match (clause.kind, ruling) {
        (IrregularityKind::WrongNumberOfCards, Ruling::Reconstruct {}) => {
            let excess = draft.law.rulebook.irregularity(IrregularityKind::ExcessOrExposedCard);
            excess.and_then(|it| it.choice)
        }
        (_, _) => clause.choice,
    };
    match choice {
        None => false,
        Some(ChoiceOffered::Always) => true,
        Some(ChoiceOffered::IfNotEstablished) => !established(),
        Some(ChoiceOffered::UnlessEstablishedAndReconstructable) => {
            !(matches!(ruling, Ruling::Reconstruct {} | Ruling::InOrder { .. }) && established())
        }
    }
}

/// Which card out of the shoe a misread is about, and what it is: the one that is not of the set or one too many.
fn misread(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Option<(u16, Card)>, Rejection> {
    let (Ruling::Misread { card }, Some(round)) = (ruling, draft.state.round()) else { return Ok(None) };
    let suspect = round.drawn.iter().rposition(|dealt| {
        let is_it = if let Report::ShortageOrExcess { extra, .. } = &matter.report {
            dealt.seen.card().is_some_and(|card| extra.contains(&card))
        } else if let Report::ForeignCard { card } = &matter.report {
            dealt.seen == Seen::Foreign(card.clone())
        } else {
            false
        };
        is_it && !dealt.carried && dealt.shoe == round.shoe
    });
    match (suspect, card) {
        (None, None) => Ok(None),
        (Some(at), Some(card)) => {
            let shoe = draft.state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
            let is_it = round.drawn[at].seen.card() == Some(*card);
            let copies = shoe.dealt.copies(*card) + u16::from(!is_it);
            if copies > draft.law.settings.decks.into() {
                return Err(Reason::CardsDoNotAddUp {}.into());
            }
            Ok(Some((at as u16 + 1, *card)))
        }
        (Some(_), None) | (None, Some(_)) => Err(Reason::CardsDoNotAddUp {}.into()),
    }
}

fn read_anew(draft: &mut Draft<'_>, misread: Option<(u16, Card)>) {
    let Some((at, card)) = misread else { return };
    let was = draft.round().drawn[usize::from(at) - 1].seen.card();
    let mut order = draft.round().order.clone();
    match was.and_then(|was| order.iter().rposition(|it| *it == was)) {
        Some(place) => order[place] = card,
        // What was no card had no place: it has the one in which it was drawn.
        None => {
            let before = draft.round().drawn[..usize::from(at) - 1].iter();
            let place = before.filter(|dealt| dealt.seen.card().is_some()).count();
            order.insert(place.min(order.len()), card);
        }
    }
    draft.push(Event::CardMisread { at, card });
    let (deal, surplus) = reconstruct(&order);
    draft.push(Event::CardsOrdered { order: deal.drawn().collect(), carried: surplus.to_vec() });
}

/// After a ruling: the next matter, the patrons' choice, or the cards.
pub(super) fn resume(draft: &mut Draft<'_>) {
    let Some(round) = draft.state.round() else { return };
    let Stage::Held { matters, closes_at, .. } = &round.stage else { return };
    if !matters.is_empty() {
        return;
    }
    // While bets are open everybody may withdraw; who has a choice makes it when they are closed.
    if closes_at.is_some() {
        bets::reopen(draft);
    } else {
        choices::ask_or_go_on(draft);
    }
}
