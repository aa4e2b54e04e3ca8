//! One table at work: a task that owns its desk.
//!
//! It drains what is waiting, hands the orders in, has the batch made durable, and only then answers and publishes. What
//! looks at the table (a screen that joins, a question) waits for that too, so nobody sees what the ledger does not have.

mod recovery;
mod shoe;
mod ticket;

use std::collections::HashMap;
use std::sync::Arc;

use punto_ledger::ADMINISTRATORS;
use punto_record::{
    Actor, Cause, Command, CommandKind, Digest, Entry, Event, Order, OrderId, Report, Seq, TableId,
    TicketAnswer, Timestamp, Volume,
};
use punto_reports::Accounts;
use punto_table::{Books, Desk, Given, Outbox, Phase, Rules, Stage, State};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant};

use super::errands::{self, Errand};
use super::hold::pays_out;
use super::read_back::ReadBack;
use super::screens::{Composed, Screens, SeatNo, is_private};
use super::seat::Seat;
use super::seating;
use super::secrets::NoSecret;
use super::wanted::{Leave, Wanted};
use super::{House, Standing};
use crate::wire::{Answer, Denial, Goodbye, PrintedTicket, Reply, Status};

/// Orders that go into one batch at most.
const MOST: usize = 4096;

/// Entries after which a snapshot is kept.
const SNAPSHOT_EVERY: u64 = 20_000;

/// How long a Round with real cards may go on when the server goes down.
const GRACE: Duration = Duration::from_secs(20);

/// How long a stopped table waits before it tries again.
const RETRY: Duration = Duration::from_secs(2);

/// How often a table that runs by itself looks whether it may open a Round now.
const PERMISSION: Duration = Duration::from_secs(5);

/// The device of the house's own orders.
pub(crate) const HOUSE: &str = "house";

/// One table at work.
pub(crate) struct Task {
    id: TableId,
    house: Arc<House>,
    desk: Desk,
    accounts: Accounts,
    inbox: mpsc::Receiver<Wanted>,
    screens: Screens,
    status: Status,
    /// Orders that came from elsewhere than a screen.
    asked: HashMap<OrderId, oneshot::Sender<Answer>>,
    /// Tickets of orders that are not answered yet, with their numbers.
    printing: HashMap<OrderId, PrintedTicket>,
    /// What waits until everything is durable.
    looks: Vec<Look>,
    /// The last number of the house's own orders.
    house_n: u64,
    /// When something last happened in play, and the errand that was refused then.
    last_act: Instant,
    refused: Option<(Seq, Command)>,
    kept: Seq,
    stopping: Option<(oneshot::Sender<()>, Instant)>,
    /// What is being done elsewhere, and nothing may happen here before it is.
    held: Vec<oneshot::Receiver<()>>,
    /// Why no shoe can be shuffled, and when that was last tried.
    unshuffled: Option<(Arc<str>, Instant)>,
    /// The shoe whose loss was written down.
    lost: Option<Digest>,
    /// It was never opened, and goes; answered when nothing of it is left.
    dissolved: Option<oneshot::Sender<bool>>,
}

enum Look {
    Join(Box<Seat>, Option<Seq>, oneshot::Sender<SeatNo>),
    ShowAgain(SeatNo),
    At(Box<dyn FnOnce(&punto_table::Table) + Send>),
    Hold(Box<dyn FnOnce(&punto_table::Table) + Send>, oneshot::Receiver<()>),
}

impl Task {
    pub(crate) fn new(id: TableId, house: Arc<House>, read: ReadBack, inbox: mpsc::Receiver<Wanted>) -> Task {
        let mut task = Task {
            desk: Desk::resume(read.table, read.chain, house.release.clone()).with_posts(read.posts),
            accounts: read.accounts,
            kept: read.chain.seq,
            id,
            house,
            inbox,
            screens: Screens::default(),
            status: Status::Running,
            asked: HashMap::new(),
            printing: HashMap::new(),
            looks: Vec::new(),
            house_n: 0,
            last_act: Instant::now(),
            refused: None,
            stopping: None,
            held: Vec::new(),
            unshuffled: None,
            lost: None,
            dissolved: None,
        };
        if let Some(words) = read.locked {
            task.status = Status::Locked { words: words.into() };
        }
        task
    }

