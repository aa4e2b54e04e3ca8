//! Irregularities reported by people or found by the software. What the rules decide themselves is carried out at
//! once; what somebody must decide holds the Round.

use punto_record::{Event, MatterNo, Reason, Report, RoundNo, Ruling, Seen, Source};
use punto_rules::{BySide, Card, Cite, Composition, IrregularityKind, Remedy, ShoeAfter};

use super::clause::{by_reading, decides_in_time, is_not_named};
use super::reportable::{in_place, knows_cards};
use super::{Decided, bets, choices, claims, correction, has_reason, interruption, number, rule, wager};
use crate::draft::Draft;

/// More cards than this are not drawn by mistake at once.
pub(super) const MOST_AT_ONCE: usize = 12;

pub(super) fn report(draft: &mut Draft<'_>, report: &Report) -> Decided {
    in_place(&draft.state, draft.law, report.kind(), draft.by)?;
    if let Report::OtherDealingError { words }
    | Report::LateDiscovery { words, .. }
    | Report::BetPlacedInError { words, .. }
    | Report::WrongResult { words, .. }
    | Report::Uncovered { words } = report
    {
        has_reason(words)?;
    }
    match report {
        Report::TechnicalInterruption { cause } => interruption::interrupt(draft, *cause),
        // Found when the cards that are out are confirmed.
        Report::CardsInDispute { .. } => Err(Reason::NotInterrupted {}.into()),
        Report::LateBet { .. } => late_bet(draft, report),
        Report::WalkAway { patron } => {
            let stands = draft.state.round().is_some_and(|round| round.wagers.of(*patron).next().is_some());
            if !stands && draft.state.credits(*patron).is_zero() {
                return Err(Reason::NoSuchWager {}.under_some(draft.law.cite(IrregularityKind::WalkAway)));
            }
            match draft.law.cite(IrregularityKind::WalkAway).cloned() {
                Some(cite) => {
                    draft.push(Event::WalkedAway { patron: *patron, cite });
                    choices::walked_away(draft, *patron);
                }
                // What is registered plays; that somebody left is only noted.
                None => {
                    open(draft, report.clone(), false);
                }
            }
            Ok(())
        }
        Report::LateDiscovery { round, .. } => {
            is_late(draft, *round)?;
            // INTERPRETATION 50: the earlier Round stands where a paragraph says so; elsewhere it is left open.
            let clause = draft.law.irregularity(IrregularityKind::LateDiscovery);
            match clause.is_some_and(|it| it.remedy == Remedy::Stand) {
                true => stand(draft, report.clone()),
                false => drop(open(draft, report.clone(), false)),
            }
            Ok(())
        }
        // INTERPRETATION 42: the paragraph of the electronic game does not name errors made through the House.
        Report::BetPlacedInError { through: Some(_), .. } if is_not_named(draft.law, report) => {
            hold_or_note(draft, report.clone());
            Ok(())
        }
        // INTERPRETATION 10: no refund for a bet placed in error.
        Report::BetPlacedInError { .. } => {
            stand(draft, report.clone());
            Ok(())
        }
        Report::WrongResult { round, .. } => correction::report(draft, *round, report),
        // A wrong number reaches back to a settled Round until the next commences; no other cause does.
        Report::WrongNumberOfCards { .. } => number::report(draft, report),
        Report::ForeignCard { .. } | Report::ShortageOrExcess { .. } | Report::NotShuffled {} => {
            cards_at_fault(draft, report);
            Ok(())
        }
        Report::ExcessOrExposedCard { cards } if draft.state.round().is_none() => match cards[..] {
            [card] => {
                can_be_out(draft, cards)?;
                early(draft, &Seen::Card(card), Source::Keyed)
            }
            [] => Err(Reason::CardsDoNotAddUp {}.into()),
            [_, _, ..] => early_together(draft, cards, report),
        },
        Report::SimultaneousDraw { cards, places, .. } if draft.state.round().is_none() => {
            match (&cards[..], &places[..]) {
                ([_, _, ..], []) => early_together(draft, cards, report),
                (_, _) => Err(Reason::CardsDoNotAddUp {}.into()),
            }
        }
        Report::SimultaneousDraw { cards, places, .. } if !places.is_empty() => {
            came_together(draft, cards, places)?;
            hold(draft, report.clone());
            Ok(())
        }
        Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. } => {
            let together = matches!(report, Report::SimultaneousDraw { .. });
            out_of_turn(draft, cards, together)?;
            hold(draft, report.clone());
            if let (Some(extra), Some(_)) = (too_many(draft, cards), draft.state.round()) {
                hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None });
            }
            Ok(())
        }
        Report::WrongSide { hands } => {
            lie_so(draft, hands)?;
            hold(draft, report.clone());
            Ok(())
        }
        Report::FaceUp { cards } => {
            let cite = draft.law.cite(IrregularityKind::FaceUp);
            let covered = super::cards::covered(draft.round(), cards);
            let covered = covered.ok_or_else(|| Reason::CardNotYet {}.under_some(cite))?;
            super::cards::show(draft, covered);
            hold(draft, report.clone());
            Ok(())
        }
        Report::ShoeExhausted { left } => exhausted(draft, *left),
        Report::OtherDealingError { .. } => {
            hold(draft, report.clone());
            Ok(())
        }
        Report::Uncovered { .. } => {
            hold_or_note(draft, report.clone());
            Ok(())
        }
    }
}

