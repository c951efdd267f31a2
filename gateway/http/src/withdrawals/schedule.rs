//! A seller schedules withdrawals, and reads what became of them.

use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::withdrawals::schedule::{
    DAY_OF_MONTH_MAX, Frequency, RunOutcome, ScheduleRun, WEEKDAY_MAX, WithdrawalSchedule, next_run,
    schedule_of, schedule_remove, schedule_runs, schedule_set,
};
use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, Cents};
use serde::Serialize;
use serde_json::{Value, json};
use tokio_postgres::GenericClient;
use utoipa::ToSchema;

use super::bodies::destination::DestinationNumber;
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, Json};
use crate::problem::{Problem, Result};
use crate::shared::cents;
use crate::shared::change::{Change, Changed, Subject};
use crate::shared::form::{
    Form, cents as cents_field, form, int32, number, optional, password, required, word,
};
use crate::shared::schemas::Word;

const SCHEDULE: Subject = Subject("withdrawal_schedule");
/// The runs in the answer.
const RUNS: i64 = 30;

pub type FrequencyWord = Word<Frequency>;
pub type RunOutcomeWord = Word<RunOutcome>;

/// The company's schedule, and its last 30 runs, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScheduleAnswer {
    /// Null if the company has none.
    #[schema(required = true)]
    pub schedule: Option<Schedule>,
    pub runs: Vec<Run>,
}

/// When withdrawals are requested without a person. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WithdrawalSchedule)]
pub struct Schedule {
    pub frequency: FrequencyWord,
    /// 1 to 5 from Monday to Friday for week, 1 to 28 for month, null for day.
    #[schema(required = true, example = 5)]
    pub on_day: Option<i16>,
    /// A run withdraws nothing below this amount.
    #[schema(example = 100_000)]
    pub minimum: i64,
    /// What a run leaves in the balance.
    #[schema(example = 50_000)]
    pub kept: i64,
    pub destination: DestinationNumber,
    /// The next business day on which it runs, in Brasília, from 9 o'clock on.
    #[schema(required = true, example = "2026-11-27")]
    pub next_on: Option<NaiveDate>,
    /// The user who set it. Null if the user was deleted.
    #[schema(required = true, example = "Ana Souza")]
    pub set_by: Option<String>,
    /// UTC instant.
    pub set_at: DateTime<Utc>,
}

/// What became of a day on which the schedule ran.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WithdrawalScheduleRun)]
pub struct Run {
    /// Business date in Brasília.
    #[schema(example = "2026-11-20")]
    pub on: NaiveDate,
    pub outcome: RunOutcomeWord,
    /// What was available, in cents.
    #[schema(example = 480_000)]
    pub available: i64,
    /// The amount of the withdrawal in cents; null without one.
    #[schema(required = true, example = 430_000)]
    pub amount: Option<i64>,
    /// The withdrawal; null without one.
    #[schema(required = true, example = "trf_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b08")]
    pub transfer_id: Option<String>,
}

form! {
    pub struct ScheduleForm {
        frequency: Frequency = word(),
        /// 1 to 5 from Monday to Friday for week, 1 to 28 for month. Left out for day.
        #[example = 5]
        on_day: Option<i32> = optional(int32()),
        /// In cents. A run withdraws nothing below this amount.
        #[example = 100_000]
        minimum: Cents = required(cents_field(), "requerido"),
        /// In cents. What a run leaves in the balance.
        #[example = 50_000]
        kept: Cents = required(cents_field(), "requerido"),
        destination: DestinationKind = required(number("Deve ser 0 ou 1."), "Requerido"),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
    }
}

impl ScheduleForm {
    fn checked_day(&self) -> Result<Option<i16>> {
        let max = match self.frequency {
            Frequency::Day => return Ok(None),
            Frequency::Week => WEEKDAY_MAX,
            Frequency::Month => DAY_OF_MONTH_MAX,
        };
        let day = self.on_day.and_then(|day| i16::try_from(day).ok());
        day.filter(|day| (1..=max).contains(day))
            .map(Some)
            .ok_or_else(|| Problem::field("on_day", "Escolha o dia."))
    }

    fn check_amounts(&self) -> Result<()> {
        Cents::checked_amount(self.minimum.get())
            .map_err(|_| Problem::field("minimum", "Valor fora do limite permitido."))?;
        if self.kept.is_negative() || self.kept > Cents::AMOUNT_MAX {
            return Err(Problem::field("kept", "Valor fora do limite permitido."));
        }
        Ok(())
    }
}

