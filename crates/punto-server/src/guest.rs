//! What a visitor of the demonstration is given: its sign-ins and a few devices. They exist nowhere else.

use punto_record::{DeviceId, Person};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::register::DeviceKind;
use crate::role::Role;

/// What a visitor of the demonstration is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guest {
    /// Its members of staff.
    pub people: Vec<DemoSignIn>,
    /// Devices that nobody else sits at.
    pub devices: Vec<DemoDevice>,
}

/// A sign-in of the demonstration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct DemoSignIn {
    pub person: Person,
    /// Drawn anew at every start.
    pub password: String,
    pub role: Role,
}

/// A device of the demonstration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct DemoDevice {
    pub device: DeviceId,
    pub kind: DeviceKind,
    pub credential: String,
}
