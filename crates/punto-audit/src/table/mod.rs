//! One table's record, worked out again: what was ordered says what is due, what is due is compared with what happened,
//! and the state goes on from what happened.
//!
//! Deliberately not the table: it refuses nothing, offers nothing and knows no screens. Where the table turns an order
//! into events, this writes down which events the rules make of it and looks whether they are the ones in the record.

mod acceptors;
mod amend;
mod apply;
mod bets;
mod books;
mod cards;
mod choices;
mod credits;
mod difference;
mod disputes;
mod dues;
mod earlier;
mod follow;
mod held;
mod interruption;
mod limits;
mod matters;
mod moves;
mod orders;
mod round;
mod rulings;
mod seats;
mod sets;
mod settlement;
mod shoe;

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{
    Actor, Anchor, BoxNo, Command, CommandKind, Currency, Digest, DisputeNo, Entry, Event, EventKind,
    MatterNo, Order, Person, RoundNo, Settings, ShoeNo, SlipNo, TableId, Ticket, TicketState, Timestamp,
};
use punto_rules::{BetId, BoxLimits, Card, PatronNo, Post, Range};

use crate::finding::{Counts, FindingKind, Findings};
use crate::law::Law;
use crate::posts;
use crate::rulebooks::Rulebooks;
use crate::tickets::{Issue, Tickets, Use};

use books::Books;
use difference::{differs, of_event};
use disputes::Disputes;
use dues::Dues;
use earlier::Earlier;
use round::{Last, Matter, Round};
pub(crate) use shoe::Shoe;

/// What of the settings the state needs, rule book or not.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    chips: bool,
    continuous: bool,
    face_down: bool,
}

/// Limits as they were announced.
type Announced = (Option<BoxLimits>, BTreeMap<BetId, Range>);

/// What the record says about one table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    id: TableId,
    law: Option<Arc<Law>>,
    /// None before the settings were read.
    currency: Option<Currency>,
    kind: Kind,
    open: bool,
    digest: Option<Digest>,
    layout: String,
    now: Timestamp,
    rounds: RoundNo,
    rounds_before: RoundNo,
    closing: Option<RoundNo>,
    /// Limits that were announced: the settings with them, and from when they apply.
    announced: Option<(Announced, Timestamp)>,
    round: Option<Round>,
    last: Option<Last>,
    earlier: Earlier,
    shoes: ShoeNo,
    shoe: Option<Shoe>,
    retired: Vec<Shoe>,
    carried: Vec<Card>,
    carried_ruled: bool,
    /// Who sits at which box.
    seats: BTreeMap<BoxNo, PatronNo>,
    float_covered: bool,
    books: Books,
    matters: Vec<Matter>,
    matter_no: MatterNo,
    disputes: Disputes,
    dispute_no: DisputeNo,
    slip_no: SlipNo,
    acceptors: acceptors::Acceptors,
    /// Credits that were set aside and not reviewed: whose, and who did it.
    set_aside: BTreeMap<SlipNo, (PatronNo, [Person; 2])>,
    /// When each patron last bet, brought credits or gave an order.
    active: BTreeMap<PatronNo, Timestamp>,
    posts: BTreeMap<Person, Post>,
    /// Empty between entries; kept for its room.
    due: Dues,
    /// What should have followed from the state and has been told.
    told: Option<EventKind>,
}

/// One order looked at: what it asks, and what the rules make of it.
struct Look<'a> {
    table: &'a Table,
    law: &'a Law,
    order: &'a Order,
    at: Timestamp,
    /// The entry is of the first release, which followed interpretations 1 to 30 only.
    #[allow(dead_code)]
    first: bool,
    /// The approval that the event cites.
    approval: Option<Anchor>,
    /// The number that somebody without one got.
    newcomer: Option<PatronNo>,
    /// The record says that the last Round was not played.
    last_dropped: bool,
    due: &'a mut Dues,
    out: &'a mut Findings,
}

