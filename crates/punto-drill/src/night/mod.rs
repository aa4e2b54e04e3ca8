//! One ledger from its founding to its last audit: a floor at work, step by step over simulated time.

mod cage;
mod commit;
mod insiders;
mod trouble;
mod wires;

use std::collections::VecDeque;

use punto_ledger::Place;
use punto_record::{Actor, Command, CommandKind, Order, Reason, Timestamp, Volume};
use punto_table::{Answer, Outbox, Reply};

use crate::checks::{Fault, Watch};
use crate::device::{Pending, Role};
use crate::dice::Dice;
use crate::faults::Moment;
use crate::floor::Station;
use crate::network::{Happening, Queue};
use crate::people::{Scene, speak_for};
use crate::server::Server;
use crate::{Counters, Plan};
use cage::Cage;
pub(crate) use insiders::INSIDER;
use insiders::Insiders;

/// When nights begin.
const START: u64 = 1_767_225_600_000;
/// How long a device waits for its answer before it asks again.
const PATIENCE: u64 = 400;
/// A device that has asked so often and got no answer never will.
const MOST_TRIES: u32 = 2_000;
/// How many of the last things are told when something fails.
const TOLD: usize = 16;

/// A night.
#[derive(Debug)]
pub(crate) struct Night<'a> {
    plan: &'a Plan,
    pub(crate) counters: &'a mut Counters,
    pub(crate) now: u64,
    dice: Dice,
    queue: Queue,
    server: Server,
    stations: Vec<Station>,
    volumes: Vec<Volume>,
    watch: Option<Watch>,
    /// The software dies at the next commit.
    doom: Option<Moment>,
    /// Another writer took over: nothing more may be written until the software has started again.
    superseded: bool,
    commit_is_due: bool,
    cage: Cage,
    insiders: Insiders,
    closing: bool,
    before: VecDeque<(u64, Happening)>,
}

