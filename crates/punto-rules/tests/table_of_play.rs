//! The Table of Play, every cell: 10 totals × 10 totals × (10 third-card values, or none), against the reference.

mod reference;

use punto_rules::table_of_play::{self, Because};
use punto_rules::{BySide, Card, Deal, PointTotal, Rank, Side, Step, Suit};

/// The ranks that count for so many points: four of them for nought (3.2.2, 3.2.3), one for the rest.
fn ranks_of(value: u8) -> Vec<Rank> {
    match value {
        0 => vec![Rank::Ten, Rank::Jack, Rank::Queen, Rank::King],
        _ => vec![Rank::ALL[usize::from(value) - 1]],
    }
}

fn card(rank: Rank) -> Card {
    Card { rank, suit: Suit::Hearts }
}

/// The totals of two Hands' first two cards.
fn two_cards(player: u8, banker: u8) -> BySide<PointTotal> {
    let total = |points| PointTotal::of(&[card(Rank::King), card(ranks_of(points)[0])]);
    BySide { player: total(player), banker: total(banker) }
}

fn each_two() -> impl Iterator<Item = (u8, u8)> {
    (0..10).flat_map(|player| (0..10).map(move |banker| (player, banker)))
}

#[test]
fn the_player_hand_draws_as_printed_in_all_100_cells() {
    for (player, banker) in each_two() {
        let decision = table_of_play::player(two_cards(player, banker));
        let printed = reference::player_draws(player, banker);
        assert_eq!(
            (decision.side, decision.draws),
            (Side::Player, printed),
            "Player {player}, Banker {banker}"
        );
    }
}

#[test]
fn the_banker_hand_draws_as_printed_in_all_1100_cells() {
    let mut cells = 0;
    for (player, banker) in each_two() {
        for third in std::iter::once(None).chain((0..10).map(Some)) {
            let printed = reference::banker_draws(player, banker, third);
            let ranks = third.map_or(vec![None], |value| ranks_of(value).into_iter().map(Some).collect());
            for rank in ranks {
                let decision = table_of_play::banker(two_cards(player, banker), rank);
                let cell = format!("Player {player}, Banker {banker}, third card {rank:?}");
                assert_eq!((decision.side, decision.draws), (Side::Banker, printed), "{cell}");
            }
            cells += 1;
        }
    }
    assert_eq!(cells, 10 * 10 * 11);
}

/// Deals a Round card by card and writes down who got each, until it is complete.
fn dealt_to(cards: &[Card]) -> Vec<Side> {
    let (mut deal, mut sides) = (Deal::new(), Vec::new());
    for &card in cards {
        let Step::Draw(side) = deal.step() else { break };
        sides.push(side);
        deal = deal.take(card);
    }
    assert!(matches!(deal.step(), Step::Complete(_)), "{deal:?} is not complete");
    sides
}

#[test]
fn a_deal_goes_by_the_table_step_by_step() {
    use Side::{Banker, Player};
    for (player, banker) in each_two() {
        for third in 0..10 {
            // Both Hands hold a picture and the card that makes their total; the last card changes no decision.
            let ranks = [0, 0, player, banker, third, 9].map(|value| ranks_of(value)[0]);
            let mut expected = vec![Player, Banker, Player, Banker]; // 3.10
            let draws = reference::player_draws(player, banker);
            expected.extend(draws.then_some(Player));
            let banker_draws = reference::banker_draws(player, banker, draws.then_some(third));
            expected.extend(banker_draws.then_some(Banker));
            assert_eq!(dealt_to(&ranks.map(card)), expected, "{ranks:?}");
        }
    }
}

#[test]
fn tens_and_pictures_act_alike_in_every_place() {
    for (player, banker) in each_two() {
        for third in 0..10 {
            let ranks = [0, 0, player, banker, third, 9].map(|value| ranks_of(value)[0]);
            let expected = dealt_to(&ranks.map(card));
            for place in 0..ranks.len() {
                for alike in ranks_of(ranks[place].value()) {
                    let mut ranks = ranks;
                    ranks[place] = alike;
                    assert_eq!(dealt_to(&ranks.map(card)), expected, "{ranks:?}");
                }
            }
        }
    }
}

#[test]
fn suits_decide_nothing() {
    let cards = |suit| {
        [Rank::Two, Rank::Three, Rank::Three, Rank::Three, Rank::Six, Rank::Nine]
            .map(|rank| Card { rank, suit })
    };
    let [spades, others @ ..] = Suit::ALL.map(|suit| dealt_to(&cards(suit)));
    assert_eq!(spades.len(), 6); // Banker 6 draws against a 6
    assert!(others.into_iter().all(|sides| sides == spades));
}

/// A decision names the line of the table that made it: what a Dealer would point at.
#[test]
fn a_decision_names_its_line() {
    let total = |points| two_cards(points, 0).player;
    let player = |two: (u8, u8)| table_of_play::player(two_cards(two.0, two.1)).because;
    let banker = |two: (u8, u8), third| table_of_play::banker(two_cards(two.0, two.1), third).because;
    assert_eq!(player((5, 7)), Because::OwnTotal(total(5)));
    assert_eq!(player((3, 9)), Because::Natural(two_cards(3, 9)));
    assert_eq!(banker((8, 2), None), Because::Natural(two_cards(8, 2)));
    assert_eq!(banker((6, 5), None), Because::PlayerStood(total(5)));
    assert_eq!(banker((1, 2), Some(Rank::King)), Because::OwnTotal(total(2)));
    assert_eq!(banker((1, 3), Some(Rank::Eight)), Because::AgainstThird(total(3), Rank::Eight));
    assert_eq!(banker((1, 7), Some(Rank::Six)), Because::OwnTotal(total(7)));
}

#[test]
fn a_deal_lists_the_decisions_that_were_made() {
    let deal = |line: &str| {
        let cards = punto_rules::notation::parse(line).expect("cards");
        let (deal, _) = punto_rules::reconstruct(&cards);
        deal.decisions().iter().map(|decision| (decision.side, decision.draws)).collect::<Vec<_>>()
    };
    assert_eq!(deal("2s 3d 3c"), []);
    assert_eq!(deal("2s 3d 3c 3h"), [(Side::Player, true)]);
    assert_eq!(deal("2s 3d 3c 3h 5d"), [(Side::Player, true), (Side::Banker, false)]);
    assert_eq!(deal("9s 3d Kc 3h"), [(Side::Player, false), (Side::Banker, false)]);
    assert_eq!(deal("6s 2d Kc 3h"), [(Side::Player, false), (Side::Banker, true)]);
}
