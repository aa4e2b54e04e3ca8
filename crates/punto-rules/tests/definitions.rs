//! Sections 1 and 2 and the appendices of all four documents: what a word means, checked on every kind of Round.
//!
//! A definition says when a bet wins and that it loses otherwise, so each is held against one Round of every kind
//! that bets can tell apart. Words that only name something are listed in docs/conformance.md with a reason.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use punto_rules::{
    BettingBox, Card, Composition, Deal, Layer, LimitsAsked, LimitsModel, Outcome, PatronNo, Pays, Rank,
    Side, Stance, Step, Suit, TermsError, Verdict, Winner, notation, reconstruct,
};
use table::{LIMITS, bets, money, offered_on, points, round, rulebook, verdict};

const WU_SONG: &str = "wu-song";
const NCB_ETG: &str = "ncb-etg";
const RWS: &str = "rws-baccarat";
const DA_HU: &str = "da-hu-ying-xiong";

/// What tells Rounds apart: totals, numbers of cards, whether the first two cards match in rank or only in value, and
/// whether both Hands begin with one rank. Read off the cards, so that a wrong pair cannot hide its own kind.
type Kind = ([(u8, u8, bool, bool); 2], bool);

fn kind(round: &Outcome) -> Kind {
    let [player, banker] = Side::BOTH.map(|side| round.hands()[side].cards()[0].rank);
    let of = |side| {
        let [first, second, ..] = round.hands()[side].cards() else { panic!("a Hand has two cards") };
        let same_value = first.rank.value() == second.rank.value();
        (total(round, side), cards(round, side), first.rank == second.rank, same_value)
    };
    (Side::BOTH.map(of), player == banker)
}

/// One Round of every kind.
static KINDS: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    fn deal_on(deal: Deal, kinds: &mut BTreeMap<Kind, Outcome>) {
        match deal.step() {
            Step::Complete(outcome) => {
                kinds.entry(kind(&outcome)).or_insert(outcome);
            }
            Step::Draw(_) => {
                for rank in Rank::ALL {
                    deal_on(deal.take(Card { rank, suit: Suit::Hearts }), kinds);
                }
            }
        }
    }
    let mut kinds = BTreeMap::new();
    deal_on(Deal::new(), &mut kinds);
    kinds.into_values().collect()
});

fn total(round: &Outcome, side: Side) -> u8 {
    round.hands()[side].points().get()
}

fn cards(round: &Outcome, side: Side) -> u8 {
    round.hands()[side].len()
}

fn won_on(round: &Outcome, side: Side, points: u8) -> bool {
    round.winner().side() == Some(side) && total(round, side) == points
}

fn tied_on(round: &Outcome, points: u8) -> bool {
    Side::BOTH.into_iter().all(|side| total(round, side) == points)
}

/// Whether the first two cards of a Hand have one rank, whatever they count.
fn paired(round: &Outcome, side: Side) -> bool {
    let cards = round.hands()[side].cards();
    cards[0].rank == cards[1].rank
}

/// A bet becomes in every kind of Round what the definition says, on each layout that offers it.
fn becomes(game: &str, bet: &str, says: impl Fn(&Outcome) -> &'static str) {
    let rulebook = rulebook(game);
    let mut met = BTreeSet::new();
    for layout in &rulebook.layouts {
        let Some(no) = layout.bet_no(bet) else { continue };
        for round in KINDS.iter() {
            let verdict = match layout.bets[no.index()].verdict(rulebook.space().class_of(round)) {
                Verdict::Won(odds) => format!("won {odds}"),
                verdict @ (Verdict::Lost | Verdict::Returned) => verdict.id().into(),
            };
            // Where the definition is about winning alone, the odds are left to section 4.
            let said = says(round);
            let verdict =
                if said == "won" { verdict.split(' ').next().unwrap_or_default() } else { &verdict };
            assert_eq!(verdict, said, "{game} {}, {bet}: {:?}", layout.id, round.hands());
            met.insert(said);
        }
    }
    assert!(met.len() > 1, "{game}, {bet}: {met:?} in every Round");
}