impl<'a> Night<'a> {
    pub(crate) fn new(plan: &'a Plan, number: u64, counters: &'a mut Counters) -> Result<Night<'a>, String> {
        let mut dice = Dice::new(plan.seed, number);
        let tables = usize::from(plan.tables.max(1));
        let mut stations: Vec<Station> = (0..tables).map(|place| Station::new(place, &mut dice)).collect();
        let volumes = stations.iter().map(|station| station.volume.clone()).collect();
        let place = match &plan.place {
            Place::File(path) => Place::File(format!("{}.{}", path.display(), number + 1).into()),
            Place::Memory => Place::Memory,
            Place::Database(_) => return Err("a drill is played in memory or in files".to_owned()),
        };
        let mut server = Server::found(place, tables, &mut dice, START).map_err(|error| error.to_string())?;
        let in_a_house = server.vault().kind().is_house();
        for station in &mut stations {
            station.in_a_house = in_a_house;
            server.approve(&station.text, START).map_err(|error| error.to_string())?;
        }
        let mut queue = Queue::default();
        (0..tables).for_each(|table| queue.put(START + 10, Happening::Act { table }));
        queue.put(START + 2_000, Happening::CageActs);
        if plan.trouble > 0 {
            queue.put(START + 1_000, Happening::Trouble);
        }
        if plan.trouble > 0 && in_a_house {
            queue.put(START + 3_000, Happening::InsiderActs);
        }
        counters.nights += 1;
        Ok(Night {
            plan,
            counters,
            now: START,
            dice,
            queue,
            server,
            stations,
            volumes,
            watch: Some(Watch::new()),
            doom: None,
            superseded: false,
            commit_is_due: false,
            cage: Cage::default(),
            insiders: Insiders::at(tables),
            closing: false,
            before: VecDeque::new(),
        })
    }

    /// The last things that happened, in words.
    pub(crate) fn told(&self) -> Vec<String> {
        self.before
            .iter()
            .map(|(at, happening)| format!("{}.{:03} {happening:?}", (at - START) / 1000, at % 1000))
            .collect()
    }

    pub(super) fn watch(&mut self) -> &mut Watch {
        self.watch.as_mut().expect("until the end")
    }

    /// The next thing happens; `false` when nothing is left to happen.
    pub(crate) fn step(&mut self) -> Result<bool, String> {
        let Some((at, happening)) = self.queue.next() else { return Ok(false) };
        self.now = at;
        self.counters.steps += 1;
        if self.before.len() == TOLD {
            self.before.pop_front();
        }
        self.before.push_back((at, happening.clone()));
        match happening {
            Happening::Act { table } => self.act(table)?,
            Happening::Arrives { table, order } => self.arrives(table, order)?,
            Happening::Answered { table, reply } => self.answered(table, &reply)?,
            Happening::Impatience { table, role, n } => self.impatience(table, role, n)?,
            Happening::DeedArrives { id, by, deed } => self.deed_arrives(id, by, deed)?,
            Happening::DeedAnswered { id, done } => self.deed_answered(&id, done),
            Happening::CageWaits { n } => self.cage_waits(n)?,
            Happening::CageActs => self.cage_acts(),
            Happening::Commit => self.commit()?,
            Happening::Receipt { table, life, seq } => self.receipt(table, life, seq)?,
            Happening::Trouble => self.trouble()?,
            Happening::InsiderActs => self.insider_acts()?,
        }
        Ok(true)
    }

    /// The floor closes: everything that was sent is answered, and the whole ledger is audited from its first entry.
    pub(crate) fn finish(mut self) -> Result<(), String> {
        self.closing = true;
        self.doom = None;
        self.queue.quiet();
        while self.step()? {}
        let now = self.now + 1;
        let pending =
            self.stations.iter_mut().flat_map(Station::devices).find(|(_, device)| device.pending.is_some());
        if let Some((_, device)) = pending {
            return Err(format!("{} never got an answer", device.id));
        }
        let signed = match self.server.checkpoint(now) {
            Ok(signed) => signed,
            // The disk was full, or somebody else had taken over, and nobody had written since.
            Err(error) => {
                self.failed(&error)?;
                while self.step()? {}
                self.server.checkpoint(self.now + 1).map_err(|error| error.to_string())?
            }
        };
        if let Some(signed) = signed {
            self.counters.root = Some(signed.checkpoint.root);
            self.watch().checkpoint(signed);
        }
        let watch = self.watch.take().expect("until the end");
        watch.finish(self.server.vault(), self.counters).map_err(words)?;
        if !self.plan.keeps {
            self.server.discard();
        }
        Ok(())
    }

    /// Somebody at a table does something.
    pub(super) fn act(&mut self, table: usize) -> Result<(), String> {
        let next = self.now + self.dice.between(15, 90);
        self.queue.put(next, Happening::Act { table });
        let (role, by, mut command) = {
            let mut scene = Scene {
                dice: &mut self.dice,
                table: self.server.desks[table].table(),
                station: &mut self.stations[table],
                pockets: self.watch.as_ref().map_or(&[], |watch| &watch.pockets),
                spent: self.watch.as_ref().map_or(&[], |watch| &watch.spent),
                counters: self.counters,
                speaker: None,
            };
            let nonsense = scene.dice.chance(3);
            let kind = if nonsense { scene.dice.pick(CommandKind::ALL) } else { scene.next() };
            let (role, by) = if nonsense { scene.anybody() } else { scene.somebody(kind) };
            let coming = if nonsense { None } else { scene.posted(&by) };
            let (role, by, coming) = match coming {
                Some((role, by, command)) => (role, by, Some(command)),
                None => (role, by, None),
            };
            let device = scene.station.device(role);
            if device.is_dark(self.now) {
                return Ok(());
            }
            if device.pending.is_some() {
                if !scene.dice.rarely(4) {
                    return Ok(());
                }
                scene.counters.impatient += 1;
            }
            if nonsense {
                scene.counters.nonsense += 1;
                // Nobody can draw a card of somebody else's software shoe, not even in jest: it would be a true fact.
                if kind == CommandKind::DrawCard && role == Role::House && !scene.is_software() {
                    return Ok(());
                }
            }
            scene.speaker = by.patron();
            let command = coming.unwrap_or_else(|| scene.command(kind));
            (role, by, command)
        };
        if let Some(speaker) = by.patron() {
            speak_for(&mut command, speaker);
        }
        self.give(table, role, by, command)
    }

    /// Somebody gives an order on a device.
    pub(super) fn give(
        &mut self,
        table: usize,
        role: Role,
        by: Actor,
        command: Command,
    ) -> Result<(), String> {
        let state = self.server.desks[table].table().state();
        let names = command.kind().facts().names_its_round || self.dice.chance(20);
        let round =
            (names && !self.dice.rarely(5)).then(|| state.round().map_or(state.rounds, |round| round.no));
        self.counters.orders += 1;
        let device = self.stations[table].device(role);
        let order = device.order(by, round, command);
        if role == Role::House {
            return self.arrives(table, order);
        }
        if self.dice.rarely(3) && order.id.n > 1 {
            // A device that has lost count: an id that was used before, for another order. Nobody waits for an answer.
            self.counters.ids_reused += 1;
            device.n -= 1;
            let id = punto_record::OrderId { n: order.id.n - 1, ..order.id.clone() };
            // It may happen to want the same as before. If that was refused, nobody remembers it after a restart.
            self.watch.as_mut().expect("until the end").asks_anew(&id);
            self.queue.put(self.now + 5, Happening::Arrives { table, order: Order { id, ..order } });
            return Ok(());
        }
        device.pending = Some(Pending { order: order.clone(), tries: 1 });
        self.send(table, role, order);
        Ok(())
    }

    pub(super) fn arrives(&mut self, table: usize, order: Order) -> Result<(), String> {
        let place = (table, &self.volumes[table]);
        let handed = self.server.hand_in(place, order, None, self.now, &mut self.dice);
        if let Err(error) = handed {
            return self.failed(&error);
        }
        let outbox = self.server.desks[table].outbox();
        self.say(table, outbox)?;
        self.commit_soon();
        Ok(())
    }

    /// What a desk says goes out; it must be true when it leaves.
    pub(super) fn say(&mut self, table: usize, outbox: Outbox) -> Result<(), String> {
        let head = self.server.vault().head(&self.volumes[table]).seq;
        if let Some(frame) = outbox.frames.iter().find(|frame| frame.seq > head) {
            return Err(format!(
                "a frame for {:?} tells of entry {}, the ledger has {head}",
                frame.feed, frame.seq
            ));
        }
        for reply in outbox.replies {
            let id = self.stations[table].id.clone();
            self.watch.as_mut().expect("until the end").answer(&id, &reply, self.counters)?;
            let house = self.stations[table].device(Role::House).id.clone();
            if reply.to.device.as_str() == INSIDER {
                self.counters.insiders_refused += u64::from(matches!(reply.answer, Answer::Refused(_)));
            } else if reply.to.device == house {
                self.house_hears(&reply)?;
            } else if reply.to.device.as_str() != punto_table::CLOCK {
                self.send_back(table, reply);
            }
        }
        Ok(())
    }

    pub(super) fn house_hears(&mut self, reply: &Reply) -> Result<(), String> {
        if let Answer::Refused(rejection) = &reply.answer {
            self.counters.refused += 1;
            if let Reason::RevealDoesNotMatch {} = rejection.reason {
                return Err(format!("{:?}: the order of a shoe was refused that was committed to", reply.to));
            }
        }
        Ok(())
    }

    /// An answer reaches its device.
    pub(super) fn answered(&mut self, table: usize, reply: &Reply) -> Result<(), String> {
        let id = self.stations[table].id.clone();
        self.watch.as_mut().expect("until the end").answer(&id, reply, self.counters)?;
        let now = self.now;
        let mut devices = self.stations[table].devices();
        let Some((_, device)) = devices.find(|(_, device)| device.id == reply.to.device) else {
            return Ok(());
        };
        let waits = device.pending.as_ref().is_some_and(|pending| pending.order.id == reply.to);
        if !waits || device.is_dark(now) {
            return Ok(());
        }
        let Some(pending) = device.pending.take() else { return Ok(()) };
        match &reply.answer {
            Answer::Done { .. } | Answer::Before { .. } => {
                if pending.tries > 1 {
                    self.counters.learned_by_asking_again += 1;
                }
            }
            Answer::Refused(rejection) => {
                self.counters.refused += 1;
                let watch = self.watch.as_mut().expect("until the end");
                watch.told_no(&id, &pending.order, &rejection.reason)?;
            }
            Answer::Unknown => device.pending = Some(pending),
        }
        Ok(())
    }

    pub(super) fn impatience(&mut self, table: usize, role: Role, n: u64) -> Result<(), String> {
        let now = self.now;
        let device = self.stations[table].device(role);
        let Some(pending) = device.pending.as_mut().filter(|pending| pending.order.id.n == n) else {
            return Ok(());
        };
        pending.tries += 1;
        if pending.tries > MOST_TRIES {
            return Err(format!("{} never got an answer to {:?}", device.id, pending.order));
        }
        let order = pending.order.clone();
        if device.is_dark(now) {
            let light = device.dark_until;
            self.queue.put(light, Happening::Impatience { table, role, n });
            return Ok(());
        }
        self.counters.retries += 1;
        self.send(table, role, order);
        Ok(())
    }

    /// The simulated time.
    pub(crate) const fn time(&self) -> Timestamp {
        Timestamp(self.now)
    }
}

fn words(fault: Fault) -> String {
    match fault {
        Fault::Books(mismatch) => format!("the books: {mismatch}"),
        Fault::Words(words) => words,
    }
}
