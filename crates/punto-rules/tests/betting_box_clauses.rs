//! Betting boxes clause by clause (5.1, 5.2; interpretations 11 to 14): minimum 100, Differential 1,000.

use punto_rules::{BettingBox, BoxLimits, Flag, Layer, Money, PatronNo, Refusal, Side, Stance, Trim};
use punto_rules::{Side::Banker, Side::Player, Stance::Seated, Stance::Standing};

const ANN: PatronNo = PatronNo(1);
const BOB: PatronNo = PatronNo(2);
const CAI: PatronNo = PatronNo(3);

fn money(minor: u64) -> Money {
    Money::new(minor).unwrap()
}

fn limits() -> BoxLimits {
    BoxLimits { minimum: money(100), differential: money(1_000) }
}

fn place(
    betting_box: &mut BettingBox,
    patron: PatronNo,
    stance: Stance,
    side: Side,
    amount: u64,
) -> Result<Vec<Trim>, Refusal> {
    betting_box.place(Layer { patron, stance, side, amount: money(amount) }, limits())
}

/// A box with these bets, none of which makes another give way.
fn box_with(bets: &[(PatronNo, Stance, Side, u64)]) -> BettingBox {
    let mut betting_box = BettingBox::default();
    for &(patron, stance, side, amount) in bets {
        assert_eq!(place(&mut betting_box, patron, stance, side, amount), Ok(vec![]));
    }
    betting_box
}

fn trim(patron: PatronNo, side: Side, amount: u64) -> Trim {
    Trim { patron, side, amount: money(amount) }
}

fn over(most: u64) -> Result<Vec<Trim>, Refusal> {
    Err(Refusal::OverDifferential { most: money(most) })
}

/// Who has what on a side, in the order of the layers.
fn on(betting_box: &BettingBox, side: Side) -> Vec<(PatronNo, u64)> {
    let layers = betting_box.layers().iter().filter(|layer| layer.side == side);
    layers.map(|layer| (layer.patron, layer.amount.get())).collect()
}

#[test]
fn over_the_differential_is_refused_whole_and_names_what_would_do() {
    let mut felt = box_with(&[(ANN, Standing, Banker, 700)]);
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 301), over(300));
    assert_eq!(on(&felt, Banker), [(ANN, 700)]);
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 300), Ok(vec![]));
}

#[test]
fn the_other_side_makes_room() {
    let mut felt = box_with(&[(ANN, Standing, Player, 250)]);
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 1_251), over(1_250));
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 1_250), Ok(vec![]));
    // Now Banker outweighs Player by the whole Differential, and Player has twice that as room.
    assert_eq!(place(&mut felt, CAI, Standing, Player, 2_001), over(2_000));
}

#[test]
fn room_below_the_minimum_is_no_room_except_for_a_raise() {
    let mut felt = box_with(&[(ANN, Standing, Banker, 950)]);
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 100), over(0));
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 51), over(50));
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 50), Ok(vec![]));
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 1), over(0));
}

#[test]
fn the_minimum_is_per_patron_and_side_with_raises_merged() {
    let mut felt = box_with(&[(ANN, Standing, Banker, 100), (ANN, Standing, Banker, 1)]);
    assert_eq!(felt.stake(ANN, Banker), money(101));
    let least = |least| Err(Refusal::UnderMinimum { least: money(least) });
    assert_eq!(place(&mut felt, ANN, Standing, Player, 99), least(100));
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 99), least(100));
    // What a withdrawal left below the minimum has to be made up.
    assert_eq!(felt.withdraw(ANN, Banker, money(41)), money(41));
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 39), least(40));
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 40), Ok(vec![]));
}

#[test]
fn a_bet_that_narrows_the_gap_is_fine_though_it_stays_too_wide() {
    let mut felt = box_with(&[(ANN, Standing, Player, 1_000), (BOB, Standing, Banker, 2_000)]);
    felt.withdraw(ANN, Player, money(1_000));
    assert_eq!(place(&mut felt, ANN, Standing, Player, 100), Ok(vec![]));
    assert_eq!((felt.totals().player, felt.totals().banker), (money(100), money(2_000)));
    assert_eq!(place(&mut felt, CAI, Standing, Banker, 100), over(0));
}

#[test]
fn one_seated_player_per_box_and_standing_players_may_be_first() {
    let mut felt = box_with(&[(ANN, Standing, Player, 100), (BOB, Seated, Player, 100)]);
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 100), Err(Refusal::SeatTaken));
    assert_eq!(place(&mut felt, BOB, Seated, Banker, 100), Ok(vec![]));
    felt.withdraw(BOB, Player, money(100));
    felt.withdraw(BOB, Banker, money(100));
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 100), Ok(vec![]));
}

#[test]
fn nobody_bets_seated_and_standing_at_once() {
    let mut felt = box_with(&[(ANN, Seated, Player, 100), (BOB, Standing, Player, 100)]);
    assert_eq!(place(&mut felt, ANN, Standing, Banker, 100), Err(Refusal::OtherStance));
    felt.withdraw(ANN, Player, money(100));
    assert_eq!(place(&mut felt, BOB, Seated, Player, 100), Err(Refusal::OtherStance));
}

