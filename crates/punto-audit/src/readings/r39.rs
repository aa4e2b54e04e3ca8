//! Interpretation 39: who is Seated is a matter of where they sit. One box a person; Seated there and nowhere else, with
//! any bet; and where the squeeze is a Seated Player's, all bets of that person count for it.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{BoxNo, Entry, Event};
use punto_rules::{BetId, Money, PatronNo, Side, Stance};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 39;
/// The games whose 3.9 speaks of Seated Players.
const OF_THE_SEATED: [&str; 2] = ["rws-baccarat", "da-hu-ying-xiong"];

/// Whose bet, where and on what.
type Place = (PatronNo, BoxNo, BetId);
/// How it was placed, on which side, and how much lies there.
type Lying = (Stance, Option<Side>, Money);

/// Who sits where, and what stands in the Round.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    seats: BTreeMap<BoxNo, PatronNo>,
    wagers: BTreeMap<Place, Lying>,
    /// Bets of the running Round that the first release called Seated on their own word.
    said: BTreeSet<(PatronNo, BoxNo)>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name neither seats anybody nor moves a stake.
    pub(super) fn entry(&mut self, past: &Past, entry: &Entry, out: &mut Findings) {
        for event in &entry.events {
            match event {
                Event::TableClosed {} => *self = Check::default(),
                Event::BetsOpened { .. } => {
                    self.wagers.clear();
                    self.said.clear();
                }
                Event::SeatTaken { patron, box_no } => {
                    let elsewhere = self.seats.values().any(|it| it == patron);
                    out.interpreted(NO, !elsewhere, "one person sits at two boxes");
                    let other = self.seats.insert(*box_no, *patron);
                    out.interpreted(NO, other.is_none(), "two people sit at one box");
                    out.interpreted(NO, !self.bets(*patron), "somebody sat down with a bet in the Round");
                }
                Event::SeatLeft { patron, box_no } => {
                    self.seats.remove(box_no);
                    out.interpreted(NO, !self.bets(*patron), "somebody got up with a bet in the Round");
                }
                Event::WagerRegistered {
                    patron,
                    box_no: Some(box_no),
                    stance: Some(stance),
                    bet,
                    side,
                    stake,
                    ..
                } => {
                    self.bet(entry, (*patron, *box_no, bet), *stance, out);
                    self.wagers.insert((*patron, *box_no, bet.clone()), (*stance, *side, *stake));
                }
                Event::ChipsRecorded { patron, box_no, stance, bet, side, stake }
                | Event::WagerAmended { patron, box_no, stance, bet, side, stake, .. } => {
                    self.bet(entry, (*patron, *box_no, bet), *stance, out);
                    self.wagers.insert((*patron, *box_no, bet.clone()), (*stance, *side, *stake));
                }
                Event::WagerWithdrawn { patron, box_no: Some(box_no), bet, stake, .. }
                | Event::WagerTrimmed { patron, box_no, bet, stake, .. }
                | Event::WagerReturned { patron, box_no, bet, stake, .. } => {
                    if let Some(it) = self.wagers.get_mut(&(*patron, *box_no, bet.clone())) {
                        it.2 = *stake;
                    }
                }
                Event::ChoiceMade { returns, .. } => {
                    for line in returns {
                        if let Some(box_no) = line.box_no {
                            self.wagers.remove(&(line.patron, box_no, line.bet.clone()));
                        }
                    }
                }
                Event::SqueezeAsked { patron, .. } => self.squeeze(past, *patron, out),
                _ => {}
            }
            self.wagers.retain(|_, (.., stake)| !stake.is_zero());
            if matches!(event, Event::RoundSettled { .. } | Event::RoundVoided { .. }) {
                self.wagers.clear();
                self.said.clear();
            }
        }
    }

    fn bets(&self, patron: PatronNo) -> bool {
        self.wagers.keys().any(|(it, ..)| *it == patron)
    }

    /// A bet is Seated at the box where the patron sits and nowhere else.
    fn bet(
        &mut self,
        entry: &Entry,
        (patron, box_no, _): (PatronNo, BoxNo, &BetId),
        stance: Stance,
        out: &mut Findings,
    ) {
        let elsewhere = self.wagers.iter().any(|((who, place, _), (it, ..))| {
            *who == patron && *place != box_no && (*it, stance) == (Stance::Seated, Stance::Seated)
        });
        let known = self.said.contains(&(patron, box_no));
        // A Round of the first release goes on as it began.
        if entry.release.is_first() && stance == Stance::Seated {
            self.said.insert((patron, box_no));
        }
        out.interpreted(NO, known || !elsewhere, "one patron is the Seated Player of two boxes");
        let sits = self.seats.get(&box_no) == Some(&patron);
        match stance {
            Stance::Seated => {
                let words = "a bet is Seated at a box where the patron does not sit";
                out.interpreted(NO, sits || known, words);
            }
            Stance::Standing => {
                let stood = self.wagers.iter().any(|((who, place, _), (it, ..))| {
                    (*who, *place, *it) == (patron, box_no, Stance::Standing)
                });
                out.interpreted(NO, !sits || stood, "a bet is Standing at the box where the patron sits");
            }
        }
    }

    /// Whoever asks has, among the Seated Players, the highest Player or Banker bet wherever it lies.
    fn squeeze(&self, past: &Past, patron: PatronNo, out: &mut Findings) {
        let game = past.settings.as_ref().map_or("", |settings| settings.game.as_str());
        if !OF_THE_SEATED.contains(&game) {
            return;
        }
        let seated = |who: PatronNo| {
            self.wagers.iter().any(|((it, ..), (stance, ..))| *it == who && *stance == Stance::Seated)
        };
        let highest = |who: PatronNo| {
            let own = self.wagers.iter().filter(|((it, ..), (_, side, _))| *it == who && side.is_some());
            own.map(|(_, (.., stake))| *stake).max().unwrap_or(Money::ZERO)
        };
        out.interpreted(NO, seated(patron), "a squeeze was asked for by somebody who is Seated nowhere");
        let others = self.wagers.keys().map(|(it, ..)| *it).filter(|it| seated(*it));
        let most = others.map(highest).max().unwrap_or(Money::ZERO);
        let words = "a squeeze was asked for below the highest bet of the Seated Players";
        out.interpreted(NO, highest(patron) >= most, words);
    }
}
