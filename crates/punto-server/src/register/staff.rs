//! Members of staff, and the invitations by which they choose their own passwords.

use std::sync::Arc;

use punto_ledger::Credential;
use punto_record::{Person, Timestamp};
use punto_rules::text::is_label;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt::{forget_browsers, forget_failures};
use super::secret::Use;
use super::{Error, Gone, INVITED_FOR, Refusal, Register, Secret, at, later, ms, password};
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
    /// Whether they have a second factor.
    #[serde(default)]
    pub factor: bool,
    /// Until when they may choose one by their invitation.
    pub invited_until: Option<Timestamp>,
    /// Until when nobody can sign in as them from a device that is not known, after too many wrong passwords.
    pub locked_until: Option<Timestamp>,
}

/// A one-time permission to choose a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Who may.
    pub person: Person,
    /// What they show for it.
    pub secret: Secret,
    /// The other part, where two people answer for the invitation: neither of them can use it alone.
    pub code: Option<Secret>,
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
    /// A new invitation; one that was given before is no longer good. All sessions end: whoever is at work learns of it. The
    /// password stays good until another one is chosen.
    pub invite: bool,
}

/// Whether an invitation is in one hand or in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// The secret alone is good.
    One,
    /// It takes the code as well, which somebody else is told.
    Two,
}

/// A password that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Whose.
    pub member: Member,
    /// What the ledger keeps of it.
    pub credential: Credential,
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
  (SELECT until FROM invitation WHERE invitation.person = staff.person),
  (SELECT locked_until FROM budget WHERE budget.person = staff.person AND source = ''),
  EXISTS (SELECT 1 FROM factor WHERE factor.person = staff.person) FROM staff";

impl Register {
    /// Invites somebody to be the first Administrator, if there is none who could sign in. An earlier invitation is no
    /// longer good.
    ///
    /// # Errors
    /// If the register failed.
    pub fn first_administrator(&self, now: Timestamp) -> Result<Option<Invitation>, Error> {
        self.first_administrator_with(now, |_| Ok(()))
    }

