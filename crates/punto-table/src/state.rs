//! Everything that is known about a table, as the record tells it. Serialised, it is what a state hash is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::{
    Actor, BoxNo, CaseNo, CaseReport, Command, DeviceId, Digest, DisputeAbout, DisputeNo, DropNo, MatterNo,
    Person, Pictured, RoundNo, RoundResult, Seq, Settings, SettledLine, ShiftName, ShoeNo, SlipNo, Timestamp,
    digest,
};
use punto_rules::{BetId, BoxLimits, Card, Money, PatronNo, Post, Range};
use serde::{Deserialize, Serialize};

use crate::bettors::Bettors;
use crate::books::Books;
use crate::earlier::Earlier;
use crate::roads::Mark;
use crate::round::{Matter, Round};
use crate::shoe::{RetiredShoe, ShoeInUse};

/// The life of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Not open.
    Closed,
    /// Open, no Round in play.
    Between {
        /// The Round before, while it can still be put right.
        last: Option<LastRound>,
    },
    /// A Round in play.
    Round(Box<Round>),
}

/// A Round that is over, until the next one commences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct LastRound {
    pub no: RoundNo,
    /// None where it was void.
    pub result: Option<RoundResult>,
    pub lines: Vec<SettledLine>,
    pub house: i64,
    /// The cards it was settled by.
    pub drawn: Vec<Card>,
    /// The shoe that the last of them came from.
    pub shoe: ShoeNo,
    /// Somebody took bets back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_back: bool,
}

/// What the table knows about a patron, or about the terminal that speaks for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Account {
    pub credits: Money,
    /// What a correction could not take back.
    pub owed: Money,
    /// What is kept for them after they walked away.
    pub unclaimed: u128,
    pub lost: bool,
    pub away: bool,
}

impl Account {
    fn is_empty(&self) -> bool {
        *self == Account::default()
    }

    /// What is kept for them, as far as it is one amount of money.
    pub(crate) fn kept(&self) -> Money {
        u64::try_from(self.unclaimed).ok().and_then(Money::new).unwrap_or(Money::MAX)
    }
}

/// What was not paid at a cash-out because a claim could still take it (interpretation 44).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct HeldBack {
    pub patron: PatronNo,
    pub amount: Money,
    pub matters: Vec<MatterNo>,
}

/// A payout that is held, or will be when its Round is over (interpretation 51).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct HeldPayout {
    pub patron: PatronNo,
    pub round: RoundNo,
    /// Of Compliance.
    pub reference: Arc<str>,
    /// What is held so far.
    pub amount: Money,
}

/// A box that was taken out of an acceptor (interpretation 41).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct DropBox {
    pub acceptor: DeviceId,
    pub expected: Money,
    /// Who took it out.
    pub by: [Person; 2],
}

/// A note or a ticket with which something went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Case {
    pub patron: PatronNo,
    pub report: CaseReport,
}

/// Credits that were set aside and that nobody has reviewed (interpretation 45).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SetAside {
    pub patron: PatronNo,
    pub amount: Money,
    pub by: Person,
    pub attendant: Person,
}

/// Limits that were announced, and from when they apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Announced {
    /// Minimum and Differential of a box.
    pub betting_box: Option<BoxLimits>,
    /// Minimum and maximum of every bet that has a range.
    pub bets: BTreeMap<BetId, Range>,
    /// They apply from the first Round that commences at this time or later.
    pub from: Timestamp,
}

/// A dispute that is not closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Dispute {
    pub round: Option<RoundNo>,
    pub patron: Option<PatronNo>,
    pub words: Arc<str>,
    pub bundle: Option<Digest>,
    /// Raised before the next Round commenced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timely: bool,
    /// For how long the next Round waits for it to be seen; none where it waits for the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u16>,
    /// When it was raised, or its Round was over if that was later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
    /// Recorded late, and a recording shows that it was spoken in time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spoken: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<DisputeAbout>,
    /// The wagers that it is about, as they were recorded when it was raised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictured: Vec<Pictured>,
}

impl Dispute {
    /// Whether the next Round waits until this is decided.
    pub const fn must_be_decided(&self) -> bool {
        self.timely && self.seconds.is_none()
    }
}

