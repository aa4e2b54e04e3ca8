//! Why an order is refused: a closed list, in order of precedence. An order with several faults gets the first.

use std::fmt;

use punto_rules::name::Grammar;
use punto_rules::{BetId, Cite, Money, PatronNo, Post};
use serde::{Deserialize, Serialize};

use crate::{BoxNo, CaseNo, Currency, DeviceId, DisputeNo, MatterNo, Person, RoundNo, Timestamp, Unfit};

/// A refusal: its reason, and the paragraph where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Rejection {
    #[serde(flatten)]
    pub reason: Reason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cite: Option<Cite>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cite {
            Some(cite) => write!(f, "{} ({cite})", self.reason),
            None => self.reason.fmt(f),
        }
    }
}

impl std::error::Error for Rejection {}

impl From<Unfit> for Rejection {
    fn from(Unfit { field, expected }: Unfit) -> Rejection {
        Reason::UnfitText { field: field.to_owned(), expected }.into()
    }
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Rejection {
        Rejection { reason, cite: None }
    }
}

/// A reason keeps its name beside the paragraph.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Rejection {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rejection".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A refusal: its reason, and the paragraph where there is one.",
            "type": "object",
            "allOf": [generator.subschema_for::<Reason>()],
            "properties": { "cite": generator.subschema_for::<Option<Cite>>() },
        })
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $word:literal { $($(#[$about:meta])* $field:ident: $type:ty,)* } $message:literal,)+) => {
        /// The reasons for a refusal, first come first.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = "reason")]
        #[allow(missing_docs)]
        pub enum Reason {
            $($(#[$doc])* #[serde(rename = $word)] #[error($message)] $variant { $($(#[$about])* $field: $type,)* },)+
        }

        /// The reasons without their figures; their order is the order of precedence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum ReasonKind { $($variant,)+ }

        impl ReasonKind {
            /// All of them, in order of precedence.
            pub const ALL: &'static [ReasonKind] = &[$(ReasonKind::$variant,)+];

            /// The word on the wire.
            pub const fn id(self) -> &'static str {
                match self { $(ReasonKind::$variant => $word,)+ }
            }
        }

        impl Reason {
            /// Which of them it is.
            pub const fn kind(&self) -> ReasonKind {
                match self { $(Reason::$variant { .. } => ReasonKind::$variant,)+ }
            }
        }
    };
}

reasons! {
    // The order itself.
    OrderIdReused = "order-id-reused" {} "another order was given under this id",
    Superseded = "superseded" { last: u64, } "a later order of this device was carried out, the last is {last}",


    // The table and the person.
    TableNotOpen = "table-not-open" {} "the table is not open",
    TableOpen = "table-open" {} "the table is open already",
    RulebookUnreadable = "rulebook-unreadable" {} "this release cannot read the rule book in the record",
    NotPermitted = "not-permitted" { least: Option<Post>, }
        "not for this person to order",
    PostNotHeld = "post-not-held" { post: Post, } "whoever orders this holds no such post in the running shift",
    NotYours = "not-yours" {} "a patron orders for nobody else",
    PatronsOwn = "patrons-own" {} "the patron withdraws and chooses at their own terminal, while it can be reached",
    WrongMoney = "wrong-money" {} "the table does not keep this kind of money",
    WrongGame = "wrong-game" {} "the game has no such thing",

    // The Round.
    RoundMissing = "round-missing" {} "the order must name its Round",
    WrongRound = "wrong-round" { current: Option<RoundNo>, } "the order names another Round",
    TableInterrupted = "table-interrupted" {} "the table is interrupted; the Dealer must first confirm the cards that are out",
    CardsKnown = "cards-known" {} "the House knows the cards of its own shoe; a claim about them is a dispute",

    // The phase.
    RoundOpen = "round-open" { round: RoundNo, } "Round {round} is not over",
    NoRound = "no-round" {} "no Round is open",
    BetsNotOpen = "bets-not-open" {} "bets are not open",
    BetsClosed = "bets-closed" {} "no more bets",
    BetsOpen = "bets-open" {} "bets are still open",
    LimitBroken = "limit-broken" { #[serde(rename = "box")] box_no: BoxNo, }
        "a limit is broken in box {box_no}: reject the excess, or advise the patron",
    CardUnread = "card-unread" {} "a card must be read first",
    NoCardUnread = "no-card-unread" {} "no card waits to be read",
    RulingPending = "ruling-pending" { matter: MatterNo, } "matter {matter} must be ruled first",
    DisputeUndecided = "dispute-undecided" { dispute: DisputeNo, }
        "dispute {dispute} was raised in time and must be decided first",
    ChoicePending = "choice-pending" {} "patrons have not all chosen",
    NoChoicePending = "no-choice-pending" {} "nothing is to be chosen",
    NotInterrupted = "not-interrupted" {} "the table is not interrupted",
    RoundIncomplete = "round-incomplete" {} "the Round is not complete",
    CardsOut = "cards-out" {} "a card is out already",
    BetsTakenBack = "bets-taken-back" {} "bets of this Round were taken back; what plays is fixed",
    CardsCovered = "cards-covered" {} "cards lie face down",
    ShoeAwaited = "shoe-awaited" {} "a ruling had the cards replaced; load the new shoe first",
    ClosingNotAnnounced = "closing-not-announced" {} "closing must be announced before the last Round",
    LastRoundPlayed = "last-round-played" {} "the last Round has been played",
    LastRoundToPlay = "last-round-to-play" { round: RoundNo, } "Round {round} was announced as the last and is not over",
    AlreadyAnnounced = "already-announced" {} "closing has been announced",
    CreditsStand = "credits-stand" { patron: PatronNo, } "credits stand on a terminal",
    CorrectionPending = "correction-pending" { matter: MatterNo, }
        "matter {matter} could still take this money",
    NoHold = "no-hold" {} "the matter holds back no money, or its time is over",
    TerminalDown = "terminal-down" {} "the terminal cannot be reached",
    CaseOpen = "case-open" { case: CaseNo, } "case {case} of a note or ticket must be settled first",
    AcceptorHolds = "acceptor-holds" { acceptor: DeviceId, }
        "{acceptor} holds notes; its box must be taken out first",
    FloatOpen = "float-open" {} "the float is open",
    FloatNotOpen = "float-not-open" {} "the float is not open",
    FloatCovered = "float-covered" {} "the float is covered; a Pit Supervisor uncovers it with the Dealer",
    FloatNotCovered = "float-not-covered" {} "the float is not covered",

    // The shoe.
    NoShoe = "no-shoe" {} "no shoe is loaded",
    ShoeInUse = "shoe-in-use" {} "a shoe is in use",
    ShoeStarted = "shoe-started" {} "cards were dealt or burnt from this shoe",
    WrongCut = "wrong-cut" { most: u16, } "a cut is made after 1 to {most} cards",
    MustExchange = "must-exchange" {} "these cards must be exchanged",
    NotShuffled = "not-shuffled" {} "nobody recorded that these cards were shuffled",
    NotBurnt = "not-burnt" { count: u16, } "{count} cards are to be burnt first",
    WrongBurn = "wrong-burn" { count: u16, } "the burn at this table is {count} cards",
    CutCardOut = "cut-card-out" {} "the cut card is out",
    TooFewCards = "too-few-cards" { left: u16, } "only {left} cards are left",
    CardsLeft = "cards-left" { left: u16, } "{left} cards are left",
    CarriedCardsDecide = "carried-cards-decide" {} "the carried cards already decide a bet",
    NoCarriedCards = "no-carried-cards" {} "no carried cards wait for a decision",
    NoCommitment = "no-commitment" {} "a software shoe needs the commitment to its order",
    RevealDoesNotMatch = "reveal-does-not-match" {} "this is not the order that was committed to",
    NoSuchShoe = "no-such-shoe" {} "no retired shoe has this number, or it is done with",

    // The register of the house.
    RulesNotApproved = "rules-not-approved" {}
        "the house has recorded no approval of this rule book, by its digest",
    RulesNotInForce = "rules-not-in-force" { from: Timestamp, } "the approval of this rule book is not in force yet",
    RulesWithdrawn = "rules-withdrawn" { from: Timestamp, } "the approval of this rule book was withdrawn",

    // Names and figures in the order.
    UnfitText = "unfit-text" { field: String, expected: Grammar, } "`{field}`: expected {expected}",
    SettingsRefused = "settings-refused" { why: String, } "{why}",
    NoSuchMatter = "no-such-matter" {} "no such matter is open",
    NoSuchDispute = "no-such-dispute" {} "no such dispute is open",
    NoSuchCase = "no-such-case" {} "no such case is open",
    NoSuchAcceptor = "no-such-acceptor" {} "no acceptor of this name holds anything",
    NoSuchDrop = "no-such-drop" {} "no box with this number waits to be counted",
    NoSuchSlip = "no-such-slip" {} "no slip with this number waits for a review",
    NoSuchHeld = "no-such-held" {} "no held payout has this number",
    NoSuchRound = "no-such-round" {} "no such Round",
    NoReason = "no-reason" {} "a reason is needed",
    DealtIt = "dealt-it" { person: Person, } "{person} dealt a card of this Round; somebody else decides",
    SecondPersonNeeded = "second-person-needed" {} "a second person must agree",
    NotLate = "not-late" {} "the next Round has not commenced; this can still be put right",
    NoReplacement = "no-replacement" {} "the rules do not let the cards be replaced here",
    RulingNotAllowed = "ruling-not-allowed" {} "the rules do not allow this ruling here",
    RoundStands = "round-stands" {} "the next Round has commenced; what was settled before stands",
    AmountTyped = "amount-typed" {}
        "an adjustment is computed from the wagers of its Round; name the Round and its cards, not amounts",
    PushKnown = "push-known" {} "what was pushed to this patron in that Round is on record",
    PayoutKept = "payout-kept" {} "the payout of this patron in that Round is held",
    DisputeKnown = "dispute-known" {} "this patron has disputed that Round",
    NotKeyed = "not-keyed" {} "no hand keyed this card, or it was ruled on since; report what a device misread",
    CardsDoNotAddUp = "cards-do-not-add-up" {} "these are not the cards that are out",
    NumberNotWrong = "number-not-wrong" {} "both Hands have as many cards as the Table of Play gives them",
    HandsDoNotLieSo = "hands-do-not-lie-so" {} "this order does not give the Hands as they lie",
    NotFaceDown = "not-face-down" {} "cards are dealt face up at this table",
    NotAsked = "not-asked" {} "that squeeze was not asked for",
    CardNotYet = "card-not-yet" {} "that card has left the shoe, or never will",
    NotTheHighestBet = "not-the-highest-bet" { patron: Option<PatronNo>, } "somebody else has the highest bet",
    NotChoosing = "not-choosing" {} "this patron has nothing to choose",
    TooEarly = "too-early" {} "the time is not up",
    DisputeUnseen = "dispute-unseen" { dispute: DisputeNo, }
        "a Pit Supervisor is to see dispute {dispute} first, or its time must pass",
    UnknownBet = "unknown-bet" { bet: BetId, } "the layout does not offer `{bet}`",
    BoxNeeded = "box-needed" {} "a wager here names its box",
    NoSuchBox = "no-such-box" { boxes: u8, } "the layout has boxes 1 to {boxes}",
    NoBoxes = "no-boxes" {} "the electronic game has no boxes",
    PatronNeeded = "patron-needed" {} "at a table with credits the patron has a number",
    SeatTaken = "seat-taken" {} "another patron sits at this box",
    SeatElsewhere = "seat-elsewhere" { #[serde(rename = "box")] box_no: BoxNo, } "the patron sits at box {box_no}",
    SeatEmpty = "seat-empty" {} "nobody sits at this box",
    SeatInPlay = "seat-in-play" {} "seats are taken and left by patrons without a bet in the Round",
    NotSeated = "not-seated" {} "the patron does not sit at this box",
    OtherStance = "other-stance" {} "a patron bets at a box either seated or standing",
    NoSuchWager = "no-such-wager" {} "there is no such wager",
    Nothing = "nothing" {} "an amount of nothing",
    NotWholeUnits = "not-whole-units" { unit: Money, } "stakes are whole multiples of {unit}",
    MoreThanThere = "more-than-there" { most: Money, } "at most {most}",
    UnderMinimum = "under-minimum" { least: Money, } "below the minimum; at least {least} more is needed",
    OverMaximum = "over-maximum" { most: Money, } "over the maximum; at most {most} would be accepted",
    OverDifferential = "over-differential" { most: Money, } "over the Differential; at most {most} would be accepted",
    NothingOver = "nothing-over" {} "the box is within the Differential",
    WithinLimits = "within-limits" {} "the bet is within its limits",
    PayoutTooLarge = "payout-too-large" { most: Money, } "could pay more than money can hold; at most {most}",
    BetsStand = "bets-stand" {} "bets stand in a running Round",
    NotEnoughCredits = "not-enough-credits" { credits: Money, } "there are credits of {credits}",
    PayoutGone = "payout-gone" {} "nothing of that payout is at the table",
    TicketNotFound = "ticket-not-found" {} "no such ticket",
    TicketInUse = "ticket-in-use" {} "the ticket is just being redeemed elsewhere",
    TicketPaid = "ticket-paid" {} "the ticket was paid before",
    TicketExpired = "ticket-expired" {} "the ticket has expired",
    TicketVoid = "ticket-void" {} "the ticket is void",
    TicketTampered = "ticket-tampered" {} "the ticket is not what the record says; it is not paid until that was looked into",
    TicketOfAnotherCurrency = "ticket-of-another-currency" { currency: Option<Currency>, }
        "the ticket is not in the currency of this table",
    NoTicketNumber = "no-ticket-number" {} "no ticket number was handed in",
}

impl Reason {
    /// With the paragraph that says so.
    pub fn under(self, cite: &Cite) -> Rejection {
        Rejection { reason: self, cite: Some(cite.clone()) }
    }

    /// With the paragraph, where the rule book has one.
    pub fn under_some(self, cite: Option<&Cite>) -> Rejection {
        Rejection { reason: self, cite: cite.cloned() }
    }
}
