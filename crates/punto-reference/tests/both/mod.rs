#![allow(dead_code, unreachable_pub)]
//! One rule book, read by both implementations, and questions that both must answer alike.
//!
//! Nothing here decides who is right: what differs is a finding, to be settled by the documents and by
//! docs/interpretations.md.

use std::sync::LazyLock;

use punto_reference::{
    Book, BoxLimits, Card, Certain, Decision, Hands, Layout, Limits, Odds, Round, Side, Verdict, Wager,
};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Money, Rulebook, Step, Terms, TermsError, reconstruct};

/// A rule book as both read it.
pub struct Both {
    pub rules: Rulebook,
    pub book: Book,
}

/// The approved rule books and the worked example.
pub static BOOKS: LazyLock<Vec<Both>> = LazyLock::new(|| {
    let harbour = include_str!("../../../../docs/examples/harbour-baccarat.toml");
    let texts = APPROVED.iter().map(|(_, text)| *text).chain([harbour]);
    texts.map(|text| Both::read(text).expect("an accepted rule book")).collect()
});

/// A layout in force in both.
pub struct Table<'b> {
    pub terms: Terms,
    pub layout: &'b Layout,
    pub limits: Limits,
}

impl Both {
    /// `None` if `punto-rules` refuses the text; what it accepts must be readable.
    pub fn read(text: &str) -> Option<Both> {
        let rules = Rulebook::parse(text).ok()?;
        let book = Book::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Some(Both { rules, book })
    }

    /// Every layout with its smallest unit and without limits.
    pub fn tables(&self) -> impl Iterator<Item = Table<'_>> {
        assert_eq!(self.rules.layouts.len(), self.book.layouts.len());
        let layouts = self.rules.layouts.iter().zip(&self.book.layouts);
        layouts.map(|(theirs, ours)| {
            assert_eq!(theirs.id, ours.id);
            Table::open(self, &ours.id, Limits::default()).expect("the smallest unit")
        })
    }
}

