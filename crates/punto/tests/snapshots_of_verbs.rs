//! Whole runs of every verb, good and bad input, as people see them.

mod run;

use insta::assert_snapshot;
use run::{punto, punto_with};

#[test]
fn games() {
    for format in ["table", "json", "csv", "markdown"] {
        assert_snapshot!(format!("games_{format}"), punto(&["games", "--format", format]).page());
    }
}

#[test]
fn deal() {
    let wu_song_a = ["--game", "wu-song", "--layout", "A"];
    let run = |name: &str, cards: &str, rest: &[&str]| {
        let args = [&["deal", cards], rest].concat();
        assert_snapshot!(name, punto(&args).page());
    };
    run("deal_banker_wins_on_six", "2s 3d 3c 3h 5d", &wu_song_a);
    run("deal_json", "2s 3d 3c 3h 5d", &["--game", "wu-song", "--layout", "A", "--format", "json"]);
    run("deal_csv", "2s 3d 3c 3h 5d", &["--game", "wu-song", "--layout", "A", "--format", "csv"]);
    run("deal_markdown", "2s 3d 3c 3h 5d", &["--game", "wu-song", "--layout", "A", "--format", "markdown"]);
    run("deal_nothing_yet", "", &["--game", "ncb-etg"]);
    run("deal_three_cards", "9s 2d 9h", &["--game", "da-hu-ying-xiong"]);
    run("deal_not_established", "2s 4d 3c", &["--game", "da-hu-ying-xiong"]);
    run(
        "deal_natural_of_banker",
        "2s 9d 3c Kh",
        &["--game", "rws-baccarat", "--layout", "H", "--format", "json"],
    );
    run("deal_player_stands", "2s 2d 4c 3h 9c", &["--game", "ncb-etg"]);
    run("deal_left_over", "2s 3d 3c 3h 5d 9c 8s", &["--game", "ncb-etg"]);
    run("deal_a_file", "2s 3d 3c 3h 5d", &["--game", "quick.toml"]);
}

#[test]
fn deal_refuses() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(args).page());
    run("deal_no_such_card", &["deal", "2s 3d 10c 3h", "--game", "wu-song"]);
    run("deal_no_card_at_all", &["deal", "2s 3x", "--game", "wu-song"]);
    run("deal_too_many_copies", &["deal", "2s 2s 2s", "--game", "quick.toml"]);
    run("deal_too_many_copies_for_decks", &["deal", "2s 2s 2s 2s 2s", "--game", "wu-song", "--decks", "4"]);
    run("deal_unknown_game", &["deal", "2s", "--game", "pontoon"]);
    run("deal_unknown_layout", &["deal", "2s", "--game", "wu-song", "--layout", "Z"]);
    run("deal_decks_out_of_range", &["deal", "2s", "--game", "ncb-etg", "--decks", "10"]);
    run("deal_missing_file", &["deal", "2s", "--game", "nowhere.toml"]);
    run("deal_faulty_file", &["deal", "2s", "--game", "faulty.toml"]);
    run("deal_no_game", &["deal", "2s"]);
}

#[test]
fn settle() {
    let rounds = include_str!("../../../docs/examples/rounds.ndjson");
    assert_snapshot!("settle_json", punto_with(&["settle"], rounds).page());
    assert_snapshot!("settle_table", punto_with(&["settle", "--format", "table"], rounds).page());
    assert_snapshot!("settle_missing_file", punto(&["settle", "nowhere.ndjson"]).page());
}

