//! What events do to the cards of a Round and of its shoe.

use punto_record::{Seen, ShoeNo, Source};
use punto_rules::{Card, Composition, Side};

use crate::round::{Dealt, Stage};
use crate::state::{Phase, State};

impl State {
    pub(super) fn draw(&mut self, card: &Seen, side: Option<Side>, source: Source, covered: bool) {
        let shoe = match source {
            Source::Carried => self.shoe.as_ref().expect("a shoe in use").no,
            Source::Read | Source::Keyed => {
                self.shoe_in_use().draw(card.card());
                self.shoe_in_use().no
            }
        };
        let carried = source == Source::Carried;
        match &mut self.phase {
            Phase::Round(round) => {
                let keyed = source == Source::Keyed;
                let correctable = keyed && card.card().is_some();
                round.drawn.push(Dealt {
                    seen: card.clone(),
                    side,
                    covered,
                    shoe,
                    carried,
                    keyed,
                    correctable,
                });
                match card {
                    Seen::Card(card) => round.order.push(*card),
                    Seen::Unreadable => round.stage = Stage::Unread {},
                    Seen::Foreign(_) | Seen::Covered => {}
                }
                if let Stage::Confirming { .. } = round.stage {
                    round.stage = Stage::Dealing {};
                }
            }
            Phase::Closed | Phase::Between { .. } => {}
        }
    }

    /// A card had been keyed wrongly. Whether the Hands are complete is found again.
    pub(super) fn correct_card(&mut self, at: u16, card: Card) {
        let round = self.round_in_play();
        let place = usize::from(at) - 1;
        let was = std::mem::replace(&mut round.drawn[place].seen, Seen::Card(card)).card();
        // Nothing was ruled since: it stands as far from the end of the order as from the end of what was drawn.
        let from_the_end = round.drawn[place..].iter().filter(|dealt| dealt.seen.card().is_some()).count();
        let in_order = round.order.len() - from_the_end;
        round.order[in_order] = card;
        if let Stage::Confirming { .. } = round.stage {
            round.stage = Stage::Dealing {};
        }
        let shoe = self.shoe_in_use();
        shoe.undraw(was);
        shoe.draw(Some(card));
    }

    /// The cards that are out, said anew. What is no card of the set stays where it lies.
    pub(super) fn replace_cards(&mut self, cards: &[Card]) {
        let settings = self.settings.as_ref().expect("an open table");
        let covered = settings.faces == punto_record::Faces::Down;
        let continuous = settings.device == punto_record::CardDevice::ContinuousShuffler;
        let round = self.round_in_play();
        let before = std::mem::take(&mut round.drawn);
        let shoe = round.shoe;
        let recorded: Vec<Card> = before.iter().filter_map(|dealt| dealt.seen.card()).collect();
        let is_read = before.iter().all(|dealt| dealt.seen != Seen::Unreadable);
        let mut rest = cards.iter();
        for dealt in &before {
            let seen = match dealt.seen {
                Seen::Foreign(_) => Some(dealt.seen.clone()),
                Seen::Card(_) | Seen::Unreadable | Seen::Covered => rest.next().map(|card| Seen::Card(*card)),
            };
            round.drawn.extend(seen.map(|seen| Dealt { seen, correctable: false, ..dealt.clone() }));
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
        let now: Vec<Option<Card>> = round.drawn.iter().filter(counted).map(|it| it.seen.card()).collect();
        let in_use = self.shoe_in_use();
        before.iter().filter(counted).for_each(|dealt| in_use.undraw(dealt.seen.card()));
        now.into_iter().for_each(|card| in_use.draw(card));
    }

    /// A corrected Round had other cards: its set counts them.
    pub(super) fn exchange_cards(&mut self, shoe: ShoeNo, before: &[Card], after: &[Card]) {
        let in_use =
            self.shoe.as_mut().filter(|it| it.no == shoe).map(|it| (&mut it.dealt, Some(&mut it.drawn)));
        let retired = self.retired.iter_mut().find(|it| it.no == shoe).map(|it| (&mut it.dealt, None));
        let Some((dealt, drawn)) = in_use.or(retired) else { return };
        let there = before.iter().copied().collect::<Composition>();
        // A continuous shuffler has them back already.
        if Card::all().any(|card| dealt.copies(card) < there.copies(card)) {
            return;
        }
        for card in Card::all() {
            dealt.set(card, dealt.copies(card) - there.copies(card));
        }
        after.iter().for_each(|card| dealt.add(*card));
        if let Some(drawn) = drawn {
            *drawn = (usize::from(*drawn) + after.len()).saturating_sub(before.len()) as u16;
        }
    }

    /// A continuous shuffler takes the cards of a Round back at once.
    pub(super) fn take_cards_back(&mut self) {
        let settings = self.settings.as_ref().expect("an open table");
        if let (punto_record::CardDevice::ContinuousShuffler, Some(shoe)) = (settings.device, &mut self.shoe)
        {
            (shoe.dealt, shoe.drawn) = (Composition::EMPTY, 0);
        }
    }
}
