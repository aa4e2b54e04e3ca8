//! The law of one table: its rule book compiled, with the settings that are in force.

use std::collections::BTreeMap;

use punto_record::{CardDevice, Cards, EstablishedBy, Faces, LimitsMode, MoneyKind, ResultBy, Settings};
use punto_rules::rulebook::{Mode, RulebookFaults};
use punto_rules::{
    BetNo, Burn, Card, Cite, Deal, Established, Irregularity, IrregularityKind, Layout, LimitsAsked,
    LimitsModel, Money, Pays, Range, Remedy, Rulebook, Terms, established, reconstruct,
};

use crate::shoe::ShoeInUse;

/// Decks have 52 cards (2.2.1).
const DECK: u16 = Card::KINDS as u16;
/// Boxes where the layout's picture is lost (interpretation 5).
const BOXES_BY_DEFAULT: u8 = 7;

/// How long patrons may have to choose.
const CHOICE_SECONDS: std::ops::RangeInclusive<u16> = 20..=180;
/// How long a Round may have to wait until somebody has seen a dispute.
const DISPUTE_SECONDS: std::ops::RangeInclusive<u16> = 60..=600;

/// How long other limits are announced before they apply: a Round at the least, an hour at the most.
const NOTICE_SECONDS: std::ops::RangeInclusive<u16> = 60..=3600;

/// A rule book with the terms in force at one table.
#[derive(Debug)]
pub struct Law {
    /// The rule book.
    pub rulebook: Rulebook,
    /// Bets and limits in force.
    pub terms: Terms,
    /// The settings, with nothing left open.
    pub settings: Settings,
    /// The most that a bet pays for one unit of stake, stake included.
    most_paid: u64,
}

impl Law {
    /// Checks settings against a rule book's text and fills in what they leave to the rule book.
    ///
    /// # Errors
    /// The first thing that is wrong, in words.
    pub fn new(settings: &Settings, text: &str) -> Result<Law, String> {
        Law::under(settings, Rulebook::parse(text))
    }

    /// The same for what is in the record.
    pub(crate) fn recorded(settings: &Settings, text: &str) -> Result<Law, String> {
        Law::under(settings, Rulebook::recorded(text))
    }

    fn under(settings: &Settings, rulebook: Result<Rulebook, RulebookFaults>) -> Result<Law, String> {
        let rulebook = rulebook.map_err(|faults| match faults.0.len() {
            0 | 1 => "the rule book has a fault".to_owned(),
            count => format!("the rule book has {count} faults"),
        })?;
        if rulebook.game != settings.game {
            return Err(format!("the rule book is that of `{}`, not of `{}`", rulebook.game, settings.game));
        }
        let mut settings = settings.clone();
        let terms = terms(&rulebook, &mut settings)?;
        check(&rulebook, &terms, &mut settings)?;
        let most_paid = terms.bets().iter().map(|bet| {
            let odds = bet.most_gross;
            u64::from(odds.pays()).div_ceil(u64::from(odds.per())) + 1
        });
        let most_paid = most_paid.max().expect("a layout offers bets");
        Ok(Law { rulebook, terms, settings, most_paid })
    }

    /// What the rule book says about a kind; where it says nothing, what it says about uncovered matters.
    pub fn irregularity(&self, kind: IrregularityKind) -> Option<&Irregularity> {
        self.rulebook.irregularity(kind).or_else(|| self.rulebook.irregularity(IrregularityKind::Uncovered))
    }

    /// The paragraphs for a kind.
    pub fn cite(&self, kind: IrregularityKind) -> Option<&Cite> {
        self.rulebook.irregularity(kind).map(|irregularity| &irregularity.cite)
    }

    /// The paragraphs for a kind that is noticed in time, or not.
    pub fn cite_in_time(&self, kind: IrregularityKind, in_time: bool) -> Option<Cite> {
        let told = (kind == IrregularityKind::WrongResult).then(|| self.rulebook.wrong_result_cite(in_time));
        told.flatten().or_else(|| self.cite(kind).cloned())
    }

    /// The paragraph by which an earlier Round stands whatever is found, where the rule book has one (5.6).
    pub fn earlier_rounds_stand(&self) -> Option<&Cite> {
        let late = self.rulebook.irregularity(IrregularityKind::LateDiscovery);
        late.filter(|it| it.remedy == Remedy::Stand).map(|it| &it.cite)
    }

