//! Walks a TOML document and gathers every fault on the way, instead of stopping at the first.

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, FaultKind};
use crate::name::{LONGEST_NAME, is_name};
use crate::text::{Shown, is_visible};
use crate::{Cite, Label, NumberSet};

/// Where the faults go.
#[derive(Debug)]
pub(super) struct Faults {
    found: RefCell<Vec<Fault>>,
    /// Whether the text is in the record: then what it prints is taken as it stands.
    on_record: bool,
}

impl Faults {
    pub(super) const fn new(on_record: bool) -> Faults {
        Faults { found: RefCell::new(Vec::new()), on_record }
    }

    /// Two people compare a rule book with a document by what they see: there must be nothing else in it.
    pub(super) fn look_at(&self, text: &str, place: impl Fn(usize, char) -> Range<usize>) {
        let unseen = |c: char| !is_visible(c) && !matches!(c, '\n' | '\r' | '\t');
        for (at, c) in text.char_indices().filter(|(_, c)| !self.on_record && unseen(*c)) {
            let message = format!("the text holds a character that cannot be seen, U+{:04X}", u32::from(c));
            self.add(FaultKind::BadValue, place(at, c), message, "remove it".to_string());
        }
    }

    pub(super) fn add(
        &self,
        kind: FaultKind,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<Option<String>>,
    ) {
        self.found.borrow_mut().push(Fault { kind, span, message: message.into(), hint: hint.into() });
    }

    pub(super) fn has_errors(&self) -> bool {
        self.found.borrow().iter().any(|fault| !fault.kind.is_warning())
    }

    /// All of them, in the order of the text.
    pub(super) fn into_sorted(self) -> Vec<Fault> {
        let mut faults = self.found.into_inner();
        faults.sort_by_key(|fault| fault.span.start);
        faults
    }
}

/// Which letters a name may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Small,
    Any,
}

/// A value with its place.
pub(super) type Node<'d> = &'d Spanned<DeValue<'d>>;

/// Reads the keys of one table; what was never asked for is unknown.
pub(super) struct Table<'d, 'f> {
    table: &'d DeTable<'d>,
    pub(super) span: Range<usize>,
    /// What the table is, for messages: "a bet".
    what: &'static str,
    known: RefCell<Vec<&'static str>>,
    pub(super) faults: &'f Faults,
}

impl<'d, 'f> Table<'d, 'f> {
    pub(super) fn new(
        table: &'d DeTable<'d>,
        span: Range<usize>,
        what: &'static str,
        faults: &'f Faults,
    ) -> Self {
        Table { table, span, what, known: RefCell::default(), faults }
    }

    /// The value as a table, or a fault.
    pub(super) fn of(node: Node<'d>, what: &'static str, faults: &'f Faults) -> Option<Self> {
        match node.get_ref().as_table() {
            Some(table) => Some(Table::new(table, node.span(), what, faults)),
            None => {
                wrong_type(node, &format!("{what} is a table"), faults);
                None
            }
        }
    }

    pub(super) fn optional(&self, key: &'static str) -> Option<Node<'d>> {
        self.known.borrow_mut().push(key);
        self.table.get(key)
    }

    pub(super) fn required(&self, key: &'static str) -> Option<Node<'d>> {
        let node = self.optional(key);
        if node.is_none() {
            let message = format!("{} needs `{key}`", self.what);
            self.faults.add(FaultKind::MissingKey, self.span.clone(), message, None);
        }
        node
    }

    /// Reports the keys that nobody asked for.
    pub(super) fn finish(self) {
        let known = self.known.borrow();
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let hint = nearest(name, known.iter().copied());
                let message = format!("{} has no key `{name}`", self.what);
                self.faults.add(FaultKind::UnknownKey, key.span(), message, hint);
            }
        }
    }

