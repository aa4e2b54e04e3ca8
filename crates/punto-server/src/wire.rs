//! What is said over a socket. Orders, events and views are the record's and the table's own; here is only the envelope.
//!
//! One message is one JSON object with one key, which says what it is.

use std::fmt;
use std::sync::Arc;

use punto_record::{
    CommandKind, Event, LedgerKind, Order, OrderId, Rejection, Seq, TableId, TicketNo, Timestamp,
};
use punto_rules::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest message that a screen may send, in bytes.
pub const LONGEST: usize = 16 * 1024;

/// What a screen says to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Said {
    /// The first message of every socket.
    Hello(Hello),
    /// An order for the table. `at` is what the server's clock says when it arrives, whatever is written there.
    Order(Order),
    /// An order that was signed for: void, correction, ruling, and whatever names a second person.
    Approved(Approved),
    /// Asks for the time, and shows that somebody is there.
    Ping(u64),
}

/// Who one is and what one wants to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The table.
    pub table: TableId,
    /// What kind of screen.
    pub screen: Screen,
    /// The credential of an enrolled device: terminals, consoles, boards, card readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The session of a member of staff, where it does not come as a cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The last number of the feed that was seen: what came after it is told before anything new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Seq>,
}

/// What kind of screen looks at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Screen {
    /// A display board.
    Board,
    /// A Player Terminal.
    Terminal,
    /// The Game Console: a device, and a member of floor staff signed in at it.
    Console,
    /// A card reader: draws cards and nothing else.
    Reader,
    /// A note acceptor: says what it took and nothing else.
    Acceptor,
    /// The pit: Pit Supervisor and above, signed in.
    Pit,
    /// The cage: a Cashier, signed in.
    Cage,
    /// An Auditor, signed in.
    Auditor,
}

/// An order that waited for signatures and has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approved {
    /// The order, exactly as it was signed.
    pub order: Order,
    /// Under which name it waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
    /// What release 0.1.0 took instead. It is read, and good for nothing any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<String>,
}

/// What the server tells a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// The answer to a hello.
    Welcome(Welcome),
    /// Everything that the screen may see: a `View`.
    View(#[schemars(with = "punto_table::View<'static>")] Box<Value>),
    /// What one commit brought.
    Frame(Frame),
    /// The answer to an order.
    Reply(Reply),
    /// How the table's software does.
    Status(Status),
    /// The answer to a ping.
    Pong(Pong),
    /// The server hangs up, for this reason.
    Goodbye(Goodbye),
}

/// Orders that take a password on the spot, whoever gives them: whatever voids, corrects or rules, and what takes a
/// patron's credits off a terminal or money out of an acceptor.
pub const SIGNED: [CommandKind; 7] = [
    CommandKind::Rule,
    CommandKind::RuleCarriedCards,
    CommandKind::AmendWager,
    CommandKind::KeepUnclaimed,
    CommandKind::SettleCase,
    CommandKind::EmptyAcceptor,
    CommandKind::CountAcceptor,
];

/// The answer to a hello. A view follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Welcome {
    /// The table.
    pub table: TableId,
    /// What kind of screen one is.
    pub screen: Screen,
    /// The device in whose name orders are given; none for those who give none.
    pub device: Option<Arc<str>>,
    /// The last number of this device that the table has carried out or refused. Go on above it.
    pub last: u64,
    /// The server's clock.
    pub now: Timestamp,
    /// Whether there is real money behind it.
    pub kind: LedgerKind,
    /// How the table's software does.
    pub status: Status,
    /// Orders that take a password on the spot, whoever gives them; told where staff work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed: Vec<CommandKind>,
    /// Administrators were restored at the host, by this entry of the house, and none of them has looked into it yet: every
    /// screen says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<Seq>,
}

/// What one commit brought, as far as this screen may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    /// The last entry of the commit. Numbers are left out where there was nothing for this screen.
    pub seq: Seq,
    /// The server's clock.
    pub now: Timestamp,
    /// What happened.
    pub events: Vec<Event>,
    /// The parts of the view that are different now, by their names in `View`, whole.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    #[schemars(with = "crate::schema::Sections")]
    pub view: serde_json::Map<String, Value>,
}

