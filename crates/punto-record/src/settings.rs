//! What a table is opened with: everything that may differ from one table of a game to the next.

use std::collections::BTreeMap;

use punto_rules::{BetId, BoxLimits, Burn, Money, Range};
use serde::{Deserialize, Serialize};

use crate::{Currency, Pit, TableId};

macro_rules! setting {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }
    )+};
}

setting! {
    /// What is done about bets that break a limit (interpretation 12).
    LimitsMode {
        /// Refused at once, as a terminal does.
        Enforced,
        /// Recorded as they lie on the felt, flagged, and settled pro rata.
        Observed,
    }
    /// What patrons bet with.
    MoneyKind {
        /// Credits that the table itself keeps.
        Credits,
        /// Chips on the felt; the table keeps its float.
        Chips,
    }
    /// Where the cards come from (interpretation 7).
    CardDevice {
        /// A shoe that is dealt down to its cut card.
        Shoe,
        /// A shuffler that hands out a whole set at a time.
        BatchShuffler,
        /// A shuffler that takes used cards back at once: no depth, no cut card.
        ContinuousShuffler,
    }
    /// What the cards are.
    Cards {
        /// Real ones, read by a device or keyed.
        Real,
        /// Software's, committed to before the first Round.
        Software,
    }
    /// How cards are dealt.
    Faces {
        /// Face up.
        Up,
        /// Face down; somebody may squeeze.
        Down,
    }
    /// What settles a Round (interpretation 19).
    ResultBy {
        /// The Dealer confirms the result.
        Confirmed,
        /// The last card.
        Automatic,
    }
    /// Which bets can establish an outcome (interpretation 20).
    EstablishedBy {
        /// Every bet that the layout offers.
        Offered,
        /// Only bets that somebody placed.
        Placed,
    }
    /// Whose orders of a post are taken (interpretation 46).
    PostsBy {
        /// Of everybody who is employed in it.
        Role,
        /// Of those who hold it, or a higher one, in the running shift.
        Held,
    }
    /// How a long streak is drawn once it has turned right.
    RoadTail {
        /// It keeps right.
        Sticky,
        /// It goes down again where there is room.
        Redescend,
    }
}

#[allow(clippy::derivable_impls, reason = "the variants are made by the macro")]
impl Default for PostsBy {
    fn default() -> PostsBy {
        PostsBy::Role
    }
}

impl PostsBy {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    const fn is_role(&self) -> bool {
        matches!(self, PostsBy::Role)
    }
}

impl Default for RoadTail {
    fn default() -> RoadTail {
        sticky()
    }
}