    /// A short name, as used on the command line and on the wire.
    pub(super) fn id(&self, key: &'static str, case: Case) -> Option<String> {
        let node = self.required(key)?;
        let id = string(node, self.faults)?;
        let is_small = case == Case::Any || !id.bytes().any(|byte| byte.is_ascii_uppercase());
        if !is_name(id) || id.starts_with('-') || !is_small {
            let letters = if case == Case::Small { "small letters" } else { "letters" };
            let hint = format!("use 1 to {LONGEST_NAME} {letters}, digits and hyphens, as in `big-tiger`");
            let message = format!("`{}` cannot be a name", Shown(id));
            self.faults.add(FaultKind::BadValue, node.span(), message, hint);
            return None;
        }
        Some(id.to_string())
    }

    /// The paragraphs that say so: required, and not empty.
    pub(super) fn cite(&self) -> Option<Cite> {
        let Some(node) = self.optional("cite") else {
            let hint = "name the paragraph of the approved document, as in `cite = \"4.1.2\"`".to_string();
            let message = format!("{} cites no paragraph", self.what);
            self.faults.add(FaultKind::MissingCitation, self.span.clone(), message, hint);
            return None;
        };
        cite(node, self.faults)
    }

    pub(super) fn optional_cite(&self) -> Option<Cite> {
        cite(self.optional("cite")?, self.faults)
    }

    pub(super) fn label(&self, key: &'static str) -> Option<Label> {
        label(self.required(key)?, self.faults)
    }

    /// `Some(None)` where there is none, `None` where it has a fault.
    pub(super) fn optional_label(&self, key: &'static str) -> Option<Option<Label>> {
        self.optional(key).map_or(Some(None), |node| label(node, self.faults).map(Some))
    }

    pub(super) fn flag(&self, key: &'static str) -> bool {
        let Some(node) = self.optional(key) else { return false };
        node.get_ref().as_bool().unwrap_or_else(|| {
            wrong_type(node, "this is `true` or `false`", self.faults);
            false
        })
    }

    pub(super) fn optional_number(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<u32> {
        number(self.optional(key)?, range, self.faults)
    }

    /// One of a closed list of words.
    pub(super) fn word<T: Copy>(
        &self,
        key: &'static str,
        all: &[T],
        id: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        word(self.required(key)?, all, id, self.faults)
    }

    pub(super) fn optional_word<T: Copy>(
        &self,
        key: &'static str,
        all: &[T],
        id: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        word(self.optional(key)?, all, id, self.faults)
    }

    pub(super) fn optional_set(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<NumberSet> {
        number_set(self.optional(key)?, range, self.faults)
    }

    /// The tables of an array that must have at least one.
    pub(super) fn required_tables(&self, key: &'static str, what: &'static str) -> Vec<Table<'d, 'f>> {
        let Some(node) = self.required(key) else { return Vec::new() };
        if node.get_ref().as_array().is_some_and(|array| array.is_empty()) {
            let message = format!("{} needs at least one `{key}`", self.what);
            self.faults.add(FaultKind::MissingKey, node.span(), message, None);
        }
        self.tables(key, what)
    }

    /// The tables of an array, each with its place; none where the key is absent.
    pub(super) fn tables(&self, key: &'static str, what: &'static str) -> Vec<Table<'d, 'f>> {
        let Some(node) = self.optional(key) else { return Vec::new() };
        items(node, self.faults).into_iter().filter_map(|item| Table::of(item, what, self.faults)).collect()
    }
}

/// The items of an array, or a fault.
pub(super) fn items<'d>(node: Node<'d>, faults: &Faults) -> Vec<Node<'d>> {
    match node.get_ref().as_array() {
        Some(array) => array.iter().collect(),
        None => {
            let hint = if node.get_ref().is_table() {
                "write it with two brackets, `[[…]]`"
            } else {
                "this is a list"
            };
            wrong_type(node, hint, faults);
            Vec::new()
        }
    }
}

/// One value, or a list of them.
pub(super) fn one_or_more<'d>(node: Node<'d>, faults: &Faults) -> Vec<Node<'d>> {
    if !node.get_ref().is_array() {
        return vec![node];
    }
    let items = items(node, faults);
    if items.is_empty() {
        let hint = "leave the key out where it makes no condition".to_string();
        faults.add(FaultKind::BadValue, node.span(), "an empty list matches nothing", hint);
    }
    items
}

