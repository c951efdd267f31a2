//! The platform's dated settings: list them, set one from now or from a later instant, withdraw a scheduled value.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::settings::SettingKey;
use gateway_platform::settings::change::{SettingEditor, set, withdraw_scheduled};
use gateway_platform::settings::records::{DatedValue, SettingRecord, setting_fetch};
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::bodies::{PlatformSetting, PlatformSettingList, ScheduledSetting, SettingValue};
use super::form::PlatformSettingForm;
use super::loosening::email_deciding_staff;
use super::refusals::answered;
use crate::AppState;
use crate::edge::{Db, Id, Json, Paging, PanelUrl, PathParam, Query};
use crate::problem::Result;
use crate::shared::change::{Change, Changed, Subject, Work};
use crate::shared::form::Form;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

const SETTING: Subject = Subject("platform_setting");

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
        .run(StatusCode::OK, async |work, PlatformSettingForm(new)| {
            let edited = set(&**work, editor(work), new).await;
            let edited = answered(&**work, edited).await?;
            let key = new.key;
            let mut entry = None;
            if let Some(change) = &edited.change {
                if change.loosens {
                    email_deciding_staff(work, &panel_url, &new, change).await?;
                }
                let (value, valid_from) = change.replaced;
                let update = SETTING.entry("update", key);
                let update = update.before(audited(key, value, valid_from));
                entry = Some(update.after(audited(key, new.value, Some(change.starts))));
            }
            let answer = body(&**work, &work.state, key, &edited.after).await?;
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
            let (after, (value, valid_from)) = withdraw_scheduled(&**work, editor(work), key).await?;
            let answer = body(&**work, &work.state, key, &after).await?;
            let withdrawn = audited(key, value, Some(valid_from));
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

fn editor(work: &Work<StaffCaller>) -> SettingEditor {
    SettingEditor {
        user: work.caller.id,
        clock: work.state.clock,
        defaults: work.state.default_settings(),
    }
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
