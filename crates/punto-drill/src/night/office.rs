//! The office: what an Administrator and a second person do about devices, witnesses, second factors and the clock.

use punto_record::{Actor, Deed, DeviceId, Person, Witness};
use punto_rules::PatronNo;

use super::Night;
use crate::elsewhere::PLACES;
use crate::floor::PATRONS;
use crate::network::Clerk;
use crate::server::{OF_STANDING, OFFICE, STAFF, must_have_factor};

/// Witnesses that a house wants to have.
const WANTED: usize = 2;

/// What the office may do next.
#[derive(Clone, Debug)]
enum Task {
    ClockIsRight,
    OpenUnwitnessed,
    DeclareLoss(Witness),
    Reset(Person),
    Name,
    Move(Witness),
    Remove(Witness),
    Enrol,
    Revoke(DeviceId),
}

impl Night<'_> {
    pub(super) fn office_acts(&mut self) {
        if self.office.pending.is_some() {
            return;
        }
        let tasks = self.tasks();
        if tasks.is_empty() {
            return;
        }
        let task = self.dice.weigh(&tasks);
        let about = if let Task::Reset(person) = &task { person.as_str() } else { "" };
        let office: Vec<&str> = OFFICE.into_iter().filter(|it| *it != about).collect();
        let by = self.dice.pick(&office);
        let others: Vec<&str> = OF_STANDING.into_iter().filter(|it| *it != by && *it != about).collect();
        let second: Person = self.dice.pick(&others).into();
        let Some(deed) = self.deed_of(task, second) else { return };
        self.asks(Clerk::Office, Actor::Administrator { person: by.into() }, deed);
    }

    /// What there is to do, and how urgent it is.
    fn tasks(&mut self) -> Vec<(usize, Task)> {
        let mut tasks = vec![(3, Task::Enrol)];
        if self.server.unfollowed > 0 {
            tasks.push((30, Task::ClockIsRight));
        }
        if self.server.unwitnessed && self.server.asked.all {
            tasks.push((10, Task::OpenUnwitnessed));
        }
        tasks.extend(self.watch().devices_in_use().last().map(|device| (2, Task::Revoke(device.clone()))));
        let witnesses: Vec<Witness> = self.server.vault().witnesses().in_use().cloned().collect();
        if witnesses.len() < WANTED {
            tasks.push((6, Task::Name));
        }
        for witness in witnesses {
            match witness.contested {
                Some(_) => tasks.push((10, Task::DeclareLoss(witness))),
                None => tasks.extend([(1, Task::Move(witness.clone())), (1, Task::Remove(witness))]),
            }
        }
        for (person, _) in STAFF.into_iter().filter(|(person, _)| must_have_factor(&(*person).into())) {
            let person: Person = person.into();
            let waits = self.server.vault().factor_resets().any(|reset| reset.person == person);
            if self.server.door.knows(&person) && !waits && !self.can_show(&person) {
                tasks.push((12, Task::Reset(person)));
            }
        }
        tasks
    }

    fn deed_of(&mut self, task: Task, second: Person) -> Option<Deed> {
        let reason = "as agreed".into();
        Some(match task {
            Task::ClockIsRight => Deed::ClockConfirmed { ahead: self.server.unfollowed, second, reason },
            Task::OpenUnwitnessed => Deed::OpenedUnwitnessed { second, reason },
            Task::DeclareLoss(Witness { name: witness, contested, .. }) => {
                let (_, contest) = contested?;
                let (from, to, root) = (contest.from, contest.to, contest.root);
                Deed::LossDeclared { witness, from, to, root, second, reason }
            }
            Task::Reset(person) => Deed::FactorResetBegun { person, second, reason },
            Task::Name => {
                let (name, address) = self.dice.pick(&PLACES);
                let is_named = self.server.vault().witnesses().in_use().any(|it| it.name.as_str() == name);
                if is_named {
                    return None;
                }
                let (witness, address, key) = (name.into(), address.into(), None);
                Deed::WitnessChanged { witness, address, key, in_use: true, second, reason }
            }
            Task::Move(Witness { name: witness, address, .. }) => {
                let address = format!("{address}/again").into();
                Deed::WitnessChanged { witness, address, key: None, in_use: true, second, reason }
            }
            Task::Remove(Witness { name: witness, address, .. }) => {
                let address = address.to_string().into();
                Deed::WitnessChanged { witness, address, key: None, in_use: false, second, reason }
            }
            Task::Enrol => self.enrolment(second)?,
            Task::Revoke(device) => Deed::DeviceRevoked { device },
        })
    }

    /// A device for a table: a terminal or an acceptor only where nothing of the patron's stands.
    fn enrolment(&mut self, second: Person) -> Option<Deed> {
        let table = self.dice.below(self.stations.len());
        let kind = self.dice.pick(&["terminal", "acceptor", "console", "reader", "board"]);
        let patron = PatronNo(1 + self.dice.below(PATRONS as usize) as u32);
        let patron = matches!(kind, "terminal" | "acceptor").then_some(patron);
        if patron.is_some_and(|patron| !self.is_free(table, patron)) {
            return None;
        }
        let n = self.office.n + 1;
        Some(Deed::DeviceEnrolled {
            device: format!("{kind}-{n}").parse().expect("a name"),
            kind: kind.into(),
            table: self.stations[table].id.clone(),
            patron,
            at_box: None,
            second: Some(second),
            reason: Some("as agreed".into()),
            credential: None,
        })
    }
}
