//! What one audience may see of a table, and which orders it may give now. One function of state and audience.

mod floor;
mod matter;
mod money;
mod orders;
mod play;
mod printed;

use punto_record::{
    Actor, BoxNo, CardDevice, CardSet, Cards, CommandKind, Faces, LimitsMode, MoneyKind, ResultBy, RoundNo,
    RoundResult, Seen, Seq, SettledLine, ShoeNo, TableId, Timestamp,
};
use punto_rules::rulebook::Mode;
use punto_rules::{
    BetId, BoxLimits, Burn, BySide, Card, Cite, Flag, Label, Money, PatronNo, Post, Range, Side, reconstruct,
};
use serde::Serialize;

pub use floor::{DisputeView, DisputeWaits, FloorView, SqueezeView};
pub use matter::{MatterView, Proposal};
pub use money::{
    AcceptorsView, AccountView, CaseView, HeldPayoutView, HoldView, HouseView, OwnView, SetAsideView,
    WagerView,
};
pub use play::{BecauseWord, DecisionView};
pub use printed::{FactTold, Printed, PrintedBet, PrintedIrregularity, PrintedRow, PrintedTableOfPlay};

use crate::audience::Audience;
use crate::law::Law;
use crate::roads::{Counters, RoadsView};
use crate::round::{Round, Stage};
use crate::state::{Announced, Phase, State};
use crate::table::Table;

/// A table as somebody may see it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View<'a> {
    /// The record up to which it holds.
    pub seq: Seq,
    /// The time of the last entry.
    pub now: Timestamp,
    /// What the table offers; none before it was first opened.
    pub table: Option<TableView<'a>>,
    /// Where it stands.
    pub phase: PhaseWord,
    /// The Round in play, or the last one.
    pub round: RoundNo,
    /// When bets or choices close.
    pub closes_at: Option<Timestamp>,
    /// The Round announced as the last.
    pub closing: Option<RoundNo>,
    /// The shoe.
    pub shoe: Option<ShoeView<'a>>,
    /// The cards, as they lie.
    pub cards: Vec<CardView>,
    /// Whose card is next, where everybody may know.
    pub next: Option<Side>,
    /// What the Table of Play has decided, where everybody may know.
    pub decisions: Vec<DecisionView<'a>>,
    /// Point Totals, where everybody may know.
    pub points: Option<BySide<u8>>,
    /// The result, once it is there for everybody to see.
    pub result: Option<&'a RoundResult>,
    /// Cards that open the next Round.
    pub carried: &'a [Card],
    /// The Round before.
    pub last: Option<LastView<'a>>,
    /// The roads of the shoe. They inform; the cards decide.
    pub roads: RoadsView<'a>,
    /// How often each outcome came.
    pub counters: Counters,
    /// One's own money; terminals only.
    pub own: Option<OwnView<'a>>,
    /// Every wager, in the order of boxes; console, pit and auditor.
    pub wagers: Option<Vec<WagerView<'a>>>,
    /// Who sits at which box; console, pit and auditor.
    pub seats: Option<Vec<(BoxNo, PatronNo)>>,
    /// What breaks a limit while bets are open; console, pit and auditor.
    pub flags: Option<Vec<(BoxNo, Vec<Flag>)>>,
    /// Everybody's credits; pit, cage and auditor.
    pub accounts: Option<Vec<AccountView>>,
    /// Notes that were not credited and tickets that nobody took; console, pit and auditor.
    pub cases: Option<Vec<CaseView<'a>>>,
    /// Money in acceptors; pit, cage and auditor.
    pub acceptors: Option<AcceptorsView<'a>>,
    /// Credits that were set aside and wait for a review; pit, cage and auditor.
    pub set_aside: Option<Vec<SetAsideView<'a>>>,
    /// Payouts that are held; console, pit and auditor.
    pub held_payouts: Option<Vec<HeldPayoutView<'a>>>,
    /// What is to be ruled; console, pit and auditor.
    pub matters: Option<Vec<MatterView<'a>>>,
    /// Who works at the table and what is asked of them; console, pit and auditor.
    pub floor: Option<FloorView<'a>>,
    /// Chips in the tray, as far as the record knows; console, pit and auditor, where chips are played with.
    pub float: Option<i64>,
    /// The House's own figures; pit and auditor.
    pub house: Option<HouseView>,
    /// The orders that this audience may give now.
    pub possible: Vec<CommandKind>,
    /// The orders that floor staff can give now, each with the least post that can; console and pit, where somebody may
    /// come and sign for one.
    pub least: Option<Vec<(CommandKind, Post)>>,
}