/// Everything that is fixed when a table opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The table.
    pub table: TableId,
    /// The game, as its rule book names it.
    pub game: String,
    /// The layout.
    pub layout: String,
    /// Decks in the shoe.
    pub decks: u8,
    /// Betting boxes; by default as many as the layout shows, or 7 where its picture is lost (interpretation 5).
    #[serde(default)]
    pub boxes: Option<u8>,
    /// The currency. Amounts are in its minor unit.
    #[serde(default = "currency")]
    pub currency: Currency,
    /// The chip unit; by default the smallest that pays everything exactly (interpretation 8).
    #[serde(default)]
    pub unit: Option<Money>,
    /// The chips in the float, where patrons bet with chips: the unit then makes every payout a sum of them
    /// (interpretation 51).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denominations: Vec<Money>,
    /// Minimum and Differential of a box. Live games must have them.
    #[serde(default)]
    pub betting_box: Option<BoxLimits>,
    /// Minimum and maximum of side bets; on the electronic game of every bet.
    #[serde(default)]
    pub bets: BTreeMap<BetId, Range>,
    /// The same for bets that are not named there.
    #[serde(default)]
    pub other_bets: Option<Range>,
    /// Enforced or observed.
    #[serde(default = "enforced")]
    pub limits: LimitsMode,
    /// Credits or chips.
    #[serde(default = "credits")]
    pub money: MoneyKind,
    /// The card device.
    #[serde(default = "shoe")]
    pub device: CardDevice,
    /// Real or software cards.
    #[serde(default = "real")]
    pub cards: Cards,
    /// Face up or face down.
    #[serde(default = "up")]
    pub faces: Faces,
    /// How long bets are open.
    #[serde(default = "betting_seconds")]
    pub betting_seconds: u16,
    /// How long other limits are announced before they apply (interpretation 48).
    #[serde(default = "limits_notice_seconds", skip_serializing_if = "is_usual_notice")]
    pub limits_notice_seconds: u16,
    /// How long patrons have to choose (interpretation 25).
    #[serde(default = "choice_seconds")]
    pub choice_seconds: u16,
    /// How long the next Round waits at most until a Pit Supervisor has seen a dispute (interpretation 43).
    #[serde(default = "dispute_seconds", skip_serializing_if = "is_by_default")]
    pub dispute_seconds: u16,
    /// Confirmed or automatic; by default confirmed with real cards, automatic with software's.
    #[serde(default)]
    pub result: Option<ResultBy>,
    /// By bets offered or placed.
    #[serde(default = "offered")]
    pub established_by: EstablishedBy,
    /// The burn after a shoe is loaded.
    #[serde(default = "no_burn")]
    pub burn: Burn,
    /// Cards behind the cut card.
    #[serde(default)]
    pub cut_card: u16,
    /// Road tails.
    #[serde(default = "sticky")]
    pub road_tail: RoadTail,
    /// When a gaming day begins, local time.
    #[serde(default = "gaming_day")]
    pub gaming_day: String,
    /// The time zone of the floor.
    #[serde(default = "time_zone")]
    pub time_zone: String,
    /// How long a ticket lives.
    #[serde(default = "ticket_days")]
    pub ticket_days: u16,
    /// After how many minutes without a bet credits may be set aside (interpretation 45).
    #[serde(default = "abandoned_minutes", skip_serializing_if = "is_usual")]
    pub abandoned_minutes: u16,
    /// Whose orders of a post are taken.
    #[serde(default, skip_serializing_if = "PostsBy::is_role")]
    pub posts: PostsBy,
    /// The pit that the table belongs to.
    #[serde(default = "pit", skip_serializing_if = "is_main")]
    pub pit: Pit,
}

fn currency() -> Currency {
    "SGD".into()
}
const fn enforced() -> LimitsMode {
    LimitsMode::Enforced
}
const fn credits() -> MoneyKind {
    MoneyKind::Credits
}
const fn shoe() -> CardDevice {
    CardDevice::Shoe
}
const fn real() -> Cards {
    Cards::Real
}
const fn up() -> Faces {
    Faces::Up
}
const fn betting_seconds() -> u16 {
    20
}
/// A few Rounds: everybody who is betting when limits are announced can finish what they are doing under the old ones.
const fn limits_notice_seconds() -> u16 {
    300
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_usual_notice(seconds: &u16) -> bool {
    *seconds == limits_notice_seconds()
}
const fn choice_seconds() -> u16 {
    30
}
const fn dispute_seconds() -> u16 {
    180
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_by_default(seconds: &u16) -> bool {
    *seconds == dispute_seconds()
}
const fn offered() -> EstablishedBy {
    EstablishedBy::Offered
}
const fn no_burn() -> Burn {
    Burn::Fixed(0)
}
const fn sticky() -> RoadTail {
    RoadTail::Sticky
}
fn gaming_day() -> String {
    "06:00".to_owned()
}
fn time_zone() -> String {
    "Asia/Singapore".to_owned()
}
fn pit() -> Pit {
    "main".into()
}
fn is_main(pit: &Pit) -> bool {
    pit.as_str() == "main"
}
const fn ticket_days() -> u16 {
    30
}
const fn abandoned_minutes() -> u16 {
    30
}
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_usual(minutes: &u16) -> bool {
    *minutes == abandoned_minutes()
}
