//! Everybody who looks at one table, and what goes to whom after a commit.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use punto_record::{BoxNo, DeviceId, Event, EventKind, LedgerKind, Seq, TableId, Timestamp};
use punto_rules::PatronNo;
use punto_table::{Audience, Feed, Frame, Table};
use serde::Serialize;
use tokio::time::Instant;

use super::seat::Seat;
use super::sections::{FrameOut, Sections, changed, sections};
use crate::wire::{Answer, Goodbye, Reply, SIGNED, Status, Told, Welcome};

/// Staff screens get frames this far apart at least, whatever goes on.
const STAFF_FRAMES: Duration = Duration::from_millis(100);

/// Events that are kept for those who come back.
const KEPT: usize = 4096;

/// A screen at this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeatNo(pub(crate) u64);

/// Everybody who looks at one table.
#[derive(Debug, Default)]
pub(crate) struct Screens {
    last_no: u64,
    seats: HashMap<SeatNo, Seat>,
    by_device: HashMap<DeviceId, SeatNo>,
    by_patron: HashMap<PatronNo, SeatNo>,
    /// Terminals that stand at a box.
    by_box: BTreeMap<BoxNo, PatronNo>,
    /// What boards and terminals were told last, without anybody's own.
    public: Sections,
    /// Events that staff have not been shown, by feed.
    waiting: BTreeMap<Feed, Vec<Event>>,
    staff_told: Option<Instant>,
    kept: VecDeque<Frame>,
    kept_events: usize,
    /// Everything after this entry is in `kept`.
    kept_from: Option<Seq>,
}

/// What goes to terminals alone, as it will be sent.
pub(crate) type Composed = HashMap<PatronNo, Utf8Bytes>;

fn text(told: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(told).expect("a message is always JSON").into()
}

/// [`Told`], with parts that are borrowed.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum TellRef<V, F> {
    View(V),
    Frame(F),
}

impl Screens {
    /// Whether any Player Terminal is there.
    pub(crate) fn has_terminals(&self) -> bool {
        !self.by_patron.is_empty()
    }

    /// Whose terminal stands at which box.
    pub(crate) const fn at_boxes(&self) -> &BTreeMap<BoxNo, PatronNo> {
        &self.by_box
    }

    pub(crate) fn len(&self) -> usize {
        self.seats.len()
    }

    /// A screen joins: it is welcomed, shown everything, and told what it missed.
    pub(crate) fn join(
        &mut self,
        mut seat: Seat,
        after: Option<Seq>,
        table: &Table,
        last: u64,
        welcome: (&TableId, Timestamp, LedgerKind, Status, Option<Seq>),
    ) -> SeatNo {
        if self.public.is_empty() {
            self.public = public(table);
        }
        let state = table.state();
        let (id, now, kind, status, restored) = welcome;
        seat.outbox.tell(text(&Told::Welcome(Welcome {
            table: id.clone(),
            screen: seat.screen,
            device: seat.device.as_ref().map(|device| Arc::from(device.as_str())),
            last,
            now,
            kind,
            status,
            signed: if seat.is_staff() { SIGNED.to_vec() } else { Vec::new() },
            restored,
        })));
        show(&mut seat, table);
        if let Some(events) = after.and_then(|after| self.missed(&seat, after))
            && !events.is_empty()
        {
            let view = BTreeMap::<&str, ()>::new();
            let frame = FrameOut { seq: state.seq, now, events: &events, view };
            seat.outbox.tell(text(&TellRef::<(), _>::Frame(frame)));
        }
        self.last_no += 1;
        let no = SeatNo(self.last_no);
        if let Some(device) = &seat.device
            && let Some(before) = self.by_device.insert(device.clone(), no)
            && let Some(before) = self.seats.remove(&before)
        {
            before.outbox.goodbye(Goodbye::Replaced);
        }
        if let Audience::Terminal { patron } = seat.audience {
            self.by_patron.insert(patron, no);
            self.by_box.extend(seat.at_box.map(|box_no| (box_no, patron)));
        }
        self.seats.insert(no, seat);
        no
    }

    /// A screen is gone. Its patron, if it was a terminal that nothing has replaced.
    pub(crate) fn leave(&mut self, no: SeatNo) -> Option<PatronNo> {
        let seat = self.seats.remove(&no)?;
        if let Some(device) = &seat.device {
            self.by_device.remove(device);
        }
        let Audience::Terminal { patron } = seat.audience else { return None };
        self.by_patron.remove(&patron);
        self.by_box.retain(|_, it| *it != patron);
        Some(patron)
    }

