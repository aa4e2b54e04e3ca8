//! The moves that events are made of: stakes, cards, matters, settlements.

use punto_record::{Return, RoundNo, Seen, SettledLine, ShoeNo, Source};
use punto_rules::{Card, Money, PatronNo, Side, Stance};

use super::books::amount;
use super::round::{Dealt, Key, Last, Matter, Stage};
use super::shoe::Copies;
use super::{Kind, Table};

impl Table {
    pub(super) fn drop_carried(&mut self) {
        self.carried.clear();
        self.carried_ruled = false;
    }

    /// Who bets again has not walked away.
    pub(super) fn is_back(&mut self, patron: PatronNo) {
        if self.books.account(patron).away {
            self.books.change(patron, |account| account.away = false);
        }
    }

    pub(super) fn stake(&mut self, key: Key, stance: Option<Stance>, side: Option<Side>, stake: Money) {
        let patron = key.patron;
        let Some(round) = &mut self.round else { return };
        if !round.add(key, stance, side, stake) {
            return;
        }
        self.books.felt += amount(stake);
        if self.kind.chips {
            self.books.received += amount(stake);
        } else {
            self.books.change(patron, |account| account.credits -= amount(stake));
        }
    }

    pub(super) fn unstake(&mut self, key: &Key, back: Money) {
        let Some(round) = &mut self.round else { return };
        let taken = round.take(key, back);
        self.books.felt -= amount(taken);
        self.books.pay(self.kind.chips, key.patron, back);
    }

    pub(super) fn set_stake(&mut self, key: Key, stance: Stance, side: Option<Side>, stake: Money) {
        let before = self.round.as_ref().map_or(Money::ZERO, |round| round.stake(&key));
        if stake > before {
            self.stake(key, Some(stance), side, stake.less(before));
        } else {
            self.unstake(&key, before.less(stake));
        }
    }

    pub(super) fn give_back(&mut self, returns: &[Return]) {
        for Return { patron, box_no, bet, amount, .. } in returns {
            self.unstake(&Key { patron: *patron, box_no: *box_no, bet: bet.clone() }, *amount);
        }
    }

    pub(super) fn draw(&mut self, card: &Seen, side: Option<Side>, source: Source, covered: bool) {
        let carried = source == Source::Carried;
        if let (false, Some(shoe)) = (carried, &mut self.shoe) {
            shoe.draw(card.card());
        }
        let shoe = self.shoe.as_ref().map_or(self.shoes, |shoe| shoe.no);
        let Some(round) = &mut self.round else { return };
        let keyed = source == Source::Keyed;
        let correctable = keyed && card.card().is_some();
        round.drawn.push(Dealt { seen: card.clone(), side, covered, shoe, carried, keyed, correctable });
        match card {
            Seen::Card(card) => round.order.push(*card),
            Seen::Unreadable => round.stage = Stage::Unread,
            Seen::Foreign(_) | Seen::Covered => {}
        }
        if round.stage == Stage::Confirming {
            round.stage = Stage::Dealing;
        }
    }

    pub(super) fn misread(&mut self, at: u16, card: Card) {
        let Some(round) = &mut self.round else { return };
        let place = usize::from(at).wrapping_sub(1);
        let Some(dealt) = round.drawn.get_mut(place) else { return };
        let was = std::mem::replace(&mut dealt.seen, Seen::Card(card)).card();
        let before = round.drawn[..place].iter().filter(|dealt| dealt.seen.card().is_some()).count();
        if was.is_none() {
            // It has a place among the cards now; what came after it moves up.
            round.held.iter_mut().filter(|it| it.from >= before).for_each(|it| it.from += 1);
        }
        if let Some(shoe) = &mut self.shoe {
            shoe.undraw(was);
            shoe.draw(Some(card));
        }
    }

    pub(super) fn keyed_anew(&mut self, at: u16, card: Card) {
        let Some(round) = &mut self.round else { return };
        let place = usize::from(at).wrapping_sub(1);
        let Some(dealt) = round.drawn.get_mut(place) else { return };
        let was = std::mem::replace(&mut dealt.seen, Seen::Card(card)).card();
        let after = round.drawn[place..].iter().filter(|dealt| dealt.seen.card().is_some()).count();
        let in_order = round.order.len().checked_sub(after);
        if let Some(it) = in_order.and_then(|place| round.order.get_mut(place)) {
            *it = card;
        }
        if round.stage == Stage::Confirming {
            round.stage = Stage::Dealing;
        }
        if let Some(shoe) = &mut self.shoe {
            shoe.undraw(was);
            shoe.draw(Some(card));
        }
    }

