//! Reads a rule book section by section, in the order of the approved documents.

use std::sync::Arc;

use toml::de::DeTable;

use super::fault::{FaultKind, RulebookFaults};
use super::pay_table::{self, BetNames};
use super::reader::{Case, Faults, Node, Table, cite, items, nearest, string};
use super::{Decks, LimitsRule, Mode, Rulebook, Squeeze, SqueezeRight, check};
use crate::irregularity::{ChoiceOffered, Discretion, IrregularityKind, Remedy, ShoeAfter};
use crate::layout::MOST_BOXES;
use crate::limits::LimitsModel;
use crate::{Bet, BetId, Cite, Irregularity, Layout, Post};

/// The language's own version; a text that needs a later one is refused.
const FORMAT: u32 = 1;
/// As many bets as a [`crate::BetNo`] can name.
const MOST_BETS: usize = 255;

/// A citation under a topic, which a document may have to have or not.
trait Topic: Sized {
    fn read(table: &Table<'_, '_>, key: &'static str) -> Option<Self>;
    fn cite(&self) -> Option<&Cite>;
}

impl Topic for Cite {
    fn read(table: &Table<'_, '_>, key: &'static str) -> Option<Cite> {
        cite(table.required(key)?, table.faults)
    }

    fn cite(&self) -> Option<&Cite> {
        Some(self)
    }
}

impl Topic for Option<Cite> {
    fn read(table: &Table<'_, '_>, key: &'static str) -> Option<Option<Cite>> {
        table.optional(key).map_or(Some(None), |node| cite(node, table.faults).map(Some))
    }

