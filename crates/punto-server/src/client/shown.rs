//! What a screen shows: the sections of its view, each replaced whole by frames that bring a new one. No rule is worked
//! out here, as none is in a browser.

use punto_record::{CommandKind, RoundNo, Seq, Timestamp};
use punto_rules::Money;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::wire::{Frame, Told};

/// What a screen shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown(Map<String, Value>);

impl Shown {
    /// Takes in what the server tells.
    pub fn take(&mut self, told: &Told) {
        match told {
            Told::View(view) => {
                if let Value::Object(sections) = view.as_ref() {
                    self.0 = sections.clone();
                }
            }
            Told::Frame(Frame { seq, now, view, .. }) => {
                self.0.extend(view.iter().map(|(name, section)| (name.clone(), section.clone())));
                self.0.insert("seq".to_owned(), seq.0.into());
                self.0.insert("now".to_owned(), now.0.into());
            }
            Told::Welcome(_) | Told::Reply(_) | Told::Status(_) | Told::Pong(_) | Told::Goodbye(_) => {}
        }
    }

    /// All sections, by their names.
    pub fn sections(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A section, or something in it: `/table/unit`. Null where there is none.
    pub fn at(&self, path: &str) -> &Value {
        let (name, rest) = match path[1..].split_once('/') {
            Some((name, _)) => (name, &path[1 + name.len()..]),
            None => (&path[1..], ""),
        };
        self.0.get(name).and_then(|section| section.pointer(rest)).unwrap_or(&Value::Null)
    }

    /// The same, as what it stands for. `None` where it is not there, or nothing of the kind.
    pub fn read<'a, T: Deserialize<'a>>(&'a self, path: &str) -> Option<T> {
        T::deserialize(self.at(path)).ok()
    }

    /// Where the table stands, in one word.
    pub fn phase(&self) -> &str {
        self.at("/phase").as_str().unwrap_or_default()
    }

    /// The Round in play, or the last one.
    pub fn round(&self) -> RoundNo {
        self.read("/round").unwrap_or_default()
    }

    /// The record up to which it holds.
    pub fn seq(&self) -> Seq {
        self.read("/seq").unwrap_or_default()
    }

    /// When bets or choices close.
    pub fn closes_at(&self) -> Option<Timestamp> {
        self.read("/closes_at")
    }

    /// A terminal's own credits.
    pub fn credits(&self) -> Option<Money> {
        self.read("/own/credits")
    }

    /// Whether an order of this kind can be given now, with the right figures in it.
    pub fn may(&self, kind: CommandKind) -> bool {
        let names = |path: &str| {
            self.at(path)
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(|it| it.as_str() == Some(kind.id())))
        };
        names("/possible") && !names("/own/lacks")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Told {
        serde_json::from_str(text).expect("a message")
    }

    #[test]
    fn frames_replace_sections_whole_and_leave_the_others() {
        let mut shown = Shown::default();
        assert_eq!((shown.phase(), shown.round(), shown.credits()), ("", RoundNo(0), None));
        shown.take(&told(
            r#"{"view":{"seq":4,"now":9,"phase":"betting","round":2,"closes_at":null,
                "own":{"credits":500,"wagers":[1],"lacks":["choose"]},"possible":["place-wager","choose"]}}"#,
        ));
        assert_eq!((shown.phase(), shown.round(), shown.seq()), ("betting", RoundNo(2), Seq(4)));
        assert!(shown.may(CommandKind::PlaceWager));
        assert!(!shown.may(CommandKind::Choose), "the table lets patrons choose, this one is not asked");
        assert!(!shown.may(CommandKind::CashOut));

        shown.take(&told(
            r#"{"frame":{"seq":7,"now":12,"events":[],"view":{"own":{"credits":400,"lacks":[]},"closes_at":99}}}"#,
        ));
        assert_eq!((shown.seq(), shown.credits()), (Seq(7), Money::new(400)));
        assert_eq!(shown.at("/own/wagers"), &Value::Null, "a section is replaced, not mixed");
        assert_eq!((shown.phase(), shown.closes_at()), ("betting", Some(Timestamp(99))));
        assert!(shown.may(CommandKind::Choose));

        shown.take(&told(r#"{"view":{"phase":"between"}}"#));
        assert_eq!(shown.sections().len(), 1, "a view replaces everything");
    }
}
