//! Everything that can be asked of a table. Imperative; one file, because it is one list.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_rules::Post::{Dealer, PitManager, PitSupervisor, ShiftManager};
use punto_rules::{BetId, BoxLimits, Card, Composition, Money, PatronNo, Post, Range, Side, Stance};

use crate::facts::Equipment::{Boxes, ObservedLimits, Squeeze};
use crate::facts::Topic::{Dealing, Devices, Float, Matters, Payments, People, Play, Shoe, Table, Wagers};
use crate::facts::Waiting::{
    Acceptor, CardsToConfirm, Case, Dispute, DropBox, HeldPayout, Hold, Matter, SetAside, UnreadCard,
    UnreconciledShoe, UnrevealedShoe,
};
use crate::facts::order::{OrderFacts, acceptors, cashiers, house, staff};
use crate::tagged::tagged;
use crate::{
    BoxNo, CardSet, CaseNo, CaseOutcome, CaseReport, Cause, Choice, DeviceId, Digest, DisputeAbout,
    DisputeNo, DropNo, HeldOutcome, MatterNo, Person, Report, RoundNo, Ruling, Seen, Settings, ShiftName,
    ShoeNo, SlipNo, Source, TicketNo, Timestamp,
};

impl Command {
    /// What somebody read off a ticket. A number is a secret of its bearer: the house puts the ticket's serial in its place
    /// before the order is decided or written down.
    pub const fn presented(&mut self) -> Option<&mut TicketNo> {
        if let Command::RedeemTicket { ticket, .. }
        | Command::ReportCase { report: CaseReport::TicketNotTaken { ticket }, .. } = self
        {
            Some(ticket)
        } else {
            None
        }
    }

    /// Fills in who agrees, as the register writes their name, and in which post, where the order says that.
    pub fn agreed_to_in(&mut self, person: &Person, post: Post) {
        if let Command::Rule { second, second_post, .. }
        | Command::AmendWager { second, second_post, .. }
        | Command::RecordPush { second, second_post, .. }
        | Command::DecideHeld { second, second_post, .. } = self
        {
            (*second, *second_post) = (Some(person.clone()), second_post.or(Some(post)));
        } else if let Command::OpenTable { second, .. }
        | Command::ChangeSettings { second, .. }
        | Command::ConfirmCards { second, .. }
        | Command::KeepUnclaimed { attendant: second, .. }
        | Command::SettleCase { second, .. }
        | Command::EmptyAcceptor { second, .. }
        | Command::CountAcceptor { second, .. }
        | Command::UncoverFloat { second }
        | Command::OpenFloat { second, .. }
        | Command::CloseFloat { second, .. }
        | Command::Fill { second, .. }
        | Command::Credit { second, .. }
        | Command::Drop { second, .. }
        | Command::Collect { second, .. }
        | Command::CashOut { second, .. }
        | Command::PayUnclaimed { second, .. } = self
        {
            *second = Some(person.clone());
        }
    }

    /// The post in which they agree.
    pub const fn second_post(&self) -> Option<Post> {
        if let Command::Rule { second_post, .. }
        | Command::AmendWager { second_post, .. }
        | Command::RecordPush { second_post, .. }
        | Command::DecideHeld { second_post, .. } = self
        {
            *second_post
        } else {
            None
        }
    }
}