    /// Runs the table until it is told to stop.
    pub(crate) async fn run(mut self) {
        let mut ledger = self.house.ledger.stopped();
        self.interrupted();
        self.settle_up().await;
        // A lost shoe is out of use before anybody can open a Round with it.
        self.look_after_shoe().await;
        self.act();
        self.settle_up().await;
        loop {
            for done in std::mem::take(&mut self.held) {
                // Done, or given up.
                let _ = done.await;
            }
            let due = self.due();
            let sleep = async {
                match due {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Ok(()) = ledger.changed() => {
                    let stopped = ledger.borrow_and_update().clone();
                    if let Some(error) = stopped.filter(|_| self.is_running()) {
                        self.fail(&error).await;
                    }
                }
                wanted = self.inbox.recv() => match wanted {
                    Some(wanted) => self.take_all(wanted).await,
                    None => break,
                },
                () = sleep => {}
            }
            self.look_after_shoe().await;
            self.act();
            self.settle_up().await;
            if self.is_done() {
                break;
            }
        }
        self.keep_snapshot().await;
        let gone = self.dissolved.take();
        self.screens.goodbye(if gone.is_some() { Goodbye::NoSuchTable } else { Goodbye::Closing });
        if let Some(answer) = gone {
            self.house.standings.send_modify(|standings| drop(standings.remove(&self.id)));
            let _ = answer.send(true);
        }
        if let Some((stopped, _)) = self.stopping.take() {
            let _ = stopped.send(());
        }
    }

    const fn is_running(&self) -> bool {
        matches!(self.status, Status::Running | Status::Closing | Status::NoShoe { .. })
    }

    async fn take_all(&mut self, first: Wanted) {
        self.take(first).await;
        for _ in 1..MOST {
            match self.inbox.try_recv() {
                Ok(wanted) => self.take(wanted).await,
                Err(_) => break,
            }
        }
    }

    async fn take(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Order(order, leave) => self.order(*order, leave).await,
            Wanted::Ask(order, answer) => {
                self.asked.insert(order.id.clone(), answer);
                self.order(*order, None).await;
            }
            Wanted::Join(seat, after, no) => self.looks.push(Look::Join(seat, after, no)),
            Wanted::ShowAgain(no) => self.looks.push(Look::ShowAgain(no)),
            Wanted::Look(look) => self.looks.push(Look::At(look)),
            Wanted::Hold(look, done) => self.looks.push(Look::Hold(look, done)),
            Wanted::Leave(no) => self.leave(no),
            Wanted::Dissolve(answer) => self.dissolve(answer),
            Wanted::Reload => self.reload().await,
            Wanted::ClockJumped(jump) => {
                if self.is_running() && !matches!(self.desk.table().state().phase, Phase::Closed) {
                    self.own_order(Command::NoteClock { from: jump.from, to: jump.to });
                }
            }
            Wanted::Stop(stopped) => {
                self.stopping = Some((stopped, Instant::now() + GRACE));
                if self.is_running() {
                    self.tell_status(Status::Closing);
                }
            }
        }
    }

    /// A table that was never opened goes. What else came for it was not done.
    fn dissolve(&mut self, answer: oneshot::Sender<bool>) {
        let is_empty = self.desk.table().state().seq == Seq(0) && self.desk.entries().is_empty();
        if !is_empty {
            let _ = answer.send(false);
            return;
        }
        self.inbox.close();
        while let Ok(wanted) = self.inbox.try_recv() {
            if let Wanted::Ask(_, answer) = wanted {
                let _ = answer.send(Answer::Busy);
            }
        }
        self.dissolved = Some(answer);
    }

