//! What can go wrong at a table (section 5), and what a rule book says is to be done about it.
//!
//! The kinds are a closed list: the table knows how to carry out each of them. Whether a game has one, with which
//! remedy, who decides and whether the patrons get a choice, is data of the rule book.

use serde::{Deserialize, Serialize};

use crate::{Cite, Post};

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $id:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The word in a rule book.
            pub const fn id(self) -> &'static str {
                match self { $($name::$variant => $id,)+ }
            }
        }
    };
}

words! {
    /// A fact against the rules, or a matter that they leave to somebody's decision.
    IrregularityKind {
        /// A box outweighed beyond the Differential.
        OverDifferential = "over-differential",
        /// A bet below the minimum.
        UnderMinimum = "under-minimum",
        /// A patron who left with bets standing.
        WalkAway = "walk-away",
        /// A power failure or the like that affects the Round.
        TechnicalInterruption = "technical-interruption",
        /// A failure of some or all Player Terminals while the table itself runs.
        TerminalInterruption = "terminal-interruption",
        /// A card that is not of the set.
        ForeignCard = "foreign-card",
        /// Cards missing from the set, or too many.
        ShortageOrExcess = "shortage-or-excess",
        /// A Hand with a wrong number of cards that cannot be reconstructed.
        WrongNumberOfCards = "wrong-number-of-cards",
        /// Too few cards left to complete the Round.
        ShoeExhausted = "shoe-exhausted",
        /// Cards that were not shuffled.
        NotShuffled = "not-shuffled",
        /// A bet placed, raised or withdrawn after "No more Bets".
        LateBet = "late-bet",
        /// A card drawn in excess, or exposed.
        ExcessOrExposedCard = "excess-or-exposed-card",
        /// A card dealt to the other side's area, or to the person accepting the other Hand.
        WrongSide = "wrong-side",
        /// A card dealt face up on a table that deals face down.
        FaceUp = "face-up",
        /// Two or more cards drawn at once.
        SimultaneousDraw = "simultaneous-draw",
        /// Any other dealing error that is not a cause for a void.
        OtherDealingError = "other-dealing-error",
        /// An error noticed after a later Round commenced.
        LateDiscovery = "late-discovery",
        /// A bet that the patron placed by mistake.
        BetPlacedInError = "bet-placed-in-error",
        /// A result that was registered or displayed otherwise than the cards show.
        WrongResult = "wrong-result",
        /// Whatever the rules do not provide for.
        Uncovered = "uncovered",
    }
}

words! {
    /// What is done about an irregularity.
    Remedy {
        /// The excess is rejected while bets are open.
        RejectExcess = "reject-excess",
        /// The patron raises or withdraws while bets are open.
        RaiseOrWithdraw = "raise-or-withdraw",
        /// The box is settled in proportion.
        ProRata = "pro-rata",
        /// The bet wins or loses as it stands.
        PlayAsPlaced = "play-as-placed",
        /// The bet is settled as any other.
        Settle = "settle",
        /// The Round is concluded if an outcome has been established, else void.
        ConcludeOrVoid = "conclude-or-void",
        /// The Round goes on; registered bets play, others come back.
        PlayRegistered = "play-registered",
        /// The Round is void and every bet of it comes back.
        Void = "void",
        /// The bet is refused.
        Refuse = "refuse",
        /// The cards are dealt again in their order; surplus cards open the next Round.
        Reconstruct = "reconstruct",
        /// The Round goes on and its result stands.
        Continue = "continue",
        /// Somebody rules which card came first.
        RuleOrder = "rule-order",
        /// The patrons choose.
        PatronsChoose = "patrons-choose",
        /// What was settled stands.
        Stand = "stand",
        /// No refund.
        NoRefund = "no-refund",
        /// The Round is settled by the cards.
        CorrectToCards = "correct-to-cards",
        /// What is owed is paid or taken later, as an adjustment.
        Adjust = "adjust",
        /// Somebody decides.
        Ruling = "ruling",
    }
}

words! {
    /// When patrons may choose between continuing and taking their bets back (WS 5.13; RWS, Da Hu 5.12).
    // INTERPRETATION 25: who is offered the choice, and when.
    ChoiceOffered {
        /// Always.
        Always = "always",
        /// Only while no outcome has been established.
        IfNotEstablished = "if-not-established",
        /// Except where an outcome has been established and the cards can be reconstructed.
        UnlessEstablishedAndReconstructable = "unless-established-and-reconstructable",
    }
}

words! {
    /// How freely the House decides.
    Discretion {
        /// Reasonable discretion.
        Reasonable = "reasonable",
        /// Absolute discretion.
        Absolute = "absolute",
    }
}

words! {
    /// What happens to the cards in the shoe afterwards.
    ShoeAfter {
        /// They must be exchanged (interpretation 23).
        MustExchange = "must-exchange",
        /// They may be replaced, by whoever decides.
        MayReplace = "may-replace",
    }
}

/// What a rule book says about one kind of irregularity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Irregularity {
    /// Which kind.
    pub kind: IrregularityKind,
    /// The paragraphs.
    pub cite: Cite,
    /// What is done while there is time: before bets close, or before the next Round commences.
    pub in_time: Option<Remedy>,
    /// What is done, or done when that time has passed.
    pub remedy: Remedy,
    /// The least post that decides; `None` where nothing is to be decided.
    pub decides: Option<Post>,
    /// Whether a second person must agree.
    pub second_person: bool,
    /// How freely the House decides whether cards can be reconstructed, or how an open matter is resolved.
    pub discretion: Option<Discretion>,
    /// When the patrons get the choice of 5.13 (5.12); `None` for never.
    pub choice: Option<ChoiceOffered>,
    /// What happens to the shoe.
    pub shoe: Option<ShoeAfter>,
}

