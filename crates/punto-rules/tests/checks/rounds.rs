//! Rounds, dealt by the reference and by the crate side by side, and the bets that both judge.
//!
//! A Round is enumerated by the ranks of the cards that it takes, four, five or six of them. What would have come
//! next cannot matter, so a Round of `n` cards stands for the 13⁶⁻ⁿ sequences of six ranks that begin with it.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use punto_rules::{
    Bet, Card, ClassNo, Deal, Outcome, Pairs, Rank, Rulebook, Side, Step, Suit, Verdict, Winner,
};

use crate::reference::{self, Answer, BetRule, Document, Played, is_pair, play, points};

/// A complete Round as both sides have it.
pub struct Round {
    pub ranks: Vec<u8>,
    pub played: Played,
    pub outcome: Outcome,
}

/// A card for a rank of the reference. The suit depends on the place, so that pairs come suited and unsuited.
pub fn card(rank: u8, place: usize) -> Card {
    Card { rank: Rank::ALL[usize::from(rank) - 1], suit: Suit::ALL[usize::from(rank) * place % 4] }
}

/// Calls `visit` with every Round whose first card has this rank.
///
/// # Panics
/// Where one side goes on dealing and the other has finished.
pub fn each_round(first: u8, mut visit: impl FnMut(&[u8], &Played, &Outcome)) {
    deal_on(&mut vec![first], Deal::new().take(card(first, 1)), &mut visit);
}

fn deal_on(ranks: &mut Vec<u8>, deal: Deal, visit: &mut impl FnMut(&[u8], &Played, &Outcome)) {
    match (play(ranks), deal.step()) {
        (Some(played), Step::Complete(outcome)) => visit(ranks, &played, &outcome),
        (None, Step::Draw(_)) => {
            for rank in 1..=13 {
                ranks.push(rank);
                deal_on(ranks, deal.take(card(rank, ranks.len())), visit);
                ranks.pop();
            }
        }
        (played, step) => panic!("after {deal:?} the reference has {played:?}, the crate {step:?}"),
    }
}

/// One Round of each kind that bets can tell apart, found by the reference: totals, numbers of cards, pairs.
pub static SAMPLE: LazyLock<Vec<Round>> = LazyLock::new(|| {
    let mut kinds = BTreeSet::new();
    let mut sample = Vec::new();
    for first in 1..=13 {
        each_round(first, |ranks, played, outcome| {
            let Played { player, banker, .. } = played;
            let pairs = (is_pair(player), is_pair(banker));
            let twin = pairs == (true, true) && player[0] == banker[0];
            if kinds.insert((points(player), points(banker), player.len(), banker.len(), pairs, twin)) {
                sample.push(Round { ranks: ranks.to_vec(), played: *played, outcome: *outcome });
            }
        });
    }
    sample
});

/// Whether the Hands, the winner and the pairs are the same on both sides.
pub fn same_outcome(played: &Played, outcome: &Outcome) -> bool {
    let same_hand = |side: Side, hand: &reference::Hand| {
        let ours = &outcome.hands()[side];
        ours.cards().iter().map(|card| card.rank as u8 + 1).eq(hand.iter().copied())
            && ours.points().get() == points(hand)
    };
    let winner = match reference::winner(played) {
        reference::Winner::Player => Winner::Player,
        reference::Winner::Banker => Winner::Banker,
        reference::Winner::Tie => Winner::Tie,
    };
    let pairs = match (is_pair(&played.player), is_pair(&played.banker)) {
        (false, false) => Pairs::None,
        (true, false) => Pairs::Player,
        (false, true) => Pairs::Banker,
        (true, true) if played.player[0] == played.banker[0] => Pairs::Twin,
        (true, true) => Pairs::Both,
    };
    same_hand(Side::Player, &played.player)
        && same_hand(Side::Banker, &played.banker)
        && outcome.winner() == winner
        && outcome.pairs() == pairs
}

/// A bet of the rule book beside the same bet of the document.
pub struct Pairing<'a> {
    /// The layouts on which these two meet.
    pub layouts: Vec<&'a str>,
    pub bet: &'a Bet,
    pub rule: BetRule,
}

/// Every bet of every layout, once for each pay table and rule that meet.
///
/// What only one side has is left out here; the check of the offers names it.
pub fn pairings<'a>(rulebook: &'a Rulebook, document: &Document) -> Vec<Pairing<'a>> {
    let mut pairings: Vec<Pairing<'a>> = Vec::new();
    for layout in &rulebook.layouts {
        let rules = document.layouts.iter().filter(|rule| rule.id == layout.id).flat_map(|rule| &rule.bets);
        for rule in rules {
            let Some(no) = layout.bet_no(rule.id) else { continue };
            let bet: &Bet = Arc::as_ref(&layout.bets[no.index()]);
            // Functions at one address are one function; at two they are judged twice, which does no harm.
            let known = pairings.iter_mut().find(|known| {
                std::ptr::eq(known.bet, bet) && std::ptr::fn_addr_eq(known.rule.verdict, rule.verdict)
            });
            match known {
                Some(known) => known.layouts.push(&layout.id),
                None => pairings.push(Pairing { layouts: vec![&layout.id], bet, rule: *rule }),
            }
        }
    }
    pairings
}

impl Pairing<'_> {
    /// Both answers, where they differ.
    pub fn disagreement(&self, class: ClassNo, played: &Played) -> Option<String> {
        let ours = match self.bet.verdict(class) {
            Verdict::Won(odds) => Answer::Won { pays: odds.pays(), per: odds.per() },
            Verdict::Lost => Answer::Lost,
            Verdict::Returned => Answer::Returned,
        };
        let theirs = (self.rule.verdict)(played);
        (!ours.same_odds(theirs)).then(|| {
            let Pairing { layouts, rule, .. } = self;
            format!("layout {}, {}: rule book {ours:?}, document {theirs:?}", layouts.join(" "), rule.id)
        })
    }
}
