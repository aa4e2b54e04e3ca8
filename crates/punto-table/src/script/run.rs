//! Plays a script on a table of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{
    Actor, Approvals, Chain, Command, CommandKind, Deed, DeviceId, Digest, Entry, Event, HouseEntry,
    LedgerKind, Moment, Order, OrderId, Rejection, Release, Seq, Settings, TicketAnswer, TicketNo, Timestamp,
    digest,
};
use punto_rules::{BoxLimits, Card, Composition, LimitsModel, Rulebook};
use serde_json::{Map, Value};

use super::reader::{Line, Recorded, Script, ScriptFault, What, Written, command, numbered};
use super::render::{show_event, show_rejection};
use crate::table::{Given, Rules, Table};

/// The morning on which every script begins.
const START: Timestamp = Timestamp(1_767_225_600_000);
/// Time between two orders of a script, in milliseconds.
const PACE: u64 = 100;

/// A script, played.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Played {
    pub steps: Vec<Step>,
    pub table: Table,
    pub entries: Vec<Entry>,
    /// The volume of the house, where the script says that there is one.
    pub house: Vec<HouseEntry>,
}

/// A line of a script, and what happened.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line.
    pub line: Line,
    /// What happened, as the script would write it.
    pub happened: Vec<String>,
    /// The orders that the line gave, and what became of each.
    pub orders: Vec<(Order, Outcome)>,
    /// Which rules they could play.
    pub rules: Rules,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was carried out.
    Events(Vec<Event>),
    /// It was refused.
    Refused(Rejection),
    /// It had been carried out before.
    Answered(Seq),
}

impl Step {
    /// Whether what happened is what the script expects, where it expects something.
    pub fn is_as_expected(&self) -> bool {
        self.line.expected.is_empty() || self.line.expected == self.happened
    }
}

impl Played {
    /// The script's text with what happened in place of what was expected.
    pub fn rewritten(&self, text: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut done = 0;
        let written: Vec<&str> = text.lines().collect();
        for step in &self.steps {
            lines.extend(written[done..step.line.no].iter().map(|it| (*it).to_owned()));
            lines.extend(step.happened.iter().map(|it| format!("  {it}")));
            // Comments between expectations stay below them, and so do assertions.
            let stays = |it: &&&str| it.trim().starts_with('#') || it.starts_with("shows ");
            let kept = written[step.line.no..step.line.end].iter().filter(stays);
            lines.extend(kept.map(|it| (*it).to_owned()));
            done = step.line.end;
        }
        lines.extend(written[done..].iter().map(|it| (*it).to_owned()));
        lines.join("\n") + "\n"
    }
}

/// The house that a script's table is in, if it is in one: its own volume, as it would be written.
#[derive(Clone, Debug)]
struct House {
    entries: Vec<HouseEntry>,
    chain: Chain,
    approvals: Approvals,
}

impl House {
    fn new() -> House {
        House { entries: Vec::new(), chain: Chain::START, approvals: Approvals::default() }
    }

    fn rules(&self, table: &Table, order: &Order) -> Rules {
        let kind = if self.entries.is_empty() { LedgerKind::Demo } else { LedgerKind::House };
        Rules::of(kind, &self.approvals, table, order)
    }

    fn record(&mut self, at: Timestamp, deed: Option<Deed>) {
        if self.entries.is_empty() {
            let nonce = Digest([0; 32]);
            self.write(at, Actor::House, Deed::LedgerFounded { kind: LedgerKind::House, nonce });
        }
        if let Some(deed) = deed {
            self.write(at, Actor::Administrator { person: "administrator".into() }, deed);
        }
    }

    fn write(&mut self, at: Timestamp, by: Actor, deed: Deed) {
        let seq = self.chain.seq.next();
        let id = OrderId { device: "office".into(), n: seq.0 };
        let entry = HouseEntry { seq, id, by, at, deed, release: Release("script".into()) };
        let link = self.chain.seal_deed(&entry).chain;
        self.approvals.enter(&entry, link);
        self.entries.push(entry);
    }
}

fn approved(game: &str, digest: Digest, in_force: Moment, software_cards: bool) -> Deed {
    Deed::RulesApproved {
        game: game.into(),
        version: "as shipped".into(),
        digest,
        authority: "the authority".into(),
        reference: "no. 1".into(),
        operator: "the operator".into(),
        document: game.into(),
        in_force,
        software_cards,
        second: "compliance".into(),
        compared: "every paragraph, by both".into(),
    }
}

