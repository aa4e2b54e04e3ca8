//! The rule book and the settings of a table as the record has them, read once for each opening.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use punto_record::{
    CardDevice, Cards, EstablishedBy, Faces, LimitsMode, MoneyKind, Report, ResultBy, Settings,
};
use punto_rules::rulebook::Mode;
use punto_rules::{
    BetId, BetNo, Burn, Card, Cite, Irregularity, IrregularityKind, Layout, LimitsAsked, LimitsModel, Money,
    Pays, Post, Range, Rulebook, Side, Terms, established, reconstruct,
};

/// Where the rule book names nobody and somebody must decide all the same (interpretation 24).
pub(crate) const BY_DEFAULT: Post = Post::PitSupervisor;
/// Boxes where the picture of the layout is lost (interpretation 5).
const BOXES: u8 = 7;

/// What is in force at a table.
#[derive(Debug)]
pub(crate) struct Law {
    pub(crate) rulebook: Arc<Rulebook>,
    pub(crate) terms: Terms,
    pub(crate) settings: Settings,
}

/// The unit whose every payout is a multiple of the smallest chip: as many exact units as that chip has to what it shares
/// with all of them.
fn payable(layout: &Layout, smallest: Money) -> Option<Money> {
    let exact = layout.exact_unit();
    let mut shared = smallest.get();
    let mut share = |amount: Money| {
        let (mut a, mut b) = (shared, amount.get());
        while b > 0 {
            (a, b) = (b, a % b);
        }
        shared = a;
    };
    share(exact);
    for row in layout.bets.iter().flat_map(|bet| &bet.rows) {
        if let Pays::Won { odds, .. } = row.pays {
            share(odds.on(exact)?);
        }
    }
    Money::new(exact.get().checked_mul(smallest.get() / shared)?)
}

/// What a rule book says about a matter, once it is known whether it was noticed in time.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'l> {
    pub(crate) kind: IrregularityKind,
    pub(crate) cite: &'l Cite,
    pub(crate) found: Option<&'l Irregularity>,
    /// Noticed in time: corrected by a Pit Supervisor, whoever decides late ones.
    pub(crate) in_time: bool,
    /// By a reading a Pit Supervisor or above decides, where the paragraph names nobody.
    pub(crate) read: bool,
}

static READING_31: LazyLock<Cite> = LazyLock::new(|| Cite::interpretation(31));

