//! Tables of all kinds: every game, every setting that changes what may happen.

use std::sync::Arc;

use punto_record::{
    Actor, Approvals, Chain, Deed, HouseEntry, Moment, OrderId, Release, Settings, Timestamp, digest,
};
use punto_rules::Rulebook;
use punto_rules::rulebook::{APPROVED, Mode};
use serde_json::{Value, json};

use super::dice::Dice;

/// The approved rule books: the game and its text.
pub(crate) fn games() -> Vec<(String, Arc<str>)> {
    let game = |text: &str| Rulebook::parse(text).expect("approved rule books have no fault").game;
    APPROVED.iter().map(|(_, text)| (game(text), (*text).into())).collect()
}

/// Settings of a table of that game; now and then such as no table can have.
pub(crate) fn settings(dice: &mut Dice, text: &str) -> Settings {
    let book = Rulebook::parse(text).expect("approved");
    let electronic = book.mode == Mode::Electronic;
    let layouts: Vec<String> = book.layouts.iter().map(|it| it.id.clone()).collect();
    let continuous = dice.chance(20);
    let chips = !electronic && dice.chance(50);
    let mut map = json!({
        "table": "table-1",
        "game": book.game,
        "layout": dice.pick(&layouts),
        "decks": dice.pick(&[4, 6, 8]),
        "other_bets": { "minimum": 20, "maximum": 500 },
        "money": if chips { "chips" } else { "credits" },
        "limits": if chips && dice.chance(60) { "observed" } else { "enforced" },
        "device": if continuous { "continuous-shuffler" } else { dice.pick(&["shoe", "batch-shuffler"]) },
        "cards": dice.pick(&["real", "real", "software"]),
        "faces": if electronic { "up" } else { dice.pick(&["up", "down"]) },
        "result": dice.pick(&[Value::Null, "confirmed".into(), "automatic".into()]),
        "established_by": dice.pick(&["offered", "placed", "placed"]),
        "road_tail": dice.pick(&["sticky", "redescend"]),
        "posts": dice.pick(&["role", "role", "role", "role", "role", "held"]),
        "abandoned_minutes": dice.pick(&[10, 30]),
    });
    if chips && dice.chance(30) {
        // A float of chips by which every payout is payable; now and then one that fits nothing.
        map["denominations"] = dice.pick(&[json!([1, 5, 25, 100]), json!([2, 10, 50]), json!([2, 3])]);
    }
    if !electronic {
        map["betting_box"] = json!({ "minimum": 100, "differential": 1000 });
    }
    if !continuous {
        let decks = map["decks"].as_u64().expect("a number");
        // Most of the cards are burnt now and then, so that the shoe is soon at its end.
        let most = decks * 52 - dice.pick(&[12, 30, 40]);
        let none = json!({ "fixed": 0 });
        let nearly_all = json!({ "fixed": most });
        map["burn"] =
            dice.pick(&[none.clone(), none, json!({ "fixed": 3 }), json!("by-first-card"), nearly_all]);
        map["cut_card"] =
            if map["burn"]["fixed"] == most { 0 } else { dice.pick(&[0, 0, 14, decks * 52 - 25]) }.into();
    }
    if dice.chance(3) {
        map["ticket_days"] = 0.into();
    }
    serde_json::from_value(map).expect("settings")
}

/// What a house has recorded: the game of the table in force, the next one not yet, the one after it withdrawn.
pub(crate) fn approvals(books: &[(String, Arc<str>)], game: &Arc<str>) -> Approvals {
    let mut approvals = Approvals::default();
    let own = books.iter().position(|(_, text)| text == game).expect("a game");
    let (mut chain, at) = (Chain::START, Timestamp(1_767_225_600_000));
    let mut write = |deed: Deed| {
        let seq = chain.seq.next();
        let (id, by) =
            (OrderId { device: "office".into(), n: seq.0 }, Actor::Administrator { person: "a".into() });
        let entry = HouseEntry { seq, id, by, at, deed, release: Release("test".into()) };
        let link = chain.seal_deed(&entry).chain;
        approvals.enter(&entry, link);
    };
    for (place, from) in [(own, 0), (own + 1, 30_000), (own + 2, 0)] {
        let (name, text) = &books[place % books.len()];
        write(approved(name, text, Timestamp(at.0 + from), place == own));
    }
    let digest = digest(books[(own + 2) % books.len()].1.as_bytes());
    let (at, second, reason) = (Moment::utc(at), "b".into(), "withdrawn".into());
    write(Deed::RulesWithdrawn { digest, at, second, reason });
    approvals
}

/// The deed of an approval.
pub(crate) fn approved(game: &str, text: &str, from: Timestamp, software_cards: bool) -> Deed {
    Deed::RulesApproved {
        game: game.into(),
        version: "1".into(),
        digest: digest(text.as_bytes()),
        authority: "the authority".into(),
        reference: "no. 1".into(),
        operator: "the operator".into(),
        document: game.into(),
        in_force: Moment::utc(from),
        software_cards,
        second: "b".into(),
        compared: "line by line".into(),
    }
}
