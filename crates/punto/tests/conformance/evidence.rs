//! Where paragraphs are carried out, and what proves them: gathered from rule books, sources, tests and table scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use punto_table::script::{Played, Script, play};

use crate::paragraphs::{Game, Paragraph};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A link of the page: what it says, and where it leads from docs/.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) to: String,
}

/// What kind of proof it is, in the order in which the page shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A table script in whose run an event or a refusal cites the paragraph.
    Cited,
    /// A table script that asserts what the paragraph demands, and the run bears it out.
    Asserted,
    /// A test in a real browser that the inventory names.
    Browser,
    /// A test that bears the paragraph's number.
    Numbered,
    /// A test that the inventory names.
    Listed,
    /// A named check of the rule books.
    Check,
}

/// Everything that is known of one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) places: BTreeMap<String, Vec<Link>>,
    pub(crate) proofs: BTreeMap<String, Vec<(Kind, Link)>>,
    /// Claims about what does not exist.
    pub(crate) strays: Vec<String>,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] =
        [Kind::Cited, Kind::Asserted, Kind::Browser, Kind::Numbered, Kind::Listed, Kind::Check];

    /// As the page calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Cited => "event or refusal in a script",
            Kind::Asserted => "assertion in a script",
            Kind::Browser => "test in a browser",
            Kind::Numbered => "test of its number",
            Kind::Listed => "named test",
            Kind::Check => "check by mutation",
        }
    }

    /// Whether it is fit to prove this paragraph.
    const fn is_fit_for(self, paragraph: &Paragraph) -> bool {
        match self {
            Kind::Browser => true,
            Kind::Cited | Kind::Asserted | Kind::Listed => !paragraph.on_a_screen,
            Kind::Numbered | Kind::Check => !paragraph.on_a_screen && !paragraph.at_the_table,
        }
    }
}

impl Evidence {
    pub(crate) fn collect(game: &Game, paragraphs: &[Paragraph]) -> Evidence {
        let mut evidence = Evidence::default();
        for (number, place) in citations(game) {
            evidence.places.entry(number).or_default().push(place);
        }
        let (shown, only_said) = scripts(game);
        evidence.strays.extend(only_said);
        for (kind, number, link) in shown.into_iter().chain(numbered_tests(game, paragraphs)) {
            evidence.proofs.entry(number).or_default().push((kind, link));
        }
        evidence.look_up_what_the_inventory_names(game, paragraphs);
        evidence.find_strays(game, paragraphs);
        for proofs in evidence.proofs.values_mut() {
            proofs.sort_by_key(|(kind, _)| *kind);
        }
        evidence
    }

    fn look_up_what_the_inventory_names(&mut self, game: &Game, paragraphs: &[Paragraph]) {
        let tests: BTreeSet<(String, String)> = tests().into_iter().collect();
        let checks = checks();
        for Paragraph { number, code, tests: listed, checks: named, browser, .. } in paragraphs {
            for it in code {
                let source = fs::read_to_string(root().join("crates").join(&it.file)).unwrap_or_default();
                if !source.contains(&it.what) {
                    self.strays.push(format!("{} {number}: no `{}` in {}", game.id, it.what, it.file));
                }
                let text = it.file.rsplit_once("/src/").map_or(it.file.as_str(), |(_, text)| text);
                let link = Link { text: format!("`{text}`"), to: format!("../crates/{}", it.file) };
                self.places.entry(number.clone()).or_default().push(link);
            }
            for it in listed {
                if !tests.contains(&(it.file.clone(), it.what.clone())) {
                    self.strays.push(format!("{} {number}: no test {} in {}", game.id, it.what, it.file));
                }
                let link = Link { text: it.what.replace('_', " "), to: format!("../crates/{}", it.file) };
                self.proofs.entry(number.clone()).or_default().push((Kind::Listed, link));
            }
            for it in browser {
                let source =
                    fs::read_to_string(root().join("web/browser").join(&it.file)).unwrap_or_default();
                if !source.contains(&format!("test('{}'", it.what)) {
                    self.strays.push(format!("{} {number}: no test `{}` in {}", game.id, it.what, it.file));
                }
                let link =
                    Link { text: format!("▢ {}", it.what), to: format!("../web/browser/{}", it.file) };
                self.proofs.entry(number.clone()).or_default().push((Kind::Browser, link));
            }
            for name in named {
                if !checks.contains(name) {
                    self.strays.push(format!("{} {number}: no check `{name}`", game.id));
                }
                let to = format!("../crates/{CHECKS}");
                let link = Link { text: format!("check of {name}"), to };
                self.proofs.entry(number.clone()).or_default().push((Kind::Check, link));
            }
        }
    }

