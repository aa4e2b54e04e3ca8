//! One ledger from its founding to its last audit: a floor at work, step by step over simulated time.

mod attempt;
mod cage;
mod clerk;
mod commit;
mod deeds_tried;
mod door;
mod evening;
mod insiders;
mod office;
mod orders;
mod trouble;
mod wires;

use std::collections::VecDeque;

use punto_ledger::Place;
use punto_record::{CommandKind, Timestamp, Volume};

use crate::checks::{Fault, Watch};
use crate::device::Role;
use crate::dice::Dice;
use crate::elsewhere::Elsewhere;
use crate::faults::Moment;
use crate::floor::Station;
use crate::network::{Clerk, Happening, Queue};
use crate::people::{Scene, speak_for};
use crate::phones::Phones;
use crate::server::Server;
use crate::{Counters, Plan};
use clerk::Waiting;
pub(crate) use clerk::credential_of;
pub(crate) use insiders::INSIDER;
use insiders::Insiders;

/// When nights begin.
const START: u64 = 1_767_225_600_000;
/// How long a device waits for its answer before it asks again.
const PATIENCE: u64 = 400;
/// A device that has asked so often and got no answer never will.
const MOST_TRIES: u32 = 2_000;
/// What must never be.
const WROTE_ON: &str = "a writer could still write although another had taken over";
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
    cage: Waiting,
    office: Waiting,
    insiders: Insiders,
    /// What people carry to show who they are.
    phones: Phones,
    /// Who keeps the checkpoints.
    elsewhere: Vec<Elsewhere>,
    in_a_house: bool,
    /// How often the software was started.
    lives: u64,
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
        let mut phones = Phones::default();
        let mut server = Server::found(place, (tables, plan.only_houses), &mut dice, &mut phones, START)
            .map_err(|error| error.to_string())?;
        let in_a_house = server.vault().kind().is_house();
        for station in &mut stations {
            station.in_a_house = in_a_house;
            let approved = server.approve(&station.text, START, &mut dice, &mut phones);
            approved.map_err(|error| error.to_string())?;
        }
        let mut queue = Queue::default();
        (0..tables).for_each(|table| queue.put(START + 10, Happening::Act { table }));
        queue.put(START + 2_000, Happening::ClerkActs { clerk: Clerk::Cage });
        if in_a_house {
            queue.put(START + 500, Happening::ClerkActs { clerk: Clerk::Office });
            queue.put(START + 700, Happening::DoorActs);
            queue.put(START + 1_200, Happening::WitnessesAsked);
            queue.put(START + 4_000, Happening::EveningEnds);
        }
        if plan.trouble > 0 {
            queue.put(START + 1_000, Happening::Trouble);
        }
        if plan.trouble > 0 && in_a_house {
            queue.put(START + 300, Happening::InsiderActs);
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
            cage: Waiting::default(),
            office: Waiting::default(),
            insiders: Insiders::at(tables),
            phones,
            elsewhere: Elsewhere::all(),
            in_a_house,
            lives: 0,
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
            Happening::DeedArrives { clerk, id, by, deed } => self.deed_arrives(clerk, id, by, deed)?,
            Happening::DeedAnswered { clerk, n, done } => self.deed_answered(clerk, n, done),
            Happening::ClerkWaits { clerk, n } => self.clerk_waits(clerk, n)?,
            Happening::ClerkActs { clerk } => self.clerk_acts(clerk)?,
            Happening::DoorActs => self.door_acts()?,
            Happening::WitnessesAsked => self.witnesses_asked()?,
            Happening::EveningEnds => self.evening_ends()?,
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
