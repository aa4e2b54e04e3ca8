//! Rulings: who decides, what the rules let them decide, and what follows.

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{Cards, Event, MatterNo, Person, Reason, Rejection, Report, Ruling, RulingWord, Seen};
use punto_rules::{
    BySide, Card, ChoiceOffered, Cite, Composition, IrregularityKind, Post, Remedy, ShoeAfter, Side,
    reconstruct,
};

use super::{Decided, cards, choices, correction, has_reason, report, settle};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Matter, Round, Stage};
use crate::state::State;

/// Who decides where the rule book names nobody (interpretation 24: the House's discretion).
pub(super) const BY_DEFAULT: Post = Post::PitSupervisor;

/// What the rule book says about a matter.
pub(crate) struct Clause {
    kind: IrregularityKind,
    cite: Cite,
    remedy: Remedy,
    decides: Option<Post>,
    pub(crate) second_person: bool,
    choice: Option<ChoiceOffered>,
    shoe: Option<ShoeAfter>,
}

impl Clause {
    /// The least post that decides.
    pub(crate) fn least(&self) -> Post {
        self.decides.unwrap_or(BY_DEFAULT)
    }

    /// Whether the cards may be replaced by whoever decides.
    // INTERPRETATION 26: from the next card on, and never to escape an empty shoe.
    pub(crate) fn may_replace(&self, state: &State, law: &Law) -> Decided {
        if self.shoe != Some(ShoeAfter::MayReplace) || state.round().is_none() {
            return Err(Reason::NoReplacement {}.under(&self.cite));
        }
        let is_empty = state.shoe.as_ref().is_none_or(|shoe| shoe.left() == 0);
        if is_empty && !law.is_continuous() {
            return Err(Reason::NoReplacement {}.under_some(law.cite(IrregularityKind::ShoeExhausted)));
        }
        Ok(())
    }
}

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
        Ruling::Adjust { adjustments: Vec::new() },
        Ruling::Stand {},
        Ruling::Void {},
    ];
    all.extend(lie.map(|order| Ruling::AsTheyLie { order }));
    let allowed = all.iter().filter(|ruling| allows(state, law, matter, &clause, ruling));
    let mut words: Vec<RulingWord> = allowed.map(Ruling::word).collect();
    words.dedup();
    words
}

/// What the rule book says about a matter.
pub(crate) fn clause(law: &Law, matter: &Matter) -> Clause {
    let Some(found) = law.irregularity(matter.kind) else {
        let (kind, cite) = (IrregularityKind::Uncovered, law.uncovered());
        let decides = Some(Post::ShiftManager);
        return Clause {
            kind,
            cite,
            remedy: Remedy::Ruling,
            decides,
            second_person: false,
            choice: None,
            shoe: None,
        };
    };
    // A wrong result that was noticed in time is corrected; who decides late matters is for late ones.
    let in_time = matter.holds && matter.kind == IrregularityKind::WrongResult && found.in_time.is_some();
    Clause {
        kind: found.kind,
        cite: found.cite.clone(),
        remedy: found.in_time.filter(|_| in_time).unwrap_or(found.remedy),
        decides: found.decides.filter(|_| !in_time),
        second_person: found.second_person && !in_time,
        choice: found.choice,
        shoe: found.shoe,
    }
}

