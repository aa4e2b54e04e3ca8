//! One line: read, check, settle.

use punto_rules::rulebook::Mode;
use punto_rules::{
    Cite, Line, Money, Outcome, Settlement, Step, Terms, Wager, fix_playing, notation, reconstruct, settle,
};

use super::input::{RoundIn, WagerIn};
use super::terms_cache::{InForce, TermsCache};
use crate::deal::check_copies;

/// A settled Round, with what it was made from.
pub(super) struct Settled<'s> {
    pub(super) round: &'s RoundIn<'s>,
    pub(super) in_force: &'s InForce,
    pub(super) outcome: &'s Outcome,
    pub(super) settlement: &'s Settlement<'s>,
    /// The House's total as a plain number.
    pub(super) house: i64,
}

impl<'s> Settled<'s> {
    /// The lines of the settlement beside the wagers they are about.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&Line<'s>, &WagerIn<'s>)> {
        self.settlement.lines.iter().zip(&self.round.wagers)
    }

    /// The paragraph of pro rata, where it left a part of the stake unplayed.
    pub(super) fn pro_rata(&self, line: &Line<'_>) -> Option<&Cite> {
        self.in_force.pro_rata.as_ref().filter(|_| line.wager.playing < line.wager.stake)
    }
}

/// Why a line has no settlement.
pub(super) enum LineError {
    /// The line is bad; this is what is wrong with it.
    Bad(String),
    /// Its settlement could not be written, and neither can those after it.
    Write(anyhow::Error),
}

impl From<String> for LineError {
    fn from(error: String) -> LineError {
        LineError::Bad(error)
    }
}

/// Settles a line and hands it to `write`.
pub(super) fn settle_line(
    line: &[u8],
    cache: &mut TermsCache,
    write: impl FnOnce(&Settled<'_>) -> anyhow::Result<()>,
) -> Result<(), LineError> {
    // Text is checked once as a whole, which is far quicker than string by string.
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("malformed JSON: not UTF-8 text (column {})", error.valid_up_to() + 1))?;
    let round: RoundIn<'_> = serde_json::from_str(text).map_err(|_| malformed(text))?;
    let in_force = cache.get(&round.game, &round.layout, round.limits)?;
    let outcome = outcome(&round, in_force)?;
    let mut wagers = Vec::with_capacity(round.wagers.len());
    for (index, wager) in round.wagers.iter().enumerate() {
        let wager = check_wager(wager, in_force).map_err(|error| format!("wager {}: {error}", index + 1))?;
        wagers.push(wager);
    }
    if round.limits.is_some() && in_force.pro_rata.is_some() {
        share_out(&round, &mut wagers, &in_force.terms)?;
    }
    let settlement = settle(&in_force.terms, &wagers, &outcome);
    let most = i128::from(Money::MAX.get());
    if settlement.house.abs() > most {
        let message = format!("the House's total is more than money can hold (at most {most} minor units)");
        return Err(message.into());
    }
    let house = settlement.house as i64;
    let settled = Settled { round: &round, in_force, outcome: &outcome, settlement: &settlement, house };
    write(&settled).map_err(LineError::Write)
}

/// What is wrong with a line that cannot be read, and where: read once more, now keeping track of the place.
fn malformed(line: &str) -> String {
    let mut json = serde_json::Deserializer::from_str(line);
    let error = match serde_path_to_error::deserialize::<_, RoundIn<'_>>(&mut json) {
        Ok(_) => match json.end() {
            Ok(()) => unreachable!("the same bytes could not be read before"),
            Err(error) => return format!("malformed JSON: {}", without_line(&error)),
        },
        Err(error) => error,
    };
    let what = without_line(error.inner());
    if !error.inner().is_data() {
        return format!("malformed JSON: {what}");
    }
    match error.path().to_string().as_str() {
        "." => what,
        path => format!("{path}: {what}"),
    }
}

/// What serde says, less its "line 1", which is not the line that the reader of the error counts.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let mut what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_string();
    // In the words of people who write JSON, not of those who write Rust.
    let words = [
        ("unknown variant", "unknown word"),
        ("unknown field", "unknown key"),
        ("missing field", "missing key"),
    ];
    for (programmers, ours) in
        words.into_iter().chain([("a sequence", "a list"), ("struct RoundIn", "a Round")])
    {
        what = what.replace(programmers, ours);
    }
    format!("{what} (column {})", error.column())
}

fn outcome(round: &RoundIn<'_>, in_force: &InForce) -> Result<Outcome, String> {
    check_copies(&round.cards, in_force.terms.decks()).map_err(|problem| problem.message)?;
    let (deal, surplus) = reconstruct(&round.cards);
    match deal.step() {
        Step::Draw(side) => {
            Err(format!("cards: the Round is incomplete; the next card goes to {}", side.name()))
        }
        Step::Complete(_) if !surplus.is_empty() => {
            let cards = notation::show(&surplus[..surplus.len().min(6)]);
            Err(format!("cards: the Round is complete after {} cards; left over: {cards}", deal.len()))
        }
        Step::Complete(outcome) => Ok(outcome),
    }
}

fn check_wager(wager: &WagerIn<'_>, in_force: &InForce) -> Result<Wager, String> {
    let layout = in_force.terms.layout();
    let bet = in_force.bet_no(&wager.bet).ok_or_else(|| in_force.not_offered(&wager.bet))?;
    let most = u64::from(layout.most_boxes());
    match (in_force.mode, wager.box_no, wager.stance) {
        (_, Some(box_no), _) if !(1..=most).contains(&box_no) => {
            return Err(format!("there is no box {box_no}; layout {} has boxes 1 to {most}", layout.id));
        }
        (Mode::Live, None, _) => return Err(format!("a wager on a live table names its box, 1 to {most}")),
        (Mode::Live, _, None) => {
            return Err("a wager on a live table names its stance, `seated` or `standing`".to_string());
        }
        (Mode::Live | Mode::Electronic, _, _) => {}
    }
    in_force.terms.check_stake(bet, wager.stake.0).map_err(|error| error.to_string())?;
    Ok(Wager::new(bet, wager.stake.0))
}

/// Pro rata in every box over the Differential (5.1.1).
fn share_out(round: &RoundIn<'_>, wagers: &mut [Wager], terms: &Terms) -> Result<(), String> {
    let mut total = Money::ZERO;
    for wager in wagers.iter() {
        total = total.plus(wager.stake).ok_or("the stakes add up to more than money can hold")?;
    }
    for box_no in 1..=u64::from(terms.layout().most_boxes()) {
        let of_box = wagers.iter_mut().zip(&round.wagers).filter(|(_, input)| input.box_no == Some(box_no));
        fix_playing(terms, of_box.map(|(wager, _)| wager));
    }
    Ok(())
}