    /// A screen that fell behind is shown everything again.
    pub(crate) fn show_again(&mut self, no: SeatNo, table: &Table) {
        if let Some(seat) = self.seats.get_mut(&no) {
            show(seat, table);
        }
    }

    /// What somebody missed, if it is still known.
    fn missed(&self, seat: &Seat, after: Seq) -> Option<Vec<Event>> {
        self.kept_from.filter(|from| *from <= after)?;
        let frames = self.kept.iter().filter(|frame| frame.seq > after && is_for(seat.audience, frame.feed));
        Some(frames.flat_map(|frame| frame.events.iter().cloned()).collect())
    }

    /// The answer to an order goes to its device.
    pub(crate) fn reply(&self, reply: &Reply) {
        if let Some(seat) = self.by_device.get(&reply.to.device).and_then(|no| self.seats.get(no)) {
            seat.outbox.replies(1, vec![reply_text(reply)]);
        }
    }

    /// What each terminal is to see of its own, in words. This is most of the work of a commit, and it is done while the
    /// ledger writes: nothing is sent before the receipt.
    pub(crate) fn compose<'a>(
        &self,
        unsaid: impl Iterator<Item = (Feed, &'a Event)>,
        table: &Table,
        now: Timestamp,
    ) -> Composed {
        let mut events: HashMap<PatronNo, Vec<&Event>> = HashMap::new();
        for (feed, event) in unsaid {
            if let Feed::Patron(patron) = feed
                && self.by_patron.contains_key(&patron)
            {
                events.entry(patron).or_default().push(event);
            }
        }
        let composed = |(patron, events): (PatronNo, Vec<&Event>)| {
            let (own, last) = table.own(patron);
            let frame = FrameOut { seq: table.state().seq, now, events, view: Own { own, last } };
            (patron, text(&TellRef::<(), _>::Frame(frame)))
        };
        events.into_iter().map(composed).collect()
    }

    /// Everything that was said at once: answers to orders, and what a commit brought.
    pub(crate) fn publish(
        &mut self,
        replies: &[Reply],
        frames: Vec<Frame>,
        composed: Composed,
        table: &Table,
        now: Timestamp,
    ) {
        let mut answers: HashMap<SeatNo, Vec<Utf8Bytes>> = HashMap::with_capacity(replies.len());
        for reply in replies {
            if let Some(no) = self.by_device.get(&reply.to.device) {
                answers.entry(*no).or_default().push(reply_text(reply));
            }
        }
        if !frames.is_empty() {
            self.publish_frames(&mut answers, frames, composed, table, now);
        }
        for (no, texts) in answers {
            if let Some(seat) = self.seats.get(&no) {
                seat.outbox.replies(texts.len(), texts);
            }
        }
    }

    fn publish_frames(
        &mut self,
        answers: &mut HashMap<SeatNo, Vec<Utf8Bytes>>,
        frames: Vec<Frame>,
        mut composed: Composed,
        table: &Table,
        now: Timestamp,
    ) {
        let seq = table.state().seq;
        let of = |feed: Feed| frames.iter().find(|frame| frame.feed == feed);
        let everything = of(Feed::Staff).map_or(&[][..], |frame| &frame.events);
        if everything.iter().any(|event| !is_private(event.kind())) && !self.seats.is_empty() {
            let events = of(Feed::Public).map_or(&[][..], |frame| &frame.events);
            self.publish_public(events, table, seq, now);
        } else if self.seats.is_empty() {
            self.public.clear();
        }
        for frame in &frames {
            let Feed::Patron(patron) = frame.feed else { continue };
            let Some((no, seat)) = self.by_patron.get(&patron).and_then(|no| self.seats.get_key_value(no))
            else {
                continue;
            };
            let message =
                composed.remove(&patron).expect("what goes to a terminal was composed before the receipt");
            match answers.remove(no) {
                // Answer and frame are one packet.
                Some(mut texts) if !seat.outbox.is_behind() => {
                    let replies = texts.len();
                    texts.push(message);
                    seat.outbox.replies(replies, texts);
                }
                Some(texts) => seat.outbox.replies(texts.len(), texts),
                None => {
                    seat.outbox.frame(message);
                }
            }
        }
        self.keep(frames, seq);
    }

