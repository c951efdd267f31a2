//! A change of records by a signed-in user: one unit of work from the transaction's begin to the answer.
//!
//! ```ignore
//! const TICKET: Subject = Subject("ticket");
//!
//! pub(crate) async fn answer_ticket(
//!     Id(id): Id<TicketId>,
//!     change: Change<StaffCaller, IdempotentForm<AnswerForm>>,
//! ) -> Result<Response> {
//!     change
//!         .run(StatusCode::CREATED, async |work, form| {
//!             let before = ticket_locked(&**work, id).await?.ok_or_else(Problem::not_found)?;
//!             let after = ticket_answer(&**work, id, &form.text, work.now()).await?;
//!             let entry = TICKET.entry("answer", id).before(json!({ … })).after(json!({ … }));
//!             Ok(entry.answer(TicketBody::from(after)))
//!         })
//!         .await
//! }
//! ```
//!
//! `run` begins the transaction, returns the stored answer of a repeated request, locks the caller's user and checks
//! the access again, calls the closure, writes the audit log, stores the answer and commits. Then it wakes the sender of
//! e-mails. The first `?` that fails rolls everything back. A change cannot commit without the check, because only `run`
//! commits; and not without an entry of the audit log, unless it says that nothing changed.
//!
//! Commands of the ledger are not changes: `command` submits them.

use std::ops::Deref;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use gateway_identity::audit::{self, Actor, record};
use gateway_identity::credentials::account::lock_active_user;
use gateway_identity::email_queue::OutboxEmail;
use gateway_identity::notify::Emails;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use serde::Serialize;
use serde_json::Value;
use tokio_postgres::Client;
use utoipa::ToSchema;

use super::emails::send_emails;
use super::form::{Form, FromBody, IdempotentForm, OptionalForm};
use crate::AppState;
use crate::edge::idempotency_store::IdempotencyRecord;
use crate::edge::{CurrentBusiness, Json, Tx};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// An extractor: the caller, the body, and the idempotency record of a body that has one. It must be a handler's last
/// argument.
pub struct Change<C, B: ChangeBody = NoBody> {
    state: AppState,
    caller: C,
    form: B::Form,
    idempotency: IdempotencyRecord,
}

/// The user who makes a change.
pub trait Caller: Clone + FromRequestParts<AppState, Rejection = Problem> + Documented + Send + Sync {
    fn actor(&self) -> Actor;

    /// Locks the user, so that the access cannot end before the transaction of `client` does.
    fn lock_and_check_allowed(&self, client: &Client) -> impl Future<Output = Result<()>> + Send;
}

impl Caller for StaffCaller {
    fn actor(&self) -> Actor {
        Actor::Admin(self.id)
    }

    async fn lock_and_check_allowed(&self, client: &Client) -> Result<()> {
        Ok(Self::lock_and_check_allowed(self, client).await?)
    }
}

impl Caller for CurrentBusiness {
    fn actor(&self) -> Actor {
        Actor::Seller(self.seller)
    }

    async fn lock_and_check_allowed(&self, client: &Client) -> Result<()> {
        Ok(self.caller().lock_and_check_allowed(client).await?)
    }
}

/// A user who changes their own record.
impl Caller for SessionOwner {
    fn actor(&self) -> Actor {
        self.audience.actor(self.user)
    }

    async fn lock_and_check_allowed(&self, client: &Client) -> Result<()> {
        let locked = lock_active_user(client, self.audience, self.user).await?;
        locked.map(drop).ok_or_else(Problem::signed_out)
    }
}

/// The body of a change.
pub trait ChangeBody: FromRequest<AppState, Rejection = Problem> + Documented {
    type Form;

    fn into_parts(self) -> (Self::Form, IdempotencyRecord);
}

impl<T: FromBody + ToSchema> ChangeBody for Form<T> {
    type Form = T;

    fn into_parts(self) -> (T, IdempotencyRecord) {
        (self.0, IdempotencyRecord::NONE)
    }
}

impl<T: FromBody + ToSchema> ChangeBody for IdempotentForm<T> {
    type Form = T;

    fn into_parts(self) -> (T, IdempotencyRecord) {
        (self.form, self.idempotency)
    }
}

