//! Who orders what next: mostly what a floor would do, mixed with what nobody should.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{
    Actor, Command, CommandKind as Kind, DeviceId, EstablishedBy, MoneyKind, Order, OrderId, PostsBy,
    RoundNo, Timestamp,
};
use punto_record::{Approvals, LedgerKind, TicketAnswer, TicketNo};
use punto_rules::{Money, Post};
use punto_table::{Given, Phase, Rules, Stage, Table};

use super::dice::Dice;
use super::fill::Fill;

const START: u64 = 1_767_225_600_000;
/// How many orders back a retry may reach.
const REMEMBERED: usize = 40;

pub(crate) struct Sender {
    dice: Dice,
    books: Arc<[(String, Arc<str>)]>,
    game: Arc<str>,
    now: u64,
    numbers: BTreeMap<DeviceId, u64>,
    sent: Vec<Order>,
    /// What a house has recorded, where the table is in one.
    pub(crate) approvals: Option<Approvals>,
}

impl Sender {
    pub(crate) fn new(seed: u64, books: Arc<[(String, Arc<str>)]>, game: Arc<str>) -> Sender {
        let dice = Dice::new(seed);
        Sender { dice, books, game, now: START, numbers: BTreeMap::new(), sent: Vec::new(), approvals: None }
    }

    /// The next order, and what was looked up for it.
    pub(crate) fn next(&mut self, table: &Table) -> (Order, Given) {
        self.now += self.dice.below(1500) as u64;
        let order = match self.dice.below(100) {
            0..3 if !self.sent.is_empty() => self.dice.pick(&self.sent),
            3..5 if !self.sent.is_empty() => self.reused(table),
            5..10 => self.nonsense(table),
            _ => self.sensible(table),
        };
        self.sent.push(order.clone());
        if self.sent.len() > REMEMBERED {
            self.sent.remove(0);
        }
        let mut given = self.given();
        if let Some(approvals) = &self.approvals {
            given.rules = Rules::of(LedgerKind::House, approvals, table, &order);
        }
        (order, given)
    }

    fn given(&mut self) -> Given {
        let amount = Fill { dice: &mut self.dice, table: &Table::default(), books: &self.books }.amount();
        let good =
            |currency: &'static str| Some(TicketAnswer::Reserved { amount, currency: Some(currency.into()) });
        let ticket = self.dice.weigh(&[
            (60, good("SGD")),
            (5, good("USD")),
            (5, None),
            (5, Some(TicketAnswer::NotFound)),
            (5, Some(TicketAnswer::InUse)),
            (5, Some(TicketAnswer::Paid)),
            (5, Some(TicketAnswer::Expired)),
            (5, Some(TicketAnswer::Void)),
            (2, Some(TicketAnswer::Tampered)),
        ]);
        let named = || format!("ticket-{}", self.now).parse::<TicketNo>().expect("a name").into();
        let new_ticket = self.dice.chance(92).then(named);
        Given { ticket, new_ticket, ..Given::default() }
    }

    /// An id that was used, or one before it, with another order.
    fn reused(&mut self, table: &Table) -> Order {
        let old = self.dice.pick(&self.sent);
        let mut order = self.sensible(table);
        order.id = old.id;
        if self.dice.chance(40) {
            order.id.n = order.id.n.saturating_sub(1 + self.dice.below(3) as u64);
        }
        order
    }

    fn nonsense(&mut self, table: &Table) -> Order {
        let kind = self.dice.pick(Kind::ALL);
        let by = if self.dice.chance(50) { self.anybody() } else { self.somebody(table, kind) };
        self.order(table, kind, by)
    }

