//! Why the register says no.

use std::sync::Arc;

use punto_record::Person;

/// Why the register did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Person and password do not belong together, or nobody may sign in as that person now.
    #[error("not signed in")]
    NotSignedIn(NoSignIn),
    /// What was asked for cannot be.
    #[error("{0}")]
    Refused(Refusal),
    /// The ledger did not take the deed, and nothing was changed.
    #[error(transparent)]
    Ledger(#[from] punto_ledger::Error),
    /// The file or the system failed.
    #[error("the register failed: {0}")]
    Failed(Arc<str>),
}

/// A sign-in that failed. For the house's own record: whoever tried is told none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSignIn {
    /// Who it would have been, if there is such a person.
    pub person: Option<Person>,
    /// What was the matter.
    pub why: Why,
}

/// What was the matter with a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is no such person.
    Unknown,
    /// The password is wrong.
    Wrong,
    /// The password is wrong, and it was the last attempt for a while.
    WrongAndLocked,
    /// The password is right, and the code of the second factor is missing, wrong or used.
    WrongCode,
    /// The same, and it was the last attempt for a while.
    WrongCodeAndLocked,
    /// There were too many wrong ones before.
    Locked,
    /// The person is disabled.
    Disabled,
    /// The person has not chosen a password yet.
    NoPassword,
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $words:literal;)+) => {
        /// Why something that was asked of the register cannot be.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
        pub enum Refusal { $($(#[$doc])* #[error($words)] $name,)+ }

        impl Refusal {
            /// All of them.
            pub const ALL: &'static [Refusal] = &[$(Refusal::$name,)+];

            /// Its word.
            pub const fn id(self) -> &'static str {
                match self { $(Refusal::$name => $id,)+ }
            }
        }
    };
}

refusals! {
    /// No name for a person.
    BadPerson = "bad-person", "a person's id is 1 to 40 letters (a-z, A-Z), digits and hyphens";
    /// No name to show.
    BadName = "bad-name", "a name has 1 to 64 characters on one line, none of them invisible";
    /// Taken.
    PersonExists = "person-exists", "there is a person with that id";
    /// Nobody.
    NoSuchPerson = "no-such-person", "there is no such person";
    /// Somebody must be able to go on.
    LastAdministrator = "last-administrator", "the last Administrator stays one";
    /// Used, too old, or never given.
    InvitationNotGood = "invitation-not-good", "the invitation was used, is too old, or never was one";
    /// Two people answer for it, and each holds a part.
    CodeNotGood = "code-not-good", "this invitation takes the code as well that the second person holds";
    /// Not the app's, or too late.
    FactorCodeWrong = "factor-code-wrong", "that is not the code that the app shows for this house now; look at the clock of the telephone";
    /// Another one was enrolled, or too much time has passed.
    FactorOfferGone = "factor-offer-gone", "begin again: that secret is too old, or another one was set up meanwhile";
    /// Nothing to be done.
    NoFactor = "no-factor", "that person has no second factor";
    /// Easily guessed by trying all.
    PasswordTooShort = "password-too-short", "a password has at least 12 characters, your own id not counted";
    /// Longer than anybody types.
    PasswordTooLong = "password-too-long", "a password has at most 256 characters";
    /// Easily guessed.
    PasswordTooCommon = "password-too-common", "that password is too easily guessed: it is made of common words, dates, repetitions or runs on the keyboard; a sentence of four or five words is better";
    /// Easily guessed by whoever works here.
    PasswordIsAName = "password-is-a-name", "that password is too easily guessed: it is made of a name of yours, of a table or of the house; a sentence of four or five words is better";
    /// No name for a device.
    BadDevice = "bad-device", "a device's id is 1 to 40 letters (a-z, A-Z), digits and hyphens, and not one of the software's own";
    /// No name for a table.
    BadTable = "bad-table", "a table's id is 1 to 40 letters (a-z, A-Z), digits and hyphens";
    /// Used up: orders are counted by it.
    DeviceExists = "device-exists", "there is or was a device with that id; ids are never used again";
    /// None that is good.
    NoSuchDevice = "no-such-device", "there is no such device, or it was revoked before";
    /// One terminal, one patron.
    TerminalTaken = "terminal-taken", "the terminal of that patron or box at that table is another device; revoke it first";
}

impl Error {
    pub(super) fn failed(words: impl std::fmt::Display) -> Error {
        Error::Failed(words.to_string().into())
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Refused(refusal)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::failed(error)
    }
}
