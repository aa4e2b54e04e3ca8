//! What an order is about, as the table stands: whoever signs an order signs it for this, and for nothing that comes after.

use punto_record::{Command, Digest, digest};
use punto_rules::{Card, Side};

use crate::state::State;
use crate::table::Table;

impl Table {
    /// A digest of what an order is about. It changes when the order would mean something else: another Round or stage, a
    /// matter opened or ruled, a card drawn, read, carried or corrected, another shoe, other settings; for an amended wager
    /// also that wager, for a dispute that dispute, for credits to be set aside what there is of them, for a held payout
    /// how much is held. Bets and credits of
    /// others, the clock and who looks on change nothing.
    pub fn basis(&self, command: &Command) -> Digest {
        let state = self.state();
        let law = (&state.settings, &state.digest);
        let written = match command.kind().facts().is_beside_play {
            true => serde_json::to_vec(&(law, own(state, command))),
            false => serde_json::to_vec(&(law, self.phase_word(), play(state), own(state, command))),
        };
        digest(&written.expect("a state is always JSON"))
    }
}

/// The Round, its cards and all that waits for a ruling.
fn play(state: &State) -> impl serde::Serialize + '_ {
    let round = state.round().map(|round| {
        let out: Vec<(Option<Card>, Option<Side>)> =
            round.drawn.iter().map(|dealt| (dealt.seen.card(), dealt.side)).collect();
        (round.no, round.matters(), out, &round.order, round.shown, round.shoe_awaited)
    });
    (state.rounds, round, state.shoes, &state.carried, state.carried_ruled, &state.matters)
}

/// What the order itself points at.
fn own(state: &State, command: &Command) -> Option<serde_json::Value> {
    let shown = if let Command::AmendWager { patron, box_no, bet, .. } = command {
        let round = state.round()?;
        let is_it = |key: &crate::round::WagerKey| {
            key.patron == *patron && key.box_no == Some(*box_no) && key.bet == *bet
        };
        let lying: Vec<_> =
            round.wagers.iter().filter(|(key, _)| is_it(key)).map(|(_, it)| it.stake).collect();
        serde_json::to_value(lying)
    } else if let Command::CloseDispute { dispute, .. } | Command::BundleDispute { dispute, .. } = command {
        serde_json::to_value(state.disputes.get(dispute))
    } else if let Command::DecideHeld { slip, .. } = command {
        serde_json::to_value(state.held_payouts.get(slip))
    } else if let Command::KeepUnclaimed { patron, .. } = command {
        serde_json::to_value(state.accounts.get(patron))
    } else {
        return None;
    };
    Some(shown.expect("a state is always JSON"))
}
