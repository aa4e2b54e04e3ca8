//! Reads a script: lines of orders with what is expected below them.

use punto_record::{Actor, BoxNo, Command, DeviceId, Person, RoundNo, Seen, Settings, Source, TicketAnswer};
use punto_rules::text::Shown;
use punto_rules::{BoxLimits, Money, PatronNo, Post, Range, Stance};
use serde_json::{Map, Value};

use super::evidence::Shows;
use super::value::{pairs, value, words};

/// A script, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The first line.
    pub title: String,
    /// The paragraphs it stands for.
    pub proves: Vec<String>,
    /// Its lines, in order.
    pub lines: Vec<Line>,
}

/// One line that does something.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number in the text, from 1.
    pub no: usize,
    /// As written.
    pub text: String,
    pub(super) what: What,
    /// What is expected to happen, line by line; nothing where anything may.
    pub expected: Vec<String>,
    /// What this line shows about the rules.
    pub shows: Vec<Shows>,
    /// The number of the last line that belongs to it.
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The table is opened by an Administrator.
    Open(Box<Set>),
    /// Settings change.
    Change(Box<Set>),
    /// What the house records about approved rules; its table is in a ledger of real money from here on.
    House(Recorded),
    /// Time goes by, in milliseconds.
    Wait(u64),
    /// What the store will say about a ticket.
    Given(TicketAnswer),
    /// One order, or several alike.
    Order { by: Actor, round: Option<RoundNo>, n: Option<u64>, commands: Vec<Written> },
}

/// Settings as they were written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set {
    pub(super) settings: Settings,
    /// For a game with betting boxes.
    pub(super) limits: Option<BoxLimits>,
    /// Who agrees to them.
    pub(super) second: Option<Person>,
}

/// What a house records about approved rules.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Recorded {
    /// Nothing yet.
    Nothing,
    /// The rule book of a game was approved, in force after so many milliseconds.
    Approved { game: String, after: u64, software_cards: bool },
    /// Its approval was withdrawn.
    Withdrawn { game: String },
}

/// A command as it was written; `rest` stands for cards that only the table can count.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Written {
    Command(Box<Command>),
    /// `reconcile-shoe` with `left=rest`, `rest-As` or `rest+As`.
    Rest(Map<String, Value>),
}

/// What cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
#[allow(missing_docs)]
pub struct ScriptFault {
    pub line: usize,
    pub message: String,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn parse(text: &str) -> Result<Script, ScriptFault> {
        let mut script = Script { title: String::new(), proves: Vec::new(), lines: Vec::new() };
        for (index, written) in text.lines().enumerate() {
            let no = index + 1;
            let trimmed = written.trim();
            if let Some(comment) = trimmed.strip_prefix('#') {
                if script.title.is_empty() {
                    script.title = comment.trim().to_owned();
                }
            } else if trimmed.is_empty() {
            } else if let Some(list) = trimmed.strip_prefix("proves ") {
                script.proves.extend(list.split(',').map(|it| it.trim().to_owned()));
            } else if let Some(text) = trimmed.strip_prefix("shows ") {
                let fault = |message| ScriptFault { line: no, message };
                let shows = Shows::parse(no, text).map_err(fault)?;
                let line = script.lines.last_mut();
                let line = line.ok_or_else(|| fault("nothing was done that could show it".to_owned()))?;
                line.shows.push(shows);
                line.end = no;
            } else if written.starts_with(' ') {
                let fault =
                    || ScriptFault { line: no, message: "nothing was done that this could follow".into() };
                let line = script.lines.last_mut().ok_or_else(fault)?;
                line.expected.push(written.strip_prefix("  ").unwrap_or(trimmed).trim_end().to_owned());
                line.end = no;
            } else {
                let what = what(trimmed).map_err(|message| ScriptFault { line: no, message })?;
                let text = trimmed.to_owned();
                script.lines.push(Line { no, text, what, expected: Vec::new(), shows: Vec::new(), end: no });
            }
        }
        Ok(script)
    }
}

