//! What the four documents offer and pay: plain data, one small function per bet. Numbers in comments are
//! paragraphs of the document at hand.

use super::play::{Played, Winner, banker_won_on, is_pair, player_won_on, points, tied_on, winner};

/// What becomes of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It won, at odds of `pays` to `per`.
    Won { pays: u32, per: u32 },
    /// It lost.
    Lost,
    /// It comes back, neither won nor lost.
    Returned,
}

impl Answer {
    /// Whether both say the same, 95 to 100 being 19 to 20.
    pub fn same_odds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Won { pays: a, per: b }, Self::Won { pays: c, per: d }) => {
                u64::from(a) * u64::from(d) == u64::from(c) * u64::from(b)
            }
            (one, two) => one == two,
        }
    }
}

/// One bet as one layout offers it.
#[derive(Debug, Clone, Copy)]
pub struct BetRule {
    /// Our name for it.
    pub id: &'static str,
    /// What becomes of it when the Round is over.
    pub verdict: fn(&Played) -> Answer,
    /// The paragraphs of sections 1, 3 and 4 that define and price it.
    pub cites: &'static [&'static str],
}

/// One layout.
#[derive(Debug, Clone)]
pub struct LayoutRule {
    /// The letter of its appendix; `terminal` in the electronic game.
    pub id: &'static str,
    /// The most betting boxes, where the document says.
    pub boxes: Option<u8>,
    /// Whether the appendix has the note that Chinese and English print mean the same (Wu Song only).
    pub bilingual: Option<bool>,
    /// Its felt line by line, where it can still be read.
    pub felt: Option<&'static str>,
    /// What may be bet on it.
    pub bets: Vec<BetRule>,
}

/// One document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Our name for the game.
    pub game: &'static str,
    /// Its printed title.
    pub title: &'static str,
    /// Its version number, if it prints one.
    pub version: Option<u32>,
    /// From when it holds, local time.
    pub in_force: &'static str,
    /// Whether bets are placed on terminals.
    pub electronic: bool,
    /// The fewest and the most decks (2.2.1).
    pub decks: (u8, u8),
    /// Whose highest bet may ask to squeeze.
    pub squeeze: Option<&'static str>,
    /// The commission on a winning Banker bet.
    pub commission_percent_on_banker: Option<u32>,
    /// The layouts in the order of the appendices.
    pub layouts: Vec<LayoutRule>,
    /// Which paragraph of section 3 deals with what.
    pub play_paragraphs: Vec<(&'static str, &'static str)>,
    /// `differential` or `per-bet`.
    pub limits: &'static str,
}

/// The four documents.
pub fn documents() -> Vec<Document> {
    vec![wu_song(), electronic(), rws_baccarat(), da_hu_ying_xiong()]
}

// ---- Wu Song (Non-Commission Baccarat), version 3 ----

fn wu_song() -> Document {
    // 4.1.1 to 4.1.10, in that order, each row with the appendices it applies to. 4.1.1 names none: all.
    let pay_tables: [(&str, BetRule); 15] = [
        ("ABCDEF", bet("banker", ws_banker, &["1.13", "1.13.1", "3.14", "4.1.1"])),
        ("ABCDEF", bet("player", ws_player, &["1.13", "1.13.2", "3.14", "4.1.1"])),
        ("AB D  ", bet("tie", ws_tie_10_or_8, &["1.26", "4.1.2"])),
        ("  C EF", bet("tie", tie::<8>, &["1.26", "4.1.3"])),
        ("ABCDEF", bet("tiger-tie", tie_on::<6, 35>, &["1.27", "4.1.4"])),
        ("ABCD  ", bet("banker-pair", banker_pair::<11>, &["1.18", "3.10", "4.1.5"])),
        ("ABCD  ", bet("player-pair", player_pair::<11>, &["1.18", "3.10", "4.1.5"])),
        ("    EF", bet("banker-big-7", banker_on_with::<7, 3, 30>, &["1.2", "4.1.6"])),
        ("    EF", bet("banker-small-7", banker_on_with::<7, 2, 15>, &["1.3", "4.1.6"])),
        ("    EF", bet("player-big-7", player_on_with::<7, 3, 30>, &["1.17", "4.1.7"])),
        ("    EF", bet("player-small-7", player_on_with::<7, 2, 15>, &["1.19", "4.1.7"])),
        ("ABCDEF", bet("big-tiger", banker_on_with::<6, 3, 50>, &["1.5", "4.1.8"])),
        ("ABCDEF", bet("small-tiger", banker_on_with::<6, 2, 22>, &["1.24", "4.1.8"])),
        ("ABCD  ", bet("wu-song", player_on_with::<6, 3, 36>, &["1.30", "4.1.9"])),
        // Reading 3: the Player Hand has to win on its 1.
        ("ABCDEF", bet("wu-dalang", player_on::<1, 150>, &["1.29", "4.1.10"])),
    ];
    // Appendices: the boxes, and whether the note on Chinese print is there.
    let appendices =
        [("A", 6, true), ("B", 5, true), ("C", 5, true), ("D", 6, true), ("E", 6, true), ("F", 6, false)];
    let layouts = appendices
        .map(|(id, boxes, bilingual)| LayoutRule {
            id,
            boxes: Some(boxes),
            bilingual: Some(bilingual),
            felt: None,
            bets: pay_tables.iter().filter(|row| row.0.contains(id)).map(|row| row.1).collect(),
        })
        .to_vec();
    Document {
        game: "wu-song",
        title: "Wu Song (Non-Commission Baccarat)",
        version: Some(3),
        in_force: "2024-12-06T08:00:00",
        electronic: false,
        decks: (4, 10),
        squeeze: Some("any-player"), // 3.9
        commission_percent_on_banker: None,
        layouts,
        play_paragraphs: live_play_paragraphs(),
        limits: "differential", // 3.4
    }
}