    /// An order: what it needs from outside is looked up, then the desk decides.
    async fn order(&mut self, mut order: Order, leave: Option<Leave>) {
        order.at = self.house.clock.now();
        if !self.is_running() {
            let answer = match self.status {
                Status::Locked { .. } => Answer::Denied(Denial::TableLocked),
                Status::Running | Status::Closing | Status::NoShoe { .. } | Status::Stopped { .. } => {
                    Answer::Unknown
                }
            };
            return self.answer(order.id, answer);
        }
        if let Err(error) = self.find_ticket(&mut order).await {
            return self.fail(&error).await;
        }
        let last = self.desk.table().state().devices.get(&order.id.device);
        let is_new = last.is_none_or(|last| order.id.n > last.n);
        let before = last.filter(|last| last.n == order.id.n).map(|last| last.asked.2.clone());
        let table = self.desk.table();
        let held = order.by.person().and_then(|person| table.state().posts.get(person)).copied();
        let mandates = self.house.ledger.staff().mandates(&order, held);
        // What was carried out before is answered as it was; anything else takes a mandate and, where asked, signatures.
        let denied = match leave {
            Some(Leave::Not(denial)) => Some(denial),
            Some(Leave::For(basis)) if basis != table.basis(&order.command) => Some(Denial::ApprovalNotGood),
            Some(Leave::For(_)) | None if order.by.person().is_some() && mandates.is_none() => {
                Some(Denial::NoMandate)
            }
            Some(Leave::For(_)) | None => {
                let kind = order.command.kind();
                let opens = kind == CommandKind::OpenTable && self.house.kind.is_house();
                let too_few = self.house.ledger.staff().administrators() < ADMINISTRATORS;
                let is_held = match kind == CommandKind::OpenBets {
                    true => self.house.holds.any().then_some(Denial::NoFurtherRound),
                    false => {
                        (pays_out(kind) && self.house.holds.doubt_history()).then_some(Denial::HistoryInDoubt)
                    }
                };
                // The cards of a software shoe are known to the table itself, and to no reader.
                let reads = order.by == Actor::House && self.deals_by_software();
                (opens && too_few)
                    .then_some(Denial::TooFewAdministrators)
                    .or(is_held)
                    .or(reads.then_some(Denial::NotFromHere))
            }
        };
        if let Some(denial) = denied.filter(|_| is_new) {
            return self.answer(order.id, Answer::Denied(denial));
        }
        if let Err(error) = errands::fill_in(&mut order.command, before.as_ref(), table, &self.house.secrets)
        {
            self.not_shuffled(&error);
            return self.answer(order.id, Answer::Busy);
        }
        let opens = order.command.kind() == CommandKind::OpenBets;
        if opens && matches!(errands::in_use(self.desk.table(), &self.house.secrets), Some(Err(_))) {
            return self.answer(order.id, Answer::Busy);
        }
        let table = self.desk.table();
        // Looked up after the order has its time: an approval that is withdrawn meanwhile ends later than that.
        let rules = self.house.rules(table, &order);
        let mut given = Given { mandates, rules, ..Given::default() };
        let (mut reserved, mut issued) = (None, None);
        if let Command::RedeemTicket { ticket, .. } = &order.command
            && is_new
        {
            let (ticket, id) = (ticket.clone(), order.id.clone());
            let at = order.at.max(table.state().now);
            match self.house.ledger.reserve(ticket.clone(), id.clone(), at).await {
                Ok(answer) => given.ticket = Some(answer),
                Err(error) => return self.fail(&error).await,
            }
            if let Some(TicketAnswer::Reserved { .. }) = given.ticket {
                reserved = Some((ticket, id));
            }
        }
        if let Command::CashOut { .. } = &order.command {
            match self.new_ticket(&order, is_new).await {
                Ok(Some((new, number))) => {
                    given.new_ticket = Some(new);
                    issued = Some((order.id.clone(), number));
                }
                Ok(None) => {}
                Err(error) => return self.fail(&error).await,
            }
        }
        let seq = self.desk.table().state().seq;
        self.desk.hand_in(order, &given);
        if let Some((id, number)) = issued {
            self.print(&id, &number);
        }
        // A ticket that the table did not take is anybody's again.
        if let Some((ticket, id)) = reserved
            && !self.desk.entries().iter().any(|entry| entry.seq > seq && entry.order.id == id)
        {
            let released = self.house.ledger.with(move |vault| {
                vault.release(&ticket, &id);
                Ok(())
            });
            if let Err(error) = released.await {
                self.fail(&error).await;
            }
        }
    }