/// What a table offers, as displayed at it (3.4).
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct TableView<'a> {
    pub table: &'a TableId,
    pub game: &'a str,
    pub title: &'a Label,
    pub version: Option<u32>,
    pub mode: Mode,
    pub layout: &'a str,
    pub decks: u8,
    pub boxes: Option<u8>,
    pub currency: &'a str,
    pub unit: Money,
    pub betting_box: Option<BoxLimits>,
    pub limits: LimitsMode,
    pub limits_cite: &'a Cite,
    /// Other limits, and from when they apply.
    pub announced: Option<&'a Announced>,
    pub money: MoneyKind,
    pub device: CardDevice,
    pub cards: Cards,
    pub faces: Faces,
    pub result: ResultBy,
    pub betting_seconds: u16,
    pub bets: Vec<BetView<'a>>,
    /// Displays inform, the cards decide.
    pub display_cite: Option<&'a Cite>,
}

/// A bet that the layout offers.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct BetView<'a> {
    pub bet: &'a BetId,
    pub label: &'a Label,
    pub cite: &'a Cite,
    pub side: Option<Side>,
    pub range: Option<Range>,
}

/// Where a table stands, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PhaseWord {
    Closed,
    Between,
    Betting,
    Dealing,
    Unread,
    Held,
    Choosing,
    Confirming,
    Interrupted,
}

/// The cards in use.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct ShoeView<'a> {
    pub shoe: ShoeNo,
    pub card_set: &'a CardSet,
    pub left: Option<u16>,
    pub cards: u16,
    pub cut_card_out: bool,
    /// The burn that is still to be done.
    pub burn_due: Option<Burn>,
    pub must_exchange: Option<&'a Cite>,
}

/// A card on the felt.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct CardView {
    pub card: Seen,
    pub side: Option<Side>,
}

/// The Round before.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct LastView<'a> {
    pub round: RoundNo,
    /// None where it was void.
    pub result: Option<&'a RoundResult>,
    /// One's own lines; for those who see all wagers, all of them.
    pub lines: Vec<&'a SettledLine>,
}

impl Table {
    /// What an audience may see, and which orders it may give now.
    pub fn view(&self, audience: Audience) -> View<'_> {
        let (state, law) = (self.state(), self.law());
        let round = state.round();
        let staff = audience.sees_wagers();
        // INTERPRETATION 30: displays inform, the cards decide. What lies face down is nobody's on a display.
        let open = staff || !round.is_some_and(|round| round.has_covered());
        View {
            seq: state.seq,
            now: state.now,
            table: law.map(|law| table_view(state, law)),
            phase: phase_word(state),
            round: state.rounds,
            closes_at: round.and_then(closes_at),
            closing: state.closing,
            shoe: law.and_then(|law| shoe_view(state, law)),
            cards: round.map_or_else(Vec::new, |round| card_views(round, staff)),
            next: round.filter(|_| open).and_then(Round::due),
            decisions: round
                .filter(|_| open)
                .zip(law)
                .map_or_else(Vec::new, |(round, law)| play::decisions(round, law)),
            points: round.filter(|_| open).and_then(points),
            result: round.filter(|_| open).and_then(result),
            carried: &state.carried,
            last: last_view(state, audience),
            roads: self.roads().view(),
            counters: self.roads().counters(),
            own: money::own_view(state, law, audience),
            wagers: staff
                .then(|| round.zip(law).map_or_else(Vec::new, |(round, law)| money::wagers(round, law))),
            seats: staff.then(|| state.seats.iter().map(|(box_no, patron)| (*box_no, *patron)).collect()),
            flags: law.filter(|_| staff).map(|law| money::flags(state, law)),
            accounts: audience.sees_accounts().then(|| money::accounts(state)),
            cases: staff.then(|| money::cases(state)),
            acceptors: audience.sees_accounts().then(|| money::acceptors(state, audience)),
            set_aside: audience.sees_accounts().then(|| money::set_aside(state)),
            held_payouts: staff.then(|| money::held_payouts(state)),
            matters: law.filter(|_| staff).map(|law| matter::matters(state, law)),
            floor: staff.then(|| floor::floor(state, law, audience)),
            float: state.float.filter(|_| staff),
            house: matches!(audience, Audience::Pit { .. } | Audience::Auditor)
                .then(|| HouseView { won: state.books.house, disputes: state.disputes.len() }),
            possible: orders::possible(state, law, audience),
            least: matches!(audience, Audience::Console { .. } | Audience::Pit { .. })
                .then(|| orders::least(state, law)),
        }
    }

    /// What of a terminal's view is its own: its money, and its lines of the Round before. All else is the same for
    /// everybody.
    pub fn own(&self, patron: PatronNo) -> (Option<OwnView<'_>>, Option<LastView<'_>>) {
        let audience = Audience::Terminal { patron };
        (money::own_view(self.state(), self.law(), audience), last_view(self.state(), audience))
    }

    /// Where it stands, in one word.
    pub fn phase_word(&self) -> PhaseWord {
        phase_word(self.state())
    }

    /// The orders that a patron could give now who lacks nothing.
    pub fn possible_at_terminals(&self) -> Vec<CommandKind> {
        orders::gated(self.state(), self.law(), &Actor::Patron { patron: PatronNo(0) }).collect()
    }
}