/// A bet wins in the Rounds that its definition names and loses in all others.
fn wins_only_when(game: &str, bet: &str, wins: impl Fn(&Outcome) -> bool) {
    becomes(game, bet, |round| if wins(round) { "won" } else { "lost" });
}

/// Player and Banker stand on the felt for a Hand, and they alone come back on a Tie.
fn original_bets_are_on_a_hand(game: &str) {
    let tie = round("Ks Qd 6c 6h");
    for bet in &rulebook(game).bets {
        let hand = Side::BOTH.into_iter().find(|side| side.id() == bet.id.as_str());
        assert_eq!(bet.original, hand, "{game}, {}", bet.id);
        let returned = bet.verdict(rulebook(game).space().class_of(&tie)) == Verdict::Returned;
        assert_eq!(returned, hand.is_some(), "{game}, {}", bet.id);
    }
}

/// Every card of a Round belongs to one Hand, and the Hands have no other cards.
fn hands_are_the_cards_dealt(cards: &str) {
    let drawn = notation::parse(cards).expect("cards");
    let round = round(cards);
    let mut held: Vec<Card> =
        Side::BOTH.into_iter().flat_map(|side| round.hands()[side].cards().to_vec()).collect();
    assert_eq!(held.len(), drawn.len());
    held.sort_unstable();
    let mut dealt = drawn;
    dealt.sort_unstable();
    assert_eq!(held, dealt);
}

/// Two cards that make 8 or 9, on either side or on both, and never three.
fn natural_is_two_cards_of_eight_or_nine(with_two: &str, with_three: &str) {
    assert!(round(with_two).is_natural(), "{with_two}");
    assert!(!round(with_three).is_natural(), "{with_three}");
    for round in KINDS.iter() {
        let natural = |side| cards(round, side) == 2 && total(round, side) >= 8;
        assert_eq!(round.is_natural(), natural(Side::Player) || natural(Side::Banker), "{:?}", round.hands());
    }
}

/// The sum of the cards, or its second digit; the worked totals are given.
fn point_total_is_the_last_digit(worked: &[(&str, u8)]) {
    for (cards, total) in worked {
        assert_eq!(points(cards), *total, "{cards}");
    }
    for round in KINDS.iter() {
        for side in Side::BOTH {
            let face = |card: &Card| u8::try_from(card.rank as usize + 1).expect("1 to 13");
            let value = |card| if face(card) > 10 { 0 } else { face(card) };
            let sum: u8 = round.hands()[side].cards().iter().map(value).sum();
            assert_eq!(total(round, side), sum % 10, "{:?}", round.hands()[side]);
        }
    }
}

/// Dealing the list again puts each card where it was meant to go; what is too many is left over.
fn reconstruction_restores_the_order(drawn: &str, hands: &str, surplus: &str) {
    let cards = notation::parse(drawn).expect("cards");
    let (deal, left) = reconstruct(&cards);
    let [player, banker] = Side::BOTH.map(|side| notation::show(deal.hands()[side].cards()));
    assert_eq!(format!("{player} / {banker}"), hands, "{drawn}");
    assert_eq!(notation::show(left), surplus, "{drawn}");
}

/// What separates Banker and Player bets of a box, whichever is larger, is what the limit holds.
fn differential_is_between_banker_and_player(game: &str, paragraph: &str) {
    let limits = &rulebook(game).limits;
    assert_eq!(limits.model, LimitsModel::Differential);
    assert!(limits.cite.paragraphs().any(|cited| cited == paragraph), "{game}: {}", limits.cite);
    for (one, other) in [(Side::Player, Side::Banker), (Side::Banker, Side::Player)] {
        let mut felt = BettingBox::default();
        let mut place = |patron, side, amount| {
            let bet =
                Layer { patron: PatronNo(patron), stance: Stance::Standing, side, amount: money(amount) };
            felt.place(bet, LIMITS).is_ok()
        };
        assert!(place(1, one, 400));
        assert!(!place(2, other, 1_401), "1,001 apart");
        assert!(place(2, other, 1_400), "1,000 apart");
        assert!(!place(3, other, 100), "1,100 apart");
        assert!(place(3, one, 100), "900 apart");
    }
}

