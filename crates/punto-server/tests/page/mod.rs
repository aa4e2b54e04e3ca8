//! docs/protocol.md, made from the types: its examples are a Round that is really played.

mod examples;
mod layout;

use punto_record::{CommandKind, Rejection};
use punto_rules::Post;
use punto_server::wire::LONGEST;
use serde_json::Value;

use examples::{Examples, played};
use layout::{cell, json};

/// The parts of a view that are not as they were.
pub(crate) fn changed(before: &Value, after: &Value) -> Vec<(String, Value)> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { panic!("views are objects") };
    let is_new = |(name, part): &(&String, &Value)| {
        !["seq", "now"].contains(&name.as_str()) && before.get(*name) != Some(part)
    };
    after.iter().filter(is_new).map(|(name, part)| (name.clone(), part.clone())).collect()
}

const HEAD: &str = "# The socket

One WebSocket for each screen, at `/api/socket`. It carries orders to a table, and back what became of them and what happened.
Everything else is HTTP ([openapi.json](openapi.json)). This page is made from the types of the server.

- [How it goes](#how-it-goes)
- [What a screen says](#what-a-screen-says)
- [What the server tells](#what-the-server-tells)
- [Screens](#screens)
- [When it ends](#when-it-ends)
- [Commands, and who may give them](#commands-and-who-may-give-them)
- [Why an order is refused](#why-an-order-is-refused)
- [For programs](#for-programs)

Every message is one JSON object in a text frame, with one key that says what it is. Amounts are whole minor units (cents),
times milliseconds since 1970 UTC, cards two letters (`As`, `Td`). Unknown keys and words are not read over: the server hangs
up.

## How it goes

1. **Hello.** The first message names the table and the kind of screen. A device shows its credential, a member of staff the
   session, as a cookie or in the message; a console needs both.
2. **Welcome**, then a **view**: everything that this screen may see, and in `possible` the orders that it may give now; for a
   terminal less those in `own.lacks`.
3. **Frames.** Each says what one commit brought: its events, and whole parts of the view in place of those that the screen
   has. A screen puts them in place and knows everything; it computes no rule. `seq` only grows; numbers are left out where
   there was nothing for this screen. One that reads too slowly gets a whole view instead of the frames that it missed.
4. **Orders.** An order is named by `id`: the `device` of the welcome, and a number that grows, beginning above `last` of the
   welcome. `by` says who gives it and must be exactly who is connected: `patron` for a terminal, `staff` with their post for
   console and pit, `cashier` for the cage, `house` for a card reader. `at` is filled in by the server; write 0. A wager names its
   Round, so that a late one never lands in the next.
5. **Replies.** Each order gets one, when it is durable. Other messages may come in between.
6. **Say it again.** After `busy`, `unknown` or a broken connection say the same order again, *with the same id*: it is carried
   out once, whatever happens. The answer is then `done`, or `before` with the entry that did it. Another order under an id that
   was used is refused.
7. **Come back.** A new hello with `after`, the last `seq` that was seen: after the view comes one frame with the events in
   between, if the server still has them. The view is complete without them.

A ruling, carried cards, an amended wager and every order that names a second person need **signatures**. The order is first
sent to `POST /api/tables/{table}/pending`: the server holds it and answers with its name, its digest and what it says. Whoever
gives it signs it with their password (`POST /api/approvals`), and so does the second person, there or at any other screen
(`GET /api/pending` shows what waits for one's own signature). Then the screen sends exactly that order in `approved`, with the
name under which it waited. It is good once, in the session that asked for it, for at most fifteen minutes, and only while what
it is about has not changed: the Round, its stage and cards, what waits for a ruling, the shoe, the settings.
";

/// The page.
pub(crate) fn page(protocol: &Value) -> String {
    let examples = played();
    let mut page = HEAD.to_owned();
    page += &format!(
        "\n## What a screen says\n\nAt most {} KiB a message. The example is a terminal at a table of the electronic game.\n",
        LONGEST / 1024
    );
    page += &messages(protocol, "Said", &examples.said);
    page += "\n## What the server tells\n";
    page += &messages(protocol, "Told", &examples.told);
    page += &replies(protocol, &examples);
    page += "\n## Screens\n\n";
    page += &list(protocol, "Screen", "screen", "what it is");
    page += "\n## When it ends\n\nThe server says why before it hangs up.\n\n";
    page += &list(protocol, "Goodbye", "goodbye", "why");
    page += "\nA table whose software stopped or is locked says so in a `status` and keeps its screens.\n\n";
    page += &commands(protocol);
    page += &refusals();
    page += "\n## For programs\n
- [protocol.schema.json](protocol.schema.json): JSON Schema (2020-12) of all of this. `$defs` has every type by its name; `…Told`
  is a type as the server writes it, where more may be left out in what it reads.
- [openapi.json](openapi.json): OpenAPI 3.1 of the HTTP routes, with the same types.
- `web/src/lib/wire.ts`: the same types in TypeScript.
- What the events mean, and who sees which, is in [table.md](table.md).
";
    page
}

fn def<'a>(protocol: &'a Value, name: &str) -> &'a Value {
    protocol.pointer(&format!("/$defs/{name}")).unwrap_or_else(|| panic!("no {name}"))
}

fn words(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_else(|| panic!("without words: {schema}"))
}

/// Every kind of message, with its words and its examples.
fn messages(protocol: &Value, name: &str, examples: &[Value]) -> String {
    let kinds = def(protocol, name)["oneOf"].as_array().expect("kinds of messages");
    let mut text = String::new();
    for kind in kinds {
        let key = kind["required"][0].as_str().expect("a key");
        let shown: Vec<&Value> = examples.iter().filter(|it| it.get(key).is_some()).collect();
        assert!(!shown.is_empty(), "an example of `{key}`");
        text += &format!("\n### `{key}`\n\n{}\n", words(kind));
        text += &shown.iter().map(|it| format!("\n```json\n{}\n```\n", json(it))).collect::<String>();
    }
    text
}

/// A closed list.
fn list(protocol: &Value, name: &str, head: &str, meaning: &str) -> String {
    let all = def(protocol, name)["oneOf"].as_array().expect("a closed list");
    let row = |it: &Value| format!("| `{}` | {} |\n", it["const"].as_str().expect("a word"), cell(words(it)));
    format!("| {head} | {meaning} |\n|---|---|\n{}", all.iter().map(row).collect::<String>())
}

fn replies(protocol: &Value, examples: &Examples) -> String {
    let answers = def(protocol, "Answer")["oneOf"].as_array().expect("answers");
    let mut rows = String::new();
    for answer in answers {
        let word = answer["const"].as_str().or(answer["required"][0].as_str()).expect("a word");
        rows += &format!("| `{word}` | {} |\n", cell(words(answer)));
    }
    let shown: String = examples.answers.iter().map(|it| format!("{}\n", json(it))).collect();
    let denials = list(protocol, "Denial", "denied", "why");
    format!("\n### Answers\n\n| answer | means |\n|---|---|\n{rows}\n```json\n{shown}```\n\n{denials}")
}

const fn post(post: Post) -> &'static str {
    match post {
        Post::Dealer => "Dealer or above",
        Post::PitSupervisor => "Pit Supervisor or above",
        Post::PitManager => "Pit Manager or above",
        Post::ShiftManager => "Shift Manager or above",
        Post::DutyManager => "Duty Manager",
    }
}

fn commands(protocol: &Value) -> String {
    let variants = def(protocol, "Command")["oneOf"].as_array().expect("commands");
    let mut text = "## Commands, and who may give them

Nobody else may. The rules of the game and the moment narrow it further; `possible` in the view says what is left. \u{2217} The order
names its Round.

| command | what it does | who |\n|---|---|---|\n"
        .to_owned();
    for kind in CommandKind::ALL {
        let variant = variants.iter().find(|it| it["properties"]["do"]["const"] == kind.id());
        let may = kind.facts().by;
        let who = [
            may.patron.then_some("patron"),
            may.from.map(post),
            may.cashier.then_some("Cashier"),
            may.administrator.then_some("Administrator"),
            may.house.then_some("the table's software"),
        ];
        let who: Vec<&str> = who.into_iter().flatten().collect();
        let star = if kind.facts().names_its_round { " \u{2217}" } else { "" };
        let what = cell(words(variant.expect("every command is described")));
        text += &format!("| `{}`{star} | {what} | {} |\n", kind.id(), who.join(", "));
    }
    text
}

/// The reasons, from the golden lines: each with figures as an order would get them.
fn refusals() -> String {
    let mut text = "
## Why an order is refused

One reason, the first of this list that holds; `cite` is the paragraph where there is one. The figures are examples.

| reason | in words | with |\n|---|---|---|\n"
        .to_owned();
    for line in super::golden("rejections.ndjson") {
        let rejection: Rejection = serde_json::from_value(line.clone()).expect("a refusal");
        let fields = line.as_object().expect("an object").keys();
        let fields: Vec<String> = fields
            .filter(|it| !["reason", "cite"].contains(&it.as_str()))
            .map(|it| format!("`{it}`"))
            .collect();
        let (word, why) = (rejection.reason.kind().id(), rejection.reason.to_string());
        text += &format!("| `{word}` | {} | {} |\n", cell(&why), fields.join(", "));
    }
    text
}