fn table_view<'a>(state: &'a State, law: &'a Law) -> TableView<'a> {
    let settings = &law.settings;
    let bets = law.terms.bets().iter().map(|bet| BetView {
        bet: &bet.id,
        label: &bet.label,
        cite: &bet.cite,
        side: bet.original,
        range: law.terms.range(law.terms.bet_no(bet.id.as_str()).expect("a bet of the layout")),
    });
    TableView {
        table: &settings.table,
        game: &settings.game,
        title: &law.rulebook.title,
        version: law.rulebook.version,
        mode: law.rulebook.mode,
        layout: &settings.layout,
        decks: settings.decks,
        boxes: settings.boxes,
        currency: settings.currency.as_str(),
        unit: law.terms.unit(),
        betting_box: law.terms.box_limits(),
        limits: settings.limits,
        limits_cite: &law.rulebook.limits.cite,
        announced: state.announced.as_ref(),
        money: settings.money,
        device: settings.device,
        cards: settings.cards,
        faces: settings.faces,
        result: settings.result.expect("a law leaves nothing open"),
        betting_seconds: settings.betting_seconds,
        bets: bets.collect(),
        display_cite: law.rulebook.conduct.display_informs.as_ref(),
    }
}

fn phase_word(state: &State) -> PhaseWord {
    match &state.phase {
        Phase::Closed => PhaseWord::Closed,
        Phase::Between { .. } => PhaseWord::Between,
        Phase::Round(round) => match round.stage {
            Stage::Betting { .. } => PhaseWord::Betting,
            Stage::Dealing {} => PhaseWord::Dealing,
            Stage::Unread {} => PhaseWord::Unread,
            Stage::Held { .. } => PhaseWord::Held,
            Stage::Choosing { .. } => PhaseWord::Choosing,
            Stage::Confirming { .. } => PhaseWord::Confirming,
            Stage::Interrupted { .. } => PhaseWord::Interrupted,
        },
    }
}

fn closes_at(round: &Round) -> Option<Timestamp> {
    match &round.stage {
        Stage::Betting { closes_at } => Some(*closes_at),
        Stage::Choosing { until, .. } => Some(*until),
        Stage::Dealing {}
        | Stage::Unread {}
        | Stage::Held { .. }
        | Stage::Confirming { .. }
        | Stage::Interrupted { .. } => None,
    }
}

fn shoe_view<'a>(state: &'a State, law: &Law) -> Option<ShoeView<'a>> {
    let shoe = state.shoe.as_ref()?;
    Some(ShoeView {
        shoe: shoe.no,
        card_set: &shoe.card_set,
        left: (!law.is_continuous()).then_some(shoe.left()),
        cards: shoe.cards,
        cut_card_out: shoe.cut_card_out,
        burn_due: law.burn_due(shoe).then_some(law.settings.burn),
        must_exchange: shoe.must_exchange.as_ref(),
    })
}

fn card_views(round: &Round, staff: bool) -> Vec<CardView> {
    let shown = |seen: &Seen, covered: bool| if covered && !staff { Seen::Covered } else { seen.clone() };
    let cards = round.drawn.iter();
    cards.map(|dealt| CardView { card: shown(&dealt.seen, dealt.covered), side: dealt.side }).collect()
}

fn points(round: &Round) -> Option<BySide<u8>> {
    let (deal, _) = reconstruct(&round.order);
    (!deal.is_empty()).then(|| BySide::from_fn(|side| deal.hands()[side].points().get()))
}

fn result(round: &Round) -> Option<&RoundResult> {
    match &round.stage {
        Stage::Confirming { result } => Some(result),
        Stage::Betting { .. }
        | Stage::Dealing {}
        | Stage::Unread {}
        | Stage::Held { .. }
        | Stage::Choosing { .. }
        | Stage::Interrupted { .. } => None,
    }
}

fn last_view(state: &State, audience: Audience) -> Option<LastView<'_>> {
    let last = state.last()?;
    let is_seen = |line: &&SettledLine| match audience {
        Audience::Terminal { patron } => line.patron == patron,
        Audience::Board | Audience::Cage => false,
        Audience::Console { .. } | Audience::Pit { .. } | Audience::Auditor => true,
    };
    let lines = last.lines.iter().filter(is_seen).collect();
    Some(LastView { round: last.no, result: last.result.as_ref(), lines })
}
