//! A patron at a Player Terminal, with a temper: buys in, bets, raises, withdraws, chooses, squeezes, cashes out, carries
//! tickets to other tables, disputes, and is cut off now and then.

use std::sync::PoisonError;
use std::time::Duration;

use punto_record::{BoxNo, Choice, Command, Event, Faces, RoundNo};
use punto_rules::{BetId, Money, PatronNo, Range, Side};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::cashier::BuyIn;
use super::chance::Chance;
use super::set_up::{Table, Terminal};
use super::tables::cents;
use super::temper::Temper;
use super::{Floor, Worker};
use crate::client::{Error, Line, Shown};
use crate::wire::{Hello, PrintedTicket, Screen};

const IDLE: Duration = Duration::from_secs(2);
const REFUSED: Duration = Duration::from_millis(200);
/// How long to wait at the cage.
const QUEUE: Duration = Duration::from_secs(5);
/// How long to be away after having walked off, and to be cut off.
const WALK: Duration = Duration::from_secs(20);
const CUT_OFF: Duration = Duration::from_secs(3);
/// Before the first and after the last thought about a bet.
const FIRST: Duration = Duration::from_millis(500);
const LAST: Duration = Duration::from_secs(9);
/// How long to think about a choice, at most.
const THOUGHT: Duration = Duration::from_secs(5);

/// What most patrons buy in for, before their temper.
const BUY_IN: u64 = 100_000;

/// A patron.
pub(super) struct Patron {
    floor: Floor,
    table: Table,
    terminal: Terminal,
    cage: mpsc::Sender<BuyIn>,
    chance: Chance,
    temper: Temper,
    /// The plug is about to be pulled.
    cut_off: bool,
    /// Where the table stands, since when.
    since: (String, RoundNo, Instant),
    /// What to do in this Round, and how long after it was begun; the next is last.
    plan: Vec<(Duration, Command)>,
}

/// A bet that is offered.
#[derive(Clone, Debug, Deserialize)]
struct Offer {
    bet: BetId,
    side: Option<Side>,
    range: Option<Range>,
}

impl Worker for Patron {
    const WHO: &'static str = "patron";

    async fn work(&mut self) -> Result<(), Error> {
        let (table, device) = (self.table.id().clone(), Some(self.terminal.credential.to_string()));
        let hello = Hello { table, screen: Screen::Terminal, device, session: None, after: None };
        let by = punto_record::Actor::Patron { patron: self.terminal.patron };
        let mut line = Line::open(&self.floor.base, hello, by).await?;
        loop {
            let events = line.events();
            self.hear(&mut line, &events).await?;
            self.look(line.view());
            let waited = self.since.2.elapsed();
            match self.plan.last() {
                Some((after, _)) if *after > waited => {
                    let wait = (*after - waited).min(IDLE);
                    line.listen(wait).await?;
                }
                Some(_) => {
                    let (_, command) = self.plan.pop().expect("it was just looked at");
                    if line.view().may(command.kind()) {
                        self.ask(&mut line, command).await?;
                    }
                }
                None if self.is_out_of_money(line.view()) => self.find_money(&mut line).await?,
                None => {
                    line.listen(IDLE).await?;
                }
            }
        }
    }
}

impl Patron {
    pub(super) fn new(
        floor: Floor,
        table: Table,
        terminal: Terminal,
        cage: mpsc::Sender<BuyIn>,
        mut chance: Chance,
    ) -> Patron {
        let since = (String::new(), RoundNo(0), Instant::now());
        let temper = Temper::any(&mut chance);
        Patron { floor, table, terminal, cage, chance, temper, cut_off: false, since, plan: Vec::new() }
    }

    fn no(&self) -> PatronNo {
        self.terminal.patron
    }

    async fn ask(&mut self, line: &mut Line, command: Command) -> Result<(), Error> {
        let round = command.kind().facts().names_its_round.then(|| line.view().round());
        let answer = line.ask(command, round).await?;
        let printed = line.printed().into_iter().map(|ticket| (self.table.at, ticket));
        self.floor.tickets.lock().unwrap_or_else(PoisonError::into_inner).extend(printed);
        if self.floor.book.is_refusal(&answer) {
            line.rest(REFUSED).await?;
        }
        Ok(())
    }

    /// What happened to one's own money: a ticket is carried away, and who walked off stays away for a while.
    async fn hear(&mut self, line: &mut Line, events: &[Event]) -> Result<(), Error> {
        for event in events {
            if let Event::WalkedAway { .. } = event {
                self.plan.clear();
                line.rest(self.floor.pace.of(WALK)).await?;
            }
        }
        if std::mem::take(&mut self.cut_off) {
            line.drop_for(self.floor.pace.of(CUT_OFF)).await?;
            self.floor.book.note(|tally| tally.reconnected += 1);
        }
        Ok(())
    }

    /// Notices that the table stands differently now, and plans anew.
    fn look(&mut self, view: &Shown) {
        let (phase, round) = (view.phase(), view.round());
        if (self.since.0.as_str(), self.since.1) == (phase, round) {
            return;
        }
        self.since = (phase.to_owned(), round, Instant::now());
        self.plan = match phase {
            "betting" => self.bets(view),
            "choosing" => self.choice(),
            "dealing" => self.squeeze(view),
            "between" => self.between(view),
            _ => Vec::new(),
        };
        let pace = self.floor.pace;
        self.plan.iter_mut().for_each(|(after, _)| *after = pace.of(*after));
        // The next is last; what is to be done at the same time keeps its order.
        self.plan.reverse();
        self.plan.sort_by_key(|(after, _)| std::cmp::Reverse(*after));
    }

