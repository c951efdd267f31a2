//! The rows of the dated settings, which staff set, schedule and withdraw.

use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use super::SettingKey;

/// A value of a setting, valid from an instant until the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedValue {
    /// The place among the setting's rows, from 1.
    number: i32,
    /// In the unit of `PlatformSettings::value`.
    pub value: Option<i64>,
    pub valid_from: Instant,
    pub set_by: UserId,
}

/// A setting as of an instant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SettingRecord {
    /// `None`: the installation's default is in force.
    pub current: Option<DatedValue>,
    pub scheduled: Option<DatedValue>,
    /// Counts the changes, so that an edit which started from an older state is refused.
    pub revision: i32,
    /// The user who made the latest change.
    pub changed_by: Option<UserId>,
    /// The number of rows, which is also the `number` of the last one.
    rows: i32,
}

/// Locks the settings for a change: other changes and decisions wait until the end of the transaction. Reads do not
/// wait.
pub async fn settings_lock_for_change(client: &impl GenericClient) -> Result<(), Error> {
    client
        .batch_execute("LOCK TABLE platform_setting IN SHARE ROW EXCLUSIVE MODE")
        .await
}

/// Locks the settings for a decision: changes that have begun end first, and new ones wait until the end of the
/// transaction. So the values that are read for a past instant are final.
pub async fn settings_lock_for_decision(client: &impl GenericClient) -> Result<(), Error> {
    client
        .batch_execute("LOCK TABLE platform_setting IN SHARE MODE")
        .await
}

/// The setting at the instant. All its rows are read: a setting changes a few times a year.
pub async fn setting_fetch(
    client: &impl GenericClient,
    key: SettingKey,
    at: Instant,
) -> Result<SettingRecord, Error> {
    let rows = client
        .query_typed(
            "SELECT number, value, valid_from, set_by, withdrawn_at, withdrawn_by FROM platform_setting
              WHERE key = $1 ORDER BY number",
            &[(&key.as_str(), Type::TEXT)],
        )
        .await?;
    Ok(rows
        .iter()
        .fold(SettingRecord::default(), |record, row| record.with(row, at)))
}

impl SettingRecord {
    fn with(mut self, row: &Row, at: Instant) -> Self {
        let dated = DatedValue {
            number: row.get(0),
            value: row.get(1),
            valid_from: row.get(2),
            set_by: UserId::from_uuid(row.get(3)),
        };
        self.rows += 1;
        self.revision += 1;
        self.changed_by = Some(dated.set_by);
        if row.get::<_, Option<Instant>>(4).is_some() {
            self.revision += 1;
            self.changed_by = row.get::<_, Option<_>>(5).map(UserId::from_uuid);
        } else if dated.valid_from <= at {
            self.current = Some(dated);
        } else {
            self.scheduled = Some(dated);
        }
        self
    }
}

/// Adds a value after all others. A scheduled value must have been withdrawn.
pub async fn setting_add(
    client: &impl GenericClient,
    key: SettingKey,
    record: &SettingRecord,
    value: Option<i64>,
    valid_from: Instant,
    set_by: UserId,
) -> Result<(), Error> {
    client
        .query_typed(
            "INSERT INTO platform_setting (key, number, value, valid_from, set_by) VALUES ($1, $2, $3, $4, $5)",
            &[
                (&key.as_str(), Type::TEXT),
                (&(record.rows + 1), Type::INT4),
                (&value, Type::INT8),
                (&valid_from, Type::TIMESTAMPTZ),
                (&set_by.uuid(), Type::UUID),
            ],
        )
        .await
        .map(drop)
}

/// Withdraws a scheduled value. It keeps its row and its number.
pub async fn setting_withdraw(
    client: &impl GenericClient,
    key: SettingKey,
    scheduled: &DatedValue,
    at: Instant,
    withdrawn_by: UserId,
) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE platform_setting SET withdrawn_at = $3, withdrawn_by = $4 WHERE key = $1 AND number = $2",
            &[
                (&key.as_str(), Type::TEXT),
                (&scheduled.number, Type::INT4),
                (&at, Type::TIMESTAMPTZ),
                (&withdrawn_by.uuid(), Type::UUID),
            ],
        )
        .await
        .map(drop)
}
