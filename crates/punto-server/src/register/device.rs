//! Enrolled devices: terminals, consoles, boards, card readers, each with a credential of its own.

use punto_ledger::LEDGER;
use punto_record::{BoxNo, DeviceId, TableId, Timestamp};
use punto_rules::PatronNo;
use punto_table::CLOCK;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::secret::Use;
use super::{Error, Gone, Hands, Refusal, Register, Secret, at, ms};
use crate::deeds::SERVER;
use crate::wire::Screen;

/// By these the software counts orders of its own: of the house, of its clock, of sessions.
const OWN: [&str; 4] = [SERVER, LEDGER, CLOCK, "house"];
const OWN_BEGINNINGS: [&str; 2] = ["session-", "http-"];

fn is_own(id: &str) -> bool {
    let id = id.to_ascii_lowercase();
    OWN.contains(&id.as_str()) || OWN_BEGINNINGS.iter().any(|beginning| id.starts_with(beginning))
}

/// What a device is, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum DeviceKind {
    /// A Player Terminal: it speaks for one patron of one table.
    Terminal {
        table: TableId,
        patron: PatronNo,
        /// The betting box at which it stands, on a live table; whoever uses it sits there.
        #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
        at_box: Option<BoxNo>,
    },
    /// The Game Console of a table.
    Console { table: TableId },
    /// A display board.
    Board { table: TableId },
    /// A card reader.
    Reader { table: TableId },
    /// The note acceptor of a patron's terminal.
    Acceptor { table: TableId, patron: PatronNo },
}

impl DeviceKind {
    /// Its table.
    pub const fn table(&self) -> &TableId {
        match self {
            DeviceKind::Terminal { table, .. }
            | DeviceKind::Console { table }
            | DeviceKind::Board { table }
            | DeviceKind::Reader { table }
            | DeviceKind::Acceptor { table, .. } => table,
        }
    }

    /// Its patron, if it is a terminal or belongs to one.
    pub const fn patron(&self) -> Option<PatronNo> {
        match self {
            DeviceKind::Terminal { patron, .. } | DeviceKind::Acceptor { patron, .. } => Some(*patron),
            DeviceKind::Console { .. } | DeviceKind::Board { .. } | DeviceKind::Reader { .. } => None,
        }
    }

    /// The box at which it stands, if it is a terminal at one.
    pub const fn at_box(&self) -> Option<BoxNo> {
        match self {
            DeviceKind::Terminal { at_box, .. } => *at_box,
            DeviceKind::Console { .. }
            | DeviceKind::Board { .. }
            | DeviceKind::Reader { .. }
            | DeviceKind::Acceptor { .. } => None,
        }
    }

    /// Whether two people enrol it in a house: whatever can give an order, or be used to guess passwords.
    pub const fn takes_two(&self) -> bool {
        match self {
            DeviceKind::Terminal { .. }
            | DeviceKind::Console { .. }
            | DeviceKind::Reader { .. }
            | DeviceKind::Acceptor { .. } => true,
            DeviceKind::Board { .. } => false,
        }
    }

    /// The one screen that it opens.
    pub const fn screen(&self) -> Screen {
        match self {
            DeviceKind::Terminal { .. } => Screen::Terminal,
            DeviceKind::Console { .. } => Screen::Console,
            DeviceKind::Board { .. } => Screen::Board,
            DeviceKind::Reader { .. } => Screen::Reader,
            DeviceKind::Acceptor { .. } => Screen::Acceptor,
        }
    }

    /// Its word.
    pub const fn id(&self) -> &'static str {
        match self {
            DeviceKind::Terminal { .. } => "terminal",
            DeviceKind::Console { .. } => "console",
            DeviceKind::Board { .. } => "board",
            DeviceKind::Reader { .. } => "reader",
            DeviceKind::Acceptor { .. } => "acceptor",
        }
    }

    /// From its word and what belongs to it.
    ///
    /// # Errors
    /// If there is no such device.
    pub fn read(
        word: &str,
        table: &str,
        patron: Option<u32>,
        at_box: Option<u8>,
    ) -> Result<DeviceKind, Error> {
        let table = TableId::as_recorded(table);
        match (word, patron) {
            ("terminal", Some(patron)) => {
                Ok(DeviceKind::Terminal { table, patron: PatronNo(patron), at_box: at_box.map(BoxNo) })
            }
            ("acceptor", Some(patron)) => Ok(DeviceKind::Acceptor { table, patron: PatronNo(patron) }),
            ("console", None) => Ok(DeviceKind::Console { table }),
            ("board", None) => Ok(DeviceKind::Board { table }),
            ("reader", None) => Ok(DeviceKind::Reader { table }),
            (word, _) => Err(Error::failed(format!("there is no device `{word}`"))),
        }
    }
}

/// An enrolled device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// Its name for ever; orders are counted by it.
    pub id: DeviceId,
    /// What it is, and where.
    pub kind: DeviceKind,
}

/// A device that has just been enrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolled {
    /// The device.
    pub device: Device,
    /// What it shows, or the half of it that the Administrator is told.
    pub credential: Secret,
    /// The other half, where two people enrolled it: the second person is told it, and nobody else.
    pub code: Option<Secret>,
}

impl Enrolled {
    /// All that the device shows from now on.
    pub fn shows(&self) -> String {
        let secret = self.credential.text();
        self.code.as_ref().map_or(secret.clone(), |code| format!("{secret}.{}", code.code()))
    }
}

/// The hash of what a device shows: a secret, or a secret, a dot and a code.
pub(super) fn hash(shown: &str) -> Option<[u8; 32]> {
    let (secret, code) = shown.split_once('.').unwrap_or((shown, ""));
    Secret::parse(secret).map(|secret| secret.hash_with(code, Use::Device))
}

