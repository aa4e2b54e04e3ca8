//! Everything that can happen at a table. Past tense; every amount and verdict stands here and is never worked out again.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_rules::{
    BetId, BoxLimits, Card, Cite, Composition, Discretion, Flag, IrregularityKind, Money, PatronNo, Post,
    Range, Side, Stance,
};

use crate::facts::Significance as As;
use crate::facts::Topic::{Dealing, Devices, Float, Matters, Payments, People, Play, Shoe, Table, Wagers};
use crate::facts::event::{EventFacts, each_their_part, everybody, everybody_once_turned, patron, the_house};
use crate::tagged::tagged;
use crate::{
    Adjustment, Anchor, BoxNo, CardSet, CaseNo, CaseOutcome, CaseReport, Cause, Change, Choice, Currency,
    DeviceId, Digest, DisputeAbout, DisputeNo, DropNo, HeldOutcome, MatterNo, Part, Person, Pictured, Report,
    Return, RoundNo, RoundResult, Ruling, RulingWord, Seen, Settings, SettledLine, ShiftName, ShoeNo, SlipNo,
    Source, TicketNo, TicketTag, Timestamp,
};

impl Event {
    /// What is paid to somebody who walked away is kept for them.
    pub const fn kept(patron: PatronNo, amount: Money) -> Event {
        let (slip, by, attendant, since, cite) = (None, None, None, None, None);
        Event::UnclaimedKept { patron, amount, slip, by, attendant, since, cite }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_first(attempt: &u32) -> bool {
    *attempt == 0
}

tagged! {
    /// What happened at a table.
    Event, tag "event",
    /// The kinds of events.
    EventKind, facts EventFacts {
        TableOpened = "table-opened"
            [everybody().booked().significant(As::Table).topic(Table)]
        {
            settings: Box<Settings>,
            rulebook: Arc<str>,
            digest: Digest,
            /// In a house: who agreed, and the deed of the approval in force.
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] approval: Option<Anchor>,
        },
        SettingsChanged = "settings-changed"
            [everybody().booked().significant(As::Settings).topic(Table)]
        {
            settings: Box<Settings>,
            rulebook: Arc<str>,
            digest: Digest,
            /// In a house: who agreed, and the deed of the approval in force.
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] approval: Option<Anchor>,
        },
        /// Other limits apply from the first Round that commences at this time or later; until then they are displayed
        /// beside those in force.
        LimitsAnnounced = "limits-announced"
            [everybody().significant(As::Settings).topic(Table)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] betting_box: Option<BoxLimits>,
            bets: BTreeMap<BetId, Range>,
            from: Timestamp,
            cite: Cite,
        },
        /// The limits that were announced are in force, from the Round that commences now.
        LimitsChanged = "limits-changed"
            [everybody().significant(As::Settings).topic(Table)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] betting_box: Option<BoxLimits>,
            bets: BTreeMap<BetId, Range>,
            cite: Cite,
        },
        ClosingAnnounced = "closing-announced"
            [everybody().topic(Table)]
        { last_round: RoundNo, },
        /// The Round that was announced as the last is not played: no Round may commence at this table any more.
        LastRoundDropped = "last-round-dropped"
            [everybody().significant(As::Table).topic(Table)]
        { round: RoundNo, cite: Cite, },
        TableClosed = "table-closed"
            [everybody().significant(As::Table).topic(Table)]
        {},

        ShoeLoaded = "shoe-loaded"
            [everybody().topic(Shoe)]
        {
            shoe: ShoeNo,
            card_set: CardSet,
            cards: u16,
            #[serde(default, skip_serializing_if = "Option::is_none")] shuffled_by: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] commitment: Option<Digest>,
        },
        CardsInspected = "cards-inspected"
            [the_house().significant(As::ShoeError).topic(Shoe)]
        { shoe: ShoeNo, missing: Vec<Card>, extra: Vec<Card>, },
        CardsCut = "cards-cut"
            [everybody().topic(Shoe)]
        { shoe: ShoeNo, at: u16, },
        CardsBurnt = "cards-burnt"
            [everybody().topic(Shoe)]
        {
            shoe: ShoeNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] shown: Option<Card>,
            count: u16,
        },
        /// No Round opens from this shoe any more; one in play is finished.
        CutCardReached = "cut-card-reached"
            [everybody().topic(Shoe)]
        { shoe: ShoeNo, },
        ShoeExchangeRequired = "shoe-exchange-required"
            [everybody().significant(As::ShoeExchange).topic(Shoe)]
        { shoe: ShoeNo, cite: Cite, },
        /// A ruling had the cards replaced: the next card comes from a new shoe.
        ShoeReplacementOrdered = "shoe-replacement-ordered"
            [everybody().significant(As::ShoeExchange).topic(Shoe)]
        { shoe: ShoeNo, cite: Cite, },
        ShoeRetired = "shoe-retired"
            [everybody().topic(Shoe)]
        { shoe: ShoeNo, reason: Arc<str>, },
        ShoeReconciled = "shoe-reconciled"
            [the_house().significant(As::ShoeError).topic(Shoe)]
        { shoe: ShoeNo, missing: Box<Composition>, extra: Box<Composition>, },
        ShoeRevealed = "shoe-revealed"
            [everybody().topic(Shoe)]
        { shoe: ShoeNo, salt: Arc<str>, cards: Vec<Card>, },
        CarriedCardsRuled = "carried-cards-ruled"
            [everybody().significant(As::Override).topic(Shoe)]
        { keep: bool, cite: Cite, },
        CarriedCardsDiscarded = "carried-cards-discarded"
            [everybody().topic(Shoe)]
        { cards: Vec<Card>, },

        BetsOpened = "bets-opened"
            [everybody().booked().topic(Play)]
        {
            round: RoundNo,
            shoe: ShoeNo,
            /// Cards of the Round before that open this one.
            carried: Vec<Card>,
            /// When an electronic table closes by itself; on a live table a prompt.
            closes_at: Timestamp,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
            /// In a house, the deed of the approval under which the Round commences and ends.
            #[serde(default, skip_serializing_if = "Option::is_none")] approval: Option<Anchor>,
        },
        WagerRegistered = "wager-registered"
            [patron().booked().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] stance: Option<Stance>,
            bet: BetId,
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            amount: Money,
            /// All that the patron now has on it.
            stake: Money,
            /// The Pit Employee who placed it at the patron's request, and the paragraph.
            #[serde(default, skip_serializing_if = "Option::is_none")] placed_by: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
        },
        WagerWithdrawn = "wager-withdrawn"
            [patron().booked().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
            bet: BetId,
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            amount: Money,
            stake: Money,
        },
        /// Chips that gave way to a Seated Player's, or to the Differential at close.
        WagerTrimmed = "wager-trimmed"
            [patron().booked().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
            side: Side,
            amount: Money,
            stake: Money,
            cite: Cite,
        },
        ChipsRecorded = "chips-recorded"
            [patron().booked().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            stance: Stance,
            bet: BetId,
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            stake: Money,
        },
        /// What breaks a limit in a box while bets are open.
        LimitsFlagged = "limits-flagged"
            [the_house().topic(Wagers)]
        {
            #[serde(rename = "box")] box_no: BoxNo,
            flags: Vec<Flag>,
            cites: Vec<Cite>,
        },
        /// What breaks the range of a side bet while bets are open.
        SideBetFlagged = "side-bet-flagged"
            [patron().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
            stake: Money,
            minimum: Money,
            maximum: Money,
            cite: Cite,
        },
        /// Chips that are no whole number of units, recorded as they lie.
        StackFlagged = "stack-flagged"
            [patron().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
            stake: Money,
            unit: Money,
            cite: Cite,
        },
        /// The patron was told that the bet is outside its limits, and may raise or withdraw it.
        PatronAdvised = "patron-advised"
            [patron().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
            stake: Money,
            cite: Cite,
        },
        /// What was outside its limits, noticed, and still there when bets closed goes back.
        WagerReturned = "wager-returned"
            [patron().booked().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            amount: Money,
            stake: Money,
            cite: Cite,
        },
        WagerAmended = "wager-amended"
            [each_their_part().booked().significant(As::Override).topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            stance: Stance,
            bet: BetId,
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            stake: Money,
            /// The whole box is apportioned anew, and the paragraph by which.
            parts: Vec<Part>,
            #[serde(default, skip_serializing_if = "Option::is_none")] parts_cite: Option<Cite>,
            cite: Cite,
            /// After the first card: the recording that shows it, and who agreed.
            #[serde(default, skip_serializing_if = "Option::is_none")] surveillance: Option<Arc<str>>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        BetsClosed = "bets-closed"
            [each_their_part().booked().topic(Play)]
        {
            round: RoundNo,
            /// Wagers that do not play in full, and the paragraph by which.
            parts: Vec<Part>,
            #[serde(default, skip_serializing_if = "Option::is_none")] parts_cite: Option<Cite>,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
            /// The paragraph by which bets are settled as they lie now.
            #[serde(default, skip_serializing_if = "Option::is_none")] chips_cite: Option<Cite>,
        },
        LateBetRefused = "late-bet-refused"
            [patron().significant(As::LateBet).topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
            bet: BetId,
            stake: Money,
            cite: Cite,
        },

        HandAccepted = "hand-accepted"
            [patron().topic(Wagers)]
        { side: Side, patron: PatronNo, cite: Cite, },
        SqueezeAsked = "squeeze-asked"
            [patron().topic(Wagers)]
        { patron: PatronNo, card: u8, cite: Cite, },
        SqueezeAnswered = "squeeze-answered"
            [patron().topic(Wagers)]
        { patron: PatronNo, card: u8, granted: bool, },
        CardDrawn = "card-drawn"
            [each_their_part().significant(As::KeyedCard).topic(Dealing)]
        {
            card: Seen,
            /// Where it lies.
            #[serde(default, skip_serializing_if = "Option::is_none")] side: Option<Side>,
            source: Source,
            /// Face down until it is turned.
            covered: bool,
        },
        CardRead = "card-read"
            [everybody_once_turned().significant(As::Unreadable).topic(Dealing)]
        { card: Seen, },
        /// A card had been keyed wrongly; counted from 1 in drawing order.
        CardCorrected = "card-corrected"
            [everybody_once_turned().significant(As::KeyedCard).topic(Dealing)]
        {
            at: u16,
            was: Card,
            card: Card,
            /// It took a Pit Supervisor: another card was out, or the Hands were complete.
            supervised: bool,
        },
        /// Cards lie open now; `shown` says what each of them is.
        CardsTurned = "cards-turned"
            [everybody().topic(Dealing)]
        { cards: Vec<u16>, shown: Vec<Seen>, },
        RoundCompleted = "round-completed"
            [everybody_once_turned().topic(Play)]
        { result: RoundResult, },

        MatterOpened = "matter-opened"
            [the_house().significant(As::Irregularity).topic(Matters)]
        {
            matter: MatterNo,
            kind: IrregularityKind,
            report: Report,
            /// Whether it holds the Round until it is ruled.
            holds: bool,
            cite: Cite,
            /// Who decides; nobody where the rules leave nothing to decide.
            #[serde(default, skip_serializing_if = "Option::is_none")] decides: Option<Post>,
            /// How freely.
            #[serde(default, skip_serializing_if = "Option::is_none")] discretion: Option<Discretion>,
            /// Whether a second person must agree.
            second_person: bool,
            /// Whether an outcome had been established.
            established: bool,
            /// What the software proposes, where whoever decides may rule otherwise.
            #[serde(default, skip_serializing_if = "Option::is_none")] proposed: Option<RulingWord>,
            /// Until when it holds back money of a Round that is over; none where it could change no such money.
            #[serde(default, skip_serializing_if = "Option::is_none")] money_until: Option<Timestamp>,
        },
        Ruled = "ruled"
            [the_house().significant(As::Override).topic(Matters)]
        {
            matter: MatterNo,
            ruling: Ruling,
            cite: Cite,
            /// Whether the patrons are to be asked.
            choice: bool,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            reason: Arc<str>,
            /// The interpretation that was departed from in this case.
            #[serde(default, skip_serializing_if = "Option::is_none")] departs: Option<u8>,
        },
        /// A card was taken for another; counted from 1 in drawing order.
        CardMisread = "card-misread"
            [everybody_once_turned().significant(As::Unreadable).topic(Dealing)]
        { at: u16, card: Card, },
        /// The cards of the Round in the order that counts, and those that open the next.
        CardsOrdered = "cards-ordered"
            [everybody_once_turned().topic(Dealing)]
        { order: Vec<Card>, carried: Vec<Card>, },
        RoundVoided = "round-voided"
            [each_their_part().booked().significant(As::Void).topic(Play)]
        {
            round: RoundNo,
            kind: IrregularityKind,
            cite: Cite,
            /// The paragraph by which the bets go back.
            #[serde(default, skip_serializing_if = "Option::is_none")] returns_cite: Option<Cite>,
            returns: Vec<Return>,
            /// Where the Round had been settled: what undoes it.
            changes: Vec<Change>,
        },
        ChoiceOffered = "choice-offered"
            [each_their_part().topic(Matters)]
        {
            until: Timestamp,
            patrons: Vec<PatronNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
        },
        ChoiceMade = "choice-made"
            [each_their_part().booked().topic(Matters)]
        {
            patron: PatronNo,
            choice: Choice,
            /// No answer in time, or walked away.
            silent: bool,
            returns: Vec<Return>,
        },
        /// The Round goes on after rulings and choices.
        PlayResumed = "play-resumed"
            [everybody().topic(Play)]
        {
            /// When bets close, where they are open again.
            #[serde(default, skip_serializing_if = "Option::is_none")] closes_at: Option<Timestamp>,
        },

        TableInterrupted = "table-interrupted"
            [everybody().significant(As::Interruption).topic(Table)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] cause: Option<Cause>,
            cite: Cite,
        },
        CardsConfirmed = "cards-confirmed"
            [everybody_once_turned().significant(As::Interruption).topic(Table)]
        {
            cards: Vec<Card>,
            /// The Dealer who confirmed them with a Pit Supervisor or above.
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        InterruptionResolved = "interruption-resolved"
            [each_their_part().significant(As::Interruption).topic(Table)]
        {
            established: bool,
            /// The bets that were certain.
            because: Vec<BetId>,
            cite: Cite,
        },

        RoundSettled = "round-settled"
            [each_their_part().booked().topic(Play)]
        {
            round: RoundNo,
            result: RoundResult,
            lines: Vec<SettledLine>,
            house: i64,
        },
        RoundCorrected = "round-corrected"
            [each_their_part().booked().significant(As::Correction).topic(Play)]
        {
            round: RoundNo,
            result: RoundResult,
            lines: Vec<SettledLine>,
            house: i64,
            changes: Vec<Change>,
            /// Cards that open the next Round now.
            #[serde(default, skip_serializing_if = "Vec::is_empty")] carried: Vec<Card>,
            cite: Cite,
            /// The paragraph by which the cards prevail over what was displayed.
            #[serde(default, skip_serializing_if = "Option::is_none")] display_cite: Option<Cite>,
        },
        /// Chips of the Round just settled had been recorded wrongly: it is settled anew with the stake that lay there.
        RoundAmended = "round-amended"
            [each_their_part().booked().significant(As::Override).topic(Play)]
        {
            round: RoundNo,
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            stance: Stance,
            bet: BetId,
            stake: Money,
            result: RoundResult,
            lines: Vec<SettledLine>,
            house: i64,
            changes: Vec<Change>,
            surveillance: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            cite: Cite,
        },
        Adjusted = "adjusted"
            [each_their_part().booked().significant(As::Override).topic(Payments)]
        {
            round: RoundNo,
            adjustments: Vec<Adjustment>,
            changes: Vec<Change>,
            /// The cards by which it was computed.
            #[serde(default, skip_serializing_if = "Vec::is_empty")] cards: Vec<Card>,
            cite: Cite,
        },
        /// What was pushed to a patron was not the payout. What is too little is made good now, what is too much is owed.
        PushRecorded = "push-recorded"
            [patron().booked().significant(As::Override).topic(Payments)]
        {
            round: RoundNo,
            patron: PatronNo,
            payout: Money,
            counted: Money,
            surveillance: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            cite: Cite,
        },

        CreditsBought = "credits-bought"
            [patron().at_the_cage().booked().topic(Payments)]
        { patron: PatronNo, amount: Money, credits: Money, },
        /// An acceptor took a note, and it is credits now.
        NoteAccepted = "note-accepted"
            [patron().at_the_cage().booked().topic(Payments)]
        { patron: PatronNo, acceptor: DeviceId, amount: Money, credits: Money, cite: Cite, },
        CaseOpened = "case-opened"
            [patron().significant(As::Acceptor).topic(Payments)]
        { case: CaseNo, patron: PatronNo, report: CaseReport, cite: Cite, },
        CaseSettled = "case-settled"
            [patron().booked().significant(As::Acceptor).topic(Payments)]
        {
            case: CaseNo,
            patron: PatronNo,
            /// The acceptor that holds the note, where money moved.
            #[serde(default, skip_serializing_if = "Option::is_none")] acceptor: Option<DeviceId>,
            outcome: CaseOutcome,
            second: Person,
            reason: Arc<str>,
            cite: Cite,
        },
        AcceptorEmptied = "acceptor-emptied"
            [the_house().booked().topic(Payments)]
        {
            drop: DropNo,
            acceptor: DeviceId,
            /// What the record says is in the box.
            expected: Money,
            by: Person,
            second: Person,
            cite: Cite,
        },
        AcceptorCounted = "acceptor-counted"
            [the_house().at_the_cage().booked().significant(As::Acceptor).topic(Payments)]
        {
            drop: DropNo,
            acceptor: DeviceId,
            counted: Money,
            expected: Money,
            second: Person,
            cite: Cite,
        },
        TicketRedeemed = "ticket-redeemed"
            [patron().at_the_cage().booked().topic(Payments)]
        { patron: PatronNo, ticket: TicketNo, amount: Money, credits: Money, },
        /// What a claim could still take was not paid with the rest, but is kept for the patron, who has a slip for it.
        CashOutHeld = "cash-out-held"
            [patron().at_the_cage().booked().significant(As::Held).topic(Payments)]
        {
            patron: PatronNo,
            slip: SlipNo,
            amount: Money,
            /// The claims.
            matters: Vec<MatterNo>,
            /// When it is payable if none of them is decided before and nobody extends the time; none where a claim of
            /// the first release has no time.
            #[serde(default, skip_serializing_if = "Option::is_none")] until: Option<Timestamp>,
            cite: Cite,
        },
        CashedOut = "cashed-out"
            [patron().at_the_cage().booked().topic(Payments)]
        {
            patron: PatronNo,
            ticket: TicketNo,
            amount: Money,
            expires: Timestamp,
            /// What the patron owes, for the cage to know.
            #[serde(default, skip_serializing_if = "Money::is_zero")] owed: Money,
            /// How the ticket is found by its number, which is not in the record; none in release 0.1.0, which named tickets
            /// by their number.
            #[serde(default, skip_serializing_if = "Option::is_none")] tag: Option<TicketTag>,
            /// Which number derived from the order the ticket has: not the first if that one was taken.
            #[serde(default, skip_serializing_if = "is_first")] attempt: u32,
            /// The currency of the table; earlier builds left it to the settings of the table at that time.
            #[serde(default, skip_serializing_if = "Option::is_none")] currency: Option<Currency>,
        },
        /// The payout of a patron in a Round is to be held; their bets stand.
        PayoutHoldOrdered = "payout-hold-ordered"
            [the_house().booked().significant(As::Held).topic(Payments)]
        {
            slip: SlipNo,
            patron: PatronNo,
            round: RoundNo,
            reference: Arc<str>,
            cite: Cite,
        },
        /// What would have gone to the patron is held: it is owed to them or to whom the law names, and not the House's.
        PayoutHeld = "payout-held"
            [patron().booked().significant(As::Held).topic(Payments)]
        {
            slip: SlipNo,
            patron: PatronNo,
            amount: Money,
            /// So much of it had been kept for them already.
            #[serde(default, skip_serializing_if = "Money::is_zero")] from_unclaimed: Money,
            cite: Cite,
        },
        HeldDecided = "held-decided"
            [the_house().at_the_cage().booked().significant(As::Held).topic(Payments)]
        {
            slip: SlipNo,
            patron: PatronNo,
            amount: Money,
            outcome: HeldOutcome,
            reference: Arc<str>,
            second: Person,
            cite: Cite,
        },
        HoldExtended = "hold-extended"
            [the_house().significant(As::Held).topic(Payments)]
        { matter: MatterNo, until: Timestamp, reason: Arc<str>, cite: Cite, },
        Collected = "collected"
            [patron().at_the_cage().booked().topic(Payments)]
        { patron: PatronNo, amount: Money, owed: Money, },
        SeatTaken = "seat-taken"
            [patron().topic(People)]
        { patron: PatronNo, #[serde(rename = "box")] box_no: BoxNo, },
        SeatLeft = "seat-left"
            [patron().topic(People)]
        { patron: PatronNo, #[serde(rename = "box")] box_no: BoxNo, },
        WalkedAway = "walked-away"
            [patron().topic(People)]
        { patron: PatronNo, cite: Cite, },
        UnclaimedKept = "unclaimed-kept"
            [patron().at_the_cage().booked().significant(As::SetAside).topic(Payments)]
        {
            patron: PatronNo,
            amount: Money,
            /// Where credits were set aside: under which slip, by whom, who was at the terminal, since when nobody played
            /// with them.
            #[serde(default, skip_serializing_if = "Option::is_none")] slip: Option<SlipNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] by: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] attendant: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] since: Option<Timestamp>,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
        },
        SetAsideReviewed = "set-aside-reviewed"
            [the_house().at_the_cage().significant(As::SetAside).topic(Payments)]
        { slip: SlipNo, patron: PatronNo, reason: Arc<str>, cite: Cite, },
        UnclaimedPaid = "unclaimed-paid"
            [patron().at_the_cage().booked().topic(Payments)]
        { patron: PatronNo, amount: Money, },

        FloatOpened = "float-opened"
            [the_house().booked().topic(Float)]
        { amount: Money, },
        FloatClosed = "float-closed"
            [the_house().booked().significant(As::FloatDifference).topic(Float)]
        { counted: Money, expected: i64, },
        Filled = "filled"
            [the_house().booked().topic(Float)]
        { amount: Money, slip: Arc<str>, },
        Credited = "credited"
            [the_house().booked().topic(Float)]
        { amount: Money, slip: Arc<str>, },
        FloatCovered = "float-covered"
            [the_house().significant(As::Interruption).topic(Float)]
        { cause: Cause, cite: Cite, },
        FloatUncovered = "float-uncovered"
            [the_house().significant(As::Interruption).topic(Float)]
        { second: Person, cite: Cite, },
        Dropped = "dropped"
            [the_house().booked().topic(Float)]
        { amount: Money, },

        TerminalLost = "terminal-lost"
            [patron().significant(As::Terminal).topic(Devices)]
        {
            patron: PatronNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] cite: Option<Cite>,
        },
        TerminalRestored = "terminal-restored"
            [patron().significant(As::Terminal).topic(Devices)]
        { patron: PatronNo, },
        DisputeOpened = "dispute-opened"
            [each_their_part().significant(As::Dispute).topic(Table)]
        {
            dispute: DisputeNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] round: Option<RoundNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] patron: Option<PatronNo>,
            words: Arc<str>,
            /// Raised before the next Round commenced, which waits for it.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")] timely: bool,
            /// For how long the next Round waits at most until it is seen; where none is given, until it is decided.
            #[serde(default, skip_serializing_if = "Option::is_none")] seconds: Option<u16>,
            #[serde(default, skip_serializing_if = "Option::is_none")] about: Option<DisputeAbout>,
            /// The wagers of that Round in the boxes that it is about, as recorded then.
            #[serde(default, skip_serializing_if = "Vec::is_empty")] pictured: Vec<Pictured>,
        },
        DisputeBundled = "dispute-bundled"
            [the_house().significant(As::Dispute).topic(Table)]
        { dispute: DisputeNo, digest: Digest, },
        /// A Pit Supervisor or above has seen it; `surveillance` shows that it was spoken in time though recorded late.
        DisputeSeen = "dispute-seen"
            [each_their_part().significant(As::Dispute).topic(Table)]
        {
            dispute: DisputeNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] patron: Option<PatronNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] surveillance: Option<Arc<str>>,
            cite: Cite,
        },
        DisputeClosed = "dispute-closed"
            [patron().significant(As::Dispute).topic(Table)]
        {
            dispute: DisputeNo,
            words: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] patron: Option<PatronNo>,
            /// The matter by which money moved.
            #[serde(default, skip_serializing_if = "Option::is_none")] matter: Option<MatterNo>,
        },
        PostTaken = "post-taken"
            [the_house().topic(People)]
        { person: Person, post: Post, },
        PostLeft = "post-left"
            [the_house().topic(People)]
        { person: Person, post: Post, },
        ShiftStarted = "shift-started"
            [the_house().topic(People)]
        { name: ShiftName, },
        ClockJumped = "clock-jumped"
            [the_house().significant(As::Clock).topic(Devices)]
        { from: Timestamp, to: Timestamp, },
    }
}
