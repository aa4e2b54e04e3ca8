//! Tickets at the cage: looked up, paid in cash, made void. What has expired is paid by two.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_ledger::Vault;
use punto_record::{Currency, Deed, OrderId, TicketAnswer, TicketNo, TicketNumber, Timestamp, Volume};
use punto_rules::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::{Route, Who};
use crate::app::App;
use crate::deeds::SERVER;
use crate::floor::Hold;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;
use crate::role::Role;
use crate::wire::Denial;

const CAGE: Who = Who::Staff(&[Role::Cashier]);

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let looks = Who::Staff(&[Role::Cashier, Role::Auditor]);
    vec![
        Route::get(
            "/api/tickets/{ticket}",
            "What can be said about a ticket, by its number or serial",
            looks,
            look,
        )
        .gives::<Ticket>(),
        Route::post(
            "/api/tickets/{ticket}/pay",
            "Pay a ticket in cash, by its number; once, ever",
            CAGE,
            pay,
        )
        .gives::<Ticket>(),
        Route::post(
            "/api/tickets/{ticket}/pay-expired/pending",
            "Have the payment of an expired ticket, by its number, wait for a second person",
            CAGE,
            propose_expired,
        )
        .takes::<Second>()
        .gives::<Pending>(),
        Route::post(
            "/api/tickets/{ticket}/pay-expired",
            "Pay an expired ticket that a second person signed for, by its number; once, ever",
            CAGE,
            pay_expired,
        )
        .takes::<Signed>()
        .gives::<Ticket>(),
        Route::post(
            "/api/tickets/{ticket}/void/pending",
            "Have the voiding of a ticket wait for a second person",
            CAGE,
            propose,
        )
        .takes::<Second>()
        .gives::<Pending>(),
        Route::post(
            "/api/tickets/{ticket}/void",
            "Make a ticket void that a second person signed for",
            CAGE,
            void,
        )
        .takes::<Signed>()
        .gives::<Ticket>(),
    ]
}

/// What can be said about a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ticket {
    /// Its serial; the number of a ticket of release 0.1.0, which has none.
    pub ticket: TicketNo,
    /// How it stands.
    pub state: TicketWord,
    /// What it is worth, while it is good or has expired.
    pub amount: Option<Money>,
    /// In which currency, where the record says so.
    pub currency: Option<Currency>,
}

/// How a ticket stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TicketWord {
    Good,
    NotFound,
    InUse,
    Paid,
    Expired,
    Void,
    Tampered,
}

/// Names the second person of something that takes two, and why it is done.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SecondAsked")]
pub struct Second {
    /// Who agrees: an Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why.
    pub reason: Arc<str>,
}

/// Has something done that waited for a signature.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SignedDeed")]
pub struct Signed {
    /// What was signed.
    pub pending: String,
}

impl App {
    /// The ticket of a number; unknown, if there is none.
    async fn ticket_of(&self, number: &str) -> Result<TicketNo, Problem> {
        let misread = || Problem::Malformed("a digit of the ticket was misread".to_owned());
        let number = TicketNumber::from_typed(number).ok_or_else(misread)?;
        Ok(self.floor.ledger().with(move |vault| vault.present(number.printed())).await?)
    }

    /// The ticket of a number or a serial. A serial is printed for everybody to see: it is enough to look a ticket up, and
    /// for what takes two people.
    async fn ticket_named(&self, text: &str) -> Result<TicketNo, Problem> {
        match text.parse::<TicketNo>() {
            Ok(serial) if text.contains('/') => Ok(serial),
            _ => self.ticket_of(text).await,
        }
    }
}

impl App {
    /// Refuses to pay while nobody confirms this history: the ticket may have been paid in a later one.
    fn require_history(&self) -> Result<(), Problem> {
        match self.floor.holds().into_iter().any(Hold::doubts_history) {
            true => Err(Problem::Conflict(
                Denial::HistoryInDoubt.id(),
                "no witness has confirmed the history of this house, or one contests it; nothing is paid before that is \
                 settled"
                    .to_owned(),
            )),
            false => Ok(()),
        }
    }
}

/// What is found about a ticket at the cage.
struct Look {
    state: TicketWord,
    /// While it is good or has expired.
    worth: Option<(Money, Option<Currency>)>,
    /// Under which a deed about it is written.
    id: OrderId,
}

impl Look {
    fn told(self, ticket: TicketNo) -> Ticket {
        let (amount, currency) =
            self.worth.map_or((None, None), |(amount, currency)| (Some(amount), currency));
        Ticket { ticket, state: self.state, amount, currency }
    }
}

const fn word(answer: &TicketAnswer) -> TicketWord {
    match answer {
        TicketAnswer::Reserved { .. } => TicketWord::Good,
        TicketAnswer::NotFound => TicketWord::NotFound,
        TicketAnswer::InUse => TicketWord::InUse,
        TicketAnswer::Paid => TicketWord::Paid,
        TicketAnswer::Expired => TicketWord::Expired,
        TicketAnswer::Void => TicketWord::Void,
        TicketAnswer::Tampered => TicketWord::Tampered,
    }
}