impl<T: FromBody + ToSchema> ChangeBody for OptionalForm<T> {
    type Form = T;

    fn into_parts(self) -> (T, IdempotencyRecord) {
        (self.0, IdempotencyRecord::NONE)
    }
}

/// A change whose path says everything.
pub struct NoBody;

impl FromRequest<AppState> for NoBody {
    type Rejection = Problem;

    async fn from_request(_: Request, _: &AppState) -> Result<Self> {
        Ok(Self)
    }
}

impl Documented for NoBody {
    fn describe(_: &mut CallDocument) {}
}

impl ChangeBody for NoBody {
    type Form = ();

    fn into_parts(self) -> ((), IdempotencyRecord) {
        ((), IdempotencyRecord::NONE)
    }
}

impl<C: Caller, B: ChangeBody> FromRequest<AppState> for Change<C, B> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let caller = C::from_request_parts(&mut parts, state).await?;
        let body = B::from_request(Request::from_parts(parts, body), state).await?;
        let (form, idempotency) = body.into_parts();
        Ok(Self {
            state: state.clone(),
            caller,
            form,
            idempotency,
        })
    }
}

impl<C: Documented, B: ChangeBody> Documented for Change<C, B> {
    fn describe(call: &mut CallDocument) {
        C::describe(call);
        B::describe(call);
    }
}

impl<C: Caller, B: ChangeBody> Change<C, B> {
    /// Makes the change. `status` is that of the answer; 204 has no body.
    pub(crate) async fn run<T: Serialize>(
        self,
        status: StatusCode,
        change: impl AsyncFnOnce(&mut Work<C>, B::Form) -> Result<Changed<T>>,
    ) -> Result<Response> {
        let work = match self.begin().await? {
            Begun::Work(work) => work,
            Begun::Replayed(answer) => return Ok(answer),
        };
        let Self {
            form, idempotency, ..
        } = self;
        let Made {
            tx,
            answer,
            status: other,
        } = work.make(form, change).await?;
        let status = other.unwrap_or(status);
        let answer = if status == StatusCode::NO_CONTENT {
            status.into_response()
        } else {
            idempotency.store_answer(&tx, status, &answer).await?
        };
        tx.commit().await?;
        Ok(answer)
    }

    /// Makes the change, and answers with what `then` makes of it once it is committed, such as the ledger's answer. Only
    /// for bodies without an idempotency key, because the answer is not stored.
    pub(crate) async fn run_then<T, Answer: Serialize>(
        self,
        change: impl AsyncFnOnce(&mut Work<C>, B::Form) -> Result<Changed<T>>,
        then: impl AsyncFnOnce(&AppState, T) -> Result<Answer>,
    ) -> Result<Response> {
        let Begun::Work(work) = self.begin().await? else {
            return Err(Problem::internal(
                "a change whose answer is not stored was repeated",
            ));
        };
        let made = work.make(self.form, change).await?;
        made.tx.commit().await?;
        Ok(Json(then(&self.state, made.answer).await?).into_response())
    }

    /// Checks a change before `act`, and makes it with the result. No transaction is open during `act`, because it may
    /// take seconds: it calls another system, hashes a password or waits. A repeated request does not act again.
    pub(crate) async fn run_after<T: Serialize, Act>(
        self,
        status: StatusCode,
        check: impl AsyncFnOnce(&mut Work<C>, &B::Form) -> Result<()>,
        act: impl AsyncFnOnce(&AppState, &B::Form) -> Result<Act>,
        change: impl AsyncFnOnce(&mut Work<C>, B::Form, Act) -> Result<Changed<T>>,
    ) -> Result<Response> {
        match self.begin().await? {
            // The check changed nothing, so its transaction rolls back.
            Begun::Work(mut work) => check(&mut work, &self.form).await?,
            Begun::Replayed(answer) => return Ok(answer),
        }
        let acted = act(&self.state, &self.form).await?;
        self.run(status, async |work, form| change(work, form, acted).await)
            .await
    }

    async fn begin(&self) -> Result<Begun<C>> {
        let tx = self.state.begin().await?;
        if let Some(answer) = self.idempotency.replayed_answer(&tx).await? {
            return Ok(Begun::Replayed(answer));
        }
        self.caller.lock_and_check_allowed(&tx).await?;
        Ok(Begun::Work(Work {
            state: self.state.clone(),
            caller: self.caller.clone(),
            tx,
        }))
    }
}

