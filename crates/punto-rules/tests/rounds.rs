//! A Round is the list of its cards: dealt, dealt again (interpretation 24), written down, and sorted into classes.

mod scale;
mod scratch;

use proptest::prelude::*;
use punto_rules::{Card, ClassNo, ClassSpace, Deal, Outcome, Pairs, Rank, Rulebook, Side, Step, Suit};
use punto_rules::{notation, reconstruct};
use scale::{check, scale};
use scratch::{BOOKS, each_round, text};

fn any_cards(most: usize) -> impl Strategy<Value = Vec<Card>> {
    prop::collection::vec((0..Card::KINDS).prop_map(Card::from_index), 0..=most)
}

/// Deals every Round by rank, card by card, and keeps the list beside it.
fn each_list(list: &mut Vec<Card>, deal: Deal, see: &mut impl FnMut(&[Card], Deal)) {
    let Step::Draw(_) = deal.step() else { return see(list, deal) };
    for rank in Rank::ALL {
        list.push(Card { rank, suit: Suit::ALL[list.len() % 4] });
        each_list(list, deal.take(list[list.len() - 1]), see);
        list.pop();
    }
}

/// WS 5.8: dealing the list again gives the Round again, for every Round there is.
#[test]
fn every_round_is_reconstructed_from_its_list() {
    let mut rounds = [0u32; 7];
    each_list(&mut Vec::new(), Deal::new(), &mut |list, deal| {
        rounds[list.len()] += 1;
        assert!(deal.drawn().eq(list.iter().copied()), "{deal:?}");
        assert_eq!(reconstruct(list), (deal, &[][..]));
    });
    // Counted from the Table of Play by the totals of two cards, without dealing.
    assert_eq!(rounds, [0, 0, 0, 0, 10_816, 112_560, 1_535_625]);
}

#[test]
fn what_is_left_over_is_exactly_the_surplus() {
    check("what_is_left_over_is_exactly_the_surplus", scale(10_000, 1_000_000), any_cards(14), |drawn| {
        let (deal, surplus) = reconstruct(&drawn);
        let dealt: Vec<Card> = deal.drawn().collect();
        assert_eq!([&dealt[..], surplus].concat(), drawn, "no card is lost or moved");
        assert_eq!(deal.len(), dealt.len());
        assert_eq!(reconstruct(&dealt), (deal, &[][..]), "a clean list is itself");
        match deal.step() {
            Step::Draw(_) => assert_eq!((surplus, deal.len() < 6), (&[][..], true)),
            Step::Complete(outcome) => {
                assert!((4..=6).contains(&deal.len()));
                assert_eq!(outcome.hands(), deal.hands());
                // What opens the next Round is dealt from its first card.
                let (next, _) = reconstruct(surplus);
                assert!(next.drawn().eq(surplus.iter().copied().take(next.len())));
            }
        }
    });
}

#[test]
fn the_initial_cards_alternate_and_the_third_ones_follow() {
    let cards = notation::parse("As 2h 3d 4c 5s 6h").unwrap();
    let (deal, surplus) = reconstruct(&cards);
    // 3.10: Player A and 3, Banker 2 and 4. Player draws on 4; Banker has 6 and stands on a 5.
    assert_eq!(notation::show(deal.hands().player.cards()), "As 3d 5s");
    assert_eq!(notation::show(deal.hands().banker.cards()), "2h 4c");
    assert_eq!(notation::show(surplus), "6h");
    // Player stands on 6: the fifth card is Banker's.
    let (deal, _) = reconstruct(&notation::parse("As 2h 5d 2c 9s").unwrap());
    assert_eq!(notation::show(deal.hands().banker.cards()), "2h 2c 9s");
}

#[test]
#[should_panic(expected = "a complete Round takes no card")]
fn a_complete_round_takes_no_card() {
    let (deal, _) = reconstruct(&notation::parse("9s 2d Th 3c").unwrap());
    let _ = deal.take("As".parse().unwrap());
}

#[test]
fn notation_round_trips() {
    check("notation_round_trips", scale(10_000, 1_000_000), any_cards(8), |cards| {
        let line = notation::show(&cards);
        assert_eq!(line.len(), (3 * cards.len()).saturating_sub(1));
        assert_eq!(notation::parse(&line).as_deref(), Ok(&cards[..]));
        assert_eq!(notation::parse(&line.to_uppercase()).as_deref(), Ok(&cards[..]));
        assert_eq!(notation::parse(&format!("\t{} \n", line.to_lowercase())).as_deref(), Ok(&cards[..]));
    });
}

#[test]
fn a_word_that_is_no_card_is_pointed_at() {
    let words = ["10s", "s", "A", "1d", "Asd", "Ax", "é", "武松", "A\u{301}s"];
    let lines = (any_cards(6), prop::sample::select(words.to_vec()), any_cards(3));
    check("a_word_that_is_no_card_is_pointed_at", scale(4_000, 100_000), lines, |(before, word, after)| {
        let line = [notation::show(&before), word.to_string(), notation::show(&after)].join("  ");
        let error = notation::parse(&line).unwrap_err();
        assert_eq!(error.ordinal, before.len() + 1);
        assert_eq!(error.column, notation::show(&before).len() + 3);
        assert_eq!(error.error.text, word);
    });
}