/// So many decks and no others, of 52 cards each.
fn decks_are(game: &str, least: u8, most: u8) {
    for decks in 0..=20 {
        let terms = rulebook(game).terms(&rulebook(game).layouts[0].id, decks, &LimitsAsked::default());
        match terms {
            Ok(terms) => assert!((least..=most).contains(&decks) && terms.decks() == decks, "{decks}"),
            Err(TermsError::Decks { min, max, .. }) => {
                assert!(!(least..=most).contains(&decks), "{decks}");
                assert_eq!((min, max), (least, most));
            }
            Err(other) => panic!("{decks} decks: {other}"),
        }
        let cards = Composition::decks(decks);
        assert_eq!(cards.len(), 52 * u32::from(decks));
        assert!(Card::all().all(|card| cards.copies(card) == u16::from(decks)));
    }
}

/// A table may have one of these layouts and no other.
fn layouts_are(game: &str, layouts: &[&str]) {
    for asked in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "terminal"] {
        let terms = rulebook(game).terms(asked, 8, &LimitsAsked::default());
        assert_eq!(terms.is_ok(), layouts.contains(&asked), "{game}: layout {asked}");
    }
    assert_eq!(rulebook(game).layouts.len(), layouts.len());
}

/// Boxes and Chinese print of a Wu Song layout, and the bets that section 4 gives it beside those of all layouts.
fn wu_song_appendix(id: &str, boxes: u8, bilingual: bool, tie_on_seven: &str, own: &[&str]) {
    let layout = rulebook(WU_SONG).layout(id).expect("a layout");
    assert_eq!((layout.boxes, layout.most_boxes()), (Some(boxes), boxes));
    assert_eq!(layout.bilingual, Some(bilingual));
    let of_all = ["player", "banker", "tie", "tiger-tie", "big-tiger", "small-tiger", "wu-dalang"];
    let mut named: Vec<&str> = of_all.iter().chain(own).copied().collect();
    let mut offered: Vec<&str> = layout.bets.iter().map(|bet| bet.id.as_str()).collect();
    named.sort_unstable();
    offered.sort_unstable();
    assert_eq!(offered, named);
    assert_eq!(verdict(WU_SONG, id, "tie", "3s 3d 4c 4h"), format!("won {tie_on_seven}"));
}

const PAIRS_AND_WU_SONG: [&str; 3] = ["player-pair", "banker-pair", "wu-song"];
const SEVENS: [&str; 4] = ["banker-big-7", "banker-small-7", "player-big-7", "player-small-7"];

// ---- Wu Song

#[test]
fn wu_song_1_2_banker_big_7_wins_on_seven_with_three_cards() {
    wins_only_when(WU_SONG, "banker-big-7", |r| won_on(r, Side::Banker, 7) && cards(r, Side::Banker) == 3);
}

#[test]
fn wu_song_1_3_banker_small_7_wins_on_seven_with_two_cards() {
    wins_only_when(WU_SONG, "banker-small-7", |r| won_on(r, Side::Banker, 7) && cards(r, Side::Banker) == 2);
}

#[test]
fn wu_song_1_5_big_tiger_wins_on_six_with_three_cards() {
    wins_only_when(WU_SONG, "big-tiger", |r| won_on(r, Side::Banker, 6) && cards(r, Side::Banker) == 3);
}

#[test]
fn wu_song_1_8_the_differential_is_between_banker_and_player() {
    differential_is_between_banker_and_player(WU_SONG, "1.8");
}

