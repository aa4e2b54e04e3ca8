//! The rows of an export: what their columns are, once, for CSV and NDJSON alike.
//!
//! Columns are added at the end, never renamed or moved. Amounts are minor units; times are milliseconds since the
//! beginning of 1970, UTC, and `day` is the gaming day of the table. A cell that is empty says that there is nothing.

use serde::Serialize;

/// What can stand in a cell.
trait AsCell {
    fn cell(&self) -> String;
}

macro_rules! as_cell {
    ($($type:ty),+) => {$(
        impl AsCell for $type {
            fn cell(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

as_cell!(String, &'static str, bool, u8, u32, u64, i128);

impl<T: AsCell> AsCell for Option<T> {
    fn cell(&self) -> String {
        self.as_ref().map_or_else(String::new, T::cell)
    }
}

macro_rules! rows {
    ($(
        $(#[$doc:meta])*
        $kind:ident = $id:literal as $name:ident { $($field:ident: $type:ty = $meaning:literal,)+ }
    )+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
            pub struct $name { $(#[doc = $meaning] pub $field: $type,)+ }

            impl $name {
                /// The columns in their order, each with its meaning.
                pub const COLUMNS: &'static [(&'static str, &'static str)] =
                    &[$((stringify!($field), $meaning),)+];

                /// The cells in the order of the columns.
                pub fn cells(&self) -> Vec<String> {
                    vec![$(self.$field.cell(),)+]
                }
            }
        )+

        /// A row of an export.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(untagged)]
        pub enum Row { $($(#[$doc])* $kind($name),)+ }

        /// The kinds of rows: one file of an export each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum RowKind { $($(#[$doc])* $kind,)+ }

        impl RowKind {
            /// All of them.
            pub const ALL: &'static [RowKind] = &[$(RowKind::$kind,)+];

            /// Its word: the name of the file.
            pub const fn id(self) -> &'static str {
                match self { $(RowKind::$kind => $id,)+ }
            }

            /// The columns in their order, each with its meaning.
            pub const fn columns(self) -> &'static [(&'static str, &'static str)] {
                match self { $(RowKind::$kind => $name::COLUMNS,)+ }
            }
        }

        impl Row {
            /// Which of them it is.
            pub const fn kind(&self) -> RowKind {
                match self { $(Row::$kind(_) => RowKind::$kind,)+ }
            }

            /// The cells in the order of the columns.
            pub fn cells(&self) -> Vec<String> {
                match self { $(Row::$kind(row) => row.cells(),)+ }
            }
        }
    };
}

rows! {
    /// A Round, once, as it stands when it can no longer be put right.
    Round = "rounds" as RoundRow {
        table: String = "The table.",
        round: u32 = "The Round's number at the table.",
        shoe: u32 = "The shoe that it began with.",
        day: String = "The gaming day on which it ended.",
        opened_at: u64 = "When bets opened.",
        ended_at: Option<u64> = "When it was settled or void.",
        status: &'static str = "`settled`, `corrected` (settled anew), `void`, `undone` (void after settlement) or `open`.",
        cards: String = "The cards that count, in drawing order.",
        winner: Option<&'static str> = "`player`, `banker` or `tie`.",
        player_points: Option<u8> = "The Player Hand's Point Total.",
        banker_points: Option<u8> = "The Banker Hand's Point Total.",
        natural: Option<bool> = "Whether a Hand had a Natural.",
        player_pair: Option<bool> = "Whether the Player Hand began with a pair.",
        banker_pair: Option<bool> = "Whether the Banker Hand began with a pair.",
        wagers: u64 = "How many wagers were settled.",
        wagered: i128 = "Their stakes.",
        house: i128 = "What the House won; negative where it lost. Nothing where the Round is void.",
        reason: Option<&'static str> = "Why it is void.",
        currency: String = "The currency.",
    }
    /// A card that left the shoe in a Round.
    Card = "cards" as CardRow {
        table: String = "The table.",
        round: u32 = "The Round.",
        position: u64 = "Its place in drawing order, from 1.",
        card: String = "The card as it is known at the end: `As`, `unreadable`, `foreign:…`.",
        side: Option<&'static str> = "Where it was laid when it was drawn.",
        source: &'static str = "`read`, `keyed`, `carried` or `confirmed` after an interruption.",
        covered: bool = "Whether it was dealt face down.",
        at: u64 = "When it was recorded.",
        status: &'static str = "What became of the Round.",
    }
    /// A wager of a Round, once.
    Wager = "wagers" as WagerRow {
        table: String = "The table.",
        round: u32 = "The Round.",
        patron: u32 = "Whose.",
        box_no: Option<u8> = "In which box.",
        bet: String = "On what.",
        stance: Option<&'static str> = "`seated` or `standing`.",
        placed_at: u64 = "When it was first placed.",
        placed_by: Option<String> = "The Pit Employee who placed it for the patron.",
        stake: i128 = "The stake at the end.",
        playing: i128 = "How much of it played (5.1.1).",
        status: &'static str = "`settled`, `corrected`, `void`, `undone`, `taken-back`, `withdrawn` or `open`.",
        currency: String = "The currency.",
    }
    /// What became of a wager.
    Settlement = "settlements" as SettlementRow {
        table: String = "The table.",
        round: u32 = "The Round.",
        day: String = "The gaming day of the settlement or correction.",
        at: u64 = "When.",
        status: &'static str = "`settled`; `corrected` where it replaces another; `superseded` where another replaces it; `undone` where the Round is void.",
        patron: u32 = "Whose.",
        box_no: Option<u8> = "In which box.",
        bet: String = "On what.",
        stake: i128 = "What was staked.",
        playing: i128 = "How much of it played.",
        verdict: &'static str = "`won`, `lost` or `returned`.",
        pays: Option<String> = "The odds of a win.",
        returned: i128 = "What came back unplayed, or by a return.",
        winnings: i128 = "Paid on top, net of commission.",
        commission: i128 = "What the House kept of gross winnings.",
        to_patron: i128 = "All that went to the patron.",
        house: i128 = "Stake less what went to the patron.",
        cite: Option<String> = "The paragraph that decided.",
        currency: String = "The currency.",
    }
    /// An event, or a deed of the house.
    Event = "events" as EventRow {
        volume: String = "`house` or `table/…`.",
        seq: u64 = "The entry.",
        index: u64 = "Its place in the entry, from 1.",
        at: u64 = "When.",
        day: String = "The gaming day.",
        device: String = "Where the order came from.",
        by: String = "Who gave it, as JSON.",
        round: Option<u32> = "The Round in play or just over.",
        event: &'static str = "Its word.",
        json: String = "The event itself.",
    }
    /// What happened to a ticket.
    Ticket = "tickets" as TicketRow {
        volume: String = "Where it happened.",
        seq: u64 = "The entry.",
        at: u64 = "When.",
        ticket: String = "The ticket.",
        step: &'static str = "`issued`, `redeemed`, `paid` or `void`.",
        patron: Option<u32> = "Whose terminal.",
        amount: i128 = "What it is worth.",
        expires: Option<u64> = "When it expires.",
        currency: Option<String> = "The currency; nothing where the record at hand does not say.",
    }
    /// What happened to a tray.
    Float = "floats" as FloatRow {
        table: String = "The table.",
        seq: u64 = "The entry.",
        at: u64 = "When.",
        day: String = "The gaming day.",
        step: &'static str = "`opened`, `fill`, `credit`, `drop` or `closed`.",
        amount: i128 = "How much; of a closing, what was counted.",
        expected: Option<i128> = "What should have been there.",
        slip: Option<String> = "The slip.",
        currency: String = "The currency.",
    }
    /// A posting of the journal.
    Posting = "postings" as PostingRow {
        volume: String = "Where it happened.",
        seq: u64 = "The entry.",
        at: u64 = "When.",
        event: &'static str = "The event or deed.",
        debit: String = "The account debited.",
        credit: String = "The account credited.",
        amount: i128 = "How much.",
        currency: String = "The currency; each balances by itself. `XXX` where the record at hand does not say.",
    }
}
