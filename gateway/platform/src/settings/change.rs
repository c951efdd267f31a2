//! Changes of a dated setting by staff, in the caller's transaction. The caller writes the audit log.

use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::clock::BusinessClock;
use ledger_domain::calendar::{Date, business_date, start_of};
use ledger_domain::ids::UserId;
use thiserror::Error;
use tokio_postgres::GenericClient;

use super::records::{SettingRecord, setting_add, setting_fetch, setting_withdraw, settings_lock_for_change};
use super::{PlatformSettings, SettingKey};
use crate::error::DatabaseCause;
use crate::holidays::next_business_day;
use crate::validity::set_business_now;

/// A value starts after the value that it replaces, never at the same instant: the table requires it.
const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

#[derive(Debug, Error)]
pub enum SettingError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    /// The setting was changed since the revision that the edit started from, by this user.
    #[error("{0} was changed")]
    ChangedMeanwhile(SettingKey, Option<UserId>),
    /// A change after which fewer decisions need two people starts on this day or later.
    #[error(
        "Para exigir menos aprovações, a data deve ser a partir de {}, o próximo dia útil.",
        .0.format("%d/%m/%Y")
    )]
    TooEarly(Date),
    #[error("Esta configuração não tem mudança agendada. Ela já entrou em vigor ou foi retirada.")]
    NothingScheduled,
}

pub type Result<T, E = SettingError> = std::result::Result<T, E>;

/// The user who changes a setting, and what a change needs of the program.
#[derive(Debug, Clone, Copy)]
pub struct SettingEditor {
    pub user: UserId,
    pub clock: BusinessClock,
    /// The settings of an installation whose staff have set none.
    pub defaults: PlatformSettings,
}

/// A value that a user sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewValue {
    pub key: SettingKey,
    /// As the table stores it.
    pub value: Option<i64>,
    /// `None`: from now.
    pub valid_from: Option<DateTime<Utc>>,
    /// The revision that the edit started from.
    pub revision: i32,
}

/// A setting after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditedSetting {
    pub after: SettingRecord,
    /// `None` if the setting already was as requested.
    pub change: Option<SettingChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingChange {
    /// The value that was replaced: the scheduled one with its start, else the one in force.
    pub replaced: (Option<i64>, Option<DateTime<Utc>>),
    pub in_force: Option<i64>,
    pub starts: DateTime<Utc>,
    /// Whether fewer decisions need two people after it.
    pub loosens: bool,
    pub at: DateTime<Utc>,
}

/// Sets a value, which replaces a scheduled one. A change that loosens a rule starts on the next business day at the
/// earliest: one user makes it alone, and the others can object in time.
pub async fn set(client: &impl GenericClient, editor: SettingEditor, new: NewValue) -> Result<EditedSetting> {
    let now = lock_and_read_time(client, editor).await?;
    let NewValue { key, value, .. } = new;
    let before = setting_fetch(client, key, now).await?;
    if before.revision != new.revision {
        return Err(SettingError::ChangedMeanwhile(key, before.changed_by));
    }
    let earliest = before
        .current
        .map_or(now, |current| now.max(current.valid_from + NEXT_INSTANT));
    let in_force = before
        .current
        .map_or_else(|| editor.defaults.value(key), |current| current.value);
    let loosens = key.loosens(in_force, value);
    let earliest_start = if loosens {
        next_business_start(client, now, new.valid_from).await?
    } else {
        earliest
    };
    let starts = new.valid_from.unwrap_or(earliest_start).max(earliest_start);
    let changes_nothing = match &before.scheduled {
        Some(scheduled) => (scheduled.value, scheduled.valid_from) == (value, starts),
        None => in_force == value,
    };
    if !changes_nothing {
        if let Some(scheduled) = &before.scheduled {
            setting_withdraw(client, key, scheduled, now, editor.user).await?;
        }
        setting_add(client, key, &before, value, starts, editor.user).await?;
    }
    let replaced = before.scheduled.map_or((in_force, None), |scheduled| {
        (scheduled.value, Some(scheduled.valid_from))
    });
    Ok(EditedSetting {
        // A value without a later start is in force at `earliest`, which may be just after `now`.
        after: setting_fetch(client, key, earliest).await?,
        change: (!changes_nothing).then_some(SettingChange {
            replaced,
            in_force,
            starts,
            loosens,
            at: now,
        }),
    })
}

/// Withdraws the scheduled value, and returns it with its start. The value in force stays.
pub async fn withdraw_scheduled(
    client: &impl GenericClient,
    editor: SettingEditor,
    key: SettingKey,
) -> Result<(SettingRecord, (Option<i64>, DateTime<Utc>))> {
    let now = lock_and_read_time(client, editor).await?;
    let before = setting_fetch(client, key, now).await?;
    let scheduled = before.scheduled.ok_or(SettingError::NothingScheduled)?;
    setting_withdraw(client, key, &scheduled, now, editor.user).await?;
    let after = setting_fetch(client, key, now).await?;
    Ok((after, (scheduled.value, scheduled.valid_from)))
}

/// Locks the settings and returns the time of the change. The time is read under the lock, so that later changes have
/// later times.
async fn lock_and_read_time(client: &impl GenericClient, editor: SettingEditor) -> Result<DateTime<Utc>> {
    settings_lock_for_change(client).await?;
    let now = editor.clock.now();
    set_business_now(client, now).await?;
    Ok(now)
}

/// The beginning of the next business day, in Brasília. An earlier start is refused.
async fn next_business_start(
    client: &impl GenericClient,
    now: DateTime<Utc>,
    given: Option<DateTime<Utc>>,
) -> Result<DateTime<Utc>> {
    let day = next_business_day(client, business_date(now)).await?;
    let earliest = start_of(day);
    if given.is_some_and(|given| given < earliest) {
        return Err(SettingError::TooEarly(day));
    }
    Ok(earliest)
}