impl Table {
    /// Whether its cards come from software.
    pub(crate) fn deals_by_software(&self) -> bool {
        self.law.as_ref().is_some_and(|law| law.is_software())
    }

    /// A device was enrolled for a patron: never where their credits or bets stand.
    pub(crate) fn enrolled(&self, patron: PatronNo, out: &mut Findings) {
        let bets = self.round.as_ref().is_some_and(|round| round.bets(patron));
        out.hold(
            self.books.account(patron).credits == 0 && !bets,
            FindingKind::NotPermitted,
            "a device was enrolled over a patron's standing credits",
        );
    }

    pub(crate) fn new(id: TableId) -> Table {
        Table {
            id,
            law: None,
            currency: None,
            kind: Kind::default(),
            open: false,
            digest: None,
            layout: String::new(),
            now: Timestamp(0),
            rounds: RoundNo(0),
            rounds_before: RoundNo(0),
            closing: None,
            announced: None,
            round: None,
            last: None,
            earlier: Earlier::default(),
            shoes: ShoeNo(0),
            shoe: None,
            retired: Vec::new(),
            carried: Vec::new(),
            carried_ruled: false,
            seats: BTreeMap::new(),
            float_covered: false,
            books: Books::default(),
            matters: Vec::new(),
            matter_no: MatterNo(0),
            disputes: Disputes::default(),
            dispute_no: DisputeNo(0),
            slip_no: SlipNo(0),
            acceptors: acceptors::Acceptors::default(),
            set_aside: BTreeMap::new(),
            active: BTreeMap::new(),
            posts: BTreeMap::new(),
            due: Dues::default(),
            told: None,
        }
    }

    /// The Round in play or just over, for the place of a finding.
    pub(crate) fn at_round(&self) -> Option<RoundNo> {
        Some(self.rounds).filter(|round| *round > RoundNo(0))
    }

    /// Software shoes that were taken out of use and never revealed.
    pub(crate) fn unrevealed(&self) -> impl Iterator<Item = &Shoe> {
        self.retired.iter().filter(|shoe| shoe.commitment.is_some())
    }

    pub(crate) const fn is_readable(&self) -> bool {
        self.law.is_some() || !self.open
    }

    pub(crate) fn sums(&self) -> (i128, i128, i128) {
        (self.books.received, self.books.given, self.books.house)
    }

