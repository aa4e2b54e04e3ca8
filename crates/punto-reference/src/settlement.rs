//! What a Round does to wagers, to the minor unit.

use std::collections::BTreeMap;

use crate::{Bet, Card, Decision, Layout, Limits, Refusal, Round, Side, Verdict, apportion};

/// The most minor units that money can hold.
// INTERPRETATION 8: whole minor units up to 2⁵³ − 1.
pub const MOST: u64 = (1 << 53) - 1;

/// A bet as placed by one patron in one box, raises included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wager<'a> {
    /// The plain name of the bet, without a variant.
    pub bet: &'a str,
    /// The betting box, at a table that has boxes.
    pub box_no: Option<u8>,
    /// What is staked, in minor units.
    pub stake: u64,
    /// How much of it plays, where that was fixed when bets closed; `None` to work it out from the limits.
    pub playing: Option<u64>,
}

impl<'a> Wager<'a> {
    /// A wager outside any box.
    pub const fn new(bet: &'a str, stake: u64) -> Wager<'a> {
        Wager { bet, box_no: None, stake, playing: None }
    }

    /// The same in a betting box.
    #[must_use]
    pub const fn in_box(self, no: u8) -> Wager<'a> {
        Wager { box_no: Some(no), ..self }
    }
}

/// What became of one wager. Amounts are minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// Won, lost or returned.
    pub verdict: Verdict,
    /// The paragraphs by which the bet won or is returned; `None` if it lost.
    pub cite: Option<&'b str>,
    /// What was staked.
    pub stake: u64,
    /// The part of the stake that was at risk.
    pub playing: u64,
    /// What comes back unplayed or, of a bet that is returned, the stake. The stake of a win is not counted here.
    pub returned: u64,
    /// What is paid on top of the stake, net of commission.
    pub winnings: u64,
    /// What the House kept of the gross winnings.
    pub commission: u64,
}

impl Line<'_> {
    /// Everything that the patron gets.
    pub const fn to_patron(&self) -> u64 {
        match self.verdict {
            Verdict::Won(_) => self.stake + self.winnings,
            Verdict::Lost | Verdict::Returned => self.returned,
        }
    }

    /// What the House takes; negative where it pays.
    pub fn house(&self) -> i128 {
        i128::from(self.stake) - i128::from(self.to_patron())
    }
}

/// The wagers on both sides of a box, by their places.
#[derive(Default)]
struct Sides {
    player: Vec<usize>,
    banker: Vec<usize>,
}

/// The settlement of a Round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<'b> {
    /// One line for each wager, in their order.
    pub lines: Vec<Line<'b>>,
    /// What the House takes in all; negative where it pays.
    pub house: i128,
}

impl Layout {
    /// Settles wagers by the cards of a Round.
    ///
    /// ```
    /// use punto_reference::{Book, BoxLimits, Limits, Wager, parse_cards};
    /// let book = Book::read(include_str!("../../../rulebooks/rws-baccarat-v2.toml")).unwrap();
    /// let betting_box = Some(BoxLimits { minimum: 1_000, differential: 10_000 });
    /// let limits = Limits { unit: Some(100), betting_box };
    /// let wagers = [Wager::new("player", 14_000).in_box(1), Wager::new("banker", 2_000).in_box(1)];
    /// let cards = parse_cards("9h Ks Kd Qc").unwrap();
    /// let settlement = book.layout("A").unwrap().settle(&limits, &wagers, &cards).unwrap();
    /// let [player, banker] = settlement.lines[..] else { panic!() };
    /// assert_eq!((player.playing, player.returned, player.winnings), (12_000, 2_000, 12_000));
    /// assert_eq!(banker.house(), 2_000);
    /// ```
    ///
    /// # Errors
    /// If the cards are not one Round, the limits cannot be in force, or a wager is none that can be paid exactly.
    pub fn settle(
        &self,
        limits: &Limits,
        wagers: &[Wager<'_>],
        cards: &[Card],
    ) -> Result<Settlement<'_>, Refusal> {
        let round = Round::of(cards).map_err(Refusal::Cards)?;
        let unit = self.unit(limits)?;
        let mut lines = Vec::with_capacity(wagers.len());
        for (wager, part) in wagers.iter().zip(self.playing(limits, wagers)?) {
            let playing = wager.playing.unwrap_or(part);
            if playing > wager.stake || playing % unit != 0 {
                return Err(Refusal::Playing { bet: wager.bet.to_owned(), playing });
            }
            lines.push(line(self.offered(wager)?, wager, playing, &round)?);
        }
        let house = lines.iter().map(Line::house).sum();
        Ok(Settlement { lines, house })
    }