impl Law {
    /// Reads settings as an order asks for them, and completes them.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub(crate) fn new(rulebook: Arc<Rulebook>, asked: &Settings) -> Result<Law, String> {
        let mut settings = asked.clone();
        if settings.game != rulebook.game {
            return Err(format!("the rule book is that of `{}`", rulebook.game));
        }
        let layout = rulebook.layout(&settings.layout).ok_or("the game has no such layout")?;
        let electronic = rulebook.mode == Mode::Electronic;
        let per_bet = rulebook.limits.model == LimitsModel::PerBet;
        for bet in &layout.bets {
            let has_range = per_bet || bet.original.is_none();
            if let (true, Some(range)) = (has_range, settings.other_bets) {
                settings.bets.entry(bet.id.clone()).or_insert(range);
            }
            if has_range && !settings.bets.contains_key(&bet.id) {
                return Err(format!("`{}` has no minimum and maximum", bet.id));
            }
        }
        settings.other_bets = None;
        // INTERPRETATION 51: what is paid is a sum of the chips in the float.
        if let Some(smallest) = settings.denominations.iter().min().copied() {
            let whole = !smallest.is_zero() && settings.denominations.iter().all(|it| it.is_whole(smallest));
            if !whole || settings.money != MoneyKind::Chips {
                return Err("chips that no float can have".to_owned());
            }
            let payable = payable(layout, smallest).ok_or("chips that cannot pay this layout")?;
            let unit = *settings.unit.get_or_insert(payable);
            if !unit.is_whole(payable) {
                return Err(format!("a unit of {unit} cannot be paid with the chips of the float"));
            }
        }
        let bets: BTreeMap<String, Range> =
            settings.bets.iter().map(|(bet, range)| (bet.to_string(), *range)).collect();
        let limits = LimitsAsked { unit: settings.unit, betting_box: settings.betting_box, bets };
        let terms = rulebook.terms(&settings.layout, settings.decks, &limits).map_err(|it| it.to_string())?;
        settings.unit = Some(terms.unit());
        if !per_bet && settings.betting_box.is_none() {
            return Err("no minimum and no Differential".to_owned());
        }
        settings.boxes = match (electronic, settings.boxes) {
            (true, None) => None,
            (true, Some(_)) => return Err("the electronic game has no boxes".to_owned()),
            (false, asked) => {
                let boxes = asked.or(layout.boxes).unwrap_or(BOXES);
                if boxes == 0 || boxes > layout.most_boxes() {
                    return Err("more boxes than the layout has".to_owned());
                }
                Some(boxes)
            }
        };
        settings.result = settings.result.or(Some(match settings.cards {
            Cards::Real => ResultBy::Confirmed,
            Cards::Software => ResultBy::Automatic,
        }));
        is_possible(&settings, electronic)?;
        Ok(Law { rulebook, terms, settings })
    }

    pub(crate) fn is_electronic(&self) -> bool {
        self.rulebook.mode == Mode::Electronic
    }

    pub(crate) fn is_chips(&self) -> bool {
        self.settings.money == MoneyKind::Chips
    }

    pub(crate) fn is_enforced(&self) -> bool {
        self.settings.limits == LimitsMode::Enforced
    }

    pub(crate) fn is_continuous(&self) -> bool {
        self.settings.device == CardDevice::ContinuousShuffler
    }

    pub(crate) fn is_software(&self) -> bool {
        self.settings.cards == Cards::Software
    }

    pub(crate) fn is_face_down(&self) -> bool {
        self.settings.faces == Faces::Down
    }

    pub(crate) fn is_automatic(&self) -> bool {
        self.settings.result == Some(ResultBy::Automatic)
    }

    /// Cards of a full set.
    pub(crate) fn set_size(&self) -> u16 {
        u16::from(self.settings.decks) * Card::KINDS as u16
    }

    /// How many are burnt, by the card that is shown.
    pub(crate) fn burn(&self, shown: Option<Card>) -> u16 {
        match self.settings.burn {
            Burn::Fixed(count) => count,
            Burn::ByFirstCard => {
                1 + shown.map_or(0, |card| if card.rank.value() == 0 { 10 } else { card.rank.value().into() })
            }
        }
    }

    /// The paragraph of a kind, where the rule book has it.
    pub(crate) fn cite(&self, kind: IrregularityKind) -> Option<&Cite> {
        self.rulebook.irregularity(kind).map(|it| &it.cite)
    }

    /// The paragraph for what the rules do not cover.
    pub(crate) fn uncovered(&self) -> &Cite {
        self.cite(IrregularityKind::Uncovered).unwrap_or(&self.rulebook.limits.cite)
    }

    pub(crate) fn cite_or_uncovered(&self, kind: IrregularityKind) -> &Cite {
        self.cite(kind).unwrap_or(self.uncovered())
    }

    /// The paragraphs for a kind that was noticed in time, or not (interpretation 40).
    pub(crate) fn cite_in_time(&self, kind: IrregularityKind, in_time: bool) -> Cite {
        let told = (kind == IrregularityKind::WrongResult).then(|| self.rulebook.wrong_result_cite(in_time));
        told.flatten().unwrap_or_else(|| self.cite_or_uncovered(kind).clone())
    }

    /// What is said about a report: by a reading, or by the rule book about its kind. A matter keeps the kind under which
    /// it was opened, whatever is played at the table since.
    pub(crate) fn clause_of(&self, report: &Report, kind: IrregularityKind, holds: bool) -> Clause<'_> {
        // INTERPRETATION 31: which cards are out is ruled before 5.4 (electronic 5.1) is applied.
        if let Report::CardsInDispute { .. } = report {
            return Clause {
                kind: report.kind(),
                cite: &READING_31,
                found: None,
                in_time: false,
                read: true,
            };
        }
        if let (true, Report::BetPlacedInError { through: Some(_), .. }) = (self.is_electronic(), report) {
            let found = self.rulebook.irregularity(IrregularityKind::Uncovered);
            let (kind, in_time, read) = (report.kind(), false, true);
            return Clause { kind, cite: self.uncovered(), found, in_time, read };
        }
        // INTERPRETATION 38: what a device holds is seen by a Pit Supervisor.
        let read = matches!(report, Report::ShoeExhausted { left: Some(_) });
        Clause { read, ..self.clause(kind, holds) }
    }

    /// What the rule book says about a kind; what it does not name is uncovered.
    pub(crate) fn clause(&self, kind: IrregularityKind, holds: bool) -> Clause<'_> {
        let uncovered = || self.rulebook.irregularity(IrregularityKind::Uncovered);
        let found = self.rulebook.irregularity(kind).or_else(uncovered);
        Clause {
            kind: found.map_or(IrregularityKind::Uncovered, |it| it.kind),
            cite: found.map_or(self.uncovered(), |it| &it.cite),
            found,
            in_time: holds && found.is_some_and(|it| it.in_time.is_some()),
            read: false,
        }
    }

    /// The bets that are certain on these cards, and so establish an outcome (interpretation 20).
    pub(crate) fn established(&self, cards: &[Card], placed: &[BetNo]) -> Vec<BetId> {
        let (deal, _) = reconstruct(cards);
        let so_far = established(&self.terms, &deal);
        let counts = |bet: &BetNo| match self.settings.established_by {
            EstablishedBy::Offered => true,
            EstablishedBy::Placed => placed.contains(bet),
        };
        let certain = so_far.decided().map(|(bet, _)| bet).filter(counts);
        certain.map(|bet| self.terms.bet(bet).id.clone()).collect()
    }

    /// Whether these cards decide a bet that the layout offers.
    pub(crate) fn decides(&self, cards: &[Card]) -> bool {
        established(&self.terms, &reconstruct(cards).0).is_established()
    }

    /// The Player or Banker bet.
    pub(crate) fn original(&self, side: Side) -> Option<&BetId> {
        self.terms.bets().iter().find(|bet| bet.original == Some(side)).map(|bet| &bet.id)
    }
}