/// What may be said about a ticket, without keeping it from anybody.
fn ask(vault: &mut Vault, ticket: &TicketNo, at: Timestamp) -> Result<Look, punto_ledger::Error> {
    // One writer, one volume: its next number was never used before.
    let n = vault.head(&Volume::House).seq.0 + 1;
    let id = OrderId { device: SERVER.into(), n };
    let answer = vault.reserve(ticket, &id, at)?;
    vault.release(ticket, &id);
    let state = word(&answer);
    let worth = match answer {
        TicketAnswer::Reserved { amount, currency } => Some((amount, currency)),
        TicketAnswer::Expired => vault.expired_worth(ticket, at)?,
        TicketAnswer::NotFound
        | TicketAnswer::InUse
        | TicketAnswer::Paid
        | TicketAnswer::Void
        | TicketAnswer::Tampered => None,
    };
    Ok(Look { state, worth, id })
}

async fn look(State(app): State<App>, Named(ticket): Named<String>) -> Result<Json<Ticket>, Problem> {
    let (ticket, at) = (app.ticket_named(&ticket).await?, app.clock.now());
    let asked = ticket.clone();
    let look = app.floor.ledger().with(move |vault| ask(vault, &asked, at)).await?;
    Ok(Json(look.told(ticket)))
}

async fn pay(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    app.require_history()?;
    let ticket = app.ticket_of(&ticket).await?;
    // Nobody can say how much to pay where the record does not name the currency.
    let deed = |ticket, amount, currency: Option<Currency>| {
        let (second, reason) = (None, None);
        currency.map(|currency| Deed::TicketPaid { ticket, amount, currency: Some(currency), second, reason })
    };
    write(&app, staff, ticket, &[TicketWord::Good], TicketWord::Paid, deed).await
}

async fn propose_expired(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Second { second, reason }): Body<Second>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let (ticket, at) = (app.ticket_of(&ticket).await?, app.clock.now());
    let asked = ticket.clone();
    let Look { state, worth, .. } = app.floor.ledger().with(move |vault| ask(vault, &asked, at)).await?;
    let (TicketWord::Expired, Some((amount, currency))) = (state, worth) else {
        return Err(Problem::Conflict("ticket-not-expired", "the ticket is not an expired one".to_owned()));
    };
    let currency = Some(currency.ok_or_else(currency_unknown)?);
    let second = Some(app.agrees(second).await?);
    let deed = Deed::TicketPaid { ticket, amount, currency, second, reason: Some(reason) };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn pay_expired(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    app.require_history()?;
    let ticket = app.ticket_of(&ticket).await?;
    let named = ticket.clone();
    let is_it =
        move |held: &PendingDeed| matches!(&held.deed, Deed::TicketPaid { ticket, .. } if *ticket == named);
    let signed = app.signed(&pending, &staff, is_it)?;
    write(&app, staff, ticket, &[TicketWord::Expired], TicketWord::Paid, |_, _, _| Some(signed)).await
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Second { second, reason }): Body<Second>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let (ticket, at) = (app.ticket_named(&ticket).await?, app.clock.now());
    let asked = ticket.clone();
    let Look { worth, .. } = app.floor.ledger().with(move |vault| ask(vault, &asked, at)).await?;
    // Whoever signs, signs for the amount and the currency as well.
    let Some((amount, currency)) = worth else {
        return Err(Problem::Conflict("ticket-not-good", "the ticket is not good".to_owned()));
    };
    let second = app.agrees(second).await?;
    let deed = Deed::TicketVoided { ticket, amount, currency, second, reason };
    let pending = app.hold_deed(staff, deed).await?;
    Ok((StatusCode::CREATED, Json(pending)))
}

async fn void(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let ticket = app.ticket_named(&ticket).await?;
    let named = ticket.clone();
    let is_it =
        move |held: &PendingDeed| matches!(&held.deed, Deed::TicketVoided { ticket, .. } if *ticket == named);
    let signed = app.signed(&pending, &staff, is_it)?;
    let deed = |_, _, _| Some(signed);
    write(&app, staff, ticket, &[TicketWord::Good, TicketWord::Expired], TicketWord::Void, deed).await
}

/// Writes down what was done with a ticket in one of these states; any other is told apart.
async fn write(
    app: &App,
    staff: Staff,
    ticket: TicketNo,
    from: &'static [TicketWord],
    becomes: TicketWord,
    deed: impl FnOnce(TicketNo, Money, Option<Currency>) -> Option<Deed> + Send + 'static,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let (at, by, asked) = (app.clock.now(), staff.role.actor(staff.person), ticket.clone());
    let done = app.floor.ledger().with(move |vault| {
        let look = ask(vault, &asked, at)?;
        let is_one = from.contains(&look.state);
        let deed = look
            .worth
            .clone()
            .filter(|_| is_one)
            .and_then(|(amount, currency)| deed(asked, amount, currency));
        let is_done = deed.is_some();
        if let Some(deed) = deed {
            vault.deed(look.id.clone(), by, at, deed)?;
        }
        Ok((look, is_one, is_done))
    });
    let (look, is_one, is_done) = done.await?;
    let told = look.told(ticket);
    match (is_one, is_done) {
        (true, true) => Ok((StatusCode::OK, Json(Ticket { state: becomes, ..told }))),
        (true, false) => Err(currency_unknown()),
        (false, _) => Ok((StatusCode::CONFLICT, Json(told))),
    }
}

fn currency_unknown() -> Problem {
    Problem::Conflict(
        "ticket-currency-unknown",
        "the record does not say the currency of the ticket; two people make it void and pay it on paper"
            .to_owned(),
    )
}