/// Plays a script; `rulebook` finds the text of a game's rule book.
///
/// # Errors
/// A line that cannot be carried out at all: an unknown game, or cards that no table can count.
pub fn play(script: &Script, rulebook: impl Fn(&str) -> Option<Arc<str>>) -> Result<Played, ScriptFault> {
    let mut player = Player {
        table: Table::default(),
        entries: Vec::new(),
        now: START,
        numbers: BTreeMap::new(),
        given: Given::default(),
        tickets: 0,
        rulebook,
        house: House::new(),
        rules: Rules::Any,
    };
    let mut steps = Vec::new();
    for line in &script.lines {
        let fault = |message| ScriptFault { line: line.no, message };
        let orders = player.line(line).map_err(fault)?;
        let happened = orders.iter().flat_map(|(_, outcome)| shown(outcome)).collect();
        let rules = std::mem::take(&mut player.rules);
        steps.push(Step { line: line.clone(), happened, orders, rules });
    }
    Ok(Played { steps, table: player.table, entries: player.entries, house: player.house.entries })
}

fn shown(outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Events(events) => events.iter().flat_map(|event| show_event(event, START)).collect(),
        Outcome::Refused(rejection) => vec![show_rejection(rejection, START)],
        Outcome::Answered(seq) => vec![format!("= answered by entry {seq}")],
    }
}

struct Player<R> {
    table: Table,
    entries: Vec<Entry>,
    now: Timestamp,
    numbers: BTreeMap<DeviceId, u64>,
    given: Given,
    tickets: u32,
    rulebook: R,
    house: House,
    /// What was given to the last order.
    rules: Rules,
}

impl<R: Fn(&str) -> Option<Arc<str>>> Player<R> {
    fn line(&mut self, line: &Line) -> Result<Vec<(Order, Outcome)>, String> {
        let administrator = Actor::Administrator { person: "administrator".into() };
        match &line.what {
            What::Wait(milliseconds) => {
                self.now = Timestamp(self.now.0 + milliseconds);
                Ok(Vec::new())
            }
            What::Given(ticket) => {
                let mut ticket = ticket.clone();
                // A script names the currency of a ticket only where it is not the table's.
                if let TicketAnswer::Reserved { currency: currency @ None, .. } = &mut ticket {
                    *currency =
                        self.table.state().settings.as_ref().map(|settings| settings.currency.clone());
                }
                self.given.ticket = Some(ticket);
                Ok(Vec::new())
            }
            What::House(recorded) => {
                self.record(recorded)?;
                Ok(Vec::new())
            }
            What::Open(set) => {
                let (settings, rulebook) = self.law(&set.settings, set.limits)?;
                let command = Command::OpenTable { settings, rulebook, second: set.second.clone() };
                Ok(vec![self.order(administrator, None, None, command)])
            }
            What::Change(set) => {
                let (settings, rulebook) = self.law(&set.settings, set.limits)?;
                let command = Command::ChangeSettings { settings, rulebook, second: set.second.clone() };
                Ok(vec![self.order(administrator, None, None, command)])
            }
            What::Order { by, round, n, commands } => {
                let mut orders = Vec::new();
                for written in commands {
                    let command = self.command(written)?;
                    orders.push(self.order(by.clone(), *round, *n, command));
                }
                Ok(orders)
            }
        }
    }

    /// Writes into the house's volume.
    fn record(&mut self, recorded: &Recorded) -> Result<(), String> {
        let digest_of = |game: &str| {
            let text = (self.rulebook)(game).ok_or_else(|| format!("no rule book of `{game}`"))?;
            Ok::<Digest, String>(digest(text.as_bytes()))
        };
        let deed = match recorded {
            Recorded::Nothing => None,
            Recorded::Approved { game, after, software_cards } => {
                let in_force = Moment::utc(Timestamp(self.now.0 + after));
                Some(approved(game, digest_of(game)?, in_force, *software_cards))
            }
            Recorded::Withdrawn { game } => Some(Deed::RulesWithdrawn {
                digest: digest_of(game)?,
                at: Moment::utc(self.now),
                second: "compliance".into(),
                reason: "the authority says so".into(),
            }),
        };
        self.now = Timestamp(self.now.0 + PACE);
        self.house.record(self.now, deed);
        Ok(())
    }