/// Somebody looked into the device and counted: a Pit Supervisor or above decides (5.5.4; electronic 5.3.4).
// INTERPRETATION 38: with every kind of device. One that holds cards and does not deliver them is an interruption.
fn exhausted(draft: &mut Draft<'_>, left: Option<u16>) -> Decided {
    let cite = draft.law.cite(IrregularityKind::ShoeExhausted);
    let on_record = draft.state.shoe.as_ref().map_or(0, |shoe| shoe.left());
    let needed = draft.round().cards_needed();
    match left {
        Some(left) if left < needed => {
            open(draft, Report::ShoeExhausted { left: Some(left) }, true);
            Ok(())
        }
        Some(left) => Err(Reason::CardsLeft { left }.under_some(cite)),
        None => Err(Reason::CardsLeft { left: on_record }.under_some(cite)),
    }
}

/// Opens a matter that keeps play from going on until it is ruled; where nobody has to decide, rules it.
pub(super) fn hold(draft: &mut Draft<'_>, report: Report) {
    let (matter, kind) = open(draft, report, true);
    if draft.law.irregularity(kind).is_some_and(|it| it.decides.is_none()) {
        rule::by_the_rules(draft, matter);
    }
}

/// A matter in a Round holds it; between Rounds it waits beside play.
fn hold_or_note(draft: &mut Draft<'_>, report: Report) {
    let holds = draft.state.round().is_some();
    open(draft, report, holds);
}

/// Opens a matter about which nothing is done: what was settled stands.
pub(super) fn stand(draft: &mut Draft<'_>, report: Report) {
    let cite = draft.law.cite_in_time(report.kind(), false);
    stand_by(draft, report, cite);
}

fn stand_by(draft: &mut Draft<'_>, report: Report, cite: Option<Cite>) {
    let (matter, _) = open(draft, report, false);
    let cite = cite.unwrap_or_else(|| draft.uncovered());
    let (ruling, reason) = (Ruling::Stand {}, "by the rules".into());
    draft.push(Event::Ruled { matter, ruling, cite, choice: false, second: None, reason, departs: None });
}

pub(super) fn open(draft: &mut Draft<'_>, report: Report, holds: bool) -> (MatterNo, IrregularityKind) {
    // What the rule book does not name is a matter that it does not cover.
    let clause = draft.law.irregularity(report.kind());
    let kind = clause.map_or(IrregularityKind::Uncovered, |it| it.kind);
    let decides = clause.map_or(Some(punto_rules::Post::ShiftManager), |it| it.decides);
    let read = by_reading(draft.law, &report);
    let in_time = clause.filter(|_| holds).and_then(decides_in_time);
    let cite = match &read {
        Some((_, cite)) => cite.clone(),
        None => draft.law.cite_in_time(kind, in_time.is_some()).unwrap_or_else(|| draft.uncovered()),
    };
    // Between Rounds, only what is about the Round just played can have an outcome.
    let is_about_it = matches!(kind, IrregularityKind::WrongNumberOfCards | IrregularityKind::WrongResult);
    let just_played = draft.state.last().filter(|_| is_about_it).map_or(&[][..], |last| &last.drawn);
    let cards = draft.state.round().map_or(just_played, |round| &round.order);
    let established = !draft.law.established(cards, draft.placed()).is_empty();
    let discretion = number::discretion(draft.law, kind);
    let proposed = number::proposed(&report);
    // A wrong result that is noticed in time is only corrected; late ones move money after the fact.
    let second_person = clause.is_some_and(|it| it.second_person) && in_time.is_none();
    let decides = read.map(|(post, _)| post).or(in_time).or(decides);
    let matter = draft.state.matter_no.next();
    // What is noticed too late where every earlier Round stands claims nothing.
    let is_claim = holds || draft.law.earlier_rounds_stand().is_none();
    let money_until = is_claim.then(|| claims::until(draft, &report)).flatten();
    draft.push(Event::MatterOpened {
        matter,
        kind,
        report,
        holds,
        cite,
        decides,
        discretion,
        second_person,
        established,
        proposed,
        money_until,
    });
    (matter, kind)
}