#[test]
fn refusals_in_order_of_precedence() {
    let mut felt = box_with(&[(ANN, Seated, Banker, 950), (BOB, Standing, Player, 100)]);
    // Each of these is wrong in all the later ways too.
    assert_eq!(place(&mut felt, BOB, Seated, Banker, 1), Err(Refusal::SeatTaken));
    assert_eq!(place(&mut felt, ANN, Standing, Player, 1), Err(Refusal::OtherStance));
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 99), Err(Refusal::UnderMinimum { least: money(100) }));
    assert_eq!(place(&mut felt, BOB, Standing, Banker, 151), over(150));
}

#[test]
fn standing_bets_give_way_to_a_seated_one_as_far_as_needed() {
    let mut felt = box_with(&[(ANN, Standing, Banker, 700)]);
    assert_eq!(place(&mut felt, BOB, Seated, Banker, 300), Ok(vec![]));
    assert_eq!(place(&mut felt, BOB, Seated, Banker, 50), Ok(vec![trim(ANN, Banker, 50)]));
    assert_eq!(on(&felt, Banker), [(ANN, 650), (BOB, 300), (BOB, 50)]);
}

#[test]
fn the_latest_layer_gives_way_first_and_a_raise_is_a_later_layer() {
    let mut felt =
        box_with(&[(ANN, Standing, Banker, 300), (BOB, Standing, Banker, 400), (ANN, Standing, Banker, 200)]);
    let trims = place(&mut felt, CAI, Seated, Banker, 500);
    assert_eq!(trims, Ok(vec![trim(ANN, Banker, 200), trim(BOB, Banker, 200)]));
    assert_eq!(on(&felt, Banker), [(ANN, 300), (BOB, 200), (CAI, 500)]);
}

#[test]
fn a_patron_who_gives_way_in_two_layers_is_told_once() {
    let mut felt =
        box_with(&[(ANN, Standing, Banker, 300), (BOB, Standing, Banker, 100), (ANN, Standing, Banker, 200)]);
    let trims = place(&mut felt, CAI, Seated, Banker, 750);
    // Ann's raise, then Bob's whole bet, then 50 of Ann's first layer.
    assert_eq!(trims, Ok(vec![trim(ANN, Banker, 250), trim(BOB, Banker, 100)]));
    assert_eq!(on(&felt, Banker), [(ANN, 250), (CAI, 750)]);
}

#[test]
fn a_remainder_below_the_minimum_goes_whole_and_the_slack_stays_unused() {
    let mut felt = box_with(&[(ANN, Standing, Banker, 500), (BOB, Standing, Banker, 150)]);
    let trims = place(&mut felt, CAI, Seated, Banker, 401);
    // 51 too much; Bob would be left with 99 and goes. Ann keeps all of hers.
    assert_eq!(trims, Ok(vec![trim(BOB, Banker, 150)]));
    assert_eq!(on(&felt, Banker), [(ANN, 500), (CAI, 401)]);
}

#[test]
fn raises_count_towards_the_remainder() {
    let mut felt = box_with(&[(BOB, Standing, Banker, 100), (BOB, Standing, Banker, 150)]);
    // The raise is left with 50, but with the first layer that is 150.
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 850), Ok(vec![trim(BOB, Banker, 100)]));
    assert_eq!(on(&felt, Banker), [(BOB, 100), (BOB, 50), (CAI, 850)]);
    // One less than the minimum in both layers together, and both go.
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 51), Ok(vec![trim(BOB, Banker, 150)]));
    assert_eq!(on(&felt, Banker), [(CAI, 850), (CAI, 51)]);
}

#[test]
fn only_standing_bets_on_the_same_side_give_way() {
    let mut felt = box_with(&[(ANN, Standing, Player, 200), (BOB, Standing, Banker, 1_200)]);
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 1_201), over(1_200));
    assert_eq!(on(&felt, Banker), [(BOB, 1_200)], "a refused bet trims nothing");
    assert_eq!(place(&mut felt, CAI, Seated, Banker, 1_200), Ok(vec![trim(BOB, Banker, 1_200)]));
    assert_eq!(on(&felt, Player), [(ANN, 200)]);
}

#[test]
fn a_withdrawal_takes_the_latest_layer_first_and_no_more_than_is_there() {
    let mut felt = box_with(&[
        (ANN, Standing, Banker, 100),
        (ANN, Standing, Player, 100),
        (BOB, Standing, Banker, 100),
        (ANN, Standing, Banker, 200),
    ]);
    assert_eq!(felt.withdraw(ANN, Banker, money(220)), money(220));
    assert_eq!(on(&felt, Banker), [(ANN, 80), (BOB, 100)]);
    assert_eq!(felt.withdraw(ANN, Banker, money(220)), money(80));
    assert_eq!(felt.withdraw(ANN, Banker, money(220)), money(0));
    assert_eq!(on(&felt, Player), [(ANN, 100)]);
}

