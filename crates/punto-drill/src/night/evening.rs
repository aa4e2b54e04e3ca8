//! Evenings, and the witnesses elsewhere: the house closes, time passes, and at the next start somebody who kept the checkpoints
//! is asked whether this is still the same history.

use punto_record::{Actor, Command, Deed, WitnessName};

use super::Night;
use crate::device::Role;
use crate::network::Happening;
use crate::server::Answer;

const HOUR: u64 = 3_600_000;

impl Night<'_> {
    /// The house closes in order, and opens again when some time has passed.
    pub(super) fn evening_ends(&mut self) -> Result<(), String> {
        let next = self.now + self.dice.between(4_000, 9_000);
        self.queue.put(next, Happening::EveningEnds);
        if let Err(error) = self.server.own_deed(Deed::SoftwareStopped {}, self.now) {
            return self.failed(&error);
        }
        self.look()?;
        self.counters.evenings += 1;
        // Screens are switched off: what was on its way is asked again tomorrow.
        let _ = self.queue.cut(None);
        for table in 0..self.stations.len() {
            let outbox = self.server.stop(table);
            self.say(table, outbox)?;
        }
        let hours = self.dice.weigh(&[(5, (9, 16)), (5, (30, 60)), (3, (150, 230))]);
        self.server.unfollowed += self.dice.between(hours.0 * HOUR, hours.1 * HOUR);
        self.watch().next_evening();
        if self.dice.chance(35) {
            let back = self.now + self.dice.between(500, 6_000);
            self.elsewhere.iter_mut().for_each(|it| it.away_until = back);
        }
        self.open_again()
    }

    /// The recorded clock follows the system's, which was found to be right.
    pub(super) fn clock_follows(&mut self) -> Result<(), String> {
        let from = self.server.clock(self.now);
        self.server.follow();
        self.note_clock(from)
    }

    /// The tables are told that the clock says something else than before.
    pub(super) fn note_clock(&mut self, from: punto_record::Timestamp) -> Result<(), String> {
        let to = self.server.clock(self.now);
        for table in 0..self.stations.len() {
            self.give(table, Role::House, Actor::House, Command::NoteClock { from, to })?;
        }
        Ok(())
    }

    /// Time to show the witnesses what there is. Now and then one cannot be reached, or keeps what never was.
    pub(super) fn witnesses_asked(&mut self) -> Result<(), String> {
        let next = self.now + self.dice.between(500, 1_500);
        self.queue.put(next, Happening::WitnessesAsked);
        let which = self.dice.below(self.elsewhere.len());
        if self.dice.chance(10) {
            self.elsewhere[which].away_until = self.now + self.dice.between(500, 6_000);
        }
        let name = self.elsewhere[which].name.clone();
        let ledger = self.server.vault().ledger();
        let origin =
            self.server.vault().witnesses().in_use().find(|it| it.name == name).map(|it| it.origin(ledger));
        if let Some(origin) = origin
            && self.dice.chance(10)
        {
            self.elsewhere[which].goes_wrong(origin, &mut self.dice);
        }
        self.ask_witnesses()
    }

    /// Asks them. One that contests this history must have gone wrong.
    pub(super) fn ask_witnesses(&mut self) -> Result<(), String> {
        let said = match self.server.ask_witnesses(&mut self.elsewhere, self.now) {
            Ok(said) => said,
            Err(error) => return self.failed(&error),
        };
        for (name, origin, answer) in said {
            let wrong =
                |name: &WitnessName| self.elsewhere.iter().any(|it| it.name == *name && it.is_false(&origin));
            match answer {
                Answer::Contested(contest) if !wrong(&name) => {
                    return Err(format!("{name} kept what it was shown, and it is contested: {contest:?}"));
                }
                Answer::Confirmed { .. } if wrong(&name) => {
                    return Err(format!("{name} keeps what never was, and confirmed it"));
                }
                Answer::Contested(_) | Answer::Confirmed { .. } | Answer::Unreachable => {}
            }
        }
        self.look()
    }
}