    /// A script may name a rule book by its file; the settings name its game.
    fn law(
        &self,
        settings: &Settings,
        limits: Option<BoxLimits>,
    ) -> Result<(Box<Settings>, Arc<str>), String> {
        let asked = &settings.game;
        let text = (self.rulebook)(asked).ok_or_else(|| format!("no rule book of `{asked}`"))?;
        let mut settings = Box::new(settings.clone());
        if let Ok(rulebook) = Rulebook::parse(&text) {
            if let (LimitsModel::Differential, Some(limits)) = (rulebook.limits.model, limits) {
                settings.betting_box = Some(limits);
            }
            settings.game = rulebook.game;
        }
        Ok((settings, text))
    }

    /// Fills in the cards that are left of a retired shoe.
    fn command(&self, written: &Written) -> Result<Command, String> {
        let map = match written {
            Written::Command(command) => return Ok((**command).clone()),
            Written::Rest(map) => map,
        };
        let shoe = map.get("shoe").and_then(Value::as_u64).ok_or("which shoe?")?;
        let retired = self.table.state().retired.iter().find(|it| u64::from(it.no.0) == shoe);
        let retired = retired.ok_or("no such shoe was retired")?;
        let text = map.get("left").and_then(Value::as_str).unwrap_or("rest");
        let mut left = Composition::decks((retired.cards / Card::KINDS as u16) as u8);
        for card in Card::all() {
            left.set(card, left.copies(card).saturating_sub(retired.dealt.copies(card)));
        }
        let card = |text: &str| text.parse::<Card>().map_err(|error| error.to_string());
        match text.strip_prefix("rest").unwrap_or("").split_at_checked(1) {
            Some(("-", less)) => {
                if !left.remove(card(less)?) {
                    return Err(format!("`{less}` is not left"));
                }
            }
            Some(("+", more)) => left.add(card(more)?),
            Some(_) | None => {}
        }
        let mut map: Map<String, Value> = map.clone();
        map.insert("left".to_owned(), serde_json::to_value(left).expect("a composition is JSON"));
        map.entry("discarded").or_insert_with(|| Value::Object(Map::new()));
        command(map)
    }

    fn order(
        &mut self,
        by: Actor,
        round: Option<punto_record::RoundNo>,
        n: Option<u64>,
        command: Command,
    ) -> (Order, Outcome) {
        self.now = Timestamp(self.now.0 + PACE);
        let device = device(&by);
        let last = self.numbers.entry(device.clone()).or_default();
        let n = n.unwrap_or(*last + 1);
        *last = n.max(*last);
        let current = self.table.state().round().map(|round| round.no);
        let of_a_round = command.kind().facts().names_its_round;
        // Who does not say otherwise means the Round in play, or the one just over.
        let round = round.or(current.or(Some(self.table.state().rounds)).filter(|_| of_a_round));
        if command.kind() == CommandKind::CashOut {
            self.tickets += 1;
            // In a house a number has its check digits.
            let ticket = match self.house.entries.is_empty() {
                true => format!("ticket-{}", self.tickets).parse().expect("a word and a number"),
                false => TicketNo::from_drawn(self.tickets.into()),
            };
            self.given.new_ticket = Some(ticket.into());
        }
        let order = Order { id: OrderId { device, n }, by, at: self.now, round, command };
        let mut given = std::mem::take(&mut self.given);
        given.rules = self.house.rules(&self.table, &order);
        self.rules = given.rules.clone();
        if let Some(seq) = self.table.answered(&order) {
            return (order, Outcome::Answered(seq));
        }
        match self.table.decide(&order, &given) {
            Ok(events) => {
                let seq = self.table.state().seq.next();
                let release = Release("script".into());
                let entry =
                    Entry { seq, order: order.clone(), events: events.clone(), release, mandates: None };
                self.table.enter(&entry);
                self.entries.push(entry);
                (order, Outcome::Events(events))
            }
            Err(rejection) => (order, Outcome::Refused(rejection)),
        }
    }
}

fn device(by: &Actor) -> DeviceId {
    match by {
        Actor::Patron { patron } => numbered("terminal", patron.0),
        Actor::Staff { .. } => "console".into(),
        Actor::Cashier { .. } => "cage".into(),
        Actor::Auditor { .. } | Actor::Administrator { .. } => "office".into(),
        Actor::House => "house".into(),
        Actor::Acceptor { acceptor, .. } => acceptor.clone(),
    }
}