/// The state of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct State {
    pub seq: Seq,
    pub now: Timestamp,
    pub settings: Option<Box<Settings>>,
    /// The digest of the rule book in force.
    pub digest: Option<Digest>,
    pub phase: Phase,
    /// The number of the last Round that commenced.
    pub rounds: RoundNo,
    /// The same, when the table was opened.
    pub rounds_before: RoundNo,
    /// The Round announced as the last.
    pub closing: Option<RoundNo>,
    /// Limits that were announced and are not in force yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<Announced>,
    pub shoes: ShoeNo,
    pub shoe: Option<ShoeInUse>,
    pub retired: Vec<RetiredShoe>,
    /// Cards that open the next Round.
    pub carried: Vec<Card>,
    /// The Shift Manager decided that carried cards which decide a bet are used.
    pub carried_ruled: bool,
    pub accounts: BTreeMap<PatronNo, Account>,
    /// Who sits at which box.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seats: BTreeMap<BoxNo, PatronNo>,
    pub books: Books,
    /// Chips that should be in the tray of a chip table.
    pub float: Option<i64>,
    /// Nobody is at the table, and the float is covered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub float_covered: bool,
    /// Matters that hold no Round in play.
    pub matters: Vec<Matter>,
    pub matter_no: MatterNo,
    pub disputes: BTreeMap<DisputeNo, Dispute>,
    pub dispute_no: DisputeNo,
    /// The last slip.
    #[serde(default, skip_serializing_if = "is_first")]
    pub slip_no: SlipNo,
    /// Slips for what claims hold back, until all that is kept for the patron is paid.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held_back: BTreeMap<SlipNo, HeldBack>,
    /// Payouts that are held and about which nobody has decided.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held_payouts: BTreeMap<SlipNo, HeldPayout>,
    /// What notes came to that are in each acceptor.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub acceptors: BTreeMap<DeviceId, Money>,
    /// Boxes that were taken out of acceptors and are not counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub drops: BTreeMap<DropNo, DropBox>,
    #[serde(default, skip_serializing_if = "no_drop")]
    pub drop_no: DropNo,
    /// Notes that were not credited and tickets that nobody took.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cases: BTreeMap<CaseNo, Case>,
    #[serde(default, skip_serializing_if = "no_case")]
    pub case_no: CaseNo,
    /// Slips of credits that were set aside and are not reviewed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set_aside: BTreeMap<SlipNo, SetAside>,
    pub posts: BTreeMap<Person, Post>,
    pub shift: Option<ShiftName>,
    /// How many cards each Dealer alone said were keyed wrongly, in this shift.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub miskeyed: BTreeMap<Person, u32>,
    /// The Rounds of this shoe as roads see them; void ones are not there.
    pub marks: Vec<Mark>,
    /// Who drew a card of each of the last Rounds. Shared, as below; it stands in the record, so the state hash leaves it
    /// out.
    // INTERPRETATION 47: whoever dealt any card of a Round counts as its Dealer.
    #[serde(skip)]
    pub dealt: Arc<BTreeMap<RoundNo, BTreeSet<Person>>>,
    /// The last Rounds that are over, to compute what is owed for one of them. Left out of the state hash as well.
    #[serde(skip)]
    pub earlier: Arc<Earlier>,
    /// Who had a wager in the last Rounds, and who disputed one. Left out of the state hash as well.
    #[serde(skip)]
    pub bettors: Arc<Bettors>,
    /// When each patron last bet, brought credits or gave an order. Left out of the state hash as well.
    #[serde(skip)]
    pub active: Arc<BTreeMap<PatronNo, Timestamp>>,
    /// The last order of each device that was carried out. Shared: a draft of the state never changes it.
    pub devices: Arc<BTreeMap<DeviceId, Answered>>,
}

/// An order that was carried out, and the entry that holds its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Answered {
    pub n: u64,
    pub seq: Seq,
    /// What was asked, to tell a retry from another order under the same id. It stands in the record, so the state hash
    /// leaves it out.
    #[serde(skip, default = "nothing")]
    pub asked: Asked,
}