#[test]
fn wu_song_1_10_a_hand_is_the_cards_dealt_to_it() {
    hands_are_the_cards_dealt("Ks 2d 2c 2h 2s 2c");
    hands_are_the_cards_dealt("9s 2d Kc 4h");
}

#[test]
fn wu_song_1_12_a_natural_is_two_cards_of_eight_or_nine() {
    natural_is_two_cards_of_eight_or_nine("9s 2d Kc 4h", "2s 2d 3c 4h 4c");
}

#[test]
fn wu_song_1_13_banker_and_player_pay_even_and_no_commission_is_taken() {
    let rows = rulebook(WU_SONG).bets.iter().flat_map(|bet| &bet.rows);
    assert!(rows.clone().count() > 14);
    for row in rows {
        assert!(!matches!(row.pays, Pays::Won { commission: Some(_), .. }), "{row}");
    }
    for (bet, side, halved) in [("player", Side::Player, [7, 7]), ("banker", Side::Banker, [6, 7])] {
        becomes(WU_SONG, bet, |round| match round.winner().side() {
            None => "returned",
            Some(winner) if winner != side => "lost",
            Some(_) if halved.contains(&total(round, side)) => "won",
            Some(_) => "won 1 to 1",
        });
    }
}

#[test]
fn wu_song_1_13_1_banker_is_halved_on_six_and_seven_alone() {
    becomes(WU_SONG, "banker", |round| match (round.winner(), total(round, Side::Banker)) {
        (Winner::Banker, 6 | 7) => "won 1 to 2",
        (Winner::Banker, _) => "won 1 to 1",
        (Winner::Player, _) => "lost",
        (Winner::Tie, _) => "returned",
    });
}

#[test]
fn wu_song_1_13_2_player_is_halved_on_seven_alone() {
    becomes(WU_SONG, "player", |round| match (round.winner(), total(round, Side::Player)) {
        (Winner::Player, 7) => "won 1 to 2",
        (Winner::Player, _) => "won 1 to 1",
        (Winner::Banker, _) => "lost",
        (Winner::Tie, _) => "returned",
    });
}

#[test]
fn wu_song_1_14_original_bets_are_those_on_a_hand() {
    original_bets_are_on_a_hand(WU_SONG);
}

#[test]
fn wu_song_1_17_player_big_7_wins_on_seven_with_three_cards() {
    wins_only_when(WU_SONG, "player-big-7", |r| won_on(r, Side::Player, 7) && cards(r, Side::Player) == 3);
}

#[test]
fn wu_song_1_18_a_pair_is_of_the_first_two_cards() {
    wins_only_when(WU_SONG, "player-pair", |round| paired(round, Side::Player));
    wins_only_when(WU_SONG, "banker-pair", |round| paired(round, Side::Banker));
}

#[test]
fn wu_song_1_19_player_small_7_wins_on_seven_with_two_cards() {
    wins_only_when(WU_SONG, "player-small-7", |r| won_on(r, Side::Player, 7) && cards(r, Side::Player) == 2);
}

#[test]
fn wu_song_1_20_a_point_total_is_the_second_digit_of_the_sum() {
    point_total_is_the_last_digit(&[("5s 4d", 9), ("5s 5d", 0), ("Ts 9d 8c", 7)]);
}

#[test]
fn wu_song_1_21_reconstruction_puts_cards_back_in_their_order() {
    // A card too many after a Natural; two too many after Banker stood on 6.
    reconstruction_restores_the_order("9s 2d Kc 4h 5s", "9s Kc / 2d 4h", "5s");
    reconstruction_restores_the_order("2s 3d 3c 3h 5d Kc 7h", "2s 3c 5d / 3d 3h", "Kc 7h");
}

#[test]
fn wu_song_1_24_small_tiger_wins_on_six_with_two_cards() {
    wins_only_when(WU_SONG, "small-tiger", |r| won_on(r, Side::Banker, 6) && cards(r, Side::Banker) == 2);
}

