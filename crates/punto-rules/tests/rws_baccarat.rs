//! RWS Baccarat, version 2: sections 3 and 4, paragraph by paragraph.
//!
//! What belongs to a running table (announcements, asking for the squeeze) is tested for what is data here.

mod table;

use punto_rules::rulebook::SqueezeRight;
use punto_rules::{BettingBox, Stance, Winner};
use table::{
    back, banker_draws_after_stand_on, banker_draws_against, bets, card, cited, hands, next, offered_on,
    place, player_draws_on, points, round, rulebook, side_bets_refused_alone, takes_differential,
    takes_range_on,
};

const GAME: &str = "rws-baccarat";
const LAYOUTS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

/// What becomes of a bet, the same on all eight layouts.
fn verdict(bet: &str, cards: &str) -> String {
    let [first, others @ ..] = LAYOUTS.map(|layout| table::verdict(GAME, layout, bet, cards));
    assert!(others.iter().all(|other| *other == first), "{bet}: {first}, {others:?}");
    first
}

/// A Round that both Hands begin with nothing, so that their third cards are their totals.
fn ending(player: u8, banker: u8) -> String {
    format!("Ks Qd Jc Kh {} {}", card(player), card(banker))
}

#[test]
fn rws_3_1_nine_is_as_high_as_a_hand_can_be() {
    assert_eq!(verdict("player", "4s 4d 5c 4h"), "won 1 to 1");
    assert_eq!(points("6s 4d"), 0);
}

#[test]
fn rws_3_2_cards_have_their_values() {
    assert_eq!(cited(GAME, "card_values"), "3.2, 3.2.1, 3.2.2, 3.2.3");
    assert_eq!(points("9s 9d 9c"), 7); // 27: the second digit (1.17)
}

#[test]
fn rws_3_2_1_an_ace_counts_one() {
    assert_eq!(points("Ac"), 1);
    assert_eq!(points("Ad Ks"), 1);
}

