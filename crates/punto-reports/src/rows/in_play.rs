//! A Round from its opening until it can no longer be put right: what its rows are made of.

use std::collections::BTreeMap;

use punto_record::{
    BoxNo, Event, Part, RoundNo, RoundResult, Seen, SettledLine, ShoeNo, Source, Timestamp, VerdictWord,
};
use punto_rules::{BetId, IrregularityKind, PatronNo, Side, Stance, Winner};

use super::row::{CardRow, RoundRow, Row, SettlementRow, WagerRow};
use crate::movement::{Movement, Spot, Step, minor};

/// What is known of a table while its Round is written down.
pub(super) struct Where<'a> {
    pub(super) table: &'a str,
    pub(super) currency: &'a str,
    pub(super) day: String,
    pub(super) at: Timestamp,
}

#[derive(Clone, Debug)]
struct Placed {
    at: Timestamp,
    stance: Option<Stance>,
    placed_by: Option<String>,
    stake: i128,
    playing: Option<i128>,
    taken_back: i128,
}

impl Placed {
    /// Some of it, or all, goes back by a choice; what is left plays as far as it was to play.
    fn take_back(&mut self, amount: i128) {
        self.taken_back += amount;
        self.stake -= amount;
        self.playing = self.playing.map(|playing| playing.min(self.stake));
    }
}

#[derive(Clone, Debug)]
struct Dealt {
    seen: Seen,
    side: Option<Side>,
    source: &'static str,
    covered: bool,
    at: Timestamp,
}

#[derive(Clone, Debug)]
pub(super) struct InPlay {
    round: RoundNo,
    shoe: ShoeNo,
    opened_at: Timestamp,
    ended: Option<(Timestamp, String)>,
    status: &'static str,
    reason: Option<IrregularityKind>,
    result: Option<RoundResult>,
    house: i128,
    wagers: BTreeMap<(PatronNo, Option<BoxNo>, BetId), Placed>,
    cards: Vec<Dealt>,
    settlements: Vec<SettlementRow>,
    /// How many of the settlements at the end are those that count.
    lines: usize,
}

impl InPlay {
    pub(super) const fn new(round: RoundNo, shoe: ShoeNo, opened_at: Timestamp) -> InPlay {
        InPlay {
            round,
            shoe,
            opened_at,
            ended: None,
            status: "open",
            reason: None,
            result: None,
            house: 0,
            wagers: BTreeMap::new(),
            cards: Vec::new(),
            settlements: Vec::new(),
            lines: 0,
        }
    }

