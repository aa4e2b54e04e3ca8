//! What people report, rule and choose when something goes wrong.

use std::sync::Arc;

use punto_record::{Cards, Cause, MatterNo, Report, RoundNo, Ruling, Seen};
use punto_rules::{BySide, Card, IrregularityKind, Side, Step, reconstruct};
use punto_table::Matter;

use super::Scene;

/// What people say was the cause. That the order of a shoe is lost, only the house can say.
pub(super) const CAUSES: [Cause; 7] = [
    Cause::Power,
    Cause::Software,
    Cause::Device,
    Cause::Fire,
    Cause::MedicalEmergency,
    Cause::Evacuation,
    Cause::Other,
];

impl Scene<'_> {
    fn out(&self) -> Vec<Card> {
        self.round().map_or_else(Vec::new, |round| round.cards())
    }

    pub(crate) fn round_no(&mut self) -> RoundNo {
        let RoundNo(last) = self.table.state().rounds;
        RoundNo(match self.dice.below(10) {
            0..6 => last,
            6..9 => last.saturating_sub(1),
            _ => last + 1,
        })
    }

    fn hands(&mut self) -> BySide<Vec<Card>> {
        let out = self.out();
        let mut hands = BySide { player: Vec::new(), banker: Vec::new() };
        let swap = self.dice.chance(30);
        for (i, card) in out.into_iter().enumerate() {
            let side = if (i % 2 == 0) == swap { Side::Banker } else { Side::Player };
            let side = if self.dice.chance(15) { side.other() } else { side };
            match side {
                Side::Player => hands.player.push(card),
                Side::Banker => hands.banker.push(card),
            }
        }
        hands
    }

    /// A Hand with a card too many or too few: every card has its place, and one may have come unread.
    fn wrong_number(&mut self) -> Report {
        let mut recorded = match self.round() {
            Some(_) => self.out(),
            None => {
                let state = self.table.state();
                let settled = state.last().map_or(&[][..], |last| &last.drawn);
                [settled, &state.carried].concat()
            }
        };
        let unread = if self.dice.chance(30) { self.slipped(1) } else { Vec::new() };
        recorded.extend(&unread);
        let (mut hands, mut neither) = (BySide { player: Vec::new(), banker: Vec::new() }, Vec::new());
        for (i, card) in recorded.into_iter().enumerate() {
            match self.dice.below(if i < 4 { 12 } else { 4 }) {
                0 => neither.push(card),
                1 => hands.player.push(card),
                2 => hands.banker.push(card),
                _ if i % 2 == 0 => hands.player.push(card),
                _ => hands.banker.push(card),
            }
        }
        Report::WrongNumberOfCards { hands, neither, unread }
    }

    /// Two cards left the shoe together: as they come out, or noticed when they lie there.
    fn together(&mut self) -> Report {
        let order_known = self.dice.chance(50);
        let drawn = self.out().len() as u16;
        match drawn > 1 && self.dice.chance(50) {
            true => {
                let first = 1 + self.dice.below(usize::from(drawn) - 1) as u16;
                Report::SimultaneousDraw { cards: vec![], places: vec![first, first + 1], order_known }
            }
            false => Report::SimultaneousDraw { cards: self.slipped(2), places: vec![], order_known },
        }
    }

    /// Cards that slipped out of the shoe.
    fn slipped(&mut self, count: usize) -> Vec<Card> {
        match self.is_software() {
            true => self.committed(count),
            false => self.station.felt.take(count),
        }
    }

    pub(crate) fn is_software(&self) -> bool {
        self.table.law().is_some_and(|law| law.settings.cards == Cards::Software)
    }

    /// The cards that a software shoe has next.
    pub(crate) fn committed(&self, count: usize) -> Vec<Card> {
        let shoe = self.table.state().shoe.as_ref();
        let secret = shoe.and_then(|shoe| {
            let (_, cards) = self.station.felt.secret(shoe.commitment.as_ref()?)?;
            Some(
                cards
                    .iter()
                    .skip(usize::from(shoe.burnt) + shoe.sequence.len())
                    .copied()
                    .take(count)
                    .collect(),
            )
        });
        secret.unwrap_or_default()
    }

    /// Whether the Round before was settled by other cards than those that lay there.
    fn was_misread(&self) -> bool {
        let last = self.table.state().last().filter(|last| last.result.is_some());
        last.is_some_and(|last| {
            last.drawn != self.station.felt.last()[..last.drawn.len().min(self.station.felt.last().len())]
        })
    }

    pub(crate) fn report(&mut self) -> Report {
        let words: Arc<str> = "noticed".into();
        if self.was_misread() && self.dice.chance(70) {
            return Report::WrongResult { round: self.table.state().rounds, words };
        }
        match self.dice.below(20) {
            0 => {
                Report::TechnicalInterruption { cause: self.dice.chance(50).then(|| self.dice.pick(&CAUSES)) }
            }
            1 => Report::ForeignCard { card: "joker".into() },
            2 => {
                let missing = vec![Card::from_index(self.dice.below(Card::KINDS))];
                Report::ShortageOrExcess { missing, extra: vec![], shoe: None }
            }
            3 => self.wrong_number(),
            4 | 5 => {
                let (patron, bet) = (self.patron(), self.bet());
                let (box_no, _) = self.boxed();
                Report::LateBet { patron, box_no, stake: self.stake(&bet), bet }
            }
            6 => Report::NotShuffled {},
            7 | 8 => {
                let count = self.dice.below(3);
                Report::ExcessOrExposedCard { cards: self.slipped(count) }
            }
            9 => Report::WrongSide { hands: self.hands() },
            10 | 11 => Report::FaceUp { cards: vec![] },
            12 => self.together(),
            13 => Report::OtherDealingError { words },
            14 => Report::LateDiscovery { round: self.round_no(), words },
            15 => {
                let through = self.dice.chance(40).then(|| "p-3".into());
                Report::BetPlacedInError { patron: self.patron(), words, through }
            }
            16 => Report::WrongResult { round: self.round_no(), words },
            17 => Report::WalkAway { patron: self.patron() },
            18 => Report::ShoeExhausted { left: Some(self.dice.below(2) as u16) },
            _ => Report::Uncovered { words },
        }
    }

    pub(crate) fn matter(&self, no: MatterNo) -> Option<&Matter> {
        let held = self.round().map_or(&[][..], |round| round.matters());
        held.iter().chain(&self.table.state().matters).find(|matter| matter.no == no)
    }

    pub(crate) fn matter_no(&mut self) -> MatterNo {
        let held = self.round().map_or(&[][..], |round| round.matters());
        let open: Vec<MatterNo> =
            held.iter().chain(&self.table.state().matters).map(|matter| matter.no).collect();
        if open.is_empty() || self.dice.chance(1) {
            return MatterNo(self.dice.below(9) as u32);
        }
        self.dice.pick(&open)
    }

    /// The cards that are out, in an order in which the Hands lie as they do, if there is one.
    fn as_they_lie(&self) -> Vec<Card> {
        let Some(round) = self.round() else { return Vec::new() };
        let BySide { player, banker } = round.hands();
        let most = player.len().max(banker.len());
        (0..most).flat_map(|i| [player.get(i).copied(), banker.get(i).copied()]).flatten().collect()
    }

    /// What a correction should be made to: the cards that truly lay there, where they make a Round.
    fn true_cards(&mut self) -> Vec<Card> {
        let truth = match self.round() {
            Some(_) => self.station.felt.lying(),
            None => self.station.felt.last().to_vec(),
        };
        let (deal, _) = reconstruct(&truth);
        let mut cards: Vec<Card> = deal.drawn().collect();
        while self.round().is_none()
            && let Step::Draw(_) = reconstruct(&cards).0.step()
        {
            cards.push(Card::from_index(self.dice.below(Card::KINDS)));
        }
        cards
    }

    pub(crate) fn ruling(&mut self, no: MatterNo) -> Ruling {
        use IrregularityKind as Of;
        let in_play = self.round().is_some();
        // What lies on the felt; now and then what was read is believed all the same.
        if let Some(Report::CardsInDispute { read, confirmed, .. }) =
            self.matter(no).map(|it| it.report.clone())
        {
            let cards = read.iter().map(Seen::card).collect::<Option<Vec<Card>>>();
            let cards = cards.filter(|_| self.dice.chance(20)).unwrap_or(confirmed);
            return Ruling::Correct { cards };
        }
        let kind = self.matter(no).map(|matter| matter.kind);
        let fits = match kind {
            Some(Of::ForeignCard | Of::ShortageOrExcess | Of::NotShuffled) => self.dice.below(2),
            Some(Of::WrongNumberOfCards) if in_play => self.dice.pick(&[0, 2]),
            Some(Of::WrongNumberOfCards) => self.dice.pick(&[0, 2, 7]),
            Some(Of::ExcessOrExposedCard | Of::WrongSide) if in_play => self.dice.pick(&[2, 2, 3, 0]),
            Some(Of::ExcessOrExposedCard) => self.dice.pick(&[2, 4]),
            Some(Of::WrongSide) => 6,
            Some(Of::ShoeExhausted) if self.dice.chance(50) => return Ruling::Misread { card: None },
            Some(Of::ShoeExhausted) => 0,
            Some(Of::SimultaneousDraw) => 4,
            Some(Of::OtherDealingError | Of::FaceUp) => self.dice.pick(&[5, 2, 3]),
            Some(Of::WrongResult) if in_play => self.dice.pick(&[5, 7]),
            Some(Of::WrongResult) => self.dice.pick(&[6, 7, 7, 8]),
            Some(Of::Uncovered) if in_play => self.dice.pick(&[5, 0, 2, 4]),
            Some(
                Of::Uncovered
                | Of::OverDifferential
                | Of::UnderMinimum
                | Of::WalkAway
                | Of::TechnicalInterruption
                | Of::TerminalInterruption
                | Of::LateBet
                | Of::LateDiscovery
                | Of::BetPlacedInError,
            ) => self.dice.pick(&[6, 8]),
            None => self.dice.below(9),
        };
        let fits = if self.dice.chance(4) { self.dice.below(9) } else { fits };
        match fits {
            0 => Ruling::Void {},
            1 => self.misread(),
            2 => Ruling::Reconstruct {},
            3 => Ruling::AsTheyLie { order: self.as_they_lie() },
            4 => {
                let mut order = self.round().map_or_else(|| self.waiting(no), |round| round.order.clone());
                if let (true, [.., _, _]) = (self.dice.chance(30), order.as_slice()) {
                    let last = order.len() - 1;
                    order.swap(last, last - 1);
                }
                Ruling::InOrder { order }
            }
            5 => Ruling::Continue {},
            6 => Ruling::Stand {},
            7 => Ruling::Correct { cards: self.true_cards() },
            _ => {
                let cards = if self.is_software() { Vec::new() } else { self.true_cards() };
                Ruling::Adjust { adjustments: Vec::new(), round: None, cards }
            }
        }
    }

    /// Cards that open the next Round, those of this matter last.
    fn waiting(&self, no: MatterNo) -> Vec<Card> {
        let report = self.matter(no).map(|matter| &matter.report);
        let exposed = match report {
            Some(Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. }) => {
                &cards[..]
            }
            Some(_) | None => &[],
        };
        [&self.table.state().carried, exposed].concat()
    }

    /// The last card was taken for another: what it truly is.
    fn misread(&mut self) -> Ruling {
        let drawn = self.round().map_or(0, |round| round.drawn.len());
        let truth = drawn.checked_sub(1).and_then(|last| self.station.felt.truth(last));
        Ruling::Misread { card: truth.filter(|_| !self.is_software()) }
    }
}
