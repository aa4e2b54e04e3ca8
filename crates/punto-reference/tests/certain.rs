//! What is certain before a Round is complete (5.4.1; interpretation 20), against every way in which it can go on: each of
//! the 52 cards for each card that is still to come, nothing left out.

use crate::both::BOOKS;
use crate::scale::{check, scale};
use proptest::prelude::*;
use proptest::sample::select;
use punto_reference::{Bet, Book, Card, Certain, Hands, Side, Verdict, parse_cards};

/// All verdicts that a bet can still have, one by one.
fn verdicts(bet: &Bet, hands: Hands, see: &mut impl FnMut(Verdict)) {
    let Some(round) = hands.round() else {
        let cards: Vec<Card> = in_order(&hands);
        for card in Card::deck() {
            let more = [cards.as_slice(), &[card]].concat();
            verdicts(bet, Hands::deal(&more).0, see);
        }
        return;
    };
    see(bet.decide(&round).verdict);
}

/// The cards of both Hands in the order in which they were drawn: Player and Banker by turns.
fn in_order(hands: &Hands) -> Vec<Card> {
    let [player, banker] =
        [Side::Player, Side::Banker].map(|side| hands.hand(side).cards().collect::<Vec<_>>());
    (0..3).flat_map(|place| player.get(place).into_iter().chain(banker.get(place))).copied().collect()
}

/// Interpretation 20 read literally: it wins in all, loses in all, or comes back in all.
fn by_the_page(bet: &Bet, hands: Hands) -> Option<Certain> {
    let (mut won, mut lost, mut returned, mut odds) = (0, 0, 0, Vec::new());
    verdicts(bet, hands, &mut |verdict| match verdict {
        Verdict::Won(these) => {
            won += 1;
            if !odds.contains(&these) {
                odds.push(these);
            }
        }
        Verdict::Lost => lost += 1,
        Verdict::Returned => returned += 1,
    });
    match (won, lost, returned) {
        (_, 0, 0) => Some(Certain::Won(if odds.len() == 1 { odds.pop() } else { None })),
        (0, _, 0) => Some(Certain::Lost),
        (0, 0, _) => Some(Certain::Returned),
        _ => None,
    }
}

/// Three cards leave up to 52³ ways, four up to 52².
#[test]
fn every_way_that_a_round_can_go_on() {
    let layouts: Vec<_> =
        BOOKS.iter().flat_map(|both| [&both.book.layouts[0], both.book.layouts.last().unwrap()]).collect();
    let deck: Vec<Card> = Card::deck().collect();
    // Some cards twice or three times, so that pairs and counts of a rank come about.
    let some = select(vec!["7s 7s 7d", "4h 9c 4h", "2s 7d 7s", "Ks Kh 5d"])
        .prop_map(|line| parse_cards(line).unwrap());
    let mixed = |count| prop::collection::vec(select(deck.clone()), count);
    let beginnings = prop_oneof![1 => some, 2 => mixed(3), 9 => mixed(4), 2 => mixed(5), 1 => mixed(6)];
    let which = any::<prop::sample::Index>();
    check(
        "beginnings of Rounds",
        scale(120, 20_000),
        (0..layouts.len(), beginnings, which),
        |(no, cards, which)| {
            let (hands, _) = Hands::deal(&cards);
            // From three cards on there are many ways; one bet is enough then.
            let bets = &layouts[no].bets;
            let bets = if cards.len() == 3 { std::slice::from_ref(which.get(bets)) } else { bets };
            for bet in bets {
                assert_eq!(bet.certain(hands), by_the_page(bet, hands), "{} on {cards:?}", bet.name());
            }
        },
    );
}

