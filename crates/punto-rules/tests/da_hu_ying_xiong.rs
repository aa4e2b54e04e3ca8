//! Da Hu Ying Xiong (Commission Baccarat): sections 3 and 4, paragraph by paragraph.
//!
//! What belongs to a running table (announcements, asking for the squeeze) is tested for what is data here.

mod table;

use punto_rules::rulebook::SqueezeRight;
use punto_rules::{BettingBox, Stance, Wager, Winner, settle};
use table::{
    back, banker_draws_after_stand_on, banker_draws_against, bets, cited, hands, money, next, offered_on,
    place, player_draws_on, points, round, rulebook, side_bets_refused_alone, takes_differential,
    takes_range_on, terms,
};

const GAME: &str = "da-hu-ying-xiong";

/// What becomes of a bet, the same on all four layouts.
fn verdict(bet: &str, cards: &str) -> String {
    let [first, others @ ..] = ["A", "B", "C", "D"].map(|layout| table::verdict(GAME, layout, bet, cards));
    assert!(others.iter().all(|other| *other == first), "{bet}: {first}, {others:?}");
    first
}

#[test]
fn da_hu_3_1_nine_is_as_high_as_a_hand_can_be() {
    assert_eq!(verdict("player", "Ts 8d 9c Qh"), "won 1 to 1");
    assert_eq!(points("7s 3d"), 0);
}

#[test]
fn da_hu_3_2_cards_have_their_values() {
    assert_eq!(cited(GAME, "card_values"), "3.2, 3.2.1, 3.2.2, 3.2.3");
    assert_eq!(points("5s 6d 7c"), 8); // 18: the second digit (1.14)
}

#[test]
fn da_hu_3_2_1_an_ace_counts_one() {
    assert_eq!(points("Ah"), 1);
    assert_eq!(points("As Ad Ac"), 3);
}