    pub(super) fn take(&mut self, place: &Where<'_>, event: &Event) {
        self.draw(place, event);
        match Movement::of(event) {
            Movement::Stake { spot, step } => {
                let is = self.placed(place, spot, event);
                match step {
                    Step::More { stake, .. } | Step::Less { stake, .. } | Step::Is { stake } => {
                        is.stake = minor(stake);
                    }
                }
            }
            Movement::Amended { spot, stake, parts } => {
                self.placed(place, spot, event).stake = minor(stake);
                self.parts(spot.box_no, parts);
            }
            Movement::Parts { of_box, parts } => self.parts(of_box, parts),
            Movement::TakenBack { returns, .. } => {
                for it in returns {
                    let key = (it.patron, it.box_no, it.bet.clone());
                    if let Some(placed) = self.wagers.get_mut(&key) {
                        placed.take_back(minor(it.amount));
                    }
                }
            }
            Movement::Voided { .. } => {
                let is_settled = self.result.is_some();
                self.end(place, if is_settled { "undone" } else { "void" });
                self.house = 0;
                self.settlements.iter_mut().for_each(|it| it.status = "undone");
                if let Event::RoundVoided { kind, .. } = event {
                    self.reason = Some(*kind);
                }
            }
            Movement::Settled { result, lines, house, .. } => {
                self.settle(place, "settled", result, lines, house);
            }
            Movement::Corrected { result, lines, house, amended, .. } => {
                if let Some((spot, stake)) = amended {
                    self.placed(place, spot, event).stake = minor(stake);
                }
                self.settlements.iter_mut().for_each(|it| it.status = "superseded");
                self.settle(place, "corrected", result, lines, house);
            }
            Movement::Nothing
            | Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::Adjusted { .. }
            | Movement::Pushed { .. }
            | Movement::Bought { .. }
            | Movement::Redeemed { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::CashedOut { .. }
            | Movement::Collected { .. }
            | Movement::UnclaimedKept { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::HoldOrdered { .. }
            | Movement::PayoutHeld { .. }
            | Movement::HeldDecided { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::Dropped { .. } => {}
        }
    }

    fn placed(&mut self, place: &Where<'_>, spot: Spot<'_>, event: &Event) -> &mut Placed {
        let key = (spot.patron, spot.box_no, spot.bet.clone());
        let placed = self.wagers.entry(key).or_insert_with(|| Placed {
            at: place.at,
            stance: None,
            placed_by: None,
            stake: 0,
            playing: None,
            taken_back: 0,
        });
        if let Event::WagerRegistered { stance, placed_by, .. } = event {
            placed.stance = stance.or(placed.stance);
            placed.placed_by = placed_by.as_ref().map(ToString::to_string).or(placed.placed_by.take());
        }
        if let Event::ChipsRecorded { stance, .. }
        | Event::WagerAmended { stance, .. }
        | Event::RoundAmended { stance, .. } = event
        {
            placed.stance = Some(*stance);
        }
        placed
    }

    fn parts(&mut self, of_box: Option<BoxNo>, parts: &[Part]) {
        for ((_, box_no, _), placed) in &mut self.wagers {
            if of_box.is_none() || *box_no == of_box {
                placed.playing = None;
            }
        }
        for part in parts {
            let key = (part.patron, Some(part.box_no), part.bet.clone());
            if let Some(placed) = self.wagers.get_mut(&key) {
                placed.playing = Some(minor(part.playing));
            }
        }
    }

    fn draw(&mut self, place: &Where<'_>, event: &Event) {
        if let Event::CardDrawn { card, side, source, covered } = event {
            let source = match source {
                Source::Read => "read",
                Source::Keyed => "keyed",
                Source::Carried => "carried",
            };
            let (seen, side, covered, at) = (card.clone(), *side, *covered, place.at);
            self.cards.push(Dealt { seen, side, source, covered, at });
        } else if let (Event::CardRead { card }, Some(last)) = (event, self.cards.last_mut()) {
            last.seen = card.clone();
        } else if let Event::CardMisread { at, card } | Event::CardCorrected { at, card, .. } = event {
            if let Some(dealt) = usize::from(*at).checked_sub(1).and_then(|at| self.cards.get_mut(at)) {
                dealt.seen = Seen::Card(*card);
            }
        } else if let Event::CardsConfirmed { cards, .. } = event {
            let mut rest = cards.iter();
            self.cards.retain_mut(|dealt| {
                if let Seen::Foreign(_) = dealt.seen {
                    return true;
                }
                let card = rest.next();
                card.inspect(|card| dealt.seen = Seen::Card(**card)).is_some()
            });
            let at = place.at;
            self.cards.extend(rest.map(|card| Dealt {
                seen: Seen::Card(*card),
                side: None,
                source: "confirmed",
                covered: false,
                at,
            }));
        }
    }

    fn end(&mut self, place: &Where<'_>, status: &'static str) {
        self.ended = Some((place.at, place.day.clone()));
        self.status = status;
    }

    fn settle(
        &mut self,
        place: &Where<'_>,
        status: &'static str,
        result: &RoundResult,
        lines: &[SettledLine],
        house: i64,
    ) {
        self.end(place, status);
        self.result = Some(result.clone());
        self.house = house.into();
        self.lines = lines.len();
        for line in lines {
            self.settlements.push(SettlementRow {
                table: place.table.to_owned(),
                round: self.round.0,
                day: place.day.clone(),
                at: place.at.0,
                status,
                patron: line.patron.0,
                box_no: line.box_no.map(|it| it.0),
                bet: line.bet.to_string(),
                stake: minor(line.stake),
                playing: minor(line.playing),
                verdict: match line.verdict {
                    VerdictWord::Won => "won",
                    VerdictWord::Lost => "lost",
                    VerdictWord::Returned => "returned",
                },
                pays: line.pays.map(|odds| odds.to_string()),
                returned: minor(line.returned),
                winnings: minor(line.winnings),
                commission: minor(line.commission),
                to_patron: minor(line.to_patron),
                house: minor(line.stake) - minor(line.to_patron),
                cite: line.cite.as_ref().map(ToString::to_string),
                currency: place.currency.to_owned(),
            });
        }
    }

    /// The Round's rows, when nothing can change them any more.
    pub(super) fn finish(self, table: &str, currency: &str, out: &mut impl FnMut(Row)) {
        let InPlay { round, status, .. } = self;
        let counting = &self.settlements[self.settlements.len() - self.lines..];
        let wagered = counting.iter().map(|it| it.stake).sum();
        let (result, ended) = (self.result.as_ref(), self.ended.as_ref());
        out(Row::Round(RoundRow {
            table: table.to_owned(),
            round: round.0,
            shoe: self.shoe.0,
            day: ended.map_or_else(String::new, |(_, day)| day.clone()),
            opened_at: self.opened_at.0,
            ended_at: ended.map(|(at, _)| at.0),
            status,
            cards: result.map_or_else(|| self.drawn(), |it| punto_rules::notation::show(&it.cards)),
            winner: result.map(|it| match it.winner {
                Winner::Player => "player",
                Winner::Banker => "banker",
                Winner::Tie => "tie",
            }),
            player_points: result.map(|it| it.points.player),
            banker_points: result.map(|it| it.points.banker),
            natural: result.map(|it| it.natural),
            player_pair: result.map(|it| it.pairs.player),
            banker_pair: result.map(|it| it.pairs.banker),
            wagers: counting.len() as u64,
            wagered,
            house: self.house,
            reason: self.reason.map(IrregularityKind::id),
            currency: currency.to_owned(),
        }));
        for (at, dealt) in self.cards.iter().enumerate() {
            out(Row::Card(CardRow {
                table: table.to_owned(),
                round: round.0,
                position: at as u64 + 1,
                card: dealt.seen.to_string(),
                side: dealt.side.map(side),
                source: dealt.source,
                covered: dealt.covered,
                at: dealt.at.0,
                status,
            }));
        }
        for ((patron, box_no, bet), placed) in self.wagers {
            let row = |stake: i128, playing: i128, status: &'static str| {
                Row::Wager(WagerRow {
                    table: table.to_owned(),
                    round: round.0,
                    patron: patron.0,
                    box_no: box_no.map(|it| it.0),
                    bet: bet.to_string(),
                    stance: placed.stance.map(stance),
                    placed_at: placed.at.0,
                    placed_by: placed.placed_by.clone(),
                    stake,
                    playing,
                    status,
                    currency: currency.to_owned(),
                })
            };
            // What was taken back, and what stayed, are a row each.
            if placed.taken_back > 0 {
                out(row(placed.taken_back, placed.taken_back, "taken-back"));
            }
            if placed.stake > 0 || placed.taken_back == 0 {
                let status = if placed.stake == 0 { "withdrawn" } else { status };
                out(row(placed.stake, placed.playing.unwrap_or(placed.stake), status));
            }
        }
        self.settlements.into_iter().for_each(|it| out(Row::Settlement(it)));
    }

    fn drawn(&self) -> String {
        let cards: Vec<String> = self.cards.iter().map(|it| it.seen.to_string()).collect();
        cards.join(" ")
    }
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::Player => "player",
        Side::Banker => "banker",
    }
}

const fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Seated => "seated",
        Stance::Standing => "standing",
    }
}
