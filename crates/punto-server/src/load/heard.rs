//! What a terminal reads of what it is told: only what it needs to bet. Anything else costs the machine that is measured.

use std::borrow::Cow;

use punto_record::{RoundNo, Seq, Timestamp};
use punto_rules::Money;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::wire::{Goodbye, Reply};

/// [`crate::wire::Told`], read with half an eye.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Heard<'a> {
    Welcome(IgnoredAny),
    #[serde(borrow)]
    View(View<'a>),
    #[serde(borrow)]
    Frame(Frame<'a>),
    Reply(Reply),
    Status(IgnoredAny),
    Pong(IgnoredAny),
    Goodbye(Goodbye),
}

#[derive(Debug, Deserialize)]
pub(super) struct View<'a> {
    pub(super) seq: Seq,
    #[serde(borrow, flatten)]
    pub(super) parts: Parts<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Frame<'a> {
    pub(super) seq: Seq,
    pub(super) now: Timestamp,
    #[serde(borrow, default)]
    pub(super) view: Parts<'a>,
}

/// The parts of a view that a terminal bets by.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Parts<'a> {
    #[serde(borrow)]
    pub(super) phase: Option<Cow<'a, str>>,
    pub(super) round: Option<RoundNo>,
    pub(super) own: Option<Own>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Own {
    pub(super) credits: Money,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_matters_of_views_and_frames() {
        let view = r#"{"view":{"seq":4,"now":1,"phase":"betting","round":2,"roads":{"big":[1]},
            "own":{"patron":1,"credits":500,"lacks":[]},"possible":[]}}"#;
        let Heard::View(view) = serde_json::from_str(view).expect("a view") else { panic!("no view") };
        assert_eq!((view.seq, view.parts.round), (Seq(4), Some(RoundNo(2))));
        assert_eq!(view.parts.phase.as_deref(), Some("betting"));
        assert_eq!(view.parts.own.map(|own| own.credits), Money::new(500));

        let frame =
            r#"{"frame":{"seq":5,"now":99,"events":[{"event":"play-resumed"}],"view":{"last":null}}}"#;
        let Heard::Frame(frame) = serde_json::from_str(frame).expect("a frame") else { panic!("no frame") };
        assert_eq!((frame.seq, frame.now.0), (Seq(5), 99));
        assert!(frame.view.phase.is_none() && frame.view.own.is_none());
        assert!(serde_json::from_str::<Heard<'_>>(r#"{"frame":{"seq":5,"now":99,"events":[]}}"#).is_ok());
    }
}
