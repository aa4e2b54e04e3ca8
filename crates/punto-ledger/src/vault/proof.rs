//! A ticket is shown to be good before anybody is paid: its row, the book made from signed entries, and the bytes of the
//! entry that issued it must say the same. Anything else is tampering: nobody is paid, and the house's record says so.

use punto_record::{Chain, Deed, TicketAnswer, TicketMove, TicketNo, TicketState};
use punto_rules::text::one_line;

use super::Vault;
use super::book::{Good, Issued, moves_in};
use crate::Error;
use crate::part::refusal;

/// What was found about a ticket.
pub(super) enum Proof {
    /// It is good, whatever its expiry.
    Good(Good),
    /// It is not, and that is in order.
    Not(TicketAnswer),
}

impl Vault {
    /// Looks at a ticket's row, at the book and at the entry that issued it.
    pub(super) fn prove(&mut self, ticket: &TicketNo) -> Result<Proof, Error> {
        let row = match self.store.ticket(ticket) {
            Ok(row) => row,
            // A row that cannot even be read is not the writer's.
            Err(Error::Damaged(_)) => return Ok(self.tampered(ticket, "a row of a ticket cannot be read")),
            Err(error) => return self.or_stop(Err(error)),
        };
        let Some(good) = self.book.get(ticket).cloned() else {
            let Some(row) = row else { return Ok(Proof::Not(TicketAnswer::NotFound)) };
            return Ok(match row.state {
                TicketState::Redeemed | TicketState::Paid => Proof::Not(TicketAnswer::Paid),
                TicketState::Void => Proof::Not(TicketAnswer::Void),
                TicketState::Good => {
                    let words = "the store has a good ticket that no entry issued, or that an entry has used";
                    self.tampered(ticket, words)
                }
            });
        };
        let of = match &good.by {
            Some(Issued { volume, seq, .. }) => format!("the ticket issued by entry {seq} of {volume}"),
            None => "a ticket issued by an archived entry".to_owned(),
        };
        if let Some(words) = self.book.doubt().filter(|_| good.in_doubt) {
            let words = format!("{of} cannot be shown to be unused: {words}");
            return Ok(self.tampered(ticket, &words));
        }
        let Some(row) = row else { return Ok(self.tampered(ticket, &format!("{of} has no row"))) };
        if let Some(differs) = good.differs(&row) {
            return Ok(self.tampered(ticket, &format!("{of}: its row says that it is {differs}")));
        }
        if let Some(by) = &good.by
            && !self.issues(by, ticket)?
        {
            return Ok(self.tampered(ticket, &format!("{of}: that entry is not the one that was signed for")));
        }
        Ok(Proof::Good(good))
    }

    /// Whether the entry that is there now is the one that issued the ticket: its bytes hash into the link that was signed
    /// for. An archived entry was looked at when the book was made.
    fn issues(&mut self, by: &Issued, ticket: &TicketNo) -> Result<bool, Error> {
        let Issued { volume, seq, before, link } = by;
        let archived = self.house.archives.last().map_or(&[][..], |(_, _, heads)| heads);
        if archived.iter().any(|head| head.volume == *volume && head.seq >= *seq) {
            return Ok(true);
        }
        let Some(id) = self.ids.get(volume).copied() else { return Ok(false) };
        let found = self.store.entry(id, *seq);
        let Some((bytes, stored)) = self.or_stop(found)? else { return Ok(false) };
        let chain = Chain { seq: *seq, link: *before }.after(&bytes);
        let moves = moves_in(volume, &bytes).unwrap_or_default();
        let issues =
            |asked: &TicketMove| matches!(asked, TicketMove::Issued { ticket: it, .. } if it == ticket);
        Ok(chain.link == *link && stored == *link && moves.iter().any(issues))
    }

    /// Somebody has changed the store. It is written down once for each ticket, as soon as nothing else is being written.
    fn tampered(&mut self, ticket: &TicketNo, words: &str) -> Proof {
        if self.reported.insert(ticket.clone()) {
            self.alarms.push(format!("a ticket was refused: {}", one_line(words)));
        }
        Proof::Not(TicketAnswer::Tampered)
    }

    /// Whether every ticket that a batch uses is good. One that the same group issues is looked at by the store.
    pub(super) fn proves_all(&mut self, moves: &[TicketMove], issued: &[&TicketNo]) -> Result<(), Error> {
        for asked in moves {
            let ticket = asked.ticket();
            match asked {
                TicketMove::Issued { amount, currency, tag, .. }
                    if self.book.get(ticket).is_some()
                        || tag.as_ref().is_some_and(|tag| self.book.tagged(&tag.digest).is_some()) =>
                {
                    let (amount, currency) = (*amount, currency.clone());
                    return Err(refusal(asked, TicketAnswer::Reserved { amount, currency }));
                }
                TicketMove::Issued { .. } => {}
                TicketMove::Redeemed { .. } | TicketMove::Paid { .. } | TicketMove::Voided { .. } => {
                    if issued.contains(&ticket) {
                        continue;
                    }
                    if let Proof::Not(answer) = self.prove(ticket)? {
                        return Err(refusal(asked, answer));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes down what was found. If that cannot be written the refusals stand all the same.
    pub(super) fn raise_alarms(&mut self) {
        for words in std::mem::take(&mut self.alarms) {
            let at = self.house.now;
            let _ = self.own_deed(at, Deed::verification_failed(words));
        }
    }
}
