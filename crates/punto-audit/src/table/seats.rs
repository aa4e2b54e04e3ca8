//! Who sits at which box, and so who is the Seated Player there: interpretation 39.

use punto_record::{BoxNo, Event};
use punto_rules::{PatronNo, Stance};

use super::Look;
use crate::finding::FindingKind;

impl Look<'_> {
    pub(super) fn take_seat(&mut self, patron: Option<PatronNo>, box_no: BoxNo) {
        self.is_box(box_no);
        let table = self.table;
        let patron = patron.or(self.newcomer);
        let Some(it) = patron else {
            self.say(FindingKind::NotOrdered, "somebody sat down and has no number");
            return;
        };
        if self.newcomer.is_some() {
            let known = table.books.knows(it) || self.has_bet(it);
            self.must(!known && self.law.is_chips(), FindingKind::WrongWager, "a newcomer who is known");
        }
        let is_free = !table.seats.contains_key(&box_no);
        self.must(is_free, FindingKind::WrongWager, "somebody sits at that box");
        let elsewhere = table.seats.values().any(|other| *other == it);
        self.must(!elsewhere, FindingKind::WrongWager, "one person sits at two boxes");
        self.must(!self.has_bet(it), FindingKind::WrongWager, "somebody sat down with a bet in the Round");
        self.due.push(Event::SeatTaken { patron: it, box_no });
    }

    pub(super) fn leave_seat(&mut self, box_no: BoxNo) {
        self.is_box(box_no);
        let Some(patron) = self.table.seats.get(&box_no).copied() else {
            self.say(FindingKind::WrongWager, "nobody sits at that box");
            return;
        };
        self.must(!self.has_bet(patron), FindingKind::WrongWager, "somebody got up with a bet in the Round");
        self.due.push(Event::SeatLeft { patron, box_no });
    }

    fn is_box(&mut self, BoxNo(no): BoxNo) {
        let is = self.law.settings.boxes.is_some_and(|boxes| (1..=boxes).contains(&no));
        self.must(is, FindingKind::WrongWager, "no such box at this table");
    }

    fn has_bet(&self, patron: PatronNo) -> bool {
        self.round().is_some_and(|round| round.of(patron).next().is_some())
    }

    /// How a patron bets at a box. The first release took it from the order.
    pub(super) fn stance(
        &mut self,
        patron: PatronNo,
        box_no: Option<BoxNo>,
        claimed: Option<Stance>,
    ) -> Option<Stance> {
        let box_no = match box_no {
            Some(box_no) if !self.first => box_no,
            Some(_) | None => return claimed,
        };
        let before = self.round().and_then(|round| {
            let mut own = round.of(patron).filter(|(key, _)| key.box_no == Some(box_no));
            own.find_map(|(_, standing)| standing.stance)
        });
        let sits = self.table.seats.get(&box_no) == Some(&patron);
        let stance = before.unwrap_or(if sits { Stance::Seated } else { Stance::Standing });
        let agrees = claimed.is_none_or(|claimed| claimed == stance);
        self.must(agrees, FindingKind::WrongWager, "a bet claimed to be Seated or Standing and is not");
        Some(stance)
    }
}