    fn sensible(&mut self, table: &Table) -> Order {
        if table.state().phase == Phase::Closed && table.state().settings.is_none() {
            let mut settings = Box::new(super::floor::settings(&mut self.dice, &self.game));
            // A house mostly opens its tables as a house must.
            if self.approvals.is_some() && self.dice.chance(90) {
                (settings.posts, settings.established_by) = (PostsBy::Held, EstablishedBy::Offered);
            }
            let by = Actor::Administrator { person: "office".into() };
            let command =
                Command::OpenTable { settings, rulebook: self.game.clone(), second: Some("chief".into()) };
            return self.name(table, by, command);
        }
        let kind = self.kind(table);
        let by = self.somebody(table, kind);
        self.order(table, kind, by)
    }

    fn order(&mut self, table: &Table, kind: Kind, by: Actor) -> Order {
        // Mostly posts are taken before somebody works in them.
        if let Some((by, command)) = posted(table, &by).filter(|_| self.dice.chance(97)) {
            return self.name(table, by, command);
        }
        let mut fill = Fill { dice: &mut self.dice, table, books: &self.books };
        let mut command = fill.command(kind);
        // Who orders for themselves, but for a few.
        if let (Some(patron), false) = (by.patron(), self.dice.chance(4)) {
            speak_for(&mut command, patron);
        }
        self.name(table, by, command)
    }

    fn name(&mut self, table: &Table, by: Actor, command: Command) -> Order {
        let device: DeviceId = match &by {
            Actor::Patron { patron } => format!("terminal-{}", patron.0).parse().expect("a name"),
            Actor::Staff { .. } => "console".into(),
            Actor::Cashier { .. } => "cage".into(),
            Actor::Auditor { .. } | Actor::Administrator { .. } => "office".into(),
            Actor::House => "house".into(),
            Actor::Acceptor { acceptor, .. } => acceptor.clone(),
        };
        let last = self.numbers.entry(device.clone()).or_default();
        *last += 1 + u64::from(self.dice.chance(5));
        let n = *last;
        let must = matches!(
            command.kind(),
            Kind::PlaceWager | Kind::WithdrawWager | Kind::RecordChips | Kind::AmendWager | Kind::Choose
        );
        let RoundNo(current) = table.state().rounds;
        let round = match self.dice.below(100) {
            0..2 => Some(RoundNo(current.wrapping_sub(1))),
            2..4 => Some(RoundNo(current + 1)),
            4..6 => None,
            _ => (must || self.dice.chance(20)).then_some(RoundNo(current)),
        };
        self.wait(table, command.kind());
        let at = if self.dice.chance(3) { self.now.saturating_sub(9000) } else { self.now };
        Order { id: OrderId { device, n }, by, at: Timestamp(at), round, command }
    }

    /// Whether no Round may commence under the rules of the table.
    fn is_barred(&self, table: &Table) -> bool {
        let Some((approvals, text)) = self.approvals.as_ref().zip(table.state().digest) else { return false };
        !approvals.of(text, Timestamp(self.now)).is_some_and(|it| it.is_in_force(Timestamp(self.now)))
    }

    /// Lets the time pass that an order waits for.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only these wait")]
    fn wait(&mut self, table: &Table, kind: Kind) {
        let due = match (kind, table.state().round().map(|round| &round.stage)) {
            (Kind::CloseBets, Some(Stage::Betting { closes_at: due }))
            | (Kind::CloseChoices, Some(Stage::Choosing { until: due, .. })) => due.0,
            // Until other limits apply.
            (Kind::OpenBets, None) => table.state().announced.as_ref().map_or(0, |it| it.from.0),
            (Kind::KeepUnclaimed, None) => {
                let minutes = table.state().settings.as_ref().map_or(30, |it| it.abandoned_minutes);
                let last = table.state().active.values().max().copied().unwrap_or_default();
                last.plus_minutes(minutes).0
            }
            _ => return,
        };
        if self.dice.chance(70) {
            self.now = self.now.max(due);
        }
    }

    fn staff(post: Post) -> Actor {
        let person = match post {
            Post::Dealer => "p-1",
            Post::PitSupervisor => "p-2",
            Post::PitManager => "p-4",
            Post::ShiftManager => "p-5",
            Post::DutyManager => "p-6",
        };
        Actor::Staff { person: person.into(), post }
    }