    /// The house's own order. Refused, it is not tried again until something has happened.
    fn own_order(&mut self, command: Command) {
        let state = self.desk.table().state();
        let known = state.devices.get(&HOUSE.into()).map_or(0, |last| last.n);
        self.house_n = self.house_n.max(known) + 1;
        let (seq, round) = (state.seq, state.round().map(|round| round.no));
        let id = OrderId { device: HOUSE.into(), n: self.house_n };
        let at = self.house.clock.now();
        let mut filled = command.clone();
        let table = self.desk.table();
        if let Err(error) = errands::fill_in(&mut filled, None, table, &self.house.secrets) {
            return self.not_shuffled(&error);
        }
        let order = Order { id, by: Actor::House, at, round, command: filled };
        let given = Given { rules: self.house.rules(self.desk.table(), &order), ..Given::default() };
        self.desk.hand_in(order, &given);
        if self.desk.table().state().seq == seq {
            tracing::warn!(table = %self.id, order = command.kind().id(), "an order of the house was refused");
            self.refused = Some((seq, command));
        }
    }

    // INTERPRETATION 21: a crash of the software is a technical interruption.
    fn interrupted(&mut self) {
        let is_open = matches!(
            self.desk.table().state().round().map(|round| &round.stage),
            Some(stage) if !matches!(stage, Stage::Interrupted { .. })
        );
        if is_open && self.is_running() {
            let lost = matches!(
                errands::in_use(self.desk.table(), &self.house.secrets),
                Some(Err(NoSecret::Lost(_)))
            );
            let cause = Some(if lost { Cause::ShoeLost } else { Cause::Software });
            self.own_order(Command::Report { report: Report::TechnicalInterruption { cause } });
        }
    }

    fn errand(&self) -> Option<Errand> {
        self.next_errand().filter(|errand| !self.waits_for_permission(&errand.command))
    }

    fn next_errand(&self) -> Option<Errand> {
        if !self.is_running() {
            return None;
        }
        let stops = self.stopping.is_some();
        let attended = self.screens.has_terminals() && !stops;
        let table = self.desk.table();
        let errand = errands::next(table, &self.house.secrets, self.house.pace, attended)?;
        let errand = Errand { after: if stops { Duration::ZERO } else { errand.after }, ..errand };
        let is_refused = self
            .refused
            .as_ref()
            .is_some_and(|(seq, command)| *seq == table.state().seq && *command == errand.command);
        let waits = self.unshuffled.is_some() && errands::needs_shuffle(&errand.command);
        (!is_refused && !waits).then_some(errand)
    }

    /// Whether a Round cannot open while the house holds Rounds back, or before the rules are approved; the house does not
    /// ask in vain.
    fn waits_for_permission(&self, command: &Command) -> bool {
        let Command::OpenBets {} = command else { return false };
        if self.house.holds.any() {
            return true;
        }
        let (id, by) = (OrderId { device: HOUSE.into(), n: 0 }, Actor::House);
        let at = self.house.clock.now();
        let order = Order { id, by, at, round: None, command: Command::OpenBets {} };
        match self.house.rules(self.desk.table(), &order) {
            Rules::Any => false,
            Rules::Approved(approval) => !approval.is_some_and(|it| it.is_in_force(at)),
        }
    }

    /// When there is something to do though nobody asks.
    fn due(&self) -> Option<Instant> {
        let clock = &self.house.clock;
        let closes = match self.desk.table().state().round().map(|round| &round.stage) {
            Some(Stage::Betting { closes_at }) if self.is_electronic() => Some(*closes_at),
            Some(Stage::Choosing { until, .. }) if self.clock_ends_choices() => Some(*until),
            Some(_) | None => None,
        };
        let closes = closes.filter(|_| self.is_running()).map(|at| clock.instant(at));
        let errand = self.errand().map(|errand| self.errand_due(&errand));
        let waits = self.next_errand().is_some_and(|errand| self.waits_for_permission(&errand.command));
        let permission = waits.then(|| Instant::now() + PERMISSION);
        let stop = self.stopping.as_ref().map(|(_, until)| *until);
        let retry = matches!(self.status, Status::Stopped { .. }).then(|| self.last_act + RETRY);
        [closes, errand, permission, self.screens.staff_due(), stop, retry, self.shoe_due()]
            .into_iter()
            .flatten()
            .min()
    }