    /// The bets of a Round: one on a side, sometimes others, a raise, a second thought.
    fn bets(&mut self, view: &Shown) -> Vec<(Duration, Command)> {
        let offers: Vec<Offer> = view.read("/table/bets").unwrap_or_default();
        if self.chance.once_in(self.temper.sits_out) {
            return Vec::new();
        }
        let mut plan = Vec::new();
        let (original, others): (Vec<Offer>, Vec<Offer>) =
            offers.into_iter().partition(|offer| offer.side.is_some());
        let mut at = self.chance.between(FIRST, LAST / 2);
        let first = self.chance.pick(&original).cloned();
        let more =
            (0..self.chance.below(self.temper.side_bets + 1)).filter_map(|_| self.chance.pick(&others));
        let more: Vec<Offer> = more.cloned().collect();
        for offer in first.iter().chain(&more) {
            plan.push((at, self.place(view, offer)));
            at += self.chance.between(FIRST, LAST / 6);
        }
        let Some(first) = first else { return plan };
        if self.chance.once_in(self.temper.raises) {
            plan.push((at, self.place(view, &first)));
            at += FIRST;
        }
        if self.chance.once_in(self.temper.withdraws) {
            let (patron, box_no) = (self.no(), self.box_no(view));
            plan.push((at, Command::WithdrawWager { patron, box_no, bet: first.bet, amount: None }));
        }
        plan
    }

    /// A stake in whole fives of dollars, within what the bet allows.
    fn place(&mut self, view: &Shown, offer: &Offer) -> Command {
        let of_box = || view.read("/table/betting_box/minimum").unwrap_or(cents(2_500));
        let least = offer.range.map_or_else(of_box, |range| range.minimum).get().max(500);
        let most = offer.range.map_or(least * 40, |range| range.maximum.get());
        let stake = (least * (1 + self.chance.below(self.temper.boldness))).min(most);
        let box_no = self.box_no(view);
        let stake = cents(stake.next_multiple_of(500));
        Command::PlaceWager { patron: self.no(), box_no, stance: None, bet: offer.bet.clone(), stake }
    }

    /// Where one bets: at the box where one sits, or behind somebody.
    fn box_no(&self, view: &Shown) -> Option<BoxNo> {
        let boxes = view.read::<u8>("/table/boxes").filter(|boxes| *boxes > 0)?;
        let behind = BoxNo(1 + (self.no().0 % u32::from(boxes)) as u8);
        Some(view.read("/own/seat").unwrap_or(behind))
    }

    fn choice(&mut self) -> Vec<(Duration, Command)> {
        let choice = if self.chance.once_in(3) { Choice::TakeBack } else { Choice::Continue };
        let after = self.chance.between(FIRST, THOUGHT);
        vec![(after, Command::Choose { patron: self.no(), choice })]
    }

    fn squeeze(&mut self, view: &Shown) -> Vec<(Duration, Command)> {
        let next = view.at("/cards").as_array().map_or(0, Vec::len) as u8 + 2;
        let is_covered = self.table.plan.settings.faces == Faces::Down;
        if !is_covered || next > 6 || !self.chance.once_in(2) {
            return Vec::new();
        }
        vec![(Duration::ZERO, Command::AskSqueeze { patron: self.no(), card: next })]
    }

    /// Between Rounds one may leave, complain, or be cut off.
    fn between(&mut self, view: &Shown) -> Vec<(Duration, Command)> {
        let patron = self.no();
        let after = self.chance.between(FIRST, FIRST * 3);
        self.cut_off = self.chance.once_in(self.temper.is_cut_off);
        if view.round().0 > 0 && self.chance.once_in(self.temper.disputes) {
            let words = "says that a bet was paid wrongly".into();
            return vec![(
                after,
                Command::OpenDispute { round: None, patron: Some(patron), words, about: None, box_no: None },
            )];
        }
        if self.chance.once_in(self.temper.leaves) {
            return vec![(after, Command::CashOut { patron, second: None })];
        }
        Vec::new()
    }

    fn is_out_of_money(&self, view: &Shown) -> bool {
        let has_wagers = view.at("/own/total") != 0;
        !has_wagers && view.credits().is_some_and(|credits| credits < cents(self.temper.boldness * 1_000))
    }

    /// Somebody else's ticket of another table, or cash at the cage.
    async fn find_money(&mut self, line: &mut Line) -> Result<(), Error> {
        let patron = self.no();
        let ticket = {
            let mut tickets = self.floor.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            let found = tickets.iter().position(|(from, _)| *from != self.table.at);
            found.map(|at| tickets.remove(at).1)
        };
        if let Some(PrintedTicket { number, .. }) = ticket {
            let ticket = number.parse().expect("what is printed is a name");
            return self.ask(line, Command::RedeemTicket { patron, ticket }).await;
        }
        let amount: Money = cents(BUY_IN * (1 + self.chance.below(self.temper.boldness)));
        // A queue that is full is tried again later.
        if self.cage.try_send(BuyIn { patron, amount }).is_ok() {
            let (before, until) = (line.view().credits(), Instant::now() + QUEUE);
            while line.view().credits() == before && Instant::now() < until {
                line.listen(until - Instant::now()).await?;
            }
        } else {
            line.rest(REFUSED).await?;
        }
        Ok(())
    }
}
