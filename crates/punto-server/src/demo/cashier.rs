//! A Cashier at the cage's screen of a table: sells credits to who asks, keeps what somebody left behind, pays it out when
//! they come back.

use std::time::Duration;

use punto_record::{Command, CommandKind};
use punto_rules::{Money, PatronNo};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::set_up::Table;
use super::staff::Staff;
use super::{Floor, Worker};
use crate::client::{Error, Line};
use crate::wire::Screen;

const IDLE: Duration = Duration::from_secs(1);
const REFUSED: Duration = Duration::from_millis(500);
/// How long somebody counts money.
const COUNTING: Duration = Duration::from_millis(800);

/// Somebody wants credits for cash.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuyIn {
    pub(super) patron: PatronNo,
    pub(super) amount: Money,
}

/// A Cashier, at one table.
pub(super) struct Cashier {
    floor: Floor,
    table: Table,
    staff: Staff,
    requests: mpsc::Receiver<BuyIn>,
}

/// An account, as far as it says what to do about it.
#[derive(Deserialize)]
struct Account {
    patron: PatronNo,
    payable: Money,
}

impl Worker for Cashier {
    const WHO: &'static str = "cashier";

    async fn work(&mut self) -> Result<(), Error> {
        let mut line = self.staff.sit_down(&self.table, Screen::Cage).await?;
        loop {
            self.floor.book.at_cage(&line.events());
            tokio::select! {
                request = self.requests.recv() => {
                    // Nobody asks any more when everybody is gone.
                    let Some(BuyIn { patron, amount }) = request else { return Ok(()) };
                    line.rest(self.floor.pace.of(COUNTING)).await?;
                    self.ask(&mut line, Command::BuyCredits { patron, amount }).await?;
                }
                heard = line.listen(IDLE) => {
                    heard?;
                    if let Some(command) = left_behind(&line) {
                        self.ask(&mut line, command).await?;
                    }
                }
            }
        }
    }
}

impl Cashier {
    pub(super) const fn new(
        floor: Floor,
        table: Table,
        staff: Staff,
        requests: mpsc::Receiver<BuyIn>,
    ) -> Cashier {
        Cashier { floor, table, staff, requests }
    }

    async fn ask(&self, line: &mut Line, command: Command) -> Result<(), Error> {
        let answer = line.ask(command, None).await?;
        if self.floor.book.is_refusal(&answer) {
            line.rest(REFUSED).await?;
        }
        Ok(())
    }
}

/// What is kept for somebody is paid when it is asked for, which is soon here.
fn left_behind(line: &Line) -> Option<Command> {
    let view = line.view();
    let accounts: Vec<Account> = view.read("/accounts")?;
    let kept = accounts.into_iter().find(|it| !it.payable.is_zero())?;
    let command = Command::PayUnclaimed { patron: kept.patron, amount: kept.payable, second: None };
    view.may(CommandKind::PayUnclaimed).then_some(command)
}