    /// Looks at an entry.
    pub(crate) fn entry(
        &mut self,
        entry: &Entry,
        rulebooks: &mut Rulebooks,
        tickets: &mut Tickets,
        counts: &mut Counts,
        out: &mut Findings,
    ) {
        let order = &entry.order;
        let first = entry.release.is_first();
        let at = order.at.max(self.now);
        let mut due = std::mem::take(&mut self.due);
        let mut opened = None;
        // Whether it was in force is for interpretation 33 to say, which knows the house's volume (`readings/r33.rs`).
        let approval = entry.events.iter().find_map(cited);
        let newcomer = newcomer(entry);
        let last_dropped = entry.events.iter().any(|it| matches!(it, Event::LastRoundDropped { .. }));
        if let Command::OpenTable { settings, rulebook, second } = &order.command {
            out.hold(!self.open, FindingKind::OutOfTurn, "the table is open already");
            self.permit(order, first, None, out);
            opened = self.opening(settings, rulebook, rulebooks, first, out);
            if let Some((law, digest)) = &opened {
                let settings = Box::new(law.settings.clone());
                let (rulebook, digest, second) = (rulebook.clone(), *digest, second.clone());
                due.push(Event::TableOpened { settings, rulebook, digest, second, approval });
            }
        } else if let Command::ChangeSettings { settings, rulebook, second } = &order.command {
            self.permit(order, first, self.law.as_deref(), out);
            opened = self.opening(settings, rulebook, rulebooks, first, out);
            if let Some((law, digest)) = &opened {
                self.may_change(law, *digest, out);
                let settings = Box::new(law.settings.clone());
                let (rulebook, digest, second) = (rulebook.clone(), *digest, second.clone());
                let boxes = settings.boxes.unwrap_or(0);
                for (box_no, patron) in self.seats.iter().filter(|(box_no, _)| box_no.0 > boxes) {
                    due.push(Event::SeatLeft { patron: *patron, box_no: *box_no });
                }
                due.push(Event::SettingsChanged { settings, rulebook, digest, second, approval });
            }
        } else {
            self.permit(order, first, self.law.as_deref(), out);
            // INTERPRETATION 41: boxes of acceptors are counted when the table is closed too.
            let is_count = order.command.kind() == CommandKind::CountAcceptor;
            out.hold(self.open || is_count, FindingKind::OutOfTurn, "the table is not open");
            if let (true, Some(law)) = (self.open || is_count, self.law.clone()) {
                Look {
                    table: self,
                    law: &law,
                    order,
                    at,
                    first,
                    approval,
                    newcomer,
                    last_dropped,
                    due: &mut due,
                    out,
                }
                .ask(&order.command);
            }
        }
        out.hold(!entry.events.is_empty(), FindingKind::NotOrdered, "an order that did nothing");
        let is_of_ticket =
            |it: &&Event| matches!(it.kind(), EventKind::CashedOut | EventKind::TicketRedeemed);
        let ticket = entry.events.iter().find(is_of_ticket);
        if let (Some(event), true, Some(law)) = (ticket, self.open, self.law.clone()) {
            Look {
                table: self,
                law: &law,
                order,
                at,
                first,
                approval,
                newcomer,
                last_dropped,
                due: &mut due,
                out,
            }
            .with_ticket(event);
        }
        for event in &entry.events {
            self.event(event, order, at, first, &mut due, &mut opened, rulebooks, out);
            count(event, counts);
            self.ticket(event, entry, at, tickets, out);
        }
        if let (Command::DrawCard { .. }, Some(person), Some(round)) =
            (&order.command, order.by.person(), &mut self.round)
        {
            round.dealers.insert(person.clone());
        }
        self.leftover(&mut due, out);
        self.due = due;
        let played = |event: &Event| {
            if let Event::WagerRegistered { patron, .. }
            | Event::CreditsBought { patron, .. }
            | Event::TicketRedeemed { patron, .. }
            | Event::NoteAccepted { patron, .. } = event
            {
                return Some(*patron);
            }
            None
        };
        let patrons = entry.events.iter().filter_map(played).chain(order.by.patron());
        patrons.for_each(|patron| {
            self.active.insert(patron, at);
        });
        self.now = at;
        if let Some(off) = self.books.imbalance() {
            out.say(FindingKind::BooksDoNotBalance, format!("the books of the table are out by {off}"));
        }
        if self.books.fell_below() {
            out.say(FindingKind::WrongCredits, "an account fell below nothing");
        }
    }

    fn permit(&self, order: &Order, first: bool, law: Option<&Law>, out: &mut Findings) {
        // In the first release the cage kept what somebody had left.
        let kind = order.command.kind();
        if first && kind == CommandKind::KeepUnclaimed && matches!(order.by, Actor::Cashier { .. }) {
            return;
        }
        if let Some(why) = posts::forbidden(law, &order.command, &order.by) {
            let kind = kind.id();
            out.say(FindingKind::NotPermitted, format!("{kind}: {why}"));
        }
    }

