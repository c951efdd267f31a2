//! Statements over all companies in layout `schemas`: each shard finds, orders, cuts and sums up its own rows, and only
//! what it found is put together. In other reads, and in layout `one`, a statement stays as it is.

use ledger_store::layout::{of_each_shard, union_of_shards};

/// The range of a page as parameters of its statement.
#[derive(Debug, Clone, Copy)]
pub struct Cut<'a> {
    pub limit: &'a str,
    /// Empty: no row is skipped.
    pub offset: &'a str,
}

impl<'a> Cut<'a> {
    pub const fn first(limit: &'a str) -> Self {
        Self { limit, offset: "" }
    }

    fn sql(self) -> String {
        match self {
            Self { limit, offset: "" } => format!("LIMIT {limit}"),
            Self { limit, offset } => format!("LIMIT {limit} OFFSET {offset}"),
        }
    }

    /// The page may lie in one shard.
    fn in_shard(self) -> String {
        match self {
            Self { limit, offset: "" } => format!("LIMIT {limit}"),
            Self { limit, offset } => format!("LIMIT {limit}::int8 + {offset}::int8"),
        }
    }
}

/// A statement of rows that stand in a shard each, in any order.
pub fn rows_of_each_shard(statement: &str) -> String {
    match of_each_shard(statement) {
        Some(rows) => format!("SELECT * FROM {rows} AS of_shards"),
        None => statement.to_owned(),
    }
}

/// The same for a page of them. `statement` gets the text of its limit. `order` has the columns of
/// its rows by which it is ordered, with their directions; empty, if any rows will do.
pub fn list_of_each_shard(order: &str, cut: Cut<'_>, statement: impl Fn(&str) -> String) -> String {
    let Some(rows) = of_each_shard(&statement(&cut.in_shard())) else {
        return statement(&cut.sql());
    };
    let order = match order {
        "" => String::new(),
        order => format!("ORDER BY {order} "),
    };
    format!("SELECT * FROM {rows} AS of_shards {order}{}", cut.sql())
}

/// How many rows of each shard are read whole although the page may not have them. Each part of a statement costs an
/// engine with several nodes milliseconds, and one PostgreSQL the time to plan it.
const READ_WHOLE_MAX: i64 = 500;