    fn anybody(&mut self) -> Actor {
        let patron = Fill { dice: &mut self.dice, table: &Table::default(), books: &self.books }.patron();
        self.dice.pick(&[
            Actor::Patron { patron },
            Self::staff(Post::Dealer),
            Self::staff(Post::PitSupervisor),
            Self::staff(Post::PitManager),
            Self::staff(Post::ShiftManager),
            Self::staff(Post::DutyManager),
            Actor::Cashier { person: "cage".into() },
            Actor::Auditor { person: "audit".into() },
            Actor::Administrator { person: "office".into() },
            Actor::House,
        ])
    }

    /// Somebody who is likely to be allowed to.
    fn somebody(&mut self, table: &Table, kind: Kind) -> Actor {
        if self.dice.chance(3) {
            return self.anybody();
        }
        let patron = Fill { dice: &mut self.dice, table: &Table::default(), books: &self.books }.patron();
        let patron = Actor::Patron { patron };
        let chips = table.law().is_some_and(|law| law.settings.money == MoneyKind::Chips);
        let live = table.law().is_some_and(|law| !law.is_electronic());
        let software = table.law().is_some_and(|law| law.settings.cards == punto_record::Cards::Software);
        let held = table.law().is_some_and(|law| law.settings.posts == PostsBy::Held);
        let cashier = Actor::Cashier { person: "cage".into() };
        match kind {
            Kind::TakePost | Kind::LeavePost if held => Self::staff(Post::ShiftManager),
            Kind::OpenTable | Kind::ChangeSettings | Kind::TakePost | Kind::LeavePost => {
                Actor::Administrator { person: "office".into() }
            }
            Kind::RevealShoe | Kind::LoseTerminal | Kind::RestoreTerminal | Kind::NoteClock => Actor::House,
            Kind::TakeSeat | Kind::LeaveSeat => {
                if chips {
                    Self::staff(Post::Dealer)
                } else {
                    Actor::House
                }
            }
            Kind::DrawCard if software => Actor::House,
            Kind::CloseBets | Kind::CloseChoices => {
                if live {
                    Self::staff(Post::Dealer)
                } else {
                    Actor::House
                }
            }
            Kind::PlaceWager | Kind::WithdrawWager if chips || (live && self.dice.chance(20)) => {
                Self::staff(Post::Dealer)
            }
            // What is said beside a terminal that is down.
            Kind::WithdrawWager if self.dice.chance(20) => Self::staff(Post::PitSupervisor),
            Kind::Choose if self.dice.chance(30) => Self::staff(Post::PitSupervisor),
            Kind::PlaceWager | Kind::WithdrawWager | Kind::RedeemTicket | Kind::CashOut => patron,
            Kind::AskSqueeze | Kind::Choose | Kind::OpenDispute => {
                self.dice.pick(&[patron, Self::staff(Post::Dealer)])
            }
            Kind::BuyCredits | Kind::PayUnclaimed | Kind::Collect | Kind::CountAcceptor => cashier,
            Kind::AcceptNote | Kind::ReportCase => {
                let patron = patron.patron().expect("a patron");
                Actor::Acceptor {
                    acceptor: format!("acceptor-{}", patron.0).parse().expect("a name"),
                    patron,
                }
            }
            Kind::Rule => self.dice.weigh(&[
                (60, Self::staff(Post::ShiftManager)),
                (30, Self::staff(Post::PitSupervisor)),
                (5, Self::staff(Post::Dealer)),
            ]),
            Kind::CorrectCard => self.dice.pick(&[
                Self::staff(Post::Dealer),
                Self::staff(Post::Dealer),
                Self::staff(Post::PitSupervisor),
            ]),
            Kind::RuleCarriedCards
            | Kind::StartShift
            | Kind::ExtendHold
            | Kind::ReviewSetAside
            | Kind::DecideHeld => Self::staff(Post::ShiftManager),
            Kind::CloseDispute => {
                self.dice.pick(&[Self::staff(Post::PitSupervisor), Self::staff(Post::ShiftManager)])
            }
            Kind::ChangeLimits
            | Kind::AnnounceClosing
            | Kind::CloseTable
            | Kind::ReconcileShoe
            | Kind::AmendWager
            | Kind::OpenFloat
            | Kind::CloseFloat
            | Kind::UncoverFloat
            | Kind::Fill
            | Kind::Credit
            | Kind::KeepUnclaimed
            | Kind::HoldPayout
            | Kind::SettleCase
            | Kind::EmptyAcceptor
            | Kind::BundleDispute
            | Kind::SeeDispute => Self::staff(Post::PitSupervisor),
            Kind::RecordPush => {
                self.dice.pick(&[Self::staff(Post::PitSupervisor), Self::staff(Post::ShiftManager)])
            }
            Kind::LoadShoe
            | Kind::InspectCards
            | Kind::CutCards
            | Kind::BurnCards
            | Kind::RetireShoe
            | Kind::ExchangeShoe
            | Kind::OpenBets
            | Kind::RecordChips
            | Kind::RejectExcess
            | Kind::Advise
            | Kind::HandCards
            | Kind::CoverFloat
            | Kind::GrantSqueeze
            | Kind::DrawCard
            | Kind::ReadCard
            | Kind::TurnCards
            | Kind::ConfirmResult
            | Kind::Report
            | Kind::Drop => Self::staff(Post::Dealer),
            Kind::ConfirmCards => self.dice.weigh(&[
                (70, Self::staff(Post::PitSupervisor)),
                (20, Self::staff(Post::ShiftManager)),
                (10, Self::staff(Post::Dealer)),
            ]),
        }
    }