enum Begun<C> {
    Work(Work<C>),
    Replayed(Response),
}

/// A change while it is made: the open transaction, after the check of the caller's access.
pub struct Work<C> {
    pub state: AppState,
    pub caller: C,
    tx: Tx,
}

/// A change that is made and not yet committed.
struct Made<T> {
    tx: Tx,
    answer: T,
    status: Option<StatusCode>,
}

impl<C: Caller> Work<C> {
    /// Calls the closure of a change, and writes the audit log.
    async fn make<Form, T>(
        mut self,
        form: Form,
        change: impl AsyncFnOnce(&mut Self, Form) -> Result<Changed<T>>,
    ) -> Result<Made<T>> {
        let Changed {
            answer,
            entry,
            status,
        } = change(&mut self, form).await?;
        let Self { caller, tx, .. } = self;
        if let Some(entry) = entry {
            entry.write(&tx, caller.actor()).await?;
        }
        Ok(Made { tx, answer, status })
    }
}

impl<C> Work<C> {
    pub fn now(&self) -> DateTime<Utc> {
        self.state.clock.now()
    }

    /// Queues an e-mail, which is sent once the change is committed.
    pub(crate) async fn send_email(&mut self, email: &OutboxEmail<'_>) -> Result<()> {
        let queued = self.state.mail.enqueue(&*self.tx, email).await?;
        self.tx.send_after_commit(queued);
        Ok(())
    }

    /// Queues the e-mails of the change.
    pub(crate) async fn send(&mut self, emails: Emails<'_>) -> Result<()> {
        send_emails(&self.state, &mut self.tx, emails).await
    }
}

impl<C> Deref for Work<C> {
    type Target = Client;

    fn deref(&self) -> &Self::Target {
        &self.tx
    }
}

/// The answer of a change, and its entry in the audit log.
pub struct Changed<T> {
    answer: T,
    entry: Option<Entry>,
    /// If it is not that of `run`.
    status: Option<StatusCode>,
}

impl<T> Changed<T> {
    /// Nothing changed, because the record already was as requested.
    pub const fn nothing(answer: T) -> Self {
        Self {
            answer,
            entry: None,
            status: None,
        }
    }

    /// Without an entry nothing changed.
    pub const fn with_entry(answer: T, entry: Option<Entry>) -> Self {
        Self {
            answer,
            entry,
            status: None,
        }
    }

    /// The change concerns only the caller's own screens, so the audit log has no entry.
    pub const fn unrecorded(answer: T) -> Self {
        Self::nothing(answer)
    }

    /// The rules that made the change have written its entries.
    pub const fn recorded(answer: T) -> Self {
        Self::nothing(answer)
    }

    pub fn with_status(self, status: StatusCode) -> Self {
        Self {
            status: Some(status),
            ..self
        }
    }
}

/// A kind of records in the audit log, in most cases their table.
#[derive(Clone, Copy)]
pub struct Subject(pub &'static str);

impl Subject {
    pub fn entry(self, action: &'static str, id: impl ToString) -> Entry {
        Entry {
            action,
            subject: self.0,
            id: id.to_string(),
            before: None,
            after: None,
        }
    }
}

/// What changed. The values must not contain passwords.
pub struct Entry {
    action: &'static str,
    subject: &'static str,
    id: String,
    before: Option<Value>,
    after: Option<Value>,
}

impl Entry {
    pub fn before(self, values: Value) -> Self {
        Self {
            before: Some(values),
            ..self
        }
    }

    pub fn after(self, values: Value) -> Self {
        Self {
            after: Some(values),
            ..self
        }
    }

    pub const fn answer<T>(self, answer: T) -> Changed<T> {
        Changed {
            answer,
            entry: Some(self),
            status: None,
        }
    }

    async fn write(self, client: &Client, actor: Actor) -> Result<()> {
        let change = audit::Change {
            action: self.action,
            subject: self.subject,
            subject_id: &self.id,
            before: self.before,
            after: self.after,
        };
        Ok(record(client, actor, change).await?)
    }
}
