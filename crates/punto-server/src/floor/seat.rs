//! A screen at a table: where its messages go, and what it was told last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::ws::Utf8Bytes;
use punto_record::{BoxNo, DeviceId};
use punto_table::Audience;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::sections::Sections;
use crate::wire::{Goodbye, Screen};

/// Orders that one device may have in flight; replies to that many always find room.
pub(crate) const IN_FLIGHT: usize = 32;

/// Messages that may wait for a slow reader beside those replies. Beyond it, frames are left out and a whole view follows.
pub(crate) const FRAMES: usize = 32;

/// Something that waits for a connection, and since when.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub(crate) since: Instant,
    pub(crate) out: Out,
}

/// What a connection is to send.
#[derive(Clone, Debug)]
pub(crate) enum Out {
    /// A message.
    Text(Utf8Bytes),
    /// Answers to so many orders, which are no longer in flight, and what goes with them: one write, one packet.
    Replies(usize, Vec<Utf8Bytes>),
    /// The last message.
    Goodbye(Goodbye),
}

/// Where the messages of a screen go.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    messages: mpsc::Sender<Queued>,
    /// Frames were left out.
    behind: Arc<AtomicBool>,
}

impl Outbox {
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Queued>, Arc<AtomicBool>) {
        let (messages, out) = mpsc::channel(FRAMES + IN_FLIGHT);
        let behind = Arc::new(AtomicBool::new(false));
        (Outbox { messages, behind: behind.clone() }, out, behind)
    }

    /// Replies, and the frame that goes with them. The cap on orders in flight keeps a place for them.
    pub(crate) fn replies(&self, replies: usize, texts: Vec<Utf8Bytes>) {
        self.send(Out::Replies(replies, texts));
    }

    /// Whether frames are being left out.
    pub(crate) fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Acquire)
    }

    /// A frame, unless too much is waiting. Whether it was taken.
    pub(crate) fn frame(&self, text: Utf8Bytes) -> bool {
        if self.is_behind() {
            return false;
        }
        if self.messages.capacity() > IN_FLIGHT && self.send(Out::Text(text)) {
            return true;
        }
        self.behind.store(true, Ordering::Release);
        false
    }

    /// A message that must not be left out, such as the view that makes up for frames.
    pub(crate) fn tell(&self, text: Utf8Bytes) {
        self.send(Out::Text(text));
    }

    pub(crate) fn goodbye(&self, why: Goodbye) {
        self.send(Out::Goodbye(why));
    }

    fn send(&self, out: Out) -> bool {
        self.messages.try_send(Queued { since: Instant::now(), out }).is_ok()
    }
}

/// A screen that wants to join a table.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) screen: Screen,
    pub(crate) audience: Audience,
    /// The device in whose name it gives orders.
    pub(crate) device: Option<DeviceId>,
    /// The box at which it stands.
    pub(crate) at_box: Option<BoxNo>,
    pub(crate) outbox: Outbox,
    /// What staff screens were told last; the others share one.
    pub(crate) told: Sections,
}

impl Seat {
    /// Whether its frames are made for it alone, a few times a second.
    pub(crate) const fn is_staff(&self) -> bool {
        match self.audience {
            Audience::Console { .. } | Audience::Pit { .. } | Audience::Cage | Audience::Auditor => true,
            Audience::Board | Audience::Terminal { .. } => false,
        }
    }
}