    /// What is likely to be next.
    fn kind(&mut self, table: &Table) -> Kind {
        let state = table.state();
        if state.float_covered && self.dice.chance(50) {
            return Kind::UncoverFloat;
        }
        match &state.phase {
            Phase::Closed => self.dice.weigh(&[
                (9, Kind::OpenTable),
                (1, Kind::OpenBets),
                (if state.drops.is_empty() { 1 } else { 9 }, Kind::CountAcceptor),
                (1, Kind::EmptyAcceptor),
            ]),
            Phase::Between { .. } => self.between(table),
            Phase::Round(round) => match &round.stage {
                Stage::Betting { .. } => self.betting(table),
                Stage::Dealing {} if round.shoe_awaited => {
                    self.dice.weigh(&[(4, Kind::ExchangeShoe), (1, Kind::DrawCard)])
                }
                Stage::Dealing {} if round.drawn.is_empty() => self.dice.weigh(&[
                    (60, Kind::DrawCard),
                    (8, Kind::AmendWager),
                    (3, Kind::HoldPayout),
                    (6, Kind::AskSqueeze),
                    (4, Kind::HandCards),
                    (5, Kind::GrantSqueeze),
                    (4, Kind::Report),
                    (4, Kind::PlaceWager),
                    (2, Kind::WithdrawWager),
                ]),
                Stage::Dealing {} => self.dice.weigh(&[
                    (75, Kind::DrawCard),
                    (8, Kind::CorrectCard),
                    (5, Kind::AskSqueeze),
                    (4, Kind::HandCards),
                    (5, Kind::GrantSqueeze),
                    (8, Kind::Report),
                    (2, Kind::TurnCards),
                    (2, Kind::LoseTerminal),
                    (1, Kind::LeaveSeat),
                    (5, Kind::AmendWager),
                    (3, Kind::HoldPayout),
                    (1, Kind::PlaceWager),
                    (1, Kind::CashOut),
                ]),
                Stage::Unread {} => {
                    self.dice.weigh(&[(60, Kind::ReadCard), (6, Kind::Report), (5, Kind::DrawCard)])
                }
                Stage::Held { .. } => self.dice.weigh(&[
                    (75, Kind::Rule),
                    (6, Kind::Report),
                    (4, Kind::DrawCard),
                    (3, Kind::Choose),
                    (2, Kind::HoldPayout),
                    (3, Kind::TurnCards),
                    (3, Kind::ConfirmResult),
                    (3, Kind::PlaceWager),
                ]),
                Stage::Choosing { .. } => self.dice.weigh(&[
                    (70, Kind::Choose),
                    (15, Kind::CloseChoices),
                    (4, Kind::Report),
                    (3, Kind::DrawCard),
                    (3, Kind::ConfirmResult),
                ]),
                Stage::Confirming { .. } if round.has_covered() => {
                    self.dice.weigh(&[(80, Kind::TurnCards), (5, Kind::ConfirmResult), (5, Kind::Report)])
                }
                Stage::Confirming { .. } => self.dice.weigh(&[
                    (75, Kind::ConfirmResult),
                    (4, Kind::DrawCard),
                    (6, Kind::CorrectCard),
                    (8, Kind::Report),
                    (4, Kind::AmendWager),
                    (4, Kind::HoldPayout),
                    (2, Kind::OpenDispute),
                ]),
                Stage::Interrupted { .. } if round.disputed().is_some() => {
                    self.dice.weigh(&[(80, Kind::Rule), (5, Kind::ConfirmCards), (5, Kind::DrawCard)])
                }
                Stage::Interrupted { .. } => {
                    self.dice.weigh(&[(80, Kind::ConfirmCards), (5, Kind::DrawCard), (3, Kind::Rule)])
                }
            },
        }
    }