#[test]
fn rws_3_2_2_two_to_ten_count_what_they_show() {
    assert_eq!(["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"].map(points), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(points("Tc 9d"), 9);
}

#[test]
fn rws_3_2_3_pictures_count_nothing() {
    assert_eq!(["Jd", "Qc", "Ks"].map(points), [0, 0, 0]);
    assert_eq!(points("Jd 5s"), 5);
}

#[test]
fn rws_3_4_a_minimum_and_a_differential_are_displayed() {
    assert_eq!(cited(GAME, "limits_shown"), "3.4");
    assert!(takes_differential(GAME, "H"));
    assert!(!takes_range_on(GAME, "H", "banker")); // it has no maximum but the Differential
    assert!(takes_range_on(GAME, "H", "tie-wins-on-0"));
}

#[test]
fn rws_3_5_a_bet_outside_the_limits_does_not_stand() {
    assert_eq!(cited(GAME, "own_responsibility"), "3.5");
    let mut felt = BettingBox::default();
    assert!(place(&mut felt, 1, Stance::Seated, 99).is_err());
    assert!(place(&mut felt, 1, Stance::Seated, 1_001).is_err());
    assert_eq!(place(&mut felt, 1, Stance::Seated, 1_000), Ok(()));
}

#[test]
fn rws_3_6_others_may_take_up_the_room_in_a_box() {
    assert_eq!(cited(GAME, "room_in_box"), "3.6");
    let mut felt = BettingBox::default();
    place(&mut felt, 1, Stance::Seated, 900).unwrap();
    let over = place(&mut felt, 2, Stance::Standing, 200).unwrap_err();
    assert_eq!(over, "over the Differential; at most 100 would be accepted");
    assert_eq!(place(&mut felt, 2, Stance::Standing, 100), Ok(()));
}

#[test]
fn rws_3_7_eight_kinds_of_bets_and_side_bets_stand_alone() {
    let mut named: Vec<String> =
        ["player", "banker", "any-tie", "player-pair", "banker-pair"].map(String::from).into();
    named.extend((1..=9).map(|points| format!("player-wins-on-{points}")));
    named.extend((1..=9).map(|points| format!("banker-wins-on-{points}")));
    named.extend((0..=9).map(|points| format!("tie-wins-on-{points}")));
    named.sort_unstable();
    assert_eq!(bets(GAME), named);
    assert_eq!(side_bets_refused_alone(GAME), [""; 0]);
    assert_eq!(back(GAME, "A", "player-wins-on-9", 10, "4s 4d 5c 4h"), 60);
}

#[test]
fn rws_3_9_the_highest_bet_of_a_seated_player_may_squeeze() {
    let squeeze = rulebook(GAME).squeeze.as_ref().expect("3.9");
    assert_eq!((squeeze.right, squeeze.cite.as_str()), (SqueezeRight::SeatedPlayer, "3.9"));
}

#[test]
fn rws_3_10_first_and_third_card_are_the_players() {
    assert_eq!(hands("3s 2d Ac 4h 6s 8c"), "3s Ac 6s / 2d 4h 8c"); // Banker draws on 6 against a 6
    assert_eq!(cited(GAME, "initial_cards"), "3.10");
}

#[test]
fn rws_3_10_pairs_are_of_the_first_four_cards() {
    assert_eq!(verdict("banker-pair", "Ks 2d Jc 3h 5s 3d"), "lost"); // 2, 3 and another 3
    assert_eq!(verdict("banker-pair", "Ks 3d Jc 3h 6s 2d"), "won 11 to 1");
}

#[test]
fn rws_3_11_after_player_stands_banker_draws_to_five() {
    assert_eq!(banker_draws_after_stand_on(6), [0, 1, 2, 3, 4, 5]);
    assert_eq!(banker_draws_after_stand_on(7), [0, 1, 2, 3, 4, 5]);
    assert_eq!(cited(GAME, "third_card"), "3.11");
}

#[test]
fn rws_3_12_player_draws_to_five_and_nobody_to_a_natural() {
    assert_eq!(player_draws_on(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(next("As 9d 2c Jh"), "complete"); // Player 3, Banker 9
    assert_eq!(next("As Kd 7c Jh"), "complete"); // Player 8, Banker 0
    assert_eq!(cited(GAME, "table_of_play"), "3.12");
}

#[test]
fn rws_3_12_banker_draws_against_the_third_card() {
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
fn rws_3_13_the_higher_total_wins() {
    assert_eq!(round(&ending(5, 4)).winner(), Winner::Player);
    assert_eq!(round(&ending(0, 1)).winner(), Winner::Banker);
    assert_eq!(cited(GAME, "winner"), "3.13");
}

#[test]
fn rws_3_14_original_bets_come_back_on_a_tie() {
    for points in 0..=9 {
        assert_eq!(verdict("player", &ending(points, points)), "returned");
        assert_eq!(verdict("banker", &ending(points, points)), "returned");
    }
    assert_eq!(cited(GAME, "tie"), "3.14");
}

#[test]
fn rws_4_1_every_layout_offers_every_bet() {
    assert!(bets(GAME).iter().all(|bet| offered_on(GAME, bet) == "ABCDEFGH"));
}

#[test]
fn rws_4_1_1_banker_on_six_pays_half_and_on_others_even() {
    assert_eq!(verdict("banker", &ending(1, 6)), "won 1 to 2");
    for points in [2, 3, 4, 5, 7, 8, 9] {
        assert_eq!(verdict("banker", &ending(1, points)), "won 1 to 1");
    }
    assert_eq!(verdict("banker", &ending(1, 0)), "lost");
    assert_eq!(back(GAME, "C", "banker", 300, &ending(1, 6)), 450);
}

#[test]
fn rws_4_1_1_player_pays_even() {
    for points in 1..=9 {
        assert_eq!(verdict("player", &ending(points, 0)), "won 1 to 1");
        assert_eq!(verdict("player", &ending(0, points)), "lost");
    }
}

#[test]
fn rws_4_1_1_any_tie_pays_eight() {
    for points in 0..=9 {
        assert_eq!(verdict("any-tie", &ending(points, points)), "won 8 to 1");
    }
    assert_eq!(verdict("any-tie", &ending(6, 7)), "lost");
}

#[test]
fn rws_4_1_1_a_pair_pays_eleven() {
    assert_eq!(verdict("player-pair", "Qs Kd Qc Jh 2d 2c"), "won 11 to 1");
    assert_eq!(verdict("banker-pair", "Qs Kd Qc Jh 2d 2c"), "lost"); // reading 1
    assert_eq!(verdict("banker-pair", "Qs Kd Jc Kh 2d 2c"), "won 11 to 1");
}

#[test]
fn rws_4_1_2_player_wins_on_each_total_at_its_odds() {
    for (points, odds) in (1..=9).zip([160, 80, 50, 50, 30, 11, 8, 6, 5]) {
        let bet = format!("player-wins-on-{points}");
        assert_eq!(verdict(&bet, &ending(points, 0)), format!("won {odds} to 1"));
        assert_eq!(verdict(&bet, &ending(points, points)), "lost"); // a Tie
        assert_eq!(verdict(&bet, &ending(0, points)), "lost"); // the other Hand
    }
}

#[test]
fn rws_4_1_3_banker_wins_on_each_total_at_its_odds() {
    for (points, odds) in (1..=9).zip([160, 80, 50, 25, 15, 11, 8, 6, 5]) {
        let bet = format!("banker-wins-on-{points}");
        assert_eq!(verdict(&bet, &ending(0, points)), format!("won {odds} to 1"));
        assert_eq!(verdict(&bet, &ending(points, points)), "lost"); // a Tie
        assert_eq!(verdict(&bet, &ending(points, 0)), "lost"); // the other Hand
    }
}

#[test]
fn rws_4_1_4_tie_wins_on_each_total_at_its_odds() {
    for (points, odds) in (0..=9).zip([110, 160, 160, 150, 100, 90, 35, 35, 60, 60]) {
        let bet = format!("tie-wins-on-{points}");
        assert_eq!(verdict(&bet, &ending(points, points)), format!("won {odds} to 1"));
        let other = (points + 1) % 10;
        assert_eq!(verdict(&bet, &ending(other, other)), "lost"); // a Tie on another total
        assert_eq!(verdict(&bet, &ending(points, other)), "lost");
    }
}
