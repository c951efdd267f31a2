//! The SQL that computes key, chain and digest of a chained row, as the triggers of migration 0010 do. The audit writes
//! it out itself: whoever tampers with rows could replace a function of the database.

use tokio_postgres::{GenericClient, Row};

/// The settings of the triggers, on which the texts of times and bytes depend.
pub(super) const SETTINGS: &str =
    "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'";

pub(super) struct ChainedTable {
    pub name: String,
    key: Vec<String>,
    company: Option<String>,
    columns: Vec<String>,
}

impl ChainedTable {
    pub async fn all(client: &impl GenericClient) -> Result<Vec<Self>, tokio_postgres::Error> {
        let sql = "SELECT table_name, key, company, columns FROM chained_table ORDER BY table_name";
        Ok(client
            .query_typed(sql, &[])
            .await?
            .iter()
            .map(Self::read)
            .collect())
    }

    fn read(row: &Row) -> Self {
        Self {
            name: row.get(0),
            key: row.get(1),
            company: row.get(2),
            columns: row.get(3),
        }
    }

    /// All columns that the expressions name.
    pub fn named(&self) -> Vec<&str> {
        let all = self.columns.iter().chain(&self.key).chain(&self.company);
        all.map(String::as_str).collect()
    }

    /// The name for SQL.
    pub fn table(&self) -> String {
        quoted(&self.name)
    }

    pub fn key(&self) -> String {
        let parts: Vec<_> = self
            .key
            .iter()
            .map(|column| format!("coalesce({}::text, '-')", quoted(column)))
            .collect();
        format!("concat_ws(' / ', {})", parts.join(", "))
    }

    pub fn chain(&self) -> String {
        let platform = "'00000000-0000-0000-0000-000000000000'::uuid";
        match &self.company {
            Some(company) => format!("coalesce({}, {platform})", quoted(company)),
            None => platform.to_owned(),
        }
    }

    /// The text whose SHA-256 is the digest.
    pub fn content(&self) -> String {
        let columns: Vec<_> = self.columns.iter().map(|column| quoted(column)).collect();
        let names = self.columns.join(",").replace('\'', "''");
        format!("E'{names}\\x1f' || ROW({})::text", columns.join(", "))
    }
}

fn quoted(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}
