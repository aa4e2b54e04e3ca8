//! Signed text: lines of a word and a value, the key and its signature at the end. One value has one text, so nothing can hide in
//! spaces, leading zeros or capital letters.

use crate::{Chain, Digest, Seq, Volume};

/// The lines of a text, taken one after another.
pub(crate) struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

/// A line that is not what was expected there: its number, from 1, and what was expected.
pub(crate) struct BadLine {
    pub(crate) line: usize,
    pub(crate) expected: &'static str,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().collect(), at: 0 }
    }

    /// The next line, if it can be read so; otherwise it stays the next line.
    pub(crate) fn take<T>(
        &mut self,
        expected: &'static str,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Result<T, BadLine> {
        let found = self.lines.get(self.at).and_then(|line| read(line));
        self.at += usize::from(found.is_some());
        found.ok_or(BadLine { line: self.at + 1, expected })
    }

    pub(crate) fn take_end(&self) -> Result<(), BadLine> {
        match self.lines.len() == self.at {
            true => Ok(()),
            false => Err(BadLine { line: self.at + 1, expected: "nothing more" }),
        }
    }
}

/// The digest after a word.
pub(crate) fn digest_after(line: &str, word: &str) -> Option<Digest> {
    line.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
}

/// The number after a word.
pub(crate) fn number_after(line: &str, word: &str) -> Option<u64> {
    line.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
}

/// The volume and its chain after a word.
pub(crate) fn place_after(line: &str, word: &str) -> Option<(Volume, Chain)> {
    let mut words = line.strip_prefix(word)?.strip_prefix(' ')?.split(' ');
    let (volume, seq, link) = (words.next()?, words.next()?, words.next()?);
    let chain = Chain { seq: Seq(seq.parse().ok()?), link: link.parse().ok()? };
    volume.parse().ok().map(|volume| (volume, chain)).filter(|_| words.next().is_none())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// A signature from 128 hexadecimal digits.
pub(crate) fn signature_from_hex(text: &str) -> Option<[u8; 64]> {
    let (r, s) = (text.get(..64)?, text.get(64..)?);
    let (r, s): (Digest, Digest) = (r.parse().ok()?, s.parse().ok()?);
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r.0);
    signature[32..].copy_from_slice(&s.0);
    Some(signature)
}
