//! Roll-ups: read models whose rows are sums under a key, such as the volume of a day.
//!
//! `roll_up!` generates the key, the row and `ReadModel` except the fold, from the names of the columns.

use tokio_postgres::types::ToSql;

/// The values of one column, one for each row.
pub(crate) type Column = Box<dyn ToSql + Sync + Send>;

/// Generates a roll-up from its columns. For example:
///
/// ```text
/// roll_up! {
///     // The table, which has a unique constraint over the key, and the read model that is folded before this one.
///     table "daily_sales", after SaleRecords;
///     // The columns of the key: the struct `Key`.
///     key Key { business_id: BusinessId, business_date: Date }
///     // The columns of sums, all `bigint`: the struct `Sum`. `sums of Sum;` takes the sums of another roll-up.
///     sums Sum { sales, gross }
///     // The read model's type, and the function that adds an event:
///     // `fn(&mut Sums, &DecodedEvent, &SaleRecords) -> Result<(), Poison>`.
///     fold Sums = Sums::add_event;
///     // Optional. Removes the rows that are not kept: `prune_rows` from memory, `delete_rows` from the table. The
///     // second gets the keys of the window. Both must keep the same rows, however the events are cut into windows.
///     prune prune_rows, in delete_rows;
///     // Optional. The function that adds a window to tables with sums over all companies, and the names of these
///     // tables.
///     shared of_platform::write_days, in of_platform::DAYS;
/// }
/// ```
macro_rules! roll_up {
    (
        table $table:literal, after $First:ty;
        $(#[$key_doc:meta])*
        key $Key:ident { $($(#[$field_doc:meta])* $field:ident: $Field:ty),+ $(,)? }
        $(#[$sum_doc:meta])*
        sums $Sum:ident { $($(#[$column_doc:meta])* $column:ident),+ $(,)? }
        fold $Sums:ident = $fold:path;
        $(prune $prune:path, in $delete:path;)?
        $(shared $write_shared:path, in $shared:expr;)?
    ) => {
        $crate::read_model::roll_up::sums! {
            $(#[$sum_doc])*
            $Sum { $($(#[$column_doc])* $column),+ }
        }

        $crate::read_model::roll_up::roll_up! {
            table $table, after $First;
            $(#[$key_doc])*
            key $Key { $($(#[$field_doc])* $field: $Field),+ }
            sums of $Sum;
            fold $Sums = $fold;
            $(prune $prune, in $delete;)?
            $(shared $write_shared, in $shared;)?
        }
    };
    (
        table $table:literal, after $First:ty;
        $(#[$key_doc:meta])*
        key $Key:ident { $($(#[$field_doc:meta])* $field:ident: $Field:ty),+ $(,)? }
        sums of $Sum:ident;
        fold $Sums:ident = $fold:path;
        $(prune $prune:path, in $delete:path;)?
        $(shared $write_shared:path, in $shared:expr;)?
    ) => {
        $(#[$key_doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) struct $Key {
            $($(#[$field_doc])* pub $field: $Field,)+
        }

        /// The sums that a window of events adds to the rows.
        #[derive(Debug, Default, PartialEq)]
        pub(crate) struct $Sums(std::collections::BTreeMap<$Key, $Sum>);

        impl $Sums {
            const KEY: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), <$Field as $crate::read_model::field::Field>::SQL)),+];
            const SUMS: &'static [&'static str] = &$Sum::COLUMNS;

            /// Changes the sums under a key. `change` returns `None` if a sum overflows.
            fn add(
                &mut self,
                key: $Key,
                change: impl FnOnce(&mut $Sum) -> Option<()>,
            ) -> Result<(), $crate::error::Poison> {
                change(self.0.entry(key).or_default()).ok_or($crate::error::Poison::Overflow)
            }
        }

        impl $crate::read_model::ReadModel for $Sums {
            const TABLE: &'static str = $table;
            $(const SHARED: &'static [&'static str] = $shared;)?
            type FirstOfGroup = $First;
            type Key = $Key;
            type Row = $Sum;

            fn fold(
                &mut self,
                recorded: &$crate::decoded_event::DecodedEvent,
                first: &$First,
            ) -> Result<(), $crate::error::Poison> {
                $fold(self, recorded, first)
            }

            async fn write(
                &self,
                tx: &deadpool_postgres::Transaction<'_>,
            ) -> Result<(), tokio_postgres::Error> {
                if self.0.is_empty() {
                    return Ok(());
                }
                let mut columns: Vec<$crate::read_model::roll_up::Column> = vec![
                    $(Box::new(
                        self.0
                            .keys()
                            .map(|key| $crate::read_model::field::Field::stored(&key.$field))
                            .collect::<Vec<_>>(),
                    ),)+
                ];
                columns.extend($Sum::transposed(self.0.values()));
                let sql = $crate::read_model::roll_up::upsert($table, Self::KEY, Self::SUMS);
                $crate::read_model::roll_up::write(tx, &sql, &columns).await?;
                $($delete(tx, self.0.keys()).await?;)?
                $($write_shared(tx, &self.0).await?;)?
                Ok(())
            }

            fn into_rows(self) -> $crate::read_model::RowsOf<Self> {
                #[allow(unused_mut, reason = "only some roll-ups remove rows")]
                let mut rows = self.0;
                $($prune(&mut rows);)?
                rows
            }

            $(fn prune(rows: &mut $crate::read_model::RowsOf<Self>) {
                $prune(rows);
            })?

            async fn stored(
                client: &impl tokio_postgres::GenericClient,
                business: ledger_domain::BusinessId,
            ) -> Result<$crate::read_model::RowsOf<Self>, $crate::Error> {
                let sql = $crate::read_model::roll_up::select($table, Self::KEY, Self::SUMS);
                let rows = client
                    .query_typed(&sql, &[(&business.uuid(), tokio_postgres::types::Type::UUID)])
                    .await?;
                let row = |row: &tokio_postgres::Row| {
                    let mut index = 0..;
                    let mut next = || index.next().unwrap_or_default();
                    let key = $Key {
                        $($field: $crate::read_model::field::Field::restored(row.get(next()))?,)+
                    };
                    Ok((key, $Sum::from_row(row, next())))
                };
                rows.iter().map(row).collect()
            }

            fn row_name(key: &$Key) -> String {
                let named = [$(format!(
                    "{}={}",
                    stringify!($field),
                    $crate::read_model::field::Field::text(&key.$field)
                )),+];
                named.join(" ")
            }

            fn merge(stored: &mut $Sum, row: $Sum) {
                *stored = stored
                    .plus(row)
                    .expect("the sums of a simulation fit into 64 bits");
            }
        }
    };
}
pub(crate) use roll_up;

/// Generates the row of a roll-up: its sums. Several roll-ups may have the same sums under different keys.
macro_rules! sums {
    ($(#[$sum_doc:meta])* $Sum:ident { $($(#[$column_doc:meta])* $column:ident),+ $(,)? }) => {
        $(#[$sum_doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $Sum {
            $($(#[$column_doc])* pub $column: i64,)+
        }

        impl $Sum {
            pub(crate) const COLUMNS: [&'static str; [$(stringify!($column)),+].len()] = [$(stringify!($column)),+];

            /// The name and sum of each column.
            pub(crate) fn values(&self) -> impl Iterator<Item = (&'static str, i64)> {
                [$((stringify!($column), self.$column)),+].into_iter()
            }

            /// The sums of a row whose columns are in order from `first` on.
            pub(crate) fn from_row(row: &tokio_postgres::Row, first: usize) -> Self {
                let mut index = first..;
                let mut next = || index.next().unwrap_or_default();
                Self { $($column: row.get(next()),)+ }
            }

            /// One array for each column.
            pub(crate) fn transposed<'a>(
                rows: impl Iterator<Item = &'a Self> + Clone,
            ) -> Vec<$crate::read_model::roll_up::Column> {
                vec![$(Box::new(rows.clone().map(|sum| sum.$column).collect::<Vec<i64>>()),)+]
            }

            /// `None` if a sum overflows.
            #[must_use]
            pub fn plus(self, other: Self) -> Option<Self> {
                Some(Self { $($column: self.$column.checked_add(other.$column)?,)+ })
            }
        }

        impl $crate::read_model::finding::Columns for $Sum {
            fn columns(&self) -> Vec<(&'static str, String)> {
                self.values()
                    .map(|(column, sum)| (column, sum.to_string()))
                    .collect()
            }
        }
    };
}
pub(crate) use sums;

/// The statement that adds the sums of a window to the rows of its keys. `key` has names and types of columns. The
/// parameters are one array for each column.
pub(crate) fn upsert(table: &str, key: &[(&str, &str)], sums: &[&str]) -> String {
    let names: Vec<_> = key
        .iter()
        .map(|(name, _)| *name)
        .chain(sums.iter().copied())
        .collect();
    let types = key.iter().map(|(_, sql)| *sql).chain(sums.iter().map(|_| "int8"));
    let arrays: Vec<_> = types
        .zip(1..)
        .map(|(sql, number)| format!("${number}::{sql}[]"))
        .collect();
    let added: Vec<_> = sums
        .iter()
        .map(|sum| format!("{sum} = {table}.{sum} + excluded.{sum}"))
        .collect();
    let columns = || key.iter().map(|(name, _)| *name);
    // The shard follows from the business, so no constraint has both.
    let of_business = columns().any(|name| name == "business_id");
    let unique: Vec<_> = columns()
        .filter(|name| !(of_business && *name == "shard"))
        .collect();
    format!(
        "INSERT INTO {table} ({}) SELECT * FROM unnest({}) ON CONFLICT ({}) DO UPDATE SET {}",
        names.join(", "),
        arrays.join(", "),
        unique.join(", "),
        added.join(", ")
    )
}

/// The statement that reads the rows of one business.
pub(crate) fn select(table: &str, key: &[(&str, &str)], sums: &[&str]) -> String {
    let names: Vec<_> = key
        .iter()
        .map(|(name, _)| *name)
        .chain(sums.iter().copied())
        .collect();
    format!("SELECT {} FROM {table} WHERE business_id = $1", names.join(", "))
}

pub(crate) async fn write(
    tx: &deadpool_postgres::Transaction<'_>,
    sql: &str,
    columns: &[Column],
) -> Result<(), tokio_postgres::Error> {
    let statement = tx.prepare_cached(sql).await?;
    let parameters: Vec<&(dyn ToSql + Sync)> = columns
        .iter()
        .map(|column| column.as_ref() as &(dyn ToSql + Sync))
        .collect();
    tx.execute(&statement, &parameters).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_adds_to_the_rows_of_its_keys() {
        assert_eq!(
            upsert(
                "volume",
                &[("business_id", "uuid"), ("shard", "int2"), ("day", "date")],
                &["gross"]
            ),
            "INSERT INTO volume (business_id, shard, day, gross) \
             SELECT * FROM unnest($1::uuid[], $2::int2[], $3::date[], $4::int8[]) \
             ON CONFLICT (business_id, day) DO UPDATE SET gross = volume.gross + excluded.gross"
        );
    }

    #[test]
    fn the_columns_of_a_row_are_selected_key_first() {
        assert_eq!(
            select("volume", &[("business_id", "uuid"), ("day", "date")], &["gross"]),
            "SELECT business_id, day, gross FROM volume WHERE business_id = $1"
        );
    }
}
