//! The tables of the floor: what they play, and the devices around each.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Currency, Settings, TableId, Volume};
use punto_rules::rulebook::{APPROVED, Mode};
use punto_rules::{PatronNo, Rulebook};
use serde_json::{Value, json};

use crate::device::{Device, Role};
use crate::dice::Dice;
use crate::felt::Felt;

/// Patrons of the floor. They walk between tables with tickets.
pub(crate) const PATRONS: u32 = 6;

/// One table as people see it: cards, devices, and what it is going to be opened with.
#[derive(Debug)]
pub(crate) struct Station {
    pub(crate) id: TableId,
    pub(crate) volume: Volume,
    pub(crate) kind: Kind,
    pub(crate) text: Arc<str>,
    pub(crate) felt: Felt,
    /// How often its desk was read back.
    pub(crate) life: u64,
    /// Whether its ledger is a house's: settings that touch rights are bounded there.
    pub(crate) in_a_house: bool,
    devices: BTreeMap<Role, Device>,
}

/// What a table is mostly opened with: tickets of one currency are of no use at a table of another.
fn currency_of(table: &TableId) -> Currency {
    if table.as_str() == "T3" { "USD".into() } else { "SGD".into() }
}

/// What kind of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Terminals, a software shoe, the last card settles.
    Terminals,
    /// Terminals around a real shoe; the Dealer confirms.
    Hybrid,
    /// A live table with credits; limits are enforced.
    Credits,
    /// A live table with chips on the felt.
    Chips,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Terminals, Kind::Hybrid, Kind::Credits, Kind::Chips];
}

impl Station {
    pub(crate) fn new(place: usize, dice: &mut Dice) -> Station {
        let name = format!("T{}", place + 1);
        let kind = Kind::ALL[place % Kind::ALL.len()];
        let games: &[&str] = match kind {
            Kind::Terminals | Kind::Hybrid => &["ncb-etg"],
            Kind::Credits => &["wu-song", "wu-song", "rws-baccarat"],
            Kind::Chips => &["rws-baccarat", "da-hu-ying-xiong"],
        };
        let game = dice.pick(games);
        let terminals = (1..=PATRONS).map(|patron| Role::Terminal(PatronNo(patron)));
        let staff = [Role::Console, Role::Pit, Role::Cage, Role::Office, Role::House];
        let devices = terminals.chain(staff).map(|role| (role, Device::new(&name, role))).collect();
        let id: TableId = name.parse().expect("a name");
        let volume = Volume::Table(id.clone());
        Station {
            id,
            volume,
            kind,
            text: rulebook(game),
            felt: Felt::new(dice.bytes()),
            life: 0,
            in_a_house: false,
            devices,
        }
    }

    pub(crate) fn device(&mut self, role: Role) -> &mut Device {
        self.devices.get_mut(&role).expect("every table has these devices")
    }

    pub(crate) fn devices(&mut self) -> impl Iterator<Item = (Role, &mut Device)> {
        self.devices.iter_mut().map(|(role, device)| (*role, device))
    }

    /// What the table is opened with next.
    pub(crate) fn settings(&self, dice: &mut Dice) -> Settings {
        let book = Rulebook::parse(&self.text).expect("approved rule books have no fault");
        let electronic = book.mode == Mode::Electronic;
        let layouts: Vec<String> = book.layouts.iter().map(|it| it.id.clone()).collect();
        let decks: u64 = dice.pick(&[4, 6, 8]);
        let chips = self.kind == Kind::Chips;
        let software = self.kind == Kind::Terminals;
        let mut map = json!({
            "table": self.id,
            "game": book.game,
            "layout": dice.pick(&layouts),
            "decks": decks,
            "currency": currency_of(&self.id),
            "other_bets": { "minimum": 20, "maximum": if electronic { 3000 } else { 500 } },
            "money": if chips { "chips" } else { "credits" },
            "limits": if chips { "observed" } else { "enforced" },
            "cards": if software { "software" } else { "real" },
            "faces": if electronic { "up" } else { dice.pick(&["up", "down"]) },
            "result": if software { "automatic" } else { "confirmed" },
            "established_by": if self.in_a_house && !dice.chance(4) { "offered" } else { dice.pick(&["offered", "placed"]) },
            "road_tail": dice.pick(&["sticky", "redescend"]),
            "betting_seconds": if self.in_a_house { 10 } else { 4 },
            "choice_seconds": 20,
            "ticket_days": dice.pick(&[1, 1, 30]),
            "abandoned_minutes": dice.pick(&[10, 10, 30]),
            "posts": if self.in_a_house && !dice.chance(4) { "held" } else { dice.pick(&["role", "held", "held"]) },
        });
        if chips && dice.chance(40) {
            map["denominations"] = dice.pick(&[json!([1, 5, 25, 100]), json!([2, 10, 50])]);
        }
        if !electronic {
            map["betting_box"] = json!({ "minimum": 100, "differential": 1000 });
        }
        let burn: [Value; 3] = [json!({ "fixed": 0 }), json!({ "fixed": 3 }), json!("by-first-card")];
        map["burn"] = dice.pick(&burn);
        // A shoe of some twenty Rounds.
        map["cut_card"] = (decks * 52 - dice.pick(&[60, 100, 120])).into();
        // Once it was opened, a table takes no other currency.
        if dice.chance(5) {
            map["currency"] = "EUR".into();
        }
        // A shoe that is committed to its order cannot take cards back.
        if !software && dice.chance(15) {
            map["device"] = "continuous-shuffler".into();
            map["burn"] = json!({ "fixed": 0 });
            map["cut_card"] = 0.into();
        } else if dice.chance(10) {
            // No cut card, and nearly all cards burnt: the shoe runs out in the middle of a Round.
            map["burn"] = json!({ "fixed": decks * 52 - 40 });
            map["cut_card"] = 0.into();
        }
        serde_json::from_value(map).expect("settings")
    }
}

fn rulebook(game: &str) -> Arc<str> {
    let is_it = |text: &&str| Rulebook::parse(text).is_ok_and(|book| book.game == game);
    let text = APPROVED.iter().map(|(_, text)| *text).find(is_it);
    text.expect("an approved game").into()
}