    /// The paragraph for matters that the rules do not cover; a rule book without one lends that of its limits.
    pub fn uncovered(&self) -> Cite {
        self.cite(IrregularityKind::Uncovered).unwrap_or(&self.rulebook.limits.cite).clone()
    }

    /// Whether the game is played on terminals.
    pub fn is_electronic(&self) -> bool {
        self.rulebook.mode == Mode::Electronic
    }

    /// Whether the time for choices ends by the clock.
    // INTERPRETATION 34: where the Dealer records what patrons choose, the clock only prompts.
    pub fn clock_ends_choices(&self) -> bool {
        self.settings.money == MoneyKind::Credits
    }

    /// These settings, if they can be in force with the limits that they ask for.
    ///
    /// # Errors
    /// What is wrong with the limits, in words.
    pub fn with_limits(&self, asked: &Settings) -> Result<Settings, String> {
        let mut settings = asked.clone();
        terms(&self.rulebook, &mut settings)?;
        Ok(settings)
    }

    /// What is asked of a table that opens now. One that was opened before keeps its settings.
    ///
    /// # Errors
    /// The first thing that is wrong, in words.
    // INTERPRETATION 34: patrons have 20 to 180 seconds to choose.
    // INTERPRETATION 48: nobody is surprised by other limits.
    pub fn is_current(&self) -> Result<(), String> {
        if !CHOICE_SECONDS.contains(&self.settings.choice_seconds) {
            let (least, most) = (CHOICE_SECONDS.start(), CHOICE_SECONDS.end());
            return Err(format!("patrons choose for {least} to {most} seconds"));
        }
        if !NOTICE_SECONDS.contains(&self.settings.limits_notice_seconds) {
            let (least, most) = (NOTICE_SECONDS.start(), NOTICE_SECONDS.end());
            return Err(format!("other limits are announced {least} to {most} seconds ahead"));
        }
        // INTERPRETATION 43: bounded, so that neither a patron stops a table nor a table runs over a patron.
        if !DISPUTE_SECONDS.contains(&self.settings.dispute_seconds) {
            let (least, most) = (DISPUTE_SECONDS.start(), DISPUTE_SECONDS.end());
            return Err(format!(
                "a dispute keeps the next Round waiting for {least} to {most} seconds at most"
            ));
        }
        Ok(())
    }

    /// Whether copies of a card are counted within a Round only.
    // INTERPRETATION 7: a continuous shuffler has no depth and no cut card.
    pub fn is_continuous(&self) -> bool {
        self.settings.device == CardDevice::ContinuousShuffler
    }

    /// Cards in a full set.
    pub fn set_size(&self) -> u16 {
        u16::from(self.settings.decks) * DECK
    }

    /// How many cards are burnt when the first one burnt is this.
    pub fn burn(&self, shown: Option<Card>) -> u16 {
        match (self.settings.burn, shown.map(|card| card.rank.value())) {
            (Burn::Fixed(count), _) => count,
            (Burn::ByFirstCard, None) => 1,
            (Burn::ByFirstCard, Some(0)) => 11,
            (Burn::ByFirstCard, Some(value)) => 1 + u16::from(value),
        }
    }

    /// Whether cards are still to be burnt before the first Round of a shoe.
    pub fn burn_due(&self, shoe: &ShoeInUse) -> bool {
        shoe.burnt == 0 && shoe.drawn == 0 && self.burn(None) > 0
    }

    /// Whether these cards, in this order, establish an outcome, and by which bets.
    // INTERPRETATION 20: by every bet offered, or only by those placed.
    pub fn established(&self, cards: &[Card], placed: impl Iterator<Item = BetNo>) -> Vec<BetNo> {
        let (deal, _): (Deal, _) = reconstruct(cards);
        let so_far: Established = established(&self.terms, &deal);
        let decided = so_far.decided().map(|(bet, _)| bet);
        match self.settings.established_by {
            EstablishedBy::Offered => decided.collect(),
            EstablishedBy::Placed => {
                let placed: Vec<BetNo> = placed.collect();
                decided.filter(|bet| placed.contains(bet)).collect()
            }
        }
    }