/// A device, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DeviceListed")]
pub struct Listed {
    /// Its name.
    pub device: DeviceId,
    /// What it is, and where.
    pub kind: DeviceKind,
    /// Since when.
    pub enrolled: Timestamp,
    /// Until when, if it is no longer good.
    pub revoked: Option<Timestamp>,
}

impl Register {
    /// Enrols a device.
    ///
    /// # Errors
    /// If its id was ever used, or the patron has another terminal at that table, or the box has.
    pub fn enrol(&self, id: &str, kind: DeviceKind, now: Timestamp) -> Result<Enrolled, Error> {
        self.enrol_with(id, kind, Hands::One, now, |_| Ok(()))
    }

    /// Enrols a device, if what is done before it is final goes well: the deed.
    ///
    /// # Errors
    /// As [`Register::enrol`], and what that says.
    pub fn enrol_with<E: From<Error>>(
        &self,
        id: &str,
        kind: DeviceKind,
        hands: Hands,
        now: Timestamp,
        before: impl FnOnce(&Enrolled) -> Result<(), E>,
    ) -> Result<Enrolled, E> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(Error::from)?;
        let enrolled = insert(&transaction, id, kind, hands, now)?;
        before(&enrolled)?;
        transaction.commit().map_err(Error::from)?;
        Ok(enrolled)
    }

    /// Revokes a device, at once.
    ///
    /// # Errors
    /// If there is none of that id that is good.
    pub fn revoke(&self, id: &str, now: Timestamp) -> Result<Device, Error> {
        self.revoke_with(id, now, |_| Ok(()))
    }

    /// The same, if what is done before it is final goes well: the deed. Without one it would be good again after a restart.
    ///
    /// # Errors
    /// As there, and what that says.
    pub fn revoke_with(
        &self,
        id: &str,
        now: Timestamp,
        before: impl FnOnce(&Device) -> Result<(), Error>,
    ) -> Result<Device, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let revoked = transaction
            .query_row(
                "UPDATE device SET revoked = ?2, secret = NULL WHERE id = ?1 AND revoked IS NULL
                 RETURNING id, kind, at_table, patron, box",
                params![id, ms(now)],
                |row| Ok(read(row)),
            )
            .optional()?;
        let device = revoked.ok_or(Refusal::NoSuchDevice)??;
        before(&device)?;
        transaction.commit()?;
        drop(connection);
        self.tell([Gone::Device(device.id.clone())]);
        Ok(device)
    }

    /// Whose credential it is.
    ///
    /// # Errors
    /// If the register failed.
    pub fn device(&self, credential: &str) -> Result<Option<Device>, Error> {
        let Some(secret) = hash(credential) else { return Ok(None) };
        let connection = self.connection();
        let found = connection
            .prepare_cached(
                "SELECT id, kind, at_table, patron, box FROM device WHERE secret = ?1 AND revoked IS NULL",
            )?
            .query_row([secret], |row| Ok(read(row)))
            .optional()?;
        found.transpose()
    }

    /// Whether a device is still good, by its id.
    ///
    /// # Errors
    /// If the register failed.
    pub fn is_enrolled(&self, device: &DeviceId) -> Result<bool, Error> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT 1 FROM device WHERE id = ?1 AND revoked IS NULL")?;
        Ok(statement.exists([device.as_str()])?)
    }

    /// All devices that ever were, by their ids.
    ///
    /// # Errors
    /// If the register failed.
    pub fn devices(&self) -> Result<Vec<Listed>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT id, kind, at_table, patron, box, enrolled, revoked FROM device ORDER BY id",
        )?;
        let rows = statement.query_map([], |row| {
            let times: (i64, Option<i64>) = (row.get(5)?, row.get(6)?);
            Ok((read(row), times))
        })?;
        rows.map(|row| {
            let (device, (enrolled, revoked)) = row?;
            let Device { id: device, kind } = device?;
            Ok(Listed { device, kind, enrolled: at(enrolled), revoked: revoked.map(at) })
        })
        .collect()
    }
}

/// Puts a device into the register, if it may be there.
fn insert(
    transaction: &Transaction<'_>,
    id: &str,
    kind: DeviceKind,
    hands: Hands,
    now: Timestamp,
) -> Result<Enrolled, Error> {
    let named: DeviceId = id.parse().map_err(|_| Refusal::BadDevice)?;
    if is_own(id) {
        return Err(Refusal::BadDevice.into());
    }
    if !kind.table().is_fit() {
        return Err(Refusal::BadTable.into());
    }
    let credential = Secret::new()?;
    let code = match hands {
        Hands::One => None,
        Hands::Two => Some(Secret::new()?),
    };
    let enrolled = Enrolled { device: Device { id: named, kind }, credential, code };
    let kind = &enrolled.device.kind;
    let table = kind.table().as_str();
    let used = transaction.query_row("SELECT 1 FROM device WHERE id = ?1", [id], |_| Ok(())).optional()?;
    if used.is_some() {
        return Err(Refusal::DeviceExists.into());
    }
    let new = transaction.execute(
        "INSERT INTO device (id, kind, at_table, patron, box, secret, enrolled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT DO NOTHING",
        params![
            id,
            kind.id(),
            table,
            kind.patron().map(|patron| patron.0),
            kind.at_box().map(|box_no| box_no.0),
            hash(&enrolled.shows()),
            ms(now)
        ],
    )?;
    if new == 0 {
        return Err(Refusal::TerminalTaken.into());
    }
    Ok(enrolled)
}

fn read(row: &Row<'_>) -> Result<Device, Error> {
    let (id, word, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Device {
        id: DeviceId::as_recorded(id),
        kind: DeviceKind::read(&word, &table, row.get(3)?, row.get(4)?)?,
    })
}
