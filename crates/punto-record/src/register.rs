//! The register of people and devices, as far as it may be shown: which row stands for which deed.

use std::sync::Arc;

use punto_rules::PatronNo;
use serde::{Deserialize, Serialize};

use crate::{BoxNo, DeviceId, Digest, Person, Seq, TableId, digest};

/// A kind of row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterKind {
    /// A member of staff: name, role, enabled or not.
    Person,
    /// The password of a member of staff.
    Password,
    /// An invitation to choose one.
    Invitation,
    /// An enrolled device and its credential.
    Device,
    /// The second factor of a member of staff.
    Factor,
}

impl RegisterKind {
    /// All of them.
    pub const ALL: [RegisterKind; 5] = [
        RegisterKind::Person,
        RegisterKind::Password,
        RegisterKind::Invitation,
        RegisterKind::Device,
        RegisterKind::Factor,
    ];

    /// Its word.
    pub const fn id(self) -> &'static str {
        match self {
            RegisterKind::Person => "person",
            RegisterKind::Password => "password",
            RegisterKind::Invitation => "invitation",
            RegisterKind::Device => "device",
            RegisterKind::Factor => "factor",
        }
    }

    /// The digest by which a deed knows a credential: of its hash as it is stored, for one owner and one use.
    pub fn credential(self, id: &str, hash: &str) -> Digest {
        let text = serde_json::to_vec(&("punto register", self.id(), id, hash));
        digest(&text.expect("strings are always JSON"))
    }
}

/// What a row says, without anything secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum RegisterFact {
    Person {
        person: Person,
        name: Arc<str>,
        role: Arc<str>,
        enabled: bool,
    },
    Password {
        person: Person,
    },
    Invitation {
        person: Person,
    },
    Device {
        device: DeviceId,
        kind: Arc<str>,
        table: TableId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patron: Option<PatronNo>,
        #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
        at_box: Option<BoxNo>,
        revoked: bool,
    },
    Factor {
        person: Person,
    },
}

impl RegisterFact {
    /// Its kind.
    pub const fn kind(&self) -> RegisterKind {
        match self {
            RegisterFact::Person { .. } => RegisterKind::Person,
            RegisterFact::Password { .. } => RegisterKind::Password,
            RegisterFact::Invitation { .. } => RegisterKind::Invitation,
            RegisterFact::Device { .. } => RegisterKind::Device,
            RegisterFact::Factor { .. } => RegisterKind::Factor,
        }
    }

    /// Whose row it is.
    pub fn id(&self) -> &str {
        match self {
            RegisterFact::Person { person, .. }
            | RegisterFact::Password { person }
            | RegisterFact::Invitation { person }
            | RegisterFact::Factor { person } => person.as_str(),
            RegisterFact::Device { device, .. } => device.as_str(),
        }
    }
}

/// A row: the deed that it reflects, what it says, and the digest of the credential that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RegisterRow {
    pub deed: Seq,
    pub fact: RegisterFact,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<Digest>,
}

/// A row as found in the store; `row` is `None` where it cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RegisterLine {
    pub kind: Arc<str>,
    pub id: Arc<str>,
    pub row: Option<RegisterRow>,
}

/// A person in the register of an earlier release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PersonTaken {
    pub person: Person,
    pub name: Arc<str>,
    /// The digest of their password's hash, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<Digest>,
}

/// A device as a register of an earlier release had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct DeviceTaken {
    pub device: DeviceId,
    /// The digest of its credential's hash.
    pub credential: Digest,
}