    /// The same, if what is done before it is final goes well: the deed.
    ///
    /// # Errors
    /// As there, and what that says.
    pub fn first_administrator_with<E: From<Error>>(
        &self,
        now: Timestamp,
        before: impl FnOnce(&Changed) -> Result<(), E>,
    ) -> Result<Option<Invitation>, E> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(Error::from)?;
        if administrators(&transaction, None)? > 0 {
            return Ok(None);
        }
        let made = transaction.execute(
            "INSERT INTO staff (person, name, role, enabled) VALUES (?1, 'Administrator', ?2, 1)
             ON CONFLICT DO UPDATE SET role = excluded.role, enabled = 1",
            params![FIRST, Role::Administrator.id()],
        );
        made.map_err(Error::from)?;
        let invitation = invite(&transaction, &FIRST.into(), Hands::One, now)?;
        let member = member(&transaction, FIRST, now)?;
        before(&Changed { member, invitation: Some(invitation.clone()) })?;
        transaction.commit().map_err(Error::from)?;
        Ok(Some(invitation))
    }

    /// Invites an Administrator of whom the record says that the software invites them, if what is done before it is final
    /// goes well: the deed. An earlier invitation is no longer good, nor is a password.
    ///
    /// # Errors
    /// If the id will not do, the register failed, and what that says.
    pub fn invite_founder<E: From<Error>>(
        &self,
        person: &Person,
        now: Timestamp,
        before: impl FnOnce(&Changed) -> Result<(), E>,
    ) -> Result<Invitation, E> {
        if !person.is_fit() {
            return Err(Error::from(Refusal::BadPerson).into());
        }
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(Error::from)?;
        let made = transaction.execute(
            "INSERT INTO staff (person, name, role, enabled) VALUES (?1, ?1, ?2, 1)
             ON CONFLICT DO UPDATE SET role = excluded.role, enabled = 1, password = NULL",
            params![person.as_str(), Role::Administrator.id()],
        );
        made.map_err(Error::from)?;
        forget_failures(&transaction, person.as_str())?;
        end_all(&transaction, person, now)?;
        let invitation = invite(&transaction, person, Hands::One, now)?;
        let member = member(&transaction, person.as_str(), now)?;
        before(&Changed { member, invitation: Some(invitation.clone()) })?;
        transaction.commit().map_err(Error::from)?;
        drop(connection);
        self.tell([Gone::Person(person.clone())]);
        Ok(invitation)
    }

    /// Takes somebody on.
    ///
    /// # Errors
    /// If the id or the name will not do, or is taken.
    pub fn hire(&self, person: &str, name: &str, role: Role, now: Timestamp) -> Result<Changed, Error> {
        self.hire_with(person, name, role, Hands::One, now, |_| Ok(()))
    }

    /// Whether somebody could be taken on under this id, and the id.
    ///
    /// # Errors
    /// If it will not do, or is taken.
    pub fn could_hire(&self, person: &str) -> Result<Person, Error> {
        let person: Person = person.parse().map_err(|_| Refusal::BadPerson)?;
        let taken = self
            .connection()
            .query_row("SELECT 1 FROM staff WHERE person = ?1", [person.as_str()], |_| Ok(()))
            .optional()?;
        if taken.is_some() { Err(Refusal::PersonExists.into()) } else { Ok(person) }
    }

    /// Takes somebody on, if what is done before it is final goes well: the deed. So there is nobody without one.
    ///
    /// # Errors
    /// As [`Register::hire`], and what that says.
    pub fn hire_with<E: From<Error>>(
        &self,
        person: &str,
        name: &str,
        role: Role,
        hands: Hands,
        now: Timestamp,
        before: impl FnOnce(&Changed) -> Result<(), E>,
    ) -> Result<Changed, E> {
        let person: Person = person.parse().map_err(|_| Error::from(Refusal::BadPerson))?;
        let name = shown(name).map_err(Error::from)?;
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(Error::from)?;
        let new = transaction.execute(
            "INSERT INTO staff (person, name, role, enabled) VALUES (?1, ?2, ?3, 1) ON CONFLICT DO NOTHING",
            params![person.as_str(), name, role.id()],
        );
        if new.map_err(Error::from)? == 0 {
            return Err(Error::from(Refusal::PersonExists).into());
        }
        let invitation = invite(&transaction, &person, hands, now)?;
        let member = member(&transaction, person.as_str(), now)?;
        let changed = Changed { member, invitation: Some(invitation) };
        before(&changed)?;
        transaction.commit().map_err(Error::from)?;
        Ok(changed)
    }

    /// Changes what somebody is or may.
    ///
    /// # Errors
    /// If there is nobody of that id, or nobody could administrate any more.
    pub fn change(&self, person: &str, change: &Change, now: Timestamp) -> Result<Changed, Error> {
        self.change_with(person, change, Hands::One, now, |_| Ok(()))
    }

    /// Changes what somebody is or may, if what is done before it is final goes well: the deed.
    ///
    /// # Errors
    /// As [`Register::change`], and what that says.
    pub fn change_with<E: From<Error>>(
        &self,
        person: &str,
        change: &Change,
        hands: Hands,
        now: Timestamp,
        and: impl FnOnce(&Changed) -> Result<(), E>,
    ) -> Result<Changed, E> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(Error::from)?;
        let (changed, over) = change_in(&transaction, person, change, hands, now)?;
        and(&changed)?;
        transaction.commit().map_err(Error::from)?;
        drop(connection);
        self.tell(over.then(|| Gone::Person(changed.member.person.clone())));
        Ok(changed)
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
        Ok(self.choose_password_with(invitation, None, chosen, now, |_| Ok(()))?.member)
    }

    /// As [`Register::choose_password`], with the code that the second person holds where two answer for the invitation, and
    /// if what is done before it is final goes well: the deed.
    ///
    /// # Errors
    /// As there, or if the code is not good; then the invitation stays good.
    pub fn choose_password_with(
        &self,
        invitation: &str,
        code: Option<&str>,
        chosen: &str,
        now: Timestamp,
        before: impl FnOnce(&Chosen) -> Result<(), Error>,
    ) -> Result<Chosen, Error> {
        let secret = Secret::parse(invitation).ok_or(Refusal::InvitationNotGood)?.hash(Use::Invitation);
        let invited: Option<(String, Option<[u8; 32]>)> = self
            .connection()
            .query_row(
                "SELECT person, code FROM invitation JOIN staff USING (person)
                 WHERE secret = ?1 AND until > ?2 AND enabled",
                params![secret, ms(now)],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        let (person, wanted) = invited.ok_or(Refusal::InvitationNotGood)?;
        if wanted.is_some() && code.map(Secret::hash_of_code) != wanted {
            return Err(Refusal::CodeNotGood.into());
        }
        password::suits(&person, &self.names(&person)?, chosen)?;
        let hash = self.cost.hash(chosen)?;

        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        // Whoever comes second with the same invitation finds it gone.
        if transaction.execute("DELETE FROM invitation WHERE secret = ?1", [secret])? == 0 {
            return Err(Refusal::InvitationNotGood.into());
        }
        set_password(&transaction, &person, &hash)?;
        // Somebody may be taking an account back: nothing that was known before is.
        forget_browsers(&transaction, &person)?;
        end_all(&transaction, &Person::as_recorded(person.as_str()), now)?;
        let member = member(&transaction, &person, now)?;
        let chosen = Chosen { member, credential: Credential::new(hash) };
        before(&chosen)?;
        transaction.commit()?;
        drop(connection);
        self.tell([Gone::Person(chosen.member.person.clone())]);
        Ok(chosen)
    }
}