/// Every line but the first and the last is bad in its own way; those two are settled.
#[test]
fn settle_goes_on_after_bad_lines() {
    let good = r#"{"game":"ncb-etg","layout":"terminal","cards":["9s","2d","9h","Kd"],"wagers":[{"patron":"t1","bet":"player","stake":200}]}"#;
    let wager = |wager: &str| {
        format!(r#"{{"game":"wu-song","layout":"A","cards":["2s","3d","3c","3h","5d"],"wagers":[{wager}]}}"#)
    };
    let bet = |bet: &str, stake: &str| {
        wager(&format!(r#"{{"patron":"p","box":1,"stance":"seated","bet":"{bet}","stake":{stake}}}"#))
    };
    let with_limits = |limits: &str, game: &str, layout: &str| {
        format!(
            r#"{{"game":"{game}","layout":"{layout}","limits":{limits},"cards":["2s","3d","3c","3h","5d"],"wagers":[]}}"#
        )
    };
    let lines = [
        good.to_string(),
        r#"{"game":"wu-song","layout":"A","cards":["2s","3d"]"#.to_string(),
        r#"{"game":"wu-song"}"#.to_string(),
        r#"{"game":"pontoon","layout":"A","cards":[],"wagers":[]}"#.to_string(),
        r#"{"game":"wu-song","layout":"Z","cards":[],"wagers":[]}"#.to_string(),
        r#"{"game":"wu-song","layout":"A","cards":["2s","3d"],"wagers":[]}"#.to_string(),
        r#"{"game":"wu-song","layout":"A","cards":["2s","3d","3c","3h","5d","9c"],"wagers":[]}"#.to_string(),
        r#"{"game":"wu-song","layout":"A","cards":["2s","3d","3c","3h","1d"],"wagers":[]}"#.to_string(),
        r#"{"game":"quick.toml","layout":"felt","cards":["2s","2s","2s","4h","5d"],"wagers":[]}"#.to_string(),
        String::new(),
        bet("bannker", "100"),
        bet("banker-big-7", "100"),
        bet("banker", "0"),
        bet("banker", "-100"),
        bet("banker", "101"),
        bet("banker", "10.5"),
        bet("wu-dalang", "9007199254740990"),
        bet("banker", "9007199254740992"),
        wager(r#"{"patron":"p","box":7,"stance":"seated","bet":"banker","stake":100}"#),
        wager(r#"{"patron":"p","stance":"seated","bet":"banker","stake":100}"#),
        wager(r#"{"patron":"p","box":1,"bet":"banker","stake":100}"#),
        wager(r#"{"patron":"p","box":1,"stance":"lying","bet":"banker","stake":100}"#),
        wager(r#"{"patron":"p","box":1,"stance":"seated","bet":"banker","stake":100,"tip":5}"#),
        with_limits(r#"{"minimum":100,"differential":50}"#, "wu-song", "A"),
        with_limits(r#"{"minimum":100,"differential":1000,"unit":5}"#, "da-hu-ying-xiong", "A"),
        with_limits(r#"{"minimum":101,"differential":1000}"#, "wu-song", "A"),
        with_limits(r#"{"minimum":0,"differential":1000}"#, "wu-song", "A"),
        with_limits(r#"{"minimum":100,"differential":1000}"#, "ncb-etg", "terminal"),
        good.to_string(),
    ];
    assert_snapshot!(punto_with(&["settle"], &lines.join("\n")).page());
}

#[test]
fn rulebook_check() {
    let run = |name: &str, args: &[&str]| {
        assert_snapshot!(name, punto(&[&["rulebook", "check"], args].concat()).page());
    };
    run("check_faulty", &["faulty.toml"]);
    run("check_faulty_json", &["faulty.toml", "--format", "json"]);
    run("check_faulty_csv", &["faulty.toml", "--format", "csv"]);
    run("check_counts", &["counts.toml"]);
    run("check_broken", &["broken.toml"]);
    run("check_quick", &["quick.toml"]);
    run("check_missing", &["nowhere.toml"]);
    for (file, _) in punto_rules::rulebook::APPROVED {
        run(&format!("check_{file}"), &[&format!("../../../../rulebooks/{file}")]);
    }
}

#[test]
fn rulebook_show() {
    for game in ["wu-song", "ncb-etg", "rws-baccarat", "da-hu-ying-xiong"] {
        assert_snapshot!(format!("show_{game}"), punto(&["rulebook", "show", game]).page());
    }
    let run = |name: &str, args: &[&str]| {
        assert_snapshot!(name, punto(&[&["rulebook", "show"], args].concat()).page())
    };
    run("show_markdown", &["ncb-etg", "--format", "markdown"]);
    run("show_json", &["ncb-etg", "--format", "json"]);
    run("show_csv", &["ncb-etg", "--format", "csv"]);
    run("show_unknown", &["pontoon"]);
    let source = punto(&["rulebook", "show", "wu-song", "--source"]);
    assert_eq!(source.stdout, punto_rules::rulebook::APPROVED[0].1);
}

#[test]
fn odds() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["odds"], args].concat()).page());
    run("odds_wu_song", &["wu-song", "--layout", "A", "--decks", "8"]);
    run("odds_json", &["ncb-etg", "--format", "json"]);
    run("odds_csv", &["da-hu-ying-xiong", "--format", "csv"]);
    run("odds_markdown", &["ncb-etg", "--format", "markdown"]);
    run("odds_compare", &["ncb-etg", "--compare", "4,6,8"]);
    run("odds_seen", &["da-hu-ying-xiong", "--seen", "As 4d"]);
    run("odds_shoe", &["ncb-etg", "--shoe", "A=30,2=32,5=1,T=9,J=0,K=29"]);
    run("odds_shoe_json", &["ncb-etg", "--shoe", "A=3,9=3", "--format", "json"]);
    run("odds_basket", &["wu-song", "--basket", "banker=100,tie=5"]);
    run("odds_of_a_file", &["quick.toml"]);
}

#[test]
fn odds_refuses() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["odds"], args].concat()).page());
    run("odds_negative_cards", &["ncb-etg", "--shoe", "A=-1,9=32"]);
    run("odds_too_few_cards", &["ncb-etg", "--shoe", "A=2,9=3"]);
    run("odds_too_many_cards", &["ncb-etg", "--shoe", "A=41"]);
    run("odds_rank_twice", &["ncb-etg", "--shoe", "A=4,As=4,K=20"]);
    run("odds_no_such_rank", &["ncb-etg", "--shoe", "Z=4"]);
    run("odds_shoe_and_decks", &["ncb-etg", "--shoe", "A=30", "--decks", "8"]);
    run("odds_seen_too_often", &["ncb-etg", "--shoe", "Ks=6,9s=6", "--seen", "As"]);
    run("odds_seen_a_whole_round", &["ncb-etg", "--seen", "9s 2d 9h Kd"]);
    run("odds_seen_too_much", &["ncb-etg", "--seen", "9s 2d 9h Kd 5c"]);
    run("odds_basket_unknown_bet", &["ncb-etg", "--basket", "tiger=1"]);
    run("odds_basket_malformed", &["ncb-etg", "--basket", "tie"]);
    run("odds_decks_out_of_range", &["ncb-etg", "--decks", "10"]);
    run("odds_compare_out_of_range", &["ncb-etg", "--compare", "8,10"]);
}

#[test]
fn simulate() {
    let run =
        |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["simulate"], args].concat()).page());
    run("simulate", &["ncb-etg", "--rounds", "600000", "--seed", "7"]);
    run("simulate_json", &["ncb-etg", "--rounds", "300000", "--generator", "chacha", "--format", "json"]);
    run("simulate_no_rounds", &["ncb-etg", "--rounds", "0"]);
    let threads = |n: &str| {
        punto(&["simulate", "wu-song", "--rounds", "1000000", "--seed", "3", "--threads", n]).stdout
    };
    assert_eq!(threads("1"), threads("2"), "the same answer for any number of threads");
}

#[test]
fn solve() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["solve"], args].concat()).page());
    run("solve", &["da-hu-ying-xiong", "--bet", "tiger", "--edge", "5..6", "--show", "6"]);
    run("solve_json", &["ncb-etg", "--bet", "tie", "--edge", "4..6", "--format", "json"]);
    run("solve_none", &["ncb-etg", "--bet", "tie", "--edge", "5.5..5.6"]);
    run("solve_empty_interval", &["ncb-etg", "--bet", "tie", "--edge", "8..4"]);
    run("solve_malformed_interval", &["ncb-etg", "--bet", "tie", "--edge", "4"]);
    run("solve_unknown_bet", &["ncb-etg", "--bet", "tiger", "--edge", "4..5"]);
    run("solve_row_that_pays_nothing", &["ncb-etg", "--bet", "player", "--edge", "1..2", "--rows", "1"]);
}