impl<'b> Table<'b> {
    /// Puts limits in force in both, or in neither.
    pub fn open(both: &'b Both, layout: &str, limits: Limits) -> Option<Table<'b>> {
        let money = |amount| Money::new(amount).expect("amounts of tests fit");
        let asked = punto_rules::LimitsAsked {
            unit: limits.unit.map(money),
            betting_box: limits.betting_box.map(|limits| punto_rules::BoxLimits {
                minimum: money(limits.minimum),
                differential: money(limits.differential),
            }),
            ..Default::default()
        };
        let terms: Result<Terms, TermsError> = both.rules.terms(layout, both.rules.decks.max, &asked);
        let layout = both.book.layout(layout).expect("a layout of both");
        match (terms, layout.unit(&limits)) {
            (Ok(terms), Ok(unit)) => {
                assert_eq!(terms.unit().get(), unit, "unit of layout {}", layout.id);
                Some(Table { terms, layout, limits })
            }
            (Err(_), Err(_)) => None,
            (terms, unit) => panic!("{limits:?} on layout {}: {terms:?}, {unit:?}", layout.id),
        }
    }

    /// Compares what becomes of every bet in a complete Round.
    pub fn compare_verdicts(&self, cards: &[Card]) {
        let theirs = outcome(cards);
        let round = Round::of(cards).expect("a complete Round");
        assert_eq!(self.terms.bets().len(), self.layout.bets.len());
        for (theirs_bet, bet) in self.terms.bets().iter().zip(&self.layout.bets) {
            assert_eq!(theirs_bet.id.as_str(), bet.id);
            let row = theirs_bet.row_for(self.terms.class_of(&theirs));
            let Decision { verdict, cite, .. } = bet.decide(&round);
            let is_same =
                same_verdict(row.map_or(punto_rules::Verdict::Lost, punto_rules::Row::verdict), verdict)
                    && row.map(|row| row.cite.as_str()) == cite;
            assert!(is_same, "{} on {}: {row:?}, {verdict:?} by {cite:?}", bet.id, show(cards));
        }
    }

    /// Compares what is certain about every bet on these cards.
    pub fn compare_established(&self, cards: &[Card]) {
        let theirs = punto_rules::established(&self.terms, &reconstruct(&theirs(cards)).0);
        let ours = self.layout.established(cards);
        for bet in &self.layout.bets {
            let no = self.terms.bet_no(&bet.id).expect("a bet of both");
            let (theirs, ours) = (theirs.of(no), ours.of(&bet.id));
            assert!(same_certain(theirs, ours), "{} on {}: {theirs:?}, {ours:?}", bet.id, show(cards));
        }
        let decided: Vec<&str> = theirs.decided().map(|(no, _)| self.terms.bet(no).id.as_str()).collect();
        assert_eq!(ours.decided().collect::<Vec<_>>(), decided);
    }

    /// Compares the settlement of wagers, each a bet of the layout, a box and a stake; both settle them, or neither.
    pub fn compare_settlements(&self, wagers: &[(usize, u8, u64)], cards: &[Card]) {
        let ids: Vec<&str> = wagers.iter().map(|(bet, ..)| self.layout.bets[*bet].id.as_str()).collect();
        let ours: Vec<Wager<'_>> = wagers
            .iter()
            .zip(&ids)
            .map(|(&(_, box_no, stake), &bet)| Wager { box_no: Some(box_no), ..Wager::new(bet, stake) })
            .collect();
        let settled = self.layout.settle(&self.limits, &ours, cards);
        let Some(mut placed) = self.place(wagers) else {
            assert!(settled.is_err(), "{wagers:?}: only punto-rules refuses");
            return;
        };
        let is_pro_rata = self.limits.betting_box.is_some() && self.layout.is_pro_rata;
        for box_no in (0..=u8::MAX).filter(|_| is_pro_rata) {
            let here = placed.iter_mut().zip(wagers).filter(|(_, wager)| wager.1 == box_no);
            let here: Vec<_> = here.map(|(wager, _)| wager).collect();
            if !here.is_empty() {
                punto_rules::fix_playing(&self.terms, here);
            }
        }
        let theirs = punto_rules::settle(&self.terms, &placed, &outcome(cards));
        let settled = settled.unwrap_or_else(|refusal| panic!("{wagers:?}: only we refuse: {refusal}"));
        assert_eq!(settled.house, theirs.house, "{wagers:?} on {}", show(cards));
        assert_eq!(settled.lines.len(), theirs.lines.len());
        for (ours, theirs) in settled.lines.iter().zip(&theirs.lines) {
            let all =
                [ours.stake, ours.playing, ours.returned, ours.winnings, ours.commission, ours.to_patron()];
            let punto_rules::Line { wager, returned, winnings, commission, .. } = *theirs;
            let other = [wager.stake, wager.playing, returned, winnings, commission, theirs.to_patron()];
            assert_eq!(all, other.map(Money::get), "{wagers:?} on {}", show(cards));
            assert_eq!(ours.house(), theirs.house());
            assert_eq!(ours.cite, theirs.row.map(|row| row.cite.as_str()));
            assert!(same_verdict(theirs.verdict, ours.verdict));
        }
    }

    /// The wagers as `punto-rules` takes them; `None` if it refuses one.
    fn place(&self, wagers: &[(usize, u8, u64)]) -> Option<Vec<punto_rules::Wager>> {
        let place = |&(bet, _, stake): &(usize, u8, u64)| {
            let no = self.terms.bet_no(&self.layout.bets[bet].id).expect("a bet of both");
            let stake = Money::new(stake)?;
            self.terms.check_stake(no, stake).ok()?;
            Some(punto_rules::Wager::new(no, stake))
        };
        wagers.iter().map(place).collect()
    }
}

/// Compares how cards fall: the Hands, whose the next card is, and what is left over.
pub fn compare_deals(cards: &[Card]) {
    let theirs_cards = theirs(cards);
    let (deal, surplus) = reconstruct(&theirs_cards);
    let (hands, left_over) = Hands::deal(cards);
    assert_eq!(theirs(left_over), surplus, "{}", show(cards));
    for (side, other) in
        [(Side::Player, punto_rules::Side::Player), (Side::Banker, punto_rules::Side::Banker)]
    {
        let hand: Vec<Card> = hands.hand(side).cards().collect();
        assert_eq!(theirs(&hand), deal.hands()[other].cards(), "{}", show(cards));
    }
    let next = match deal.step() {
        Step::Draw(punto_rules::Side::Player) => Some(Side::Player),
        Step::Draw(punto_rules::Side::Banker) => Some(Side::Banker),
        Step::Complete(_) => None,
    };
    assert_eq!(hands.next_card(), next, "{}", show(cards));
}

/// The cards of the Round that begins these cards; `None` if they do not finish one.
pub fn round_in(cards: &[Card]) -> Option<&[Card]> {
    let (hands, left_over) = Hands::deal(cards);
    hands.next_card().is_none().then(|| &cards[..cards.len() - left_over.len()])
}

pub fn theirs(cards: &[Card]) -> Vec<punto_rules::Card> {
    cards.iter().map(|card| card.to_string().parse().expect("a card is a card")).collect()
}

pub fn show(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

pub fn box_limits(minimum: u64, differential: u64) -> Option<BoxLimits> {
    Some(BoxLimits { minimum, differential })
}

fn outcome(cards: &[Card]) -> punto_rules::Outcome {
    let cards = theirs(cards);
    match reconstruct(&cards) {
        (deal, []) => match deal.step() {
            Step::Complete(outcome) => outcome,
            Step::Draw(_) => panic!("only we have a complete Round: {cards:?}"),
        },
        (_, surplus) => panic!("only punto-rules has {surplus:?} left over"),
    }
}

fn same_odds(theirs: punto_rules::Odds, ours: Odds) -> bool {
    (u64::from(theirs.pays()), u64::from(theirs.per())) == (ours.pays(), ours.per())
}

fn same_verdict(theirs: punto_rules::Verdict, ours: Verdict) -> bool {
    match (theirs, ours) {
        (punto_rules::Verdict::Won(theirs), Verdict::Won(ours)) => same_odds(theirs, ours),
        (punto_rules::Verdict::Lost, Verdict::Lost) | (punto_rules::Verdict::Returned, Verdict::Returned) => {
            true
        }
        _ => false,
    }
}

fn same_certain(theirs: Option<punto_rules::Certain>, ours: Option<Certain>) -> bool {
    match (theirs, ours) {
        (None, None)
        | (Some(punto_rules::Certain::Lost), Some(Certain::Lost))
        | (Some(punto_rules::Certain::Returned), Some(Certain::Returned))
        | (Some(punto_rules::Certain::Won(None)), Some(Certain::Won(None))) => true,
        (Some(punto_rules::Certain::Won(Some(theirs))), Some(Certain::Won(Some(ours)))) => {
            same_odds(theirs, ours)
        }
        _ => false,
    }
}