/// The answer to an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// The order.
    pub to: OrderId,
    /// What became of it.
    pub answer: Answer,
    /// The ticket that it issued, to be printed. Told to the screen that gave the order and nobody else; the same order again,
    /// before any other of that device, is told it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<PrintedTicket>,
}

/// A ticket as it is printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintedTicket {
    /// Its serial, by which the record knows it: the table, and the entry that issued it. It pays nobody.
    pub ticket: TicketNo,
    /// Its number. Whoever has it is paid.
    pub number: Arc<str>,
    /// What it is worth.
    pub amount: Money,
    /// Until when it is paid.
    pub expires: Timestamp,
}

/// Without the number, which is in no log.
impl fmt::Debug for PrintedTicket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrintedTicket({})", self.ticket)
    }
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// It was carried out; the entry is durable.
    Done(Seq),
    /// It had been carried out before, by this entry.
    Before(Seq),
    /// The rules or the moment do not allow it.
    Refused(Rejection),
    /// It is not for this screen to order, or nobody approved of it. It did not reach the table.
    Denied(Denial),
    /// Too much is waiting. It did not reach the table; say it again, with the same id.
    Busy,
    /// The ledger failed: whether it was carried out is known when the table is back. Say it again, with the same id.
    Unknown,
}

impl Answer {
    /// Whether the order was carried out, now or before.
    pub const fn is_carried_out(&self) -> bool {
        matches!(self, Answer::Done(_) | Answer::Before(_))
    }
}

/// Why an order did not reach the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Denial {
    /// The id names another device.
    NotYourDevice,
    /// The order is by somebody else.
    NotYou,
    /// Whoever orders this must sign for it, and so must the second person that it names.
    ApprovalNeeded,
    /// What was signed is another order, was used before, is too old, or what it is about has changed; or somebody who
    /// signed is not what they were.
    ApprovalNotGood,
    /// No deed of the house gives this person the role in which they order.
    NoMandate,
    /// A house opens no table before two Administrators can come in.
    TooFewAdministrators,
    /// The house opens no further Round; `/api/health` has the causes. Rounds in play go on.
    NoFurtherRound,
    /// No witness has confirmed the history of this house, or one contests it: nothing is paid out and no ticket is taken
    /// before that is settled. `/api/health` has the causes.
    HistoryInDoubt,
    /// This screen gives no such orders.
    NotFromHere,
    /// The table is locked: its books did not balance, or its record is not as it was signed for. It takes no order until it
    /// has been looked into.
    TableLocked,
}

impl Denial {
    /// Its word, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Denial::NotYourDevice => "not-your-device",
            Denial::NotYou => "not-you",
            Denial::ApprovalNeeded => "approval-needed",
            Denial::ApprovalNotGood => "approval-not-good",
            Denial::NoMandate => "no-mandate",
            Denial::TooFewAdministrators => "too-few-administrators",
            Denial::NoFurtherRound => "no-further-round",
            Denial::HistoryInDoubt => "history-in-doubt",
            Denial::NotFromHere => "not-from-here",
            Denial::TableLocked => "table-locked",
        }
    }
}

/// How the software of a table does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Status {
    /// It runs.
    Running,
    /// The ledger failed. No bet is registered until the table is back.
    Stopped {
        /// What happened, for people.
        words: Arc<str>,
    },
    /// Its books did not balance, or its record is not as it was signed for.
    Locked {
        /// What is wrong.
        words: Arc<str>,
    },
    /// The order of its software shoe cannot be kept or read. No Round opens before there is a shoe.
    NoShoe {
        /// What is wrong.
        words: Arc<str>,
    },
    /// The server goes down in order.
    Closing,
}

/// The answer to a ping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pong {
    /// The number of the ping.
    pub n: u64,
    /// The server's clock.
    pub now: Timestamp,
}

/// Why the server hangs up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goodbye {
    /// The first message was no hello, or came too late.
    NoHello,
    /// A message could not be read.
    Malformed,
    /// A message was too long.
    TooLong,
    /// Too many messages.
    TooFast,
    /// No such credential or session, or it is no longer good.
    NotSignedIn,
    /// The credential or session does not open this screen at this table.
    NotAllowed,
    /// There is no such table.
    NoSuchTable,
    /// The same device opened another socket.
    Replaced,
    /// The server goes down.
    Closing,
}