    /// How much of each wager plays when bets close: all of it, but for boxes that stayed over the Differential.
    ///
    /// # Errors
    /// If the limits cannot be in force, or a wager is none that can be paid exactly.
    // INTERPRETATION 14: a bet below its minimum and a side bet above its maximum play as they lie.
    pub fn playing(&self, limits: &Limits, wagers: &[Wager<'_>]) -> Result<Vec<u64>, Refusal> {
        let unit = self.unit(limits)?;
        let mut boxes: BTreeMap<u8, Sides> = BTreeMap::new();
        for (no, wager) in wagers.iter().enumerate() {
            let Wager { stake, box_no, .. } = *wager;
            let bet = self.offered(wager)?;
            if stake == 0 || stake % unit != 0 {
                return Err(Refusal::Stake { bet: bet.id.clone(), stake });
            }
            if bet.rows.iter().any(|row| row.pay(stake).is_none()) {
                return Err(Refusal::TooMuch { bet: bet.id.clone(), stake });
            }
            if let (Some(side), Some(_)) = (bet.original, limits.betting_box) {
                let box_no = box_no.ok_or_else(|| Refusal::NoBox { bet: bet.id.clone() })?;
                let sides = boxes.entry(box_no).or_default();
                match side {
                    Side::Player => sides.player.push(no),
                    Side::Banker => sides.banker.push(no),
                }
            }
        }
        let mut playing: Vec<u64> = wagers.iter().map(|wager| wager.stake).collect();
        let Some(box_limits) = limits.betting_box.filter(|_| self.is_pro_rata) else { return Ok(playing) };
        for (box_no, sides) in boxes {
            let stakes = |side: &[usize]| side.iter().map(|no| wagers[*no].stake).collect::<Vec<u64>>();
            let total = |side: &[usize]| {
                let total = side.iter().try_fold(0, |sum: u64, no| sum.checked_add(wagers[*no].stake));
                total.filter(|total| *total <= MOST).ok_or(Refusal::Box(box_no))
            };
            let (on_player, on_banker) = (total(&sides.player)?, total(&sides.banker)?);
            let (heavier, lighter) =
                if on_player > on_banker { (sides.player, on_banker) } else { (sides.banker, on_player) };
            let parts =
                apportion(&stakes(&heavier), lighter, box_limits, unit).ok_or(Refusal::Box(box_no))?;
            for (no, part) in heavier.into_iter().zip(parts) {
                playing[no] = part;
            }
        }
        Ok(playing)
    }

    fn offered(&self, wager: &Wager<'_>) -> Result<&Bet, Refusal> {
        self.bet(wager.bet).ok_or_else(|| Refusal::UnknownBet(wager.bet.to_owned()))
    }
}

fn line<'b>(bet: &'b Bet, wager: &Wager<'_>, playing: u64, round: &Round) -> Result<Line<'b>, Refusal> {
    let Wager { stake, .. } = *wager;
    let Decision { verdict, row, cite } = bet.decide(round);
    let too_much = || Refusal::TooMuch { bet: bet.id.clone(), stake };
    let (winnings, commission) = row.map_or(Some((0, 0)), |row| row.pay(playing)).ok_or_else(too_much)?;
    let returned = if verdict == Verdict::Returned { stake } else { stake - playing };
    Ok(Line { verdict, cite, stake, playing, returned, winnings, commission })
}