/// Who asked for what in which Round.
pub(crate) type Asked = (Actor, Option<RoundNo>, Command);

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_first(no: &SlipNo) -> bool {
    no.0 == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn no_drop(no: &DropNo) -> bool {
    no.0 == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn no_case(no: &CaseNo) -> bool {
    no.0 == 0
}

fn nothing() -> Asked {
    (Actor::House, None, Command::CloseTable {})
}

impl Default for State {
    fn default() -> State {
        State {
            seq: Seq(0),
            now: Timestamp(0),
            settings: None,
            digest: None,
            phase: Phase::Closed,
            rounds: RoundNo(0),
            rounds_before: RoundNo(0),
            closing: None,
            announced: None,
            shoes: ShoeNo(0),
            shoe: None,
            retired: Vec::new(),
            carried: Vec::new(),
            carried_ruled: false,
            accounts: BTreeMap::new(),
            seats: BTreeMap::new(),
            books: Books::default(),
            float: None,
            float_covered: false,
            matters: Vec::new(),
            matter_no: MatterNo(0),
            disputes: BTreeMap::new(),
            dispute_no: DisputeNo(0),
            slip_no: SlipNo(0),
            held_back: BTreeMap::new(),
            held_payouts: BTreeMap::new(),
            set_aside: BTreeMap::new(),
            acceptors: BTreeMap::new(),
            drops: BTreeMap::new(),
            drop_no: DropNo(0),
            cases: BTreeMap::new(),
            case_no: CaseNo(0),
            posts: BTreeMap::new(),
            shift: None,
            miskeyed: BTreeMap::new(),
            marks: Vec::new(),
            dealt: Arc::default(),
            earlier: Arc::default(),
            bettors: Arc::default(),
            active: Arc::default(),
            devices: Arc::default(),
        }
    }
}

impl State {
    /// The digest of the whole state: two replays of a record agree on it, or one of them is wrong.
    pub fn hash(&self) -> Digest {
        digest(&serde_json::to_vec(self).expect("a state is always JSON"))
    }

    /// A number for a patron whom the table does not know: above all that it knows.
    pub fn next_patron(&self) -> PatronNo {
        let known = [self.accounts.keys().next_back().copied(), self.bettors.last()];
        let last = known.into_iter().flatten().chain(self.seats.values().copied()).max();
        PatronNo(last.map_or(0, |it| it.0).saturating_add(1))
    }

    /// The Round in play.
    pub fn round(&self) -> Option<&Round> {
        match &self.phase {
            Phase::Round(round) => Some(round),
            Phase::Closed | Phase::Between { .. } => None,
        }
    }

    /// The Round before, while it can still be put right.
    pub fn last(&self) -> Option<&LastRound> {
        match &self.phase {
            Phase::Between { last } => last.as_ref(),
            Phase::Closed | Phase::Round(_) => None,
        }
    }

    /// The Round that a dispute can be raised about in time: the one in play, or the last until the next commences.
    pub fn disputable(&self) -> Option<RoundNo> {
        self.round().map(|round| round.no).or_else(|| self.last().map(|last| last.no))
    }

    /// The Round that was announced as the last and has not commenced, where a Round was played since the table opened.
    pub fn last_to_play(&self) -> Option<RoundNo> {
        self.closing.filter(|last| self.rounds > self.rounds_before && self.rounds < *last)
    }

    /// The first dispute that must be decided before the next Round commences.
    pub fn undecided(&self) -> Option<DisputeNo> {
        self.disputes.iter().find(|(_, it)| it.must_be_decided()).map(|(no, _)| *no)
    }

    /// The dispute that the next Round waits longest for until somebody has seen it, and until when.
    pub fn unseen(&self) -> Option<(DisputeNo, Timestamp)> {
        let waits = |(no, it): (&DisputeNo, &Dispute)| {
            let due = it.timely && !it.seen && it.round == Some(self.rounds);
            let (seconds, since) = (it.seconds?, it.since?);
            due.then(|| (*no, since.plus_seconds(seconds)))
        };
        self.disputes.iter().filter_map(waits).max_by_key(|(_, until)| *until)
    }

    /// Whether a Round was disputed in time although the next one was opened over it.
    pub fn was_opened_over(&self, round: RoundNo) -> bool {
        self.disputes.values().any(|it| it.spoken && it.round == Some(round))
    }

    /// What is known about a patron.
    pub fn account(&self, patron: PatronNo) -> Option<&Account> {
        self.accounts.get(&patron)
    }

    /// The payout of a patron in a Round, if it is held.
    pub fn held_payout(&self, patron: PatronNo, round: RoundNo) -> Option<(SlipNo, &HeldPayout)> {
        let is_it = |held: &HeldPayout| held.patron == patron && held.round == round;
        self.held_payouts.iter().find(|(_, held)| is_it(held)).map(|(slip, held)| (*slip, held))
    }

    /// Whether somebody drew a card of a Round.
    pub fn dealt(&self, round: RoundNo, person: &Person) -> bool {
        self.dealt.get(&round).is_some_and(|dealers| dealers.contains(person))
    }

    /// A patron's credits.
    pub fn credits(&self, patron: PatronNo) -> Money {
        self.account(patron).map_or(Money::ZERO, |account| account.credits)
    }

    pub(crate) fn change(&mut self, patron: PatronNo, change: impl FnOnce(&mut Account)) {
        let account = self.accounts.entry(patron).or_default();
        change(account);
        if account.unclaimed == 0 && !self.held_back.is_empty() {
            self.held_back.retain(|_, held| held.patron != patron);
        }
        if account.is_empty() {
            self.accounts.remove(&patron);
        }
    }
}
