//! A table that cannot go on: its ledger failed, its books do not balance. And what makes coming back quick: snapshots.

use punto_ledger::{Error, Snapshot};
use punto_record::Volume;
use punto_table::{Desk, Outbox, SNAPSHOT_SCHEMA};
use tokio::time::Instant;

use super::super::read_back::read_back;
use super::{RETRY, Task};
use crate::wire::{Reply, Status};

impl Task {
    /// The ledger failed: nobody is told anything that is not durable, and play stops until the table was read back.
    pub(super) async fn fail(&mut self, error: &Error) {
        tracing::error!(table = %self.id, %error, "the table has stopped");
        let Outbox { replies, .. } = self.desk.stop();
        self.printing.clear();
        for reply in replies.into_iter().map(Reply::from) {
            self.answer(reply.to, reply.answer);
        }
        self.tell_status(Status::Stopped { words: error.to_string().into() });
        self.last_act = Instant::now();
        self.house.recover().await;
    }

    /// The books do not balance: nothing of it is written, and the table takes no order until somebody looked into it.
    pub(super) async fn lock(&mut self, words: &str) {
        tracing::error!(table = %self.id, words, "the books do not balance");
        let Outbox { replies, .. } = self.desk.stop();
        self.printing.clear();
        for reply in replies.into_iter().map(Reply::from) {
            self.answer(reply.to, reply.answer);
        }
        self.tell_status(Status::Locked { words: words.into() });
        let (id, at, told) = (self.id.clone(), self.house.clock.now(), words.to_owned());
        if let Err(error) = self.house.ledger.with(move |vault| vault.lock(at, &id, &told)).await {
            tracing::error!(table = %self.id, %error, "the lock could not be written down");
        }
    }

    pub(super) async fn reload_in_time(&mut self) {
        if Instant::now() >= self.last_act + RETRY {
            self.last_act = Instant::now();
            if self.house.recover().await {
                self.reload().await;
            }
        }
    }

    /// The table as the record has it, after a failure or a lock.
    pub(super) async fn reload(&mut self) {
        let id = self.id.clone();
        match self.house.ledger.with(move |vault| read_back(vault, &id)).await {
            Ok(read) => {
                self.desk =
                    Desk::resume(read.table, read.chain, self.house.release.clone()).with_posts(read.posts);
                self.accounts = read.accounts;
                self.refused = None;
                let status = match (read.locked, &self.stopping) {
                    (Some(words), _) => Status::Locked { words: words.into() },
                    (None, Some(_)) => Status::Closing,
                    (None, None) => Status::Running,
                };
                self.tell_status(status);
                self.screens.show_all(self.desk.table());
                self.interrupted();
            }
            Err(error) => {
                tracing::error!(table = %self.id, %error, "the table cannot be read back");
                self.status = Status::Stopped { words: error.to_string().into() };
            }
        }
    }

    pub(super) async fn keep_snapshot(&mut self) {
        let state = self.desk.table().state();
        if !self.is_running() || state.seq == self.kept || !self.desk.entries().is_empty() {
            return;
        }
        let (volume, seq) = (Volume::Table(self.id.clone()), state.seq);
        let bytes = self.desk.table().snapshot();
        let kept = self.house.ledger.with(move |vault| {
            let chain = vault.head(&volume);
            if chain.seq != seq {
                return Ok(());
            }
            vault.keep_snapshot(&Snapshot { volume, chain, schema: SNAPSHOT_SCHEMA, bytes, signed: None })
        });
        match kept.await {
            Ok(()) => self.kept = seq,
            Err(error) => tracing::warn!(table = %self.id, %error, "no snapshot was kept"),
        }
    }
}