    fn find_strays(&mut self, game: &Game, paragraphs: &[Paragraph]) {
        let known: BTreeMap<&str, &Paragraph> =
            paragraphs.iter().map(|paragraph| (paragraph.number.as_str(), paragraph)).collect();
        let proofs =
            self.proofs.iter().flat_map(|(number, proofs)| proofs.iter().map(move |(_, it)| (number, it)));
        let places =
            self.places.iter().flat_map(|(number, places)| places.iter().map(move |it| (number, it)));
        for (number, link) in proofs.chain(places) {
            match known.get(number.as_str()) {
                None => self.strays.push(format!("{} has no {number}: {} ({})", game.id, link.text, link.to)),
                Some(paragraph) if paragraph.no_effect.is_some() => self.strays.push(format!(
                    "{} {number} is listed without effect: {} ({})",
                    game.id, link.text, link.to
                )),
                Some(_) => {}
            }
        }
        for paragraph in paragraphs {
            let others = paragraph.same_as.iter().chain(&paragraph.see);
            for other in others {
                // One step: what is leant upon stands by itself.
                let stands = known
                    .get(other.as_str())
                    .is_some_and(|it| it.same_as.is_none() && it.see.is_none() && it.no_effect.is_none());
                if !stands {
                    self.strays.push(format!("{} {} leans on {other}", game.id, paragraph.number));
                }
            }
        }
    }

    /// What counts as proof of a paragraph itself.
    pub(crate) fn proofs_of(&self, paragraph: &Paragraph) -> impl Iterator<Item = &(Kind, Link)> {
        self.proofs.get(&paragraph.number).into_iter().flatten()
    }

    pub(crate) fn is_proven(&self, paragraph: &Paragraph, paragraphs: &[Paragraph]) -> bool {
        paragraph.no_effect.is_some() || self.kind_of(paragraph, paragraphs).is_some()
    }

    /// The first kind of proof that a paragraph rests on, or the one that it leans on.
    pub(crate) fn kind_of(&self, paragraph: &Paragraph, paragraphs: &[Paragraph]) -> Option<Kind> {
        let fit = |it: &Paragraph| self.proofs_of(it).map(|(kind, _)| *kind).find(|kind| kind.is_fit_for(it));
        let same = paragraphs.iter().find(|it| Some(&it.number) == paragraph.same_as.as_ref());
        fit(paragraph).or(same.and_then(fit))
    }

    pub(crate) fn has_place(&self, paragraph: &Paragraph, paragraphs: &[Paragraph]) -> bool {
        let placed = |number: &String| self.places.get(number).is_some_and(|places| !places.is_empty());
        let elsewhere = paragraph.same_as.iter().chain(&paragraph.see);
        let mut elsewhere = elsewhere.filter(|other| paragraphs.iter().any(|it| it.number == **other));
        paragraph.no_effect.is_some() || placed(&paragraph.number) || elsewhere.any(placed)
    }

    pub(crate) fn without_proof_of(&self, number: &str) -> Evidence {
        let mut less = self.clone();
        less.proofs.remove(number);
        less
    }

    pub(crate) fn without_scripts(&self) -> Evidence {
        let mut less = self.clone();
        less.proofs
            .values_mut()
            .for_each(|proofs| proofs.retain(|(kind, _)| !matches!(kind, Kind::Cited | Kind::Asserted)));
        less
    }
}

/// Each citation of the rule book with the key, bet, layout or irregularity it stands at. An approved file is never
/// edited, so lines can be linked to.
pub(crate) fn citations(game: &Game) -> Vec<(String, Link)> {
    let text = fs::read_to_string(root().join("rulebooks").join(game.rulebook)).expect("a rule book");
    let mut found = Vec::new();
    let (mut section, mut item) = (String::new(), String::new());
    for (no, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_string();
            item.clear();
            continue;
        }
        let key = line.split(" = ").next().unwrap_or_default();
        let value = || line.split('"').nth(1).unwrap_or_default();
        match key {
            "id" | "kind" => item = value().to_string(),
            "variant" => item = format!("{item}:{}", value()),
            _ => {}
        }
        let at = match section.as_str() {
            "play" | "conduct" => key.replace('_', " "),
            "bet" | "irregularity" => item.replace('-', " "),
            _ => format!("{section} {item}").trim().to_string(),
        };
        let topics = matches!(section.as_str(), "play" | "conduct").then(value);
        let cites = line.split("cite = \"").skip(1).filter_map(|after| after.split('"').next());
        for paragraph in topics.into_iter().chain(cites).flat_map(|cite| cite.split(", ")) {
            // Blank lines of a section have no value.
            if !paragraph.is_empty() {
                let link = Link { text: at.clone(), to: format!("../rulebooks/{}#L{no}", game.rulebook) };
                found.push((paragraph.to_string(), link));
            }
        }
    }
    found
}

/// The sources under `crates/*/<folder>`, with their paths under crates/.
pub(crate) fn sources(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let crates = root().join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).expect("crates") {
        walk(&entry.expect("an entry").path().join(folder), &mut files);
    }
    files.sort();
    let name = |path: &Path| path.strip_prefix(&crates).expect("under crates").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("a source"))).collect()
}

