//! Members of staff, and the invitations by which they choose their own passwords.

use std::sync::Arc;

use punto_record::{Person, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::secret::Use;
use super::{Error, Gone, INVITED_FOR, Refusal, Register, Secret, at, is_name, later, ms, password};
use crate::role::Role;

/// Whom the first start invites.
pub const FIRST: &str = "administrator";

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Their id.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: Arc<str>,
    /// What they are employed as.
    pub role: Role,
    /// Whether they may come in at all.
    pub enabled: bool,
    /// Whether they have chosen a password.
    pub password: bool,
    /// Until when they may choose one by their invitation.
    pub invited_until: Option<Timestamp>,
    /// Until when nobody can sign in as them, after too many wrong passwords.
    pub locked_until: Option<Timestamp>,
}

/// A one-time permission to choose a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Who may.
    pub person: Person,
    /// What they show for it.
    pub secret: Secret,
    /// Until when.
    pub until: Timestamp,
}

/// What is to be different about a member of staff. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "StaffChange")]
pub struct Change {
    /// Another name.
    pub name: Option<Arc<str>>,
    /// Another role. All sessions end.
    pub role: Option<Role>,
    /// Whether they may come in. If not, all sessions end.
    pub enabled: Option<bool>,
    /// A new invitation; one that was given before is no longer good.
    pub invite: bool,
}

/// How a member of staff is after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// As they are now.
    pub member: Member,
    /// If one was asked for.
    pub invitation: Option<Invitation>,
}

const MEMBER: &str = "SELECT person, name, role, enabled, password IS NOT NULL,
  (SELECT until FROM invitation WHERE invitation.person = staff.person), locked_until FROM staff";

impl Register {
    /// Invites somebody to be the first Administrator, if there is none who could sign in. An earlier invitation is no
    /// longer good.
    ///
    /// # Errors
    /// If the register failed.
    pub fn first_administrator(&self, now: Timestamp) -> Result<Option<Invitation>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        if administrators(&transaction, None)? > 0 {
            return Ok(None);
        }
        transaction.execute(
            "INSERT INTO staff (person, name, role, enabled) VALUES (?1, 'Administrator', ?2, 1)
             ON CONFLICT DO UPDATE SET role = excluded.role, enabled = 1",
            params![FIRST, Role::Administrator.id()],
        )?;
        let invitation = invite(&transaction, &FIRST.into(), now)?;
        transaction.commit()?;
        Ok(Some(invitation))
    }

    /// Takes somebody on.
    ///
    /// # Errors
    /// If the id or the name will not do, or is taken.
    pub fn hire(&self, person: &str, name: &str, role: Role, now: Timestamp) -> Result<Changed, Error> {
        if !is_name(person) {
            return Err(Refusal::BadPerson.into());
        }
        let name = shown(name)?;
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let new = transaction.execute(
            "INSERT INTO staff (person, name, role, enabled) VALUES (?1, ?2, ?3, 1) ON CONFLICT DO NOTHING",
            params![person, name, role.id()],
        )?;
        if new == 0 {
            return Err(Refusal::PersonExists.into());
        }
        let invitation = invite(&transaction, &person.into(), now)?;
        let member = member(&transaction, person, now)?;
        transaction.commit()?;
        Ok(Changed { member, invitation: Some(invitation) })
    }

    /// Changes what somebody is or may.
    ///
    /// # Errors
    /// If there is nobody of that id, or nobody could administrate any more.
    pub fn change(&self, person: &str, change: &Change, now: Timestamp) -> Result<Changed, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let before = member(&transaction, person, now)?;
        let person = before.person.clone();
        let name = shown(change.name.as_deref().unwrap_or(&before.name))?;
        let role = change.role.unwrap_or(before.role);
        let enabled = change.enabled.unwrap_or(before.enabled);
        let administrates = |role, enabled| role == Role::Administrator && enabled;
        if administrates(before.role, before.enabled)
            && !administrates(role, enabled)
            && administrators(&transaction, Some(&person))? == 0
        {
            return Err(Refusal::LastAdministrator.into());
        }
        transaction.execute(
            "UPDATE staff SET name = ?2, role = ?3, enabled = ?4 WHERE person = ?1",
            params![person.as_str(), name, role.id(), enabled],
        )?;
        let over = !enabled || role != before.role;
        if over {
            end_all(&transaction, &person)?;
        }
        if !enabled {
            transaction.execute("DELETE FROM invitation WHERE person = ?1", [person.as_str()])?;
        }
        let invitation =
            if change.invite && enabled { Some(invite(&transaction, &person, now)?) } else { None };
        let member = member(&transaction, person.as_str(), now)?;
        transaction.commit()?;
        drop(connection);
        self.tell(over.then_some(Gone::Person(person)));
        Ok(Changed { member, invitation })
    }

    /// Everybody, by their ids.
    ///
    /// # Errors
    /// If the register failed.
    pub fn staff(&self, now: Timestamp) -> Result<Vec<Member>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!("{MEMBER} ORDER BY person"))?;
        let members = statement.query_map([], |row| read(row, now))?;
        members.map(|member| member?).collect()
    }

    /// Somebody.
    ///
    /// # Errors
    /// If there is nobody of that id.
    pub fn member(&self, person: &str, now: Timestamp) -> Result<Member, Error> {
        member(&self.connection(), person, now)
    }

    /// Chooses a password by an invitation, which is used up by it. All sessions end.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If the invitation is not good, or the password is too easily guessed; then the invitation stays good.
    pub fn choose_password(&self, invitation: &str, chosen: &str, now: Timestamp) -> Result<Member, Error> {
        let secret = Secret::parse(invitation).ok_or(Refusal::InvitationNotGood)?.hash(Use::Invitation);
        let invited: Option<String> = self
            .connection()
            .query_row(
                "SELECT person FROM invitation JOIN staff USING (person)
                 WHERE secret = ?1 AND until > ?2 AND enabled",
                params![secret, ms(now)],
                |row| row.get(0),
            )
            .optional()?;
        let person = invited.ok_or(Refusal::InvitationNotGood)?;
        password::suits(&person, chosen)?;
        let hash = self.cost.hash(chosen)?;

        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        // Whoever comes second with the same invitation finds it gone.
        if transaction.execute("DELETE FROM invitation WHERE secret = ?1", [secret])? == 0 {
            return Err(Refusal::InvitationNotGood.into());
        }
        set_password(&transaction, &person, &hash)?;
        end_all(&transaction, &person.as_str().into())?;
        let member = member(&transaction, &person, now)?;
        transaction.commit()?;
        drop(connection);
        self.tell([Gone::Person(member.person.clone())]);
        Ok(member)
    }
}