/// Chips that came after "No more Bets" are refused and go back (5.7/5.6; electronic 3.7).
fn late_bet(draft: &mut Draft<'_>, report: &Report) -> Decided {
    let Report::LateBet { patron, box_no, bet, stake } = report else {
        unreachable!("asked for late bets only")
    };
    wager::bet_no(draft.law, bet)?;
    let cite = draft.law.cite(IrregularityKind::LateBet).cloned().unwrap_or_else(|| draft.uncovered());
    let (patron, box_no, bet, stake) = (*patron, *box_no, bet.clone(), *stake);
    draft.push(Event::LateBetRefused { patron, box_no, bet, stake, cite });
    Ok(())
}

// INTERPRETATION 27: an error noticed after the next Round commenced touches neither Round.
pub(super) fn is_late(draft: &Draft<'_>, round: RoundNo) -> Decided {
    if round == RoundNo(0) || round > draft.state.rounds {
        return Err(Reason::NoSuchRound {}.into());
    }
    // Once the table was closed, even its last Round is over for good.
    let is_over =
        round < draft.state.rounds || (draft.state.round().is_none() && draft.state.last().is_none());
    if is_over {
        Ok(())
    } else {
        Err(Reason::NotLate {}.under_some(draft.law.cite(IrregularityKind::LateDiscovery)))
    }
}

/// Foreign, missing, surplus or unshuffled cards: a Round in play waits for its void; a settled one stands, and the
/// cards must be exchanged.
// INTERPRETATION 23: once a Round is settled, only a wrong number of cards reaches back.
pub(super) fn cards_at_fault(draft: &mut Draft<'_>, report: &Report) {
    if draft.state.round().is_some() {
        hold(draft, report.clone());
    } else {
        earlier_rounds_stand(draft, report.clone());
        require_exchange(draft, report.kind());
    }
}

/// A replacement was ordered and the Round needed no more cards: it is due before the next one.
pub(super) fn replace_before_next(draft: &mut Draft<'_>) {
    let cite =
        draft.law.cite(IrregularityKind::SimultaneousDraw).cloned().unwrap_or_else(|| draft.uncovered());
    if let Some(shoe) = draft.state.shoe.as_ref().filter(|shoe| shoe.must_exchange.is_none()) {
        let shoe = shoe.no;
        draft.push(Event::ShoeExchangeRequired { shoe, cite });
    }
}

pub(super) fn earlier_rounds_stand(draft: &mut Draft<'_>, report: Report) {
    let cite = draft.law.rulebook.conduct.earlier_rounds_stand.clone();
    // INTERPRETATION 40: a paragraph about Rounds before the next one does not speak of the Round just settled.
    let void = draft.law.cite(report.kind());
    let with_void = |cite: &Cite| void.is_some_and(|it| it.paragraphs().any(|one| one == cite.as_str()));
    let speaks = draft.state.last().is_none() || cite.as_ref().is_none_or(with_void);
    stand_by(draft, report, if speaks { cite } else { Some(Cite::interpretation(23)) });
}

/// The shoe may not be used any more, where the rule book says so.
pub(super) fn require_exchange(draft: &mut Draft<'_>, kind: IrregularityKind) {
    let clause = draft.law.rulebook.irregularity(kind);
    if let (Some(shoe), Some(clause)) = (&draft.state.shoe, clause)
        && clause.shoe == Some(ShoeAfter::MustExchange)
        && shoe.must_exchange.is_none()
    {
        // INTERPRETATION 40: the documents void the Round; that the cards go out of use is a reading.
        let (shoe, cite) = (shoe.no, Cite::interpretation(23));
        draft.push(Event::ShoeExchangeRequired { shoe, cite });
    }
}

