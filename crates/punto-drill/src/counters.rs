//! What a drill has been through, counted.

use std::fmt;

use punto_record::Digest;

macro_rules! counters {
    ($($heading:literal { $($(#[$doc:meta])+ $name:ident,)+ })+) => {
        /// How often everything happened. The same seed gives the same counters.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($($(#[$doc])+ pub $name: u64,)+)+
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
        match &self.root {
            Some(root) => write!(f, "last checkpoint {root}"),
            None => f.write_str("no checkpoint"),
        }
    }
}