    fn opening(
        &self,
        settings: &Settings,
        rulebook: &str,
        rulebooks: &mut Rulebooks,
        first: bool,
        out: &mut Findings,
    ) -> Option<(Arc<Law>, Digest)> {
        // INTERPRETATION 34: bounded for tables that were opened since.
        let bounded = first || (20..=180).contains(&settings.choice_seconds);
        out.hold(bounded, FindingKind::WrongSettings, "patrons choose for 20 to 180 seconds");
        // INTERPRETATION 48: other limits are announced a while ahead.
        let noticed = first || (60..=3600).contains(&settings.limits_notice_seconds);
        out.hold(noticed, FindingKind::WrongSettings, "other limits are announced 60 to 3600 seconds ahead");
        let bounded = (60..=600).contains(&settings.dispute_seconds);
        out.hold(bounded, FindingKind::WrongSettings, "a dispute is waited for 60 to 600 seconds at most");
        out.hold(
            settings.table == self.id,
            FindingKind::WrongVolume,
            "the settings are those of another table",
        );
        let (digest, book) = rulebooks.read(rulebook);
        let Some(book) = book else {
            out.say(FindingKind::UnreadableRulebook, "the text of the rule book has faults");
            return None;
        };
        match Law::new(book, settings) {
            Ok(law) => Some((Arc::new(law), digest)),
            Err(why) => {
                out.say(FindingKind::WrongSettings, why);
                None
            }
        }
    }

    /// Whether nobody's money is at the table, the House's included.
    fn has_no_money(&self) -> bool {
        let patrons = self.books.has_credits() || self.books.has_money();
        !patrons && self.acceptors.are_empty() && self.books.float.is_none()
    }