    /// Whether these cards decide a bet of the layout, whoever may have placed it.
    pub fn decides(&self, cards: &[Card]) -> bool {
        established(&self.terms, &reconstruct(cards).0).is_established()
    }

    /// Whether a payout of everything that stands in a Round still fits on top of these credits.
    pub fn holds(&self, standing: Money, credits: Money) -> bool {
        let paid = u128::from(standing.get()) * u128::from(self.most_paid);
        paid + u128::from(credits.get()) <= u128::from(Money::MAX.get())
    }

    /// The most that may still be staked in a Round in which so much stands, by somebody who has these credits, so
    /// that every payout is sure to fit money.
    pub fn room(&self, standing: Money, credits: Money) -> Money {
        let most = Money::MAX.less(credits).get() / self.most_paid;
        let unit = self.terms.unit().get();
        Money::new(most.saturating_sub(standing.get()) / unit * unit).expect("a share of the most")
    }
}

/// The smallest chip unit with which every payout of a layout is a sum of these chips; none where it has no such unit.
// INTERPRETATION 51: every chip is a whole number of the smallest, so what that one divides can be paid.
fn payable_unit(layout: &Layout, denominations: &[Money]) -> Result<Money, String> {
    let smallest = denominations.iter().min().copied().filter(|it| !it.is_zero());
    let smallest = smallest.ok_or("a chip of the float is worth nothing")?;
    if let Some(odd) = denominations.iter().find(|it| !it.is_whole(smallest)) {
        return Err(format!("a chip of {odd} is no whole number of the smallest in the float, {smallest}"));
    }
    let exact = layout.exact_unit();
    let won = layout.bets.iter().flat_map(|bet| &bet.rows).filter_map(|row| match row.pays {
        Pays::Won { odds, .. } => odds.on(exact),
        Pays::Returned => None,
    });
    // As many exact units as make each of these amounts a multiple of the smallest chip.
    let times = won.chain([exact]).try_fold(1_u64, |times, amount| {
        let needed = smallest.get() / gcd(smallest.get(), amount.get());
        times.checked_mul(needed / gcd(times, needed))
    });
    let unit = times.and_then(|times| exact.get().checked_mul(times)).and_then(Money::new);
    unit.ok_or_else(|| "no chip unit can be paid with these chips".to_owned())
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn terms(rulebook: &Rulebook, settings: &mut Settings) -> Result<Terms, String> {
    let layout = rulebook.layout(&settings.layout);
    if let (Some(layout), false) = (layout, settings.denominations.is_empty()) {
        if settings.money != MoneyKind::Chips {
            return Err("only a table with chips has a float of them".to_owned());
        }
        let smallest = payable_unit(layout, &settings.denominations)?;
        let unit = *settings.unit.get_or_insert(smallest);
        if unit.is_zero() || !unit.is_whole(smallest) {
            return Err(format!(
                "a chip unit of {unit} cannot pay every bet with the chips of the float; it must be {smallest} or a multiple of it"
            ));
        }
    }
    let per_bet = rulebook.limits.model == LimitsModel::PerBet;
    for bet in layout.map_or(&[][..], |layout| &layout.bets) {
        if (per_bet || bet.original.is_none())
            && !settings.bets.contains_key(&bet.id)
            && let Some(range) = settings.other_bets
        {
            settings.bets.insert(bet.id.clone(), range);
        }
    }
    let bets: BTreeMap<String, Range> =
        settings.bets.iter().map(|(bet, range)| (bet.to_string(), *range)).collect();
    let asked = LimitsAsked { unit: settings.unit, betting_box: settings.betting_box, bets };
    let terms =
        rulebook.terms(&settings.layout, settings.decks, &asked).map_err(|error| error.to_string())?;
    settings.unit = Some(terms.unit());
    settings.other_bets = None;
    if !per_bet && terms.box_limits().is_none() {
        return Err(format!(
            "a minimum and a Differential are needed, as displayed at the table ({})",
            rulebook.limits.cite
        ));
    }
    for bet in terms.bets() {
        let needs_range = per_bet || bet.original.is_none();
        let no = terms.bet_no(bet.id.as_str()).expect("a bet of the layout");
        if needs_range && terms.range(no).is_none() {
            return Err(format!("`{}` needs a minimum and a maximum ({})", bet.id, rulebook.limits.cite));
        }
    }
    Ok(terms)
}

fn check(rulebook: &Rulebook, terms: &Terms, settings: &mut Settings) -> Result<(), String> {
    let refuse = |why: &str| Err(why.to_owned());
    if settings.table.as_str().is_empty() || settings.table.as_str().len() > 40 {
        return refuse("a table has a name of 1 to 40 letters");
    }
    if settings.pit.as_str().trim().is_empty() || settings.pit.as_str().len() > 40 {
        return refuse("a pit has a name of 1 to 40 letters");
    }
    let electronic = rulebook.mode == Mode::Electronic;
    settings.boxes = if electronic {
        if settings.boxes.is_some() {
            return refuse("the electronic game has no betting boxes");
        }
        None
    } else {
        let most = terms.layout().most_boxes();
        let boxes = settings.boxes.unwrap_or(terms.layout().boxes.unwrap_or(BOXES_BY_DEFAULT));
        if !(1..=most).contains(&boxes) {
            return Err(format!("layout {} has 1 to {most} betting boxes", settings.layout));
        }
        Some(boxes)
    };
    // INTERPRETATION 12: the electronic game always enforces; observing is for chips on a felt.
    if electronic && settings.limits != LimitsMode::Enforced {
        return refuse("the electronic game enforces its limits");
    }
    if electronic && settings.money != MoneyKind::Credits {
        return refuse("the electronic game is played with credits");
    }
    if electronic && settings.faces != Faces::Up {
        return refuse("the electronic game has no squeeze; its cards are dealt face up");
    }
    if settings.limits == LimitsMode::Observed && settings.money != MoneyKind::Chips {
        return refuse("only chips on a felt can be observed; credits are enforced");
    }
    // INTERPRETATION 19: confirmed with real cards, automatic with a software shoe, unless the table says otherwise.
    settings.result.get_or_insert(match settings.cards {
        Cards::Real => ResultBy::Confirmed,
        Cards::Software => ResultBy::Automatic,
    });
    let burn = match settings.burn {
        Burn::Fixed(count) => count,
        Burn::ByFirstCard => 11,
    };
    if settings.device == CardDevice::ContinuousShuffler && (burn > 0 || settings.cut_card > 0) {
        return refuse("a continuous shuffler has no burn and no cut card");
    }
    if settings.device == CardDevice::ContinuousShuffler && settings.cards == Cards::Software {
        return refuse(
            "software cards come from a shoe whose order it is committed to, not from a continuous shuffler",
        );
    }
    if u32::from(burn) + u32::from(settings.cut_card) + 6 > u32::from(settings.decks) * u32::from(DECK) {
        return refuse("burn and cut card leave no cards for a Round");
    }
    for (what, seconds) in
        [("bets are open", settings.betting_seconds), ("patrons choose", settings.choice_seconds)]
    {
        if !(1..=3600).contains(&seconds) {
            return Err(format!("{what} for 1 to 3600 seconds"));
        }
    }
    if !settings.currency.is_fit() {
        return refuse("a currency is three capital letters, such as SGD");
    }
    let clock: Option<(u8, u8)> = settings.gaming_day.split_once(':').and_then(|(hour, minute)| {
        (hour.len() == 2 && minute.len() == 2).then_some((hour.parse().ok()?, minute.parse().ok()?))
    });
    if !clock.is_some_and(|(hour, minute)| hour < 24 && minute < 60) {
        return refuse("a gaming day begins at a time such as 06:00");
    }
    let is_zone = |letter: u8| letter.is_ascii_alphanumeric() || b"/_+-".contains(&letter);
    if settings.time_zone.is_empty() || !settings.time_zone.bytes().all(is_zone) {
        return refuse("a time zone is named such as Asia/Singapore");
    }
    // INTERPRETATION 45: a setting, within bounds.
    if !(10..=1440).contains(&settings.abandoned_minutes) {
        return refuse("credits are abandoned after 10 to 1440 minutes without a bet");
    }
    if !(1..=3650).contains(&settings.ticket_days) {
        return refuse("a ticket lives for 1 to 3650 days");
    }
    Ok(())
}
