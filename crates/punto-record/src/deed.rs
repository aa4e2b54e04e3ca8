//! What is written down for the house as a whole: no single table's business.

use std::sync::Arc;

use punto_rules::{Money, PatronNo};
use serde::{Deserialize, Serialize};

use crate::facts::Significance as As;
use crate::facts::deed::{DeedFacts, administrators, cashiers, members_of_staff, software};
use crate::tagged::tagged;
use crate::{
    Actor, BoxNo, Chain, Contest, Currency, DeviceId, DeviceTaken, Digest, FactorShown, Moment, OrderId,
    Person, PersonTaken, PublicKey, Release, RoundNo, Seq, SessionId, TableId, TicketKeyId, TicketNo,
    Timestamp, Volume, WitnessName, digest,
};

/// What a ledger is for, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LedgerKind {
    /// Trying things out: no real money.
    Demo,
    /// Trying out rules, settings and people on a floor of one's own: no real money.
    Practice,
    /// A house at work: approved rules only (interpretation 33).
    House,
}

impl LedgerKind {
    /// Whether there is real money behind it. Nothing else may look as if there were.
    pub const fn is_house(self) -> bool {
        match self {
            LedgerKind::House => true,
            LedgerKind::Demo | LedgerKind::Practice => false,
        }
    }

    /// Its word, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            LedgerKind::Demo => "demo",
            LedgerKind::Practice => "practice",
            LedgerKind::House => "house",
        }
    }
}