    fn betting(&mut self, table: &Table) -> Kind {
        let chips = table.law().is_some_and(|law| law.settings.money == MoneyKind::Chips);
        let observed =
            table.law().is_some_and(|law| law.settings.limits == punto_record::LimitsMode::Observed);
        // What the console shows to be over or under a limit.
        let flagged = table.law().zip(table.state().round()).is_some_and(|(law, round)| {
            let limits = law.terms.box_limits().filter(|_| observed);
            limits.is_some_and(|it| round.wagers.boxes().any(|(_, box_)| !box_.flags(it).is_empty()))
        });
        self.dice.weigh(&[
            (if observed { 15 } else { 55 }, Kind::PlaceWager),
            (if observed { 45 } else { 1 }, Kind::RecordChips),
            (9, Kind::WithdrawWager),
            (if flagged { 14 } else { 1 }, Kind::RejectExcess),
            (if flagged { 18 } else { 1 }, Kind::Advise),
            (if chips { 0 } else { 8 }, Kind::BuyCredits),
            (16, Kind::CloseBets),
            (2, Kind::Report),
            (1, Kind::DrawCard),
            (1, Kind::LoseTerminal),
            (6, Kind::TakeSeat),
            (2, Kind::LeaveSeat),
            (2, Kind::CashOut),
            (1, Kind::ChangeLimits),
            (if chips { 2 } else { 0 }, Kind::Drop),
        ])
    }

