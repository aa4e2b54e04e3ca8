//! People at the door: those who must set up a second factor before they do anything, sign in with it, replace it, lose it, use
//! recovery codes; and resets that wait are stopped or done.

use punto_ledger::Error;
use punto_record::{FactorShown, Person};

use super::{Night, WROTE_ON};
use crate::faults::Moment;
use crate::network::Happening;
use crate::phones::{Shown, step_at};
use crate::server::{OFFICE, SIGNS_BLINDLY, must_have_factor};

/// Those who come to the door: those who must have a second factor but one, who never comes, and one who may.
const COME: [&str; 7] = ["o-1", "o-2", "p-2", "p-4", "p-5", "p-6", SIGNS_BLINDLY];

/// What somebody does at the door.
#[derive(Clone, Copy)]
enum Act {
    SignIn,
    ShowOldCode,
    SignInByRecoveryCode,
    Replace,
    RenewCodes,
    Lose,
    StopReset,
}

/// What somebody showed, and what is written down of it.
type Taken = (Shown, FactorShown);

impl Night<'_> {
    pub(super) fn door_acts(&mut self) -> Result<(), String> {
        self.queue.put(self.now + self.dice.between(150, 700), Happening::DoorActs);
        let person: Person = self.dice.pick(&COME).into();
        if !self.server.door.knows(&person) {
            return match must_have_factor(&person) || self.dice.chance(20) {
                true => self.enrols(&person, None),
                false => Ok(()),
            };
        }
        let act = self.dice.weigh(&[
            (12, Act::SignIn),
            (4, Act::ShowOldCode),
            (2, Act::SignInByRecoveryCode),
            (3, Act::Replace),
            (1, Act::RenewCodes),
            (2, Act::Lose),
            (4, Act::StopReset),
        ]);
        match act {
            Act::SignIn => match self.shows(&person) {
                Some(taken) => self.signs_in(&person, taken),
                None => Ok(()),
            },
            Act::ShowOldCode => self.shows_old_code(&person),
            Act::SignInByRecoveryCode => match self.gives_recovery_code(&person)? {
                Some(taken) => self.signs_in(&person, taken),
                None => Ok(()),
            },
            Act::Replace => {
                let taken = match self.shows(&person) {
                    Some(taken) => Some(taken),
                    None => self.gives_recovery_code(&person)?,
                };
                match taken {
                    Some(taken) => self.enrols(&person, Some(taken)),
                    None => Ok(()),
                }
            }
            Act::RenewCodes => match self.shows(&person) {
                Some(taken) => self.renews_codes(&person, taken),
                None => Ok(()),
            },
            Act::Lose => {
                let keeps_paper = self.dice.chance(30);
                let carried = self.phones.of(&person);
                carried.seeds.clear();
                if !keeps_paper {
                    carried.codes.clear();
                }
                Ok(())
            }
            Act::StopReset => self.stops_reset(),
        }
    }

    /// Whoever must have a second factor sets one up before they do anything. False if the software had to start again.
    pub(super) fn come_in(&mut self, people: &[Person]) -> Result<bool, String> {
        if !self.in_a_house {
            return Ok(true);
        }
        for person in people {
            if must_have_factor(person) && !self.server.door.knows(person) {
                let restarts = self.lives;
                self.enrols(person, None)?;
                if self.lives != restarts {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether somebody has anything left to show.
    pub(super) fn can_show(&mut self, person: &Person) -> bool {
        let seed = self.server.door.factor(person).and_then(|it| it.seed()).map(|seed| *seed.bytes());
        let codes = self.server.door.codes(person);
        let carried = self.phones.of(person);
        seed.is_some_and(|seed| carried.seeds.contains(&seed))
            || carried.codes.iter().any(|code| codes.contains(code))
    }

    /// What the clock at the door says, in numbers of codes.
    fn code_now(&self) -> u64 {
        step_at(self.server.clock(self.now).0)
    }

    /// Somebody shows the code of their app: of the latest secret in it, and if that is not taken, of the one before.
    fn shows(&mut self, person: &Person) -> Option<Taken> {
        let step = self.code_now();
        let seeds: Vec<_> = self.phones.of(person).seeds.iter().rev().take(2).copied().collect();
        for seed in seeds {
            let shown = Shown::Code { seed, step };
            match self.server.door.takes(person, &shown) {
                Some(factor) => return Some((shown, factor)),
                None => self.counters.codes_refused += 1,
            }
        }
        None
    }

    /// Somebody shows a code that is good for nothing: of a secret that was replaced, or one that was used. Whoever holds such
    /// a telephone tries everything in it.
    fn shows_old_code(&mut self, person: &Person) -> Result<(), String> {
        let step = self.code_now();
        let own = self.server.door.factor(person).and_then(|it| it.seed()).map(|seed| *seed.bytes());
        let seeds = self.phones.of(person).seeds.clone();
        for seed in seeds {
            let is_good = Some(seed) == own && self.server.door.is_free(person, step);
            if is_good {
                continue;
            }
            let shown = Shown::Code { seed, step };
            match self.server.door.takes(person, &shown) {
                None => self.counters.codes_refused += 1,
                Some(factor) => return self.signs_in(person, (shown, factor)),
            }
        }
        Ok(())
    }

    /// Somebody crosses out a recovery code and shows it. It is used up before anything else is done by it.
    fn gives_recovery_code(&mut self, person: &Person) -> Result<Option<Taken>, String> {
        let Some(code) = self.phones.of(person).codes.pop() else { return Ok(None) };
        let shown = Shown::Recovery(code);
        let Some(factor) = self.server.door.takes(person, &shown) else {
            self.counters.codes_refused += 1;
            return Ok(None);
        };
        let used = self.server.use_recovery_code(person, code, self.now, &mut self.phones);
        Ok(self.written(used)?.map(|()| (shown, factor)))
    }

    fn signs_in(&mut self, person: &Person, taken: Taken) -> Result<(), String> {
        let done = self.server.sign_in(person, Some(taken), self.now, &mut self.phones);
        self.written(done).map(drop)
    }

    fn enrols(&mut self, person: &Person, taken: Option<Taken>) -> Result<(), String> {
        let made = self.server.enrol(person, taken, self.now, &mut self.dice, &mut self.phones);
        if let Some(made) = self.written(made)? {
            self.phones.of(person).codes = made.codes;
        }
        Ok(())
    }

    fn renews_codes(&mut self, person: &Person, taken: Taken) -> Result<(), String> {
        let made = self.server.renew_codes(person, taken, self.now, &mut self.dice, &mut self.phones);
        if let Some(codes) = self.written(made)? {
            self.phones.of(person).codes = codes;
        }
        Ok(())
    }

    /// A reset that waits is stopped by whom it is about, if they have anything to show, or by an Administrator.
    fn stops_reset(&mut self) -> Result<(), String> {
        let Some(reset) = self.server.vault().factor_resets().next().cloned() else { return Ok(()) };
        let by = match self.can_show(&reset.person) {
            true => reset.person.clone(),
            false if self.dice.chance(15) => self.dice.pick(&OFFICE).into(),
            false => return Ok(()),
        };
        let Some(taken) = self.shows(&by) else { return Ok(()) };
        let about = (reset.begun, reset.person);
        let done = self.server.stop_reset(&by, about, taken, self.now, &mut self.phones);
        self.written(done).map(drop)
    }

    /// Resets whose day is over are carried out.
    pub(super) fn resets_due(&mut self) -> Result<(), String> {
        let done = self.server.reset_factors(self.now);
        self.written(done).map(drop)
    }

    /// What somebody did at the door is in the record, and they are told. Nothing if the software had to start again: it
    /// failed, or died before anybody was told.
    pub(super) fn written<T>(&mut self, done: Result<T, Error>) -> Result<Option<T>, String> {
        match done {
            Ok(_) if self.superseded => Err(WROTE_ON.to_owned()),
            Ok(_) if self.doom == Some(Moment::Receipt) => {
                self.counters.crashes_before_receipt += 1;
                self.crash().map(|()| None)
            }
            Ok(told) => self.look().map(|()| Some(told)),
            Err(error) => self.failed(&error).map(|()| None),
        }
    }
}
