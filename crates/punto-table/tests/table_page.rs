//! What `docs/table.md` lists and `docs/scenarios/README.md` names is what the code and the scripts have.
//!
//! `PUNTO_UPDATE=1 cargo test -p punto-table --test table_page` writes both anew.

mod scripts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use punto_record::TicketAnswer;
use punto_record::{
    Actor, Command, CommandKind, Entry, Event, EventKind, GivenBy, Order, OrderId, ReasonKind, Release,
};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Irregularity, IrregularityKind, Post, Rulebook};
use punto_table::script::{Outcome, play};
use punto_table::{Desk, Feed, Given};
use scripts::{approved, scenarios};

const COMMANDS: &str = include_str!("../../punto-record/src/command.rs");
const EVENTS: &str = include_str!("../../punto-record/src/event.rs");
const REASONS: &str = include_str!("../../punto-record/src/rejection.rs");

fn docs(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)
}

/// Compares a page with what it should be, or writes it.
fn keep_fresh(page: &str, fresh: &str) {
    let path = docs(page);
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        fs::write(&path, fresh).expect("the page can be written");
        return;
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let stale = "is stale; run: PUNTO_UPDATE=1 cargo test -p punto-table --test table_page";
    assert!(written == fresh, "docs/{page} {stale}");
}

#[test]
fn the_lists_of_the_table_page_are_fresh() {
    let mut page = fs::read_to_string(docs("table.md")).expect("the page");
    for (name, list) in [
        ("posts", posts()),
        ("irregularities", irregularities()),
        ("refusals", refusals()),
        ("orders", orders()),
        ("events", events()),
    ] {
        let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("a place for {name}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("an end of {name}"));
        page = format!("{before}{begin}\n{list}\n{end}{after}");
    }
    keep_fresh("table.md", &page);
}

#[test]
fn the_index_of_scenarios_is_fresh() {
    let mut page = String::from(
        "# Scenarios\n\n\
         Each file here is a table in plain text: orders, and below each what happened. They are documentation and tests at\n\
         once; `punto play docs/scenarios/…` tells one, and [the table](../table.md#10-scripts) explains the language. This\n\
         index is made from the files: the title is the first line, and the paragraphs are those of the game's document that\n\
         the script stands for.\n",
    );
    let scenarios = scenarios();
    for rulebook in rulebooks() {
        let own: Vec<_> = scenarios.iter().filter(|it| it.game == rulebook.game).collect();
        page += &format!("\n## {}\n\n{} scenarios.\n\n", rulebook.title.en, own.len());
        page += "| scenario | what happens | paragraphs |\n|---|---|---|\n";
        for scenario in own {
            let file = scenario.path.file_name().expect("a name").to_string_lossy();
            let name = file.trim_end_matches(".txt").replace('-', " ");
            let mut proves = scenario.script.proves.clone();
            proves.sort_by_key(|it| it.split('.').map(|no| no.parse().unwrap_or(0)).collect::<Vec<u32>>());
            let (title, proves) = (&scenario.script.title, proves.join(", "));
            page += &format!("| [{name}]({}/{file}) | {title} | {proves} |\n", scenario.game);
        }
    }
    keep_fresh("scenarios/README.md", &page);
}

/// The approved rule books.
fn rulebooks() -> Vec<Rulebook> {
    let parse = |(_, text): &(&str, &str)| Rulebook::parse(text).expect("approved rule books have no fault");
    APPROVED.iter().map(parse).collect()
}

/// One entry of a list in the source: `Variant = "word" { fields } "message",` and what is said above it.
struct Listed {
    group: String,
    doc: String,
    word: String,
    fields: Vec<Field>,
    message: String,
}

struct Field {
    name: String,
    optional: bool,
    doc: String,
}

/// Reads the lists that the macros of `punto-record` declare.
fn listed(source: &str) -> Vec<Listed> {
    let (mut list, mut group, mut doc) = (Vec::new(), String::new(), Vec::new());
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if let Some(said) = line.strip_prefix("/// ") {
            doc.push(said);
            continue;
        }
        if let Some(heading) = line.strip_prefix("// ") {
            group = heading.trim_end_matches('.').to_owned();
        } else if line.starts_with(char::is_uppercase)
            && let Some((_, rest)) = line.split_once(" = \"")
        {
            let mut text = rest.to_owned();
            while text.matches('{').count() != text.matches('}').count() || !text.ends_with(',') {
                text = format!("{text}\n{}", lines.next().expect("an entry ends"));
            }
            let (word, rest) = text.split_once('"').expect("a word");
            let (inside, rest) = rest.split_once('{').and_then(|(_, it)| it.split_once('}')).expect("fields");
            list.push(Listed {
                group: group.clone(),
                doc: doc.join(" "),
                word: word.to_owned(),
                fields: fields(inside),
                message: rest.trim().trim_end_matches(',').trim_matches('"').to_owned(),
            });
        }
        doc.clear();
    }
    list
}