#[test]
fn roads() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["roads"], args].concat()).page());
    run("roads", &["B P T Bb Pn B8"]);
    run("roads_empty", &[""]);
    run("roads_only_ties", &["TTT"]);
    run("roads_tails_that_meet", &["TB9", "P9", "B9", "P9", "Bbn9", "P9", "Tp", "Bbp", "T12", "P"]);
    run("roads_redescend", &["B8P8", "--tail", "redescend"]);
    run("roads_json", &["TBPbn", "--format", "json"]);
    run("roads_csv", &["TBPbnTB", "--format", "csv"]);
    run("roads_markdown", &["B P", "--format", "markdown"]);
    let from_stdin = punto_with(&["roads", "-"], "B P T\nBb Pn\nB8\n");
    assert_eq!(from_stdin.stdout, punto(&["roads", "B P T Bb Pn B8"]).stdout);
}

#[test]
fn roads_refuses() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["roads"], args].concat()).page());
    run("roads_no_outcome", &["B P x"]);
    run("roads_small_letter", &["b p t"]);
    run("roads_no_flag", &["B,P,T"]);
    run("roads_flag_twice", &["Bbb"]);
    run("roads_flag_after_number", &["P B8n"]);
    run("roads_no_times", &["B0"]);
    run("roads_too_many", &["B600", "P401"]);
    run("roads_unknown_tail", &["B", "--tail", "curly"]);
    assert_snapshot!("roads_stdin_refused", punto_with(&["roads", "-"], "B\nP Q\n").page());
}