    fn errand_due(&self, errand: &Errand) -> Instant {
        let after = self.last_act + errand.after;
        errand.not_before.map_or(after, |at| after.max(self.house.clock.instant(at)))
    }

    fn is_electronic(&self) -> bool {
        self.desk.table().law().is_some_and(|law| law.is_electronic())
    }

    fn clock_ends_choices(&self) -> bool {
        self.desk.table().law().is_some_and(|law| law.clock_ends_choices())
    }

    /// Does what is due: by the clock, by the house, on the way down.
    fn act(&mut self) {
        if !self.is_running() {
            return;
        }
        self.desk.tick(self.house.clock.now());
        self.seat();
        if let Some(errand) = self.errand()
            && Instant::now() >= self.errand_due(&errand)
        {
            self.own_order(errand.command);
        }
        self.wind_down();
    }

    /// Whether its cards come from a shoe of software.
    fn deals_by_software(&self) -> bool {
        self.desk.table().law().is_some_and(|law| law.settings.cards == punto_record::Cards::Software)
    }

    // INTERPRETATION 21: a graceful stop finishes or voids Rounds first.
    fn wind_down(&mut self) {
        let Some((_, until)) = &self.stopping else { return };
        let table = self.desk.table();
        let Some(round) = table.state().round() else { return };
        let software = self.deals_by_software();
        // The shoe deals the Round to its end by itself; whatever else is open has nobody to go on with.
        let goes_on = software && matches!(round.stage, Stage::Dealing {}) && self.errand().is_some();
        let waits = !software && Instant::now() < *until;
        if !goes_on && !waits && !matches!(round.stage, Stage::Interrupted { .. }) {
            self.own_order(Command::Report {
                report: Report::TechnicalInterruption { cause: Some(Cause::Software) },
            });
        }
    }

    fn is_done(&self) -> bool {
        if self.dissolved.is_some() {
            return true;
        }
        let Some((_, until)) = &self.stopping else { return false };
        let is_idle = match &self.desk.table().state().phase {
            Phase::Closed | Phase::Between { .. } => true,
            Phase::Round(round) => matches!(round.stage, Stage::Interrupted { .. }),
        };
        is_idle || !self.is_running() || Instant::now() >= *until
    }

    /// Everything handed in is made durable, then said; also what that gave rise to.
    async fn settle_up(&mut self) {
        if matches!(self.status, Status::Stopped { .. }) {
            self.reload_in_time().await;
        }
        self.commit().await;
        while !self.desk.entries().is_empty() {
            self.commit().await;
        }
    }

    async fn commit(&mut self) {
        for entry in self.desk.entries() {
            if let Err(mismatch) = self.accounts.enter(&self.id, entry) {
                let words = mismatch.to_string();
                return self.lock(&words).await;
            }
        }
        if self.is_running() && !Books::is_balanced(self.desk.table().state()) {
            return self.lock("what was brought and not taken away is not what is there").await;
        }
        let is_play = |entry: &Entry| entry.events.iter().any(|event| !is_private(event.kind()));
        if self.desk.entries().iter().any(is_play) {
            self.last_act = Instant::now();
        }
        let (outbox, composed) = match self.desk.batch() {
            None => (self.desk.outbox(), Composed::new()),
            Some(batch) => {
                let append = self.house.ledger.append(Volume::Table(self.id.clone()), batch);
                let compose = async {
                    let now = self.house.clock.now();
                    self.screens.compose(self.desk.unsaid(), self.desk.table(), now)
                };
                match tokio::join!(append, compose) {
                    (Ok(receipt), composed) => (self.desk.receipt(receipt.seq()), composed),
                    (Err(error), _) => return self.fail(&error).await,
                }
            }
        };
        self.publish(outbox, composed);
        if self.desk.table().state().seq.0 >= self.kept.0 + SNAPSHOT_EVERY {
            self.keep_snapshot().await;
        }
    }

