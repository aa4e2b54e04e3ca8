//! The JSON shapes that others build on: names, types and meanings.

use crate::run::{punto, punto_with};
use serde_json::{Value, json};

fn bet<'a>(deal: &'a Value, id: &str) -> &'a Value {
    deal["bets"]
        .as_array()
        .unwrap()
        .iter()
        .find(|bet| bet["bet"] == id)
        .unwrap_or_else(|| panic!("no bet {id}"))
}

#[test]
fn games_lists_four_games_and_their_layouts() {
    let games = punto(&["games", "--format", "json"]).json();
    let games = games.as_array().unwrap();
    let summary: Vec<(&str, usize, &Value, &Value)> = games
        .iter()
        .map(|game| {
            (
                game["game"].as_str().unwrap(),
                game["layouts"].as_array().unwrap().len(),
                &game["version"],
                &game["decks"],
            )
        })
        .collect();
    let decks = |min: u8, max: u8| json!({ "min": min, "max": max });
    assert_eq!(
        summary,
        [
            ("wu-song", 6, &json!(3), &decks(4, 10)),
            ("ncb-etg", 1, &json!(5), &decks(4, 8)),
            ("rws-baccarat", 8, &json!(2), &decks(4, 10)),
            ("da-hu-ying-xiong", 4, &Value::Null, &decks(4, 10)),
        ]
    );
    for game in games {
        assert!(game["title"].is_string() && game["in_force"].is_string() && game["mode"].is_string());
        for layout in game["layouts"].as_array().unwrap() {
            assert!(layout["layout"].is_string());
            assert!(layout["bets"].as_array().unwrap().iter().all(Value::is_string));
        }
    }
}

#[test]
fn deal_complete() {
    let deal =
        punto(&["deal", "2s 3d 3c 3h 5d", "--game", "wu-song", "--layout", "A", "--format", "json"]).json();
    assert_eq!(deal["cards"], json!(["2s", "3d", "3c", "3h", "5d"]));
    assert_eq!(deal["player"], json!({ "cards": ["2s", "3c", "5d"], "points": 0 }));
    assert_eq!(deal["banker"], json!({ "cards": ["3d", "3h"], "points": 6 }));
    assert_eq!(
        (&deal["winner"], &deal["complete"], &deal["next"]),
        (&json!("banker"), &json!(true), &Value::Null)
    );
    assert_eq!(deal["natural"], json!(false));
    assert_eq!(deal["pairs"], json!({ "player": false, "banker": true, "twin": false }));
    assert_eq!((&deal["established"], &deal["surplus"]), (&json!(true), &json!([])));
    let won = |id: &str, pays: &str| {
        assert_eq!(
            (&bet(&deal, id)["verdict"], &bet(&deal, id)["pays"]),
            (&json!("won"), &json!(pays)),
            "{id}"
        );
    };
    won("banker", "1 to 2");
    won("small-tiger", "22 to 1");
    won("banker-pair", "11 to 1");
    assert_eq!(
        bet(&deal, "tie"),
        &json!({ "bet": "tie", "verdict": "lost", "pays": null, "cite": "1.26, 4.1.2" })
    );
}

#[test]
fn deal_incomplete_and_surplus() {
    let deal =
        punto(&["deal", "9s 2d 9h", "--game", "da-hu-ying-xiong", "--layout", "A", "--format", "json"])
            .json();
    assert_eq!(
        (&deal["winner"], &deal["complete"], &deal["next"]),
        (&Value::Null, &json!(false), &json!("banker"))
    );
    assert_eq!(deal["established"], json!(true));
    // A pair on Player makes Tiger Pair certain to win, but at which odds is open until Banker's second card.
    assert_eq!(
        (&bet(&deal, "tiger-pair")["verdict"], &bet(&deal, "tiger-pair")["pays"]),
        (&json!("won"), &Value::Null)
    );
    assert_eq!(bet(&deal, "player")["verdict"], json!("open"));
    let none = punto(&["deal", "", "--game", "ncb-etg", "--format", "json"]).json();
    assert_eq!(
        (&none["next"], &none["established"], &none["cards"]),
        (&json!("player"), &json!(false), &json!([]))
    );
    let over = punto(&["deal", "9s 2d 9h Kd 5c 6c", "--game", "ncb-etg", "--format", "json"]).json();
    assert_eq!((&over["natural"], &over["surplus"]), (&json!(true), &json!(["5c", "6c"])));
}