pub(super) fn rule(
    draft: &mut Draft<'_>,
    no: MatterNo,
    ruling: &Ruling,
    replace_shoe: bool,
    reason: &Arc<str>,
    second: Option<&Person>,
) -> Decided {
    let matter = find(draft, no)?;
    // Cards that came out between Rounds are used in the order in which they came.
    let is_exposed = |it: &&Matter| it.holds && it.kind == IrregularityKind::ExcessOrExposedCard;
    if let Some(first) = draft.state.matters.iter().find(is_exposed)
        && matter.kind == IrregularityKind::ExcessOrExposedCard
        && first.no < matter.no
    {
        return Err(Reason::RulingPending { matter: first.no }.into());
    }
    let clause = clause(draft.law, &matter);
    let least = clause.least();
    if draft.by.post().is_none_or(|post| post < least) {
        return Err(Reason::NotPermitted { least: Some(least) }.under(&clause.cite));
    }
    has_reason(reason)?;
    // Money that moves after the fact takes two, whatever the matter.
    let takes_two = clause.second_person || matches!(ruling, Ruling::Adjust { .. });
    if takes_two
        && second.is_none_or(|second| Some(second) == draft.person() || second.as_str().trim().is_empty())
    {
        return Err(Reason::SecondPersonNeeded {}.under(&clause.cite));
    }
    if replace_shoe {
        clause.may_replace(&draft.state, draft.law)?;
    }
    carry_out(draft, &matter, &clause, ruling, reason, second)?;
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
    carry_out(draft, &matter, &clause, &ruling, &"by the rules".into(), None)
        .expect("the rules allow themselves");
    resume(draft);
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
) -> Decided {
    if !allows(&draft.state, draft.law, matter, clause, ruling) {
        return Err(Reason::RulingNotAllowed {}.under(&clause.cite));
    }
    let ordered = order(draft, matter, ruling)?;
    let choice = draft.state.round().is_some_and(|round| {
        let order = ordered.as_ref().map_or(&round.order, |(order, _)| order);
        offers(draft, clause, ruling, order)
    });
    // A wrong number that can be reconstructed is ruled as a card drawn in excess (5.8/5.7; electronic 5.4).
    let excess = draft.law.cite(IrregularityKind::ExcessOrExposedCard);
    let ruled_by = match (clause.kind, ruling, excess) {
        (IrregularityKind::WrongNumberOfCards, Ruling::Reconstruct {}, Some(excess)) => excess.clone(),
        (_, _, _) => clause.cite.clone(),
    };
    let corrected = correction::check(draft, matter, ruling)?;
    let undone = match (ruling, draft.state.last()) {
        (Ruling::Void {}, Some(last)) => correction::undo(draft, &last.lines)?,
        (_, Some(_) | None) => Vec::new(),
    };
    let misread = misread(draft, matter, ruling)?;
    draft.push(Event::Ruled {
        matter: matter.no,
        ruling: ruling.clone(),
        cite: ruled_by,
        choice: choice && !matches!(ruling, Ruling::Void {}),
        second: second.cloned(),
        reason: reason.clone(),
    });
    match ruling {
        Ruling::Void {} => void(draft, clause.kind, matter, undone),
        Ruling::Misread { .. } => read_anew(draft, misread),
        Ruling::Reconstruct {} | Ruling::AsTheyLie { .. } | Ruling::InOrder { .. } => {
            let (order, carried) = ordered.expect("an order was found");
            draft.push(Event::CardsOrdered { order, carried });
        }
        Ruling::Correct { .. } | Ruling::Adjust { .. } => {
            correction::carry_out(draft, corrected);
            cards::cut_card(draft);
        }
        Ruling::Continue {} | Ruling::Stand {} => {}
    }
    Ok(())
}

