//! Lists of records: a page by number with its total, and all rows in batches for an export, from one declaration.
//!
//! A filter is a struct that implements `List`: the rows, the tables, the conditions and the order.
//!
//! ```ignore
//! impl List for MessageFilter {
//!     type Row = Message;
//!     const TABLE: &'static str = "message m";
//!     const JOINS: &'static str = "JOIN business b ON b.id = m.business_id";
//!
//!     fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
//!         list.equals("m.state", &self.state);
//!         list.search(WORDS, self.search.as_ref());
//!     }
//!
//!     fn order(&self) -> Order {
//!         Order::by(&["m.created_at", "m.id"], self.order)
//!     }
//! }
//!
//! let page = list_page(client, &filter, paging).await?;
//! let batch = list_batch(client, &filter, None, 1_000).await?;
//! ```
//!
//! `shared::list` of `gateway-http` answers such a list as JSON and as a spreadsheet. A list whose plan needs other SQL
//! overrides `from`, or writes its page itself.

use ledger_domain::calendar::Date;
use ledger_rows::{FromRow, Parameter, Parameters, parameter};
use projections::{CountLimit, Cut, ExportPage, Page, Paging, SortOrder, list_of_each_shard};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Error, GenericClient, Row};

use crate::word_search::{WordSearch, WordTable};

/// The filter of a list.
pub trait List: Sync {
    type Row: FromRow + Send;
    /// The table of the conditions and of the order, after `FROM`. The total counts its rows.
    const TABLE: &'static str;
    /// The tables that only the columns of the rows need. A join keeps the number of rows.
    const JOINS: &'static str = "";
    /// How far the list is counted if nothing is searched.
    const COUNT_LIMIT: CountLimit = CountLimit::LIST;
    /// Whether the total is counted in the list's order. Then an index-only scan can count the rows of a filter that
    /// restricts little.
    const COUNTED_IN_ORDER: bool = false;

    /// Adds the conditions that restrict. The planner sees only these, so it finds the index that serves them.
    fn conditions<'a>(&'a self, list: &mut Conditions<'a>);

    /// The conditions by which the rows are counted, if a count needs others than a page: it has no order that the
    /// planner could begin with.
    fn counted<'a>(&'a self, list: &mut Conditions<'a>) {
        self.conditions(list);
    }

    /// The columns identify a row and are not null. An index has them, after the columns of the conditions.
    fn order(&self) -> Order;

    /// A statement that reads rows of the list by other conditions: `rest` begins with its `WHERE`.
    fn select(rest: &str) -> String {
        let columns = Self::Row::COLUMNS;
        format!("SELECT {columns} FROM {} {} {rest}", Self::TABLE, Self::JOINS)
    }

    /// The text after `FROM` of a page.
    fn from(&self, page: &PageSql<'_>) -> String {
        let PageSql {
            conditions,
            order,
            range,
            ..
        } = page;
        format!(
            "{} {} WHERE {conditions} ORDER BY {order} {range}",
            Self::TABLE,
            Self::JOINS
        )
    }
}

/// The parts of the statement that reads a page.
pub struct PageSql<'a> {
    pub conditions: &'a str,
    /// The columns with their directions.
    pub order: &'a str,
    /// `LIMIT` and `OFFSET`.
    pub range: &'a str,
    /// No row is skipped.
    pub is_first: bool,
}

/// The text after `FROM` for a list whose page is found before its rows are joined. The planner might join first.
pub fn page_first(page: &PageSql<'_>, table: &str, joins: &str) -> String {
    let PageSql {
        conditions,
        order,
        range,
        ..
    } = page;
    let alias = table.rsplit(' ').next().unwrap_or(table);
    format!(
        "(SELECT * FROM {table} WHERE {conditions} ORDER BY {order} {range}) AS {alias} {joins} ORDER BY {order}"
    )
}

/// The columns by which a list is sorted, all in one direction.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    columns: &'static [&'static str],
    direction: SortOrder,
}

