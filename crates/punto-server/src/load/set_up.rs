//! Sets the ground: electronic tables of its own, terminals, credits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use punto_record::{Actor, Cards, Command, Person, Settings, TableId};
use punto_rules::{Money, PatronNo, Range};
use serde::Deserialize;

use super::terminal::{STAKE, Terminal};
use super::{Options, Progress, SignIn, SignIns, Watch};
use crate::client::{Error, Http, Line};
use crate::http::devices::{Enrol, Told};
use crate::http::tables::{Open, Opened};
use crate::register::DeviceKind;
use crate::wire::{Answer, Hello, Screen};

/// Requests that are made at once.
const AT_ONCE: usize = 16;

/// What every terminal buys: more than it can stake in a day.
const CREDITS: u64 = 10_000_000_000;

/// Everything that is needed to begin.
pub(super) struct Grounds {
    pub(super) http: Http,
    pub(super) tables: Vec<TableId>,
    pub(super) terminals: Vec<Terminal>,
}

/// Opens tables, enrols terminals, buys credits, connects everybody.
pub(super) async fn set_up(options: &Options, watch: Watch<'_>) -> Result<Grounds, Error> {
    let http = Http::new(&options.url)?;
    let sign_ins = match &options.sign_ins {
        Some(named) => named.clone(),
        None => SignIns::of_demonstration(&options.url).await?,
    };
    let SignIn { person, password } = &sign_ins.administrator;
    let administrator = http.sign_in(person.as_str(), password).await?;
    let tables = open_tables(&administrator, options).await?;
    let SignIn { person, password } = &sign_ins.cashier;
    let cashier = http.sign_in(person.as_str(), password).await?;

    let share = |at: usize| {
        let (count, rest) = (options.terminals / options.tables, options.terminals % options.tables);
        count + u32::from((at as u32) < rest)
    };
    let seats = tables.iter().enumerate();
    let seats =
        seats.flat_map(|(at, table)| (1..=share(at)).map(move |patron| (table.clone(), PatronNo(patron))));
    let seats: Vec<(TableId, PatronNo)> = seats.collect();
    for table in &tables {
        let of_table = seats.iter().filter(|(of, _)| of == table).map(|(_, patron)| *patron);
        sell(&cashier, person.as_str(), table, of_table.collect()).await?;
    }
    let ready = AtomicU64::new(0);
    let connect = async |(table, patron): (TableId, PatronNo)| {
        let credential = enrol(&administrator, table.clone(), patron).await?;
        let terminal = Terminal::open(http.base().clone(), table, patron, credential).await?;
        watch(Progress::Ready(ready.fetch_add(1, Ordering::Relaxed) + 1));
        Ok::<Terminal, Error>(terminal)
    };
    let terminals = stream::iter(seats).map(connect).buffered(AT_ONCE).try_collect().await?;
    Ok(Grounds { http, tables, terminals })
}

/// Opens tables that were never there before: `load-1` and so on, from the first free number.
async fn open_tables(administrator: &Http, options: &Options) -> Result<Vec<TableId>, Error> {
    #[derive(Deserialize)]
    struct Listed {
        table: TableId,
    }
    let known: Vec<Listed> = administrator.get("/api/tables").await?;
    let number = |table: &TableId| table.as_str().strip_prefix("load-")?.parse::<u32>().ok();
    let last = known.iter().filter_map(|it| number(&it.table)).max().unwrap_or(0);
    let mut tables = Vec::new();
    for n in last + 1..=last + options.tables {
        let settings = settings(&format!("load-{n}"), options.betting_seconds);
        let opened: Opened = administrator
            .post("/api/tables", &Open { settings, rulebook: None, second: None, pending: None })
            .await?;
        tables.push(opened.table);
    }
    Ok(tables)
}

/// An electronic table that runs by itself, with limits that nobody reaches.
fn settings(table: &str, betting_seconds: u16) -> Settings {
    let text = serde_json::json!({ "table": table, "game": "ncb-etg", "layout": "terminal", "decks": 8 });
    let mut settings: Settings = serde_json::from_value(text).expect("settings with everything by default");
    let amount = |of: u64| Money::new(of).expect("an amount");
    settings.other_bets = Some(Range { minimum: amount(STAKE), maximum: amount(CREDITS) });
    settings.cards = Cards::Software;
    settings.cut_card = 52;
    settings.betting_seconds = betting_seconds;
    settings
}

async fn enrol(administrator: &Http, table: TableId, patron: PatronNo) -> Result<String, Error> {
    let device = format!("{table}-t{}", patron.0);
    let kind = DeviceKind::Terminal { table, patron, at_box: None };
    let told: Told = administrator.post("/api/devices", &Enrol { device, kind }).await?;
    Ok(told.credential)
}

/// Sells everybody at a table their credits.
async fn sell(cashier: &Http, person: &str, table: &TableId, patrons: Vec<PatronNo>) -> Result<(), Error> {
    let session = cashier.session().map(str::to_owned);
    let hello = Hello { table: table.clone(), screen: Screen::Cage, device: None, session, after: None };
    let by = Actor::Cashier { person: Person::as_recorded(person) };
    let base: Arc<str> = cashier.base().clone();
    let mut line = Line::open(&base, hello, by).await?;
    for patron in patrons {
        let amount = Money::new(CREDITS).expect("an amount");
        match line.ask(Command::BuyCredits { patron, amount }, None).await? {
            Answer::Done(_) | Answer::Before(_) => {}
            answer @ (Answer::Refused(_) | Answer::Denied(_) | Answer::Busy | Answer::Unknown) => {
                return Err(Error::Unreadable(format!("credits were not sold: {answer:?}")));
            }
        }
    }
    Ok(())
}