/// 1.13.1, 4.1.1.
fn ws_banker(round: &Played) -> Answer {
    match winner(round) {
        Winner::Banker if points(&round.banker) == 6 || points(&round.banker) == 7 => odds(1, 2),
        Winner::Banker => odds(1, 1),
        Winner::Player => Answer::Lost,
        Winner::Tie => Answer::Returned,
    }
}

/// 1.13.2, 4.1.1.
fn ws_player(round: &Played) -> Answer {
    match winner(round) {
        Winner::Player if points(&round.player) == 7 => odds(1, 2),
        Winner::Player => odds(1, 1),
        Winner::Banker => Answer::Lost,
        Winner::Tie => Answer::Returned,
    }
}

/// 4.1.2.
fn ws_tie_10_or_8(round: &Played) -> Answer {
    if tied_on(round, 6) || tied_on(round, 7) { odds(10, 1) } else { tie::<8>(round) }
}

// ---- Non-Commission Baccarat (Electronic Table Game), version 5 ----

fn electronic() -> Document {
    // 4.1 has no numbered parts.
    let bets = vec![
        bet("banker", banker_half_on_6, &["1.10", "3.12", "4.1"]),
        bet("player", player_even, &["3.12", "4.1"]),
        bet("tie", tie::<8>, &["1.19", "4.1"]),
        bet("player-pair", player_pair::<11>, &["1.14", "3.8", "4.1"]),
        bet("banker-pair", banker_pair::<11>, &["1.14", "3.8", "4.1"]),
    ];
    Document {
        game: "ncb-etg",
        title: "Non-Commission Baccarat (Electronic Table Game)",
        version: Some(5),
        in_force: "2020-01-29T08:00:00",
        electronic: true,
        decks: (4, 8),
        squeeze: None,
        commission_percent_on_banker: None,
        layouts: same_bets_on(&["terminal"], bets), // 2.1.1
        play_paragraphs: vec![
            ("objective", "3.1"),
            ("card_values", "3.2"),
            ("open_bets", "3.3"),
            ("limits_shown", "3.4"),
            ("display", "3.5"),
            ("bets", "3.6"),
            ("close_bets", "3.7"),
            ("initial_cards", "3.8"),
            ("third_card", "3.9"),
            ("table_of_play", "3.10"),
            ("winner", "3.11"),
            ("tie", "3.12"),
            ("pay", "3.13"),
        ],
        limits: "per-bet", // 3.4
    }
}

// ---- RWS Baccarat, version 2 ----