impl IrregularityKind {
    /// What may be done about it at last, or at once where there is no earlier stage.
    pub(crate) const fn remedies(self) -> &'static [Remedy] {
        use IrregularityKind as Kind;
        match self {
            Kind::OverDifferential => &[Remedy::ProRata, Remedy::PlayAsPlaced],
            Kind::UnderMinimum => &[Remedy::PlayAsPlaced],
            Kind::WalkAway => &[Remedy::Settle],
            Kind::TechnicalInterruption => &[Remedy::ConcludeOrVoid, Remedy::Void],
            Kind::TerminalInterruption => &[Remedy::PlayRegistered],
            Kind::ForeignCard
            | Kind::ShortageOrExcess
            | Kind::WrongNumberOfCards
            | Kind::ShoeExhausted
            | Kind::NotShuffled => &[Remedy::Void],
            Kind::LateBet => &[Remedy::Refuse],
            Kind::ExcessOrExposedCard | Kind::WrongSide => &[Remedy::Reconstruct, Remedy::Void],
            Kind::FaceUp => &[Remedy::Continue, Remedy::Void],
            Kind::SimultaneousDraw => &[Remedy::RuleOrder, Remedy::Void],
            Kind::OtherDealingError => &[Remedy::PatronsChoose, Remedy::Void],
            Kind::LateDiscovery => &[Remedy::Stand, Remedy::Ruling],
            Kind::BetPlacedInError => &[Remedy::NoRefund],
            Kind::WrongResult => &[Remedy::Stand, Remedy::Ruling, Remedy::Adjust],
            Kind::Uncovered => &[Remedy::Ruling],
        }
    }

    /// Whether somebody can rule on it; what remains is carried out at once, and nobody decides.
    pub(crate) const fn is_ruled(self, remedy: Option<Remedy>) -> bool {
        use IrregularityKind as Kind;
        match self {
            // INTERPRETATION 50: the earlier Round stands by itself only where a paragraph says so.
            Kind::LateDiscovery => !matches!(remedy, Some(Remedy::Stand)),
            Kind::ForeignCard
            | Kind::ShortageOrExcess
            | Kind::WrongNumberOfCards
            | Kind::ShoeExhausted
            | Kind::NotShuffled
            | Kind::ExcessOrExposedCard
            | Kind::WrongSide
            | Kind::FaceUp
            | Kind::SimultaneousDraw
            | Kind::OtherDealingError
            | Kind::WrongResult
            | Kind::Uncovered => true,
            Kind::OverDifferential
            | Kind::UnderMinimum
            | Kind::WalkAway
            | Kind::TechnicalInterruption
            | Kind::TerminalInterruption
            | Kind::LateBet
            | Kind::BetPlacedInError => false,
        }
    }

    /// Whether it is a dealing error off the void list, after which patrons can be asked (5.13/5.12).
    pub(crate) const fn is_dealing_error(self) -> bool {
        matches!(
            self,
            IrregularityKind::ExcessOrExposedCard
                | IrregularityKind::WrongSide
                | IrregularityKind::FaceUp
                | IrregularityKind::SimultaneousDraw
                | IrregularityKind::OtherDealingError
        )
    }

    /// What may happen to the cards in the shoe: a void cause can put them out of use, and who rules on a dealing error
    /// can have them replaced.
    pub(crate) const fn shoes(self) -> &'static [ShoeAfter] {
        match self {
            IrregularityKind::ForeignCard
            | IrregularityKind::ShortageOrExcess
            | IrregularityKind::WrongNumberOfCards
            | IrregularityKind::ShoeExhausted
            | IrregularityKind::NotShuffled => &[ShoeAfter::MustExchange],
            IrregularityKind::ExcessOrExposedCard
            | IrregularityKind::WrongSide
            | IrregularityKind::SimultaneousDraw
            | IrregularityKind::OtherDealingError => &[ShoeAfter::MayReplace],
            IrregularityKind::OverDifferential
            | IrregularityKind::UnderMinimum
            | IrregularityKind::WalkAway
            | IrregularityKind::TechnicalInterruption
            | IrregularityKind::TerminalInterruption
            | IrregularityKind::LateBet
            | IrregularityKind::FaceUp
            | IrregularityKind::LateDiscovery
            | IrregularityKind::BetPlacedInError
            | IrregularityKind::WrongResult
            | IrregularityKind::Uncovered => &[],
        }
    }

    /// What may be done while there is time.
    pub(crate) const fn remedies_in_time(self) -> &'static [Remedy] {
        use IrregularityKind as Kind;
        match self {
            Kind::OverDifferential => &[Remedy::RejectExcess],
            Kind::UnderMinimum => &[Remedy::RaiseOrWithdraw],
            Kind::WrongResult => &[Remedy::CorrectToCards],
            Kind::WalkAway
            | Kind::TechnicalInterruption
            | Kind::TerminalInterruption
            | Kind::ForeignCard
            | Kind::ShortageOrExcess
            | Kind::WrongNumberOfCards
            | Kind::ShoeExhausted
            | Kind::NotShuffled
            | Kind::LateBet
            | Kind::ExcessOrExposedCard
            | Kind::WrongSide
            | Kind::FaceUp
            | Kind::SimultaneousDraw
            | Kind::OtherDealingError
            | Kind::LateDiscovery
            | Kind::BetPlacedInError
            | Kind::Uncovered => &[],
        }
    }
}