fn what(line: &str) -> Result<What, String> {
    if let Some(rest) = line.strip_prefix("table ") {
        return settings(rest).map(|it| What::Open(Box::new(it)));
    }
    if let Some(rest) = line.strip_prefix("settings ") {
        return settings(rest).map(|it| What::Change(Box::new(it)));
    }
    if let Some(rest) = line.strip_prefix("in a house") {
        return recorded(rest).map(What::House);
    }
    if line.starts_with('+') {
        return seconds(line).map(What::Wait);
    }
    if let Some(rest) = line.strip_prefix("given ticket ") {
        return given(rest).map(What::Given);
    }
    let (who, order) = line.split_once(": ").ok_or("an order reads `dealer: open-bets`")?;
    let (by, round, n) = actor(who)?;
    let words = words(order)?;
    let (verb, rest) = words.split_first().ok_or("an order says what is to be done")?;
    Ok(What::Order { commands: commands(verb, rest, &by)?, by, round, n })
}

/// `in a house`, `in a house: approved GAME`, `… in_force=+60s`, `… software_cards=true`, `in a house: withdrawn GAME`.
fn recorded(rest: &str) -> Result<Recorded, String> {
    if rest.is_empty() {
        return Ok(Recorded::Nothing);
    }
    let rest = rest.strip_prefix(": ").ok_or("a house records as in `in a house: approved wu-song`")?;
    let words = words(rest)?;
    let mut map = Map::new();
    match words.as_slice() {
        [word, game, rest @ ..] if word == "approved" => {
            pairs(rest, &mut map)?;
            let after = map.get("in_force").and_then(Value::as_str).map(seconds).transpose()?;
            let software_cards = map.get("software_cards").and_then(Value::as_bool).unwrap_or(false);
            Ok(Recorded::Approved { game: game.clone(), after: after.unwrap_or(0), software_cards })
        }
        [word, game] if word == "withdrawn" => Ok(Recorded::Withdrawn { game: game.clone() }),
        _ => Err("a house records what was approved or withdrawn".to_owned()),
    }
}

/// `+20s`, in milliseconds.
fn seconds(text: &str) -> Result<u64, String> {
    let seconds = text.strip_prefix('+').and_then(|it| it.strip_suffix('s')).and_then(|it| it.parse().ok());
    seconds.map(|it: u64| it * 1000).ok_or_else(|| "time goes by as in +20s".to_owned())
}

fn given(text: &str) -> Result<TicketAnswer, String> {
    match text {
        "not-found" => Ok(TicketAnswer::NotFound),
        "in-use" => Ok(TicketAnswer::InUse),
        "paid" => Ok(TicketAnswer::Paid),
        "expired" => Ok(TicketAnswer::Expired),
        "void" => Ok(TicketAnswer::Void),
        "tampered" => Ok(TicketAnswer::Tampered),
        worth => {
            let (amount, currency) = match worth.split_once(' ') {
                Some((amount, currency)) => {
                    (amount, Some(currency.parse().map_err(|error| format!("`{currency}`: {error}"))?))
                }
                None => (worth, None),
            };
            money(amount).map(|amount| TicketAnswer::Reserved { amount, currency })
        }
    }
}

fn actor(who: &str) -> Result<(Actor, Option<RoundNo>, Option<u64>), String> {
    let (mut round, mut n) = (None, None);
    let mut words = Vec::new();
    for word in who.split_whitespace() {
        if let Some(no) = word.strip_prefix('@') {
            round = Some(RoundNo(no.parse().map_err(|_| "a Round is written @3")?));
        } else if let Some(no) = word.strip_prefix('#') {
            n = Some(no.parse().map_err(|_| "the number of an order is written #3")?);
        } else {
            words.push(word);
        }
    }
    if let [word, name @ ..] = words.as_slice()
        && let Some(post) = post_of(word)
        && name.len() < 2
    {
        // `supervisor` is somebody of that name; `supervisor ann` is Ann in that post.
        let person = name.first().unwrap_or(word);
        let named = person.parse().map_err(|error| format!("somebody is called by {error}"))?;
        return Ok((Actor::Staff { person: named, post }, round, n));
    }
    let by = match words.as_slice() {
        ["patron", no] => Actor::Patron { patron: patron(no)? },
        ["cashier"] => Actor::Cashier { person: "cashier".into() },
        ["auditor"] => Actor::Auditor { person: "auditor".into() },
        ["administrator"] => Actor::Administrator { person: "administrator".into() },
        ["house"] => Actor::House,
        ["acceptor", patron] => {
            let patron = PatronNo(patron.parse().map_err(|_| format!("`{patron}` is no patron"))?);
            Actor::Acceptor { acceptor: numbered("acceptor", patron.0), patron }
        }
        _ => {
            return Err(format!(
                "`{who}` is nobody; orders come from dealer, supervisor, manager, shift-manager, duty-manager, cashier, \
                 auditor, administrator, house or patron 7"
            ));
        }
    };
    Ok((by, round, n))
}

