//! Patrons' own idea of their money at one table: what they bought, staked, won by the printed odds and took away.
//!
//! It listens to the record and believes no figure that it can work out itself: stakes come back because they were
//! staked, the usual bets pay what is printed on the felt.

use std::collections::BTreeMap;

use punto_record::{BoxNo, CaseOutcome, Choice, Event, MoneyKind, Return, RoundResult, SettledLine};
use punto_rules::{BetId, Money, PatronNo, Side, Winner};
use punto_table::State;

/// One patron's.
#[derive(Debug, Default)]
struct Purse {
    credits: i128,
    stakes: BTreeMap<(Option<BoxNo>, BetId), i128>,
}

/// Those of a table.
#[derive(Debug, Default)]
pub(crate) struct Purses {
    game: String,
    chips: bool,
    purses: BTreeMap<PatronNo, Purse>,
}

fn minor(money: Money) -> i128 {
    money.get().into()
}

impl Purses {
    /// Listens to an event.
    ///
    /// # Errors
    /// What a patron would complain about.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only these move money")]
    pub(crate) fn see(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                self.game.clone_from(&settings.game);
                self.chips = settings.money == MoneyKind::Chips;
                Ok(())
            }
            Event::WagerRegistered { patron, box_no, bet, amount, stake, .. } => {
                self.stake(*patron, *box_no, bet, minor(*amount), *stake)
            }
            Event::WagerWithdrawn { patron, box_no, bet, amount, stake, .. } => {
                self.stake(*patron, *box_no, bet, -minor(*amount), *stake)
            }
            Event::WagerTrimmed { patron, box_no, bet, amount, stake, .. }
            | Event::WagerReturned { patron, box_no, bet, amount, stake, .. } => {
                self.stake(*patron, Some(*box_no), bet, -minor(*amount), *stake)
            }
            Event::ChipsRecorded { patron, box_no, bet, stake, .. }
            | Event::WagerAmended { patron, box_no, bet, stake, .. } => {
                let before = self.of(*patron).stakes.get(&(Some(*box_no), bet.clone())).copied().unwrap_or(0);
                self.stake(*patron, Some(*box_no), bet, minor(*stake) - before, *stake)
            }
            Event::RoundSettled { result, lines, .. } => self.settled(result, lines),
            Event::RoundVoided { returns, changes, .. } => {
                let everybody: Vec<PatronNo> = self.purses.keys().copied().collect();
                everybody.into_iter().try_for_each(|patron| self.back(patron, returns))?;
                changes.iter().for_each(|it| self.gain(it.patron, minor(it.paid) - minor(it.taken)));
                Ok(())
            }
            Event::ChoiceMade { patron, choice: Choice::TakeBack, returns, .. } => {
                self.taken_back(*patron, returns)
            }
            Event::RoundCorrected { changes, .. } | Event::Adjusted { changes, .. } => {
                changes.iter().for_each(|it| self.gain(it.patron, minor(it.paid) - minor(it.taken)));
                Ok(())
            }
            Event::CreditsBought { patron, amount, .. }
            | Event::NoteAccepted { patron, amount, .. }
            | Event::CaseSettled { patron, outcome: CaseOutcome::Credited { amount }, .. }
            | Event::TicketRedeemed { patron, amount, .. } => {
                self.gain(*patron, minor(*amount));
                Ok(())
            }
            Event::CashedOut { patron, amount, .. } => {
                let purse = self.of(*patron);
                let all = std::mem::take(&mut purse.credits);
                same(*patron, "a ticket for all credits", minor(*amount), all)
            }
            Event::Collected { patron, amount, .. }
            | Event::CashOutHeld { patron, amount, .. }
            | Event::UnclaimedKept { patron, amount, .. } => {
                self.gain(*patron, -minor(*amount));
                Ok(())
            }
            Event::PayoutHeld { patron, amount, from_unclaimed, .. } => {
                self.gain(*patron, minor(*from_unclaimed) - minor(*amount));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The table has the same idea.
    ///
    /// # Errors
    /// Who has another.
    pub(crate) fn agree(&self, state: &State) -> Result<u64, String> {
        if self.chips {
            return Ok(0);
        }
        for (patron, purse) in &self.purses {
            same(*patron, "credits", minor(state.credits(*patron)), purse.credits)?;
        }
        Ok(self.purses.len() as u64)
    }

    fn of(&mut self, patron: PatronNo) -> &mut Purse {
        self.purses.entry(patron).or_default()
    }

    fn gain(&mut self, patron: PatronNo, amount: i128) {
        if !self.chips {
            self.of(patron).credits += amount;
        }
    }

    fn stake(
        &mut self,
        patron: PatronNo,
        box_no: Option<BoxNo>,
        bet: &BetId,
        more: i128,
        stake: Money,
    ) -> Result<(), String> {
        self.gain(patron, -more);
        let staked = self.of(patron).stakes.entry((box_no, bet.clone())).or_default();
        *staked += more;
        let staked = *staked;
        if staked == 0 {
            self.of(patron).stakes.remove(&(box_no, bet.clone()));
        }
        same(patron, "the stake", minor(stake), staked)
    }

    /// All stakes of a patron come back.
    fn back(&mut self, patron: PatronNo, returns: &[Return]) -> Result<(), String> {
        let stakes = std::mem::take(&mut self.of(patron).stakes);
        let all: i128 = stakes.values().sum();
        self.gain(patron, all);
        let told = returns.iter().filter(|it| it.patron == patron).map(|it| minor(it.amount)).sum();
        same(patron, "what comes back", told, all)
    }

    /// A choice takes back what lay when the error happened; what was raised since stays.
    fn taken_back(&mut self, patron: PatronNo, returns: &[Return]) -> Result<(), String> {
        for it in returns {
            let spot = (it.box_no, it.bet.clone());
            let lies = self.of(patron).stakes.remove(&spot).unwrap_or(0);
            let amount = minor(it.amount);
            same(patron, "what is taken back", amount, amount.min(lies))?;
            self.gain(patron, amount);
            if lies > amount {
                self.of(patron).stakes.insert(spot, lies - amount);
            }
        }
        Ok(())
    }

    fn settled(&mut self, result: &RoundResult, lines: &[SettledLine]) -> Result<(), String> {
        for line in lines {
            let paid = self.payout(result, line).unwrap_or(minor(line.to_patron));
            self.gain(line.patron, paid);
            let staked = self.of(line.patron).stakes.remove(&(line.box_no, line.bet.clone()));
            same(line.patron, "the stake settled", minor(line.stake), staked.unwrap_or(0))?;
            same(line.patron, &format!("the payout of {}", line.bet), minor(line.to_patron), paid)?;
        }
        let left = self.purses.iter().find(|(_, purse)| !purse.stakes.is_empty());
        match left {
            Some((patron, _)) => Err(format!("patron {}: a wager was not settled", patron.0)),
            None => Ok(()),
        }
    }

    /// What the usual bets pay, as printed.
    fn payout(&self, result: &RoundResult, line: &SettledLine) -> Option<i128> {
        let (stake, playing) = (minor(line.stake), minor(line.playing));
        let (player, banker) = (result.winner == Winner::Player, result.winner == Winner::Banker);
        let (won, gain) = match (self.game.as_str(), line.bet.as_str()) {
            (_, "player" | "banker") if !player && !banker => return Some(stake),
            ("wu-song", "player") if result.points.player == 7 => (player, playing / 2),
            (_, "player") => (player, playing),
            ("wu-song", "banker") if matches!(result.points.banker, 6 | 7) => (banker, playing / 2),
            ("ncb-etg" | "rws-baccarat", "banker") if result.points.banker == 6 => (banker, playing / 2),
            ("da-hu-ying-xiong", "banker") => (banker, playing * 95 / 100),
            (_, "banker") => (banker, playing),
            ("ncb-etg" | "da-hu-ying-xiong", "tie") => (!player && !banker, playing * 8),
            (_, "player-pair") => (result.pairs[Side::Player], playing * 11),
            (_, "banker-pair") => (result.pairs[Side::Banker], playing * 11),
            (_, _) => return None,
        };
        Some(stake - playing + if won { playing + gain } else { 0 })
    }
}

fn same(patron: PatronNo, what: &str, table: i128, own: i128) -> Result<(), String> {
    match table == own {
        true => Ok(()),
        false => Err(format!("patron {}: {what}: the table says {table}, the patron {own}", patron.0)),
    }
}
