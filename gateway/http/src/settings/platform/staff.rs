//! The platform's dated settings: list them, set one from now or from a later instant, withdraw a scheduled value.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::settings::records::{
    DatedValue, SettingRecord, setting_add, setting_fetch, setting_withdraw, settings_lock_for_change,
};
use gateway_platform::settings::{PlatformSettings, SettingKey};
use gateway_platform::validity::set_business_now;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::bodies::{PlatformSetting, PlatformSettingList, ScheduledSetting, SettingValue};
use super::form::PlatformSettingForm;
use super::loosening::{self, LoosenedRule};
use crate::AppState;
use crate::edge::{Db, Id, Json, Paging, PanelUrl, PathParam, Query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Subject, Work};
use crate::shared::form::Form;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

const SETTING: Subject = Subject("platform_setting");
/// A value starts after the value that it replaces, never at the same instant: the table requires it.
const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// List the settings of the platform
///
/// Returns each setting with its value in force and its scheduled value. Until a first value of staff takes effect, the
/// installation's value is in force.
#[utoipa::path(
    get, path = "/admin/settings/platform", tag = "settings",
    responses((status = 200, body = PlatformSettingList))
)]
pub(crate) async fn list_platform_settings(
    State(state): State<AppState>,
    db: Db,
) -> Result<Json<PlatformSettingList>> {
    let now = state.clock.now();
    let mut data = vec![];
    for key in SettingKey::ALL.iter().copied() {
        let found = setting_fetch(&*db, key, now).await?;
        data.push(body(&*db, &state, key, &found).await?);
    }
    Ok(Json(PlatformSettingList { data }))
}

/// Change a setting of the platform
///
/// The value is in force from `valid_from`, else from now. It replaces a scheduled value. A change by which fewer
/// decisions need two people starts on the next business day at the earliest, also without `valid_from`. All active
/// owners and admins are then notified by e-mail.
#[utoipa::path(
    post, path = "/admin/settings/platform", tag = "settings",
    responses(
        (status = 200, body = PlatformSetting),
        (status = 409, description = "The setting was changed since the revision that the edit started from"),
    )
)]
pub(crate) async fn update_platform_setting(
    PanelUrl(panel_url): PanelUrl,
    change: Change<StaffCaller, Form<PlatformSettingForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let now = lock_and_read_time(work).await?;
            let key = form.key;
            let before = setting_fetch(&**work, key, now).await?;
            if before.revision != form.revision {
                return Err(changed_since(&**work, key, &before).await?);
            }
            let defaults = work.state.default_settings();
            let earliest = before
                .current
                .map_or(now, |current| now.max(current.valid_from + NEXT_INSTANT));
            let in_force = before
                .current
                .map_or_else(|| defaults.value(key), |current| current.value);
            let loosens = key.loosens(in_force, form.value);
            let earliest_start = if loosens {
                loosening::earliest_start(&**work, now, form.valid_from).await?
            } else {
                earliest
            };
            let starts = form.valid_from.unwrap_or(earliest_start).max(earliest_start);
            let changes_nothing = match &before.scheduled {
                Some(scheduled) => (scheduled.value, scheduled.valid_from) == (form.value, starts),
                None => in_force == form.value,
            };
            let entry = if changes_nothing {
                None
            } else {
                let by = work.caller.id;
                if let Some(scheduled) = &before.scheduled {
                    setting_withdraw(&**work, key, scheduled, now, by).await?;
                }
                setting_add(&**work, key, &before, form.value, starts, by).await?;
                if loosens {
                    let loosened = LoosenedRule {
                        key,
                        before: in_force,
                        after: form.value,
                        starts,
                        by,
                        at: now,
                    };
                    loosened.email_deciding_staff(work, &panel_url).await?;
                }
                let entry = SETTING
                    .entry("update", key)
                    .before(latest(key, &before, defaults))
                    .after(audited(key, form.value, Some(starts)));
                Some(entry)
            };
            // A value without a later start is in force at `earliest`, which may be just after `now`.
            let after = setting_fetch(&**work, key, earliest).await?;
            let answer = body(&**work, &work.state, key, &after).await?;
            Ok(Changed::with_entry(answer, entry))
        })
        .await
}

/// Withdraw the scheduled value of a setting
///
/// The value in force stays. Only possible before the scheduled value takes effect.
#[utoipa::path(
    delete, path = "/admin/settings/platform/{key}/scheduled", tag = "settings",
    responses(
        (status = 200, body = PlatformSetting),
        (status = 409, description = "The setting has no scheduled value"),
    )
)]
pub(crate) async fn withdraw_scheduled_setting(
    Id(SettingKeyInPath(key)): Id<SettingKeyInPath>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let now = lock_and_read_time(work).await?;
            let before = setting_fetch(&**work, key, now).await?;
            let Some(scheduled) = &before.scheduled else {
                return Err(Problem::conflict(
                    "Esta configuração não tem mudança agendada. Ela já entrou em vigor ou foi retirada.",
                ));
            };
            setting_withdraw(&**work, key, scheduled, now, work.caller.id).await?;
            let after = setting_fetch(&**work, key, now).await?;
            let answer = body(&**work, &work.state, key, &after).await?;
            let withdrawn = audited(key, scheduled.value, Some(scheduled.valid_from));
            Ok(SETTING.entry("withdraw", key).before(withdrawn).answer(answer))
        })
        .await
}

