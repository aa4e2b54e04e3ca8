//! Who alone: every person at every order in a house, without anybody else. Where such an order moves money or chips, changes a
//! result or gives power, it stands in `data/alone.txt` with what stops or reveals its abuse, or the gate is wrong. The cells come
//! from the table's own decisions; the list is what people have reviewed. `docs/alone.md` is made from both.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use punto_record::{
    Actor, Anchor, Approval, Command, CommandKind as Kind, Digest, Entry, Event, EventKind, Order, OrderId,
    Release, Seq, TicketAnswer, Timestamp,
};
use punto_rules::PatronNo;
use punto_table::{Given, Rules, Table};
use serde_json::Value;

use super::{actors, command, possible, table};

/// What an order did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Money,
    Result,
    Power,
}

impl Effect {
    const fn word(self) -> &'static str {
        match self {
            Effect::Money => "money",
            Effect::Result => "a result",
            Effect::Power => "power",
        }
    }
}

fn people() -> Vec<(&'static str, Actor)> {
    let acceptor = Actor::Acceptor { acceptor: "acceptor-7".into(), patron: PatronNo(7) };
    actors().into_iter().filter(|(letter, _)| *letter != "H").chain([("K", acceptor)]).collect()
}

/// The order as somebody gives it who asks nobody: without a second person; in a house.
fn alone(table: &Table, by: &Actor, command: &Command) -> Option<Vec<Effect>> {
    let state = table.state();
    let round = Some(state.round().map_or(state.rounds, |round| round.no));
    // Long enough for what waits for the clock.
    let late = matches!(command.kind(), Kind::CloseBets | Kind::CloseChoices);
    let wait = if command.kind() == Kind::KeepUnclaimed {
        30 * 60_000
    } else if late {
        60_000
    } else {
        1_000
    };
    let at = Timestamp(state.now.0 + wait);
    let id = OrderId { device: "anywhere".into(), n: 1 };
    let order = Order { id, by: by.clone(), at, round, command: command.clone() };
    let text = if let Command::OpenTable { rulebook, .. } | Command::ChangeSettings { rulebook, .. } = command
    {
        Some(punto_record::digest(rulebook.as_bytes()))
    } else {
        state.digest
    };
    let approval = Approval {
        deed: Anchor { seq: Seq(1), link: Digest([1; 32]) },
        digest: text.unwrap_or(Digest([0; 32])),
        in_force: Timestamp(0),
        withdrawn: None,
        software_cards: true,
    };
    let amount = punto_rules::Money::new(100).expect("an amount");
    let given = Given {
        ticket: Some(TicketAnswer::Reserved { amount, currency: Some("SGD".into()) }),
        new_ticket: Some("t-9".into()),
        rules: Rules::Approved(Some(approval)),
        ..Given::default()
    };
    let events = table.decide(&order, &given).ok()?;
    Some(effects(table, order, events))
}

/// What became different: money in accounts, float, boxes and on the felt; cards and results; posts and settings.
fn effects(table: &Table, order: Order, events: Vec<Event>) -> Vec<Effect> {
    let is_result = |event: &Event| {
        use EventKind as Kind;
        matches!(
            event.kind(),
            Kind::CardDrawn
                | Kind::CardRead
                | Kind::CardCorrected
                | Kind::CardMisread
                | Kind::CardsOrdered
                | Kind::CardsConfirmed
                | Kind::RoundSettled
                | Kind::RoundVoided
                | Kind::RoundCorrected
                | Kind::RoundAmended
                | Kind::Adjusted
                | Kind::WagerAmended
                | Kind::PushRecorded
                | Kind::CarriedCardsRuled
                | Kind::InterruptionResolved
        )
    };
    let changes_result = events.iter().any(is_result);
    let mut after = table.clone();
    let (seq, release) = (table.state().seq.next(), Release("test".into()));
    after.enter(&Entry { seq, order, events, release, mandates: None });
    let money = |table: &Table| {
        let state = table.state();
        let accounts: BTreeMap<_, _> = state
            .accounts
            .iter()
            .map(|(patron, it)| (*patron, (it.credits, it.owed, it.unclaimed)))
            .collect();
        let felt = state.round().map(|round| round.wagers.total());
        let boxes = (state.acceptors.clone(), state.drops.clone());
        (accounts, felt, state.float, boxes, (state.held_payouts.clone(), state.set_aside.clone()))
    };
    let power = |table: &Table| (table.state().posts.clone(), table.state().settings.clone());
    let mut found = Vec::new();
    if money(table) != money(&after) {
        found.push(Effect::Money);
    }
    if changes_result {
        found.push(Effect::Result);
    }
    if power(table) != power(&after) {
        found.push(Effect::Power);
    }
    found
}

/// Everybody who can give an order alone, and what it does then.
fn cells() -> BTreeMap<&'static str, (Vec<&'static str>, Vec<Effect>)> {
    let mut cells = BTreeMap::new();
    for &kind in Kind::ALL {
        let (mut who, mut what) = (Vec::new(), Vec::new());
        for (setup, mut fields) in possible(kind) {
            if let Value::Object(fields) = &mut fields {
                ["second", "second_post", "attendant"].iter().for_each(|key| drop(fields.remove(*key)));
                // As a house sets tables up.
                if let Some(settings) = fields.get_mut("settings") {
                    settings["posts"] = "held".into();
                }
            }
            let (table, command) = (table(&setup), command(kind, fields));
            for (letter, by) in people() {
                if let Some(effects) = alone(&table, &by, &command).filter(|it| !it.is_empty()) {
                    who.push(letter);
                    what.extend(effects);
                }
            }
        }
        who.sort_unstable();
        who.dedup();
        what.sort_unstable();
        what.dedup();
        if !who.is_empty() {
            cells.insert(kind.id(), (who, what));
        }
    }
    cells
}

/// What people have reviewed: order, who, what could be taken, what stops or reveals it.
fn reviewed() -> BTreeMap<&'static str, (Vec<&'static str>, &'static str, &'static str)> {
    let lines = include_str!("../data/alone.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [order, who, risk, control] = parts[..] else { panic!("four parts: {line}") };
        assert!(!risk.is_empty() && !control.is_empty(), "{line}");
        let mut who: Vec<&str> = who.split(' ').collect();
        who.sort_unstable();
        (order, (who, risk, control))
    };
    lines.map(row).collect()
}

#[test]
fn nobody_alone_but_as_reviewed() {
    let (cells, reviewed) = (cells(), reviewed());
    let found: Vec<String> =
        cells.iter().map(|(order, (who, _))| format!("{order} | {}", who.join(" "))).collect();
    let listed: Vec<String> =
        reviewed.iter().map(|(order, (who, ..))| format!("{order} | {}", who.join(" "))).collect();
    assert_eq!(found.join("\n"), listed.join("\n"), "what one person can do alone is not what was reviewed");
}

#[test]
fn the_page_is_fresh() {
    let mut page = String::from(include_str!("../data/alone.md"));
    let reviewed = reviewed();
    for (order, (who, what)) in cells() {
        let what: Vec<&str> = what.iter().map(|it| it.word()).collect();
        let (_, risk, control) = reviewed[order];
        let _ =
            writeln!(page, "| `{order}` | {} | {} | {risk} | {control} |", who.join(" "), what.join(", "));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/alone.md");
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        std::fs::write(path, &page).expect("written");
    }
    let there = std::fs::read_to_string(path).expect("docs/alone.md");
    assert_eq!(there, page, "docs/alone.md is made anew by PUNTO_UPDATE=1");
}
