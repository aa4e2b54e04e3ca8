//! Reads bets: `[[bet]]` and the rows of its pay table.

use std::ops::Range;

use super::fault::FaultKind;
use super::reader::{Case, Faults, Node, Table, number_set, one_or_more, string, word, wrong_type};
use crate::bet::{Commission, Pays, Row, VerdictTable, full_name};
use crate::fact::{Counter, Fact, Which};
use crate::odds::decimal;
use crate::{BetId, Cite, Label, Odds, Rank, Side, Suit, Winner};

/// A bet as read, with the places that the checks point at.
pub(super) struct BetDraft {
    pub(super) id: BetId,
    pub(super) variant: Option<String>,
    pub(super) span: Range<usize>,
    pub(super) label: Label,
    pub(super) cite: Cite,
    pub(super) original: Option<Side>,
    pub(super) rows: Vec<Row>,
    pub(super) row_spans: Vec<Range<usize>>,
}

impl BetDraft {
    /// `tie`, or `tie:raised` where the bet has several pay tables.
    pub(super) fn name(&self) -> String {
        full_name(&self.id, self.variant.as_deref())
    }

    /// The draft without its rows, and the rows.
    pub(super) fn split(mut self) -> (BetDraft, Vec<Row>) {
        let rows = std::mem::take(&mut self.rows);
        (self, rows)
    }
}

/// Which bets there are, faulty ones too, so that layouts are not blamed for them.
#[derive(Default)]
pub(super) struct BetNames(Vec<(String, Option<String>)>);

impl BetNames {
    pub(super) fn variants<'a>(&'a self, id: &'a str) -> impl Iterator<Item = Option<&'a str>> {
        self.0.iter().filter(move |(name, _)| name == id).map(|(_, variant)| variant.as_deref())
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

pub(super) fn bet(table: Table<'_, '_>, names: &mut BetNames) -> Option<BetDraft> {
    let id = table.id("id", Case::Small);
    let variant = table.optional("variant").and_then(|_| table.id("variant", Case::Small));
    if let Some(id) = &id {
        if names.variants(id).any(|other| other == variant.as_deref()) {
            let hint = "one printed bet with several pay tables gives each a `variant`".to_string();
            let span = table.optional("id").map_or(table.span.clone(), |node| node.span());
            table.faults.add(FaultKind::DuplicateId, span, format!("there is another bet `{id}`"), hint);
        }
        names.0.push((id.clone(), variant.clone()));
    }
    let label = table.label("label");
    let cite = table.cite();
    let original = table.optional_word("original", &Side::BOTH, Side::id);
    let faults = table.faults;
    let rows = table.required("pays").and_then(|node| rows(node, cite.as_ref(), faults));
    let span = table.span.clone();
    table.finish();
    let (rows, row_spans) = rows?.into_iter().unzip();
    Some(BetDraft {
        id: id?.parse().expect("the reader takes names only"),
        variant,
        span,
        label: label?,
        cite: cite?,
        original,
        rows,
        row_spans,
    })
}

/// The rows; `None` if any of them has a fault.
fn rows(node: Node<'_>, bet_cite: Option<&Cite>, faults: &Faults) -> Option<Vec<(Row, Range<usize>)>> {
    let items = super::reader::items(node, faults);
    if !node.get_ref().is_array() {
        return None; // reported as such
    }
    if items.is_empty() || items.len() > VerdictTable::MOST_ROWS {
        let message = format!("a pay table has 1 to {} rows", VerdictTable::MOST_ROWS);
        faults.add(FaultKind::BadValue, node.span(), message, None);
        return None;
    }
    let rows: Vec<Option<_>> =
        items.into_iter().map(|item| Some((row(item, bet_cite, faults)?, item.span()))).collect();
    rows.into_iter().collect()
}

fn row(node: Node<'_>, bet_cite: Option<&Cite>, faults: &Faults) -> Option<Row> {
    let table = Table::of(node, "a row of a pay table", faults)?;
    let when = facts(&table);
    let pays = pays(&table);
    let cite = match table.optional("cite") {
        Some(_) => table.optional_cite(),
        None => bet_cite.cloned(),
    };
    let label = table.optional_label("label");
    table.finish();
    Some(Row { when: when?, pays: pays?, cite: cite?, label: label? })
}

fn pays(table: &Table<'_, '_>) -> Option<Pays> {
    let faults = table.faults;
    let (odds_node, share_node) = (table.optional("odds"), table.optional("commission"));
    let (net, share) = (odds_node.map(|node| odds(node, faults)), share_node.map(|node| share(node, faults)));
    match (net, share, table.flag("returned")) {
        (Some(net), share, false) => {
            let odds = net?;
            let commission = match share {
                Some(share) => {
                    let commission = Commission::new(share?, odds);
                    if let (None, Some(node)) = (commission, share_node) {
                        let message = "a commission that is no ratio of numbers up to 1000000 to the stake";
                        let hint = "odds and commission with fewer digits have a smaller ratio".to_string();
                        faults.add(FaultKind::BadValue, node.span(), message, hint);
                    }
                    Some(commission?)
                }
                None => None,
            };
            Some(Pays::Won { odds, commission })
        }
        (None, None, true) => Some(Pays::Returned),
        (None, _, _) | (Some(_), _, true) => {
            let hint = "write `odds = \"11 to 1\"` or `returned = true`".to_string();
            let message = "a row pays odds, with or without commission, or is returned";
            faults.add(FaultKind::BadValue, table.span.clone(), message, hint);
            None
        }
    }
}

fn odds(node: Node<'_>, faults: &Faults) -> Option<Odds> {
    let text = string(node, faults)?;
    let odds: Result<Odds, _> = text.parse();
    if let Err(error) = &odds {
        faults.add(FaultKind::MalformedOdds, node.span(), format!("`{text}` is not odds"), error.to_string());
    }
    odds.ok()
}

/// `commission = "5%"`, as a share of the gross winnings.
fn share(node: Node<'_>, faults: &Faults) -> Option<Odds> {
    let text = string(node, faults)?;
    let percent = text.strip_suffix('%').map(str::trim_end).and_then(|number| decimal(number).ok());
    let share = percent.and_then(|(percent, scale)| Odds::new(percent, 100 * scale).ok());
    let share = share.filter(|share| share.pays() < share.per());
    if share.is_none() {
        let hint = "write it as in `commission = \"5%\"`, more than 0 and less than 100".to_string();
        faults.add(FaultKind::BadValue, node.span(), format!("`{text}` is not a commission"), hint);
    }
    share
}

/// The conditions of a row; `None` if any has a fault.
fn facts(table: &Table<'_, '_>) -> Option<Vec<Fact>> {
    let faults = table.faults;
    let mut facts: Vec<Option<Fact>> = Vec::new();
    if let Some(node) = table.optional("winner") {
        let winners =
            one_or_more(node, faults).into_iter().map(|item| word(item, &Winner::ALL, Winner::id, faults));
        facts.push(
            winners.collect::<Option<Vec<_>>>().filter(|winners| !winners.is_empty()).map(Fact::Winner),
        );
    }
    let mut set =
        |key: &'static str, range: std::ops::RangeInclusive<u32>, fact: &dyn Fn(crate::NumberSet) -> Fact| {
            if table.optional(key).is_some() {
                facts.push(table.optional_set(key, range).map(fact));
            }
        };
    set("points", 0..=9, &Fact::Points);
    set("winner_cards", 2..=3, &Fact::WinnerCards);
    set("margin", 1..=9, &Fact::Margin);
    set("player_points", 0..=9, &|set| Fact::PointsOf(Side::Player, set));
    set("player_cards", 2..=3, &|set| Fact::CardsOf(Side::Player, set));
    set("banker_points", 0..=9, &|set| Fact::PointsOf(Side::Banker, set));
    set("banker_cards", 2..=3, &|set| Fact::CardsOf(Side::Banker, set));
    set("cards", 4..=6, &Fact::Cards);
    set("sum", 0..=18, &Fact::Sum);
    let mut which = |key: &'static str, all: &[Which], fact: &dyn Fn(Which) -> Fact| {
        if let Some(node) = table.optional(key) {
            facts.push(word(node, all, Which::id, faults).map(fact));
        }
    };
    which("natural", &Which::NATURALS, &Fact::Natural);
    which("pairs", &Which::PAIRS, &Fact::Pairs);
    which("suited_pairs", &Which::PAIRS, &Fact::SuitedPairs);
    if let Some(node) = table.optional("count") {
        facts.extend(one_or_more(node, faults).into_iter().map(|item| count(item, faults)));
    }
    facts.into_iter().collect()
}