    fn publish_public(&mut self, events: &[Event], table: &Table, seq: Seq, now: Timestamp) {
        let parts = public(table);
        let view = changed(&self.public, &parts);
        if view.is_empty() && events.is_empty() {
            return;
        }
        let message = text(&TellRef::<(), _>::Frame(FrameOut { seq, now, events, view }));
        for seat in self.seats.values().filter(|seat| !seat.is_staff()) {
            seat.outbox.frame(message.clone());
        }
        self.public = parts;
    }

    fn keep(&mut self, frames: Vec<Frame>, seq: Seq) {
        let from = Seq(seq.0.saturating_sub(1));
        let has_staff = self.seats.values().any(Seat::is_staff);
        for frame in frames {
            if has_staff && !matches!(frame.feed, Feed::Patron(_)) {
                self.waiting.entry(frame.feed).or_default().extend(frame.events.iter().cloned());
            }
            self.kept_events += frame.events.len();
            self.kept_from.get_or_insert(from);
            self.kept.push_back(frame);
        }
        while self.kept_events > KEPT
            && let Some(oldest) = self.kept.pop_front()
        {
            self.kept_events -= oldest.events.len();
            self.kept_from = Some(oldest.seq);
        }
    }

    /// When staff screens are to be told something.
    pub(crate) fn staff_due(&self) -> Option<Instant> {
        let is_due = !self.waiting.is_empty() && self.seats.values().any(Seat::is_staff);
        is_due.then(|| self.staff_told.map_or_else(Instant::now, |told| told + STAFF_FRAMES))
    }

    /// Tells staff screens what has happened since the last time.
    pub(crate) fn tell_staff(&mut self, table: &Table, now: Timestamp) {
        if self.staff_due().is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.staff_told = Some(Instant::now());
        let waiting = std::mem::take(&mut self.waiting);
        let seq = table.state().seq;
        for seat in self.seats.values_mut().filter(|seat| seat.is_staff()) {
            let feeds = waiting.iter().filter(|(feed, _)| is_for(seat.audience, **feed));
            let events: Vec<Event> = feeds.flat_map(|(_, events)| events.iter().cloned()).collect();
            let parts = sections(&table.view(seat.audience));
            let view = changed(&seat.told, &parts);
            if view.is_empty() && events.is_empty() {
                continue;
            }
            let frame = FrameOut { seq, now, events: &events, view };
            if seat.outbox.frame(text(&TellRef::<(), _>::Frame(frame))) {
                seat.told = parts;
            }
        }
    }

    /// How the table's software does.
    pub(crate) fn status(&self, status: &Status) {
        let message = text(&Told::Status(status.clone()));
        for seat in self.seats.values() {
            seat.outbox.tell(message.clone());
        }
    }

    pub(crate) fn goodbye(&mut self, why: Goodbye) {
        for (_, seat) in self.seats.drain() {
            seat.outbox.goodbye(why);
        }
        self.by_device.clear();
        self.by_patron.clear();
    }

    /// After the table was read back nothing is certain: everybody is shown everything.
    pub(crate) fn show_all(&mut self, table: &Table) {
        self.public = public(table);
        self.waiting.clear();
        for seat in self.seats.values_mut() {
            show(seat, table);
        }
    }
}

/// What is a terminal's own in its view.
#[derive(Serialize)]
struct Own<'a> {
    own: Option<punto_table::OwnView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<punto_table::LastView<'a>>,
}

pub(crate) fn reply_text(reply: &Reply) -> Utf8Bytes {
    #[derive(Serialize)]
    struct Out<'a> {
        reply: &'a Reply,
    }
    text(&Out { reply })
}

fn show(seat: &mut Seat, table: &Table) {
    let mut view = table.view(seat.audience);
    // As in frames: what the moment allows; `own.lacks` says what the patron lacks for it, and changes by itself.
    if let Audience::Terminal { .. } = seat.audience {
        view.possible = table.possible_at_terminals();
    }
    if seat.is_staff() {
        seat.told = sections(&view);
    }
    seat.outbox.tell(text(&TellRef::<_, ()>::View(&view)));
}

/// What boards and terminals have in common: a board's view, with the orders that a patron could give.
fn public(table: &Table) -> Sections {
    let mut view = table.view(Audience::Board);
    view.possible = table.possible_at_terminals();
    let mut parts = sections(&view);
    parts.remove("own");
    parts
}