/// A new password; wrong ones before it are forgotten.
pub(super) fn set_password(transaction: &Transaction<'_>, person: &str, hash: &str) -> Result<(), Error> {
    transaction.execute(
        "UPDATE staff SET password = ?2, failures = 0, locked_until = NULL WHERE person = ?1",
        [person, hash],
    )?;
    Ok(())
}

fn shown(name: &str) -> Result<&str, Refusal> {
    let name = name.trim();
    let good = (1..=64).contains(&name.chars().count()) && !name.contains(char::is_control);
    if good { Ok(name) } else { Err(Refusal::BadName) }
}

/// Administrators who can sign in, without this one.
fn administrators(connection: &Connection, without: Option<&Person>) -> Result<u32, Error> {
    Ok(connection.query_row(
        "SELECT count(*) FROM staff WHERE role = ?1 AND enabled AND password IS NOT NULL AND person IS NOT ?2",
        params![Role::Administrator.id(), without.map(Person::as_str)],
        |row| row.get(0),
    )?)
}

fn invite(transaction: &Transaction<'_>, person: &Person, now: Timestamp) -> Result<Invitation, Error> {
    let (secret, until) = (Secret::new()?, later(now, INVITED_FOR));
    transaction.execute(
        "INSERT OR REPLACE INTO invitation (person, secret, until) VALUES (?1, ?2, ?3)",
        params![person.as_str(), secret.hash(Use::Invitation), ms(until)],
    )?;
    Ok(Invitation { person: person.clone(), secret, until })
}

fn end_all(transaction: &Transaction<'_>, person: &Person) -> Result<(), Error> {
    transaction.execute("DELETE FROM session WHERE person = ?1", [person.as_str()])?;
    Ok(())
}

fn member(connection: &Connection, person: &str, now: Timestamp) -> Result<Member, Error> {
    let found = connection
        .query_row(&format!("{MEMBER} WHERE person = ?1"), [person], |row| read(row, now))
        .optional()?;
    found.ok_or(Refusal::NoSuchPerson)?
}

fn read(row: &Row<'_>, now: Timestamp) -> rusqlite::Result<Result<Member, Error>> {
    let after = |until: Option<i64>| until.map(at).filter(|until| *until > now);
    let (person, name): (String, String) = (row.get(0)?, row.get(1)?);
    let (enabled, password) = (row.get(3)?, row.get(4)?);
    let (invited_until, locked_until) = (after(row.get(5)?), after(row.get(6)?));
    Ok(role(&row.get::<_, String>(2)?).map(|role| Member {
        person: person.as_str().into(),
        name: name.into(),
        role,
        enabled,
        password,
        invited_until,
        locked_until,
    }))
}

/// A role by its word.
pub(super) fn role(id: &str) -> Result<Role, Error> {
    let found = Role::ALL.into_iter().find(|role| role.id() == id);
    found.ok_or_else(|| Error::failed(format!("there is no role `{id}`")))
}