#[test]
fn wu_song_1_26_a_tie_is_one_point_total_for_both() {
    wins_only_when(WU_SONG, "tie", |round| (0..=9).any(|points| tied_on(round, points)));
}

#[test]
fn wu_song_1_27_tiger_tie_is_a_tie_on_six() {
    wins_only_when(WU_SONG, "tiger-tie", |round| tied_on(round, 6));
}

#[test]
fn wu_song_1_29_wu_dalang_wins_on_one() {
    wins_only_when(WU_SONG, "wu-dalang", |round| won_on(round, Side::Player, 1));
}

#[test]
fn wu_song_1_30_wu_song_wins_on_six_with_three_cards() {
    wins_only_when(WU_SONG, "wu-song", |r| won_on(r, Side::Player, 6) && cards(r, Side::Player) == 3);
}

#[test]
fn wu_song_2_1_1_six_layouts() {
    layouts_are(WU_SONG, &["A", "B", "C", "D", "E", "F"]);
}

#[test]
fn wu_song_2_1_1_a_boxes_are_as_many_as_the_layout_shows() {
    let boxes: Vec<u8> = rulebook(WU_SONG).layouts.iter().map(|layout| layout.most_boxes()).collect();
    assert_eq!(boxes, [6, 5, 5, 6, 6, 6]);
}

#[test]
fn wu_song_2_2_1_four_to_ten_decks() {
    decks_are(WU_SONG, 4, 10);
}

#[test]
fn wu_song_appendix_a_six_positions() {
    wu_song_appendix("A", 6, true, "10 to 1", &PAIRS_AND_WU_SONG);
}

#[test]
fn wu_song_appendix_b_five_positions() {
    wu_song_appendix("B", 5, true, "10 to 1", &PAIRS_AND_WU_SONG);
}

#[test]
fn wu_song_appendix_c_five_positions() {
    wu_song_appendix("C", 5, true, "8 to 1", &PAIRS_AND_WU_SONG);
}

#[test]
fn wu_song_appendix_d_six_positions() {
    wu_song_appendix("D", 6, true, "10 to 1", &PAIRS_AND_WU_SONG);
}

#[test]
fn wu_song_appendix_e_six_positions() {
    wu_song_appendix("E", 6, true, "8 to 1", &SEVENS);
}

#[test]
fn wu_song_appendix_f_six_positions_without_the_note_on_chinese_print() {
    wu_song_appendix("F", 6, false, "8 to 1", &SEVENS);
}

// ---- the electronic game

#[test]
fn ncb_etg_1_7_a_hand_is_the_cards_dealt_to_it() {
    hands_are_the_cards_dealt("As 7d 2c Kh 4s");
}

#[test]
fn ncb_etg_1_9_a_natural_is_two_cards_of_eight_or_nine() {
    natural_is_two_cards_of_eight_or_nine("Ks 3d 9c 5h", "As 7d 2c Kh 5s");
}

#[test]
fn ncb_etg_1_10_banker_is_halved_on_six_alone() {
    becomes(NCB_ETG, "banker", |round| match (round.winner(), total(round, Side::Banker)) {
        (Winner::Banker, 6) => "won 1 to 2",
        (Winner::Banker, _) => "won 1 to 1",
        (Winner::Player, _) => "lost",
        (Winner::Tie, _) => "returned",
    });
}

#[test]
fn ncb_etg_1_11_original_bets_are_those_on_a_hand() {
    original_bets_are_on_a_hand(NCB_ETG);
}

#[test]
fn ncb_etg_1_14_a_pair_is_of_the_first_two_cards() {
    wins_only_when(NCB_ETG, "player-pair", |round| paired(round, Side::Player));
    wins_only_when(NCB_ETG, "banker-pair", |round| paired(round, Side::Banker));
}

