//! A wrong number of cards is shown by the cards: in drawing order, each with its one place.

use punto_record::{Actor, Command, Entry, Event, Report, Ruling};
use punto_rules::{BySide, Card, IrregularityKind, Side, reconstruct};

use super::felt::Felt;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 32;

/// No report without every card, no void where the numbers are right, nothing that stands.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let is_number = |kind: &IrregularityKind| *kind == IrregularityKind::WrongNumberOfCards;
    let concerns = |event: &Event| {
        matches!(event, Event::MatterOpened { .. } | Event::Ruled { .. } | Event::RoundVoided { .. })
    };
    if !entry.events.iter().any(concerns) {
        return;
    }
    let mut felt = past.felt.clone();
    for event in &entry.events {
        if let Event::MatterOpened { kind, report, .. } = event
            && is_number(kind)
        {
            reported(past, &felt, entry, report, out);
        }
        if let Event::Ruled { matter, ruling, .. } = event
            && past.matters.get(matter).is_some_and(|it| is_number(&it.kind))
        {
            let put_right =
                matches!(ruling, Ruling::Reconstruct {} | Ruling::Correct { .. } | Ruling::Void {});
            out.interpreted(NO, put_right, "a wrong number of cards was left as it was");
        }
        if let Event::RoundVoided { kind, .. } = event
            && is_number(kind)
        {
            let lying = past.round.as_ref().map(|_| felt.lying());
            let lying = lying.or_else(|| said(past, entry)).unwrap_or_default();
            let wrong = is_wrong(&felt.counting(), &lying);
            out.interpreted(NO, wrong, "void for a wrong number of cards, and the numbers were right");
        }
        felt.learn(event);
    }
}

fn reported(past: &Past, felt: &Felt, entry: &Entry, report: &Report, out: &mut Findings) {
    let by_person = entry.order.by != Actor::House && past.is_software();
    out.interpreted(NO, !by_person, "a claim about the cards of a software shoe was taken as a report");
    let Report::WrongNumberOfCards { hands, neither, .. } = report else { return };
    let sorted = |mut cards: Vec<Card>| {
        cards.sort_unstable();
        cards
    };
    let placed = sorted([&hands.player[..], &hands.banker, neither].concat());
    let all = !placed.is_empty() && placed == sorted(felt.recorded());
    out.interpreted(NO, all, "not every card on record has its one place in the report");
    let lying = BySide::from_fn(|side| hands[side].len());
    let wrong = is_wrong(&felt.counting(), &lying);
    out.interpreted(NO, wrong, "reported as a wrong number of cards, and the numbers were right");
}

/// How the cards lay by the report that is ruled on.
fn said(past: &Past, entry: &Entry) -> Option<BySide<usize>> {
    let Command::Rule { matter, .. } = &entry.order.command else { return None };
    let Report::WrongNumberOfCards { hands, .. } = &past.matters.get(matter)?.report else { return None };
    Some(BySide::from_fn(|side| hands[side].len()))
}

fn is_wrong(order: &[Card], lying: &BySide<usize>) -> bool {
    let (deal, _) = reconstruct(order);
    Side::BOTH.into_iter().any(|side| deal.hands()[side].cards().len() != lying[side])
}