#[test]
fn da_hu_3_2_2_two_to_ten_count_what_they_show() {
    assert_eq!(["2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d"].map(points), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(points("Td 4s 2h"), 6);
}

#[test]
fn da_hu_3_2_3_pictures_count_nothing() {
    assert_eq!(["Jh", "Qh", "Kc"].map(points), [0, 0, 0]);
    assert_eq!(points("Qh 8s"), 8);
}

#[test]
fn da_hu_3_4_a_minimum_and_a_differential_are_displayed() {
    assert_eq!(cited(GAME, "limits_shown"), "3.4");
    assert!(takes_differential(GAME, "D"));
    assert!(!takes_range_on(GAME, "D", "player")); // it has no maximum but the Differential
    assert!(takes_range_on(GAME, "D", "tiger-pair"));
}

#[test]
fn da_hu_3_5_a_bet_outside_the_limits_does_not_stand() {
    assert_eq!(cited(GAME, "own_responsibility"), "3.5");
    let mut felt = BettingBox::default();
    assert!(place(&mut felt, 7, Stance::Standing, 80).is_err());
    assert!(place(&mut felt, 7, Stance::Standing, 1_020).is_err());
    assert_eq!(place(&mut felt, 7, Stance::Standing, 100), Ok(()));
}

#[test]
fn da_hu_3_6_others_may_take_up_the_room_in_a_box() {
    assert_eq!(cited(GAME, "room_in_box"), "3.6");
    let mut felt = BettingBox::default();
    place(&mut felt, 1, Stance::Seated, 500).unwrap();
    assert_eq!(place(&mut felt, 2, Stance::Standing, 300), Ok(()));
    assert_eq!(place(&mut felt, 3, Stance::Standing, 200), Ok(()));
    assert!(place(&mut felt, 4, Stance::Standing, 100).is_err()); // nothing is left
}

#[test]
fn da_hu_3_7_eight_bets_and_side_bets_stand_alone() {
    let named = ["banker", "big-tiger", "player", "small-tiger", "tie", "tiger", "tiger-pair", "tiger-tie"];
    assert_eq!(bets(GAME), named);
    assert_eq!(side_bets_refused_alone(GAME), [""; 0]); // reading 4: every side bet, the Tie too
    assert_eq!(back(GAME, "B", "tie", 20, "8s 2d 8c 4h"), 180);
}

#[test]
fn da_hu_3_9_the_highest_bet_of_a_seated_player_may_squeeze() {
    let squeeze = rulebook(GAME).squeeze.as_ref().expect("3.9");
    assert_eq!((squeeze.right, squeeze.cite.as_str()), (SqueezeRight::SeatedPlayer, "3.9"));
}

#[test]
fn da_hu_3_10_first_and_third_card_are_the_players() {
    assert_eq!(hands("7s 5d Kc Jh 2s"), "7s Kc / 5d Jh 2s"); // Player stands, so the fifth card is Banker's
    assert_eq!(cited(GAME, "initial_cards"), "3.10");
}

#[test]
fn da_hu_3_10_pairs_are_of_the_first_four_cards() {
    assert_eq!(verdict("tiger-pair", "7s 5d Kc Jh Js"), "lost"); // Banker's third card is another Jack
    assert_eq!(verdict("tiger-pair", "7s Jd Kc Jh 5s"), "won 4 to 1");
}

#[test]
fn da_hu_3_11_after_player_stands_banker_draws_to_five() {
    assert_eq!(banker_draws_after_stand_on(6), [0, 1, 2, 3, 4, 5]);
    assert_eq!(banker_draws_after_stand_on(7), [0, 1, 2, 3, 4, 5]);
    assert_eq!(cited(GAME, "third_card"), "3.11");
}

#[test]
fn da_hu_3_12_player_draws_to_five_and_nobody_to_a_natural() {
    assert_eq!(player_draws_on(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(next("As 8d 4c Qh"), "complete"); // Player 5, Banker 8
    assert_eq!(next("Qs 2d 9c Ah"), "complete"); // Player 9, Banker 3
    assert_eq!(cited(GAME, "table_of_play"), "3.12");
}

#[test]
fn da_hu_3_12_banker_draws_against_the_third_card() {
    for total in [0, 1, 2] {
        assert_eq!(banker_draws_against(total), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    assert_eq!(banker_draws_against(3), [0, 1, 2, 3, 4, 5, 6, 7, 9]);
    assert_eq!(banker_draws_against(4), [2, 3, 4, 5, 6, 7]);
    assert_eq!(banker_draws_against(5), [4, 5, 6, 7]);
    assert_eq!(banker_draws_against(6), [6, 7]);
    assert_eq!(banker_draws_against(7), [0; 0]);
}

#[test]
fn da_hu_3_13_the_higher_total_wins() {
    assert_eq!(round("7s 3d Kc 3h").winner(), Winner::Player); // 7 to 6
    assert_eq!(round("6s 3d Kc 4h").winner(), Winner::Banker); // 6 to 7
    assert_eq!(cited(GAME, "winner"), "3.13");
}

#[test]
fn da_hu_3_14_original_bets_come_back_on_a_tie() {
    assert_eq!(verdict("player", "6s 3d Kc 3h"), "returned");
    assert_eq!(verdict("banker", "6s 3d Kc 3h"), "returned");
    assert_eq!(back(GAME, "A", "banker", 1_000, "6s 3d Kc 3h"), 1_000); // no commission on a return
    assert_eq!(cited(GAME, "tie"), "3.14");
}

#[test]
fn da_hu_4_1_every_layout_offers_every_bet() {
    assert!(bets(GAME).iter().all(|bet| offered_on(GAME, bet) == "ABCD"));
}

#[test]
fn da_hu_4_1_1_the_house_keeps_five_percent_of_a_banker_win() {
    let terms = terms(GAME, "A");
    let banker = Wager::new(terms.bet_no("banker").expect("offered"), money(10_000));
    let settlement = settle(&terms, &[banker], &round("6s 3d Kc 4h"));
    let line = settlement.lines[0];
    assert_eq!((line.winnings.get(), line.commission.get()), (9_500, 500));
    let player = Wager::new(terms.bet_no("player").expect("offered"), money(10_000));
    assert_eq!(settle(&terms, &[player], &round("7s 3d Kc 3h")).lines[0].commission.get(), 0);
}

#[test]
fn da_hu_4_1_2_banker_pays_ninety_five_hundredths() {
    assert_eq!(verdict("banker", "6s 3d Kc 4h"), "won 0.95 to 1");
    assert_eq!(verdict("banker", "2s 3d 3c 3h 5d"), "won 0.95 to 1"); // 6 is not halved here
    assert_eq!(verdict("banker", "7s 3d Kc 3h"), "lost");
}

#[test]
fn da_hu_4_1_2_player_pays_even() {
    assert_eq!(verdict("player", "7s 3d Kc 3h"), "won 1 to 1");
    assert_eq!(verdict("player", "6s 3d Kc 4h"), "lost");
}

#[test]
fn da_hu_4_1_2_tie_pays_eight_whatever_the_points() {
    for tie in ["6s 3d Kc 3h", "7s 3d Kc 4h", "9s 4d Kc 5h", "Ks Qd Jc Th Kd Qc"] {
        assert_eq!(verdict("tie", tie), "won 8 to 1", "{tie}");
    }
    assert_eq!(verdict("tie", "7s 3d Kc 3h"), "lost");
}

#[test]
fn da_hu_4_1_2_tiger_pair_single_double_and_twin() {
    assert_eq!(verdict("tiger-pair", "8s 2d 8c 4h"), "won 4 to 1"); // Player's alone
    assert_eq!(verdict("tiger-pair", "2s 3d 3c 3h 5d"), "won 4 to 1"); // Banker's alone
    assert_eq!(verdict("tiger-pair", "8s 3d 8c 3h"), "won 20 to 1");
    assert_eq!(verdict("tiger-pair", "8s 8d 8c 8h"), "won 100 to 1");
    assert_eq!(verdict("tiger-pair", "9s Kd Kc Qh"), "lost"); // one value, two ranks: reading 1
}

#[test]
fn da_hu_4_1_2_two_pairs_of_one_value_are_double_not_twin() {
    assert_eq!(verdict("tiger-pair", "Ks Qd Kc Qh As 2d"), "won 20 to 1");
}

#[test]
fn da_hu_4_1_2_tiger_is_banker_winning_on_six() {
    let (two, three) = ("2s 3d 3c 3h 5d", "Ks 2d 2c 2h 2s 2c");
    assert_eq!([two, three].map(|cards| verdict("tiger", cards)), ["won 12 to 1", "won 20 to 1"]);
    assert_eq!([two, three].map(|cards| verdict("big-tiger", cards)), ["lost", "won 50 to 1"]);
    assert_eq!([two, three].map(|cards| verdict("small-tiger", cards)), ["won 22 to 1", "lost"]);
    for bet in ["tiger", "big-tiger", "small-tiger"] {
        assert_eq!(verdict(bet, "6s 3d Kc 3h"), "lost"); // tied on 6
    }
}

#[test]
fn da_hu_4_1_2_tiger_tie_is_six_to_six() {
    assert_eq!(verdict("tiger-tie", "6s 3d Kc 3h"), "won 35 to 1");
    assert_eq!(verdict("tiger-tie", "Ks 2d 5c 4h As"), "won 35 to 1"); // three cards against two
    assert_eq!(verdict("tiger-tie", "7s 3d Kc 4h"), "lost"); // a Tie on 7
    assert_eq!(verdict("tiger-tie", "2s 3d 3c 3h 5d"), "lost"); // only Banker has 6
}
