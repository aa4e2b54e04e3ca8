//! A Dealer at a console: shoes, opening and closing bets, results, and reporting what goes wrong. At the electronic table
//! the house does the dealing, and the Dealer only looks after it.

use std::time::Duration;

use punto_record::{Command, CommandKind, Event, Report, RoundNo};
use tokio::time::Instant;

use super::chance::Chance;
use super::mishap::{Mishap, Moment};
use super::pace::Pace;
use super::set_up::Table;
use super::staff::Staff;
use super::{Floor, Worker};
use crate::client::{Error, Line, Shown};
use crate::wire::Screen;

/// How long things take, in real time.
const SHUFFLE: Duration = Duration::from_secs(3);
const BURN: Duration = Duration::from_secs(1);
const BREATH: Duration = Duration::from_secs(2);
const TURN: Duration = Duration::from_millis(1_500);
const NOTICE: Duration = Duration::from_millis(1_200);

/// How long to listen where there is nothing to do, and how long to wait after a refusal.
const IDLE: Duration = Duration::from_secs(2);
const REFUSED: Duration = Duration::from_millis(300);

/// Something goes wrong every so many Rounds, and not before so much time has passed, however quickly Rounds are played:
/// people who rule must give their password, and that cannot be hurried.
const ROUNDS: u32 = 2;
const SELDOM: Duration = Duration::from_secs(6);

/// What goes wrong first at each table: whoever has just come sees a void, a choice, a Reconstruction and a bet that came
/// too late in the first minute.
const FIRST: [&[Mishap]; 4] = [
    &[Mishap::LateBet, Mishap::Uncovered],
    &[Mishap::DealingError, Mishap::NotShuffled],
    &[Mishap::ForeignCard, Mishap::WrongResult],
    &[Mishap::WrongSide, Mishap::WalkAway],
];

/// A Dealer.
pub(super) struct Dealer {
    floor: Floor,
    table: Table,
    staff: Staff,
    chance: Chance,
    /// What is still to go wrong before it all begins again.
    coming: Vec<Mishap>,
    mishap: Option<Mishap>,
    last_mishap: Option<(RoundNo, Instant)>,
    /// Where the table stands, since when.
    since: (String, RoundNo, Instant),
}

impl Worker for Dealer {
    const WHO: &'static str = "dealer";

    async fn work(&mut self) -> Result<(), Error> {
        let mut line = self.staff.sit_down(&self.table, Screen::Console).await?;
        loop {
            let events = line.events();
            self.floor.book.at_console(self.table.id().as_str(), &events);
            for squeeze in events.iter().filter_map(granted) {
                self.ask(&mut line, squeeze).await?;
            }
            self.look(line.view());
            match self.next(line.view()) {
                Some((command, after)) => {
                    let waited = self.since.2.elapsed();
                    if waited < after {
                        line.listen(after - waited).await?;
                    } else {
                        self.ask(&mut line, command).await?;
                    }
                }
                None => {
                    line.listen(IDLE).await?;
                }
            }
        }
    }
}

/// Who asks for a squeeze gets it.
fn granted(event: &Event) -> Option<Command> {
    if let Event::SqueezeAsked { patron, card, .. } = event {
        return Some(Command::GrantSqueeze { patron: *patron, card: *card, grant: true });
    }
    None
}

impl Dealer {
    pub(super) fn new(floor: Floor, table: Table, staff: Staff, chance: Chance) -> Dealer {
        let since = (String::new(), RoundNo(0), Instant::now());
        let first = FIRST[table.at % FIRST.len()];
        let mut dealer = Dealer {
            floor,
            table,
            staff,
            chance,
            coming: Vec::new(),
            mishap: None,
            last_mishap: None,
            since,
        };
        dealer.all_again();
        // The next is last.
        dealer.coming.extend(first.iter().rev());
        dealer
    }

    async fn ask(&mut self, line: &mut Line, command: Command) -> Result<(), Error> {
        let is_report = command.kind() == CommandKind::Report;
        let answer = line.ask(command, None).await?;
        if self.floor.book.is_refusal(&answer) {
            // Nothing has changed, so nothing else would be ordered at once.
            line.rest(REFUSED).await?;
        } else if is_report {
            self.last_mishap = Some((line.view().round(), Instant::now()));
        }
        if is_report {
            self.mishap = None;
        }
        // The screen shows what an order did a little later.
        line.listen(REFUSED).await?;
        Ok(())
    }

