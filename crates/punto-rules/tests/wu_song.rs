//! Wu Song (Non-Commission Baccarat), version 3: sections 3 and 4, paragraph by paragraph.
//!
//! What belongs to a running table (announcements, asking for the squeeze) is tested for what is data here.

mod table;

use punto_rules::rulebook::SqueezeRight;
use punto_rules::{BettingBox, Stance, Winner};
use table::{
    back, banker_draws_after_stand_on, banker_draws_against, bets, cited, hands, next, offered_on, place,
    player_draws_on, points, round, rulebook, side_bets_refused_alone, takes_differential, takes_range_on,
};

const GAME: &str = "wu-song";

fn verdict(layout: &str, bet: &str, cards: &str) -> String {
    table::verdict(GAME, layout, bet, cards)
}

/// What a bet does on each layout, A to F.
fn by_layout(bet: &str, cards: &str) -> [String; 6] {
    ["A", "B", "C", "D", "E", "F"].map(|layout| verdict(layout, bet, cards))
}

#[test]
fn wu_song_3_1_nine_is_as_high_as_a_hand_can_be() {
    assert_eq!(verdict("A", "player", "9s 8d Kc Qh"), "won 1 to 1");
    assert_eq!(verdict("A", "banker", "8s 4d Kc 5h"), "won 1 to 1");
    assert_eq!(points("4s 6d"), 0); // ten is not higher than nine
}

#[test]
fn wu_song_3_2_cards_have_their_values() {
    assert_eq!(cited(GAME, "card_values"), "3.2, 3.2.1, 3.2.2, 3.2.3");
    assert_eq!(points("As 9d 8c"), 8); // 18: the second digit (1.20)
}

#[test]
fn wu_song_3_2_1_an_ace_counts_one() {
    assert_eq!(points("As"), 1);
    assert_eq!(points("Ah Ac"), 2);
}