/// A device by what it is and whose.
pub(super) fn numbered(what: &str, no: u32) -> DeviceId {
    format!("{what}-{no}").parse().expect("a word and a number are a name")
}

/// The word of a post in a script, which is also somebody in it.
fn post_of(word: &str) -> Option<Post> {
    match word {
        "dealer" => Some(Post::Dealer),
        "supervisor" => Some(Post::PitSupervisor),
        "manager" => Some(Post::PitManager),
        "shift-manager" => Some(Post::ShiftManager),
        "duty-manager" => Some(Post::DutyManager),
        _ => None,
    }
}

fn patron(text: &str) -> Result<PatronNo, String> {
    text.parse().map(PatronNo).map_err(|_| format!("`{text}` is not the number of a patron"))
}

fn money(text: &str) -> Result<Money, String> {
    let amount = text.parse().ok().and_then(Money::new);
    amount.ok_or_else(|| format!("`{text}` is not an amount in minor units"))
}

/// Short forms for what is said all the time; everything else is the word of the record with its fields.
fn commands(verb: &str, rest: &[String], by: &Actor) -> Result<Vec<Written>, String> {
    match verb {
        "draw" => draw(rest),
        "bet" => bet(rest, by).map(|it| vec![Written::Command(Box::new(it))]),
        "report" => inner("report", "irregularity", rest, Map::new()),
        "rule" => {
            let (matter, rest) = rest.split_first().ok_or("a ruling reads `rule 1 void reason=\"…\"`")?;
            let mut outer = Map::new();
            outer.insert("matter".to_owned(), value(matter)?);
            inner("rule", "ruling", rest, outer)
        }
        verb => {
            let mut map = Map::new();
            pairs(rest, &mut map)?;
            finish(verb, map)
        }
    }
}

/// `report KIND fields…` and `rule NO RULING fields…`: fields of the inner object, but for those of the order itself.
fn inner(
    verb: &str,
    tag: &str,
    rest: &[String],
    mut outer: Map<String, Value>,
) -> Result<Vec<Written>, String> {
    const OF_THE_ORDER: [&str; 5] = ["reason", "second", "second_post", "replace_shoe", "departs"];
    let (word, rest) = rest.split_first().ok_or_else(|| format!("`{verb}` needs a word for what"))?;
    let mut map = Map::new();
    pairs(rest, &mut map)?;
    map.insert(tag.to_owned(), word.as_str().into());
    if verb == "rule" {
        for key in OF_THE_ORDER {
            if let Some(value) = map.remove(key) {
                outer.insert(key.to_owned(), value);
            }
        }
    }
    outer.insert(if verb == "rule" { "ruling" } else { "report" }.to_owned(), Value::Object(map));
    finish(verb, outer)
}

fn finish(verb: &str, mut map: Map<String, Value>) -> Result<Vec<Written>, String> {
    map.insert("do".to_owned(), verb.into());
    // Whoever is called after a post holds it.
    if matches!(verb, "rule" | "record-push" | "amend-wager" | "decide-held")
        && let Some(post) = map.get("second").and_then(Value::as_str).and_then(post_of)
    {
        map.entry("second_post").or_insert(post.id().into());
    }
    if verb == "reconcile-shoe"
        && map.get("left").and_then(Value::as_str).is_some_and(|it| it.starts_with("rest"))
    {
        return Ok(vec![Written::Rest(map)]);
    }
    command(map).map(|it| vec![Written::Command(Box::new(it))])
}

