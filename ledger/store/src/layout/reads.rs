//! The tables that a read sees in layout `schemas`: those of one shard, or those of each.
//!
//! A read over all companies is a part for each shard, with its own conditions, order and limit. Through the views an
//! engine that places schemas on nodes would fetch whole tables.

use std::future::Future;

use ledger_domain::BusinessId;

use super::{Layout, TABLES, schema_of};
use crate::position::Shard;

/// What the reads of a task see. A task without it reads the tables that its session finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    Shard(Shard),
    EachShard,
}

impl Layout {
    /// A task that reads over all companies.
    pub async fn reading_all<T>(self, task: impl Future<Output = T>) -> T {
        match self {
            Self::One => task.await,
            Self::Schemas => Reads::EachShard.scope(task).await,
        }
    }
}

tokio::task_local! {
    static READS: Reads;
}

impl Reads {
    pub async fn scope<T>(self, answer: impl Future<Output = T>) -> T {
        READS.scope(self, answer).await
    }

    /// Of this task.
    pub fn current() -> Option<Self> {
        READS.try_with(|reads| *reads).ok()
    }
}

/// The rows that a SELECT finds in each shard, as a subquery. `None` if its tables stand in one schema for this read, or
/// if its first table is not one of the shards. Arrays before it are read in each shard.
pub fn of_each_shard(select: &str) -> Option<String> {
    if Reads::current() != Some(Reads::EachShard) || !begins_in_a_shard(select) {
        return None;
    }
    Some(union_of_shards(|_| select.to_owned()))
}

/// The SELECT over the tables of the company's shard, whichever tables its session finds.
pub fn of_company(company: BusinessId, select: &str) -> String {
    match Reads::current() {
        Some(_) => in_schema(select, &schema_of(Shard::of(company))),
        None => select.to_owned(),
    }
}

/// The rows of the SELECT of each shard, as a subquery.
pub fn union_of_shards(select: impl Fn(Shard) -> String) -> String {
    let parts: Vec<_> = Shard::all()
        .map(|shard| format!("({})", in_schema(&select(shard), &schema_of(shard))))
        .collect();
    format!("({})", parts.join(" UNION ALL "))
}

fn begins_in_a_shard(select: &str) -> bool {
    let mut words = tokens(select).filter(|token| !token.trim().is_empty()).peekable();
    let mut before = "";
    while let Some(word) = words.next() {
        // A company without rows would stand in each part.
        if word == "JOIN" && before == "LEFT" {
            return false;
        }
        before = word;
        if !matches!(word, "FROM" | "JOIN") {
            continue;
        }
        match words.peek() {
            // A subquery has its own FROM.
            Some(next) if next.trim_start().starts_with('(') || matches!(*next, "unnest" | "LATERAL") => {}
            table => return table.is_some_and(|table| TABLES.contains(table)),
        }
    }
    false
}

/// The SELECT with the names of its tables in full: `FROM sale` becomes `FROM s3.sale`.
fn in_schema(select: &str, schema: &str) -> String {
    let mut text = String::with_capacity(select.len() + 64);
    let mut names_table = false;
    for token in tokens(select) {
        if names_table && TABLES.contains(&token) {
            text.push_str(schema);
            text.push('.');
        }
        if !token.trim().is_empty() {
            names_table = matches!(token, "FROM" | "JOIN");
        }
        text.push_str(token);
    }
    text
}

/// Words, and what stands between them. Literals of statements have no table after FROM.
fn tokens(sql: &str) -> impl Iterator<Item = &str> {
    let mut rest = sql;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (token, left) = rest.split_at(end);
        rest = left;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_company_is_read_in_its_shard_by_any_session() {
        let company = BusinessId::from_uuid(uuid::Uuid::from_u128(7));
        let select = "SELECT net FROM sale";
        assert_eq!(of_company(company, select), select);
        let expected = format!("SELECT net FROM {}.sale", schema_of(Shard::of(company)));
        for reads in [Reads::EachShard, Reads::Shard(Shard::of(company))] {
            assert_eq!(reads.scope(async { of_company(company, select) }).await, expected);
        }
    }

    #[test]
    fn the_tables_of_a_select_stand_in_the_schema() {
        for (select, expected) in [
            (
                "SELECT sale.net FROM sale WHERE net > 0",
                "SELECT sale.net FROM s3.sale WHERE net > 0",
            ),
            (
                "SELECT 1 FROM (SELECT sale_id FROM sale) AS page\n JOIN  sale USING (sale_id)",
                "SELECT 1 FROM (SELECT sale_id FROM s3.sale) AS page\n JOIN  s3.sale USING (sale_id)",
            ),
            (
                "SELECT 1 FROM sale_return AS returned CROSS JOIN LATERAL (SELECT 1 FROM hold) AS held (balance)",
                "SELECT 1 FROM s3.sale_return AS returned CROSS JOIN LATERAL (SELECT 1 FROM s3.hold) AS held (balance)",
            ),
            (
                "SELECT balance FROM business JOIN terminal ON extract(day FROM $1) = 1",
                "SELECT balance FROM business JOIN terminal ON extract(day FROM $1) = 1",
            ),
        ] {
            assert_eq!(in_schema(select, "s3"), expected);
        }
    }

    #[tokio::test]
    async fn only_a_read_of_each_shard_has_parts() {
        assert_eq!(of_each_shard("SELECT 1 FROM sale"), None);
        let shard = Shard::from_sql(3);
        let read = Reads::Shard(shard).scope(async { of_each_shard("SELECT 1 FROM sale") });
        assert_eq!(read.await, None);
        let read = Reads::EachShard.scope(async { of_each_shard("SELECT 1 FROM sale") });
        let parts = read.await.expect("parts");
        assert!(
            parts.starts_with("((SELECT 1 FROM s0.sale) UNION ALL (SELECT 1 FROM s1.sale) UNION ALL "),
            "{parts}"
        );
        assert_eq!(parts.matches("UNION ALL").count(), Shard::all().count() - 1);
        for select in [
            "SELECT 1 FROM hold_document d LEFT JOIN hold h ON h.hold_id = d.hold_id",
            "SELECT 1 FROM unnest($1) AS asked (id) LEFT JOIN sale USING (id)",
            "SELECT 1 FROM unnest($1) AS asked (id) JOIN business USING (id)",
            "SELECT 1",
        ] {
            assert_eq!(
                Reads::EachShard.scope(async { of_each_shard(select) }).await,
                None,
                "{select}"
            );
        }
        for select in [
            "SELECT 1 FROM (SELECT sale_id FROM sale) AS page",
            "SELECT 1 FROM unnest($1) AS asked (id) JOIN sale USING (id)",
            "SELECT 1 FROM unnest($1) AS asked (id) CROSS JOIN LATERAL (SELECT 1 FROM sale WHERE id = asked.id) AS last",
        ] {
            let parts = Reads::EachShard.scope(async { of_each_shard(select) }).await;
            assert!(parts.is_some(), "{select}");
        }
    }
}