impl Order {
    pub const fn by(columns: &'static [&'static str], direction: SortOrder) -> Self {
        Self { columns, direction }
    }

    fn sql(self) -> String {
        let direction = self.direction.sql();
        let columns = self.columns.iter().map(|column| format!("{column} {direction}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The same by the names of the columns alone, for rows that are selected already.
    fn of_outputs(self) -> String {
        let direction = self.direction.sql();
        let names = self
            .columns
            .iter()
            .map(|column| column.rsplit('.').next().unwrap_or(column));
        let columns = names.map(|name| format!("{name} {direction}"));
        columns.collect::<Vec<_>>().join(", ")
    }
}

/// The conditions of a statement with their parameters.
#[derive(Default)]
pub struct Conditions<'a> {
    conditions: Vec<String>,
    parameters: Parameters<'a>,
    searches: bool,
}

impl<'a> Conditions<'a> {
    /// Restricts the column to a value, if there is one.
    pub fn equals<Kind: 'a, T: Parameter<Kind>>(&mut self, column: &str, value: &'a Option<T>) {
        if let Some(value) = value {
            let place = self.parameter(value);
            self.and(format!("{column} = {place}"));
        }
    }

    /// Restricts the column to the days from `start` to `end`, both included, as far as they are given.
    pub fn days(&mut self, column: &str, start: &'a Option<Date>, end: &'a Option<Date>) {
        for (comparison, day) in [(">=", start), ("<=", end)] {
            if let Some(day) = day {
                let place = self.parameter(day);
                self.and(format!("{column} {comparison} {place}"));
            }
        }
    }

    /// Restricts the rows to those with all words of a search, if there is one.
    pub fn search(&mut self, words: WordTable, search: Option<&'a WordSearch>) {
        self.searched(search, |search, place| words.condition(search, place));
    }

    /// The same, but the rows of the words are found first (`WordTable::condition_found_first`).
    pub fn search_first(&mut self, words: WordTable, search: Option<&'a WordSearch>) {
        self.searched(search, |search, place| words.condition_found_first(search, place));
    }

    fn searched(
        &mut self,
        search: Option<&'a WordSearch>,
        condition: impl Fn(Option<&WordSearch>, &str) -> String,
    ) {
        if let Some(search) = search {
            let place = self.parameter(search.terms());
            self.and(condition(Some(search), &place));
            self.searches = true;
        }
    }

    /// Adds a parameter and returns its place in the text, such as `$3`.
    pub fn parameter<Kind: 'a, T: Parameter<Kind> + ?Sized>(&mut self, value: &'a T) -> String {
        self.parameters.push(parameter(value));
        format!("${}", self.parameters.len())
    }

    /// Adds a parameter that no field holds.
    pub fn owned(&mut self, value: i64) -> String {
        self.parameters.push((Box::new(value), Type::INT8));
        format!("${}", self.parameters.len())
    }

    pub fn and(&mut self, condition: impl Into<String>) {
        self.conditions.push(condition.into());
    }

    fn of<L: List>(list: &'a L) -> Self {
        let mut conditions = Self::default();
        list.conditions(&mut conditions);
        conditions
    }

    fn of_count<L: List>(list: &'a L) -> Self {
        let mut conditions = Self::default();
        list.counted(&mut conditions);
        conditions
    }

    /// Only the rows after the cursor.
    fn after(&mut self, order: Order, cursor: &'a ListCursor) {
        let places: Vec<String> = cursor
            .0
            .iter()
            .map(|value| {
                self.parameters.push((Box::new(value), value.kind.clone()));
                format!("${}", self.parameters.len())
            })
            .collect();
        self.and(format!(
            "({}) {} ({})",
            order.columns.join(", "),
            order.direction.comparison(),
            places.join(", ")
        ));
    }

    fn sql(&self) -> String {
        if self.conditions.is_empty() {
            return "true".to_owned();
        }
        self.conditions.join(" AND ")
    }

    fn typed(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        let typed = self.parameters.iter().map(|(value, kind)| {
            let value: &(dyn ToSql + Sync) = &**value;
            (value, kind.clone())
        });
        typed.collect()
    }
}

/// The position of a batch's last row: the values of the columns of the order, as PostgreSQL sent them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCursor(Vec<RawValue>);

impl ListCursor {
    const PREFIX: &'static str = "cursor_";

    /// The columns that the cursor reads, in addition to those of the row.
    fn columns(order: Order) -> String {
        let columns = (0..).zip(order.columns);
        let columns = columns.map(|(place, column)| format!(", {column} AS {}{place}", Self::PREFIX));
        columns.collect()
    }

