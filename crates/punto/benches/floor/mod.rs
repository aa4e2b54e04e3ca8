//! A table at work for benches: its orders, its record, and what it weighs.

#![allow(dead_code, unreachable_pub)]

use std::collections::HashMap;
use std::sync::Arc;

use punto_record::{
    Actor, BoxNo, Command, Entry, Order, OrderId, Release, Seen, Settings, Source, Timestamp,
};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Composition, Money, PatronNo, Post, Rulebook, Shoe};
use punto_table::{Given, Stage, Table};

thread_local! {
    /// A desk has one name of its release and shares it.
    static RELEASE: Arc<str> = "bench".into();
}

/// A table at work, and the orders of its day.
pub struct Floor {
    pub table: Table,
    pub entries: Vec<Entry>,
    pub numbers: HashMap<String, u64>,
    pub now: u64,
}

impl Floor {
    pub fn open(settings: serde_json::Value) -> Floor {
        let settings: Box<Settings> = serde_json::from_value(settings).expect("settings");
        let (_, rulebook) = APPROVED
            .iter()
            .find(|(_, text)| Rulebook::parse(text).expect("approved").game == settings.game)
            .expect("an approved game");
        let mut floor = Floor {
            table: Table::default(),
            entries: Vec::new(),
            numbers: HashMap::new(),
            now: 1_767_225_600_000,
        };
        let rulebook = (*rulebook).into();
        floor.give(
            "office",
            &Actor::Administrator { person: "administrator".into() },
            Command::OpenTable { settings, rulebook, second: None },
        );
        floor
    }

    /// An electronic game: all of its bets from 20 to 500,000.
    pub fn electronic() -> Floor {
        Floor::open(serde_json::json!({
            "table": "etg-1", "game": "ncb-etg", "layout": "terminal", "decks": 8, "cut_card": 14,
            "other_bets": { "minimum": 20, "maximum": 500_000 },
        }))
    }

    /// A live table with credits, seven boxes, and a Differential that is never in the way.
    pub fn live() -> Floor {
        Floor::open(serde_json::json!({
            "table": "live-1", "game": "rws-baccarat", "layout": "A", "decks": 8, "boxes": 7,
            "betting_box": { "minimum": 100, "differential": 10_000_000 },
            "other_bets": { "minimum": 20, "maximum": 500_000 },
        }))
    }

    pub fn order(&mut self, device: &str, by: &Actor, command: Command) -> Order {
        let n = match self.numbers.get_mut(device) {
            Some(n) => n,
            None => self.numbers.entry(device.to_owned()).or_default(),
        };
        *n += 1;
        let round = self.table.state().round().map(|round| round.no);
        let id = OrderId { device: device.parse().expect("a name"), n: *n };
        Order { id, by: by.clone(), at: Timestamp(self.now), round, command }
    }

    pub fn give(&mut self, device: &str, by: &Actor, command: Command) {
        let order = self.order(device, by, command);
        let entry = carry_out(&mut self.table, order);
        self.entries.push(entry);
    }

    pub fn by_dealer(&mut self, command: Command) {
        self.give("console", &Actor::Staff { person: "dealer".into(), post: Post::Dealer }, command);
    }

    pub fn by_patron(&mut self, no: u32, command: Command) {
        self.give(&format!("terminal-{no}"), &Actor::Patron { patron: PatronNo(no) }, command);
    }

    pub fn buy(&mut self, patrons: u32) {
        let cashier = Actor::Cashier { person: "cashier".into() };
        for no in 1..=patrons {
            let command = Command::BuyCredits { patron: PatronNo(no), amount: money(1_000_000_000) };
            self.give("cage", &cashier, command);
        }
    }

    pub fn load(&mut self) {
        let (card_set, shuffled_by) = ("blue-1".into(), Some("shuffler-1".into()));
        self.by_dealer(Command::LoadShoe { card_set, shuffled_by, commitment: None });
    }
}

/// Decides an order and enters it, as a desk does.
pub fn carry_out(table: &mut Table, order: Order) -> Entry {
    let events = match table.decide(&order, &Given::default()) {
        Ok(events) => events,
        Err(rejection) => panic!("{rejection}: {order:?}"),
    };
    let entry = Entry {
        seq: table.state().seq.next(),
        order,
        events,
        release: Release(RELEASE.with(Arc::clone)),
        mandates: None,
    };
    table.enter(&entry);
    entry
}

pub fn money(amount: u64) -> Money {
    Money::new(amount).expect("small")
}

pub fn wager(no: u32, box_no: Option<u8>, bet: &str, stake: u64) -> Command {
    Command::PlaceWager {
        patron: PatronNo(no),
        box_no: box_no.map(BoxNo),
        stance: None,
        bet: bet.parse().expect("a name"),
        stake: money(stake),
    }
}

/// A long record: so many terminals, two wagers each in every Round.
pub fn long_record(terminals: u32, rounds: u32) -> Floor {
    let mut floor = Floor::electronic();
    floor.buy(terminals);
    let mut seed = [0u8; 32];
    let mut shoe = Shoe::shuffled(&Composition::decks(8), seed);
    floor.load();
    for round in 0..rounds {
        if floor.table.state().shoe.as_ref().is_some_and(|shoe| shoe.cut_card_out) {
            seed[..4].copy_from_slice(&round.to_le_bytes());
            shoe = Shoe::shuffled(&Composition::decks(8), seed);
            let (card_set, shuffled_by) = ("red-1".into(), Some("shuffler-1".into()));
            floor.by_dealer(Command::ExchangeShoe {
                card_set,
                shuffled_by,
                commitment: None,
                reason: "used up".into(),
            });
        }
        floor.by_dealer(Command::OpenBets {});
        for no in 1..=terminals {
            let original = if (no + round).is_multiple_of(2) { "banker" } else { "player" };
            floor.by_patron(no, wager(no, None, original, 1000));
            floor.by_patron(no, wager(no, None, "player-pair", 100));
        }
        floor.now += 20_000;
        floor.give("house", &Actor::House, Command::CloseBets {});
        while !matches!(floor.table.state().round().expect("a Round").stage, Stage::Confirming { .. }) {
            let card = Seen::Card(shoe.draw().expect("the cut card comes first"));
            floor.by_dealer(Command::DrawCard { card, source: Source::Read, to: None });
        }
        floor.by_dealer(Command::ConfirmResult {});
    }
    floor
}

/// Pages of memory that this process holds, in bytes.
pub fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: Option<usize> = statm.split_whitespace().nth(1).and_then(|it| it.parse().ok());
    pages.unwrap_or(0) * 4096
}