/// Whether a feed is for them.
const fn is_for(audience: Audience, feed: Feed) -> bool {
    match (audience, feed) {
        (Audience::Board, Feed::Public) | (Audience::Terminal { .. }, Feed::Public) => true,
        (Audience::Terminal { patron }, Feed::Patron(of)) => patron.0 == of.0,
        (Audience::Console { .. }, Feed::Floor) => true,
        (Audience::Cage, Feed::Cage | Feed::Public) => true,
        (Audience::Pit { .. } | Audience::Auditor, Feed::Staff) => true,
        (Audience::Board, Feed::Patron(_) | Feed::Floor | Feed::Cage | Feed::Staff)
        | (Audience::Terminal { .. }, Feed::Floor | Feed::Cage | Feed::Staff)
        | (Audience::Console { .. }, Feed::Public | Feed::Patron(_) | Feed::Cage | Feed::Staff)
        | (Audience::Cage, Feed::Patron(_) | Feed::Floor | Feed::Staff)
        | (
            Audience::Pit { .. } | Audience::Auditor,
            Feed::Public | Feed::Patron(_) | Feed::Floor | Feed::Cage,
        ) => false,
    }
}

/// Whether an event changes nothing that everybody sees. These are by far the most.
pub(super) const fn is_private(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::WagerRegistered
            | EventKind::WagerWithdrawn
            | EventKind::CreditsBought
            | EventKind::TicketRedeemed
            | EventKind::CashedOut
            | EventKind::TerminalLost
            | EventKind::TerminalRestored
    )
}

impl From<punto_table::Reply> for Reply {
    fn from(reply: punto_table::Reply) -> Reply {
        let answer = match reply.answer {
            punto_table::Answer::Done { seq, .. } => Answer::Done(seq),
            punto_table::Answer::Before { seq } => Answer::Before(seq),
            punto_table::Answer::Refused(rejection) => Answer::Refused(rejection),
            punto_table::Answer::Unknown => Answer::Unknown,
        };
        Reply { to: reply.to, answer, printed: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::seat::{FRAMES, IN_FLIGHT, Out, Outbox, Queued};
    use crate::wire::Screen;
    use std::sync::atomic::Ordering;

    #[test]
    fn a_slow_reader_is_left_out_and_shown_everything_later() {
        let (table, mut screens) = (Table::default(), Screens::default());
        let (outbox, mut out, behind) = Outbox::new();
        let device = Some(DeviceId::from("t-1"));
        let audience = Audience::Terminal { patron: PatronNo(1) };
        let seat = Seat {
            screen: Screen::Terminal,
            audience,
            device,
            at_box: None,
            outbox,
            told: Sections::default(),
        };
        let welcome = (&TableId::from("etg-1"), Timestamp(1), LedgerKind::Demo, Status::Running, None);
        let no = screens.join(seat, None, &table, 0, welcome);
        let frame = |feed| Frame { feed, seq: Seq(1), events: vec![Event::TableClosed {}] };
        for _ in 0..2 * FRAMES {
            screens.publish(
                &[],
                vec![frame(Feed::Public), frame(Feed::Staff)],
                Composed::new(),
                &table,
                Timestamp(1),
            );
        }
        assert!(behind.load(Ordering::Acquire), "frames were left out");
        // Answers to all that it may have in flight still find room.
        let to = punto_record::OrderId { device: "t-1".into(), n: 1 };
        for _ in 0..IN_FLIGHT {
            screens.reply(&Reply { to: to.clone(), answer: Answer::Busy, printed: None });
        }
        let mut heard = Vec::new();
        while let Ok(message) = out.try_recv() {
            heard.push(message.out);
        }
        let replies = heard.iter().filter(|it| matches!(it, Out::Replies(1, _))).count();
        assert_eq!((replies, heard.len() - replies), (IN_FLIGHT, FRAMES));

        behind.store(false, Ordering::Release);
        screens.show_again(no, &table);
        screens.publish(
            &[],
            vec![frame(Feed::Public), frame(Feed::Staff)],
            Composed::new(),
            &table,
            Timestamp(1),
        );
        let next = |it: Queued| match it.out {
            Out::Text(text) => text.as_str()[..8].to_owned(),
            Out::Replies(..) | Out::Goodbye(_) => panic!("nobody asked"),
        };
        assert_eq!(next(out.try_recv().expect("a view")), "{\"view\":");
        assert_eq!(next(out.try_recv().expect("a frame")), "{\"frame\"");
    }
}