/// List the history of the platform's settings
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/settings/platform/history", tag = "settings",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_platform_setting_history(
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    staff_history(&db, SETTING.0, None, paging).await.map(Json)
}

/// The setting in the path.
pub struct SettingKeyInPath(SettingKey);

impl PathParam for SettingKeyInPath {
    const NOUN: &'static str = "setting";
    const EXAMPLE: &'static str = "terminal_rental";

    fn parse(text: &str) -> Option<Self> {
        SettingKey::parse(text).ok().map(Self)
    }
}

/// Locks the settings and returns the time of the change. The time is read under the lock, so that later changes have
/// later times.
async fn lock_and_read_time(work: &Work<StaffCaller>) -> Result<DateTime<Utc>> {
    settings_lock_for_change(&**work).await?;
    let now = work.now();
    set_business_now(&**work, now).await?;
    Ok(now)
}

async fn body(
    client: &impl GenericClient,
    state: &AppState,
    key: SettingKey,
    found: &SettingRecord,
) -> Result<PlatformSetting> {
    let dated = [found.current, found.scheduled];
    let users: Vec<UserId> = dated.iter().flatten().map(|dated| dated.set_by).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let value = |dated: &DatedValue| SettingValue::of(key, dated.value);
    Ok(PlatformSetting {
        key: key.into(),
        value: match &found.current {
            Some(current) => value(current),
            None => SettingValue::of(key, state.default_settings().value(key)),
        },
        valid_from: found.current.map(|current| current.valid_from),
        set_by: found.current.and_then(|current| name(&names, current.set_by)),
        scheduled: found.scheduled.map(|scheduled| ScheduledSetting {
            value: value(&scheduled),
            valid_from: scheduled.valid_from,
            set_by: name(&names, scheduled.set_by),
        }),
        revision: found.revision,
    })
}

fn name(names: &HashMap<UserId, String>, id: UserId) -> Option<String> {
    names.get(&id).cloned()
}

/// A value as the audit log has it.
fn audited(key: SettingKey, value: Option<i64>, valid_from: Option<DateTime<Utc>>) -> Value {
    let mut fields = Map::from_iter([(key.as_str().to_owned(), json!(SettingValue::of(key, value)))]);
    if let Some(valid_from) = valid_from {
        fields.insert("valid_from".to_owned(), json!(valid_from));
    }
    Value::Object(fields)
}

/// The value that a change replaces, for the audit log: the scheduled one with its start, else the one in force.
fn latest(key: SettingKey, record: &SettingRecord, defaults: PlatformSettings) -> Value {
    match (&record.scheduled, &record.current) {
        (Some(scheduled), _) => audited(key, scheduled.value, Some(scheduled.valid_from)),
        (None, Some(current)) => audited(key, current.value, None),
        (None, None) => audited(key, defaults.value(key), None),
    }
}

/// A 409 that says who changed which setting.
async fn changed_since(
    client: &impl GenericClient,
    key: SettingKey,
    found: &SettingRecord,
) -> Result<Problem> {
    let users: Vec<UserId> = found.changed_by.into_iter().collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let who = users.first().and_then(|id| name(&names, *id));
    let who = who.unwrap_or_else(|| "Outra pessoa".to_owned());
    let setting = match key {
        SettingKey::TerminalRental => "o aluguel da maquininha",
        SettingKey::TwoApprovalsAbove => "o valor de saque que exige duas aprovações",
        SettingKey::TwoPersonPlanChanges => "a aprovação de mudanças de planos",
        SettingKey::MarkedDestinationDays => "os dias de destaque de um novo destino",
        SettingKey::BuyerDataDays => "o prazo dos dados de compradores",
        SettingKey::TwoPersonCompanyApprovals => "a aprovação de empresas por duas pessoas",
        SettingKey::DocumentsOfPf => "os documentos de pessoas físicas",
        SettingKey::DocumentsOfPj => "os documentos de pessoas jurídicas",
        SettingKey::CreditsAloneUpTo => "o limite de créditos manuais",
        SettingKey::RemovalsAloneUpTo => "o limite de débitos manuais",
        SettingKey::ReleasesAloneUpTo => "o limite de liberações",
        SettingKey::PlanExceptionsAloneUpTo => "o limite de exceções de planos",
        SettingKey::ReturnedWithdrawalFee => "a tarifa de saques devolvidos",
    };
    Ok(Problem::conflict(format!(
        "{who} alterou {setting} enquanto você editava. Feche e abra de novo para ver o valor atual."
    )))
}