    fn between(&mut self, table: &Table) -> Kind {
        let state = table.state();
        let Some(law) = table.law() else { return Kind::OpenTable };
        let chips = law.settings.money == MoneyKind::Chips;
        if self.dice.chance(22) {
            return self.beside(chips);
        }
        if state.matters.iter().any(|matter| matter.holds) {
            // What a claim could take does not leave the table.
            let money = [Kind::CashOut, Kind::PayUnclaimed, Kind::KeepUnclaimed, Kind::ExtendHold];
            return if self.dice.chance(75) { Kind::Rule } else { self.dice.pick(&money) };
        }
        if (state.undecided().is_some() || state.unseen().is_some()) && self.dice.chance(60) {
            return self.dice.weigh(&[
                (4, Kind::CloseDispute),
                (3, Kind::SeeDispute),
                (2, Kind::OpenBets),
                (1, Kind::CloseFloat),
                (1, Kind::CloseTable),
            ]);
        }
        if state.last().is_some() && self.dice.chance(4) {
            return Kind::OpenDispute;
        }
        // Closing time: credits out, float counted, shoe away.
        // A house whose rules were withdrawn does not wait for its last Round.
        let barred = state.last_to_play().is_some() && self.is_barred(table);
        if barred || state.closing.is_some_and(|last| state.rounds >= last) {
            if self.dice.chance(10) {
                return Kind::OpenBets;
            }
            let credits = state.accounts.values().any(|account| account.credits > Money::ZERO);
            if !credits && !state.cases.is_empty() && self.dice.chance(50) {
                return Kind::SettleCase;
            }
            if !credits && !state.acceptors.is_empty() && self.dice.chance(60) {
                return Kind::EmptyAcceptor;
            }
            return match (credits, state.float.is_some(), state.shoe.is_some()) {
                (true, _, _) => Kind::CashOut,
                (false, true, _) => Kind::CloseFloat,
                (false, false, true) => Kind::RetireShoe,
                (false, false, false) => Kind::CloseTable,
            };
        }
        let owed = |account: &punto_table::Account| account.owed > Money::ZERO;
        if state.accounts.values().any(owed) && self.dice.chance(45) {
            return Kind::Collect;
        }
        if state.accounts.values().any(|account| account.unclaimed > 0) && self.dice.chance(25) {
            return Kind::PayUnclaimed;
        }
        if !state.drops.is_empty() && self.dice.chance(40) {
            return Kind::CountAcceptor;
        }
        if !state.set_aside.is_empty() && self.dice.chance(40) {
            return Kind::ReviewSetAside;
        }
        if !chips && state.accounts.values().any(|account| account.away) && self.dice.chance(25) {
            return Kind::KeepUnclaimed;
        }
        if state.closing.is_some() && self.dice.chance(10) {
            return Kind::CloseTable;
        }
        if chips && state.float.is_none() {
            return Kind::OpenFloat;
        }
        let Some(shoe) = &state.shoe else {
            return self.dice.weigh(&[
                (8, Kind::LoadShoe),
                (1, Kind::ReconcileShoe),
                (1, Kind::ChangeSettings),
            ]);
        };
        let left = shoe.left() + state.carried.len() as u16;
        if shoe.must_exchange.is_some() || !shoe.shuffled || shoe.cut_card_out || left < 4 {
            return self.dice.pick(&[Kind::ExchangeShoe, Kind::RetireShoe, Kind::OpenBets]);
        }
        if shoe.burnt == 0 && law.burn(None) > 0 {
            return self.dice.weigh(&[
                (8, Kind::BurnCards),
                (1, Kind::CutCards),
                (1, Kind::InspectCards),
                (1, Kind::OpenBets),
            ]);
        }
        if !state.carried.is_empty() && !state.carried_ruled && law.decides(&state.carried) {
            return self.dice.weigh(&[(6, Kind::RuleCarriedCards), (1, Kind::OpenBets)]);
        }
        let poor = state.accounts.values().filter(|account| account.credits > Money::ZERO).count() < 4;
        if !chips && poor && self.dice.chance(60) {
            return self.dice.pick(&[Kind::BuyCredits, Kind::BuyCredits, Kind::RedeemTicket]);
        }
        self.dice.weigh(&[(30, Kind::OpenBets), (4, Kind::Report), (1, Kind::AnnounceClosing)])
    }

