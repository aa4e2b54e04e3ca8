//! A member of staff of the demonstration, signed in.

use punto_record::{Actor, Command, Person, TableId};

use super::set_up::Table;
use crate::client::{Error, Http, Line};
use crate::pending::Pending;
use crate::role::Role;
use crate::wire::{Hello, Screen};

/// A member of staff, signed in.
#[derive(Clone, Debug)]
pub(super) struct Staff {
    http: Http,
    person: String,
    role: Role,
    password: String,
}

impl Staff {
    pub(super) async fn sign_in(
        http: Http,
        person: String,
        role: Role,
        password: String,
    ) -> Result<Staff, Error> {
        let http = http.sign_in(&person, &password).await?;
        Ok(Staff { http, person, role, password })
    }

    pub(super) const fn http(&self) -> &Http {
        &self.http
    }

    pub(super) const fn role(&self) -> Role {
        self.role
    }

    pub(super) fn person(&self) -> Person {
        self.person.as_str().into()
    }

    fn actor(&self) -> Actor {
        self.role.actor(self.person())
    }

    /// Sits down at a screen of a table. A session that has ended is begun anew.
    pub(super) async fn sit_down(&mut self, table: &Table, screen: Screen) -> Result<Line, Error> {
        let device = (screen == Screen::Console).then(|| table.console.to_string());
        let session = self.http.session().map(str::to_owned);
        let hello = Hello { table: table.id().clone(), screen, device, session, after: None };
        match Line::open(self.http.base(), hello.clone(), self.actor()).await {
            Err(error) if error.is_not_signed_in() => {
                self.http = self.http.sign_in(&self.person, &self.password).await?;
                let session = self.http.session().map(str::to_owned);
                Line::open(self.http.base(), Hello { session, ..hello }, self.actor()).await
            }
            line => line,
        }
    }

    /// Has an order of one's own wait for signatures.
    pub(super) async fn propose(&self, table: &TableId, command: Command) -> Result<Pending, Error> {
        self.http.propose(table, &self.person, None, command).await
    }

    /// Signs what waits.
    pub(super) async fn sign(&self, pending: &Pending) -> Result<Pending, Error> {
        self.http.sign(&pending.pending, &self.person, &self.password).await
    }
}