/// What a colour says, a glyph says too: with the colours taken away it is the same board.
#[test]
fn roads_in_colour() {
    let coloured = assert_cmd::Command::cargo_bin("punto")
        .expect("the binary is built")
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .args(["roads", "TB2PbB8T"])
        .output()
        .expect("it runs");
    let coloured = String::from_utf8(coloured.stdout).expect("UTF-8");
    for colour in ["200;16;46", "0;87;184", "0;132;61"] {
        assert!(coloured.contains(colour), "{colour} is missing");
    }
    let plain = punto(&["roads", "TB2PbB8T"]).stdout;
    assert!(!plain.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut parts = coloured.split("\u{1b}[");
    stripped.push_str(parts.next().unwrap_or_default());
    parts.for_each(|part| stripped.push_str(part.split_once('m').expect("a style ends with m").1));
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    assert_eq!(lines(&stripped), lines(&plain));
}

#[test]
fn counting() {
    let run =
        |name: &str, args: &[&str]| assert_snapshot!(name, punto(&[&["counting"], args].concat()).page());
    run("counting", &["ncb-etg", "--shoes", "40", "--cut", "14,52"]);
    run(
        "counting_json",
        &["ncb-etg", "--shoes", "10", "--cut", "26", "--trigger", "0,1", "--format", "json"],
    );
    run(
        "counting_csv",
        &["ncb-etg", "--shoes", "10", "--last-round", "one-more", "--burn", "first-card", "--format", "csv"],
    );
    run("counting_cut_too_small", &["ncb-etg", "--cut", "3"]);
    run("counting_cut_twice", &["ncb-etg", "--cut", "14,14"]);
    run("counting_cut_too_large", &["ncb-etg", "--decks", "4", "--cut", "205"]);
    run("counting_burn_malformed", &["ncb-etg", "--burn", "some"]);
    run("counting_trigger_out_of_range", &["ncb-etg", "--trigger", "-101"]);
    run("counting_burn_too_large", &["one-to-ten.toml", "--decks", "1", "--burn", "42"]);
    run("counting_one_deck", &["one-to-ten.toml", "--decks", "1", "--shoes", "20"]);
    run("counting_one_deck_cut_too_large", &["one-to-ten.toml", "--decks", "1", "--cut", "14,52"]);
    run("counting_suits", &["suits.toml", "--decks", "2", "--shoes", "4"]);
    run(
        "counting_suits_json",
        &["suits.toml", "--decks", "2", "--shoes", "2", "--cut", "80", "--format", "json"],
    );
}

/// The cut card that nobody names must suit the shoe.
#[test]
fn counting_has_a_default_cut_for_every_number_of_decks() {
    let games = [
        ("one-to-ten.toml", 1..=10),
        ("wu-song", 4..=10),
        ("ncb-etg", 4..=8),
        ("rws-baccarat", 4..=10),
        ("da-hu-ying-xiong", 4..=10),
    ];
    for (game, allowed) in games {
        for decks in allowed {
            let number = decks.to_string();
            let args = ["counting", game, "--decks", &number, "--shoes", "2", "--format", "json"];
            let run = punto(&args);
            assert_eq!(run.code, 0, "{game} with {decks} decks: {}", run.page());
            let cut = if decks == 1 { serde_json::json!([14, 26]) } else { serde_json::json!([14, 26, 52]) };
            assert_eq!(run.json()["cut"], cut, "{game} with {decks} decks");
        }
    }
    let sheet = ["par", "one-to-ten.toml", "--decks", "1", "--rounds", "1000", "--counting-shoes", "2"];
    assert_eq!(punto(&sheet).code, 0);
}

#[test]
fn par() {
    let args = ["par", "ncb-etg", "--rounds", "300000", "--counting-shoes", "20"];
    assert_snapshot!("par_markdown", punto(&args).page());
    assert_snapshot!("par_one_shoe", punto(&["par", "ncb-etg", "--counting-shoes", "1"]).page());
    assert_snapshot!(
        "par_no_folder",
        punto(&["par", "ncb-etg", "--rounds", "1000", "--output", "no/such/folder/par.md"]).page()
    );
    let json = punto(&["par", "ncb-etg", "--rounds", "300000", "--format", "json"]).json();
    assert_eq!(json["identification"]["game"], "ncb-etg");
}

/// Two Aces of spades need two decks, five of them five.
#[test]
fn bets_on_suits() {
    let run = |name: &str, args: &[&str]| assert_snapshot!(name, punto(args).page());
    run("check_suits", &["rulebook", "check", "suits.toml"]);
    run("odds_suits", &["odds", "suits.toml", "--decks", "1"]);
    run("odds_suits_compare", &["odds", "suits.toml", "--compare", "1,2,4,5"]);
    run("odds_suits_by_rank", &["odds", "suits.toml", "--shoe", "A=8,9=8"]);
    run("odds_suits_not_told", &["odds", "suits.toml", "--shoe", "A=7,9=8"]);
    run("odds_suits_by_card", &["odds", "suits.toml", "--shoe", "As=2,Ah=5,9d=8"]);
    run("odds_plain_layout_by_rank", &["odds", "suits.toml", "--layout", "plain", "--shoe", "A=7,9=8"]);
    let json = punto(&["odds", "suits.toml", "--decks", "1", "--format", "json"]).json();
    let can_win: Vec<bool> =
        json["bets"].as_array().expect("bets").iter().map(|bet| bet["can_win"] == true).collect();
    assert_eq!(can_win, [true, true, false, false]);
}

#[test]
fn check_warns_where_a_bet_favours_the_patron() {
    assert_snapshot!(punto(&["rulebook", "check", "generous.toml"]).page());
}

#[test]
fn bad_usage() {
    assert_snapshot!("no_verb", punto(&[]).page());
    assert_snapshot!("unknown_verb", punto(&["shuffle"]).page());
    assert_snapshot!("unknown_format", punto(&["games", "--format", "xml"]).page());
}

#[test]
fn play() {
    const ROUND: &str = "# A refusal that nobody expected.
table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
  bets-opened round=2
auditor: close-bets
";
    let play = |text: &str, args: &[&str]| punto_with(&[&["play", "-"], args].concat(), text).page();
    assert_snapshot!("play", play(ROUND, &[]));
    assert_snapshot!("play_json", play("house: open-bets\n", &["--format", "json"]));
    assert_snapshot!("play_no_order", play("dealer open-bets\n", &[]));
    assert_snapshot!("play_nobody", play("waiter: open-bets\n", &[]));
    assert_snapshot!("play_no_game", play("table faro A\n", &[]));
    assert_snapshot!("play_update_stdin", play(ROUND, &["--update"]));
    assert_snapshot!("play_no_file", punto(&["play", "nowhere.txt"]).page());
}