fn rws_baccarat() -> Document {
    const PLAYER_WINS_ON: &[&str] = &["1.16", "4.1.2"];
    const BANKER_WINS_ON: &[&str] = &["1.2", "4.1.3"];
    const TIE_WINS_ON: &[&str] = &["1.23", "4.1.4"];
    let bets = vec![
        // 4.1.1
        bet("banker", banker_half_on_6, &["1.11", "3.14", "4.1.1"]),
        bet("player", player_even, &["3.14", "4.1.1"]),
        bet("any-tie", tie::<8>, &["1.22", "4.1.1"]),
        bet("player-pair", player_pair::<11>, &["1.15", "3.10", "4.1.1"]),
        bet("banker-pair", banker_pair::<11>, &["1.15", "3.10", "4.1.1"]),
        // 4.1.2
        bet("player-wins-on-1", player_on::<1, 160>, PLAYER_WINS_ON),
        bet("player-wins-on-2", player_on::<2, 80>, PLAYER_WINS_ON),
        bet("player-wins-on-3", player_on::<3, 50>, PLAYER_WINS_ON),
        bet("player-wins-on-4", player_on::<4, 50>, PLAYER_WINS_ON),
        bet("player-wins-on-5", player_on::<5, 30>, PLAYER_WINS_ON),
        bet("player-wins-on-6", player_on::<6, 11>, PLAYER_WINS_ON),
        bet("player-wins-on-7", player_on::<7, 8>, PLAYER_WINS_ON),
        bet("player-wins-on-8", player_on::<8, 6>, PLAYER_WINS_ON),
        bet("player-wins-on-9", player_on::<9, 5>, PLAYER_WINS_ON),
        // 4.1.3
        bet("banker-wins-on-1", banker_on::<1, 160>, BANKER_WINS_ON),
        bet("banker-wins-on-2", banker_on::<2, 80>, BANKER_WINS_ON),
        bet("banker-wins-on-3", banker_on::<3, 50>, BANKER_WINS_ON),
        bet("banker-wins-on-4", banker_on::<4, 25>, BANKER_WINS_ON),
        bet("banker-wins-on-5", banker_on::<5, 15>, BANKER_WINS_ON),
        bet("banker-wins-on-6", banker_on::<6, 11>, BANKER_WINS_ON),
        bet("banker-wins-on-7", banker_on::<7, 8>, BANKER_WINS_ON),
        bet("banker-wins-on-8", banker_on::<8, 6>, BANKER_WINS_ON),
        bet("banker-wins-on-9", banker_on::<9, 5>, BANKER_WINS_ON),
        // 4.1.4
        bet("tie-wins-on-0", tie_on::<0, 110>, TIE_WINS_ON),
        bet("tie-wins-on-1", tie_on::<1, 160>, TIE_WINS_ON),
        bet("tie-wins-on-2", tie_on::<2, 160>, TIE_WINS_ON),
        bet("tie-wins-on-3", tie_on::<3, 150>, TIE_WINS_ON),
        bet("tie-wins-on-4", tie_on::<4, 100>, TIE_WINS_ON),
        bet("tie-wins-on-5", tie_on::<5, 90>, TIE_WINS_ON),
        bet("tie-wins-on-6", tie_on::<6, 35>, TIE_WINS_ON),
        bet("tie-wins-on-7", tie_on::<7, 35>, TIE_WINS_ON),
        bet("tie-wins-on-8", tie_on::<8, 60>, TIE_WINS_ON),
        bet("tie-wins-on-9", tie_on::<9, 60>, TIE_WINS_ON),
    ];
    let mut layouts = same_bets_on(&["A", "B", "C", "D", "E", "F", "G", "H"], bets); // 2.1.1, reading 5
    // Appendix A, from the top of the felt; P, T and B for Player, Tie and Banker Wins On.
    layouts[0].felt = Some(
        "P1 P2 P3 T0 T1 T2 T3 T4 B1 B2 B3
         P4 P5 P6 T5 T6 T7 T8 T9 B4 B5 B6
         P7 P8 P9 player-pair any-tie banker-pair player-pair any-tie banker-pair B7 B8 B9
         banker
         player",
    );
    Document {
        game: "rws-baccarat",
        title: "RWS Baccarat",
        version: Some(2),
        in_force: "2019-11-06T08:00:00",
        electronic: false,
        decks: (4, 10),
        squeeze: Some("seated-player"), // 3.9
        commission_percent_on_banker: None,
        layouts,
        play_paragraphs: live_play_paragraphs(),
        limits: "differential", // 3.4
    }
}

// ---- Da Hu Ying Xiong (Commission Baccarat), no version number ----

fn da_hu_ying_xiong() -> Document {
    // 4.1.1 the commission, 4.1.2 the whole pay table.
    let bets = vec![
        bet("banker", dh_banker, &["3.14", "4.1.1", "4.1.2"]),
        bet("player", player_even, &["3.14", "4.1.2"]),
        bet("tie", tie::<8>, &["1.20", "4.1.2"]),
        bet("tiger-pair", dh_tiger_pair, &["1.23", "3.10", "4.1.2"]),
        bet("tiger", dh_tiger, &["1.21", "4.1.2"]),
        bet("big-tiger", banker_on_with::<6, 3, 50>, &["1.3", "4.1.2"]),
        bet("small-tiger", banker_on_with::<6, 2, 22>, &["1.18", "4.1.2"]),
        bet("tiger-tie", tie_on::<6, 35>, &["1.22", "4.1.2"]),
    ];
    Document {
        game: "da-hu-ying-xiong",
        title: "Da Hu Ying Xiong (Commission Baccarat)",
        version: None,
        in_force: "2019-11-19T08:00:00",
        electronic: false,
        decks: (4, 10),
        squeeze: Some("seated-player"),                     // 3.9
        commission_percent_on_banker: Some(5),              // 4.1.1
        layouts: same_bets_on(&["A", "B", "C", "D"], bets), // 2.1.1, reading 5
        play_paragraphs: live_play_paragraphs(),
        limits: "differential", // 3.4
    }
}