/// Changes somebody in a transaction; whether their sessions are over by it.
fn change_in(
    transaction: &Transaction<'_>,
    person: &str,
    change: &Change,
    hands: Hands,
    now: Timestamp,
) -> Result<(Changed, bool), Error> {
    let before = member(transaction, person, now)?;
    let person = before.person.clone();
    let name = shown(change.name.as_deref().unwrap_or(&before.name))?;
    let role = change.role.unwrap_or(before.role);
    let enabled = change.enabled.unwrap_or(before.enabled);
    let administrates = |role, enabled| role == Role::Administrator && enabled;
    if administrates(before.role, before.enabled)
        && !administrates(role, enabled)
        && administrators(transaction, Some(&person))? == 0
    {
        return Err(Refusal::LastAdministrator.into());
    }
    transaction.execute(
        "UPDATE staff SET name = ?2, role = ?3, enabled = ?4 WHERE person = ?1",
        params![person.as_str(), name, role.id(), enabled],
    )?;
    let invites = change.invite && enabled;
    // Whoever is at work while somebody else is given a way to their password must notice it.
    let over = !enabled || role != before.role || invites;
    if over {
        end_all(transaction, &person, now)?;
    }
    if !enabled {
        transaction.execute("DELETE FROM invitation WHERE person = ?1", [person.as_str()])?;
    }
    let invitation = if invites { Some(invite(transaction, &person, hands, now)?) } else { None };
    let member = member(transaction, person.as_str(), now)?;
    Ok((Changed { member, invitation }, over))
}

impl Register {
    /// What anybody knows who works here: the person's name, and the names of tables.
    pub(super) fn names(&self, person: &str) -> Result<Vec<String>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT name FROM staff WHERE person = ?1 UNION SELECT DISTINCT at_table FROM device",
        )?;
        let names = statement.query_map([person], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }
}

/// A new password; wrong ones before it are forgotten.
pub(super) fn set_password(transaction: &Transaction<'_>, person: &str, hash: &str) -> Result<(), Error> {
    transaction.execute("UPDATE staff SET password = ?2 WHERE person = ?1", [person, hash])?;
    forget_failures(transaction, person)
}

/// A name as it is shown.
///
/// # Errors
/// If it is none, or too long.
pub fn shown(name: &str) -> Result<&str, Refusal> {
    let name = name.trim();
    if is_label(name) { Ok(name) } else { Err(Refusal::BadName) }
}

/// Administrators who can sign in, without this one.
fn administrators(connection: &Connection, without: Option<&Person>) -> Result<u32, Error> {
    Ok(connection.query_row(
        "SELECT count(*) FROM staff WHERE role = ?1 AND enabled AND password IS NOT NULL AND person IS NOT ?2",
        params![Role::Administrator.id(), without.map(Person::as_str)],
        |row| row.get(0),
    )?)
}

fn invite(
    transaction: &Transaction<'_>,
    person: &Person,
    hands: Hands,
    now: Timestamp,
) -> Result<Invitation, Error> {
    let (secret, until) = (Secret::new()?, later(now, INVITED_FOR));
    let code = match hands {
        Hands::One => None,
        Hands::Two => Some(Secret::new()?),
    };
    transaction.execute(
        "INSERT OR REPLACE INTO invitation (person, secret, until, code) VALUES (?1, ?2, ?3, ?4)",
        params![
            person.as_str(),
            secret.hash(Use::Invitation),
            ms(until),
            code.as_ref().map(|code| Secret::hash_of_code(&code.code()))
        ],
    )?;
    Ok(Invitation { person: person.clone(), secret, code, until })
}

fn end_all(transaction: &Transaction<'_>, person: &Person, now: Timestamp) -> Result<(), Error> {
    transaction.execute("DELETE FROM session WHERE person = ?1", [person.as_str()])?;
    end_before(transaction, person, now)
}

/// Sessions that began before this are over, also if their rows come back with an older file.
pub(super) fn end_before(connection: &Connection, person: &Person, at: Timestamp) -> Result<(), Error> {
    let sql = "UPDATE staff SET sessions_since = max(sessions_since, ?2) WHERE person = ?1";
    connection.execute(sql, params![person.as_str(), ms(at)])?;
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
    let factor = row.get(7)?;
    Ok(role(&row.get::<_, String>(2)?).map(|role| Member {
        person: Person::as_recorded(person),
        name: name.into(),
        role,
        enabled,
        password,
        factor,
        invited_until,
        locked_until,
    }))
}

/// A role by its word.
pub(super) fn role(id: &str) -> Result<Role, Error> {
    let found = Role::ALL.into_iter().find(|role| role.id() == id);
    found.ok_or_else(|| Error::failed(format!("there is no role `{id}`")))
}
