//! Standard output: whatever was in the data, nothing in it acts on the terminal or on whoever reads along.
//!
//! What verbs print goes through here, so that none of them has to think of it. Bytes that are hashed or signed are left
//! alone on their way into a file, and escaped only where a terminal shows them.

use std::io::{self, Write};

use punto_rules::text::is_visible;

/// What is let through beside text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lets {
    /// Everything: records and proofs on their way into a file.
    Bytes,
    /// Colours and weights of our own; verbs that set them show data by `Shown`.
    Styles,
    /// Text alone.
    Text,
}

/// Writes text with every character escaped that cannot be seen, as JSON would escape it: inside JSON it is the same value.
pub(crate) struct Printed<W: Write> {
    out: W,
    lets: Lets,
    /// The beginning of a character, or of a style, whose end has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Printed<W> {
    pub(crate) const fn new(out: W, lets: Lets) -> Printed<W> {
        Printed { out, lets, begun: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut left = bytes.len();
        for chunk in bytes.utf8_chunks() {
            self.put_text(chunk.valid())?;
            left -= chunk.valid().len() + chunk.invalid().len();
            let is_begun = |bad: &[u8]| std::str::from_utf8(bad).is_err_and(|it| it.error_len().is_none());
            match chunk.invalid() {
                [] => {}
                bad if left == 0 && is_begun(bad) => self.begun.extend_from_slice(bad),
                _ => self.out.write_all("\u{fffd}".as_bytes())?,
            }
        }
        Ok(())
    }

    fn put_text(&mut self, text: &str) -> io::Result<()> {
        let mut plain = 0;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let end = at + c.len_utf8();
            if is_visible(c) || matches!(c, '\n' | '\t') {
                at = end;
                continue;
            }
            if c == '\u{1b}' && self.lets == Lets::Styles {
                match style(&text.as_bytes()[at..]) {
                    Style::Whole(length) => {
                        at += length;
                        continue;
                    }
                    Style::Begun => {
                        self.out.write_all(&text.as_bytes()[plain..at])?;
                        self.begun.extend_from_slice(&text.as_bytes()[at..]);
                        return Ok(());
                    }
                    Style::None => {}
                }
            }
            self.out.write_all(&text.as_bytes()[plain..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(self.out, "\\u{unit:04x}")?;
            }
            (at, plain) = (end, end);
        }
        self.out.write_all(&text.as_bytes()[plain..])
    }
}

enum Style {
    /// So many bytes are one.
    Whole(usize),
    /// It may become one.
    Begun,
    /// It is none.
    None,
}

/// `ESC [ 1 ; 31 m`: colours and weights, and nothing that moves, clears or names anything.
fn style(bytes: &[u8]) -> Style {
    match bytes {
        [0x1b] | [0x1b, b'['] => Style::Begun,
        [0x1b, b'[', rest @ ..] => match rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';')) {
            Some(at) if rest[at] == b'm' => Style::Whole(at + 3),
            Some(_) => Style::None,
            None if rest.len() < 32 => Style::Begun,
            None => Style::None,
        },
        _ => Style::None,
    }
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
        if self.lets == Lets::Bytes || (self.begun.is_empty() && bytes.iter().all(is_plain)) {
            self.out.write_all(bytes)?;
        } else if self.begun.is_empty() {
            self.put(bytes)?;
        } else {
            let mut whole = std::mem::take(&mut self.begun);
            whole.extend_from_slice(bytes);
            self.put(&whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(lets: Lets, pieces: &[&[u8]]) -> String {
        let mut out = Printed::new(Vec::new(), lets);
        for piece in pieces {
            out.write_all(piece).unwrap();
        }
        String::from_utf8(out.out).unwrap()
    }

    #[test]
    fn nothing_in_data_acts_on_the_terminal() {
        let text = "table\tT\u{1b}[31m\u{1b}]0;x\u{7}\u{9b}2J\r\u{202e}夜班\u{e0041}\n";
        let shown = "table\tT\\u001b[31m\\u001b]0;x\\u0007\\u009b2J\\u000d\\u202e夜班\\udb40\\udc41\n";
        assert_eq!(printed(Lets::Text, &[text.as_bytes()]), shown);
        // However it is cut, also in the middle of a character.
        for cut in 0..text.len() {
            let (one, two) = text.as_bytes().split_at(cut);
            assert_eq!(printed(Lets::Text, &[one, two]), shown, "cut at {cut}");
        }
        assert_eq!(printed(Lets::Bytes, &[text.as_bytes()]), text);
    }

    #[test]
    fn styles_go_through_where_a_verb_sets_them_and_nothing_else_does() {
        let text = "\u{1b}[1;31mno\u{1b}[0m \u{1b}[2J\u{1b}]8;;x\u{1b}\\";
        let shown = "\u{1b}[1;31mno\u{1b}[0m \\u001b[2J\\u001b]8;;x\\u001b\\";
        for cut in 0..text.len() {
            let (one, two) = text.as_bytes().split_at(cut);
            assert_eq!(printed(Lets::Styles, &[one, two]), shown, "cut at {cut}");
        }
        assert!(!printed(Lets::Text, &[text.as_bytes()]).contains('\u{1b}'));
    }

    #[test]
    fn what_is_no_text_is_told_apart() {
        assert_eq!(printed(Lets::Text, &[b"a\xffb\xc3", b"\xa9"]), "a\u{fffd}bé");
    }
}
