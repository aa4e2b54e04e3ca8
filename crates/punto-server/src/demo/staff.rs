//! A member of staff of the demonstration, signed in.

use std::sync::{Arc, Mutex, PoisonError};

use punto_record::{Actor, Command, Person, TableId};

use super::set_up::Table;
use crate::client::{Error, Http, Line};
use crate::pending::Pending;
use crate::role::Role;
use crate::wire::{Hello, Screen};

/// A member of staff, signed in. Cloned, it is the same person in the same session, at another table.
#[derive(Clone, Debug)]
pub(super) struct Staff {
    http: Arc<Mutex<Http>>,
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
        Ok(Staff { http: Arc::new(Mutex::new(http)), person, role, password })
    }

    pub(super) fn http(&self) -> Http {
        self.http.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) const fn role(&self) -> Role {
        self.role
    }

    pub(super) fn person(&self) -> Person {
        Person::as_recorded(self.person.as_str())
    }

    fn actor(&self) -> Actor {
        self.role.actor(self.person())
    }

    /// Another session, if that is what was wrong: one that has ended, because there was nothing to do for a while, is begun
    /// anew.
    async fn again(&self, before: &Http, error: Error) -> Result<Http, Error> {
        if !error.is_not_signed_in() {
            return Err(error);
        }
        let current = self.http();
        // At another table they may have signed in again already.
        if current.session() != before.session() {
            return Ok(current);
        }
        let again = before.sign_in(&self.person, &self.password).await?;
        *self.http.lock().unwrap_or_else(PoisonError::into_inner) = again.clone();
        Ok(again)
    }

    /// Sits down at a screen of a table.
    pub(super) async fn sit_down(&self, table: &Table, screen: Screen) -> Result<Line, Error> {
        let http = self.http();
        match self.open(&http, table, screen).await {
            Err(error) => self.open(&self.again(&http, error).await?, table, screen).await,
            line => line,
        }
    }

    async fn open(&self, http: &Http, table: &Table, screen: Screen) -> Result<Line, Error> {
        let device = (screen == Screen::Console).then(|| table.console.to_string());
        let session = http.session().map(str::to_owned);
        let hello = Hello { table: table.id().clone(), screen, device, session, after: None };
        Line::open(http.base(), hello, self.actor()).await
    }

    /// Has an order of one's own wait for signatures.
    pub(super) async fn propose(&self, table: &TableId, command: Command) -> Result<Pending, Error> {
        let http = self.http();
        match http.propose(table, &self.person, None, command.clone()).await {
            Err(error) => self.again(&http, error).await?.propose(table, &self.person, None, command).await,
            pending => pending,
        }
    }

    /// Signs what waits.
    pub(super) async fn sign(&self, pending: &Pending) -> Result<Pending, Error> {
        let http = self.http();
        match http.sign(&pending.pending, &self.person, &self.password).await {
            Err(error) => {
                let again = self.again(&http, error).await?;
                again.sign(&pending.pending, &self.person, &self.password).await
            }
            signed => signed,
        }
    }
}