fn fields(text: &str) -> Vec<Field> {
    let (mut fields, mut doc, mut written, mut depth) = (Vec::new(), Vec::new(), String::new(), 0);
    for line in text.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("/// ") {
            doc.push(said);
            continue;
        }
        for letter in line.chars() {
            depth += i32::from("([<".contains(letter)) - i32::from(")]>".contains(letter));
            if letter == ',' && depth == 0 {
                fields.push(field(written.trim(), doc.join(" ")));
                doc.clear();
                written.clear();
            } else {
                written.push(letter);
            }
        }
    }
    fields
}

/// `#[serde(rename = "box", default)] box_no: Option<BoxNo>`.
fn field(written: &str, doc: String) -> Field {
    let (before, _) = written.split_once(": ").expect("a type");
    let own = before.rsplit("] ").next().expect("a name");
    let renamed = before.split_once("rename = \"").and_then(|(_, it)| it.split_once('"'));
    let name = renamed.map_or(own, |(name, _)| name).to_owned();
    Field { name, optional: before.contains("default"), doc }
}

fn shown(fields: &[Field]) -> String {
    let field = |it: &Field| format!("`{}`{}", it.name, if it.optional { "?" } else { "" });
    fields.iter().map(field).collect::<Vec<_>>().join(", ")
}

/// The reasons for a refusal, in order of precedence.
fn refusals() -> String {
    let list = listed(REASONS);
    let words: Vec<&str> = list.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(words, ReasonKind::ALL.iter().map(|it| it.id()).collect::<Vec<_>>(), "the list as it is read");
    let mut rows = String::from("| | word | meaning |\n|--:|---|---|\n");
    let mut group = "";
    for (no, it) in list.iter().enumerate() {
        if group != it.group {
            group = &it.group;
            rows += &format!("| | **{group}** | |\n");
        }
        // What the message fills in is set off.
        let meaning = it.message.replace("`{", "{").replace("}`", "}").replace(['{', '}'], "*");
        rows += &format!("| {} | `{}` | {meaning} |\n", no + 1, it.word);
    }
    rows
}

fn orders() -> String {
    let list = listed(COMMANDS);
    let words: Vec<&str> = list.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(
        words,
        CommandKind::ALL.iter().map(|it| it.id()).collect::<Vec<_>>(),
        "the list as it is read"
    );
    let mut rows = String::from("| order | fields | what it asks |\n|---|---|---|\n");
    let mut group = "";
    for it in &list {
        if group != it.group {
            group = &it.group;
            rows += &format!("| **{group}** | | |\n");
        }
        rows += &format!("| `{}` | {} | {} |\n", it.word, shown(&it.fields), it.doc);
    }
    rows
}

fn events() -> String {
    let list = listed(EVENTS);
    let words: Vec<&str> = list.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(words, EventKind::ALL.iter().map(|it| it.id()).collect::<Vec<_>>(), "the list as it is read");
    let seen = seen();
    let mut rows = String::from("| event | fields | seen by | note |\n|---|---|---|---|\n");
    for it in &list {
        let mut notes = vec![it.doc.clone()];
        let noted = it.fields.iter().filter(|field| !field.doc.is_empty());
        notes.extend(noted.map(|field| format!("`{}`: {}", field.name, field.doc)));
        let notes = notes.join(" ");
        let by = seen.get(it.word.as_str()).unwrap_or_else(|| panic!("no scenario has {}", it.word));
        rows += &format!("| `{}` | {} | {by} | {} |\n", it.word, shown(&it.fields), notes.trim());
    }
    rows
}

/// On which feeds each kind of event goes out, over all scenarios.
fn seen() -> BTreeMap<&'static str, &'static str> {
    let mut feeds: BTreeMap<&'static str, BTreeSet<&'static str>> = BTreeMap::new();
    for scenario in scenarios() {
        let played = play(&scenario.script, approved).expect("a script");
        let mut desk = Desk::new(Release("page".into()));
        let done = played.steps.iter().flat_map(|step| step.orders.iter().map(move |it| (it, &step.rules)));
        let done = done.filter(|((_, outcome), _)| matches!(outcome, Outcome::Events(_)));
        let orders =
            played.entries.iter().zip(done).map(|(entry, (_, rules))| {
                (entry.order.clone(), Given { rules: rules.clone(), ..given(entry) })
            });
        // No scenario needs a clock that jumps.
        let end = played.table.state().now;
        let jump = Order {
            id: OrderId { device: "page".into(), n: 1 },
            by: Actor::House,
            at: end,
            round: None,
            command: Command::NoteClock { from: end, to: end },
        };
        for (order, given) in orders.chain([(jump, Given::default())]) {
            desk.hand_in(order, &given);
            let Some(batch) = desk.batch() else { continue };
            for frame in desk.receipt(batch.entries.last().expect("an entry").seq).frames {
                let feed = match frame.feed {
                    Feed::Public => "all",
                    Feed::Patron(_) => "patron",
                    Feed::Floor => "console",
                    Feed::Cage => "cage",
                    Feed::Staff => "pit",
                };
                for event in &frame.events {
                    feeds.entry(event.kind().id()).or_default().insert(feed);
                }
            }
        }
    }
    let who = |on: &BTreeSet<&str>| match (on.contains("all"), on.contains("patron"), on.contains("cage")) {
        (true, true, _) => "all; patrons their own part",
        (true, false, _) => "all",
        (false, true, true) => "patron, cage",
        (false, true, false) => "patron, console",
        (false, false, true) => "cage",
        (false, false, false) => "console",
    };
    feeds.iter().map(|(event, on)| (*event, who(on))).collect()
}