/// `count = { rank = "7", is = [3, 4, 5, 6] }`
fn count(node: Node<'_>, faults: &Faults) -> Option<Fact> {
    let table = Table::of(node, "a count", faults)?;
    let ranks = table.optional("rank").map(|node| {
        one_or_more(node, faults).into_iter().map(|item| rank(item, faults)).collect::<Option<Vec<Rank>>>()
    });
    let suits = table.optional("suit").map(|node| {
        let suits = one_or_more(node, faults).into_iter().map(|item| word(item, &Suit::ALL, suit_id, faults));
        suits.collect::<Option<Vec<Suit>>>()
    });
    let is = table.required("is").map(|node| number_set(node, 0..=6, faults));
    if ranks.is_none() && suits.is_none() {
        let hint = "name a `rank`, a `suit` or both".to_string();
        faults.add(FaultKind::MissingKey, table.span.clone(), "a count says what it counts", hint);
    }
    table.finish();
    if ranks.is_none() && suits.is_none() {
        return None;
    }
    // An empty list was reported; an absent key restricts nothing.
    let named = |list: &Vec<_>| !list.is_empty();
    let ranks = ranks.map_or(Some(Vec::new()), |ranks| ranks.filter(named))?;
    let suits = suits.map_or(Some(Vec::new()), |suits| suits.filter(|suits| !suits.is_empty()))?;
    let counter = Counter::new(|card| {
        (ranks.is_empty() || ranks.contains(&card.rank)) && (suits.is_empty() || suits.contains(&card.suit))
    });
    let ranks: Vec<String> = ranks.iter().map(|rank| rank.symbol().to_string()).collect();
    let suits: Vec<&str> = suits.into_iter().map(suit_id).collect();
    let words: Vec<String> =
        [ranks.join("/"), suits.join("/")].into_iter().filter(|part| !part.is_empty()).collect();
    Some(Fact::Count(counter, is??, words.join(" of ")))
}

fn rank(node: Node<'_>, faults: &Faults) -> Option<Rank> {
    if !node.get_ref().is_str() {
        wrong_type(node, "a rank is a letter or digit in quotes, as in `\"7\"` or `\"K\"`", faults);
        return None;
    }
    let text = string(node, faults)?;
    let mut chars = text.chars();
    let rank = chars.next().filter(|_| chars.next().is_none()).and_then(Rank::from_symbol);
    if rank.is_none() {
        let hint = "ranks are A 2 3 4 5 6 7 8 9 T J Q K; ten is T".to_string();
        faults.add(FaultKind::BadValue, node.span(), format!("`{text}` is not a rank"), hint);
    }
    rank
}

const fn suit_id(suit: Suit) -> &'static str {
    match suit {
        Suit::Spades => "spades",
        Suit::Hearts => "hearts",
        Suit::Diamonds => "diamonds",
        Suit::Clubs => "clubs",
    }
}
