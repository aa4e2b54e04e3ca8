//! The demonstration's house: it hires its people, with passwords drawn anew at every start, and lets them work.

use std::sync::Arc;
use std::time::Duration;

use punto_record::{Actor, Deed, Person, TableId};
use punto_rules::PatronNo;
use tokio::sync::watch;

use crate::app::App;
use crate::demo::{self, Pace, Tally};
use crate::guest::{DemoDevice, DemoSignIn, Guest};
use crate::http::answer::Problem;
use crate::http::devices::deed_of;
use crate::register::{
    Change, Changed, Chosen, DeviceKind, Error, Hands, Invitation, Register, Secret, Source,
};
use crate::role::Role;

/// The patron number of a visitor's terminal: far from those of the people who play.
const VISITOR: PatronNo = PatronNo(900);

/// How a demonstration is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demonstration {
    /// How quickly people do things.
    pub pace: Pace,
    /// What people do by chance comes from this.
    pub seed: u64,
}

/// Hires the people. Whoever was left over from an earlier start gets a new password like everybody.
async fn hire(app: &App, people: Vec<(Person, Role)>) -> Result<Vec<DemoSignIn>, Problem> {
    let mut hired = Vec::new();
    for (person, role) in people {
        // Short enough to be typed.
        let password = Secret::new()?.text()[..16].to_owned();
        let (id, chosen) = (person.clone(), password.clone());
        let deeds = app.deeds.clone();
        let work = move |register: &Register, _: &Source, now| {
            let person = id.as_str();
            // They act by a deed, like the staff of a house.
            let write = |changed: &Changed| {
                let word: Arc<str> = changed.member.role.id().into();
                let deed = Deed::staff_changed(changed.member.person.clone(), word, true, true);
                let credential = changed.invitation.as_ref().map(Invitation::credential);
                deeds.write_waiting(Actor::House, deed, credential)?;
                Ok::<_, Error>(())
            };
            let changed = match register.member(person, now) {
                Ok(_) => {
                    let change = Change { enabled: Some(true), invite: true, ..Change::default() };
                    register.change_with(person, &change, Hands::One, now, write)?
                }
                Err(_) => register.hire_with(person, person, role, Hands::One, now, write)?,
            };
            let invitation = changed.invitation.expect("an invitation was asked for").secret.text();
            let write = |chosen: &Chosen| chosen.write(&deeds);
            register.choose_password_with(&invitation, None, &chosen, now, write)
        };
        app.ask_with_password(Source::Unknown, work).await?;
        hired.push(DemoSignIn { person, password, role });
    }
    Ok(hired)
}

/// Terminal with its note acceptor, console and board for visitors, at each table. The terminal's screen stands in for the
/// acceptor, as a visitor has no notes (interpretation 41); in a house that credential is the machine's alone.
async fn enrol_for_visitors(app: &App, tables: Vec<TableId>) -> Result<Vec<DemoDevice>, Problem> {
    // A credential is told once: devices of an earlier start are of no use to anybody.
    let start = app.clock.now().0 / 1000;
    let mut devices = Vec::new();
    for table in tables {
        let at_box = demo::visitors_box(&table);
        let kinds = [
            ("t", DeviceKind::Terminal { table: table.clone(), patron: VISITOR, at_box }),
            ("a", DeviceKind::Acceptor { table: table.clone(), patron: VISITOR }),
            ("c", DeviceKind::Console { table: table.clone() }),
            ("b", DeviceKind::Board { table: table.clone() }),
        ];
        for (letter, kind) in kinds {
            let id = format!("v{letter}-{start}-{table}");
            let deeds = app.deeds.clone();
            let enrolled = app
                .ask(move |register, now| {
                    for old in register.devices()? {
                        let is_visitors = old.device.as_str().starts_with(&format!("v{letter}-"));
                        if is_visitors && old.revoked.is_none() && old.kind == kind {
                            register.revoke_with(old.device.as_str(), now, |device| {
                                let deed = Deed::DeviceRevoked { device: device.id.clone() };
                                deeds.write_waiting(Actor::House, deed, None)?;
                                Ok(())
                            })?;
                        }
                    }
                    register.enrol_with(&id, kind, Hands::One, now, |enrolled| {
                        let deed = deed_of(&enrolled.device, None);
                        deeds.write_waiting(Actor::House, deed, Some(enrolled.kept()))?;
                        Ok::<_, Error>(())
                    })
                })
                .await?;
            let (device, kind) = (enrolled.device.id, enrolled.device.kind);
            devices.push(DemoDevice { device, kind, credential: enrolled.credential.text() });
        }
    }
    Ok(devices)
}

/// Runs the demonstration until it is told to stop.
pub(crate) async fn run(
    app: App,
    url: String,
    how: Demonstration,
    stop: watch::Receiver<bool>,
) -> Result<Tally, String> {
    let people = hire(&app, demo::people()).await.map_err(|problem| problem.to_string())?;
    let passwords = people.iter().map(|it| (it.person.clone(), it.password.clone())).collect();
    // Visitors can come in as soon as there is something to see.
    let opening = tokio::spawn(invite(app, people, stop.clone()));
    let tally = demo::run(&url, passwords, how.pace, how.seed, stop).await.map_err(|error| error.to_string());
    opening.abort();
    tally
}

/// Waits for the tables and lets visitors in.
async fn invite(app: App, people: Vec<DemoSignIn>, mut stop: watch::Receiver<bool>) {
    while app.floor.tables().len() < demo::TABLES {
        let pause = tokio::time::sleep(Duration::from_millis(50));
        tokio::select! {
            () = pause => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
    match enrol_for_visitors(&app, app.floor.tables()).await {
        Ok(devices) => drop(app.guest.set(Guest { people, devices })),
        Err(problem) => tracing::error!(%problem, "visitors cannot be let in"),
    }
}
