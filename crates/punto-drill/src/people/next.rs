//! What is likely to be next at a table.

use punto_record::{CommandKind as Kind, LimitsMode, MoneyKind};
use punto_rules::Money;
use punto_table::{Account, Phase, Round, Stage};

use super::Scene;

impl Scene<'_> {
    /// The kind of order that somebody is likely to give now.
    pub(crate) fn next(&mut self) -> Kind {
        let table = self.table;
        if table.state().float_covered && self.dice.chance(60) {
            return Kind::UncoverFloat;
        }
        match &table.state().phase {
            Phase::Closed => {
                let count = if table.state().drops.is_empty() { 1 } else { 9 };
                self.dice.weigh(&[(9, Kind::OpenTable), (1, Kind::OpenBets), (count, Kind::CountAcceptor)])
            }
            Phase::Between { .. } => self.between(),
            Phase::Round(round) => self.in_round(round),
        }
    }

    fn in_round(&mut self, round: &Round) -> Kind {
        if round.squeezes.last().is_some_and(|asked| asked.granted.is_none()) && self.dice.chance(50) {
            return Kind::GrantSqueeze;
        }
        match &round.stage {
            Stage::Betting { .. } => self.betting(),
            Stage::Dealing {} if round.shoe_awaited => {
                self.dice.weigh(&[(6, Kind::ExchangeShoe), (1, Kind::DrawCard)])
            }
            Stage::Dealing {} if round.drawn.is_empty() => self.dice.weigh(&[
                (150, Kind::DrawCard),
                (8, Kind::AmendWager),
                (2, Kind::HoldPayout),
                (6, Kind::AskSqueeze),
                (2, Kind::HandCards),
                (4, Kind::GrantSqueeze),
                (3, Kind::Report),
                (6, Kind::PlaceWager),
                (3, Kind::WithdrawWager),
                (3, Kind::CashOut),
            ]),
            Stage::Dealing {} => self.dice.weigh(&[
                (200, Kind::DrawCard),
                (12, Kind::CorrectCard),
                (3, Kind::HoldPayout),
                (4, Kind::AskSqueeze),
                (2, Kind::HandCards),
                (3, Kind::GrantSqueeze),
                (5, Kind::Report),
                (2, Kind::TurnCards),
                (2, Kind::PlaceWager),
                (2, Kind::CashOut),
                (2, Kind::RedeemTicket),
            ]),
            Stage::Unread {} => {
                self.dice.weigh(&[(60, Kind::ReadCard), (3, Kind::Report), (3, Kind::DrawCard)])
            }
            Stage::Held { .. } => self.dice.weigh(&[
                (80, Kind::Rule),
                (3, Kind::Report),
                (2, Kind::DrawCard),
                (2, Kind::Choose),
                (2, Kind::TurnCards),
                (2, Kind::ConfirmResult),
                (2, Kind::PlaceWager),
            ]),
            Stage::Choosing { .. } => self.dice.weigh(&[
                (70, Kind::Choose),
                (15, Kind::CloseChoices),
                (2, Kind::Report),
                (2, Kind::ConfirmResult),
            ]),
            Stage::Confirming { .. } if round.has_covered() => {
                self.dice.weigh(&[(80, Kind::TurnCards), (3, Kind::ConfirmResult), (3, Kind::Report)])
            }
            Stage::Confirming { .. } => self.dice.weigh(&[
                (90, Kind::ConfirmResult),
                (1, Kind::DrawCard),
                (4, Kind::CorrectCard),
                (4, Kind::Report),
                (3, Kind::AmendWager),
                (3, Kind::HoldPayout),
                (2, Kind::OpenDispute),
            ]),
            Stage::Interrupted { .. } if round.disputed().is_some() => {
                self.dice.weigh(&[(90, Kind::Rule), (3, Kind::ConfirmCards), (2, Kind::DrawCard)])
            }
            Stage::Interrupted { .. } => {
                self.dice.weigh(&[(90, Kind::ConfirmCards), (3, Kind::DrawCard), (2, Kind::Rule)])
            }
        }
    }

    fn betting(&mut self) -> Kind {
        let law = self.table.law();
        let chips = law.is_some_and(|law| law.settings.money == MoneyKind::Chips);
        let observed = law.is_some_and(|law| law.settings.limits == LimitsMode::Observed);
        let live = law.is_some_and(|law| !law.is_electronic());
        self.dice.weigh(&[
            (if observed { 10 } else { 70 }, Kind::PlaceWager),
            (if observed { 60 } else { 0 }, Kind::RecordChips),
            (10, Kind::WithdrawWager),
            (if observed { 12 } else { 0 }, Kind::RejectExcess),
            (if observed { 15 } else { 0 }, Kind::Advise),
            (if chips { 0 } else { 10 }, Kind::BuyCredits),
            (if chips { 0 } else { 6 }, Kind::RedeemTicket),
            (if live { 12 } else { 2 }, Kind::CloseBets),
            (1, Kind::Report),
            (1, Kind::DrawCard),
            (4, Kind::CashOut),
            (if chips { 2 } else { 0 }, Kind::Drop),
        ])
    }

    fn between(&mut self) -> Kind {
        let state = self.table.state();
        let Some(law) = self.table.law() else { return Kind::OpenTable };
        let chips = law.settings.money == MoneyKind::Chips;
        if self.dice.chance(20) {
            return self.beside(chips);
        }
        if state.matters.iter().any(|matter| matter.holds) {
            return Kind::Rule;
        }
        if (state.undecided().is_some() || state.unseen().is_some()) && self.dice.chance(80) {
            return self.dice.weigh(&[(6, Kind::CloseDispute), (6, Kind::SeeDispute), (1, Kind::OpenBets)]);
        }
        // Now and then somebody closes before the last Round: a house does whose rules were withdrawn.
        let early = state.last_to_play().is_some() && self.dice.chance(25);
        if early || state.closing.is_some_and(|last| state.rounds >= last) {
            return self.closing();
        }
        let some = |of: fn(&Account) -> bool| state.accounts.values().any(of);
        if some(|account| account.owed > Money::ZERO) && self.dice.chance(30) {
            return Kind::Collect;
        }
        if some(|account| account.unclaimed > 0) && self.dice.chance(25) {
            return Kind::PayUnclaimed;
        }
        if !chips && some(|account| account.away) && self.dice.chance(25) {
            return Kind::KeepUnclaimed;
        }
        if state.retired.iter().any(|shoe| shoe.commitment.is_some()) && self.dice.chance(60) {
            return Kind::RevealShoe;
        }
        if chips && state.float.is_none() {
            return Kind::OpenFloat;
        }
        let Some(shoe) = &state.shoe else {
            return self.dice.weigh(&[
                (12, Kind::LoadShoe),
                (1, Kind::ReconcileShoe),
                (1, Kind::ChangeSettings),
            ]);
        };
        let left = shoe.left() + state.carried.len() as u16;
        if shoe.must_exchange.is_some() || !shoe.shuffled || shoe.cut_card_out || left < 4 {
            return self.dice.weigh(&[(6, Kind::ExchangeShoe), (2, Kind::RetireShoe), (1, Kind::OpenBets)]);
        }
        if shoe.burnt == 0 && shoe.drawn == 0 && law.burn(None) > 0 {
            return self.dice.weigh(&[
                (12, Kind::BurnCards),
                (1, Kind::CutCards),
                (1, Kind::InspectCards),
                (1, Kind::OpenBets),
            ]);
        }
        if !state.carried.is_empty() && !state.carried_ruled && law.decides(&state.carried) {
            return self.dice.weigh(&[(6, Kind::RuleCarriedCards), (1, Kind::OpenBets)]);
        }
        let poor = state.accounts.values().filter(|account| account.credits > Money::ZERO).count() < 4;
        if !chips && poor && self.dice.chance(60) {
            return self.dice.pick(&[Kind::BuyCredits, Kind::BuyCredits, Kind::RedeemTicket]);
        }
        self.dice.weigh(&[(90, Kind::OpenBets), (6, Kind::Report), (1, Kind::AnnounceClosing)])
    }

    /// Closing time: credits out, float counted, shoe away.
    fn closing(&mut self) -> Kind {
        let state = self.table.state();
        if self.dice.chance(5) {
            return Kind::OpenBets;
        }
        let credits = state.accounts.values().any(|account| account.credits > Money::ZERO);
        if !credits && !state.cases.is_empty() {
            return Kind::SettleCase;
        }
        if !credits && !state.acceptors.is_empty() {
            return Kind::EmptyAcceptor;
        }
        match (credits, state.float.is_some(), state.shoe.is_some()) {
            (true, _, _) => Kind::CashOut,
            (false, true, _) => Kind::CloseFloat,
            (false, false, true) => Kind::RetireShoe,
            (false, false, false) => Kind::CloseTable,
        }
    }

    /// What goes on beside play.
    fn beside(&mut self, chips: bool) -> Kind {
        self.dice.weigh(&[
            (10, Kind::Report),
            (8, Kind::Rule),
            (3, Kind::Collect),
            (3, Kind::KeepUnclaimed),
            (if chips { 0 } else { 6 }, Kind::AcceptNote),
            (if chips { 0 } else { 3 }, Kind::ReportCase),
            (if chips { 0 } else { 3 }, Kind::SettleCase),
            (if chips { 0 } else { 2 }, Kind::EmptyAcceptor),
            (if chips { 0 } else { 2 }, Kind::CountAcceptor),
            (1, Kind::ExtendHold),
            (1, Kind::ReviewSetAside),
            (3, Kind::PayUnclaimed),
            (if chips { 5 } else { 0 }, Kind::RecordPush),
            (4, Kind::HoldPayout),
            (6, Kind::DecideHeld),
            (if chips { 6 } else { 0 }, Kind::AmendWager),
            (if chips { 6 } else { 0 }, Kind::Fill),
            (if chips { 1 } else { 0 }, Kind::CoverFloat),
            (if chips { 4 } else { 0 }, Kind::Credit),
            (if chips { 4 } else { 0 }, Kind::Drop),
            (if chips { 1 } else { 0 }, Kind::CloseFloat),
            (if chips { 0 } else { 14 }, Kind::CashOut),
            (if chips { 0 } else { 14 }, Kind::RedeemTicket),
            (1, Kind::RetireShoe),
            (3, Kind::ReconcileShoe),
            (4, Kind::RevealShoe),
            (1, Kind::ExchangeShoe),
            (2, Kind::DrawCard),
            (2, Kind::LoadShoe),
            (2, Kind::CutCards),
            (2, Kind::InspectCards),
            (2, Kind::OpenDispute),
            (2, Kind::BundleDispute),
            (3, Kind::SeeDispute),
            (2, Kind::CloseDispute),
            (2, Kind::TakePost),
            (2, Kind::LeavePost),
            (1, Kind::StartShift),
            (8, Kind::TakeSeat),
            (2, Kind::LeaveSeat),
            (2, Kind::LoseTerminal),
            (2, Kind::RestoreTerminal),
            (1, Kind::ChangeSettings),
            (4, Kind::ChangeLimits),
            (1, Kind::AnnounceClosing),
            (2, Kind::CloseTable),
            (1, Kind::OpenTable),
        ])
    }
}