    /// The cards that are out, said anew. What is no card of the set stays where it lies.
    pub(super) fn confirm_cards(&mut self, cards: &[Card]) {
        let Kind { continuous, face_down: covered, .. } = self.kind;
        let Some(round) = &mut self.round else { return };
        let before = std::mem::take(&mut round.drawn);
        let shoe = round.shoe;
        let recorded: Vec<Card> = before.iter().filter_map(|dealt| dealt.seen.card()).collect();
        let is_read = before.iter().all(|dealt| dealt.seen != Seen::Unreadable);
        let mut rest = cards.iter();
        for dealt in &before {
            if let Seen::Foreign(_) = dealt.seen {
                round.drawn.push(dealt.clone());
            } else if let Some(card) = rest.next() {
                round.drawn.push(Dealt { seen: Seen::Card(*card), correctable: false, ..dealt.clone() });
            }
        }
        let (side, carried, keyed, correctable) = (None, false, true, false);
        let new =
            |card: &Card| Dealt { seen: Seen::Card(*card), side, covered, shoe, carried, keyed, correctable };
        round.drawn.extend(rest.map(new));
        // What was ruled about the order of cards that are confirmed stays ruled.
        match cards.strip_prefix(recorded.as_slice()) {
            Some(more) if is_read => round.order.extend_from_slice(more),
            Some(_) | None => round.order = cards.to_vec(),
        }
        if round.drawn.iter().any(|dealt| dealt.side.is_none()) {
            round.lay_in_order();
        }
        // A carried card was counted when it left the shoe; a continuous shuffler has it back already.
        let counted = |dealt: &&Dealt| dealt.shoe == shoe && !(dealt.carried && continuous);
        if let Some(in_use) = &mut self.shoe {
            before.iter().filter(counted).for_each(|dealt| in_use.undraw(dealt.seen.card()));
            round.drawn.iter().filter(counted).for_each(|dealt| in_use.draw(dealt.seen.card()));
        }
    }

    /// A corrected Round had other cards: its set counts them.
    pub(super) fn exchange_cards(&mut self, shoe: ShoeNo, before: &[Card], after: &[Card]) {
        let in_use = self.shoe.as_mut().filter(|it| it.no == shoe);
        let is_in_use = in_use.is_some();
        let Some(set) = in_use.or(self.retired.iter_mut().find(|it| it.no == shoe)) else { return };
        // A continuous shuffler has them back already.
        if !set.dealt.holds(&Copies::of(before)) {
            return;
        }
        before.iter().for_each(|card| set.dealt.remove(*card));
        after.iter().for_each(|card| set.dealt.add(*card));
        if is_in_use {
            let (less, more) = (before.len() as u32, after.len() as u32);
            set.drawn = set.drawn.saturating_add(more).saturating_sub(less);
        }
    }

    pub(super) fn open_matter(&mut self, matter: Matter) {
        let Some(round) = self.round.as_mut().filter(|_| matter.holds) else {
            self.matters.push(matter);
            return;
        };
        if round.stage != Stage::Held {
            if round.stage != Stage::Choosing {
                round.waiting.clear();
            }
            round.choice = false;
            round.stage = Stage::Held;
        }
        round.held.push(matter);
    }

    pub(super) fn settle(&mut self, no: RoundNo, drawn: &[Card], lines: &[SettledLine], house: i64) {
        for line in lines {
            self.books.pay(self.kind.chips, line.patron, line.to_patron);
        }
        self.books.win(self.kind.chips, house.into());
        let shoe = self.round.as_ref().map_or(self.shoes, |round| round.shoe);
        if let Some(round) = self.round.take() {
            self.books.felt -= round.total();
            self.carried = round.order.get(drawn.len()..).unwrap_or(&[]).to_vec();
            self.carried_ruled = false;
        }
        let (lines, drawn) = (lines.to_vec(), drawn.to_vec());
        self.last = Some(Last { no, settled: true, lines, house, drawn, shoe });
        self.take_cards_back();
    }

    /// A continuous shuffler takes the cards of a Round back at once (interpretation 7).
    pub(super) fn take_cards_back(&mut self) {
        if let (true, Some(shoe)) = (self.kind.continuous, &mut self.shoe) {
            (shoe.dealt, shoe.drawn) = (Copies::NONE, 0);
        }
    }
}
