//! Witnesses: who keeps checkpoints of a ledger elsewhere, as the house's volume names them.
//!
//! Which witnesses there are stands in the record and not on a command line: leaving one out takes two people and is seen.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Deed, Digest, HouseEntry, Origin, Seq, WitnessKey, WitnessName};

const FOLDER: &str = "folder:";
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// Where a witness is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WitnessAddress {
    /// A folder, mounted from elsewhere: `folder:/mnt/regulator`.
    Folder(Arc<str>),
    /// A server that speaks the protocol of C2SP, by the prefix of its addresses: `https://witness.example/punto`.
    Http(Arc<str>),
}

/// Text that is no address of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the address of a witness: folder:/PATH, http://HOST… or https://HOST…")]
pub struct WitnessError;

impl fmt::Display for WitnessAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessAddress::Folder(path) => write!(f, "{FOLDER}{path}"),
            WitnessAddress::Http(url) => f.write_str(url),
        }
    }
}

impl FromStr for WitnessAddress {
    type Err = WitnessError;

    fn from_str(text: &str) -> Result<WitnessAddress, WitnessError> {
        if let Some(path) = text.strip_prefix(FOLDER) {
            let is_absolute = path.starts_with('/') && !path.split('/').any(|part| part == "..");
            return if is_absolute { Ok(WitnessAddress::Folder(path.into())) } else { Err(WitnessError) };
        }
        let rest = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme)).ok_or(WitnessError)?;
        // No password, query or fragment: the path of each request is put behind it.
        let is_plain = rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"@?#\\\"<>".contains(&byte));
        let has_host = !rest.starts_with(['/', ':']) && !rest.is_empty();
        match is_plain && has_host && !rest.ends_with('/') {
            true => Ok(WitnessAddress::Http(text.into())),
            false => Err(WitnessError),
        }
    }
}

/// Another history than this ledger's, as a witness keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// Which witness.
    pub witness: WitnessName,
    /// Up to this entry it is known to be the same history; 0 where nothing is known.
    pub from: u64,
    /// Up to this entry the witness has it.
    pub to: u64,
    /// The root that it has there, where it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Digest>,
}

/// A witness, as the house's volume names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its name.
    pub name: WitnessName,
    /// Where it is.
    pub address: WitnessAddress,
    /// With which key it signs; a folder signs nothing.
    pub key: Option<WitnessKey>,
    /// The deed that named it, or changed it last.
    pub named: Seq,
    /// Whether checkpoints are sent to it and compared with it.
    pub in_use: bool,
    /// The deed by which the last loss was declared at it: what it is sent begins a history of its own there.
    pub after_loss: Option<Seq>,
    /// Entries of this history that it is known to have.
    pub confirmed: Option<u64>,
    /// The other history that it keeps, and the entry that says so, if nobody has declared the loss.
    pub contested: Option<(Seq, Contest)>,
}

impl Witness {
    /// The name under which it keeps this ledger's present history.
    pub const fn origin(&self, ledger: Digest) -> Origin {
        Origin { ledger, after_loss: self.after_loss }
    }
}

/// The witnesses of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnesses(BTreeMap<WitnessName, Witness>);

impl Witnesses {
    /// Takes an entry of the house's volume. What a record says that this release would not write is passed over.
    pub fn enter(&mut self, entry: &HouseEntry) {
        if let Deed::WitnessChanged { witness: name, address, key, in_use, .. } = &entry.deed {
            let Ok((address, key)) = parts(address, key.as_deref()) else { return };
            let before = self.0.get(name);
            let after_loss = before.and_then(|it| it.after_loss);
            let (named, in_use, confirmed, contested) = (entry.seq, *in_use, None, None);
            let witness =
                Witness { name: name.clone(), address, key, named, in_use, after_loss, confirmed, contested };
            self.0.insert(name.clone(), witness);
        } else if let Deed::WitnessConfirmed { witness, size, .. } = &entry.deed
            && let Some(witness) = self.0.get_mut(witness)
        {
            (witness.confirmed, witness.contested) = (Some(*size), None);
        } else if let Deed::VerificationFailed { contest: Some(contest), .. } = &entry.deed
            && let Some(witness) = self.0.get_mut(&contest.witness)
        {
            witness.contested = Some((entry.seq, contest.clone()));
        } else if let Deed::LossDeclared { witness, .. } = &entry.deed
            && let Some(witness) = self.0.get_mut(witness)
        {
            (witness.after_loss, witness.confirmed, witness.contested) = (Some(entry.seq), None, None);
        }
    }

    /// Checks that a deed about witnesses can be done now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn admit(&self, deed: &Deed) -> Result<(), &'static str> {
        let in_use = |name: &WitnessName| {
            self.0.get(name).filter(|it| it.in_use).ok_or("there is no witness of that name in use")
        };
        if let Deed::WitnessChanged { witness, address, key, in_use, .. } = deed {
            parts(address, key.as_deref())?;
            match self.0.get(witness) {
                Some(before) if before.contested.is_some() => {
                    Err("this witness keeps another history: the loss is declared before it is changed")
                }
                None if !in_use => Err("there is no witness of that name"),
                Some(_) | None => Ok(()),
            }
        } else if let Deed::WitnessConfirmed { witness, .. } = deed {
            in_use(witness).map(drop)
        } else if let Deed::VerificationFailed { contest: Some(contest), .. } = deed {
            in_use(&contest.witness).map(drop)
        } else if let Deed::LossDeclared { witness, from, to, root, .. } = deed {
            match &in_use(witness)?.contested {
                Some((_, contest)) if (contest.from, contest.to, contest.root) == (*from, *to, *root) => {
                    Ok(())
                }
                Some(_) => Err("that is not the range that this witness keeps otherwise"),
                None => Err("this witness keeps no other history than this ledger's"),
            }
        } else if let Deed::OpenedUnwitnessed { .. } = deed {
            match self.in_use().next() {
                Some(_) => Ok(()),
                None => Err("no witness is named"),
            }
        } else {
            Ok(())
        }
    }

    /// All that were ever named.
    pub fn iter(&self) -> impl Iterator<Item = &Witness> {
        self.0.values()
    }

    /// Those that checkpoints are sent to.
    pub fn in_use(&self) -> impl Iterator<Item = &Witness> {
        self.iter().filter(|it| it.in_use)
    }

    /// Whether one of them is known to keep another history than this ledger's.
    pub fn contested(&self) -> bool {
        self.in_use().any(|it| it.contested.is_some())
    }
}

/// Address and key, if they go together: a server signs, a folder does not.
fn parts(address: &str, key: Option<&str>) -> Result<(WitnessAddress, Option<WitnessKey>), &'static str> {
    let address = address
        .parse()
        .map_err(|_| "the address of a witness is folder:/PATH, http://HOST… or https://HOST…")?;
    let key = match key.map(str::parse) {
        None => None,
        Some(Ok(key)) => Some(key),
        Some(Err(_)) => return Err("the key of a witness is NAME+ID+KEY, of the type for cosignatures"),
    };
    match (&address, &key) {
        (WitnessAddress::Folder(_), None) | (WitnessAddress::Http(_), Some(_)) => Ok((address, key)),
        (WitnessAddress::Folder(_), Some(_)) => Err("a folder signs nothing: it has no key"),
        (WitnessAddress::Http(_), None) => Err("a witness behind an address is known by its key"),
    }
}