#[test]
fn ncb_etg_1_16_a_point_total_is_the_second_digit_of_the_sum() {
    point_total_is_the_last_digit(&[("As 8d", 9), ("9s Ad", 0), ("7s 8d 9c", 4)]);
}

#[test]
fn ncb_etg_1_17_reconstruction_puts_cards_back_in_their_order() {
    reconstruction_restores_the_order("Ks 3d 6c 4h 2s", "Ks 6c / 3d 4h", "2s");
}

#[test]
fn ncb_etg_1_19_a_tie_is_one_point_total_for_both() {
    wins_only_when(NCB_ETG, "tie", |round| (0..=9).any(|points| tied_on(round, points)));
}

#[test]
fn ncb_etg_2_1_1_one_display() {
    layouts_are(NCB_ETG, &["terminal"]);
}

#[test]
fn ncb_etg_2_2_1_four_to_eight_decks() {
    decks_are(NCB_ETG, 4, 8);
}

// ---- RWS Baccarat

#[test]
fn rws_1_2_banker_wins_on_needs_its_own_total() {
    for points in 1..=9 {
        wins_only_when(RWS, &format!("banker-wins-on-{points}"), |r| won_on(r, Side::Banker, points));
    }
}

#[test]
fn rws_1_6_the_differential_is_between_banker_and_player() {
    differential_is_between_banker_and_player(RWS, "1.6");
}

#[test]
fn rws_1_8_a_hand_is_the_cards_dealt_to_it() {
    hands_are_the_cards_dealt("3s 2d Ac 4h 6s 8c");
}

#[test]
fn rws_1_10_a_natural_is_two_cards_of_eight_or_nine() {
    natural_is_two_cards_of_eight_or_nine("As 9d 2c Jh", "3s 2d Ac 4h 5s");
}

#[test]
fn rws_1_11_banker_is_halved_on_six_alone() {
    becomes(RWS, "banker", |round| match (round.winner(), total(round, Side::Banker)) {
        (Winner::Banker, 6) => "won 1 to 2",
        (Winner::Banker, _) => "won 1 to 1",
        (Winner::Player, _) => "lost",
        (Winner::Tie, _) => "returned",
    });
}

#[test]
fn rws_1_12_original_bets_are_those_on_a_hand() {
    original_bets_are_on_a_hand(RWS);
}

#[test]
fn rws_1_15_a_pair_is_of_the_first_two_cards() {
    wins_only_when(RWS, "player-pair", |round| paired(round, Side::Player));
    wins_only_when(RWS, "banker-pair", |round| paired(round, Side::Banker));
}

#[test]
fn rws_1_16_player_wins_on_needs_its_own_total() {
    for points in 1..=9 {
        wins_only_when(RWS, &format!("player-wins-on-{points}"), |r| won_on(r, Side::Player, points));
    }
}

#[test]
fn rws_1_17_a_point_total_is_the_second_digit_of_the_sum() {
    point_total_is_the_last_digit(&[("4s 5d", 9), ("6s 4d", 0), ("9s 9d 9c", 7)]);
}

#[test]
fn rws_1_18_reconstruction_puts_cards_back_in_their_order() {
    reconstruction_restores_the_order("3s 2d Ac 4h 6s 8c 9d", "3s Ac 6s / 2d 4h 8c", "9d");
}

#[test]
fn rws_1_22_a_tie_is_one_point_total_for_both() {
    wins_only_when(RWS, "any-tie", |round| (0..=9).any(|points| tied_on(round, points)));
}

#[test]
fn rws_1_23_tie_wins_on_needs_its_own_total() {
    for points in 0..=9 {
        wins_only_when(RWS, &format!("tie-wins-on-{points}"), |round| tied_on(round, points));
    }
}

#[test]
fn rws_2_1_1_eight_layouts() {
    layouts_are(RWS, &["A", "B", "C", "D", "E", "F", "G", "H"]);
}

