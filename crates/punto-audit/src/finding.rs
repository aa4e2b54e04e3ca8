//! What the auditor has to say: findings, each with its place, and the account of what was looked at.

use std::fmt;

use punto_record::{RoundNo, Seq, Volume};
use punto_rules::Cite;
use serde::Serialize;

macro_rules! kinds {
    ($($(#[doc = $words:literal])+ $variant:ident = $id:literal,)+) => {
        /// What kind of thing does not hold. A closed list; the words are kept for ever.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum FindingKind { $($(#[doc = $words])+ $variant,)+ }

        impl FindingKind {
            /// All of them.
            pub const ALL: &'static [FindingKind] = &[$(FindingKind::$variant,)+];

            /// Its word.
            pub const fn id(self) -> &'static str {
                match self { $(FindingKind::$variant => $id,)+ }
            }

            /// What it means.
            pub fn words(self) -> &'static str {
                match self { $(FindingKind::$variant => concat!($($words),+).trim(),)+ }
            }
        }
    };
}

kinds! {
    /// An entry is missing, or stands twice: the numbers of a volume have a gap or go back.
    EntryNumber = "entry-number",
    /// An entry says another number than it is stored under.
    OwnNumber = "own-number",
    /// A link of the chain is not the digest of the link before and the bytes.
    BrokenLink = "broken-link",
    /// The bytes are no entry.
    UnreadableEntry = "unreadable-entry",
    /// The bytes say what the entry says, but not in the one way in which it is written.
    OtherBytes = "other-bytes",
    /// The house's volume does not begin with the founding of the ledger, or it is founded again.
    Founding = "founding",
    /// An entry stands in the volume of another table.
    WrongVolume = "wrong-volume",
    /// The table was locked.
    LockedTable = "locked-table",

    /// A checkpoint is not signed by its key.
    ForgedCheckpoint = "forged-checkpoint",
    /// A checkpoint is signed with a key that the ledger had not adopted.
    UnknownKey = "unknown-key",
    /// A checkpoint is that of another ledger.
    OtherLedger = "other-ledger",
    /// What a checkpoint signed for is not what the ledger holds: entries were changed.
    RewrittenEntries = "rewritten-entries",
    /// A checkpoint signed for more entries than there are: entries were cut off.
    MissingEntries = "missing-entries",
    /// A checkpoint says otherwise where a volume stood.
    WrongHeads = "wrong-heads",
    /// A signed commit is not signed with a key of the ledger, or not for the entries that are there.
    ForgedCommit = "forged-commit",
    /// Entries that neither a checkpoint nor a commit signs for.
    UnsignedEntries = "unsigned-entries",
    /// A checkpoint is older than one over fewer entries.
    CheckpointTime = "checkpoint-time",
    /// A key was adopted that the key before it does not vouch for.
    KeyNotVouched = "key-not-vouched",
    /// What an entry says about an archive is not what the tree holds.
    WrongArchive = "wrong-archive",

    /// Recorded time runs backwards.
    TimeRunsBack = "time-runs-back",
    /// A device's numbers do not rise: an order was carried out twice, or an old one late.
    OrderNumber = "order-number",
    /// An order was not for this person to give.
    NotPermitted = "not-permitted",
    /// The giver of an order or the second person did not act by a deed that gave them that role or post and was in force.
    NoMandate = "no-mandate",
    /// Somebody did not sign for an order or a deed that takes their signature.
    NotSigned = "not-signed",
    /// A second factor was not shown or enrolled by somebody who must, a code was used twice, or one was reset too early or unasked.
    SecondFactor = "second-factor",
    /// A second person is missing, or is the first.
    SecondPerson = "second-person",
    /// A reason is missing.
    NoReason = "no-reason",
    /// An order was carried out for another Round than it named.
    WrongRound = "wrong-round",
    /// What happened does not follow from what was ordered.
    NotOrdered = "not-ordered",
    /// Something should have followed and did not.
    NotDone = "not-done",
    /// Something happened at a time when it cannot.
    OutOfTurn = "out-of-turn",

    /// A rule book that cannot be read.
    UnreadableRulebook = "unreadable-rulebook",
    /// The digest of a rule book is that of another text.
    WrongDigest = "wrong-digest",
    /// Settings that cannot be in force, or were completed wrongly.
    WrongSettings = "wrong-settings",
    /// Rounds are not counted by one.
    RoundNumber = "round-number",
    /// Shoes are not counted by one, or it is another shoe.
    ShoeNumber = "shoe-number",

    /// A wager is recorded wrongly.
    WrongWager = "wrong-wager",
    /// A wager breaks a limit that is enforced.
    OverLimits = "over-limits",
    /// A wager, or the close of bets, came at the wrong time.
    WrongTime = "wrong-time",
    /// What gave way, or what was flagged, is not what the limits say.
    WrongTrim = "wrong-trim",
    /// What plays of each wager is not the pro rata share.
    WrongPart = "wrong-part",

    /// A card is recorded wrongly.
    WrongCard = "wrong-card",
    /// A card came more often than it is in the shoe, and nobody looked into it.
    TooManyCopies = "too-many-copies",
    /// Cards that open the next Round are not those that were left over.
    WrongCarriedCards = "wrong-carried-cards",
    /// The result is not what the cards show.
    WrongResult = "wrong-result",
    /// The shoe was handled against its settings.
    WrongShoe = "wrong-shoe",
    /// The cards of a software shoe are not those it was committed to.
    WrongOrder = "wrong-order",
    /// The count of a retired set was added up wrongly.
    WrongCount = "wrong-count",

    /// A Round was settled otherwise than the rules settle it.
    WrongSettlement = "wrong-settlement",
    /// A Round was made void otherwise than the rules have it.
    WrongVoid = "wrong-void",
    /// A choice was offered or made otherwise than the rules have it.
    WrongChoice = "wrong-choice",
    /// A correction or an adjustment is not what it should be.
    WrongCorrection = "wrong-correction",
    /// An interruption was resolved otherwise than the rules have it.
    WrongInterruption = "wrong-interruption",
    /// A matter was opened otherwise than the rule book has it.
    WrongMatter = "wrong-matter",
    /// A ruling that the rule book does not allow, or with another paragraph.
    WrongRuling = "wrong-ruling",

    /// Credits, or what is owed or kept, are not what they were made of.
    WrongCredits = "wrong-credits",
    /// The books of the table do not balance.
    BooksDoNotBalance = "books-do-not-balance",
    /// The float is not what went in and out.
    WrongFloat = "wrong-float",
    /// A ticket was issued twice or wrongly.
    WrongTicket = "wrong-ticket",
    /// A ticket was redeemed that is not good.
    TicketNotGood = "ticket-not-good",
    /// The store's row of a ticket is not what the record says.
    TicketRow = "ticket-row",
    /// A row of the register of people and devices is not what its deed says, no deed accounts for it, or it is missing.
    RegisterRow = "register-row",
    /// Disputes, posts, terminals or shifts are recorded wrongly.
    WrongNote = "wrong-note",
    /// Something that an interpretation rules out, whatever was ordered. The finding cites it.
    AgainstInterpretation = "against-interpretation",
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Place {
    pub volume: Volume,
    /// The entry, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<Seq>,
    /// The Round in play or just over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What kind of thing.
    pub kind: FindingKind,
    /// What it is, for people.
    pub words: String,
    /// The paragraph that says how it should be, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cite: Option<Cite>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { volume, seq, round } = &self.place;
        write!(f, "{volume}")?;
        if let Some(seq) = seq {
            write!(f, " entry {seq}")?;
        }
        if let Some(round) = round {
            write!(f, " Round {round}")?;
        }
        write!(f, ": {}: {}", self.kind, self.words)?;
        self.cite.iter().try_for_each(|cite| write!(f, " ({cite})"))
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub volumes: u64,
    pub entries: u64,
    pub events: u64,
    pub rounds: u64,
    pub settlements: u64,
    pub voids: u64,
    pub corrections: u64,
    /// Settled lines, each worked out again.
    pub lines: u64,
    /// Wagers registered, raised or recorded.
    pub wagers: u64,
    pub cards: u64,
    pub tickets: u64,
    pub checkpoints: u64,
    /// What patrons brought to all tables, in minor units.
    pub received: i128,
    /// What they took away.
    pub given: i128,
    /// What the House won.
    pub house: i128,
}

/// The end of an audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// What does not hold, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// How much was looked at.
    pub counts: Counts,
    /// What cannot be known from what was handed in.
    pub unknown: Vec<String>,
}

impl Audit {
    /// Whether everything holds.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Findings being gathered, and the place that is being looked at.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
    pub(crate) place: Place,
}

impl Findings {
    pub(crate) const fn new() -> Findings {
        Findings { list: Vec::new(), place: Place { volume: Volume::House, seq: None, round: None } }
    }

    pub(crate) fn say(&mut self, kind: FindingKind, words: impl Into<String>) {
        self.cited(kind, words, None);
    }

    pub(crate) fn cited(&mut self, kind: FindingKind, words: impl Into<String>, cite: Option<&Cite>) {
        let (place, words, cite) = (self.place.clone(), words.into(), cite.cloned());
        self.list.push(Finding { place, kind, words, cite });
    }

    /// Says it unless it holds.
    pub(crate) fn hold(&mut self, holds: bool, kind: FindingKind, words: &str) {
        if !holds {
            self.say(kind, words);
        }
    }
}