#[test]
fn at_close_standing_bets_go_before_seated_ones_latest_first() {
    let mut felt = box_with(&[
        (CAI, Standing, Player, 600),
        (BOB, Standing, Banker, 300),
        (ANN, Seated, Banker, 900),
        (ANN, Seated, Banker, 400),
    ]);
    felt.withdraw(CAI, Player, money(600));
    // 600 too much: Bob's 300 first though it came first, then 300 of Ann's raise.
    assert_eq!(felt.close(limits()), [trim(BOB, Banker, 300), trim(ANN, Banker, 300)]);
    assert_eq!(on(&felt, Banker), [(ANN, 900), (ANN, 100)]);
}

#[test]
fn at_close_the_lighter_side_keeps_its_bets() {
    let mut felt = box_with(&[
        (BOB, Standing, Banker, 500),
        (ANN, Standing, Player, 1_500),
        (CAI, Standing, Banker, 200),
    ]);
    felt.withdraw(BOB, Banker, money(500));
    assert_eq!(felt.close(limits()), [trim(ANN, Player, 300)]);
    assert_eq!((on(&felt, Player), on(&felt, Banker)), (vec![(ANN, 1_200)], vec![(CAI, 200)]));
    assert_eq!(felt.close(limits()), []);
}

/// A box on an observed table: everything on the felt is recorded, whatever the limits (interpretation 14).
fn observed(bets: &[(PatronNo, Stance, Side, u64)]) -> BettingBox {
    let no_limits = BoxLimits { minimum: money(1), differential: Money::MAX };
    let mut betting_box = BettingBox::default();
    for &(patron, stance, side, amount) in bets {
        let layer = Layer { patron, stance, side, amount: money(amount) };
        assert_eq!(betting_box.place(layer, no_limits), Ok(vec![]));
    }
    betting_box
}

#[test]
fn what_breaks_a_limit_is_flagged() {
    let felt = observed(&[
        (ANN, Standing, Banker, 1_000),
        (BOB, Seated, Banker, 60),
        (BOB, Seated, Player, 30),
        (BOB, Seated, Banker, 39),
    ]);
    let under = |side, by| Flag::UnderMinimum { patron: BOB, side, by: money(by) };
    let flags = [
        Flag::OverDifferential { side: Banker, by: money(69) },
        // Raises merged: 60 and 39 are one bet that is 1 short.
        under(Banker, 1),
        under(Player, 70),
    ];
    assert_eq!(felt.flags(limits()), flags);
}

#[test]
fn what_keeps_to_the_limits_is_not_flagged() {
    let felt =
        observed(&[(ANN, Standing, Player, 1_100), (BOB, Seated, Banker, 60), (BOB, Seated, Banker, 40)]);
    assert_eq!(felt.flags(limits()), []);
    let felt = observed(&[(ANN, Standing, Player, 1_001)]);
    assert_eq!(felt.flags(limits()), [Flag::OverDifferential { side: Player, by: money(1) }]);
    assert_eq!(BettingBox::default().flags(limits()), []);
}

#[test]
fn a_side_never_holds_more_than_money_can() {
    let open = BoxLimits { minimum: money(1), differential: Money::MAX };
    let mut felt = BettingBox::default();
    let bet = |patron, stance, side, amount| Layer { patron, stance, side, amount };
    felt.place(bet(ANN, Standing, Player, money(100)), open).unwrap();
    felt.place(bet(BOB, Standing, Banker, Money::MAX), open).unwrap();
    let trims = felt.place(bet(CAI, Seated, Banker, money(1)), open).unwrap();
    assert_eq!(trims, [Trim { patron: BOB, side: Banker, amount: money(1) }]);
    assert_eq!(felt.totals().banker, Money::MAX);
}

#[test]
fn an_observed_felt_takes_what_lies_there() {
    let mut felt = BettingBox::default();
    let bet = |patron, stance, amount| Layer { patron, stance, side: Banker, amount };
    for (patron, stance, amount) in [(ANN, Seated, 5_000), (BOB, Seated, 20), (BOB, Standing, 20)] {
        felt.record(bet(patron, stance, money(amount))).unwrap();
    }
    assert_eq!(on(&felt, Banker), [(ANN, 5_000), (BOB, 20), (BOB, 20)]);
    let over = Flag::OverDifferential { side: Banker, by: money(4_040) };
    assert_eq!(felt.flags(limits()), [over, Flag::UnderMinimum { patron: BOB, side: Banker, by: money(60) }]);
    assert!(felt.record(bet(CAI, Standing, Money::MAX)).is_err());
    assert_eq!(felt.totals().banker, money(5_040));
}

#[test]
#[should_panic(expected = "a bet of nothing")]
fn nothing_is_no_bet() {
    let _ = place(&mut BettingBox::default(), ANN, Seated, Banker, 0);
}
