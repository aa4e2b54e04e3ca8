//! The shoe (interpretation 7): a fair shuffle that never changes with a release, cut, cut card, burn.

mod scale;

use proptest::prelude::*;
use punto_rules::{Burn, Card, Composition, Rank, Shoe, notation};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use scale::{check, says, scale};

fn drain(mut shoe: Shoe) -> Vec<Card> {
    std::iter::from_fn(|| shoe.draw()).collect()
}

fn seed(number: u32) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    seed
}

/// Which card lies where over many shuffles of one deck: χ² over positions × cards.
fn chi_squared(shuffles: u32, mut shuffle: impl FnMut(u32) -> Vec<Card>) -> f64 {
    let mut counts = vec![0u32; Card::KINDS * Card::KINDS];
    for number in 0..shuffles {
        for (place, card) in shuffle(number).into_iter().enumerate() {
            counts[place * Card::KINDS + card.index()] += 1;
        }
    }
    let expected = f64::from(shuffles) / Card::KINDS as f64;
    counts.into_iter().map(|count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// 51² degrees of freedom: the mean is 2,601, the standard deviation √(2 × 2,601) ≈ 72; this is five of them above.
const TOO_FAR: f64 = 2_601.0 + 5.0 * 72.0;

#[test]
fn every_card_is_as_likely_everywhere() {
    let shuffles = scale(20_000, 2_000_000);
    let deck = Composition::decks(1);
    let fair = chi_squared(shuffles, |number| drain(Shoe::shuffled(&deck, seed(number))));
    says("every_card_is_as_likely_everywhere", shuffles);
    // Too even would be as suspicious.
    assert!(fair < TOO_FAR && fair > 2_601.0 - 5.0 * 72.0, "χ² is {fair}");
}

/// The test above would notice: two ways to get a shuffle wrong.
#[test]
fn a_biased_shuffle_is_noticed() {
    let shuffles = scale(20_000, 100_000);
    let deck: Vec<Card> = Card::all().collect();
    // Every card changes places with any other: 52^52 ways onto 52! orders, which cannot come out even.
    let any_place = chi_squared(shuffles, |number| {
        let (mut cards, mut stream) = (deck.clone(), ChaCha20Rng::from_seed(seed(number)));
        (0..52).for_each(|place| cards.swap(place, stream.next_u32() as usize % 52));
        cards
    });
    // The remainder of a byte: 256 is no multiple of most numbers, so the lower places come more often.
    let remainder = chi_squared(shuffles, |number| {
        let (mut cards, mut stream) = (deck.clone(), ChaCha20Rng::from_seed(seed(number)));
        (1..52).rev().for_each(|last| cards.swap(last, (stream.next_u32() & 0xFF) as usize % (last + 1)));
        cards
    });
    says("a_biased_shuffle_is_noticed", shuffles);
    assert!(any_place > TOO_FAR, "χ² is {any_place}");
    assert!(remainder > TOO_FAR, "χ² is {remainder}");
}

/// Fisher–Yates once more; returns the order, and how many draws were thrown away because they favour low numbers.
fn by_the_book(composition: &Composition, seed: [u8; 32]) -> (Vec<Card>, u32) {
    let mut stream = ChaCha20Rng::from_seed(seed);
    let mut cards: Vec<Card> = composition.cards().collect();
    let mut thrown_away = 0;
    for left in (2..=cards.len() as u64).rev() {
        // The draws below the last whole multiple of `left` are evenly spread over its remainders.
        let fair = (1 << 32) / left * left;
        let draw = loop {
            match u64::from(stream.next_u32()) {
                draw if draw < fair => break draw,
                _ => thrown_away += 1,
            }
        };
        cards.swap(left as usize - 1, (draw % left) as usize);
    }
    (cards, thrown_away)
}

/// A draw that would favour some cards is so rare that no count would show it; but then the order differs. 255 decks are
/// more than any game has, and enough for such draws to come.
#[test]
fn draws_that_would_favour_some_cards_are_thrown_away() {
    let (shuffles, decks) = (scale(300, 20_000), Composition::decks(255));
    let mut thrown_away = 0;
    for number in 0..shuffles {
        let (order, thrown) = by_the_book(&decks, seed(number));
        assert_eq!(drain(Shoe::shuffled(&decks, seed(number))), order);
        thrown_away += thrown;
    }
    says("draws_that_would_favour_some_cards_are_thrown_away", shuffles);
    assert!(thrown_away > 0, "no such draw came, so nothing was tested");
}

/// The order for a seed is part of the record's meaning: these lines never change with a release.
#[test]
fn the_order_for_a_seed_never_changes() {
    let cards = drain(Shoe::shuffled(&Composition::decks(8), [7; 32]));
    assert_eq!(notation::show(&cards[..26]), GOLDEN);
    // FNV-1a over all 416.
    let hash = cards.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, card| {
        (hash ^ card.index() as u64).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(hash, GOLDEN_HASH);
}

// Worked out once more outside this program, from the definitions of ChaCha20 and of the shuffle.
const GOLDEN: &str = "Tc Js Jd Kc As Ah 4h Kd 6d 5h Kh 9h Qd 8s 9d 5h 6h 8s Qh 9s Qc 4s Kh 4c 5h 4h";
const GOLDEN_HASH: u64 = 0x0fa7_38e8_3f2d_3f91;

fn compositions() -> impl Strategy<Value = Composition> {
    let some = prop::collection::vec((0..Card::KINDS).prop_map(Card::from_index), 0..80);
    prop_oneof![(1..=10u8).prop_map(Composition::decks), some.prop_map(Composition::from_iter)]
}

#[test]
fn a_shuffle_loses_and_adds_no_card() {
    let shoes = (compositions(), any::<[u8; 32]>());
    check("a_shuffle_loses_and_adds_no_card", scale(2_000, 200_000), shoes, |(composition, seed)| {
        let shoe = Shoe::shuffled(&composition, seed);
        assert_eq!(shoe.left(), composition);
        assert_eq!(shoe.remaining(), composition.len() as usize);
        assert_eq!(shoe, Shoe::shuffled(&composition, seed), "the same seed gives the same order");
        let cards = drain(shoe);
        assert_eq!(cards.iter().copied().collect::<Composition>(), composition);
    });
}

#[test]
fn seeds_give_different_orders() {
    let deck = Composition::decks(1);
    let mut orders: Vec<Vec<Card>> = (0..256)
        .map(|bit| {
            let mut seed = [7; 32];
            seed[bit / 8] ^= 1 << (bit % 8);
            drain(Shoe::shuffled(&deck, seed))
        })
        .collect();
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 256, "every bit of the seed counts");
}

#[test]
fn a_cut_moves_the_first_cards_to_the_back() {
    let cuts = (1..=8u8, 0..=100usize);
    check("a_cut_moves_the_first_cards_to_the_back", scale(500, 20_000), cuts, |(decks, percent)| {
        let shoe = Shoe::shuffled(&Composition::decks(decks), [decks; 32]);
        let at = shoe.remaining() * percent / 100;
        let before = drain(shoe.clone());
        let mut cut = shoe;
        cut.cut(at);
        assert_eq!(drain(cut), [&before[at..], &before[..at]].concat());
    });
}

#[test]
#[should_panic(expected = "a cut is made within the whole pack")]
fn nothing_is_cut_once_dealing_has_begun() {
    let mut shoe = Shoe::shuffled(&Composition::decks(1), [1; 32]);
    shoe.draw();
    shoe.cut(10);
}

#[test]
#[should_panic(expected = "a cut is made within the whole pack")]
fn a_cut_is_not_deeper_than_the_pack() {
    Shoe::shuffled(&Composition::decks(1), [1; 32]).cut(53);
}

#[test]
fn burnt_cards_are_the_first_ones() {
    let cards: Vec<Card> = Card::all().collect();
    for count in 0..=60 {
        let mut shoe = Shoe::stacked(cards.clone());
        let burnt = shoe.burn(Burn::Fixed(count));
        let expected = usize::from(count).min(52);
        assert_eq!(burnt, cards[..expected], "all that are left if there are fewer");
        assert_eq!(drain(shoe), cards[expected..]);
    }
}

/// Ace one, 2 to 9 as printed, 10 and pictures ten; the card that was turned over comes on top.
#[test]
fn the_first_card_says_how_many_are_burnt() {
    let expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
    for (rank, count) in Rank::ALL.into_iter().zip(expected) {
        let first = Card::all().find(|card| card.rank == rank).unwrap();
        let cards: Vec<Card> = [first].into_iter().chain(Card::all()).collect();
        let mut shoe = Shoe::stacked(cards.clone());
        assert_eq!(shoe.burn(Burn::ByFirstCard), cards[..=count]);
        assert_eq!(drain(shoe), cards[count + 1..]);
        let mut short = Shoe::stacked(cards[..2].to_vec());
        assert_eq!(short.burn(Burn::ByFirstCard), cards[..2]);
    }
    assert_eq!(Shoe::stacked(vec![]).burn(Burn::ByFirstCard), []);
}

#[test]
fn the_cut_card_comes_out_before_the_last_cards() {
    for behind in 0..=52usize {
        let mut shoe = Shoe::shuffled(&Composition::decks(1), [2; 32]);
        shoe.place_cut_card(behind);
        for dealt in 0..=52 {
            // A cut card behind all the cards never comes.
            assert_eq!(
                shoe.is_cut_card_out(),
                behind > 0 && dealt >= 52 - behind,
                "{dealt} of 52, {behind} behind"
            );
            assert_eq!(shoe.draw().is_some(), dealt < 52);
        }
    }
}

#[test]
#[should_panic(expected = "a cut card lies within the shoe")]
fn a_cut_card_is_not_placed_before_the_first_card() {
    let mut shoe = Shoe::shuffled(&Composition::decks(1), [2; 32]);
    shoe.draw();
    shoe.place_cut_card(52);
}

/// A composition is a bag of cards: compared with a plain list of them.
#[test]
fn a_composition_counts_copies() {
    let acts = prop::collection::vec((any::<bool>(), 0..Card::KINDS), 0..200);
    check("a_composition_counts_copies", scale(2_000, 200_000), acts, |acts| {
        let (mut bag, mut composition) = (Vec::new(), Composition::EMPTY);
        for (add, index) in acts {
            // A quarter of the deck, so that copies pile up and run out.
            let card = Card::from_index(index / 4 * 4);
            if add {
                bag.push(card);
                composition.add(card);
            } else {
                let place = bag.iter().position(|other| *other == card);
                place.map(|place| bag.swap_remove(place));
                assert_eq!(composition.remove(card), place.is_some(), "no card beyond its copies");
            }
            let copies = bag.iter().filter(|other| **other == card).count();
            assert_eq!(usize::from(composition.copies(card)), copies);
            assert_eq!(composition.of_rank(card.rank) as usize, copies);
        }
        bag.sort();
        assert_eq!(composition.cards().collect::<Vec<_>>(), bag);
        assert_eq!(composition.len() as usize, bag.len());
        assert_eq!(composition.is_empty(), bag.is_empty());
        assert_eq!(bag.into_iter().collect::<Composition>(), composition);
    });
}

#[test]
fn decks_have_four_suits_of_thirteen_ranks() {
    for decks in 0..=10 {
        let composition = Composition::decks(decks);
        assert_eq!(composition.len(), 52 * u32::from(decks));
        assert!(Card::all().all(|card| composition.copies(card) == u16::from(decks)));
        assert!(Rank::ALL.iter().all(|&rank| composition.of_rank(rank) == 4 * u32::from(decks)));
    }
}