    /// Settings change between Rounds, with no shoe in use and no credits on a terminal.
    fn may_change(&self, law: &Law, digest: Digest, out: &mut Findings) {
        let quiet = self.open && self.round.is_none() && self.shoe.is_none() && !self.books.has_credits();
        out.hold(quiet, FindingKind::OutOfTurn, "settings changed during play");
        if let Some(before) = &self.law {
            let other_money = before.settings.money != law.settings.money;
            let clear = !self.books.has_money() && self.books.float.is_none();
            out.hold(
                !other_money || clear,
                FindingKind::OutOfTurn,
                "the kind of money changed while some was owed, kept or in the tray",
            );
            let same = self.digest == Some(digest) && before.settings.layout == law.settings.layout;
            out.hold(
                self.last.is_none() || same,
                FindingKind::WrongSettings,
                "the pay tables changed while the Round before could still be put right",
            );
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn event(
        &mut self,
        event: &Event,
        order: &Order,
        at: Timestamp,
        first: bool,
        due: &mut Dues,
        opened: &mut Option<(Arc<Law>, Digest)>,
        rulebooks: &mut Rulebooks,
        out: &mut Findings,
    ) {
        let is_due = due.met(event);
        if let Event::TableOpened { settings, rulebook, digest, .. }
        | Event::SettingsChanged { settings, rulebook, digest, .. } = event
        {
            let (true_digest, book) = rulebooks.read(rulebook);
            out.hold(
                *digest == true_digest,
                FindingKind::WrongDigest,
                "the digest is that of another rule book",
            );
            let is_other = self.currency.as_ref().is_some_and(|before| *before != settings.currency);
            out.hold(
                !is_other || self.has_no_money(),
                FindingKind::WrongSettings,
                "the currency changed while money was at the table: on a terminal, owed, kept, in an acceptor or in the tray",
            );
            self.currency = Some(settings.currency.clone());
            // What the record says is in force, where it can be in force at all.
            let law = book.and_then(|book| Law::new(book, settings).ok());
            self.law = match opened.take() {
                Some((law, _)) if is_due => Some(law),
                Some(_) | None => law.map(Arc::new),
            };
        }
        if let (Event::LimitsChanged { betting_box, bets, .. }, Some(law)) = (event, &self.law) {
            let mut settings = law.settings.clone();
            (settings.betting_box, settings.bets) = (*betting_box, bets.clone());
            self.law = Law::new(law.rulebook.clone(), &settings).ok().map(Arc::new);
        }
        due.card_out |= matches!(
            event.kind(),
            EventKind::CardDrawn
                | EventKind::CardsBurnt
                | EventKind::CardsConfirmed
                | EventKind::RoundCorrected
        );
        let law = self.law.clone();
        if let (false, Some(law)) = (is_due, &law) {
            self.not_due(law, event, due, out);
        }
        self.apply(event);
        self.disputes.learn(event, self.rounds, at);
        if let (true, true, Some(law)) = (due.is_empty(), self.open, &law) {
            Look {
                table: self,
                law,
                order,
                at,
                first,
                approval: None,
                newcomer: None,
                last_dropped: false,
                due,
                out,
            }
            .follow();
        }
    }

    /// An event that was not due, or not so.
    fn not_due(&self, law: &Law, event: &Event, due: &mut Dues, out: &mut Findings) {
        if let Event::CutCardReached { shoe } = event {
            let is_so =
                self.shoe.as_ref().is_some_and(|it| it.no == *shoe && follow::is_cut_card_due(law, it));
            out.hold(is_so, FindingKind::WrongShoe, "the cut card was not there");
            return;
        }
        let kind = event.kind();
        match due.instead(kind) {
            Some(expected) if expected == *event => {
                out.say(FindingKind::NotOrdered, format!("{} came out of its order", kind.id()));
            }
            Some(expected) => {
                let (words, cite) = differs(&expected, event);
                out.cited(of_event(kind), format!("{}: {words}", kind.id()), cite.as_ref());
            }
            None => out.say(FindingKind::NotOrdered, format!("{} does not follow from the order", kind.id())),
        }
    }

    /// What should have happened in this entry and did not.
    fn leftover(&mut self, due: &mut Dues, out: &mut Findings) {
        let first = due.left().first().map(Event::kind);
        // A table that stands still is told once.
        if first != self.told {
            for event in due.left() {
                out.say(FindingKind::NotDone, format!("{} should have followed", event.kind().id()));
            }
        }
        self.told = first;
        due.clear();
    }

    fn ticket(&self, event: &Event, entry: &Entry, at: Timestamp, tickets: &mut Tickets, out: &mut Findings) {
        if let Event::CashedOut { ticket, amount, expires, tag, attempt, currency, .. } = event {
            let (no, amount, expires, tag) = (ticket.clone(), *amount, *expires, tag.clone());
            let (currency, state) = (currency.clone(), TicketState::Good);
            let issued = Ticket { no, amount, currency, issued: at, expires, tag, state };
            let volume = out.place.volume.clone();
            let currency = self.currency.as_ref();
            let by = Issue { volume: &volume, entry, attempt: *attempt, currency };
            tickets.issue(issued, &by, out);
        }
        if let Event::TicketRedeemed { ticket, amount, .. } = event {
            let (currency, becomes) = (self.currency.as_ref(), TicketState::Redeemed);
            tickets.use_up(ticket, &Use { amount: *amount, currency, at, becomes, by_two: false }, out);
        }
    }
}

/// The approval that opening something cites.
fn cited(event: &Event) -> Option<Anchor> {
    if let Event::TableOpened { approval, .. }
    | Event::SettingsChanged { approval, .. }
    | Event::BetsOpened { approval, .. } = event
    {
        *approval
    } else {
        None
    }
}

fn count(event: &Event, counts: &mut Counts) {
    counts.events += 1;
    if let Event::RoundSettled { lines, .. } = event {
        counts.settlements += 1;
        counts.lines += lines.len() as u64;
    }
    counts.rounds += u64::from(event.kind() == EventKind::BetsOpened);
    counts.voids += u64::from(event.kind() == EventKind::RoundVoided);
    counts.corrections +=
        u64::from(matches!(event.kind(), EventKind::RoundCorrected | EventKind::RoundAmended));
    counts.cards += u64::from(event.kind() == EventKind::CardDrawn);
    let wager = matches!(
        event.kind(),
        EventKind::WagerRegistered | EventKind::ChipsRecorded | EventKind::WagerAmended
    );
    counts.wagers += u64::from(wager);
}

/// The number that the table gave to somebody who sat down without one.
fn newcomer(entry: &Entry) -> Option<PatronNo> {
    let Command::TakeSeat { patron: None, .. } = entry.order.command else { return None };
    entry
        .events
        .iter()
        .find_map(|event| if let Event::SeatTaken { patron, .. } = event { Some(*patron) } else { None })
}