/// The consequence that interpretation 20 states, over the orders of three ranks; of two, one in some.
#[test]
fn no_outcome_on_two_cards_and_one_from_the_third_on() {
    let approved = |name: &str| {
        let mut books = BOOKS.iter().map(|both| &both.book);
        books.find(|book| book.game == name).expect("a game")
    };
    let spades: Vec<Card> = Card::deck().filter(|card| card.suit() == 's').collect();
    let decided = |book: &Book, cards: &[Card]| {
        let hands = Hands::deal(cards).0;
        let is_decided = |bet: &Bet| bet.certain(hands).is_some_and(Certain::is_decided);
        book.layouts[0].bets.iter().any(is_decided)
    };
    for game in ["wu-song", "ncb-etg", "rws-baccarat", "da-hu-ying-xiong"] {
        let book = approved(game);
        assert!(!decided(book, &[]));
        let mut established = 0;
        for first in &spades {
            assert!(!decided(book, &[*first]), "{game}: {first}");
            for (no, second) in spades.iter().enumerate() {
                let is_asked = no % scale(5, 1) as usize == 0;
                assert!(!is_asked || !decided(book, &[*first, *second]), "{game}: {first} {second}");
                let third = spades.iter().filter(|third| decided(book, &[*first, *second, **third]));
                established += third.count();
            }
        }
        assert_eq!(established, if game == "da-hu-ying-xiong" { 949 } else { 13 * 13 * 13 }, "{game}");
    }
}

/// Player totals of three cards do not say whether Banker draws; the third card does. A bet on "Banker stands on b against a
/// Player total of p in three cards" is open before the first cards exactly if some such Round exists.
#[test]
fn which_third_card_it_was_is_not_forgotten() {
    let worth = |points: u8| Card::deck().find(|card| card.value() % 10 == points).expect("a card");
    let king: Card = "Kd".parse().expect("a card");
    let head =
        include_str!("../../../rulebooks/rws-baccarat-v2.toml").split("[[bet]]").next().expect("a head");
    let mut open = 0;
    for (total, banker) in (0..10u8).flat_map(|total| (0..10u8).map(move |banker| (total, banker))) {
        let row = format!(
            "{{ player_points = {total}, player_cards = 3, banker_points = {banker}, banker_cards = 2, odds = \"1 to 1\" }}"
        );
        let bet =
            format!("[[bet]]\nid = \"bet\"\ncite = \"4.1\"\nlabel = {{ en = \"Bet\" }}\npays = [{row}]\n");
        let layout = "[[layout]]\nid = \"A\"\ncite = \"2.1\"\nbets = [\"bet\"]\n";
        let book = Book::read(&format!("{head}{bet}{layout}")).expect("a rule book");
        let exists = (0..10u8).any(|third| {
            let first = worth((10 + total - third) % 10);
            let cards = [first, worth(banker), king, king, worth(third)];
            let (hands, left_over) = Hands::deal(&cards);
            let [on_player, on_banker] = [Side::Player, Side::Banker].map(|side| hands.hand(side).len());
            hands.next_card().is_none() && left_over.is_empty() && (on_player, on_banker) == (3, 2)
        });
        let expected = if exists { None } else { Some(Certain::Lost) };
        for known in [&[][..], &[king], &[king, king]] {
            let (hands, _) = Hands::deal(known);
            // On a King Player can still have any total of two cards.
            assert_eq!(book.layouts[0].bets[0].certain(hands), expected, "{total} against {banker}");
        }
        open += u32::from(exists);
    }
    assert!((10..90).contains(&open), "{open}");
}

/// Won in some continuations and returned in the rest is not certain; cards left over change nothing.
#[test]
fn returned_establishes_nothing() {
    let book = &BOOKS[0].book;
    let layout = &book.layouts[0];
    // A Tie on 6 is complete: both Original Bets come back, which decides neither.
    let tie = layout.established(&parse_cards("6s 6h Kd Qc 2s").unwrap());
    assert_eq!((tie.of("player"), tie.of("banker")), (Some(Certain::Returned), Some(Certain::Returned)));
    assert!(!tie.decided().any(|bet| bet == "player" || bet == "banker"));
    assert!(tie.decided().any(|bet| bet == "tie"));
    // 9 in two cards wins or ties.
    let nine = layout.established(&parse_cards("9s 2h Kd").unwrap());
    assert_eq!(nine.of("player"), None);
    assert_eq!(nine.of("banker"), None);
    assert_eq!(nine.of("big-tiger"), Some(Certain::Lost));
    assert_eq!(nine.of("no such bet"), None);
}