impl Clause<'_> {
    /// Whom a reading leaves it to: what the paragraph does not name is the Shift Manager's (interpretation 42).
    fn read_post(&self) -> Post {
        match self.kind == IrregularityKind::BetPlacedInError {
            true => Post::ShiftManager,
            false => BY_DEFAULT,
        }
    }

    /// The least post that rules.
    pub(crate) fn post(&self) -> Post {
        match self.found {
            _ if self.read => self.read_post(),
            Some(it) => it.decides.filter(|_| !self.in_time).unwrap_or(BY_DEFAULT),
            None => Post::ShiftManager,
        }
    }

    /// Who decides, as the matter has it.
    pub(crate) fn decides(&self) -> Option<Post> {
        match self.found {
            _ if self.read => Some(self.read_post()),
            Some(it) => it.decides.filter(|_| !self.in_time).or(self.in_time.then_some(BY_DEFAULT)),
            None => Some(Post::ShiftManager),
        }
    }

    pub(crate) fn takes_two(&self) -> bool {
        self.found.is_some_and(|it| it.second_person) && !self.in_time
    }
}

fn is_possible(settings: &Settings, electronic: bool) -> Result<(), String> {
    let chips = settings.money == MoneyKind::Chips;
    let observed = settings.limits == LimitsMode::Observed;
    let burn = match settings.burn {
        Burn::Fixed(count) => count,
        Burn::ByFirstCard => 11,
    };
    let cards = u32::from(settings.decks) * Card::KINDS as u32;
    let continuous = settings.device == CardDevice::ContinuousShuffler;
    let name = settings.table.as_str().len();
    let (hour, minute) = settings.gaming_day.split_once(':').unwrap_or(("", ""));
    let number = |text: &str, most: u8| text.len() == 2 && text.parse().is_ok_and(|it: u8| it < most);
    let zone = |letter: u8| letter.is_ascii_alphanumeric() || b"/_+-".contains(&letter);
    let letters = settings.currency.as_str().bytes().all(|letter| letter.is_ascii_uppercase());
    let checks = [
        (!(electronic && (chips || observed)), "the electronic game keeps credits and enforces its limits"),
        (!(electronic && settings.faces == Faces::Down), "the electronic game deals face up"),
        (chips || !observed, "only chips are observed"),
        (
            !continuous || burn == 0 && settings.cut_card == 0,
            "a continuous shuffler has no burn and no cut card",
        ),
        (
            !continuous || settings.cards == Cards::Real,
            "software cards come from a shoe whose order it is committed to",
        ),
        (u32::from(burn) + u32::from(settings.cut_card) + 6 <= cards, "no cards are left for a Round"),
        ((1..=3600).contains(&settings.betting_seconds), "bets are open for 1 to 3600 seconds"),
        ((1..=3600).contains(&settings.choice_seconds), "patrons choose for 1 to 3600 seconds"),
        ((1..=3650).contains(&settings.ticket_days), "a ticket lives for 1 to 3650 days"),
        (
            (10..=1440).contains(&settings.abandoned_minutes),
            "credits are abandoned after 10 to 1440 minutes without a bet",
        ),
        ((1..=40).contains(&name), "a table has a name of 1 to 40 letters"),
        (
            !settings.pit.as_str().trim().is_empty() && settings.pit.as_str().len() <= 40,
            "a pit has a name of 1 to 40 letters",
        ),
        (settings.currency.as_str().len() == 3 && letters, "a currency is three capital letters"),
        (number(hour, 24) && number(minute, 60), "a gaming day begins at a time of day"),
        (!settings.time_zone.is_empty() && settings.time_zone.bytes().all(zone), "a time zone has a name"),
    ];
    match checks.iter().find(|(holds, _)| !holds) {
        Some((_, why)) => Err((*why).to_owned()),
        None => Ok(()),
    }
}
