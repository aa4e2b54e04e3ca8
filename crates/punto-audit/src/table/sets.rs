//! Sets of cards: taken out of use, counted, revealed.

use punto_record::{Event, ShoeNo, commitment};
use punto_rules::{Card, Composition, IrregularityKind, Post};

use super::Look;
use super::dues::{Next, Then};
use super::round::Matter;
use super::shoe::{Copies, Shoe};
use crate::finding::FindingKind;

/// Surplus cards that a report names; the count has them all.
const MOST_NAMED: usize = 520;

impl Look<'_> {
    /// The shoe in use, before its first card.
    pub(super) fn unstarted(&mut self) -> ShoeNo {
        self.between();
        let holds = self.table.shoe.as_ref().is_some_and(|shoe| !shoe.is_started());
        self.in_turn(holds, "no shoe, or cards of it were dealt or burnt");
        self.shoe_no()
    }

    pub(super) fn shoe_no(&self) -> ShoeNo {
        self.table.shoe.as_ref().map_or(self.table.shoes, |shoe| shoe.no)
    }

    /// A shoe is taken out of use; carried cards are dropped with it (interpretation 24).
    pub(super) fn change_shoe(&mut self, reason: &std::sync::Arc<str>) {
        self.reason(reason);
        let table = self.table;
        self.in_turn(table.shoe.is_some(), "no shoe is in use");
        let waits = |it: &Matter| it.holds && it.kind == IrregularityKind::ExcessOrExposedCard;
        let card_waits = table.round.is_none() && table.matters.iter().any(waits);
        self.in_turn(!card_waits, "a card that is out waits for a ruling");
        let is_due = |shoe: &Shoe| shoe.must_exchange.is_some() || shoe.cut_card_out;
        let dropped = !table.carried.is_empty() && !table.shoe.as_ref().is_none_or(is_due);
        if let (true, Some(post)) = (dropped, self.order.by.post()) {
            let decide = !table.carried_ruled && self.law.decides(&table.carried);
            let least = if decide { Post::ShiftManager } else { Post::PitSupervisor };
            self.must(
                post >= least,
                FindingKind::NotPermitted,
                "carried cards are not for this post to drop",
            );
        }
        self.discard_carried();
        self.due.push(Event::ShoeRetired { shoe: self.shoe_no(), reason: reason.clone() });
    }

    pub(super) fn discard_carried(&mut self) {
        let cards = self.round().map_or(&self.table.carried[..], |round| round.left_over()).to_vec();
        if !cards.is_empty() {
            self.due.push(Event::CarriedCardsDiscarded { cards });
        }
    }

    /// Dealt, discarded and left make the decks, card by card; what does not is missing or too many.
    pub(super) fn reconcile(&mut self, no: ShoeNo, left: &Composition, discarded: &Composition) {
        let Some(shoe) = self.table.retired.iter().find(|it| it.no == no && !it.reconciled) else {
            self.say(FindingKind::WrongCount, "a shoe was counted that is not there to be counted");
            return;
        };
        let decks = u32::from(shoe.cards) / Card::KINDS as u32;
        let (mut missing, mut extra) = (Composition::EMPTY, Composition::EMPTY);
        let most = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
        for card in Card::all() {
            let counted = u32::from(left.copies(card)) + u32::from(discarded.copies(card));
            let there = shoe.dealt.get(card).saturating_add(counted);
            missing.set(card, most(decks.saturating_sub(there)));
            extra.set(card, most(there.saturating_sub(decks)));
        }
        let is_sound = missing.is_empty() && extra.is_empty();
        // A fault that was found while the set was in use is no news.
        if shoe.drawn > 0 && shoe.must_exchange.is_none() && !is_sound {
            let report = punto_record::Report::ShortageOrExcess {
                missing: missing.cards().collect(),
                extra: extra.cards().take(MOST_NAMED).collect(),
                shoe: Some(no),
            };
            let in_play = self.round().is_some_and(|it| it.drawn.iter().any(|dealt| dealt.shoe == no));
            let stands = self.earlier_rounds_stand(IrregularityKind::ShortageOrExcess);
            let then = if in_play { Then::Ruled } else { Then::Stands(stands) };
            self.due.then(Next::Open { report, holds: in_play, then });
        }
        let (missing, extra) = (Box::new(missing), Box::new(extra));
        self.due.push(Event::ShoeReconciled { shoe: no, missing, extra });
    }

    /// The order of a software shoe is the one it was committed to, and the cards dealt are the first behind the burn.
    pub(super) fn reveal(&mut self, no: ShoeNo, salt: &[u8], cards: &[Card]) {
        let shoe = self.table.retired.iter().find(|it| it.no == no);
        let Some((shoe, committed)) = shoe.and_then(|shoe| Some((shoe, shoe.commitment?))) else {
            self.say(FindingKind::WrongOrder, "a shoe was revealed that is not there to be revealed");
            return;
        };
        let decks = u32::from(shoe.cards) / Card::KINDS as u32;
        let full = Copies::of(cards).is_full(decks);
        let behind = usize::try_from(shoe.burnt).ok().and_then(|burnt| cards.get(burnt..));
        let dealt = behind.is_some_and(|rest| rest.starts_with(&shoe.sequence));
        let shown = shoe.burnt_shown.is_none() || shoe.burnt_shown == cards.first().copied();
        let true_to_it = commitment(salt, cards) == committed;
        self.must(
            true_to_it,
            FindingKind::WrongOrder,
            "this is not the order that the shoe was committed to",
        );
        self.must(full, FindingKind::WrongOrder, "the revealed cards are no full set");
        self.must(dealt && shown, FindingKind::WrongOrder, "other cards were dealt or burnt than lay there");
    }
}