    /// Notices that the table stands differently now.
    fn look(&mut self, view: &Shown) {
        let (phase, round) = (view.phase(), view.round());
        if (self.since.0.as_str(), self.since.1) == (phase, round) {
            return;
        }
        let commences = phase == "betting" && round != self.since.1;
        self.since = (phase.to_owned(), round, Instant::now());
        if commences && self.is_due(round) {
            self.mishap = self.draw_mishap();
        }
    }

    fn is_due(&self, round: RoundNo) -> bool {
        // Tables take turns, so that something is to be seen soon and not everywhere at once.
        let turn = (round.0 + self.table.at as u32).is_multiple_of(ROUNDS);
        turn && self.last_mishap.is_none_or(|(last, at)| last != round && at.elapsed() >= SELDOM)
    }

    /// The next thing to go wrong: all of them, in any order, then all again.
    fn draw_mishap(&mut self) -> Option<Mishap> {
        if self.coming.is_empty() {
            self.all_again();
        }
        self.coming.pop()
    }

    fn all_again(&mut self) {
        self.coming = Mishap::ALL.to_vec();
        self.chance.shuffle(&mut self.coming);
    }

    /// What to order next, and how long after the table came to stand as it does.
    fn next(&mut self, view: &Shown) -> Option<(Command, Duration)> {
        if let Some(report) = self.report(view) {
            return Some((Command::Report { report }, self.floor.pace.of(NOTICE)));
        }
        if self.table.plan.electronic {
            return None;
        }
        let pace = |time| self.floor.pace.of(time);
        let settings = &self.table.plan.settings;
        let may = |kind| view.may(kind);
        match view.phase() {
            "between" => {
                let left: u64 = view.read("/shoe/left").unwrap_or_default();
                let is_out =
                    view.at("/shoe/cut_card_out") == true || !view.at("/shoe/must_exchange").is_null();
                if may(CommandKind::LoadShoe) {
                    let (card_set, shuffled_by) = (self.card_set(view), Some(self.staff.person()));
                    Some((Command::LoadShoe { card_set, shuffled_by, commitment: None }, pace(SHUFFLE)))
                } else if (is_out || left < 6) && may(CommandKind::ExchangeShoe) {
                    Some((self.exchange(view), pace(SHUFFLE)))
                } else if may(CommandKind::OpenBets) {
                    Some((Command::OpenBets {}, pace(BREATH)))
                } else if may(CommandKind::BurnCards) {
                    Some((Command::BurnCards { shown: None, count: 1 }, pace(BURN)))
                } else {
                    None
                }
            }
            "betting" if may(CommandKind::CloseBets) => {
                let open = Duration::from_secs(settings.betting_seconds.into());
                // Flat out there is no waiting, but everybody must have had a chance to bet.
                let open = if self.floor.pace == Pace::FlatOut { REFUSED } else { open };
                Some((Command::CloseBets {}, open))
            }
            "dealing" if may(CommandKind::ExchangeShoe) => Some((self.exchange(view), pace(SHUFFLE))),
            "confirming" if may(CommandKind::TurnCards) => {
                Some((Command::TurnCards { cards: Vec::new() }, pace(TURN)))
            }
            "confirming" if may(CommandKind::ConfirmResult) => Some((Command::ConfirmResult {}, pace(TURN))),
            "choosing" if may(CommandKind::CloseChoices) => {
                // The clock closes choices; this is for when it does not.
                let choosing = Duration::from_secs(u64::from(settings.choice_seconds) + 2);
                Some((Command::CloseChoices {}, choosing))
            }
            _ => None,
        }
    }

    fn exchange(&self, view: &Shown) -> Command {
        let (card_set, shuffled_by) = (self.card_set(view), Some(self.staff.person()));
        let reason = "the cut card is out, or the cards must be exchanged".into();
        Command::ExchangeShoe { card_set, shuffled_by, commitment: None, reason }
    }

    fn card_set(&self, view: &Shown) -> punto_record::CardSet {
        let shoe: u64 = view.read("/shoe/shoe").unwrap_or_default();
        format!("{}-{}", self.table.id(), shoe + 1).parse().expect("a word and a number")
    }

    /// What went wrong, if this is the moment to notice it.
    fn report(&mut self, view: &Shown) -> Option<Report> {
        let mishap = self.mishap?;
        let moment = match view.phase() {
            "betting" => Moment::Betting,
            "dealing" => Moment::Dealing,
            "between" => Moment::Between,
            _ => return None,
        };
        if mishap.moment(self.floor.pace == Pace::FlatOut) != moment || !view.may(CommandKind::Report) {
            return None;
        }
        let report = mishap.report(view, self.table.plan.patrons, &mut self.chance);
        if report.is_none() && moment == Moment::Between {
            self.mishap = None;
        }
        report
    }
}
