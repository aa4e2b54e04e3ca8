//! Non-Commission Baccarat (Electronic Table Game), version 5: sections 3 and 4, paragraph by paragraph.
//!
//! What belongs to running terminals (notices, displays) is tested for what is data here.

mod table;

use punto_rules::{Wager, Winner, settle};
use table::{
    back, banker_draws_after_stand_on, banker_draws_against, bets, cited, hands, money, next, offered_on,
    player_draws_on, points, round, rulebook, side_bets_refused_alone, takes_differential, takes_range_on,
    terms,
};

const GAME: &str = "ncb-etg";

fn verdict(bet: &str, cards: &str) -> String {
    table::verdict(GAME, "terminal", bet, cards)
}

#[test]
fn ncb_etg_3_1_nine_is_as_high_as_a_hand_can_be() {
    assert_eq!(verdict("banker", "4s 4d 4c 5h"), "won 1 to 1");
    assert_eq!(points("5s 5d"), 0);
}

#[test]
fn ncb_etg_3_2_cards_have_their_values() {
    assert_eq!(cited(GAME, "card_values"), "3.2, 3.2.1, 3.2.2, 3.2.3");
    assert_eq!(points("7s 8d 9c"), 4); // 24: the second digit (1.16)
}

#[test]
fn ncb_etg_3_2_1_an_ace_counts_one() {
    assert_eq!(points("Ad"), 1);
    assert_eq!(points("As 8d"), 9);
}