#[test]
fn settle_pro_rata_and_commission() {
    let line = json!({
        "game": "da-hu-ying-xiong", "layout": "A",
        "limits": { "minimum": 10_000, "differential": 100_000, "unit": 100 },
        "cards": ["Ts", "8d", "4c", "Jh"],
        "wagers": [
            { "patron": "a", "box": 3, "stance": "seated", "bet": "banker", "stake": 100_000 },
            { "patron": "b", "box": 3, "stance": "standing", "bet": "banker", "stake": 60_000 },
            { "patron": "c", "box": 3, "stance": "standing", "bet": "banker", "stake": 15_000 },
            { "patron": "d", "box": 3, "stance": "standing", "bet": "player", "stake": 25_000 },
            { "patron": "e", "box": 4, "stance": "seated", "bet": "banker", "stake": 1_000 },
        ],
    });
    let settled = &punto_with(&["settle"], &line.to_string()).lines()[0];
    let first = &settled["lines"][0];
    let expected = json!({
        "patron": "a", "box": 3, "bet": "banker", "stake": 100_000, "playing": 71_400, "returned": 28_600,
        "verdict": "won", "pays": "0.95 to 1", "winnings": 67_830, "commission": 3_570, "cite": "4.1.1, 4.1.2",
        "pro_rata": "5.1, 5.1.1, 5.1.2",
    });
    assert_eq!(first, &expected);
    let playing: Vec<&Value> =
        settled["lines"].as_array().unwrap().iter().map(|line| &line["playing"]).collect();
    assert_eq!(playing, [71_400, 42_900, 10_700, 25_000, 1_000]);
    assert!(settled["lines"][4].get("pro_rata").is_none(), "only where a part of the stake did not play");
    // Lost 25,000 less winnings of 67,830 + 40,755 + 10,165 + 950.
    assert_eq!(settled["house"], json!(25_000 - 67_830 - 40_755 - 10_165 - 950));
    assert_eq!(settled["outcome"]["winner"], json!("banker"));
}

#[test]
fn settle_returns_original_bets_on_a_tie() {
    let line = r#"{"game":"ncb-etg","layout":"terminal","cards":["2s","2d","4c","4h"],"wagers":[{"patron":"a","bet":"player","stake":100},{"patron":"a","bet":"tie","stake":100}]}"#;
    let settled = &punto_with(&["settle"], line).lines()[0];
    let (player, tie) = (&settled["lines"][0], &settled["lines"][1]);
    assert_eq!(
        (&player["verdict"], &player["returned"], &player["box"]),
        (&json!("returned"), &json!(100), &Value::Null)
    );
    assert_eq!(
        (&tie["winnings"], &tie["returned"], &settled["house"]),
        (&json!(800), &json!(0), &json!(-800))
    );
}

#[test]
fn a_bad_line_names_its_number_and_the_exit_code_is_one() {
    let good = r#"{"game":"ncb-etg","layout":"terminal","cards":["2s","2d","4c","4h"],"wagers":[]}"#;
    let input = format!("{good}\n{good}\n\n{good}\n{good}\n{good}\n{{malformed\n{good}\n");
    let run = punto_with(&["settle"], &input);
    let lines = run.lines();
    assert_eq!((run.code, lines.len()), (1, 7));
    assert_eq!(lines[5]["line"], json!(7));
    assert!(lines[5]["error"].as_str().unwrap().contains("malformed JSON"));
    assert!(lines.iter().enumerate().all(|(i, line)| i == 5 || line["house"] == json!(0)));
}

/// The object of the checked cases, from their own notation.
#[test]
fn roads_are_the_checked_cases() {
    let file: Value =
        serde_json::from_str(include_str!("../../punto-table/tests/data/roads-cases.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 10);
    for case in cases {
        let input = case["input"].as_str().unwrap();
        let roads = punto(&["roads", input, "--format", "json"]).json();
        assert_eq!(roads, case["expected"], "{}", case["id"]);
        assert_eq!(punto_with(&["roads", "-", "--format", "json"], input).json(), roads);
        if let Some(places) = case.get("expected_big_road_positions_nonsticky_variant") {
            let roads = punto(&["roads", input, "--tail", "redescend", "--format", "json"]).json();
            let cells = roads["big_road"]["cells"].as_array().unwrap();
            let drawn: Vec<Value> = cells.iter().map(|cell| json!([cell["col"], cell["row"]])).collect();
            assert_eq!(&json!(drawn), places, "{}", case["id"]);
        }
    }
}