pub(super) fn command(map: Map<String, Value>) -> Result<Command, String> {
    serde_json::from_value(Value::Object(map)).map_err(|error| error.to_string())
}

/// `draw 2s 3d to=banker source=keyed`: one order for each card.
fn draw(rest: &[String]) -> Result<Vec<Written>, String> {
    let (fields, cards): (Vec<&String>, Vec<&String>) = rest.iter().partition(|word| word.contains('='));
    let mut map = Map::new();
    pairs(&fields.into_iter().cloned().collect::<Vec<_>>(), &mut map)?;
    let source = map.remove("source").unwrap_or("read".into());
    let source: Source = serde_json::from_value(source).map_err(|error| error.to_string())?;
    let to = map.remove("to").map(serde_json::from_value).transpose().map_err(|error| error.to_string())?;
    if let Some(key) = map.keys().next() {
        return Err(format!("a card has no `{key}`"));
    }
    if cards.is_empty() {
        return Err("which card?".to_owned());
    }
    cards
        .into_iter()
        .map(|word| {
            let card = Seen::try_from(word.clone()).map_err(|error| error.to_string())?;
            Ok(Written::Command(Box::new(Command::DrawCard { card, source, to })))
        })
        .collect()
}

/// `bet banker 500 box=2`, by staff `bet banker 500 for 7 box=2 standing`.
fn bet(rest: &[String], by: &Actor) -> Result<Command, String> {
    let mut words = rest.iter().map(String::as_str);
    let bet = words.next().ok_or("on what?")?;
    let bet = bet.parse().map_err(|error| format!("`{}` is no bet: {error}", Shown(bet)))?;
    let stake = money(words.next().ok_or("how much?")?)?;
    let (mut of, mut box_no, mut stance) = (by.patron(), None, None);
    while let Some(word) = words.next() {
        match word {
            "for" => of = Some(patron(words.next().ok_or("for whom?")?)?),
            "seated" => stance = Some(Stance::Seated),
            "standing" => stance = Some(Stance::Standing),
            word => match word.strip_prefix("box=").and_then(|no| no.parse().ok()) {
                Some(no) => box_no = Some(BoxNo(no)),
                None => return Err(format!("`{word}` says nothing about a bet")),
            },
        }
    }
    let patron = of.ok_or("for whom? `bet banker 500 for 7`")?;
    Ok(Command::PlaceWager { patron, box_no, stance, bet, stake })
}

/// `table GAME LAYOUT key=value…` with short forms for limits: `minimum=`, `differential=`, `others=MIN..MAX`.
fn settings(text: &str) -> Result<Set, String> {
    let words = words(text)?;
    let [game, layout, rest @ ..] = words.as_slice() else {
        return Err("a table is opened as in `table wu-song A decks=8`".to_owned());
    };
    let mut map = Map::new();
    pairs(rest, &mut map)?;
    let others = map.remove("others").unwrap_or("20..500".into());
    let (least, most) = others.as_str().and_then(|it| it.split_once("..")).ok_or("others=20..500")?;
    let range = Range { minimum: money(least)?, maximum: money(most)? };
    let figure = |map: &mut Map<String, Value>, key: &str, otherwise: u64| {
        let figure = map.remove(key).unwrap_or(otherwise.into());
        figure.as_u64().and_then(Money::new).ok_or_else(|| format!("`{key}` is an amount in minor units"))
    };
    let minimum = figure(&mut map, "minimum", 100)?;
    let differential = figure(&mut map, "differential", 1000)?;
    map.entry("other_bets").or_insert(serde_json::to_value(range).expect("a range is JSON"));
    map.entry("table").or_insert("table-1".into());
    map.entry("decks").or_insert(8.into());
    map.insert("game".to_owned(), game.as_str().into());
    map.insert("layout".to_owned(), layout.as_str().into());
    // Whoever names the limits of a box, if only to leave them out, means it.
    let limits = (!map.contains_key("betting_box")).then_some(BoxLimits { minimum, differential });
    let second = map.remove("second").map(serde_json::from_value).transpose();
    let second = second.map_err(|error| error.to_string())?;
    let settings = serde_json::from_value(Value::Object(map)).map_err(|error| error.to_string())?;
    Ok(Set { settings, limits, second })
}