    /// What goes on beside play.
    fn beside(&mut self, chips: bool) -> Kind {
        self.dice.weigh(&[
            (8, Kind::Report),
            (8, Kind::Rule),
            (3, Kind::Collect),
            (3, Kind::KeepUnclaimed),
            (if chips { 0 } else { 6 }, Kind::AcceptNote),
            (if chips { 0 } else { 3 }, Kind::ReportCase),
            (if chips { 0 } else { 3 }, Kind::SettleCase),
            (if chips { 0 } else { 2 }, Kind::EmptyAcceptor),
            (if chips { 0 } else { 2 }, Kind::CountAcceptor),
            (2, Kind::ExtendHold),
            (2, Kind::ReviewSetAside),
            (3, Kind::PayUnclaimed),
            (if chips { 5 } else { 0 }, Kind::RecordPush),
            (6, Kind::HoldPayout),
            (6, Kind::DecideHeld),
            (if chips { 14 } else { 0 }, Kind::AmendWager),
            (if chips { 6 } else { 0 }, Kind::Fill),
            (if chips { 2 } else { 0 }, Kind::CoverFloat),
            (1, Kind::UncoverFloat),
            (if chips { 4 } else { 0 }, Kind::Credit),
            (if chips { 4 } else { 0 }, Kind::Drop),
            (if chips { 2 } else { 0 }, Kind::CloseFloat),
            (if chips { 0 } else { 6 }, Kind::CashOut),
            (if chips { 0 } else { 6 }, Kind::RedeemTicket),
            (3, Kind::RetireShoe),
            (3, Kind::ReconcileShoe),
            (3, Kind::RevealShoe),
            (2, Kind::ExchangeShoe),
            (3, Kind::DrawCard),
            (2, Kind::LoadShoe),
            (2, Kind::CutCards),
            (2, Kind::InspectCards),
            (2, Kind::OpenDispute),
            (2, Kind::BundleDispute),
            (3, Kind::SeeDispute),
            (2, Kind::CloseDispute),
            (2, Kind::TakePost),
            (2, Kind::LeavePost),
            (1, Kind::StartShift),
            (1, Kind::NoteClock),
            (8, Kind::TakeSeat),
            (3, Kind::LeaveSeat),
            (2, Kind::LoseTerminal),
            (2, Kind::RestoreTerminal),
            (2, Kind::ChangeSettings),
            (6, Kind::ChangeLimits),
            (1, Kind::AnnounceClosing),
            (2, Kind::CloseTable),
            (2, Kind::OpenTable),
        ])
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "only these are for patrons to order")]
fn speak_for(command: &mut Command, speaker: punto_rules::PatronNo) {
    match command {
        Command::PlaceWager { patron, .. }
        | Command::WithdrawWager { patron, .. }
        | Command::AskSqueeze { patron, .. }
        | Command::Choose { patron, .. }
        | Command::RedeemTicket { patron, .. }
        | Command::AcceptNote { patron, .. }
        | Command::ReportCase { patron, .. }
        | Command::CashOut { patron, .. } => *patron = speaker,
        Command::OpenDispute { patron, .. } => *patron = Some(speaker),
        _ => {}
    }
}

/// Where posts are held: the order by which somebody comes to the post in which they are about to work.
fn posted(table: &Table, by: &Actor) -> Option<(Actor, Command)> {
    let asked = table.law().is_some_and(|law| law.settings.posts == PostsBy::Held);
    let Actor::Staff { person, post } = by else { return None };
    let posts = &table.state().posts;
    if !asked || posts.get(person) >= Some(post) {
        return None;
    }
    let manager = Sender::staff(Post::ShiftManager);
    let is_there = manager.person().is_some_and(|it| posts.get(it) >= Some(&Post::ShiftManager));
    let (by, post) = match (post.may_be_acting(), is_there) {
        (true, true) => {
            return Some((manager, Command::TakePost { person: person.clone(), post: *post }));
        }
        (true, false) => (manager, Post::ShiftManager),
        (false, _) => (by.clone(), *post),
    };
    let person = by.person()?.clone();
    Some((by, Command::TakePost { person, post }))
}
