//! A screen at a table: where its messages go, and what it was told last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::ws::Utf8Bytes;
use punto_record::{BoxNo, DeviceId};
use punto_table::Audience;
use tokio::sync::mpsc;

use super::sections::Sections;
use crate::wire::{Goodbye, Screen};

/// Orders that one device may have in flight; replies to that many always find room.
pub(crate) const IN_FLIGHT: usize = 32;

/// Messages that may wait for a slow reader beside those replies. Beyond it, frames are left out and a whole view follows.
pub(crate) const FRAMES: usize = 32;

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
    messages: mpsc::Sender<Out>,
    /// Frames were left out.
    behind: Arc<AtomicBool>,
}

impl Outbox {
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Out>, Arc<AtomicBool>) {
        let (messages, out) = mpsc::channel(FRAMES + IN_FLIGHT);
        let behind = Arc::new(AtomicBool::new(false));
        (Outbox { messages, behind: behind.clone() }, out, behind)
    }

    /// Replies, and the frame that goes with them. The cap on orders in flight keeps a place for them.
    pub(crate) fn replies(&self, replies: usize, texts: Vec<Utf8Bytes>) {
        let _ = self.messages.try_send(Out::Replies(replies, texts));
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
        if self.messages.capacity() > IN_FLIGHT && self.messages.try_send(Out::Text(text)).is_ok() {
            return true;
        }
        self.behind.store(true, Ordering::Release);
        false
    }

    /// A message that must not be left out, such as the view that makes up for frames.
    pub(crate) fn tell(&self, text: Utf8Bytes) {
        let _ = self.messages.try_send(Out::Text(text));
    }

    pub(crate) fn goodbye(&self, why: Goodbye) {
        let _ = self.messages.try_send(Out::Goodbye(why));
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