#[test]
fn rws_2_1_1_a_boxes_are_for_the_table_to_set() {
    let boxes = rulebook(RWS).layouts.iter().map(|layout| (layout.boxes, layout.most_boxes()));
    assert!(boxes.eq([(None, 9); 8])); // the pictures are lost: reading 5
}

#[test]
fn rws_2_2_1_four_to_ten_decks() {
    decks_are(RWS, 4, 10);
}

#[test]
fn rws_appendix_a_pays_what_its_felt_prints() {
    let layout = rulebook(RWS).layout("A").expect("a layout");
    let printed = |id: &str| {
        let bet = &layout.bets[layout.bet_no(id).unwrap_or_else(|| panic!("{id} is printed")).index()];
        let odds = bet.rows.iter().filter_map(|row| match row.pays {
            Pays::Won { odds, .. } => Some(odds.to_string()),
            Pays::Returned => None,
        });
        format!("{} {}", bet.label.en.to_uppercase(), odds.collect::<Vec<_>>().join(", "))
    };
    let wins_on = |bet: &str, from: u8, odds: &[u32]| {
        for (points, odds) in (from..).zip(odds) {
            let felt = format!("{} {points} {odds} to 1", bet.replace('-', " ").to_uppercase());
            assert_eq!(printed(&format!("{bet}-{points}")), felt);
        }
    };
    wins_on("player-wins-on", 1, &[160, 80, 50, 50, 30, 11, 8, 6, 5]);
    wins_on("tie-wins-on", 0, &[110, 160, 160, 150, 100, 90, 35, 35, 60, 60]);
    wins_on("banker-wins-on", 1, &[160, 80, 50, 25, 15, 11, 8, 6, 5]);
    assert_eq!(printed("player-pair"), "PLAYER PAIR 11 to 1");
    assert_eq!(printed("any-tie"), "ANY TIE 8 to 1");
    assert_eq!(printed("banker-pair"), "BANKER PAIR 11 to 1");
    let [player, banker] =
        ["player", "banker"].map(|id| &layout.bets[layout.bet_no(id).unwrap().index()].label);
    assert_eq!((player.zh_hant.as_str(), banker.zh_hans.as_str()), ("閒", "庄"));
    assert_eq!(layout.bets.len(), 9 + 10 + 9 + 3 + 2, "the felt prints no other bet");
}

/// The pictures of B to H are lost; section 4 makes no difference between the layouts.
#[test]
fn rws_appendices_b_to_h_offer_what_a_offers() {
    let ids = |id| rulebook(RWS).layout(id).expect("a layout").bets.iter().map(|bet| bet.name());
    for layout in ["B", "C", "D", "E", "F", "G", "H"] {
        assert!(ids(layout).eq(ids("A")), "layout {layout}");
    }
    assert!(bets(RWS).iter().all(|bet| offered_on(RWS, bet) == "ABCDEFGH"));
}

// ---- Da Hu Ying Xiong

#[test]
fn da_hu_1_3_big_tiger_wins_on_six_with_three_cards() {
    wins_only_when(DA_HU, "big-tiger", |r| won_on(r, Side::Banker, 6) && cards(r, Side::Banker) == 3);
}

#[test]
fn da_hu_1_6_the_differential_is_between_banker_and_player() {
    differential_is_between_banker_and_player(DA_HU, "1.6");
}

#[test]
fn da_hu_1_8_a_hand_is_the_cards_dealt_to_it() {
    hands_are_the_cards_dealt("7s 5d Kc Jh 2s");
}

#[test]
fn da_hu_1_10_a_natural_is_two_cards_of_eight_or_nine() {
    natural_is_two_cards_of_eight_or_nine("As 8d 4c Qh", "7s 5d Kc Jh 3s");
}

#[test]
fn da_hu_1_11_original_bets_are_those_on_a_hand() {
    original_bets_are_on_a_hand(DA_HU);
}