    fn cite(&self) -> Option<&Cite> {
        self.as_ref()
    }
}

/// Declares a section that only says where the document lays things down: topic → citation, in the documents' order.
macro_rules! citations {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $topic:ident: $kind:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $($(#[$doc])* pub $topic: $kind,)* }

        impl $name {
            /// Each topic that the document has, with its citation.
            pub fn topics(&self) -> Vec<(&'static str, &Cite)> {
                let topics = [$((stringify!($topic), Topic::cite(&self.$topic)),)*];
                topics.into_iter().filter_map(|(topic, cite)| Some((topic, cite?))).collect()
            }

            fn read(table: &Table<'_, '_>) -> Option<$name> {
                $(let $topic = <$kind as Topic>::read(table, stringify!($topic));)*
                Some($name { $($topic: $topic?,)* })
            }
        }
    };
}

citations! {
    /// Section 3: where the document lays down each step of play. What the steps are is code, the same for all games.
    Play {
        /// The objective of the game.
        objective: Option<Cite>,
        /// The points of the cards.
        card_values: Option<Cite>,
        /// From when bets are taken.
        open_bets: Option<Cite>,
        /// That limits are displayed.
        limits_shown: Option<Cite>,
        /// That keeping within limits is the patron's own business.
        own_responsibility: Option<Cite>,
        /// That nobody may refuse others the unused room in a box.
        room_in_box: Option<Cite>,
        /// Betting on the terminal's display.
        display: Option<Cite>,
        /// Which bets may be placed; side bets stand alone.
        bets: Option<Cite>,
        /// From when no more bets are taken.
        close_bets: Option<Cite>,
        /// The four initial cards.
        initial_cards: Cite,
        /// The third-card rule.
        third_card: Cite,
        /// The Baccarat Table of Play.
        table_of_play: Cite,
        /// Which Hand wins.
        winner: Cite,
        /// What a Tie does to Original Bets.
        tie: Cite,
        /// That losing bets are collected and winning bets paid.
        pay: Option<Cite>,
    }
}

citations! {
    /// Section 5: rules that hold whatever goes wrong.
    Conduct {
        /// Earlier Rounds stand.
        earlier_rounds_stand: Option<Cite>,
        /// Continuing or taking back: the choice itself.
        patrons_choice: Option<Cite>,
        /// Bets are settled as the chips lie at close.
        chips_at_close: Option<Cite>,
        /// Displays inform, the cards decide.
        display_informs: Option<Cite>,
        /// A void Round returns every bet.
        void_returns: Option<Cite>,
        /// A Pit Employee may bet on a patron's behalf.
        pit_employee_bets: Option<Cite>,
    }
}

pub(super) fn parse(text: &str, on_record: bool) -> Result<Rulebook, RulebookFaults> {
    let faults = Faults::new(on_record);
    faults.look_at(text, |at, c| at..at + c.len_utf8());
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        faults.add(FaultKind::Syntax, error.span().unwrap_or(0..0), error.message().to_string(), None);
    }
    // After a syntax error half of the keys may be missing; reporting those would be noise.
    let rulebook = if faults.has_errors() { None } else { rulebook(root.get_ref(), &faults) };
    match rulebook {
        Some(rulebook) if !faults.has_errors() => Ok(Rulebook { warnings: faults.into_sorted(), ..rulebook }),
        Some(_) | None => Err(RulebookFaults(faults.into_sorted())),
    }
}

fn rulebook(root: &DeTable<'_>, faults: &Faults) -> Option<Rulebook> {
    // The whole text has no better place than its first character.
    let table = Table::new(root, 0..0, "a rule book", faults);
    let format = table.required("format").and_then(|node| format(node, faults));
    let game = table.id("game", Case::Small);
    let title = table.label("title");
    let version = table.optional_number("version", 1..=1_000_000);
    let in_force = table.required("in_force").and_then(|node| in_force(node, faults));
    let mode = table.word("mode", &Mode::ALL, Mode::id);
    let decks = section(&table, "cards", "[cards]", decks);
    let play = section(&table, "play", "[play]", Play::read);
    let squeeze = table.optional("squeeze").map(|_| section(&table, "squeeze", "[squeeze]", squeeze));
    let limits = section(&table, "limits", "[limits]", limits);
    let conduct = match table.optional("conduct") {
        Some(_) => section(&table, "conduct", "[conduct]", Conduct::read),
        None => Conduct::read(&Table::new(&DeTable::new(), 0..0, "[conduct]", faults)),
    };

    let mut names = BetNames::default();
    let drafts: Vec<_> = table
        .required_tables("bet", "a bet")
        .into_iter()
        .map(|bet| pay_table::bet(bet, &mut names))
        .collect();
    let every_bet = drafts.iter().all(Option::is_some);
    let drafts: Vec<_> = drafts.into_iter().flatten().collect();
    let spans: Vec<_> = drafts.iter().map(|draft| draft.span.clone()).collect();
    let space = check::classes(&drafts, faults);
    let bets: Vec<Arc<Bet>> = match &space {
        Some(space) => check::compile(drafts, space, faults).into_iter().map(Arc::new).collect(),
        None => Vec::new(),
    };

    let layouts: Vec<_> = table.required_tables("layout", "a layout");
    let layouts_written = layouts.len();
    let mut read: Vec<Layout> = Vec::new();
    for table in layouts {
        read.extend(layout(table, &bets, &names, &read));
    }
    let irregularities = irregularities(&table, limits.as_ref());
    table.finish();
    if !faults.has_errors() {
        for (bet, span) in bets.iter().zip(spans.iter().cloned()) {
            let offered = |layout: &Layout| layout.bets.iter().any(|other| Arc::ptr_eq(other, bet));
            if !read.iter().any(offered) {
                let hint = "name it in a layout, or leave it out".to_string();
                faults.add(FaultKind::UnofferedBet, span, format!("no layout offers `{}`", bet.name()), hint);
            }
        }
    }
    format?;
    // A rule book is never used with a part of it left out, whatever was said of that part.
    if !every_bet || read.len() != layouts_written {
        return None;
    }
    Some(Rulebook {
        game: game?,
        title: title?,
        version,
        in_force: in_force?,
        mode: mode?,
        decks: decks?,
        play: play?,
        squeeze: match squeeze {
            Some(squeeze) => Some(squeeze?),
            None => None,
        },
        limits: limits?,
        bets,
        layouts: read,
        conduct: conduct?,
        irregularities,
        space: Arc::new(space?),
        places: spans,
        warnings: Vec::new(),
    })
}

/// A required table, read and finished.
fn section<T>(
    root: &Table<'_, '_>,
    key: &'static str,
    what: &'static str,
    read: impl FnOnce(&Table<'_, '_>) -> Option<T>,
) -> Option<T> {
    let table = Table::of(root.required(key)?, what, root.faults)?;
    let value = read(&table);
    table.finish();
    value
}

fn in_force(node: Node<'_>, faults: &Faults) -> Option<String> {
    let local = node
        .get_ref()
        .as_datetime()
        .filter(|at| at.date.is_some() && at.time.is_some() && at.offset.is_none());
    if local.is_none() {
        let hint = "a date and time of day, as in `in_force = 2024-12-06T08:00:00`".to_string();
        faults.add(FaultKind::BadValue, node.span(), "not a local date and time", hint);
    }
    let (date, time) = (local?.date?, local?.time?);
    Some(format!("{date}T{:02}:{:02}:{:02}", time.hour, time.minute, time.second.unwrap_or(0)))
}

fn format(node: Node<'_>, faults: &Faults) -> Option<()> {
    let format = super::reader::number(node, 1..=u32::MAX, faults)?;
    if format != FORMAT {
        let hint = format!("this program reads format {FORMAT}");
        faults.add(FaultKind::BadValue, node.span(), format!("a rule book of format {format}"), hint);
    }
    Some(())
}

fn decks(table: &Table<'_, '_>) -> Option<Decks> {
    let cite = table.cite();
    let node = table.required("decks")?;
    let range = Table::of(node, "`decks`", table.faults)?;
    let read = |key| range.optional(key).map(|node| super::reader::number(node, 0..=u32::MAX, table.faults));
    let (min, max) = (read("min"), read("max"));
    range.finish();
    if min == Some(None) || max == Some(None) {
        return None; // no numbers, and reported as such
    }
    match (min.flatten(), max.flatten()) {
        (Some(min @ 1..), Some(max @ ..=10)) if min <= max => {
            Some(Decks { min: min as u8, max: max as u8, cite: cite? })
        }
        _ => {
            let hint = "write `decks = { min = 4, max = 10 }`, from 1 to 10 and not upside down".to_string();
            table.faults.add(FaultKind::DeckRange, node.span(), "not a range of decks", hint);
            None
        }
    }
}

fn squeeze(table: &Table<'_, '_>) -> Option<Squeeze> {
    let right = table.word("right", &SqueezeRight::ALL, SqueezeRight::id);
    let cite = table.cite();
    Some(Squeeze { right: right?, cite: cite? })
}

fn limits(table: &Table<'_, '_>) -> Option<LimitsRule> {
    let model = table.word("model", &LimitsModel::ALL, LimitsModel::id);
    let cite = table.cite();
    Some(LimitsRule { model: model?, cite: cite? })
}

fn layout(table: Table<'_, '_>, bets: &[Arc<Bet>], names: &BetNames, others: &[Layout]) -> Option<Layout> {
    let faults = table.faults;
    let id = table.id("id", Case::Any);
    if let Some(id) = &id
        && others.iter().any(|other| other.id == *id)
    {
        let span = table.optional("id").map_or(table.span.clone(), |node| node.span());
        faults.add(FaultKind::DuplicateId, span, format!("there is another layout `{id}`"), None);
    }
    let cite = table.cite();
    let boxes = table.optional("boxes").map(|_| table.optional_number("boxes", 1..=MOST_BOXES.into()));
    let bilingual = table.optional("bilingual").map(|_| table.flag("bilingual"));
    let mut offered: Vec<Arc<Bet>> = Vec::new();
    let mut complete = true;
    let offers = table.required("bets");
    for node in offers.map(|node| items(node, faults)).unwrap_or_default() {
        match offer(node, bets, names, faults) {
            Some(bet) if offered.iter().any(|other| other.id == bet.id) => {
                let message = format!("the layout offers `{}` twice", bet.id);
                faults.add(FaultKind::DuplicateId, node.span(), message, None);
            }
            Some(bet) => offered.push(bet),
            None => complete = false,
        }
    }
    if let (Some(node), true) = (offers.filter(|node| node.get_ref().is_array()), complete)
        && (offered.is_empty() || offered.len() > MOST_BETS)
    {
        faults.add(FaultKind::BadValue, node.span(), format!("a layout offers 1 to {MOST_BETS} bets"), None);
    }
    let felt = table.optional("felt").map(|node| felt(node, &offered, complete, faults));
    let units = offered.iter().try_fold(1, |unit, bet| crate::odds::lcm(unit, bet.exact_unit()?));
    if units.and_then(crate::Money::new).is_none() {
        let hint = "odds with fewer decimals have a smaller common unit".to_string();
        let message = "no chip unit that money can hold pays every bet of the layout exactly";
        faults.add(FaultKind::UnitOutOfReach, table.span.clone(), message, hint);
    }
    table.finish();
    let boxes = match boxes {
        Some(boxes) => Some(boxes? as u8),
        None => None,
    };
    let felt = match felt {
        Some(felt) => Some(felt?),
        None => None,
    };
    complete.then_some(Layout { id: id?, cite: cite?, boxes, bilingual, bets: offered, felt })
}

/// The printed felt: rows of bets that the layout offers, each bet at least once.
fn felt(node: Node<'_>, offered: &[Arc<Bet>], complete: bool, faults: &Faults) -> Option<Vec<Vec<BetId>>> {
    let mut sound = true;
    let mut rows: Vec<Vec<BetId>> = Vec::new();
    for row in items(node, faults) {
        let mut bets: Vec<BetId> = Vec::new();
        for cell in items(row, faults) {
            let Some(id) = string(cell, faults) else {
                sound = false;
                continue;
            };
            match offered.iter().find(|bet| bet.id.as_str() == id) {
                Some(bet) => bets.push(bet.id.clone()),
                None if complete => {
                    let hint = nearest(id, offered.iter().map(|bet| bet.id.as_str()));
                    faults.add(
                        FaultKind::UnknownBet,
                        cell.span(),
                        format!("the layout offers no `{id}`"),
                        hint,
                    );
                    sound = false;
                }
                // What the layout offers is not known: that was reported.
                None => sound = false,
            }
        }
        rows.push(bets);
    }
    let is_printed = |bet: &&Arc<Bet>| rows.iter().flatten().any(|id| *id == bet.id);
    if let (true, Some(missing)) = (sound, offered.iter().find(|bet| !is_printed(bet))) {
        let message = format!("`{}` is offered and not on the felt", missing.id);
        faults.add(FaultKind::BadValue, node.span(), message, None);
        sound = false;
    }
    sound.then_some(rows)
}

/// A bet that a layout names, `tie`, or one of its pay tables, `tie:flat`.
fn offer(node: Node<'_>, bets: &[Arc<Bet>], names: &BetNames, faults: &Faults) -> Option<Arc<Bet>> {
    let text = string(node, faults)?;
    let (id, variant) = text.split_once(':').map_or((text, None), |(id, variant)| (id, Some(variant)));
    let variants: Vec<Option<&str>> = names.variants(id).collect();
    if !variants.contains(&variant) {
        let (message, hint) = if variants.is_empty() {
            (format!("there is no bet `{text}`"), nearest(id, names.ids()))
        } else {
            let named =
                variants.iter().map(|it| it.map_or(id.to_string(), |variant| format!("{id}:{variant}")));
            let hint = format!("write {}", named.collect::<Vec<_>>().join(" or "));
            let message = match variant {
                Some(variant) => format!("`{id}` has no variant `{variant}`"),
                None => format!("`{id}` has variants; a layout names one"),
            };
            (message, Some(hint))
        };
        faults.add(FaultKind::UnknownBet, node.span(), message, hint);
        return None;
    }
    // A bet that is named but has a fault of its own was reported where it stands.
    bets.iter().find(|bet| bet.id.as_str() == id && bet.variant.as_deref() == variant).cloned()
}

fn irregularities(root: &Table<'_, '_>, limits: Option<&LimitsRule>) -> Vec<Irregularity> {
    let mut read: Vec<Irregularity> = Vec::new();
    for table in root.tables("irregularity", "an irregularity") {
        let faults = table.faults;
        let kind = table.word("kind", IrregularityKind::ALL, IrregularityKind::id);
        if let Some(kind) = kind
            && read.iter().any(|other| other.kind == kind)
        {
            let message = format!("`{}` is laid down twice", kind.id());
            faults.add(FaultKind::DuplicateId, table.span.clone(), message, None);
        }
        let cite = table.cite();
        let in_time = table.optional_word(
            "in_time",
            kind.map_or(Remedy::ALL, |kind| kind.remedies_in_time()),
            Remedy::id,
        );
        let remedy = table.word("remedy", kind.map_or(Remedy::ALL, |kind| kind.remedies()), Remedy::id);
        let decides = table.optional_word("decides", &Post::ALL, Post::id);
        let second_person = table.flag("second_person");
        let discretion = table.optional_word("discretion", Discretion::ALL, Discretion::id);
        let choice = table.optional_word("choice", ChoiceOffered::ALL, ChoiceOffered::id);
        let shoes = kind.map_or(ShoeAfter::ALL, |kind| kind.shoes());
        let shoes = if shoes.is_empty() { ShoeAfter::ALL } else { shoes };
        let shoe = table.optional_word("shoe", shoes, ShoeAfter::id);
        let needs = |key: &str, why: &str| {
            faults.add(
                FaultKind::MissingKey,
                table.span.clone(),
                format!("an irregularity needs `{key}` {why}"),
                None,
            );
        };
        // What the table would never look at is refused, so that nobody relies on it.
        let idle = |key: &'static str, why: &str| {
            if let (Some(kind), Some(node)) = (kind, table.optional(key)) {
                let message = format!("`{key}` means nothing for `{}`: {why}", kind.id());
                faults.add(FaultKind::BadValue, node.span(), message, None);
            }
        };
        if kind.is_some_and(|kind| !kind.is_ruled(remedy)) {
            for key in ["decides", "second_person", "discretion"] {
                idle(key, "it is carried out at once and nobody decides");
            }
        }
        if kind == Some(IrregularityKind::WrongNumberOfCards) {
            idle("discretion", "whether it can be reconstructed is decided as for cards in excess");
        }
        if kind.is_some_and(|kind| !kind.is_dealing_error()) {
            idle("choice", "it is no dealing error after which patrons are asked");
        }
        if kind.is_some_and(|kind| kind.shoes().is_empty()) {
            idle("shoe", "the cards stay in use");
        }
        let is_decided = matches!(remedy, Some(Remedy::Ruling | Remedy::RuleOrder | Remedy::Adjust));
        if decides.is_none() && table.optional("decides").is_none() && (is_decided || second_person) {
            needs("decides", "where somebody has to decide");
        }
        if remedy == Some(Remedy::PatronsChoose) && table.optional("choice").is_none() {
            needs("choice", "where the patrons choose");
        }
        let per_bet = limits.is_some_and(|limits| limits.model == LimitsModel::PerBet);
        if kind == Some(IrregularityKind::OverDifferential) && per_bet {
            let message = "limits per bet know no Differential";
            faults.add(FaultKind::BadValue, table.span.clone(), message, None);
        }
        table.finish();
        if let (Some(kind), Some(cite), Some(remedy)) = (kind, cite, remedy) {
            read.push(Irregularity {
                kind,
                cite,
                in_time,
                remedy,
                decides,
                second_person,
                discretion,
                choice,
                shoe,
            });
        }
    }
    read
}