/// Get the schedule of withdrawals
#[utoipa::path(
    get, path = "/balance/withdrawal-schedule", tag = "balance",
    responses((status = 200, body = ScheduleAnswer))
)]
pub(crate) async fn get_withdrawal_schedule(
    axum::extract::State(state): axum::extract::State<AppState>,
    business: CurrentBusiness,
    db: Db,
) -> Result<Json<ScheduleAnswer>> {
    answer(&*db, business.id, &state).await.map(Json)
}

/// Set the schedule of withdrawals
///
/// Replaces the company's schedule. On each of its days, from 9 o'clock in Brasília on, the available balance less what is
/// kept is requested as a withdrawal to the company's destination of that day, if it is not below the minimum. A day on
/// which banks are closed moves to the next business day. Needs the user's password.
#[utoipa::path(
    post, path = "/balance/withdrawal-schedule", tag = "balance",
    responses(
        (status = 200, body = ScheduleAnswer),
        (status = 422, description = "Invalid values, by field: frequency, on_day, minimum, kept, destination, password"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn set_withdrawal_schedule(
    CurrentSeller(seller): CurrentSeller,
    change: Change<CurrentBusiness, Form<ScheduleForm>>,
) -> Result<Response> {
    change
        .run_after(
            StatusCode::OK,
            async |_, form| {
                form.check_amounts()?;
                form.checked_day().map(drop)
            },
            async |state, form| {
                Ok(reauthentication::check(&state.accounts, seller.into(), &form.password).await?)
            },
            async |work, form, ()| {
                let company = work.caller.id;
                let before = schedule_of(&**work, company).await?;
                let schedule = WithdrawalSchedule {
                    business_id: company,
                    frequency: form.frequency,
                    on_day: form.checked_day()?,
                    minimum: form.minimum,
                    kept: form.kept,
                    destination: form.destination,
                    set_by: work.caller.seller,
                    set_at: work.now(),
                };
                schedule_set(&**work, &schedule).await?;
                let entry = SCHEDULE.entry("set", company).after(logged(&schedule));
                let entry = match &before {
                    Some(before) => entry.before(logged(before)),
                    None => entry,
                };
                let state = work.state.clone();
                Ok(entry.answer(answer(&**work, company, &state).await?))
            },
        )
        .await
}

/// Remove the schedule of withdrawals
///
/// Withdrawals that it has requested stay.
#[utoipa::path(
    delete, path = "/balance/withdrawal-schedule", tag = "balance",
    responses((status = 204, description = "The company has no schedule any more"))
)]
pub(crate) async fn delete_withdrawal_schedule(change: Change<CurrentBusiness>) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            let company = work.caller.id;
            let before = schedule_of(&**work, company).await?;
            schedule_remove(&**work, company).await?;
            let entry = before.map(|before| SCHEDULE.entry("delete", company).before(logged(&before)));
            Ok(Changed::with_entry((), entry))
        })
        .await
}

fn logged(schedule: &WithdrawalSchedule) -> Value {
    json!({
        "business_id": schedule.business_id, "frequency": schedule.frequency.as_str(), "on_day": schedule.on_day,
        "minimum": schedule.minimum, "kept": schedule.kept, "destination": schedule.destination,
    })
}

async fn answer(
    client: &impl GenericClient,
    company: BusinessId,
    state: &AppState,
) -> Result<ScheduleAnswer> {
    let schedule = match schedule_of(client, company).await? {
        Some(schedule) => {
            let next_on = next_run(client, &schedule, state.clock.today()).await?;
            let mut names = user_names(client, Audience::Seller, &[schedule.set_by]).await?;
            let set_by = names.remove(&schedule.set_by);
            Some(Schedule::of(&schedule, next_on, set_by))
        }
        None => None,
    };
    let runs = schedule_runs(client, company, RUNS).await?;
    Ok(ScheduleAnswer {
        schedule,
        runs: runs.into_iter().map(Into::into).collect(),
    })
}

impl Schedule {
    fn of(schedule: &WithdrawalSchedule, next_on: Option<NaiveDate>, set_by: Option<String>) -> Self {
        Self {
            frequency: schedule.frequency.into(),
            on_day: schedule.on_day,
            minimum: cents(schedule.minimum),
            kept: cents(schedule.kept),
            destination: schedule.destination.into(),
            next_on,
            set_by,
            set_at: schedule.set_at,
        }
    }
}

impl From<ScheduleRun> for Run {
    fn from(run: ScheduleRun) -> Self {
        Self {
            on: run.on_date,
            outcome: run.outcome.into(),
            available: cents(run.available),
            amount: run.amount.map(cents),
            transfer_id: run.transfer_id.map(|id| id.to_string()),
        }
    }
}