tagged! {
    /// What is asked of a table.
    Command, tag "do",
    /// The kinds of commands: what posts are checked by, and what a view offers.
    CommandKind, facts OrderFacts {
        // The table.
        /// Opens the table with these settings and this rule book; in a house a second person agrees.
        OpenTable = "open-table"
            [staff(ShiftManager).or_administrators().while_closed().beside_play().topic(Table)]
        {
            settings: Box<Settings>,
            rulebook: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Changes settings between Rounds while no credits stand on a terminal; in a house a second person agrees to those
        /// that touch rights.
        ChangeSettings = "change-settings"
            [staff(ShiftManager).or_administrators().between_rounds().beside_play().topic(Table)]
        {
            settings: Box<Settings>,
            rulebook: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Announces other limits. What is not named stays as it is.
        ChangeLimits = "change-limits"
            [staff(PitSupervisor).topic(Table)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] betting_box: Option<BoxLimits>,
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")] bets: BTreeMap<BetId, Range>,
            /// For every bet with a range that is not named there.
            #[serde(default, skip_serializing_if = "Option::is_none")] other_bets: Option<Range>,
        },
        /// Announces that the next Round is the last.
        AnnounceClosing = "announce-closing"
            [staff(PitSupervisor).at_own_point().topic(Table)]
        {},
        /// Closes the table.
        CloseTable = "close-table"
            [staff(PitSupervisor).or_administrators().between_rounds().topic(Table)]
        {},

        // The shoe.
        /// Puts a set of cards to use.
        LoadShoe = "load-shoe"
            [staff(Dealer).or_house().between_rounds().topic(Shoe)]
        {
            card_set: CardSet,
            #[serde(default)] shuffled_by: Option<Person>,
            #[serde(default)] commitment: Option<Digest>,
        },
        /// Inspects the set: what is missing, what is too many.
        InspectCards = "inspect-cards"
            [staff(Dealer).between_rounds().topic(Shoe)]
        { #[serde(default)] missing: Vec<Card>, #[serde(default)] extra: Vec<Card>, },
        /// Cuts the cards.
        CutCards = "cut-cards"
            [staff(Dealer).between_rounds().topic(Shoe)]
        { at: u16, },
        /// Burns cards; `shown` is the first one where it is turned over.
        BurnCards = "burn-cards"
            [staff(Dealer).or_house().between_rounds().topic(Shoe)]
        { #[serde(default)] shown: Option<Card>, count: u16, },
        /// Takes the set out of use.
        RetireShoe = "retire-shoe"
            [staff(Dealer).or_house().between_rounds().topic(Shoe)]
        { reason: Arc<str>, },
        /// Takes the set out of use and puts another in its place.
        ExchangeShoe = "exchange-shoe"
            [staff(Dealer).or_house().at_own_point().topic(Shoe)]
        {
            card_set: CardSet,
            #[serde(default)] shuffled_by: Option<Person>,
            #[serde(default)] commitment: Option<Digest>,
            reason: Arc<str>,
        },
        /// Counts a retired set: what is left in the shoe, and what was burnt or discarded without being recorded.
        ReconcileShoe = "reconcile-shoe"
            [staff(PitSupervisor).answers(UnreconciledShoe).topic(Shoe)]
        { shoe: ShoeNo, left: Box<Composition>, discarded: Box<Composition>, },
        /// Reveals the order of a retired software shoe.
        RevealShoe = "reveal-shoe"
            [house().answers(UnrevealedShoe).topic(Devices)]
        { shoe: ShoeNo, salt: Arc<str>, cards: Vec<Card>, },
        /// Decides whether carried cards that already establish a bet are used or discarded.
        RuleCarriedCards = "rule-carried-cards"
            [staff(ShiftManager).between_rounds().topic(Shoe)]
        { keep: bool, reason: Arc<str>, },

        // Bets.
        /// "Place your Bets, please."
        OpenBets = "open-bets"
            [staff(Dealer).or_house().between_rounds().topic(Play)]
        {},
        /// "No more Bets."
        CloseBets = "close-bets"
            [staff(Dealer).or_house().while_betting().topic(Play)]
        {},
        /// Places a wager, or raises one. Who sits at the box is Seated; a `stance` that says otherwise is refused.
        PlaceWager = "place-wager"
            [staff(Dealer).or_patrons().while_betting().names_its_round().on_behalf().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
            #[serde(default, skip_serializing_if = "Option::is_none")] stance: Option<Stance>,
            bet: BetId,
            stake: Money,
        },
        /// Takes a wager back, or a part of it.
        WithdrawWager = "withdraw-wager"
            [staff(Dealer).or_patrons().while_betting().names_its_round().patrons_own().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
            bet: BetId,
            #[serde(default)] amount: Option<Money>,
        },
        /// Records what lies on the felt: the whole stake of a patron on a bet in a box; nothing if it is gone.
        RecordChips = "record-chips"
            [staff(Dealer).while_betting().names_its_round().on_chips().takes(ObservedLimits).topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] stance: Option<Stance>,
            bet: BetId,
            stake: Money,
        },
        /// Rejects what takes a box over the Differential on a table that observes.
        RejectExcess = "reject-excess"
            [staff(Dealer).while_betting().on_chips().takes(ObservedLimits).topic(Wagers)]
        { #[serde(rename = "box")] box_no: BoxNo, },
        /// Tells a patron that a bet is outside its limits and may be raised or withdrawn (5.2), on a table that observes.
        Advise = "advise"
            [staff(Dealer).while_betting().on_chips().takes(ObservedLimits).topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            bet: BetId,
        },
        /// Amends the record to what lay on the felt at close. After the first card, until the next Round commences, with a
        /// recording that shows it and a second person.
        AmendWager = "amend-wager"
            [staff(PitSupervisor).at_own_point().names_its_round().on_chips().topic(Wagers)]
        {
            patron: PatronNo,
            #[serde(rename = "box")] box_no: BoxNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] stance: Option<Stance>,
            bet: BetId,
            stake: Money,
            reason: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] surveillance: Option<Arc<str>>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second_post: Option<Post>,
        },

        // Cards.
        /// Asks to squeeze a card, counted from 1 in drawing order.
        AskSqueeze = "ask-squeeze"
            [staff(Dealer).or_patrons().while_dealing().takes(Squeeze).topic(Wagers)]
        { patron: PatronNo, card: u8, },
        /// Hands the cards of a Hand to a person, who looks at them first.
        HandCards = "hand-cards"
            [staff(Dealer).while_dealing().takes(Squeeze).topic(Wagers)]
        { side: Side, patron: PatronNo, },
        /// Grants the squeeze, or not.
        GrantSqueeze = "grant-squeeze"
            [staff(Dealer).while_dealing().takes(Squeeze).topic(Dealing)]
        { patron: PatronNo, card: u8, grant: bool, },
        /// A card left the shoe; `to` where it was put, if that was noticed.
        DrawCard = "draw-card"
            [staff(Dealer).or_house().at_own_point().topic(Dealing)]
        { card: Seen, source: Source, #[serde(default)] to: Option<Side>, },
        /// Says what it is that could not be read.
        ReadCard = "read-card"
            [staff(Dealer).answers(UnreadCard).topic(Dealing)]
        { card: Seen, },
        /// A card was keyed wrongly: which, counted from 1 in drawing order, what was keyed and what it is.
        CorrectCard = "correct-card"
            [staff(Dealer).at_own_point().topic(Play)]
        { at: u16, was: Card, card: Card, },
        /// Turns cards face up; all if none are named.
        TurnCards = "turn-cards"
            [staff(Dealer).at_own_point().topic(Play)]
        { #[serde(default)] cards: Vec<u16>, },
        /// After an interruption: all cards that are out, in drawing order; `second` is the Dealer who confirms them too.
        ConfirmCards = "confirm-cards"
            [staff(Dealer).answers(CardsToConfirm).while_interrupted().topic(Dealing)]
        {
            cards: Vec<Card>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Confirms the result, which settles the Round.
        ConfirmResult = "confirm-result"
            [staff(Dealer).at_own_point().topic(Play)]
        {},

        // Irregularities.
        /// Reports an irregularity.
        Report = "report"
            [staff(Dealer).or_house().while_covered().topic(Matters)]
        { report: Report, },
        /// Rules on a matter.
        Rule = "rule"
            [staff(Dealer).answers(Matter).topic(Matters)]
        {
            matter: MatterNo,
            ruling: Ruling,
            #[serde(default)] replace_shoe: bool,
            reason: Arc<str>,
            #[serde(default)] second: Option<Person>,
            /// In which post the second person agrees; from any pit, or remotely.
            #[serde(default, skip_serializing_if = "Option::is_none")] second_post: Option<Post>,
            /// The interpretation that a Shift Manager or above departs from in this case.
            #[serde(default, skip_serializing_if = "Option::is_none")] departs: Option<u8>,
        },
        /// Continues, or takes the bets back.
        Choose = "choose"
            [staff(Dealer).or_patrons().while_choosing().names_its_round().patrons_own().topic(Matters)]
        { patron: PatronNo, choice: Choice, },
        /// Ends the time for choices.
        CloseChoices = "close-choices"
            [staff(Dealer).or_house().while_choosing().topic(Play)]
        {},

        // Credits and tickets.
        /// Credits bought.
        BuyCredits = "buy-credits"
            [cashiers().on_credits().beside_play().topic(Payments)]
        { patron: PatronNo, amount: Money, },
        /// A note in an acceptor becomes credits.
        AcceptNote = "accept-note"
            [acceptors().on_credits().topic(Devices)]
        { patron: PatronNo, amount: Money, },
        /// A note that was not credited, or a ticket that nobody took.
        ReportCase = "report-case"
            [staff(Dealer).or_acceptors().on_credits().while_interrupted().topic(Payments)]
        { patron: PatronNo, report: CaseReport, },
        /// Puts a case right.
        SettleCase = "settle-case"
            [staff(PitSupervisor).answers(Case).on_credits().topic(Payments)]
        {
            case: CaseNo,
            outcome: CaseOutcome,
            reason: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Takes the box out of an acceptor.
        EmptyAcceptor = "empty-acceptor"
            [staff(PitSupervisor).answers(Acceptor).on_credits().topic(Payments)]
        {
            acceptor: DeviceId,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Counts a box that was taken out.
        CountAcceptor = "count-acceptor"
            [cashiers().answers(DropBox).topic(Payments)]
        {
            drop: DropNo,
            counted: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Credits by ticket.
        RedeemTicket = "redeem-ticket"
            [cashiers().or_patrons().on_credits().topic(Payments)]
        { patron: PatronNo, ticket: TicketNo, },
        /// All credits out, as a ticket.
        CashOut = "cash-out"
            [cashiers().or_patrons().on_credits().by_two_at_the_cage().topic(Payments)]
        {
            patron: PatronNo,
            /// Who attends, where a Cashier does it for the patron.
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Collects what a correction could not take back.
        Collect = "collect"
            [staff(Dealer).or_cashiers().with_float_open().by_two().beside_play().topic(Payments)]
        {
            patron: PatronNo,
            amount: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// What the Dealer really pushed to a patron, stakes included, where it was not what was settled; as counted on the
        /// recording that is named. After the next Round commenced a second person agrees.
        RecordPush = "record-push"
            [staff(PitSupervisor).at_own_point().on_chips().topic(Payments)]
        {
            round: RoundNo,
            patron: PatronNo,
            counted: Money,
            surveillance: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second_post: Option<Post>,
        },
        /// Somebody who may not play has a bet in the Round: it stands, and whatever it gives is held until two people
        /// decide. The reference is that of Compliance.
        HoldPayout = "hold-payout"
            [staff(PitSupervisor).at_own_point().topic(Payments)]
        { patron: PatronNo, reference: Arc<str>, },
        /// Decides what becomes of a held payout.
        DecideHeld = "decide-held"
            [staff(ShiftManager).answers(HeldPayout).beside_play().topic(Payments)]
        {
            slip: SlipNo,
            outcome: HeldOutcome,
            reference: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second_post: Option<Post>,
        },
        /// Extends by a day the time for which a claim holds back money.
        ExtendHold = "extend-hold"
            [staff(ShiftManager).answers(Hold).topic(Payments)]
        { matter: MatterNo, reason: Arc<str>, },
        /// Credits that nobody plays with any more are set aside for the patron; the attendant is at the terminal and
        /// agrees.
        KeepUnclaimed = "keep-unclaimed"
            [staff(PitSupervisor).on_credits().beside_play().topic(Payments)]
        {
            patron: PatronNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] attendant: Option<Person>,
        },
        /// Reviews credits that were set aside.
        ReviewSetAside = "review-set-aside"
            [staff(ShiftManager).answers(SetAside).on_credits().topic(Payments)]
        { slip: SlipNo, reason: Arc<str>, },
        /// Pays out what was unclaimed.
        PayUnclaimed = "pay-unclaimed"
            [cashiers().by_two().beside_play().topic(Payments)]
        {
            patron: PatronNo,
            amount: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },

        // The float of a chip table.
        /// Chips in the tray when the table opens.
        OpenFloat = "open-float"
            [staff(PitSupervisor).at_own_point().on_chips().by_two().beside_play().topic(Float)]
        {
            amount: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Chips counted when the table closes.
        CloseFloat = "close-float"
            [staff(PitSupervisor).between_rounds().on_chips().by_two().beside_play().topic(Float)]
        {
            counted: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Chips from the cage.
        Fill = "fill"
            [staff(PitSupervisor).with_float_open().on_chips().by_two().beside_play().topic(Float)]
        {
            amount: Money,
            slip: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Chips to the cage.
        Credit = "credit"
            [staff(PitSupervisor).with_float_open().on_chips().by_two().beside_play().topic(Float)]
        {
            amount: Money,
            slip: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Covers the float: nobody is at the table.
        CoverFloat = "cover-float"
            [staff(Dealer).with_float_open().on_chips().while_covered().while_interrupted().topic(Float)]
        { cause: Cause, },
        /// Uncovers it: a Pit Supervisor or above, and the Dealer who agrees that it is as it was left.
        UncoverFloat = "uncover-float"
            [staff(PitSupervisor).at_own_point().on_chips().while_covered().while_interrupted().topic(Float)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },
        /// Cash into the drop box, chips to a patron. In a house a second person has counted the cash as well.
        Drop = "drop"
            [staff(Dealer).with_float_open().on_chips().by_two().beside_play().topic(Float)]
        {
            amount: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
        },

        // People and devices.
        /// A patron sits down at a box; without a number, one whom the table does not know yet.
        TakeSeat = "take-seat"
            [staff(Dealer).or_house().takes(Boxes).while_covered().topic(People)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] patron: Option<PatronNo>,
            #[serde(rename = "box")] box_no: BoxNo,
        },
        /// The one who sits at a box gets up.
        LeaveSeat = "leave-seat"
            [staff(Dealer).or_house().takes(Boxes).while_covered().topic(People)]
        { #[serde(rename = "box")] box_no: BoxNo, },
        /// A terminal can no longer be reached.
        LoseTerminal = "lose-terminal"
            [house().topic(Devices)]
        { patron: PatronNo, },
        /// A terminal is back.
        RestoreTerminal = "restore-terminal"
            [house().topic(Devices)]
        { patron: PatronNo, },
        /// Opens a dispute.
        OpenDispute = "open-dispute"
            [staff(Dealer).or_patrons().while_covered().topic(Table)]
        {
            #[serde(default)] round: Option<RoundNo>, #[serde(default)] patron: Option<PatronNo>, words: Arc<str>,
            /// What it is about; the wagers are then kept as the record has them now.
            #[serde(default, skip_serializing_if = "Option::is_none")] about: Option<DisputeAbout>,
            /// A box beside those in which the patron has wagers.
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] box_no: Option<BoxNo>,
        },
        /// Bundles what the record says for a dispute.
        BundleDispute = "bundle-dispute"
            [staff(PitSupervisor).answers(Dispute).while_covered().beside_play().topic(Table)]
        { dispute: DisputeNo, digest: Digest, },
        /// A Pit Supervisor or above has seen a dispute; with the reference of a recording, that it was spoken before the
        /// next Round commenced although it was recorded later.
        SeeDispute = "see-dispute"
            [staff(PitSupervisor).answers(Dispute).while_covered().topic(Table)]
        {
            dispute: DisputeNo,
            #[serde(default, skip_serializing_if = "Option::is_none")] surveillance: Option<Arc<str>>,
        },
        /// Closes a dispute: what was decided, and the matter by which money moved, if any did.
        CloseDispute = "close-dispute"
            [staff(PitSupervisor).answers(Dispute).beside_play().topic(Table)]
        {
            dispute: DisputeNo,
            words: Arc<str>,
            #[serde(default, skip_serializing_if = "Option::is_none")] matter: Option<MatterNo>,
        },
        /// Somebody takes a post at the table.
        TakePost = "take-post"
            [staff(Dealer).or_administrators().while_covered().beside_play().topic(People)]
        { person: Person, post: Post, },
        /// Somebody leaves a post.
        LeavePost = "leave-post"
            [staff(Dealer).or_administrators().while_covered().beside_play().topic(People)]
        { person: Person, post: Post, },
        /// A shift begins.
        StartShift = "start-shift"
            [staff(PitManager).while_covered().beside_play().topic(People)]
        { name: ShiftName, },
        /// The clock jumped.
        NoteClock = "note-clock"
            [house().while_covered().while_interrupted().topic(Devices)]
        { from: Timestamp, to: Timestamp, },
    }
}