/// 4.1.1, 4.1.2: 0.95 to 1, the same as 1 to 1 less 5 % (reading 6).
fn dh_banker(round: &Played) -> Answer {
    match winner(round) {
        Winner::Banker => odds(95, 100),
        Winner::Player => Answer::Lost,
        Winner::Tie => Answer::Returned,
    }
}

/// 1.23, 4.1.2, reading 2: Single is exactly one pair, Double two of different ranks, Twin two of one rank.
fn dh_tiger_pair(round: &Played) -> Answer {
    match (is_pair(&round.player), is_pair(&round.banker)) {
        (true, true) if round.player[0] == round.banker[0] => odds(100, 1),
        (true, true) => odds(20, 1),
        (true, false) | (false, true) => odds(4, 1),
        (false, false) => Answer::Lost,
    }
}

/// 1.21, 4.1.2: 12 to 1 with two cards, 20 to 1 with three.
fn dh_tiger(round: &Played) -> Answer {
    if round.banker.len() == 2 { banker_on::<6, 12>(round) } else { banker_on::<6, 20>(round) }
}

// ---- Said alike by more than one document ----

/// A Player bet at 1 to 1, returned on a Tie.
fn player_even(round: &Played) -> Answer {
    match winner(round) {
        Winner::Player => odds(1, 1),
        Winner::Banker => Answer::Lost,
        Winner::Tie => Answer::Returned,
    }
}

/// A Banker bet at 1 to 1, but 1 to 2 on 6 points, returned on a Tie.
fn banker_half_on_6(round: &Played) -> Answer {
    match winner(round) {
        Winner::Banker if points(&round.banker) == 6 => odds(1, 2),
        Winner::Banker => odds(1, 1),
        Winner::Player => Answer::Lost,
        Winner::Tie => Answer::Returned,
    }
}

fn tie<const PAYS: u32>(round: &Played) -> Answer {
    wins_if(winner(round) == Winner::Tie, PAYS)
}

fn tie_on<const TOTAL: u8, const PAYS: u32>(round: &Played) -> Answer {
    wins_if(tied_on(round, TOTAL), PAYS)
}

fn player_on<const TOTAL: u8, const PAYS: u32>(round: &Played) -> Answer {
    wins_if(player_won_on(round, TOTAL), PAYS)
}

fn banker_on<const TOTAL: u8, const PAYS: u32>(round: &Played) -> Answer {
    wins_if(banker_won_on(round, TOTAL), PAYS)
}

fn player_on_with<const TOTAL: u8, const CARDS: usize, const PAYS: u32>(round: &Played) -> Answer {
    wins_if(player_won_on(round, TOTAL) && round.player.len() == CARDS, PAYS)
}

fn banker_on_with<const TOTAL: u8, const CARDS: usize, const PAYS: u32>(round: &Played) -> Answer {
    wins_if(banker_won_on(round, TOTAL) && round.banker.len() == CARDS, PAYS)
}

fn player_pair<const PAYS: u32>(round: &Played) -> Answer {
    wins_if(is_pair(&round.player), PAYS)
}

fn banker_pair<const PAYS: u32>(round: &Played) -> Answer {
    wins_if(is_pair(&round.banker), PAYS)
}

fn wins_if(so: bool, pays: u32) -> Answer {
    if so { odds(pays, 1) } else { Answer::Lost }
}

fn odds(pays: u32, per: u32) -> Answer {
    Answer::Won { pays, per }
}

fn bet(id: &'static str, verdict: fn(&Played) -> Answer, cites: &'static [&'static str]) -> BetRule {
    BetRule { id, verdict, cites }
}

fn same_bets_on(ids: &[&'static str], bets: Vec<BetRule>) -> Vec<LayoutRule> {
    ids.iter()
        .map(|&id| LayoutRule { id, boxes: None, bilingual: None, felt: None, bets: bets.clone() })
        .collect()
}

/// Section 3 has one order in all three live games.
fn live_play_paragraphs() -> Vec<(&'static str, &'static str)> {
    vec![
        ("objective", "3.1"),
        ("card_values", "3.2"),
        ("open_bets", "3.3"),
        ("limits_shown", "3.4"),
        ("own_responsibility", "3.5"),
        ("room_in_box", "3.6"),
        ("bets", "3.7"),
        ("close_bets", "3.8"),
        ("squeeze", "3.9"),
        ("initial_cards", "3.10"),
        ("third_card", "3.11"),
        ("table_of_play", "3.12"),
        ("winner", "3.13"),
        ("tie", "3.14"),
    ]
}