/// What the remedy of the rule book lets somebody decide here.
fn allows(state: &State, law: &Law, matter: &Matter, clause: &Clause, ruling: &Ruling) -> bool {
    // Only the house knows the cards of its own shoe; nobody says otherwise.
    let says_cards = matches!(ruling, Ruling::Correct { .. } | Ruling::Misread { card: Some(_) });
    if says_cards && law.settings.cards == Cards::Software {
        return false;
    }
    let round = state.round().filter(|round| round.matters().iter().any(|it| it.no == matter.no));
    // A card out of the shoe between Rounds can only be used in the next, or put aside.
    let Some(round) = round else {
        return match clause.remedy {
            Remedy::Reconstruct => matches!(ruling, Ruling::Reconstruct {} | Ruling::Stand {}),
            Remedy::Void => matches!(ruling, Ruling::Void {} | Ruling::Correct { .. } | Ruling::Stand {}),
            Remedy::CorrectToCards => matches!(ruling, Ruling::Correct { .. } | Ruling::Stand {}),
            Remedy::Ruling => matches!(ruling, Ruling::Adjust { .. } | Ruling::Stand {}),
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
            | Remedy::RuleOrder
            | Remedy::PatronsChoose
            | Remedy::Stand
            | Remedy::NoRefund => matches!(ruling, Ruling::Stand {}),
        };
    };
    let numbers_are_right = as_they_lie(&round.hands()).is_some();
    let may_lie = law.rulebook.conduct.patrons_choice.is_some();
    match clause.remedy {
        // INTERPRETATION 23: confirmed as void, or as a misread.
        Remedy::Void if clause.kind == IrregularityKind::WrongNumberOfCards => {
            matches!(ruling, Ruling::Void {} | Ruling::Reconstruct {})
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

type Ordered = Option<(Vec<Card>, Vec<Card>)>;

/// The order of the cards that a ruling fixes, and what it leaves over.
fn order(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Ordered, Rejection> {
    let Some(round) = draft.state.round() else {
        let Report::ExcessOrExposedCard { cards } = &matter.report else { return Ok(None) };
        let mut carried = draft.state.carried.clone();
        carried.extend(cards);
        return Ok(matches!(ruling, Ruling::Reconstruct {}).then_some((Vec::new(), carried)));
    };
    let split = |cards: &[Card]| {
        let (deal, surplus) = reconstruct(cards);
        (deal.drawn().collect(), surplus.to_vec())
    };
    match ruling {
        // 5.8/5.7: dealt again in the order of drawing, as ruled before; what is left over opens the next Round.
        Ruling::Reconstruct {} => Ok(Some(split(&round.order))),
        Ruling::InOrder { order } => {
            is_permutation(order, round)?;
            if let Report::SimultaneousDraw { cards, order_known } = &matter.report {
                is_about_these(order, round, matter.from, cards.len(), *order_known)?;
            }
            Ok(Some(split(order)))
        }
        Ruling::AsTheyLie { order } => {
            is_permutation(order, round)?;
            let (deal, surplus) = reconstruct(order);
            let hands = round.hands();
            let lie_so = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
            if !surplus.is_empty() || !lie_so {
                return Err(Reason::HandsDoNotLieSo {}.into());
            }
            Ok(Some((order.clone(), Vec::new())))
        }
        Ruling::Void {}
        | Ruling::Misread { .. }
        | Ruling::Continue {}
        | Ruling::Stand {}
        | Ruling::Correct { .. }
        | Ruling::Adjust { .. } => Ok(None),
    }
}

/// 5.11/5.10 (electronic 5.7): only which of the cards drawn together came first is open, and not if it was seen.
fn is_about_these(order: &[Card], round: &Round, from: usize, cards: usize, order_known: bool) -> Decided {
    let end = (from + cards).min(order.len());
    let start = end.saturating_sub(cards);
    let others_stay = order[..start] == round.order[..start] && order[end..] == round.order[end..];
    let is_known = !order_known || order[start..end] == round.order[start..end];
    if others_stay && is_known { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}

fn is_permutation(order: &[Card], round: &Round) -> Decided {
    let (ruled, out): (Composition, Composition) =
        (order.iter().copied().collect(), round.order.iter().copied().collect());
    if ruled == out { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}

/// An order of drawing that gives the Hands as they lie, if their numbers of cards are right.
pub(crate) fn as_they_lie(hands: &BySide<Vec<Card>>) -> Option<Vec<Card>> {
    let BySide { player, banker } = hands;
    let in_turn = (0..player.len().max(banker.len())).flat_map(|i| [player.get(i), banker.get(i)]);
    let order: Vec<Card> = in_turn.flatten().copied().collect();
    let (deal, surplus) = reconstruct(&order);
    let lie_so = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
    (surplus.is_empty() && lie_so && !order.is_empty()).then_some(order)
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

/// Voids the Round in play, or undoes the one just settled. Every bet goes back (5.16/5.15; electronic 5.11).
fn void(draft: &mut Draft<'_>, kind: IrregularityKind, matter: &Matter, changes: Vec<punto_record::Change>) {
    // Cards that cannot be reconstructed and leave a wrong number are a void cause of their own (5.5.3; electronic 5.3.3).
    let kind = if matches!(kind, IrregularityKind::ExcessOrExposedCard | IrregularityKind::WrongSide) {
        IrregularityKind::WrongNumberOfCards
    } else {
        kind
    };
    let cite = draft.law.cite(kind).cloned().unwrap_or_else(|| draft.uncovered());
    let round = draft.state.round().map_or(matter.round, |round| round.no);
    void_round(draft, round, kind, cite, changes);
    condemn(draft, kind, matter);
}

/// Puts the cards out of use, unless it is another set that was found at fault.
fn condemn(draft: &mut Draft<'_>, kind: IrregularityKind, matter: &Matter) {
    let counted = if let Report::ShortageOrExcess { shoe, .. } = &matter.report { *shoe } else { None };
    let in_use = draft.state.shoe.as_ref().map(|shoe| shoe.no);
    if counted.is_none() || counted == in_use {
        report::require_exchange(draft, kind);
    }
}

pub(super) fn void_round(
    draft: &mut Draft<'_>,
    round: punto_record::RoundNo,
    kind: IrregularityKind,
    cite: Cite,
    changes: Vec<punto_record::Change>,
) {
    let returns = draft.state.round().map_or_else(Vec::new, |round| round.wagers.returns(None));
    let returns_cite = draft.law.rulebook.conduct.void_returns.clone();
    let shoe_awaited = draft.state.round().is_some_and(|round| round.shoe_awaited);
    let also: Vec<Matter> = draft.state.round().map_or_else(Vec::new, |round| round.matters().to_vec());
    let given_back = returns.iter().map(|it| (it.patron, it.amount));
    let given_back: Vec<_> = given_back.chain(changes.iter().map(|it| (it.patron, it.paid))).collect();
    draft.push(Event::RoundVoided { round, kind, cite, returns_cite, returns, changes });
    settle::keep_for_those_away(draft, given_back);
    // Whatever the void was for, faulty cards that were found are out of use.
    for matter in also {
        condemn(draft, matter.kind, &matter);
    }
    if shoe_awaited {
        report::replace_before_next(draft);
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
    let Stage::Held { matters, choice, waiting, closes_at } = &round.stage else { return };
    if !matters.is_empty() {
        return;
    }
    // While bets are open everybody may withdraw; there is nothing to choose.
    let asked = match (choice, closes_at) {
        (_, Some(_)) => BTreeSet::new(),
        (true, None) => round.wagers.patrons(),
        // Nobody is asked again because of this matter; who had not answered still may.
        (false, None) => waiting.iter().copied().filter(|it| round.wagers.of(*it).next().is_some()).collect(),
    };
    if asked.is_empty() {
        draft.push(Event::PlayResumed {});
        cards::go_on(draft);
    } else {
        choices::offer(draft, asked.into_iter().collect());
    }
}