    /// Answers and frames go out; then whoever looks may look.
    fn publish(&mut self, outbox: Outbox, composed: Composed) {
        let Outbox { replies, frames } = outbox;
        let now = self.house.clock.now();
        for frame in &frames {
            self.forget_revealed(&frame.events);
        }
        let mut to_screens: Vec<Reply> = Vec::with_capacity(replies.len());
        for reply in replies.into_iter().map(Reply::from) {
            let printed = self.printing.remove(&reply.to).filter(|_| reply.answer.is_carried_out());
            let reply = Reply { printed, ..reply };
            if let Answer::Refused(rejection) = &reply.answer {
                self.house.refusals.count(rejection.reason.kind());
            }
            match self.asked.remove(&reply.to) {
                // Whoever asked may have gone.
                Some(asked) => drop(asked.send(reply.answer)),
                None => to_screens.push(reply),
            }
        }
        self.screens.publish(&to_screens, frames, composed, self.desk.table(), now);
        self.screens.tell_staff(self.desk.table(), now);
        self.look(now);
        self.tell_standing();
    }

    fn tell_standing(&self) {
        self.house.standings.send_if_modified(|standings| {
            let standing = Standing::of(self.desk.table(), &self.status, self.screens.len());
            standings.insert(self.id.clone(), standing.clone()).is_none_or(|before| before != standing)
        });
    }

    fn tell_status(&mut self, status: Status) {
        self.status = status;
        self.screens.status(&self.status);
        self.tell_standing();
    }

    fn look(&mut self, now: Timestamp) {
        let table = self.desk.table();
        let mut restored = Vec::new();
        for look in std::mem::take(&mut self.looks) {
            match look {
                Look::Join(seat, after, no) => {
                    if let punto_table::Audience::Terminal { patron } = seat.audience {
                        restored.push(patron);
                    }
                    let seen_to = self.house.ledger.staff().restored();
                    let welcome = (&self.id, now, self.house.kind, self.status.clone(), seen_to);
                    let last = seat.device.as_ref().map_or(0, |device| self.desk.last_of(device));
                    let joined = self.screens.join(*seat, after, table, last, welcome);
                    // Whoever hung up meanwhile is gone again.
                    if no.send(joined).is_err() {
                        self.screens.leave(joined);
                    }
                }
                Look::ShowAgain(no) => self.screens.show_again(no, table),
                Look::At(look) => look(table),
                Look::Hold(look, done) => {
                    look(table);
                    self.held.push(done);
                }
            }
        }
        let is_lost = |state: &State, patron| state.account(patron).is_some_and(|account| account.lost);
        for patron in restored {
            if self.is_running() && is_lost(self.desk.table().state(), patron) {
                self.own_order(Command::RestoreTerminal { patron });
            }
        }
        self.seat();
    }

    /// Everybody sits where their terminal stands (interpretation 39).
    fn seat(&mut self) {
        while self.is_running()
            && self.stopping.is_none()
            && let Some(command) = seating::next(self.desk.table(), self.screens.at_boxes())
        {
            let seq = self.desk.table().state().seq;
            self.own_order(command);
            if self.desk.table().state().seq == seq {
                break;
            }
        }
    }

    /// A screen is gone. A terminal with money at the table is lost until it comes back.
    fn leave(&mut self, no: SeatNo) {
        let Some(patron) = self.screens.leave(no) else { return };
        let account = self.desk.table().state().account(patron);
        let has_money = account.is_some_and(|account| !account.lost && !account.credits.is_zero());
        let round = self.desk.table().state().round();
        let has_wagers = round.is_some_and(|round| round.wagers.of(patron).next().is_some());
        if (has_money || has_wagers) && self.is_running() && self.stopping.is_none() {
            self.own_order(Command::LoseTerminal { patron });
        }
    }

    fn answer(&mut self, to: OrderId, answer: Answer) {
        match self.asked.remove(&to) {
            Some(asked) => {
                let _ = asked.send(answer);
            }
            None => self.screens.reply(&Reply { to, answer, printed: None }),
        }
    }

    /// A shoe that everybody may see need not be kept secret.
    fn forget_revealed(&self, events: &[Event]) {
        for event in events {
            if let Event::ShoeRevealed { salt, cards, .. } = event {
                self.house.secrets.forget(punto_record::commitment(salt.as_bytes(), cards));
            }
        }
    }
}