/// A page whose rows are read once it is found. `page` has the columns of `order_of_page`, and `rows` joins its tables to
/// a subquery named `page`, and has the columns of `order`. Behind `skipped` rows, each shard finds as many rows as there
/// are up to the page's end, but only those of the page are read.
pub fn joined_list_of_each_shard(
    (order_of_page, order): (&str, &str),
    (cut, skipped): (Cut<'_>, i64),
    page: impl Fn(&str) -> String,
    rows: impl Fn(&str) -> String,
) -> String {
    if skipped <= READ_WHOLE_MAX {
        return list_of_each_shard(order, cut, |cut| rows(&format!("({}) AS page", page(cut))));
    }
    let in_shard = page(&cut.in_shard());
    if of_each_shard(&in_shard).is_none() {
        return rows(&format!("({}) AS page", page(&cut.sql())));
    }
    let found =
        union_of_shards(|shard| format!("SELECT {shard} AS of_shard, part.* FROM ({in_shard}) AS part"));
    let rows =
        union_of_shards(|shard| rows(&format!("(SELECT * FROM found WHERE of_shard = {shard}) AS page")));
    format!(
        "WITH found AS (SELECT * FROM {found} AS of_shards ORDER BY {order_of_page} {})
         SELECT * FROM {rows} AS of_shards ORDER BY {order}",
        cut.sql()
    )
}

/// A statement of sums: first `keys` columns by which it groups, if any, and then columns of `int8` that are added up.
/// `rest` follows the sums of all shards: an order by the number of a column.
pub fn sums_of_each_shard(statement: &str, keys: usize, sums: usize, rest: &str) -> String {
    let Some(rows) = of_each_shard(statement) else {
        return format!("{statement} {rest}");
    };
    let key = |number: usize| format!("key_{number}");
    let sum = |number: usize| format!("sum_{number}");
    let names: Vec<_> = (0..keys).map(key).chain((0..sums).map(sum)).collect();
    let added = (0..sums).map(|number| format!("sum({})::int8", sum(number)));
    let selected: Vec<_> = (0..keys).map(key).chain(added).collect();
    let grouping = match keys {
        0 => String::new(),
        _ => format!("GROUP BY {}", names[..keys].join(", ")),
    };
    format!(
        "SELECT {} FROM {rows} AS of_shards ({}) {grouping} {rest}",
        selected.join(", "),
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger_store::layout::Reads;

    const PAGE: Cut<'_> = Cut {
        limit: "$1",
        offset: "$2",
    };

    fn page() -> String {
        list_of_each_shard("net DESC", PAGE, |cut| {
            format!("SELECT net FROM sale ORDER BY net DESC {cut}")
        })
    }

    fn sums() -> String {
        sums_of_each_shard(
            "SELECT status, sum(net)::int8 FROM sale GROUP BY 1",
            1,
            1,
            "ORDER BY 1",
        )
    }

    #[test]
    fn other_reads_have_the_statement_as_it_is() {
        assert_eq!(
            page(),
            "SELECT net FROM sale ORDER BY net DESC LIMIT $1 OFFSET $2"
        );
        assert_eq!(
            sums(),
            "SELECT status, sum(net)::int8 FROM sale GROUP BY 1 ORDER BY 1"
        );
    }

    #[tokio::test]
    async fn each_shard_has_the_order_and_the_limit() {
        let page = Reads::EachShard.scope(async { page() }).await;
        let of_shard = "(SELECT net FROM s15.sale ORDER BY net DESC LIMIT $1::int8 + $2::int8)";
        assert!(page.contains(of_shard), "{page}");
        assert!(
            page.ends_with(") AS of_shards ORDER BY net DESC LIMIT $1 OFFSET $2"),
            "{page}"
        );
    }

    #[tokio::test]
    async fn the_rows_of_a_page_are_read_in_their_shards() {
        let listed = |skipped: i64| {
            let page = |cut: &str| format!("SELECT sale_id, net FROM sale ORDER BY net {cut}");
            let rows =
                |page: &str| format!("SELECT sale.net FROM {page} JOIN sale USING (sale_id) ORDER BY 1");
            joined_list_of_each_shard(("net", "net"), (PAGE, skipped), page, rows)
        };
        assert_eq!(
            listed(0),
            "SELECT sale.net FROM (SELECT sale_id, net FROM sale ORDER BY net LIMIT $1 OFFSET $2) AS page \
             JOIN sale USING (sale_id) ORDER BY 1"
        );
        let near = Reads::EachShard.scope(async { listed(0) }).await;
        let of_shard = "(SELECT sale.net FROM (SELECT sale_id, net FROM s7.sale ORDER BY net \
                        LIMIT $1::int8 + $2::int8) AS page JOIN s7.sale USING (sale_id) ORDER BY 1)";
        assert!(near.contains(of_shard), "{near}");
        assert!(near.ends_with("ORDER BY net LIMIT $1 OFFSET $2"), "{near}");
        let listed = Reads::EachShard.scope(async { listed(10_000) }).await;
        let found = "(SELECT 7 AS of_shard, part.* FROM (SELECT sale_id, net FROM s7.sale ORDER BY net \
                     LIMIT $1::int8 + $2::int8) AS part)";
        assert!(listed.contains(found), "{listed}");
        let rows = "(SELECT sale.net FROM (SELECT * FROM found WHERE of_shard = 7) AS page JOIN s7.sale USING (sale_id) ORDER BY 1)";
        assert!(listed.contains(rows), "{listed}");
    }

    #[tokio::test]
    async fn the_sums_of_shards_are_added_up() {
        let sums = Reads::EachShard.scope(async { sums() }).await;
        assert!(
            sums.starts_with(
                "SELECT key_0, sum(sum_0)::int8 FROM ((SELECT status, sum(net)::int8 FROM s0.sale GROUP BY 1)"
            ),
            "{sums}"
        );
        assert!(
            sums.ends_with(") AS of_shards (key_0, sum_0) GROUP BY key_0 ORDER BY 1"),
            "{sums}"
        );
    }
}