tagged! {
    /// What was done for the house.
    Deed, tag "deed",
    /// The kinds of deeds.
    DeedKind, facts DeedFacts {
        /// The first entry of every ledger. Its link in the chain is the name of the ledger.
        LedgerFounded = "ledger-founded"
            [software().significant(As::Ledger)]
        {
            kind: LedgerKind,
            /// Something nobody can guess, so that no two ledgers begin alike.
            nonce: Digest,
        },
        /// Checkpoints are signed with this key from now on.
        KeyAdopted = "key-adopted"
            [administrators().or_software().significant(As::Ledger)]
        {
            key: PublicKey,
            /// The key before it, which vouches for this one by signing its 32 bytes.
            #[serde(default, skip_serializing_if = "Option::is_none")] before: Option<PublicKey>,
            #[serde(default, skip_serializing_if = "Option::is_none")] vouched: Option<Arc<str>>,
        },
        /// A ledger of the first release, which signed no commits, is signed for from here on. Its first `size` entries were
        /// taken as they were found.
        CommitsSigned = "commits-signed"
            [software().significant(As::Ledger)]
        { size: u64, },
        /// Numbers of new tickets are derived with this key from now on. The key itself is in no record.
        TicketKeyAdopted = "ticket-key-adopted"
            [software().significant(As::Ledger)]
        {
            key: TicketKeyId,
            #[serde(default, skip_serializing_if = "Option::is_none")] before: Option<TicketKeyId>,
        },
        /// Cash for a ticket, at the cage. A ticket that has expired takes a second person and a reason.
        TicketPaid = "ticket-paid"
            [cashiers().by_mandate().uses_a_ticket().significant(As::ExpiredTicketPaid)]
        {
            ticket: TicketNo,
            amount: Money,
            /// That of the ticket; earlier builds did not name it.
            #[serde(default, skip_serializing_if = "Option::is_none")] currency: Option<Currency>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] reason: Option<Arc<str>>,
        },
        /// A ticket that nobody can redeem any more; it takes a second person.
        TicketVoided = "ticket-voided"
            [cashiers().by_mandate().agreed().uses_a_ticket().significant(As::TicketVoided)]
        {
            ticket: TicketNo,
            amount: Money,
            #[serde(default, skip_serializing_if = "Option::is_none")] currency: Option<Currency>,
            second: Person,
            reason: Arc<str>,
        },
        /// The books of a table did not balance: it takes no order.
        TableLocked = "table-locked"
            [software().significant(As::Locked)]
        { table: TableId, seq: Seq, words: Arc<str>, },
        /// It may be opened again; it takes a second person.
        TableUnlocked = "table-unlocked"
            [administrators().by_mandate().agreed().significant(As::Locked)]
        { table: TableId, second: Person, reason: Arc<str>, },
        /// The system's clock was so many milliseconds ahead of the recorded one, which had not followed it so far, and was
        /// found to be right: the recorded one follows. It takes a second person.
        ClockConfirmed = "clock-confirmed"
            [administrators().by_mandate().agreed().significant(As::Clock)]
        { ahead: u64, second: Person, reason: Arc<str>, },
        /// An authority approved a document for this operator, and two people compared our transcription of it
        /// (interpretation 33). A text is known by its digest, not by its name.
        RulesApproved = "rules-approved"
            [administrators().by_mandate().agreed().significant(As::Rules)]
        {
            game: Arc<str>,
            version: Arc<str>,
            /// The digest of the rule book's text.
            digest: Digest,
            authority: Arc<str>,
            /// How the authority refers to its approval.
            reference: Arc<str>,
            operator: Arc<str>,
            /// The document that was approved.
            document: Arc<str>,
            in_force: Moment,
            /// Whether it expressly allows cards of software (interpretation 48).
            #[serde(default, skip_serializing_if = "is_false")] software_cards: bool,
            second: Person,
            /// What was compared, and how, as both sign it.
            compared: Arc<str>,
        },
        /// The approval of a text was withdrawn: no Round opens under it afterwards.
        RulesWithdrawn = "rules-withdrawn"
            [administrators().by_mandate().agreed().significant(As::Rules)]
        { digest: Digest, at: Moment, second: Person, reason: Arc<str>, },
        /// The house adopted the interpretations of this software, by the digest of their text.
        ReadingsAdopted = "readings-adopted"
            [administrators().by_mandate().agreed().significant(As::Rules)]
        { digest: Digest, second: Person, },
        /// Entries up to this size of the tree were moved to an archive.
        EntriesArchived = "entries-archived"
            [administrators().or_software().significant(As::Ledger)]
        {
            size: u64,
            root: Digest,
            /// The digest of the archive.
            archive: Digest,
            heads: Vec<ArchivedHead>,
        },
        /// The software was started.
        SoftwareStarted = "software-started"
            [software().significant(As::Software)]
        {
            software: Digest,
            /// By how many milliseconds the recorded clock went on at this start because the system's said so: the time at
            /// rest. Nothing else vouches for it.
            #[serde(default, skip_serializing_if = "Option::is_none")] at_rest: Option<u64>,
        },
        /// The software was stopped in order.
        SoftwareStopped = "software-stopped"
            [software().significant(As::Software)]
        {},
        /// Something was checked and did not hold.
        VerificationFailed = "verification-failed"
            [software().significant(As::Verification)]
        {
            words: Arc<str>,
            /// Whether the register of people and devices was tampered with: no further Round opens until two people have
            /// cleared it.
            #[serde(default, skip_serializing_if = "is_false")] register: bool,
            /// A witness keeps another history than this ledger's: no further Round opens until the loss is declared.
            #[serde(default, skip_serializing_if = "Option::is_none")] contest: Option<Contest>,
        },
        /// Somebody elsewhere keeps checkpoints of this ledger, or no longer; it takes a second person.
        WitnessChanged = "witness-changed"
            [administrators().by_mandate().agreed().significant(As::Ledger)]
        {
            witness: WitnessName,
            /// `folder:/PATH`, `http://HOST…` or `https://HOST…`.
            address: Arc<str>,
            /// The key that it signs with, as C2SP writes keys; a folder has none.
            #[serde(default, skip_serializing_if = "Option::is_none")] key: Option<Arc<str>>,
            in_use: bool,
            second: Person,
            reason: Arc<str>,
        },
        /// A witness has this ledger's tree of so many entries, and what it had before goes on to it. Written down for each
        /// witness once after a start.
        WitnessConfirmed = "witness-confirmed"
            [software().significant(As::Ledger)]
        { witness: WitnessName, size: u64, root: Digest, },
        /// No witness could be reached, and the house opened all the same; it takes a second person.
        OpenedUnwitnessed = "opened-unwitnessed"
            [administrators().by_mandate().agreed().significant(As::Ledger)]
        { second: Person, reason: Arc<str>, },
        /// Entries that a witness signed for are not in this ledger, or others are in their place: after `from`, up to `to`.
        /// It takes a second person. With this deed another history begins at that witness.
        LossDeclared = "loss-declared"
            [administrators().by_mandate().agreed().significant(As::Ledger)]
        {
            witness: WitnessName,
            from: u64,
            to: u64,
            /// The root that the witness has at `to`, where it told.
            #[serde(default, skip_serializing_if = "Option::is_none")] root: Option<Digest>,
            second: Person,
            reason: Arc<str>,
        },
        /// The register of an earlier release, a file of its own, was taken over: once, by the software.
        RegisterTakenOver = "register-taken-over"
            [software().significant(As::Software)]
        { people: Vec<PersonTaken>, devices: Vec<DeviceTaken>, },
        /// What was tampered with in the register was looked into, up to this failed verification, and its rows were made
        /// again from the deeds; it takes a second person.
        RegisterCleared = "register-cleared"
            [administrators().by_mandate().agreed().significant(As::Verification)]
        { failed: Seq, second: Person, reason: Arc<str>, },
        /// A member of staff signed in. The session's name opens nothing.
        SignedIn = "signed-in"
            [members_of_staff().significant(As::SignIn)]
        {
            session: SessionId,
            /// What they showed beside the password; nothing where they have no second factor.
            #[serde(default, skip_serializing_if = "Option::is_none")] factor: Option<FactorShown>,
        },
        /// Somebody gave a wrong password. Who, is told only of a person that there is: people mistype their password
        /// into the wrong field.
        SignInFailed = "sign-in-failed"
            [software().significant(As::SignIn)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] person: Option<Person>,
            /// Whether nobody can sign in as that person for a while.
            locked: bool,
            /// Whether the password was right and only the second factor was missing or wrong: somebody may know it.
            #[serde(default, skip_serializing_if = "is_false")] factor: bool,
        },
        /// A member of staff signed out.
        SignedOut = "signed-out"
            [members_of_staff().significant(As::SignIn)]
        { session: SessionId, },
        /// A member of staff chose a password of their own.
        PasswordChosen = "password-chosen"
            [members_of_staff().significant(As::SignIn)]
        {
            /// The digest of its salted hash.
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// A member of staff has a second factor from now on, or another one.
        FactorEnrolled = "factor-enrolled"
            [members_of_staff().significant(As::SignIn)]
        {
            /// The step of the code that showed that they hold it.
            step: u64,
            /// What they showed of the factor before, which this one replaces.
            #[serde(default, skip_serializing_if = "Option::is_none")] factor: Option<FactorShown>,
            /// The digest of the hashes of seed and recovery codes.
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// A member of staff had new recovery codes made; those before are no longer good.
        RecoveryCodesMade = "recovery-codes-made"
            [members_of_staff().significant(As::SignIn)]
        {
            factor: FactorShown,
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// A member of staff used a recovery code, which is used up by it.
        RecoveryCodeUsed = "recovery-code-used"
            [members_of_staff().significant(As::SignIn)]
        {
            left: u8,
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// Two people asked that somebody's second factor be removed. It is done after a delay, in which it can be stopped.
        FactorResetBegun = "factor-reset-begun"
            [administrators().by_mandate().significant(As::Staff)]
        { person: Person, second: Person, reason: Arc<str>, },
        /// That person, or an Administrator, stopped it.
        FactorResetStopped = "factor-reset-stopped"
            [members_of_staff().by_mandate().significant(As::Staff)]
        {
            begun: Seq,
            person: Person,
            /// What was shown for it.
            #[serde(default, skip_serializing_if = "Option::is_none")] factor: Option<FactorShown>,
        },
        /// The delay is over: that person has no second factor any more and enrols another one.
        FactorReset = "factor-reset"
            [software().significant(As::Staff)]
        { begun: Seq, person: Person, },
        /// A member of staff came, has another role, was disabled or enabled, or was invited to choose a password. In a
        /// house whatever gives somebody power takes a second person and a reason; taking it away takes neither.
        StaffChanged = "staff-changed"
            [administrators().or_software().by_mandate().significant(As::Staff)]
        {
            person: Person,
            role: Arc<str>,
            enabled: bool,
            invited: bool,
            /// The name as it is shown, where it is a new one: whoever signs must see it.
            #[serde(default, skip_serializing_if = "Option::is_none")] name: Option<Arc<str>>,
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] reason: Option<Arc<str>>,
            /// The digest of the invitation's hashes, the code's included. It is made after everybody has signed.
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// Administrators were appointed at the host with the house's key, because those that there were could not come in any
        /// more. Every screen says so until an Administrator has seen to it.
        AdministratorsRestored = "administrators-restored"
            [software().significant(As::Staff)]
        { persons: Vec<Person>, reason: Arc<str>, },
        /// An Administrator has looked into how others were restored.
        RestorationSeen = "restoration-seen"
            [administrators().by_mandate().significant(As::Staff)]
        { restored: Seq, reason: Arc<str>, },
        /// A device got a credential.
        DeviceEnrolled = "device-enrolled"
            [administrators().or_software().by_mandate().significant(As::Device)]
        {
            device: DeviceId,
            kind: Arc<str>,
            table: TableId,
            #[serde(default, skip_serializing_if = "Option::is_none")] patron: Option<PatronNo>,
            /// The box at which a terminal stands.
            #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")] at_box: Option<BoxNo>,
            /// Who agreed, where money is kept for that patron at the table, and why it is done.
            #[serde(default, skip_serializing_if = "Option::is_none")] second: Option<Person>,
            #[serde(default, skip_serializing_if = "Option::is_none")] reason: Option<Arc<str>>,
            /// The digest of the credential's hash. It is made after everybody has signed.
            #[serde(default, skip_serializing_if = "Option::is_none")] credential: Option<Digest>,
        },
        /// The credential of a device is no longer good.
        DeviceRevoked = "device-revoked"
            [administrators().or_software().by_mandate().significant(As::Device)]
        { device: DeviceId, },
        /// A member of staff gave their password again, to answer for one order or one deed. Since 0.2.0 it says which: by
        /// its digest, and for an order by its table and Round.
        ApprovalGiven = "approval-given"
            [members_of_staff().significant(As::SignIn)]
        {
            #[serde(default, skip_serializing_if = "Option::is_none")] digest: Option<Digest>,
            #[serde(default, skip_serializing_if = "Option::is_none")] table: Option<TableId>,
            #[serde(default, skip_serializing_if = "Option::is_none")] round: Option<RoundNo>,
            /// What they showed beside the password; nothing in a session of their own, or where they have no second factor.
            #[serde(default, skip_serializing_if = "Option::is_none")] factor: Option<FactorShown>,
        },
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_false(is: &bool) -> bool {
    !*is
}

/// Where a volume stood when it was archived, and what it is continued from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ArchivedHead {
    pub volume: Volume,
    pub seq: Seq,
    pub link: Digest,
    /// The digest of the table's snapshot there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Digest>,
}

impl ArchivedHead {
    /// As a chain.
    pub const fn chain(&self) -> Chain {
        Chain { seq: self.seq, link: self.link }
    }
}

/// One entry of the house's volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct HouseEntry {
    pub seq: Seq,
    pub id: OrderId,
    pub by: Actor,
    pub at: Timestamp,
    pub deed: Deed,
    pub release: Release,
}

impl Deed {
    /// What somebody is from now on, where no second person is named: in a house only its founders and whoever is disabled.
    pub const fn staff_changed(person: Person, role: Arc<str>, enabled: bool, invited: bool) -> Deed {
        let (name, second, reason, credential) = (None, None, None, None);
        Deed::StaffChanged { person, role, enabled, invited, name, second, reason, credential }
    }

    /// Something was checked and did not hold.
    pub fn verification_failed(words: impl Into<Arc<str>>) -> Deed {
        Deed::VerificationFailed { words: words.into(), register: false, contest: None }
    }

    /// The digest of the credential, in a deed that gives one.
    pub const fn credential_mut(&mut self) -> Option<&mut Option<Digest>> {
        if let Deed::PasswordChosen { credential }
        | Deed::FactorEnrolled { credential, .. }
        | Deed::RecoveryCodesMade { credential, .. }
        | Deed::RecoveryCodeUsed { credential, .. }
        | Deed::StaffChanged { credential, .. }
        | Deed::DeviceEnrolled { credential, .. } = self
        {
            Some(credential)
        } else {
            None
        }
    }

    /// What somebody signs who answers for it: who does it, and all that it says. A credential is drawn when the deed is
    /// done, after they have signed.
    pub fn signed_by(&self, by: &Actor) -> Digest {
        let mut deed = self.clone();
        deed.credential_mut().map(Option::take);
        digest(&serde_json::to_vec(&("punto deed", by, deed)).expect("a deed is always JSON"))
    }
}