/// What the store said when the order was carried out.
fn given(entry: &Entry) -> Given {
    let mut given = Given::default();
    for event in &entry.events {
        if let Event::TicketRedeemed { amount, .. } = event {
            given.ticket = Some(TicketAnswer::Reserved { amount: *amount, currency: Some("SGD".into()) });
        } else if let Event::CashedOut { ticket, .. } = event {
            given.new_ticket = Some(ticket.clone().into());
        }
    }
    given
}

/// Orders by who may give them.
fn posts() -> String {
    let mut rows: Vec<(GivenBy, Vec<&str>)> = Vec::new();
    for kind in CommandKind::ALL {
        let may = kind.facts().by;
        match rows.iter_mut().find(|(of, _)| *of == may) {
            Some((_, words)) => words.push(kind.id()),
            None => rows.push((may, vec![kind.id()])),
        }
    }
    let mut table = String::from(
        "| orders | patron | floor staff from | Cashier | Administrator | House |\n|---|:-:|---|:-:|:-:|:-:|\n",
    );
    for (may, words) in rows {
        let tick = |it: bool| if it { "●" } else { "" };
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        table += &format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            words.join(" "),
            tick(may.patron),
            may.from.map_or("", Post::name),
            tick(may.cashier),
            tick(may.administrator),
            tick(may.house)
        );
    }
    table
}

/// What the approved rule books say about each kind, told apart where they differ.
fn irregularities() -> String {
    let books = rulebooks();
    let mut table = String::from(
        "| kind | Wu Song | RWS | Da Hu | ETG | in time | remedy | decides | choice | shoe |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for kind in IrregularityKind::ALL {
        let cite = |game: &str| {
            let book = books.iter().find(|it| it.game == game).expect("an approved game");
            book.irregularity(*kind).map_or("–", |it| it.cite.as_str())
        };
        let cell = |say: &dyn Fn(&Irregularity) -> String| told_apart(&books, *kind, say);
        table += &format!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            kind.id(),
            cite("wu-song"),
            cite("rws-baccarat"),
            cite("da-hu-ying-xiong"),
            cite("ncb-etg"),
            cell(&|it| it.in_time.map_or("", |it| it.id()).to_owned()),
            cell(&|it| it.remedy.id().to_owned()),
            cell(&decides),
            cell(&|it| it.choice.map_or("", |it| it.id()).to_owned()),
            cell(&|it| it.shoe.map_or("", |it| it.id()).to_owned()),
        );
    }
    table
}

fn decides(it: &Irregularity) -> String {
    let post = it.decides.map(|post| if post == Post::ShiftManager { "Shift Manager" } else { post.name() });
    let second = it.second_person.then_some("a second person");
    let discretion = it.discretion.map(|it| format!("{} discretion", it.id()));
    let words = [post, second, discretion.as_deref()];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What the games say, once if they agree.
fn told_apart(books: &[Rulebook], kind: IrregularityKind, say: &dyn Fn(&Irregularity) -> String) -> String {
    const SHORT: [(&str, &str); 4] =
        [("wu-song", "Wu Song"), ("rws-baccarat", "RWS"), ("da-hu-ying-xiong", "Da Hu"), ("ncb-etg", "ETG")];
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for (game, short) in SHORT {
        let book = books.iter().find(|it| it.game == game).expect("an approved game");
        let Some(text) = book.irregularity(kind).map(say) else { continue };
        match said.iter_mut().find(|(it, _)| *it == text) {
            Some((_, games)) => games.push(short),
            None => said.push((text, vec![short])),
        }
    }
    if let [(text, _)] = said.as_slice() {
        return text.clone();
    }
    let told = said.iter().filter(|(text, _)| !text.is_empty()).map(|(text, games)| {
        let live = games.as_slice() == ["Wu Song", "RWS", "Da Hu"];
        let games = if live { "live games".to_owned() } else { games.join(", ") };
        format!("{games}: {text}")
    });
    told.collect::<Vec<_>>().join("; ")
}