#[test]
fn ncb_etg_3_2_2_two_to_ten_count_what_they_show() {
    assert_eq!(["2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h"].map(points), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(points("Th Td 3c"), 3); // 23
}

#[test]
fn ncb_etg_3_2_3_pictures_count_nothing() {
    assert_eq!(["Jc", "Qd", "Kh", "Js Qc Kd"].map(points), [0; 4]);
}

#[test]
fn ncb_etg_3_4_each_bet_has_a_minimum_and_a_maximum() {
    assert_eq!(cited(GAME, "limits_shown"), "3.4");
    assert!(bets(GAME).iter().all(|bet| takes_range_on(GAME, "terminal", bet)));
    assert!(!takes_differential(GAME, "terminal"));
}

#[test]
fn ncb_etg_3_5_bets_are_placed_on_the_one_display() {
    assert_eq!(cited(GAME, "display"), "3.5");
    assert_eq!(offered_on(GAME, "banker"), "terminal");
    assert_eq!(rulebook(GAME).layouts[0].boxes, None); // no betting box is drawn on it
}

#[test]
fn ncb_etg_3_6_five_bets_and_side_bets_stand_alone() {
    assert_eq!(bets(GAME), ["banker", "banker-pair", "player", "player-pair", "tie"]);
    assert_eq!(side_bets_refused_alone(GAME), [""; 0]);
    assert_eq!(back(GAME, "terminal", "player-pair", 20, "8s 2d 8c 4h"), 240);
}

#[test]
fn ncb_etg_3_8_first_and_third_card_are_the_players() {
    assert_eq!(hands("As 7d 2c Kh 4s"), "As 2c 4s / 7d Kh");
    assert_eq!(cited(GAME, "initial_cards"), "3.8");
}

#[test]
fn ncb_etg_3_8_pairs_are_of_the_first_four_cards() {
    assert_eq!(verdict("player-pair", "As 7d 2c Kh 2s"), "lost"); // A, 2 and another 2
    assert_eq!(verdict("player-pair", "2s 7d 2c Kh As"), "won 11 to 1");
}

#[test]
fn ncb_etg_3_9_after_player_stands_banker_draws_to_five() {
    assert_eq!(banker_draws_after_stand_on(6), [0, 1, 2, 3, 4, 5]);
    assert_eq!(banker_draws_after_stand_on(7), [0, 1, 2, 3, 4, 5]);
    assert_eq!(cited(GAME, "third_card"), "3.9");
}

#[test]
fn ncb_etg_3_10_player_draws_to_five_and_nobody_to_a_natural() {
    assert_eq!(player_draws_on(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(next("Ks 4d 3c 4h"), "complete"); // Player 3, Banker 8
    assert_eq!(next("Ks 4d 9c Kh"), "complete"); // Player 9, Banker 4
    assert_eq!(cited(GAME, "table_of_play"), "3.10");
}

#[test]
fn ncb_etg_3_10_banker_draws_against_the_third_card() {
    for total in [0, 1, 2] {
        assert_eq!(banker_draws_against(total), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    assert_eq!(banker_draws_against(3), [0, 1, 2, 3, 4, 5, 6, 7, 9]); // the row that the second scan lost
    assert_eq!(banker_draws_against(4), [2, 3, 4, 5, 6, 7]);
    assert_eq!(banker_draws_against(5), [4, 5, 6, 7]);
    assert_eq!(banker_draws_against(6), [6, 7]);
    assert_eq!(banker_draws_against(7), [0; 0]);
}

#[test]
fn ncb_etg_3_11_the_higher_total_wins() {
    assert_eq!(round("Ks 3d 9c 5h").winner(), Winner::Player); // two Naturals, 9 to 8
    assert_eq!(round("Ks 3d 6c 4h").winner(), Winner::Banker); // 6 to 7
    assert_eq!(cited(GAME, "winner"), "3.11");
}

#[test]
fn ncb_etg_3_12_original_bets_come_back_on_a_tie() {
    assert_eq!(verdict("player", "Ks 3d 8c 5h"), "returned");
    assert_eq!(verdict("banker", "Ks 3d 8c 5h"), "returned");
    assert_eq!(back(GAME, "terminal", "player", 1_000, "Ks 3d 8c 5h"), 1_000);
    assert_eq!(cited(GAME, "tie"), "3.12");
}

#[test]
fn ncb_etg_3_13_losing_bets_are_collected_and_winning_bets_paid() {
    let terms = terms(GAME, "terminal");
    let wagers = ["player", "banker", "tie", "banker-pair"]
        .map(|bet| Wager::new(terms.bet_no(bet).expect("offered"), money(100)));
    let settlement = settle(&terms, &wagers, &round("2s 3d 3c 3h 5d"));
    let back: Vec<u64> = settlement.lines.iter().map(|line| line.to_patron().get()).collect();
    assert_eq!(back, [0, 150, 0, 1_200]); // Banker on 6 with a pair
    assert_eq!(settlement.house, 200 - 50 - 1_100);
    assert_eq!(cited(GAME, "pay"), "3.13");
}

#[test]
fn ncb_etg_4_1_banker_on_six_pays_half() {
    assert_eq!(verdict("banker", "2s 3d 3c 3h 5d"), "won 1 to 2");
    assert_eq!(verdict("banker", "Ks 2d 2c 2h 2s 2c"), "won 1 to 2"); // with three cards too
    assert_eq!(back(GAME, "terminal", "banker", 1_000, "2s 3d 3c 3h 5d"), 1_500);
}

#[test]
fn ncb_etg_4_1_banker_on_other_points_pays_even() {
    assert_eq!(verdict("banker", "Ks 3d 6c 4h"), "won 1 to 1"); // 7 is not halved here
    assert_eq!(verdict("banker", "Ks 3d 9c 5h"), "lost");
}

#[test]
fn ncb_etg_4_1_player_pays_even() {
    assert_eq!(verdict("player", "3s 2d 4c 4h"), "won 1 to 1"); // 7 is not halved here
    assert_eq!(verdict("player", "2s Kd 4c 5h 9s"), "won 1 to 1"); // nor is 6
    assert_eq!(verdict("player", "Ks 3d 6c 4h"), "lost");
}

#[test]
fn ncb_etg_4_1_tie_pays_eight_whatever_the_points() {
    for tie in ["2s 2d 4c 4h", "3s 3d 4c 4h", "Ks 3d 8c 5h", "Ks Qd Jc Th Kd Qc"] {
        assert_eq!(verdict("tie", tie), "won 8 to 1", "{tie}");
    }
    assert_eq!(verdict("tie", "Ks 3d 9c 5h"), "lost");
}

#[test]
fn ncb_etg_4_1_a_pair_pays_eleven() {
    assert_eq!(verdict("player-pair", "9s 8d 9c Kh"), "won 11 to 1");
    assert_eq!(verdict("banker-pair", "9s 4d Kc 4h"), "won 11 to 1");
    assert_eq!(verdict("player-pair", "Ts 8d Jc Kh"), "lost"); // reading 1
}