/// Everything that a class of the approved games stands for, as one number.
fn facts(outcome: &Outcome) -> usize {
    let hands = outcome.hands();
    let pair = |side: Side| {
        let cards = hands[side].cards();
        (cards[0].rank == cards[1].rank).then_some(cards[0].rank)
    };
    let pairs = match (pair(Side::Player), pair(Side::Banker)) {
        (None, None) => Pairs::None,
        (Some(_), None) => Pairs::Player,
        (None, Some(_)) => Pairs::Banker,
        (Some(player), Some(banker)) if player != banker => Pairs::Both,
        (Some(_), Some(_)) => Pairs::Twin,
    };
    assert_eq!(outcome.pairs(), pairs);
    Side::BOTH.into_iter().fold(pairs as usize, |facts, side| {
        let points: u8 = hands[side].cards().iter().map(|card| card.rank.value()).sum();
        (facts * 10 + usize::from(points % 10)) * 2 + hands[side].cards().len() - 2
    })
}

/// Facts and classes as they were met: each must stand for the other.
struct Bijection {
    class_of: Vec<Option<ClassNo>>,
    facts_of: Vec<Option<usize>>,
}

impl Bijection {
    fn new(facts: usize, space: &ClassSpace) -> Bijection {
        Bijection { class_of: vec![None; facts], facts_of: vec![None; space.len()] }
    }

    fn meet(&mut self, facts: usize, class: ClassNo) {
        let known = *self.class_of[facts].get_or_insert(class);
        assert_eq!(known, class, "equal facts, different classes");
        let known = *self.facts_of[class.index()].get_or_insert(facts);
        assert_eq!(known, facts, "different facts, one class");
    }

    /// Every class that is said to be possible was met, and no other.
    fn assert_met_all(&self, space: &ClassSpace) {
        for class in space.possible().iter() {
            assert!(self.facts_of[class.index()].is_some(), "{class:?} never happens");
        }
        let met = self.facts_of.iter().flatten().count();
        assert_eq!(met, space.possible().iter().count());
    }
}

const PLAIN_FACTS: usize = 5 * 20 * 20;

#[test]
fn the_classes_of_the_approved_games_are_dense() {
    let spaces: Vec<&ClassSpace> = BOOKS.iter().map(Rulebook::space).collect();
    let mut met: Vec<Bijection> = spaces.iter().map(|space| Bijection::new(PLAIN_FACTS, space)).collect();
    each_round(Deal::new(), &mut |_, outcome| {
        let facts = facts(&outcome);
        for (space, met) in spaces.iter().zip(&mut met) {
            met.meet(facts, space.class_of(&outcome));
        }
    });
    for ((space, met), book) in spaces.iter().zip(&met).zip(BOOKS.iter()) {
        met.assert_met_all(space);
        assert_eq!(space.possible().iter().count(), space.len(), "no number is wasted");
        eprintln!("{}: {} classes", book.game, space.len());
    }
}

/// With suited pairs and counts. Suits matter within the first two cards of a Hand only, and only whether they agree: so
/// the second card of each Hand comes in two suits and all other cards in one.
#[test]
fn the_classes_of_suited_pairs_and_counts_are_those_that_happen() {
    let book = Rulebook::parse(&text(&[
        ("suited", "{ suited_pairs = 'either', odds = '5 to 1' }"),
        ("sevens", "{ count = { rank = '7', is = [3, 4, 5, 6] }, odds = '50 to 1' }"),
        ("two", "{ count = { rank = ['8', '9'], is = 2 }, odds = '2 to 1' }"),
    ]));
    let book = book.unwrap();
    let space = book.space();
    // Seven up to three; eights and nines none, one, two, more.
    let mut met = Bijection::new(PLAIN_FACTS * 4 * 4 * 4, space);
    each_suited_round(Deal::new(), &mut |outcome| {
        let hands = outcome.hands();
        let count = |ranks: &[Rank]| {
            let all = hands.player.cards().iter().chain(hands.banker.cards());
            all.filter(|card| ranks.contains(&card.rank)).count().min(3)
        };
        let suited = |side: Side| {
            let cards = hands[side].cards();
            usize::from(cards[0].rank == cards[1].rank && cards[0].suit == cards[1].suit)
        };
        let facts = (facts(outcome) * 2 + suited(Side::Player)) * 2 + suited(Side::Banker);
        let facts = (facts * 4 + count(&[Rank::Seven])) * 4 + count(&[Rank::Eight, Rank::Nine]);
        met.meet(facts, space.class_of(outcome));
    });
    met.assert_met_all(space);
    // Most combinations cannot happen, such as a suited pair in a Round without any pair.
    assert!(space.possible().iter().count() < space.len() / 2);
}

fn each_suited_round(deal: Deal, see: &mut impl FnMut(&Outcome)) {
    if let Step::Complete(outcome) = deal.step() {
        return see(&outcome);
    }
    let suits = if matches!(deal.len(), 2 | 3) { &Suit::ALL[..2] } else { &Suit::ALL[..1] };
    for &suit in suits {
        for rank in Rank::ALL {
            each_suited_round(deal.take(Card { rank, suit }), see);
        }
    }
}
