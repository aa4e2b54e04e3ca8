//! What a drill has been through, counted.

use std::collections::BTreeMap;
use std::fmt;

use punto_record::Digest;

/// What an insider tried, by the word of the deed or order, and how they got by without the second person.
pub type Tried = (&'static str, &'static str);

/// What became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// How often it was refused.
    pub refused: u64,
    /// How often it got through, and the auditor named it.
    pub named: u64,
}

macro_rules! counters {
    ($($heading:literal { $($(#[$doc:meta])+ $name:ident,)+ })+) => {
        /// How often everything happened. The same seed gives the same counters.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($($(#[$doc])+ pub $name: u64,)+)+
            /// What insiders tried, and what became of it.
            pub tried: BTreeMap<Tried, Outcomes>,
            /// The root of the last checkpoint.
            pub root: Option<Digest>,
        }

        impl Counters {
            /// Every counter under its heading, with its words, in their order.
            pub fn list(&self) -> Vec<(&'static str, &'static str, u64)> {
                vec![$($(($heading, stringify!($name), self.$name),)+)+]
            }
        }
    };
}

counters! {
    "faults" {
        /// The software died with orders decided and not yet written.
        crashes_before_append,
        /// It died when they were written and nobody knew.
        crashes_before_receipt,
        /// It died with answers on their way.
        crashes_before_delivery,
        /// Orders that never arrived.
        orders_lost,
        /// Orders that took seconds.
        orders_late,
        /// Orders that arrived twice.
        orders_doubled,
        /// Answers that never arrived.
        replies_lost,
        /// Answers that took seconds.
        replies_late,
        /// Answers that arrived twice.
        replies_doubled,
        /// Cards that the reader took for others.
        cards_misread,
        /// Tables without power in the middle of a Round.
        power_cuts,
        /// Terminals that went dark.
        terminals_lost,
        /// Times without room on the disk.
        disks_full,
        /// Other writers that took over.
        other_writers,
        /// Clocks that jumped ahead.
        clocks_forward,
        /// Clocks that jumped back.
        clocks_back,
        /// Tickets that two wanted at once.
        ticket_races,
        /// Snapshots that were gone.
        snapshots_deleted,
        /// Snapshots that were not the latest word.
        snapshots_old,
    }
    "the floor" {
        /// Ledgers founded, played and audited.
        nights,
        /// Things that happened, one after another.
        steps,
        /// Rounds settled.
        rounds_settled,
        /// Rounds made void.
        rounds_void,
        /// Rounds corrected after they were settled.
        rounds_corrected,
        /// Matters opened.
        matters,
        /// Choices that patrons made.
        choices,
        /// Wagers registered.
        wagers,
        /// Shoes put to use.
        shoes,
        /// Software shoes revealed.
        reveals,
        /// Tables opened.
        openings,
        /// Tables closed.
        closings,
        /// Tickets made.
        tickets_issued,
        /// Tickets that became credits.
        tickets_redeemed,
        /// Tickets paid or made void at the cage.
        tickets_at_the_cage,
    }
    "orders" {
        /// Orders given.
        orders,
        /// Orders that nobody should give.
        nonsense,
        /// Devices that did not wait for their answer.
        impatient,
        /// Devices that used an id again for another order.
        ids_reused,
        /// Orders sent once more.
        retries,
        /// Orders whose fate a device learned by asking again.
        learned_by_asking_again,
        /// Orders that were refused.
        refused,
    }
    "the house" {
        /// Evenings after which the software was stopped in order, and time passed.
        evenings,
        /// Clocks that two people found to be right, where the recorded one had not followed.
        clocks_confirmed,
        /// Expired tickets that were tried as if they were good.
        expired_refused,
        /// Expired tickets that two people paid.
        expired_paid,
        /// Expired tickets that two people made void.
        expired_voided,
        /// Second factors set up.
        factors_enrolled,
        /// Those in the place of another one.
        factors_replaced,
        /// Codes of second factors that were shown and taken.
        codes_taken,
        /// Codes of a factor that was replaced or lost, or used before: refused.
        codes_refused,
        /// Recovery codes used.
        recovery_codes_used,
        /// Recovery codes made anew.
        recovery_codes_made,
        /// Resets of second factors that two people asked for.
        resets_asked,
        /// Resets that were stopped.
        resets_stopped,
        /// Resets carried out after their day.
        resets_done,
        /// Devices enrolled by two.
        devices_enrolled,
        /// Devices revoked.
        devices_revoked,
        /// Witnesses named by two.
        witnesses_named,
        /// Witnesses moved by two.
        witnesses_moved,
        /// Witnesses taken out of use by two.
        witnesses_removed,
        /// Confirmations of witnesses that were written down.
        witnesses_confirmed,
        /// Orders and payments that were held back while nobody confirmed this history, or somebody contested it.
        held_back,
        /// Starts for which two people opened without a witness.
        opened_unwitnessed,
        /// Witnesses that kept another history.
        histories_contested,
        /// Losses declared by two.
        losses_declared,
        /// Times that second factors and devices were compared with the store after a start.
        registers_compared,
    }
    "insiders" {
        /// Orders and deeds that somebody tried alone in a house.
        insiders_tried,
        /// Those that were refused.
        insiders_refused,
        /// Those that went through, each named by the auditor.
        insiders_named,
    }
    "the record" {
        /// Entries written.
        entries,
        /// Commits.
        commits,
        /// Times that the software came back.
        restarts,
        /// Tables that were read back on their own.
        tables_reloaded,
        /// Snapshots kept.
        snapshots,
        /// Keys adopted for those before them.
        keys_adopted,
        /// Checkpoints signed.
        checkpoints,
    }
    "checks" {
        /// Entries that the auditor and the books took.
        audited,
        /// Rounds after which the auditor had nothing to say.
        rounds_clean,
        /// Replays compared with what was live.
        replays,
        /// Patrons' own ideas of their money compared with the table's.
        purses,
        /// Answers compared with the record.
        answers,
        /// Whole ledgers audited from their first entry.
        full_audits,
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = self.list();
        let wide = list.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
        let mut last = "";
        for (heading, name, count) in list {
            if heading != last {
                writeln!(f, "{heading}")?;
                last = heading;
            }
            writeln!(f, "  {:wide$}  {count:>10}", name.replace('_', " "))?;
        }
        if !self.tried.is_empty() {
            writeln!(f, "what insiders tried (refused, named)")?;
        }
        let wide = self.tried.keys().map(|(what, _)| what.len()).max().unwrap_or(0);
        for ((what, how), Outcomes { refused, named }) in &self.tried {
            writeln!(f, "  {what:wide$}  {how:<18}  {refused:>6}  {named:>6}")?;
        }
        match &self.root {
            Some(root) => write!(f, "last checkpoint {root}"),
            None => f.write_str("no checkpoint"),
        }
    }
}