/// Every test that is run: its file and its name.
fn tests() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (file, text) in sources("tests") {
        let (mut is_test, mut is_ignored) = (false, false);
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[") {
                is_test |= line == "#[test]";
                is_ignored |= line.starts_with("#[ignore");
            } else if let Some(name) = line.strip_prefix("fn ").and_then(|it| it.split(['(', '<']).next()) {
                if is_test && !is_ignored {
                    found.push((file.clone(), name.to_string()));
                }
                (is_test, is_ignored) = (false, false);
            }
        }
    }
    found
}

/// Tests whose name begins with the game and a paragraph: `wu_song_4_1_2_…`, `rws_appendix_a_…`.
fn numbered_tests(game: &Game, paragraphs: &[Paragraph]) -> Vec<(Kind, String, Link)> {
    let claim = |name: &str| {
        let rest = game.prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)?.strip_prefix('_'))?;
        let words: Vec<&str> = rest.split('_').collect();
        let digits = words.iter().take_while(|word| word.chars().all(|c| c.is_ascii_digit())).count();
        match words[..] {
            ["appendix", letter, ..] => {
                Some((format!("Appendix {}", letter.to_uppercase()), words[2..].join(" ")))
            }
            [..] if digits < 2 => None,
            [..] => {
                let number = words[..digits].join(".");
                // `a` may be a letter of the document or a word of the name.
                let lettered = format!("{number}({})", words.get(digits).copied().unwrap_or_default());
                if paragraphs.iter().any(|it| it.number == lettered) {
                    Some((lettered, words[digits + 1..].join(" ")))
                } else {
                    Some((number, words[digits..].join(" ")))
                }
            }
        }
    };
    let claims = tests().into_iter().filter_map(|(file, name)| Some((file, claim(&name)?)));
    claims
        .map(|(file, (number, text))| {
            (Kind::Numbered, number, Link { text, to: format!("../crates/{file}") })
        })
        .collect()
}

const CHECKS: &str = "punto-rules/tests/checks/mod.rs";

/// The names in the registry of checks, each of which the mutants of a rule book turned red.
fn checks() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("crates").join(CHECKS)).expect("the checks");
    let registry = text.split_once("CHECKS: &[Check] = &[").expect("a registry").1;
    let lines = registry.lines().map(str::trim).take_while(|line| *line != "];");
    lines.filter_map(|line| line.strip_prefix("(\"")?.split('"').next()).map(String::from).collect()
}

/// The table scripts of a game, by their names.
fn texts(game: &Game) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(root().join("docs/scenarios").join(game.id)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("a script"))).collect()
}

/// Plays the table scripts of a game by this rule book.
pub(crate) fn runs(game: &Game, rulebook: &str) -> Vec<(String, Script, Played)> {
    let rulebook: Arc<str> = rulebook.into();
    let run = |(name, text): (String, String)| {
        let script = Script::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let played =
            play(&script, |_| Some(rulebook.clone())).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        (name, script, played)
    };
    texts(game).into_iter().map(run).collect()
}

/// What the table scripts of the game show of what they say they prove, and what they only say.
fn scripts(game: &Game) -> (Vec<(Kind, String, Link)>, Vec<String>) {
    let rulebook = fs::read_to_string(root().join("rulebooks").join(game.rulebook)).expect("a rule book");
    let (mut shown, mut only_said) = (Vec::new(), Vec::new());
    for (name, script, played) in runs(game, &rulebook) {
        let (cited, asserted) = (played.cited(), played.asserted());
        for paragraph in &script.proves {
            let kind = if cited.contains(paragraph) {
                Kind::Cited
            } else if asserted.contains(paragraph) {
                Kind::Asserted
            } else {
                only_said.push(format!("{} {paragraph}: nothing in {name} shows it", game.id));
                continue;
            };
            let text = format!("▸ {}", name.replace(['-', '_'], " "));
            let link = Link { text, to: format!("scenarios/{}/{name}.txt", game.id) };
            shown.push((kind, paragraph.clone(), link));
        }
    }
    (shown, only_said)
}
/// Another number for a paragraph, which no document has.
pub(crate) fn renumber(paragraph: &str) -> String {
    match paragraph.split_once('.') {
        Some((section, rest)) => format!("{section}9.{rest}"),
        None => format!("{paragraph} again"),
    }
}

/// A rule book with every paragraph that it cites renumbered.
pub(crate) fn renumbered(text: &str) -> String {
    let mut section = String::new();
    let cites = |list: &str| list.split(", ").map(renumber).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
        }
        let is_topic = matches!(section.as_str(), "play" | "conduct") && line.contains(" = \"");
        let mut parts: Vec<String> = line.split('"').map(str::to_owned).collect();
        for at in (1..parts.len()).step_by(2) {
            if is_topic || parts[at - 1].ends_with("cite = ") {
                parts[at] = cites(&parts[at]);
            }
        }
        lines.push(if line.starts_with('#') { line.to_owned() } else { parts.join("\"") });
    }
    lines.join("\n") + "\n"
}