pub(super) fn string<'d>(node: Node<'d>, faults: &Faults) -> Option<&'d str> {
    let text = node.get_ref().as_str();
    match text {
        // What stands in the text as such was found there; this finds what is written as `\u202e`.
        Some(text) => faults.look_at(text, |_, _| node.span()),
        None => wrong_type(node, "this is a text in quotes", faults),
    }
    text
}

pub(super) fn number(node: Node<'_>, range: std::ops::RangeInclusive<u32>, faults: &Faults) -> Option<u32> {
    let Some(integer) = node.get_ref().as_integer() else {
        wrong_type(node, "this is a whole number", faults);
        return None;
    };
    let number =
        i64::from_str_radix(integer.as_str(), integer.radix()).ok().and_then(|n| u32::try_from(n).ok());
    let number = number.filter(|number| range.contains(number));
    if number.is_none() {
        let hint = format!("a whole number from {} to {} is meant", range.start(), range.end());
        faults.add(FaultKind::BadValue, node.span(), format!("{integer} is out of range"), hint);
    }
    number
}

pub(super) fn number_set(
    node: Node<'_>,
    range: std::ops::RangeInclusive<u32>,
    faults: &Faults,
) -> Option<NumberSet> {
    let items = one_or_more(node, faults);
    let numbers: Option<Vec<u8>> =
        items.iter().map(|item| number(item, range.clone(), faults).map(|number| number as u8)).collect();
    Some(numbers.filter(|numbers| !numbers.is_empty())?.into_iter().collect())
}

pub(super) fn word<T: Copy>(
    node: Node<'_>,
    all: &[T],
    id: impl Fn(T) -> &'static str,
    faults: &Faults,
) -> Option<T> {
    let text = string(node, faults)?;
    let found = all.iter().copied().find(|word| id(*word) == text);
    if found.is_none() {
        let hint = nearest(text, all.iter().map(|word| id(*word)));
        faults.add(
            FaultKind::BadValue,
            node.span(),
            format!("`{text}` is not a word that belongs here"),
            hint,
        );
    }
    found
}

pub(super) fn cite(node: Node<'_>, faults: &Faults) -> Option<Cite> {
    let text = string(node, faults)?;
    if text.split(',').any(|paragraph| paragraph.trim().is_empty()) {
        let hint = "name paragraphs with commas between them, as in `1.23, 4.1.2`".to_string();
        faults.add(FaultKind::MissingCitation, node.span(), "a citation names no paragraph", hint);
        return None;
    }
    Some(Cite(text.into()))
}

fn label(node: Node<'_>, faults: &Faults) -> Option<Label> {
    let table = Table::of(node, "a label", faults)?;
    let text = |node: Node<'_>| {
        let text = string(node, faults)?;
        if text.trim().is_empty() {
            faults.add(FaultKind::BadValue, node.span(), "a label without text", None);
        }
        Some(text.to_string())
    };
    let en = table.required("en").and_then(text);
    let [zh_hans, zh_hant] = ["zh-Hans", "zh-Hant"].map(|key| table.optional(key).and_then(text));
    table.finish();
    let en = en?;
    Some(Label {
        zh_hans: zh_hans.unwrap_or_else(|| en.clone()),
        zh_hant: zh_hant.unwrap_or_else(|| en.clone()),
        en,
    })
}

pub(super) fn wrong_type(node: Node<'_>, hint: &str, faults: &Faults) {
    let message = format!("found {} here", article(node.get_ref().type_str()));
    faults.add(FaultKind::WrongType, node.span(), message, hint.to_string());
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A hint: the one word that is nearly what was written, or all that would do.
pub(super) fn nearest<'a>(written: &str, allowed: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut allowed: Vec<&str> = allowed.collect();
    allowed.sort_unstable();
    allowed.dedup();
    let close = allowed.iter().map(|word| (strsim::damerau_levenshtein(written, word), *word)).min();
    match close {
        Some((distance, word)) if distance <= 1 + word.len() / 4 => Some(format!("did you mean `{word}`?")),
        Some(_) => Some(format!("known here: {}", allowed.join(", "))),
        None => None,
    }
}