    fn of(row: &Row, order: Order) -> Result<Self, Error> {
        let values = (0..order.columns.len()).map(|place| row.try_get(&*format!("{}{place}", Self::PREFIX)));
        values.collect::<Result<_, _>>().map(Self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct RawValue {
    kind: Type,
    bytes: Vec<u8>,
}

type SqlError = Box<dyn std::error::Error + Sync + Send>;

impl FromSql<'_> for RawValue {
    fn from_sql(kind: &Type, raw: &[u8]) -> Result<Self, SqlError> {
        Ok(Self {
            kind: kind.clone(),
            bytes: raw.to_vec(),
        })
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl ToSql for RawValue {
    fn to_sql(&self, _: &Type, out: &mut bytes::BytesMut) -> Result<IsNull, SqlError> {
        out.extend_from_slice(&self.bytes);
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// One page by number, and the total as far as it is counted.
pub async fn list_page<L: List>(
    client: &impl GenericClient,
    list: &L,
    paging: Paging,
) -> Result<Page<L::Row>, Error> {
    let conditions = Conditions::of_count(list);
    let counting = if conditions.searches {
        CountLimit::SEARCH
    } else {
        L::COUNT_LIMIT
    };
    let (limit, offset) = counting.range(paging);
    let rows = select(client, list, Conditions::of(list), "", limit, offset).await?;
    let rows = rows.iter().map(L::Row::from_row).collect::<Result<_, _>>()?;
    let mut counted = format!("{} WHERE {}", L::TABLE, conditions.sql());
    if L::COUNTED_IN_ORDER {
        counted = format!("{counted} ORDER BY {}", list.order().sql());
    }
    counting
        .counted_page(client, rows, &counted, conditions.typed())
        .await
}

/// At most `limit` rows after the cursor.
pub async fn list_batch<L: List>(
    client: &impl GenericClient,
    list: &L,
    after: Option<&ListCursor>,
    limit: u32,
) -> Result<ExportPage<L::Row, ListCursor>, Error> {
    let (limit, order) = (i64::from(limit), list.order());
    let mut conditions = Conditions::of(list);
    if let Some(cursor) = after {
        conditions.after(order, cursor);
    }
    let columns = ListCursor::columns(order);
    let rows = select(client, list, conditions, &columns, limit, 0).await?;
    let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
    let last = rows.last().filter(|_| full);
    Ok(ExportPage {
        next: last.map(|row| ListCursor::of(row, order)).transpose()?,
        rows: rows.iter().map(L::Row::from_row).collect::<Result<_, _>>()?,
    })
}

async fn select<L: List>(
    client: &impl GenericClient,
    list: &L,
    mut conditions: Conditions<'_>,
    cursor_columns: &str,
    limit: i64,
    offset: i64,
) -> Result<Vec<Row>, Error> {
    let sql = conditions.sql();
    let is_first = offset == 0;
    let (limit, offset) = (conditions.owned(limit), conditions.owned(offset));
    let cut = Cut {
        limit: &limit,
        offset: &offset,
    };
    let order = list.order();
    let sql = list_of_each_shard(&order.of_outputs(), cut, |range| {
        let from = list.from(&PageSql {
            conditions: &sql,
            order: &order.sql(),
            range,
            is_first,
        });
        format!("SELECT {}{cursor_columns} FROM {from}", L::Row::COLUMNS)
    });
    client.query_typed(&sql, &conditions.typed()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tickets(Option<i64>);

    ledger_rows::row! {
        struct Ticket {
            number: i64 = "t.number",
        }
    }

    impl List for Tickets {
        type Row = Ticket;
        const TABLE: &'static str = "ticket t";

        fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
            list.equals("t.company", &self.0);
        }

        fn order(&self) -> Order {
            Order::by(&["t.created_at", "t.id"], SortOrder::Desc)
        }
    }

    #[test]
    fn only_conditions_that_restrict_are_in_the_statement() {
        assert_eq!(Conditions::of(&Tickets(None)).sql(), "true");
        let list = Tickets(Some(7));
        let conditions = Conditions::of(&list);
        assert_eq!(
            (conditions.sql().as_str(), conditions.typed().len()),
            ("t.company = $1", 1)
        );
        assert_eq!(list.order().sql(), "t.created_at DESC, t.id DESC");
    }

    #[test]
    fn a_batch_begins_after_the_values_of_the_last_row() {
        let list = Tickets(Some(7));
        let value = |kind: Type| RawValue { kind, bytes: vec![0] };
        let cursor = ListCursor(vec![value(Type::TIMESTAMPTZ), value(Type::UUID)]);
        let mut conditions = Conditions::of(&list);
        conditions.after(list.order(), &cursor);
        assert_eq!(
            conditions.sql(),
            "t.company = $1 AND (t.created_at, t.id) < ($2, $3)"
        );
        assert_eq!(conditions.typed()[1].1, Type::TIMESTAMPTZ);
        let columns = ListCursor::columns(list.order());
        assert_eq!(columns, ", t.created_at AS cursor_0, t.id AS cursor_1");
    }
}