/// Cards that were drawn in excess, exposed or together come out of the shoe.
fn out_of_turn(draft: &mut Draft<'_>, cards: &[Card], together: bool) -> Decided {
    let round = draft.round();
    if round.shoe_awaited && !cards.is_empty() {
        return Err(Reason::ShoeAwaited {}.into());
    }
    let enough = if together { cards.len() >= 2 } else { !(cards.is_empty() && round.drawn.is_empty()) };
    can_be_out(draft, cards)?;
    if !enough {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    if !cards.is_empty() {
        bets::close_if_open(draft);
    }
    cards.iter().for_each(|card| out(draft, *card));
    Ok(())
}

/// A card that has left the shoe more often than it is in there.
// INTERPRETATION 23: the software stops on a card beyond its copies.
pub(super) fn too_many(draft: &Draft<'_>, cards: &[Card]) -> Option<Card> {
    let dealt = &draft.state.shoe.as_ref()?.dealt;
    // A continuous shuffler counts within the Round, carried cards too; a shoe has counted those before.
    let in_round = draft.state.round().filter(|_| draft.law.is_continuous());
    let carried = |card: Card| {
        let drawn = in_round.map_or(&[][..], |round| &round.drawn);
        drawn.iter().filter(|dealt| dealt.carried && dealt.seen == Seen::Card(card)).count()
    };
    let decks = usize::from(draft.law.settings.decks);
    cards.iter().copied().find(|card| usize::from(dealt.copies(*card)) + carried(*card) > decks)
}

pub(super) fn can_be_out(draft: &Draft<'_>, cards: &[Card]) -> Decided {
    if !cards.is_empty() && !knows_cards(draft.law, draft.by) {
        return Err(Reason::NotPermitted { least: None }.into());
    }
    let left = draft.state.shoe.as_ref().ok_or(Reason::NoShoe {})?.left();
    if cards.len() > left.into() {
        return Err(Reason::TooFewCards { left }.into());
    }
    if cards.len() > MOST_AT_ONCE { Err(Reason::CardsDoNotAddUp {}.into()) } else { Ok(()) }
}

pub(super) fn out(draft: &mut Draft<'_>, card: Card) {
    let covered = false;
    draft.push(Event::CardDrawn { card: Seen::Card(card), side: None, source: Source::Keyed, covered });
    super::cards::cut_card(draft);
}

/// A card out of the shoe while no Round is in play: exposed, and to be used in the next Round.
pub(super) fn early(draft: &mut Draft<'_>, card: &Seen, source: Source) -> Decided {
    match card {
        Seen::Card(card) => {
            draft.push(Event::CardDrawn { card: Seen::Card(*card), side: None, source, covered: false });
            super::cards::cut_card(draft);
            match too_many(draft, &[*card]) {
                Some(extra) => cards_at_fault(
                    draft,
                    &Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None },
                ),
                None => hold(draft, Report::ExcessOrExposedCard { cards: vec![*card] }),
            }
            Ok(())
        }
        Seen::Foreign(what) => {
            cards_at_fault(draft, &Report::ForeignCard { card: what.clone() });
            Ok(())
        }
        Seen::Unreadable | Seen::Covered => Err(Reason::CardUnread {}.into()),
    }
}

/// Several cards out of the shoe at once between Rounds: in which order they are used is ruled.
fn early_together(draft: &mut Draft<'_>, cards: &[Card], report: &Report) -> Decided {
    can_be_out(draft, cards)?;
    cards.iter().for_each(|card| out(draft, *card));
    match too_many(draft, cards) {
        Some(extra) => cards_at_fault(
            draft,
            &Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None },
        ),
        None => hold(draft, report.clone()),
    }
    Ok(())
}

/// Cards that were recorded can have left the shoe together: they are of this Round, of one shoe, one behind the other.
fn came_together(draft: &Draft<'_>, cards: &[Card], places: &[u16]) -> Decided {
    let drawn = &draft.round().drawn;
    let is_drawn = |place: &u16| {
        let dealt = usize::from(*place).checked_sub(1).and_then(|at| drawn.get(at));
        dealt.filter(|dealt| !dealt.carried && dealt.seen.card().is_some()).map(|dealt| dealt.shoe)
    };
    let shoes: Option<Vec<_>> = places.iter().map(is_drawn).collect();
    let of_one = shoes.is_some_and(|shoes| shoes.windows(2).all(|two| two[0] == two[1]));
    let in_a_row = places.windows(2).all(|two| two[0].checked_add(1) == Some(two[1]));
    match cards.is_empty() && places.len() >= 2 && of_one && in_a_row {
        true => Ok(()),
        false => Err(Reason::CardsDoNotAddUp {}.into()),
    }
}

/// The Hands as they lie hold exactly the cards that are out.
fn lie_so(draft: &Draft<'_>, hands: &BySide<Vec<Card>>) -> Decided {
    let round = draft.round();
    let lying: Composition = hands.player.iter().chain(&hands.banker).copied().collect();
    let out: Composition = round.cards().into_iter().collect();
    if lying == out && !out.is_empty() { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}
