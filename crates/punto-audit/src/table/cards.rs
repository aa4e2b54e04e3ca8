//! Cards out of the shoe: where each belongs, what is wrong with it, the squeeze, turning.

use punto_record::{Event, Report, Seen, Source};
use punto_rules::rulebook::SqueezeRight;
use punto_rules::{Card, Cite, Deal, IrregularityKind, PatronNo, Post, Side, Stance, Step};

use super::Look;
use super::dues::{Next, Then};
use super::round::{Key, Round, Stage};
use crate::finding::FindingKind;

/// More cards than this are not drawn by mistake at once.
pub(super) const MOST_AT_ONCE: usize = 12;
/// The most cards of a Round.
const MOST_CARDS: usize = 6;

impl Look<'_> {
    /// The cards that were left over open the Round, in their order (interpretation 24).
    pub(super) fn carried_cards(&mut self) {
        let mut deal = Deal::new();
        for card in &self.table.carried {
            let side = match deal.step() {
                Step::Draw(side) => {
                    deal = deal.take(*card);
                    Some(side)
                }
                Step::Complete(_) => None,
            };
            let (card, source) = (Seen::Card(*card), Source::Carried);
            self.due.push(Event::CardDrawn { card, side, source, covered: false });
        }
    }

    pub(super) fn draw_card(&mut self, card: &Seen, source: Source, to: Option<Side>) {
        self.in_turn(self.table.shoe.is_some(), "no shoe is loaded");
        let known = *card != Seen::Covered && source != Source::Carried;
        self.must(known, FindingKind::WrongCard, "no card leaves the shoe covered in the record, or carried");
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(self.table.shoe.as_ref().is_none_or(|it| it.left() > 0), "the shoe was empty");
            match card {
                Seen::Card(card) => {
                    self.out_of_shoe(*card, source);
                    self.due.then(Next::Early(*card));
                }
                Seen::Foreign(what) => self.cards_at_fault(&Report::ForeignCard { card: what.clone() }),
                Seen::Unreadable | Seen::Covered => {
                    self.say(FindingKind::WrongCard, "a card that nobody read between Rounds");
                }
            }
            return;
        };
        self.in_turn(!round.shoe_awaited, "the new shoe was not there");
        self.in_turn(round.stage != Stage::Unread, "a card had to be read first");
        let readable =
            *card != Seen::Unreadable || (self.is_stage(Stage::Dealing) && !self.law.is_software());
        self.must(readable, FindingKind::WrongCard, "a card that should have been read");
        let due = round.due();
        // A card ends the time for bets, whoever drew it too soon.
        if round.bets_open {
            self.close();
        }
        let (side, covered) = (to.or(due), self.law.is_face_down());
        let drawn = Event::CardDrawn { card: card.clone(), side, source, covered };
        self.due.push(drawn);
        match card {
            Seen::Foreign(what) => {
                let report = Report::ForeignCard { card: what.clone() };
                self.due.then(Next::Open { report, holds: true, then: Then::Ruled });
            }
            Seen::Card(card) => {
                self.due.then(Next::Drawn { card: *card, due });
                if side != due && due.is_some() {
                    self.due.then(Next::WrongSide);
                }
            }
            Seen::Unreadable | Seen::Covered => {}
        }
    }

    pub(super) fn out_of_shoe(&mut self, card: Card, source: Source) {
        let card = Seen::Card(card);
        self.due.push(Event::CardDrawn { card, side: None, source, covered: false });
    }

    /// A card was drawn: one copy too many, not due, or where it belongs.
    pub(super) fn drawn(&mut self, card: Card, due: Option<Side>) {
        let beyond = self
            .table
            .shoe
            .as_ref()
            .is_some_and(|shoe| u64::from(shoe.drawn) + u64::from(shoe.burnt) > u64::from(shoe.cards));
        if self.too_many(&[card]).is_some() || beyond {
            self.due.next.clear();
            self.hold(excess(card));
        } else if due.is_none() {
            self.hold(Report::ExcessOrExposedCard { cards: Vec::new() });
        }
    }

    /// A card lies with the other Hand.
    pub(super) fn wrong_side(&mut self) {
        let hands = self.round().map(Round::hands).unwrap_or_default();
        self.hold(Report::WrongSide { hands });
    }

    pub(super) fn read_card(&mut self, seen: &Seen) {
        self.in_turn(self.is_stage(Stage::Unread), "no card waited to be read");
        self.due.push(Event::CardRead { card: seen.clone() });
        match seen {
            Seen::Card(card) => {
                let due = self.round().and_then(Round::belongs);
                self.due.then(Next::WasRead { card: *card, due });
            }
            Seen::Foreign(what) => {
                let report = Report::ForeignCard { card: what.clone() };
                self.due.then(Next::Open { report, holds: true, then: Then::Ruled });
            }
            Seen::Unreadable | Seen::Covered => {
                self.say(FindingKind::WrongCard, "a card was read as one that nobody can read");
            }
        }
    }

    pub(super) fn was_read(&mut self, card: Card, due: Option<Side>) {
        let lies = self.round().and_then(|round| round.drawn.last()).and_then(|dealt| dealt.side);
        if self.too_many(&[card]).is_some() {
            self.hold(excess(card));
        } else if lies != due {
            self.wrong_side();
        }
    }

    /// A card had been keyed wrongly: for the Dealer to say before the next card and before a result, afterwards for a
    /// Pit Supervisor, and never of what a device read or somebody ruled on.
    pub(super) fn correct_card(&mut self, at: u16, was: Card, card: Card) {
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(false, "no Round is in play");
            return;
        };
        let is_time = self.is_stage(Stage::Dealing) || self.is_stage(Stage::Confirming);
        self.in_turn(is_time, "something had to be decided first");
        let dealt = usize::from(at).checked_sub(1).and_then(|place| round.drawn.get(place));
        let keyed = dealt.is_some_and(|dealt| dealt.correctable && dealt.shoe == round.shoe);
        self.must(keyed, FindingKind::WrongCard, "a card was corrected that no hand keyed");
        let other = dealt.is_some_and(|dealt| dealt.seen == Seen::Card(was)) && was != card;
        self.must(other, FindingKind::WrongCard, "a card was corrected that was not there, or into itself");
        let last = usize::from(at) == round.drawn.len();
        let alone = last && round.stage == Stage::Dealing && round.result.is_none();
        let supervisor = self.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
        self.must(
            alone || supervisor,
            FindingKind::NotPermitted,
            "it took a Pit Supervisor to correct this card",
        );
        self.due.push(Event::CardCorrected { at, was, card, supervised: !alone });
        self.due.then(Next::Corrected { card, places: round.places() });
    }

    /// What the right card changes: a copy too many, a card that was not needed, or one that was the other Hand's.
    pub(super) fn corrected(&mut self, card: Card, places: &[Side]) {
        let now = self.round().map(Round::places).unwrap_or_default();
        if self.too_many(&[card]).is_some() {
            self.hold(excess(card));
        } else if now.len() < places.len() {
            self.hold(Report::ExcessOrExposedCard { cards: Vec::new() });
        } else if now != places {
            self.wrong_side();
        }
    }

    /// A card out of the shoe while no Round is in play is exposed.
    pub(super) fn early(&mut self, card: Card) {
        match self.too_many(&[card]) {
            Some(_) => self.cards_at_fault(&excess(card)),
            None => self.hold(Report::ExcessOrExposedCard { cards: vec![card] }),
        }
    }

    /// The first of these cards that came more often than it is in the shoe (interpretation 23). A continuous shuffler
    /// counts within the Round, carried cards too (interpretation 7).
    pub(super) fn too_many(&self, cards: &[Card]) -> Option<Card> {
        let shoe = self.table.shoe.as_ref()?;
        let in_round = self.round().filter(|_| self.law.is_continuous());
        let carried = |card: Card| {
            let drawn = in_round.map_or(&[][..], |round| &round.drawn);
            drawn.iter().filter(|dealt| dealt.carried && dealt.seen == Seen::Card(card)).count() as u64
        };
        let most = u64::from(self.law.settings.decks);
        cards.iter().copied().find(|card| u64::from(shoe.dealt.get(*card)) + carried(*card) > most)
    }

    /// Cards that a report says are out can be out.
    pub(super) fn can_be_out(&mut self, cards: &[Card]) {
        let by_house = self.order.by == punto_record::Actor::House;
        let knows = cards.is_empty() || by_house || !self.law.is_software();
        self.must(knows, FindingKind::NotPermitted, "only the House knows the cards of its own shoe");
        let left = self.table.shoe.as_ref().map_or(0, |shoe| shoe.left());
        let there = cards.len() <= MOST_AT_ONCE && cards.len() as u64 <= u64::from(left);
        self.must(there, FindingKind::WrongCard, "more cards than can have come out");
    }

    /// The squeeze (3.9): before the card leaves the shoe, by the highest bet (interpretation 16).
    pub(super) fn ask_squeeze(&mut self, patron: PatronNo, card: u8) {
        self.in_turn(self.is_stage(Stage::Dealing), "cards are not being dealt");
        let Some(squeeze) = &self.law.rulebook.squeeze else {
            self.say(FindingKind::WrongCard, "the game has no squeeze");
            return;
        };
        let Some(round) = self.table.round.as_ref() else { return };
        let is_highest = self.highest() == Some(patron);
        let to_come = usize::from(card) > round.drawn.len() && usize::from(card) <= MOST_CARDS;
        let asked = round.squeezes.iter().any(|(who, which, _)| (*who, *which) == (patron, card));
        let holds = self.law.is_face_down() && to_come && !asked;
        self.must(holds, FindingKind::WrongCard, "that card is not to be squeezed any more");
        self.must(is_highest, FindingKind::WrongCard, "somebody else has the highest bet");
        self.due.push(Event::SqueezeAsked { patron, card, cite: squeeze.cite.clone() });
    }

    /// A Hand goes to somebody with a bet, unless whoever has the right to it asks.
    pub(super) fn hand_cards(&mut self, side: Side, patron: PatronNo) {
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(false, "no Round is in play");
            return;
        };
        self.in_turn(self.is_stage(Stage::Dealing), "cards are handed out while they are dealt");
        let bets = round.of(patron).next().is_some();
        let may = self.law.is_face_down() && bets;
        self.must(may, FindingKind::WrongCard, "a Hand was given to somebody without a bet, or face up");
        let highest = self.highest();
        let asks = round.squeezes.iter().any(|(who, card, granted)| {
            let other = if side == Side::Player { [2, 4] } else { [1, 3] };
            Some(*who) == highest && *granted != Some(false) && !other.contains(card)
        });
        let theirs = !asks || highest == Some(patron);
        self.must(theirs, FindingKind::WrongCard, "somebody else has the right to this Hand");
        self.due.push(Event::HandAccepted { side, patron, cite: Cite::interpretation(51) });
    }

    /// Who has the highest bet that gives the right to a squeeze.
    pub(super) fn highest(&self) -> Option<PatronNo> {
        let right = self.law.rulebook.squeeze.as_ref()?.right;
        let round = self.round()?;
        let is_seated = |stance: Option<Stance>| stance == Some(Stance::Seated);
        // INTERPRETATION 39: with all their bets; the first release counted those at their own boxes.
        let counts = |key: &Key, stance: Option<Stance>| match right {
            SqueezeRight::AnyPlayer => true,
            SqueezeRight::SeatedPlayer if self.first => is_seated(stance),
            SqueezeRight::SeatedPlayer => round.of(key.patron).any(|(_, it)| is_seated(it.stance)),
        };
        let originals = round.wagers.iter().filter(|(key, it)| it.side.is_some() && counts(key, it.stance));
        let highest = originals.max_by_key(|(_, it)| (it.stake, std::cmp::Reverse(it.first)));
        highest.map(|(key, _)| key.patron)
    }

    /// These cards, or all that lie face down, are turned; everybody sees what they are.
    pub(super) fn turn(&mut self, cards: &[u16]) {
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(false, "no Round is in play");
            return;
        };
        let face_down: Vec<u16> =
            (1..).zip(&round.drawn).filter(|(_, dealt)| dealt.covered).map(|(place, _)| place).collect();
        let cards = if cards.is_empty() { face_down.clone() } else { cards.to_vec() };
        let holds = !cards.is_empty() && cards.iter().all(|card| face_down.contains(card));
        self.must(holds, FindingKind::WrongCard, "cards were turned that did not lie face down");
        let shown = cards.iter().filter_map(|card| round.drawn.get(usize::from(*card).wrapping_sub(1)));
        let shown = shown.map(|dealt| dealt.seen.clone()).collect();
        self.due.push(Event::CardsTurned { cards, shown });
    }

    /// Cards found missing, too many, foreign or unshuffled: in a Round they hold it; between Rounds what was settled
    /// stands and the set is exchanged.
    // INTERPRETATION 23: once a Round is settled, only a wrong number of cards reaches back.
    pub(super) fn cards_at_fault(&mut self, report: &Report) {
        if self.table.round.is_some() {
            self.hold(report.clone());
            return;
        }
        let stands = self.earlier_rounds_stand(report.kind());
        self.open(report.clone(), false, &Then::Stands(stands));
        // At once: other cards of the same report come out after it.
        self.due.next.push_front(Next::Exchange(report.kind()));
    }

    /// The paragraph by which what was settled stands; where the next Round has not commenced, only one that speaks of the
    /// void cause itself (interpretations 23, 40).
    pub(super) fn earlier_rounds_stand(&self, kind: IrregularityKind) -> Cite {
        let Some(cite) = &self.law.rulebook.conduct.earlier_rounds_stand else {
            return self.law.uncovered().clone();
        };
        let void = self.law.cite(kind);
        let with_void = void.is_some_and(|it| it.paragraphs().any(|one| one == cite.as_str()));
        match self.first || with_void || self.table.round.is_some() || self.table.last.is_none() {
            true => cite.clone(),
            false => Cite::interpretation(23),
        }
    }

    /// The set may not be used any more, where the rule book says so and it is not known yet.
    pub(super) fn exchange(&mut self, kind: IrregularityKind) {
        let clause = self.law.rulebook.irregularity(kind);
        let must = clause.filter(|it| it.shoe == Some(punto_rules::ShoeAfter::MustExchange));
        let shoe = self.table.shoe.as_ref().filter(|shoe| shoe.must_exchange.is_none());
        if let (Some(shoe), Some(clause)) = (shoe, must) {
            let cite = if self.first { clause.cite.clone() } else { Cite::interpretation(23) };
            self.due.push(Event::ShoeExchangeRequired { shoe: shoe.no, cite });
        }
    }
}

pub(super) fn excess(card: Card) -> Report {
    Report::ShortageOrExcess { missing: Vec::new(), extra: vec![card], shoe: None }
}