#[test]
fn wu_song_3_2_2_two_to_ten_count_what_they_show() {
    let cards = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"];
    assert_eq!(cards.map(points), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(points("Ts 7d"), 7); // ten and seven make 17
}

#[test]
fn wu_song_3_2_3_pictures_count_nothing() {
    assert_eq!(["Js", "Qs", "Ks"].map(points), [0, 0, 0]);
    assert_eq!(points("Ks Qd 6c"), 6);
}

#[test]
fn wu_song_3_4_a_minimum_and_a_differential_are_displayed() {
    assert_eq!(cited(GAME, "limits_shown"), "3.4");
    assert!(takes_differential(GAME, "A"));
    assert!(!takes_range_on(GAME, "A", "player")); // it has no maximum but the Differential
    assert!(takes_range_on(GAME, "A", "wu-song"));
}

#[test]
fn wu_song_3_5_a_bet_outside_the_limits_does_not_stand() {
    assert_eq!(cited(GAME, "own_responsibility"), "3.5");
    let mut felt = BettingBox::default();
    let under = place(&mut felt, 1, Stance::Seated, 60).unwrap_err();
    assert_eq!(under, "below the minimum; at least 100 more is needed");
    let over = place(&mut felt, 1, Stance::Seated, 1_200).unwrap_err();
    assert_eq!(over, "over the Differential; at most 1000 would be accepted");
}

#[test]
fn wu_song_3_6_others_may_take_up_the_room_in_a_box() {
    assert_eq!(cited(GAME, "room_in_box"), "3.6");
    let mut felt = BettingBox::default();
    place(&mut felt, 1, Stance::Seated, 400).unwrap();
    assert_eq!(place(&mut felt, 2, Stance::Standing, 600), Ok(()));
    assert!(place(&mut felt, 3, Stance::Standing, 100).is_err()); // nothing is left
}

#[test]
fn wu_song_3_7_fourteen_bets_and_side_bets_stand_alone() {
    let named = [
        "banker",
        "banker-big-7",
        "banker-pair",
        "banker-small-7",
        "big-tiger",
        "player",
        "player-big-7",
        "player-pair",
        "player-small-7",
        "small-tiger",
        "tie",
        "tiger-tie",
        "wu-dalang",
        "wu-song",
    ];
    assert_eq!(bets(GAME), named);
    assert_eq!(side_bets_refused_alone(GAME), [""; 0]);
    assert_eq!(back(GAME, "A", "small-tiger", 10, "2s 3d 3c 3h 5d"), 230);
}

#[test]
fn wu_song_3_9_the_highest_bet_of_any_player_may_squeeze() {
    let squeeze = rulebook(GAME).squeeze.as_ref().expect("3.9");
    assert_eq!((squeeze.right, squeeze.cite.as_str()), (SqueezeRight::AnyPlayer, "3.9"));
}

#[test]
fn wu_song_3_10_first_and_third_card_are_the_players() {
    assert_eq!(hands("9s 2d Kc 4h"), "9s Kc / 2d 4h");
    assert_eq!(cited(GAME, "initial_cards"), "3.10");
}

#[test]
fn wu_song_3_10_pairs_are_of_the_first_four_cards() {
    // Player 2, 3 and another 3: the third card makes no pair. Banker's sixes are one.
    assert_eq!(verdict("A", "player-pair", "2s 6d 3c 6h 3d 8c"), "lost");
    assert_eq!(verdict("A", "banker-pair", "2s 6d 3c 6h 3d 8c"), "won 11 to 1");
}

#[test]
fn wu_song_3_11_after_player_stands_banker_draws_to_five() {
    assert_eq!(banker_draws_after_stand_on(6), [0, 1, 2, 3, 4, 5]);
    assert_eq!(banker_draws_after_stand_on(7), [0, 1, 2, 3, 4, 5]);
    assert_eq!(cited(GAME, "third_card"), "3.11");
}

#[test]
fn wu_song_3_12_player_draws_to_five_and_stands_on_six() {
    assert_eq!(player_draws_on(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(next("2s 3d 3c 3h"), "player");
    assert_eq!(cited(GAME, "table_of_play"), "3.12");
}

#[test]
fn wu_song_3_12_nobody_draws_to_a_natural() {
    assert_eq!(next("8s Kd Kc 2h"), "complete"); // Player 8, Banker 2
    assert_eq!(next("2s 9d Kc Qh"), "complete"); // Player 2, Banker 9
}

#[test]
fn wu_song_3_12_banker_draws_against_the_third_card() {
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
fn wu_song_3_13_the_higher_total_wins() {
    assert_eq!(round("3s 2d 4c 4h").winner(), Winner::Player); // 7 to 6
    assert_eq!(round("2s 3d 3c 4h Kd").winner(), Winner::Banker); // 5 to 7
    assert_eq!(cited(GAME, "winner"), "3.13");
}

#[test]
fn wu_song_3_14_original_bets_come_back_on_a_tie() {
    assert_eq!(by_layout("player", "3s 3d 4c 4h"), ["returned"; 6]);
    assert_eq!(by_layout("banker", "3s 3d 4c 4h"), ["returned"; 6]);
    assert_eq!(back(GAME, "F", "banker", 500, "3s 3d 4c 4h"), 500);
    assert_eq!(cited(GAME, "tie"), "3.14");
}

#[test]
fn wu_song_4_1_each_layout_offers_what_has_odds_there() {
    let offered: Vec<usize> = rulebook(GAME).layouts.iter().map(|layout| layout.bets.len()).collect();
    assert_eq!(offered, [10, 10, 10, 10, 11, 11]);
}

#[test]
fn wu_song_4_1_1_banker_on_six_or_seven_pays_half() {
    assert_eq!(by_layout("banker", "2s 3d 3c 3h 5d"), ["won 1 to 2"; 6]);
    assert_eq!(by_layout("banker", "2s 3d 3c 4h Kd"), ["won 1 to 2"; 6]);
    assert_eq!(back(GAME, "A", "banker", 500, "2s 3d 3c 4h Kd"), 750);
}

#[test]
fn wu_song_4_1_1_banker_on_other_points_pays_even() {
    assert_eq!(by_layout("banker", "2s 4d 3c 4h"), ["won 1 to 1"; 6]); // 8
    assert_eq!(by_layout("banker", "Ks 2d Jc 3h 9d"), ["lost"; 6]); // 5 to Player's 9
    assert_eq!(by_layout("banker", "Ks 2d Jc 3h 3d"), ["won 1 to 1"; 6]); // 5
}

#[test]
fn wu_song_4_1_1_player_on_seven_pays_half() {
    assert_eq!(by_layout("player", "3s 2d 4c 4h"), ["won 1 to 2"; 6]);
    assert_eq!(by_layout("player", "2s 2d 3c 4h 2c"), ["won 1 to 2"; 6]); // with three cards too
}

#[test]
fn wu_song_4_1_1_player_on_other_points_pays_even() {
    assert_eq!(by_layout("player", "9s 2d Kc 4h"), ["won 1 to 1"; 6]);
    assert_eq!(by_layout("player", "2s Kd 4c 5h 9s"), ["won 1 to 1"; 6]); // 6 pays in full
    assert_eq!(by_layout("player", "2s 4d 3c 4h"), ["lost"; 6]);
}

#[test]
fn wu_song_4_1_2_tie_on_six_pays_ten() {
    for layout in ["A", "B", "D"] {
        assert_eq!(verdict(layout, "tie", "2s 2d 4c 4h"), "won 10 to 1");
    }
}

#[test]
fn wu_song_4_1_2_tie_on_seven_pays_ten_and_on_others_eight() {
    for layout in ["A", "B", "D"] {
        assert_eq!(verdict(layout, "tie", "3s 3d 4c 4h"), "won 10 to 1");
        assert_eq!(verdict(layout, "tie", "4s 4d 4c 4h"), "won 8 to 1"); // 8
        assert_eq!(verdict(layout, "tie", "Ks Qd Jc Th Kd Qc"), "won 8 to 1"); // 0
        assert_eq!(verdict(layout, "tie", "3s 2d 4c 4h"), "lost"); // 7 to 6
    }
}

#[test]
fn wu_song_4_1_3_tie_pays_eight_whatever_the_points() {
    for layout in ["C", "E", "F"] {
        for tie in ["2s 2d 4c 4h", "3s 3d 4c 4h", "4s 4d 4c 4h", "Ks Qd Jc Th Kd Qc"] {
            assert_eq!(verdict(layout, "tie", tie), "won 8 to 1", "{tie}");
        }
    }
}

#[test]
fn wu_song_4_1_4_tiger_tie_is_six_to_six() {
    assert_eq!(by_layout("tiger-tie", "2s 2d 4c 4h"), ["won 35 to 1"; 6]);
    assert_eq!(by_layout("tiger-tie", "Ks 2d 5c 4h As"), ["won 35 to 1"; 6]); // three cards against two
    assert_eq!(by_layout("tiger-tie", "3s 3d 4c 4h"), ["lost"; 6]); // a Tie on 7
    assert_eq!(by_layout("tiger-tie", "2s 3d 3c 3h 5d"), ["lost"; 6]); // only Banker has 6
}

#[test]
fn wu_song_4_1_5_a_pair_pays_eleven() {
    assert_eq!(verdict("A", "player-pair", "8s 2d 8c 4h"), "won 11 to 1");
    assert_eq!(verdict("A", "banker-pair", "8s 2d 8c 4h"), "lost");
    assert_eq!(verdict("D", "banker-pair", "2s 3d 3c 3h 5d"), "won 11 to 1");
    assert_eq!(offered_on(GAME, "player-pair") + &offered_on(GAME, "banker-pair"), "ABCDABCD");
}

#[test]
fn wu_song_4_1_5_cards_of_one_value_are_no_pair() {
    assert_eq!(verdict("A", "player-pair", "Ks 2d Qc 7h"), "lost"); // reading 1
    assert_eq!(verdict("A", "banker-pair", "9s Td Kc Jh"), "lost");
}

#[test]
fn wu_song_4_1_6_banker_seven_big_with_three_cards_small_with_two() {
    let (three, two, tied) = ("2s 2d 4c 3h 2c", "2s 3d 3c 4h Kd", "3s 3d 4c 4h");
    assert_eq!([three, two, tied].map(|c| verdict("E", "banker-big-7", c)), ["won 30 to 1", "lost", "lost"]);
    assert_eq!(
        [three, two, tied].map(|c| verdict("F", "banker-small-7", c)),
        ["lost", "won 15 to 1", "lost"]
    );
    assert_eq!(offered_on(GAME, "banker-big-7") + &offered_on(GAME, "banker-small-7"), "EFEF");
}

#[test]
fn wu_song_4_1_7_player_seven_big_with_three_cards_small_with_two() {
    let (three, two, tied) = ("2s 2d 3c 4h 2c", "3s 2d 4c 4h", "3s 3d 4c 4h");
    assert_eq!([three, two, tied].map(|c| verdict("E", "player-big-7", c)), ["won 30 to 1", "lost", "lost"]);
    assert_eq!(
        [three, two, tied].map(|c| verdict("F", "player-small-7", c)),
        ["lost", "won 15 to 1", "lost"]
    );
    assert_eq!(offered_on(GAME, "player-big-7") + &offered_on(GAME, "player-small-7"), "EFEF");
}

#[test]
fn wu_song_4_1_8_tigers_are_banker_winning_on_six() {
    let (three, two) = ("Ks 2d 2c 2h 2s 2c", "2s 3d 3c 3h 5d");
    assert_eq!(by_layout("big-tiger", three), ["won 50 to 1"; 6]);
    assert_eq!(by_layout("small-tiger", three), ["lost"; 6]);
    assert_eq!(by_layout("small-tiger", two), ["won 22 to 1"; 6]);
    assert_eq!(by_layout("big-tiger", two), ["lost"; 6]);
    assert_eq!(by_layout("small-tiger", "2s 2d 4c 4h"), ["lost"; 6]); // tied on 6
}

#[test]
fn wu_song_4_1_9_wu_song_is_player_winning_on_six_with_three_cards() {
    assert_eq!(verdict("A", "wu-song", "2s 2d 3c 2h Ac"), "won 36 to 1");
    assert_eq!(verdict("A", "wu-song", "2s Kd 4c 5h 9s"), "lost"); // two cards
    assert_eq!(verdict("A", "wu-song", "Ks 2d 5c 4h As"), "lost"); // tied on 6
    assert_eq!(offered_on(GAME, "wu-song"), "ABCD");
}

#[test]
fn wu_song_4_1_10_wu_dalang_is_player_winning_on_one() {
    assert_eq!(by_layout("wu-dalang", "2s Kd 3c Qh 6d Ks"), ["won 150 to 1"; 6]);
    assert_eq!(by_layout("wu-dalang", "2s Kd 3c Qh 6d As"), ["lost"; 6]); // 1 to 1: reading 3
    assert_eq!(by_layout("wu-dalang", "2s Kd 3c Qh 6d 5s"), ["lost"; 6]); // 1 to 5
}
