//! A software shoe that cannot be shuffled, read or found: said on every screen, tried again, and written down.

use std::io;
use std::sync::Arc;

use punto_record::{Actor, Cards, Deed};
use punto_rules::text::one_line;
use tokio::time::Instant;

use super::super::errands;
use super::super::secrets::NoSecret;
use super::{RETRY, Task};
use crate::deeds::Deeds;
use crate::wire::Status;

impl Task {
    /// No shoe was put in place, because its order cannot be kept.
    pub(super) fn not_shuffled(&mut self, error: &io::Error) {
        tracing::error!(table = %self.id, %error, "the order of a shoe cannot be kept");
        self.unshuffled = Some((one_line(&error.to_string()).into(), Instant::now()));
    }

    /// Looks whether there is a shoe to play with, and says if there is none.
    pub(super) async fn look_after_shoe(&mut self) {
        if !self.is_running() {
            return;
        }
        if let Some((_, tried)) = &self.unshuffled
            && tried.elapsed() >= RETRY
        {
            self.try_to_shuffle();
        }
        let words = match errands::in_use(self.desk.table(), &self.house.secrets) {
            Some(Err(NoSecret::Lost(words))) => {
                self.write_down_loss(&words).await;
                None
            }
            Some(Err(error @ NoSecret::Unreadable(_))) => Some(one_line(&error.to_string()).into()),
            Some(Ok(_)) | None => None,
        };
        let words = words.or_else(|| self.unshuffled.as_ref().map(|(words, _)| words.clone()));
        self.tell_shoe(words);
    }

    /// When the shoe is to be looked after though nothing else happens.
    pub(super) fn shoe_due(&self) -> Option<Instant> {
        if !self.is_running() {
            return None;
        }
        let unread = matches!(
            errands::in_use(self.desk.table(), &self.house.secrets),
            Some(Err(NoSecret::Unreadable(_)))
        );
        let again = self.unshuffled.as_ref().map(|(_, tried)| *tried + RETRY);
        again.or_else(|| unread.then(|| Instant::now() + RETRY))
    }

    fn try_to_shuffle(&mut self) {
        let law = self.desk.table().law();
        let decks = law.filter(|law| law.settings.cards == Cards::Software).map(|law| law.settings.decks);
        match decks.map_or(Ok(()), |decks| self.house.secrets.try_out(decks)) {
            Ok(()) => self.unshuffled = None,
            Err(error) => {
                self.unshuffled = Some((one_line(&error.to_string()).into(), Instant::now()));
            }
        }
    }

    fn tell_shoe(&mut self, words: Option<Arc<str>>) {
        match (&self.status, words) {
            (Status::Running, Some(words)) => {
                tracing::error!(table = %self.id, %words, "there is no shoe to play with");
                self.tell_status(Status::NoShoe { words });
            }
            (Status::NoShoe { .. }, None) => {
                tracing::info!(table = %self.id, "there is a shoe to play with again");
                self.tell_status(Status::Running);
            }
            (Status::Running | Status::NoShoe { .. }, _)
            | (Status::Closing | Status::Stopped { .. } | Status::Locked { .. }, _) => {}
        }
    }

    /// A shoe in use whose order is gone or was changed is written down once in the house's record.
    async fn write_down_loss(&mut self, words: &str) {
        let Some(shoe) = &self.desk.table().state().shoe else { return };
        if self.lost == shoe.commitment {
            return;
        }
        self.lost = shoe.commitment;
        self.house.secrets.count_loss();
        let words = format!("the order of shoe {} in use at table {} is lost: {words}", shoe.no, self.id);
        tracing::error!(table = %self.id, shoe = shoe.no.0, %words, "the shoe is taken out of use");
        let deeds = Deeds::new(self.house.ledger.clone(), self.house.clock.clone());
        let deed = Deed::verification_failed(one_line(&words));
        if let Err(error) = deeds.write(Actor::House, deed).await {
            tracing::error!(table = %self.id, %error, "the loss could not be written down");
        }
    }
}
