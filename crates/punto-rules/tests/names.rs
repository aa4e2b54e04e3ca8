//! The grammar of names, the characters that can be seen, and how text that holds others is shown.

use proptest::prelude::*;
use punto_rules::name::{Grammar, LONGEST_NAME, is_name};
use punto_rules::text::{Html, LONGEST_LABEL, LONGEST_LINE, Shown, ShownLines, is_visible, one_line};
use punto_rules::{BetId, Rulebook};

/// What is no name, whoever asks.
const NO_NAMES: [&str; 24] = [
    "",
    " ",
    "T 1",
    " T1",
    "T1 ",
    "T1\n",
    "\n",
    "T\u{0}1",
    "T/1",
    "..",
    ".",
    "T_1",
    "T\"1",
    "T'1",
    "<script>",
    "=cmd()",
    "\u{1b}[31mT",
    "T\u{202e}1",
    "T\u{200b}1",
    "T\u{feff}",
    "T１",
    "٣",
    "桌1",
    "é",
];

#[test]
fn a_name_is_letters_digits_and_hyphens() {
    for text in NO_NAMES {
        assert!(!is_name(text), "{text:?}");
        assert!(text.parse::<BetId>().is_err(), "{text:?}");
    }
    for text in
        ["T1", "1", "a", "big-tiger", "-", "-T1", "0000-0000-0000-0001-9946", &"x".repeat(LONGEST_NAME)]
    {
        assert!(is_name(text), "{text:?}");
        assert_eq!(text.parse::<BetId>().unwrap().as_str(), text);
    }
    assert!(!is_name(&"x".repeat(LONGEST_NAME + 1)) && !is_name(&"x".repeat(10_000)));
    let error = "T 1".parse::<BetId>().unwrap_err().to_string();
    assert_eq!(error, "expected 1 to 40 letters (a-z, A-Z), digits and hyphens");
}

#[test]
#[should_panic(expected = "T 1")]
fn a_literal_that_is_no_name_is_a_bug() {
    let _ = BetId::from("T 1");
}

#[test]
fn a_ticket_is_a_name_or_two() {
    for text in ["ticket-1", "T1/ticket-1", "0000-0000-0000-0001-9946"] {
        assert!(Grammar::Ticket.admits(text), "{text}");
    }
    for text in ["", "/", "T1/", "/ticket-1", "a/b/c", "T 1/ticket-1", "T1/ticket 1"] {
        assert!(!Grammar::Ticket.admits(text), "{text}");
    }
}

#[test]
fn a_label_is_what_can_be_seen_on_one_line() {
    for text in ["Blue 4", "夜班", "Salon Privé", "=4", "<b>", "a", &"桌".repeat(LONGEST_LABEL)] {
        assert!(Grammar::Label.admits(text), "{text}");
    }
    let long = "桌".repeat(LONGEST_LABEL + 1);
    for text in ["", " ", " a", "a ", "a\nb", "a\tb", "a\u{202e}b", "a\u{200b}", "\u{3000}a", &long] {
        assert!(!Grammar::Label.admits(text), "{text:?}");
    }
    assert!(Grammar::Line.admits("") && Grammar::Line.admits(&"桌".repeat(LONGEST_LINE)));
    assert!(!Grammar::Line.admits(&"桌".repeat(LONGEST_LINE + 1)) && !Grammar::Line.admits("a\nb"));
    assert!(Grammar::Page.admits("a\n\tb\r\n") && !Grammar::Page.admits("a\u{202e}"));
}

/// Every character that Unicode 15 calls a control (Cc), a format (Cf), a line or paragraph separator (Zl, Zp) or
/// Default_Ignorable_Code_Point.
const UNSEEN: [(u32, u32); 33] = [
    (0x0, 0x1f),
    (0x7f, 0x9f),
    (0xad, 0xad),
    (0x34f, 0x34f),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x115f, 0x1160),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xfdd0, 0xfdef),
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0xfffe, 0xffff),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0x1fffe, 0x1ffff),
    (0x2fffe, 0x2ffff),
    (0xe0000, 0xe0fff),
    (0x10fffe, 0x10ffff),
];

#[test]
fn every_character_is_visible_or_on_the_list() {
    for c in '\0'..=char::MAX {
        let code = u32::from(c);
        let is_listed =
            UNSEEN.iter().any(|(from, to)| (*from..=*to).contains(&code)) || code & 0xfffe == 0xfffe;
        assert_eq!(is_visible(c), !is_listed, "U+{code:04X}");
    }
}

#[test]
fn text_is_shown_on_one_line_and_does_nothing() {
    assert_eq!(Shown("夜班 T1").to_string(), "夜班 T1");
    assert_eq!(
        Shown("a\u{1b}[31m\n\u{202e}\u{e0041}").to_string(),
        "a\\u001b[31m\\u000a\\u202e\\udb40\\udc41"
    );
    assert_eq!(ShownLines("a\n\tb\r\u{1b}").to_string(), "a\n\tb\\u000d\\u001b");
    assert_eq!(format!("{:>4}|{:<4}|", Shown("ab"), Shown("ab")), "  ab|ab  |");
    assert_eq!(Html("<a href=\"x\">'&\u{202e}").to_string(), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\u202e");
    assert_eq!(one_line(&"\n".repeat(5000)).chars().count(), LONGEST_LINE);
}

#[test]
fn a_rule_book_has_nothing_in_it_that_cannot_be_seen() {
    let (_, good) = punto_rules::rulebook::APPROVED[0];
    for unseen in ["\u{202e}", "\u{200b}", "\u{feff}", "\u{2066}", "\u{e0041}"] {
        let code = format!("U+{:04X}", u32::from(unseen.chars().next().unwrap()));
        // As such in a comment, as such in a label, and as an escape in a label.
        let comment = good.replacen("\n[", &format!("\n# a{unseen}b\n["), 1);
        let label = good.replacen("en = \"", &format!("en = \"{unseen}"), 1);
        let escape = format!("en = \"\\U{:08x}", u32::from(unseen.chars().next().unwrap()));
        let escaped = good.replacen("en = \"", &escape, 1);
        for text in [comment, label, escaped] {
            assert_ne!(text, good);
            let faults = Rulebook::parse(&text).unwrap_err();
            assert!(faults.0.iter().any(|fault| fault.message.contains(&code)), "{faults:?}");
            // What is in the record is read as it stands.
            assert!(Rulebook::recorded(&text).is_ok());
        }
    }
    assert!(Rulebook::parse(good).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_shown_can_be_seen(text in any::<String>()) {
        prop_assert!(Shown(&text).to_string().chars().all(is_visible));
        prop_assert!(one_line(&text).chars().all(is_visible));
        prop_assert!(!Html(&text).to_string().contains(['<', '>', '"', '\'']));
        if text.chars().all(is_visible) {
            prop_assert_eq!(Shown(&text).to_string(), text);
        }
    }

    #[test]
    fn what_a_name_admits_every_wider_grammar_admits(text in "[A-Za-z0-9-]{1,40}") {
        // A currency is narrower than a name.
        for grammar in Grammar::ALL.into_iter().filter(|it| *it != Grammar::Currency) {
            prop_assert!(grammar.admits(&text), "{:?}", grammar);
        }
    }
}
