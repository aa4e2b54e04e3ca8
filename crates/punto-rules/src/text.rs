//! What text from outside may hold, and how text that holds more is shown.
//!
//! Everything that is typed, sent or read from a file and then stored is one line that can be seen: no control characters,
//! nothing invisible, nothing that changes the direction of writing. The record is evidence and is read as it stands, also
//! where an earlier release let more in; so whatever is printed goes through [`Shown`].

use std::fmt::{self, Write as _};

/// The most characters of a line of free text: a reason, a description, a reference.
pub const LONGEST_LINE: usize = 1000;

/// The most characters of a label: a card set, a shift, a pit, a person's name as shown.
pub const LONGEST_LABEL: usize = 64;

/// Whether a character leaves a mark or a gap where it stands, and changes nothing around it.
///
/// Not so: control characters (Cc), line and paragraph separators (Zl, Zp), format characters (Cf, among them all that
/// change the direction of writing), whatever Unicode lets a renderer ignore (Default_Ignorable_Code_Point, among them
/// variation selectors, fillers and tags), the blank Braille pattern, and code points that are no characters.
pub const fn is_visible(c: char) -> bool {
    !matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        && c as u32 & 0xfffe != 0xfffe
}

/// Whether it is one line of visible characters, of at most [`LONGEST_LINE`]. It may be empty.
pub fn is_line(text: &str) -> bool {
    text.chars().all(is_visible) && text.chars().nth(LONGEST_LINE).is_none()
}

/// Whether it is a label: one line of 1 to [`LONGEST_LABEL`] visible characters that neither begins nor ends with a space.
pub fn is_label(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && text.chars().all(is_visible)
        && text.chars().nth(LONGEST_LABEL).is_none()
}

/// Whether it is a text of several lines: visible characters, line ends and tabs.
pub fn is_page(text: &str) -> bool {
    text.chars().all(|c| is_visible(c) || matches!(c, '\n' | '\r' | '\t'))
}

/// Text as it is shown on a terminal, in a log or on a page: on one line, and with every character that is not visible
/// written as JSON would escape it (`\u001b`), so that nothing in it acts on what shows it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.chars().all(is_visible) {
            return f.pad(self.0);
        }
        f.pad(&escaped(self.0, |_| false))
    }
}

/// Text of several lines as it is shown: line ends and tabs stay, everything else is as in [`Shown`].
#[derive(Clone, Copy, Debug)]
pub struct ShownLines<'a>(pub &'a str);

impl fmt::Display for ShownLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_page(self.0) && !self.0.contains('\r') {
            return f.write_str(self.0);
        }
        f.write_str(&escaped(self.0, |c| matches!(c, '\n' | '\t')))
    }
}

/// Text as it stands in HTML and SVG, between tags or in quotes.
#[derive(Clone, Copy, Debug)]
pub struct Html<'a>(pub &'a str);

impl fmt::Display for Html<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in ShownLines(self.0).to_string().chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Words of the software's own, in which anything may be quoted, as one line that can be written down: escaped, and cut where
/// it is too long.
pub fn one_line(text: &str) -> String {
    Shown(text).to_string().chars().take(LONGEST_LINE).collect()
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_visible(c) || stays(c) {
            shown.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(shown, "\\u{unit:04x}").expect("text takes everything");
            }
        }
    }
    shown
}
