//! Deeds that insiders try, each in every way to get by without the second person whom it takes; and what nobody may do at all.

use punto_ledger::FACTOR_RESET_DELAY;
use punto_record::{
    Actor, Contest, Deed, Digest, FactorShown, Moment, Person, Seq, SessionId, TicketNo, Timestamp, Witness,
    digest,
};
use punto_rules::{Money, PatronNo, Post};

use super::Night;
use super::attempt::{Attempt, Way, named, said};
use crate::elsewhere::PLACES;
use crate::floor::PATRONS;
use crate::phones::{Done, Made, step_at};
use crate::server::{JUNIOR, NEVER_ASKED, SIGNS_BLINDLY, STAFF, must_have_factor, works_as};

fn administrator() -> Actor {
    Actor::Administrator { person: "o-1".into() }
}

pub(super) fn cashier() -> Actor {
    Actor::Cashier { person: "c-1".into() }
}

impl Night<'_> {
    /// A deed that nobody should get through, if there is one of that kind as things stand.
    pub(super) fn deed_to_try(&mut self) -> Option<Attempt> {
        match self.dice.below(28) {
            0..5 => self.ticket_to_try(),
            5..11 => self.factor_to_try(),
            11..15 => self.device_to_try(),
            15..21 => self.witness_to_try(),
            21..24 => Some(self.clock_to_try()),
            _ => self.power_to_try(),
        }
    }

    fn way(&mut self) -> Way {
        self.dice.pick(&[Way::Alone, Way::NotAsked, Way::Junior, Way::Oneself, Way::SignedForAnother])
    }

    /// An Administrator; now and then somebody who says that they are one.
    fn somebody_in_the_office(&mut self) -> Actor {
        match self.dice.below(10) {
            0 => Actor::Administrator { person: "c-1".into() },
            1 => Actor::Staff { person: "p-4".into(), post: Post::PitManager },
            _ => administrator(),
        }
    }

    /// An expired ticket paid as if it were good, with another amount, by others, or again.
    fn ticket_to_try(&mut self) -> Option<Attempt> {
        let now = self.server.recorded(self.now);
        let expired: Vec<TicketNo> = self.watch().expired_tickets(now).cloned().collect();
        if expired.is_empty() {
            return None;
        }
        let ticket = self.dice.pick(&expired);
        let slip = self.watch().slip(&ticket)?;
        let (amount, currency) = (slip.amount, slip.currency);
        let two = |ticket, amount, currency| {
            let (second, reason) = (Some(SIGNS_BLINDLY.into()), Some("the patron was ill".into()));
            Deed::TicketPaid { ticket, amount, currency, second, reason }
        };
        Some(match self.dice.below(8) {
            0 => {
                let more = Money::new(amount.get() + 1).unwrap_or(amount);
                Attempt::signed(cashier(), two(ticket, more, currency))
            }
            1 => Attempt::signed(cashier(), two(ticket, amount, Some("XTS".into()))),
            2 => {
                let manager = Actor::Staff { person: "p-4".into(), post: Post::PitManager };
                Attempt::signed(manager, two(ticket, amount, currency))
            }
            3 => {
                let ticket = self.watch().spent.last().cloned()?;
                let slip = self.watch().slip(&ticket)?;
                Attempt::signed(cashier(), two(ticket, slip.amount, slip.currency))
            }
            4 => {
                let way = self.way();
                Attempt::by_way(way, cashier(), |second, reason| {
                    let (ticket, currency) = (ticket.clone(), currency.clone());
                    let (second, reason) = (named(second), said(reason));
                    Deed::TicketVoided { ticket, amount, currency, second, reason }
                })
            }
            _ => {
                let way = self.way();
                Attempt::by_way(way, cashier(), |second, reason| {
                    let (ticket, currency) = (ticket.clone(), currency.clone());
                    Deed::TicketPaid { ticket, amount, currency, second, reason }
                })
            }
        })
    }

    /// A reset unasked or before its day, a colleague's factor replaced, a code used again, work without a factor.
    fn factor_to_try(&mut self) -> Option<Attempt> {
        let victim: Person = NEVER_ASKED.into();
        let by = works_as(&victim);
        let new = Attempt::new;
        let used = self.watch().factors.used(&victim);
        let seed = self.server.door.factor(&victim).and_then(|it| it.seed()).map(|seed| *seed.bytes());
        let step = step_at(self.server.clock(self.now).0);
        Some(match self.dice.below(9) {
            0 | 1 => {
                let (way, by) = (self.way(), self.somebody_in_the_office());
                let person: Person = self.dice.pick(&["p-5", "p-6", "o-2"]).into();
                Attempt::by_way(way, by, |second, reason| {
                    let (person, second, reason) = (person.clone(), named(second), said(reason));
                    Deed::FactorResetBegun { person, second, reason }
                })
            }
            2 => {
                let waits = self.server.vault().factor_resets().next().cloned();
                let at = self.server.recorded(self.now);
                let (begun, person) = match waits {
                    Some(reset) if reset.due > at => (reset.begun, reset.person),
                    Some(_) | None => (Seq(1), victim),
                };
                let by = self.dice.pick(&[Actor::House, administrator()]);
                new(by, Deed::FactorReset { begun, person })
            }
            3 => {
                let reset = self.server.vault().factor_resets().next().cloned()?;
                let by = Actor::Staff { person: JUNIOR.into(), post: Post::PitSupervisor };
                new(by, Deed::FactorResetStopped { begun: reset.begun, person: reset.person, factor: None })
            }
            4 => {
                let made = Made::new(&mut self.dice);
                let deed = Deed::FactorEnrolled { step, factor: None, credential: None };
                let credential = Some(made.credential());
                let done = Some(Done { shown: None, leaves: Some(made) });
                seed?;
                Attempt { credential, done, ..new(by, deed) }
            }
            5 => {
                let codes = Made::new_codes(&mut self.dice);
                let made = Made { seed: seed?, codes };
                let deed =
                    Deed::RecoveryCodesMade { factor: FactorShown::Code { step: used? }, credential: None };
                let credential = Some(made.credential());
                let done = Some(Done { shown: None, leaves: Some(made) });
                Attempt { credential, done, ..new(by, deed) }
            }
            6 => {
                let factor = match self.dice.chance(50) {
                    true => None,
                    false => Some(FactorShown::Code { step: used? }),
                };
                seed?;
                new(by, Deed::SignedIn { session: SessionId::as_recorded("borrowed"), factor })
            }
            7 => {
                let used = Deed::RecoveryCodeUsed { left: 3, credential: None };
                Attempt { credential: Some(Made::new(&mut self.dice).credential()), ..new(cashier(), used) }
            }
            _ => {
                let at = self.server.recorded(self.now);
                let lacks = |person: &Person| {
                    must_have_factor(person)
                        && self
                            .watch
                            .as_ref()
                            .and_then(|it| it.factors.removed(person))
                            .is_some_and(|it| it < at)
                };
                let person = STAFF.into_iter().map(|(person, _)| person.into()).find(lacks)?;
                let digest = Some(Digest(self.dice.bytes()));
                let approval = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
                new(works_as(&person), approval)
            }
        })
    }

    /// A device enrolled by one, or over somebody's credits.
    fn device_to_try(&mut self) -> Option<Attempt> {
        let table = self.stations[self.dice.below(self.stations.len())].id.clone();
        let kind = self.dice.pick(&["terminal", "acceptor", "console", "reader"]);
        let mut patron = PatronNo(1 + self.dice.below(PATRONS as usize) as u32);
        let over_credits = self.dice.chance(25);
        if over_credits {
            let accounts = &self.watch().state(&table)?.accounts;
            let rich = accounts.iter().find(|(_, account)| !account.credits.is_zero());
            patron = *rich?.0;
        }
        if self.dice.chance(10) {
            let device = self.watch().devices_in_use().next().cloned()?;
            return Some(Attempt::new(cashier(), Deed::DeviceRevoked { device }));
        }
        self.insiders.tries += 1;
        let device = format!("own-{}", self.insiders.tries);
        let deed = |kind: &str, patron, second, reason| Deed::DeviceEnrolled {
            device: device.parse().expect("a name"),
            kind: kind.into(),
            table: table.clone(),
            patron,
            at_box: None,
            second,
            reason,
            credential: None,
        };
        if over_credits {
            let (second, reason) = (Some(SIGNS_BLINDLY.into()), Some("the screen was broken".into()));
            let enrolled = deed("terminal", Some(patron), second, reason);
            return Some(Attempt::signed(administrator(), enrolled));
        }
        let patron = matches!(kind, "terminal" | "acceptor").then_some(patron);
        let (way, by) = (self.way(), self.somebody_in_the_office());
        Some(Attempt::by_way(way, by, |second, reason| deed(kind, patron, second, reason)))
    }

    /// A witness named, moved or removed, the house opened without one, a loss declared.
    fn witness_to_try(&mut self) -> Option<Attempt> {
        let in_use: Vec<Witness> = self.server.vault().witnesses().in_use().cloned().collect();
        let (way, by) = (self.way(), self.somebody_in_the_office());
        Some(match self.dice.below(8) {
            0 => {
                let (name, address) = self.dice.pick(&PLACES);
                Attempt::by_way(way, by, |second, reason| Deed::WitnessChanged {
                    witness: name.into(),
                    address: format!("{address}/own").into(),
                    key: None,
                    in_use: true,
                    second: named(second),
                    reason: said(reason),
                })
            }
            1 => {
                let witness = in_use.first()?;
                Attempt::by_way(way, by, |second, reason| Deed::WitnessChanged {
                    witness: witness.name.clone(),
                    address: witness.address.to_string().into(),
                    key: None,
                    in_use: false,
                    second: named(second),
                    reason: said(reason),
                })
            }
            2 | 3 => Attempt::by_way(way, by, |second, reason| Deed::OpenedUnwitnessed {
                second: named(second),
                reason: said(reason),
            }),
            4 | 5 => {
                let contested = in_use.iter().find_map(|it| it.contested.clone()).map(|(_, contest)| contest);
                let made_up = Contest { witness: PLACES[0].0.into(), from: 0, to: 9, root: None };
                let Contest { witness, from, to, root } = contested.unwrap_or(made_up);
                Attempt::by_way(way, by, |second, reason| {
                    let (witness, second, reason) = (witness.clone(), named(second), said(reason));
                    Deed::LossDeclared { witness, from, to, root, second, reason }
                })
            }
            _ => {
                let by = self.dice.pick(&[Actor::House, administrator()]);
                // Of a witness that there is only the software may say so, and it is the software's word.
                let witness = if by == Actor::House { "nobody" } else { PLACES[0].0 }.into();
                let confirmed = Deed::WitnessConfirmed { witness, size: 9, root: Digest([9; 32]) };
                Attempt::new(by, confirmed)
            }
        })
    }

    /// The recorded clock moved on by one, or further than a start may.
    fn clock_to_try(&mut self) -> Attempt {
        if self.dice.chance(30) {
            let rested = self.server.vault().may_rest() + self.dice.between(1, FACTOR_RESET_DELAY);
            let by = self.dice.pick(&[Actor::House, administrator()]);
            let started = Deed::SoftwareStarted { software: digest(b"drill"), at_rest: Some(rested) };
            return Attempt::new(by, started);
        }
        let ahead = self.dice.between(1, 30 * FACTOR_RESET_DELAY);
        let (way, by) = (self.way(), self.somebody_in_the_office());
        Attempt::by_way(way, by, |second, reason| Deed::ClockConfirmed {
            ahead,
            second: named(second),
            reason: said(reason),
        })
    }

    /// People hired, raised or restored, a good ticket made void, rules approved, the register cleared.
    fn power_to_try(&mut self) -> Option<Attempt> {
        let (way, by) = (self.way(), self.somebody_in_the_office());
        self.insiders.tries += 1;
        let accomplice: Person = format!("x-{}", self.insiders.tries).parse().expect("a name");
        let hired = |second, reason| Deed::StaffChanged {
            person: accomplice.clone(),
            role: "cashier".into(),
            enabled: true,
            invited: true,
            name: None,
            second,
            reason,
            credential: None,
        };
        Some(match self.dice.below(8) {
            0 | 1 => Attempt::by_way(way, by, hired),
            2 => Attempt::by_way(way, cashier(), hired),
            3 => {
                let raised = Deed::staff_changed("o-1".into(), "duty-manager".into(), true, false);
                Attempt::new(administrator(), raised)
            }
            4 => {
                let ticket = self.watch().good_ticket()?;
                let slip = self.watch().slip(&ticket)?;
                Attempt::by_way(way, cashier(), |second, reason| Deed::TicketVoided {
                    ticket: ticket.clone(),
                    amount: slip.amount,
                    currency: slip.currency.clone(),
                    second: named(second),
                    reason: said(reason),
                })
            }
            5 => {
                let (persons, reason) = (vec!["o-1".into()], "as discussed".into());
                let restored = Deed::AdministratorsRestored { persons, reason };
                Attempt::new(administrator(), restored)
            }
            6 => {
                let text = Digest(self.dice.bytes());
                let now = Moment::utc(Timestamp(self.now));
                Attempt::by_way(way, by, |second, reason| Deed::RulesApproved {
                    game: "own".into(),
                    version: "1".into(),
                    digest: text,
                    authority: "the authority".into(),
                    reference: "none".into(),
                    operator: "the drill".into(),
                    document: "none".into(),
                    in_force: now,
                    software_cards: true,
                    second: named(second),
                    compared: said(reason),
                })
            }
            _ => Attempt::by_way(way, by, |second, reason| Deed::RegisterCleared {
                failed: Seq(1),
                second: named(second),
                reason: said(reason),
            }),
        })
    }
}