#[test]
fn da_hu_1_14_a_point_total_is_the_second_digit_of_the_sum() {
    point_total_is_the_last_digit(&[("7s 2d", 9), ("7s 3d", 0), ("5s 6d 7c", 8)]);
}

#[test]
fn da_hu_1_15_reconstruction_puts_cards_back_in_their_order() {
    reconstruction_restores_the_order("7s 5d Kc Jh 2s 4c", "7s Kc / 5d Jh 2s", "4c");
}

#[test]
fn da_hu_1_18_small_tiger_wins_on_six_with_two_cards() {
    wins_only_when(DA_HU, "small-tiger", |r| won_on(r, Side::Banker, 6) && cards(r, Side::Banker) == 2);
}

#[test]
fn da_hu_1_20_a_tie_is_one_point_total_for_both() {
    wins_only_when(DA_HU, "tie", |round| (0..=9).any(|points| tied_on(round, points)));
}

#[test]
fn da_hu_1_21_tiger_wins_on_six_with_two_or_three_cards() {
    wins_only_when(DA_HU, "tiger", |round| won_on(round, Side::Banker, 6));
}

#[test]
fn da_hu_1_22_tiger_tie_is_a_tie_on_six() {
    wins_only_when(DA_HU, "tiger-tie", |round| tied_on(round, 6));
}

#[test]
fn da_hu_1_23_tiger_pair_is_single_double_or_twin() {
    becomes(DA_HU, "tiger-pair", |round| {
        let first = |side: Side| round.hands()[side].cards()[0].rank;
        match Side::BOTH.map(|side| paired(round, side)) {
            [true, true] if first(Side::Player) == first(Side::Banker) => "won 100 to 1",
            [true, true] => "won 20 to 1",
            [true, false] | [false, true] => "won 4 to 1",
            [false, false] => "lost",
        }
    });
}

#[test]
fn da_hu_2_1_1_four_layouts() {
    layouts_are(DA_HU, &["A", "B", "C", "D"]);
}

#[test]
fn da_hu_2_1_1_a_boxes_are_for_the_table_to_set() {
    let boxes = rulebook(DA_HU).layouts.iter().map(|layout| (layout.boxes, layout.most_boxes()));
    assert!(boxes.eq([(None, 9); 4])); // the pictures are lost: reading 5
}

#[test]
fn da_hu_2_2_1_four_to_ten_decks() {
    decks_are(DA_HU, 4, 10);
}

/// What the legends on the felt say of Tiger and Tiger Pair.
fn da_hu_legends(layout: &str) {
    let of = |bet, cards| verdict(DA_HU, layout, bet, cards);
    assert_eq!(of("tiger", "2s 3d 3c 3h 5d"), "won 12 to 1"); // two cards
    assert_eq!(of("tiger", "Ks 2d 2c 2h 2s 2c"), "won 20 to 1"); // three
    assert_eq!(of("tiger-pair", "8s 2d 8c 4h"), "won 4 to 1");
    assert_eq!(of("tiger-pair", "8s 3d 8c 3h"), "won 20 to 1");
    assert_eq!(of("tiger-pair", "8s 8d 8c 8h"), "won 100 to 1");
}

#[test]
fn da_hu_appendix_a_pays_what_its_legends_print() {
    da_hu_legends("A");
}

#[test]
fn da_hu_appendix_b_pays_what_its_legends_print() {
    da_hu_legends("B");
}

/// The pictures of C and D are lost; section 4 makes no difference between the layouts.
#[test]
fn da_hu_appendices_c_and_d_offer_what_a_offers() {
    let ids = |id| rulebook(DA_HU).layout(id).expect("a layout").bets.iter().map(|bet| bet.name());
    assert!(ids("C").eq(ids("A")) && ids("D").eq(ids("A")));
    assert!(bets(DA_HU).iter().all(|bet| offered_on(DA_HU, bet) == "ABCD"));
}
