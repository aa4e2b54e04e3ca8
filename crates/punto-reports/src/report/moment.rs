//! When and where something happened, as every report asks for it.

use std::sync::Arc;

use punto_record::{Actor, Command, Entry, Event, RoundNo, Seq, Settings, TableId, Timestamp};

use crate::context::{Context, Settled};
use crate::day::{Calendar, GamingDay};
use crate::movement::Movement;

/// What reports remember of a table.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    pub(crate) settings: Option<Box<Settings>>,
    pub(crate) rulebook: Option<Arc<str>>,
    pub(crate) calendar: Calendar,
    pub(crate) currency: Arc<str>,
    /// The settings name no zone that is known: days are those of UTC.
    pub(crate) no_zone: bool,
    pub(crate) context: Context,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            settings: None,
            rulebook: None,
            calendar: Calendar::utc(),
            currency: "".into(),
            no_zone: false,
            context: Context::default(),
        }
    }
}

impl Desk {
    /// New settings are in force for the event that brings them.
    pub(crate) fn before(&mut self, event: &Event) {
        if let Event::TableOpened { settings, rulebook, .. }
        | Event::SettingsChanged { settings, rulebook, .. } = event
        {
            let calendar = Calendar::of(settings);
            self.no_zone = calendar.is_err();
            self.calendar = calendar.unwrap_or_else(|_| Calendar::utc());
            self.currency = settings.currency.as_str().into();
            self.settings = Some(settings.clone());
            self.rulebook = Some(rulebook.clone());
        }
        if let (Event::LimitsChanged { betting_box, bets, .. }, Some(settings)) = (event, &mut self.settings)
        {
            (settings.betting_box, settings.bets) = (*betting_box, bets.clone());
        }
    }

    pub(crate) fn after(&mut self, movement: &Movement<'_>) {
        self.context.take(movement);
    }
}

/// An event in its place.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) table: &'a TableId,
    pub(crate) desk: &'a Desk,
    pub(crate) seq: Seq,
    pub(crate) at: Timestamp,
    pub(crate) day: GamingDay,
    pub(crate) by: &'a Actor,
    pub(crate) command: &'a Command,
    pub(crate) event: &'a Event,
    pub(crate) movement: Movement<'a>,
}

impl<'a> Moment<'a> {
    pub(crate) fn new(table: &'a TableId, desk: &'a Desk, entry: &'a Entry, event: &'a Event) -> Moment<'a> {
        let at = entry.order.at;
        Moment {
            table,
            desk,
            seq: entry.seq,
            at,
            day: desk.calendar.day_of(at),
            by: &entry.order.by,
            command: &entry.order.command,
            event,
            movement: Movement::of(event),
        }
    }

    /// The Round just settled, as it was.
    pub(crate) fn last(&self) -> Option<&'a Settled> {
        self.desk.context.last.as_ref()
    }

    /// The Round in play or just over.
    pub(crate) fn round(&self) -> RoundNo {
        self.desk.context.round
    }

    pub(crate) fn clock(&self) -> String {
        self.desk.calendar.clock(self.at)
    }
}

/// Who, in a few words.
pub(crate) fn who(by: &Actor) -> String {
    match by {
        Actor::Patron { patron } => format!("patron {}", patron.0),
        Actor::Staff { person, post } => format!("{person}, {}", post.name()),
        Actor::Cashier { person } => format!("{person}, Cashier"),
        Actor::Auditor { person } => format!("{person}, Auditor"),
        Actor::Administrator { person } => format!("{person}, Administrator"),
        Actor::House => "the table itself".to_owned(),
        Actor::Acceptor { acceptor, .. } => format!("{acceptor}, note acceptor"),
    }
}
