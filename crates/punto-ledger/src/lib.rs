//! The vault: the durable, append-only record of every table, in a SQLite file or a PostgreSQL database.
//!
//! - A [`Vault`] is the one writer of a ledger. It takes [batches](punto_record::Batch), commits the waiting ones of all
//!   tables in one transaction and gives a [`Receipt`] for each. There is no other way to get a receipt.
//! - A [`Ledger`] is a vault behind a thread of its own, for many callers.
//! - A [`Reader`] reads what is there: to replay, to audit, to export, to copy.
//!
//! Nothing here knows a rule of the game or what an event means: entries are bytes with a place in a chain. What an entry
//! does to tickets is handed in beside it.

mod account;
mod author;
mod copy;
mod credential;
mod encrypted;
mod error;
mod export;
mod factor;
mod factors;
mod house;
mod key;
mod lease;
mod ledger;
mod part;
mod place;
mod postgres;
mod power;
mod private;
mod process;
mod prove;
mod pulse;
mod reader;
mod receipt;
mod registered;
mod rest;
mod sessions;
mod sqlite;
mod staff;
mod store;
mod stored;
mod ticket_keys;
mod tickets;
mod used_steps;
mod vault;

pub use account::Account;
pub use copy::{Fingerprint, copy, fingerprint};
pub use credential::Credential;
pub use encrypted::{BackupHead, BackupIdentity, BackupRecipient, Step, backup_to, restore_from};
pub use error::Error;
pub use export::write_export;
pub use factor::FactorSeed;
pub use factors::{FACTOR_RESET_DELAY, FactorReset};
pub use key::{new_key, random, read_key, write_key};
pub use ledger::Ledger;
pub use place::Place;
pub use power::ADMINISTRATORS;
pub use private::{require_not_public, require_private};
pub use prove::{Coverage, Unproven};
pub use pulse::{LATENCY_BUCKETS, Pulse};
pub use reader::Reader;
pub use receipt::Receipt;
pub use registered::{EarlierDevice, EarlierPerson, EarlierRegister, KeptRow, RegisterFound};
pub use rest::{AT_REST, WHILE_RUNNING};
pub use sessions::{EndedSessions, LONGEST_SESSION};
pub use staff::{Employed, StaffBook};
pub use stored::{Archived, Each, KeptCheckpoint, Snapshot, Stored};
pub use ticket_keys::TicketKeys;
pub use used_steps::UsedSteps;
pub use vault::{Append, Found, LEDGER, Outstanding, Vault};
