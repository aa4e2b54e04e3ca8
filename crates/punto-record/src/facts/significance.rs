//! What a regulator wants to find again years later.

macro_rules! significances {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)+) => {
        /// What makes an event significant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Significance { $($(#[$doc])* $name,)+ }

        impl Significance {
            /// All of them.
            pub const ALL: &'static [Significance] = &[$(Significance::$name,)+];

            /// Its word.
            pub const fn id(self) -> &'static str {
                match self { $(Significance::$name => $id,)+ }
            }
        }
    };
}

significances! {
    /// A table opened or closed.
    Table = "table",
    /// Settings that were changed.
    Settings = "settings",
    /// An approval of rules recorded or withdrawn, interpretations adopted.
    Rules = "rules",
    /// A technical interruption, and how it was resolved.
    Interruption = "interruption",
    /// A clock that jumped.
    Clock = "clock",
    /// A terminal that was lost or came back.
    Terminal = "terminal",
    /// A card that was keyed by hand.
    KeyedCard = "keyed-card",
    /// A card that could not be read.
    Unreadable = "unreadable",
    /// Cards that should not be: foreign, too many, too few, not shuffled.
    ShoeError = "shoe-error",
    /// A shoe that had to be exchanged or replaced.
    ShoeExchange = "shoe-exchange",
    /// Chips after "No more Bets".
    LateBet = "late-bet",
    /// Any other irregularity.
    Irregularity = "irregularity",
    /// A ruling, an amendment or an adjustment.
    Override = "override",
    /// A Round that is void.
    Void = "void",
    /// A Round that was corrected.
    Correction = "correction",
    /// A dispute opened, bundled, seen or closed.
    Dispute = "dispute",
    /// A note that was not credited, a ticket that nobody took, a box that did not hold what it should.
    Acceptor = "acceptor",
    /// Money that a claim holds back, or holds back for longer.
    Held = "held",
    /// Credits set aside for their patron, or a review of that.
    SetAside = "set-aside",
    /// A win of at least the amount asked for.
    LargeWin = "large-win",
    /// A tray that was counted and did not hold what it should.
    FloatDifference = "float-difference",
    /// A ticket made void.
    TicketVoided = "ticket-voided",
    /// An expired ticket that two people paid.
    ExpiredTicketPaid = "expired-ticket-paid",
    /// A table locked because its books did not balance or its record was tampered with, or unlocked.
    Locked = "locked",
    /// Something was checked and did not hold.
    Verification = "verification",
    /// The software was started or stopped.
    Software = "software",
    /// The ledger was founded, a key adopted, entries archived.
    Ledger = "ledger",
    /// Somebody signed in or out, failed to, chose a password, or answered for an order with it.
    SignIn = "sign-in",
    /// A member of staff came, went, or may do something else.
    Staff = "staff",
    /// A device was enrolled or revoked.
    Device = "device",
}
