//! Reads terminals with their company and their billing: one page, all in batches, or one terminal.

use std::collections::HashMap;

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, TerminalId};
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

use super::billing::Billing;
use crate::companies::NamedCompany;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalRecord {
    pub id: TerminalId,
    pub serial_number: String,
    pub name: Option<String>,
    /// `None`: in stock.
    pub company: Option<NamedCompany>,
    /// Since when the company has it, or since when it is in stock. `None` if it never had a company.
    pub owned_since: Option<Instant>,
    /// `None` if it was never billed.
    pub billing: Option<Billing>,
    pub created_at: Instant,
    /// Counts the changes of the terminal.
    pub version: i32,
}

/// Selects terminals. A criterion that is `None` does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TerminalFilter {
    pub business_id: Option<BusinessId>,
    pub serial: Option<SerialSearch>,
    /// Whether the terminal is in stock.
    pub in_stock: Option<bool>,
    /// Selects terminals with a company: true those that are billed a rental, false those that are billed an adhesion.
    pub rented: Option<bool>,
    pub sort: TerminalSort,
    pub order: SortOrder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TerminalSort {
    #[default]
    SerialNumber,
    CreatedAt,
}

/// A search for serial numbers that begin or end with a text. Case is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerialSearch {
    /// The LIKE pattern of the serial number in upper case.
    begins: String,
    /// The LIKE pattern of the reversed serial number in upper case, because an index serves only a known beginning.
    ends: String,
}

impl SerialSearch {
    /// `None` if no serial number has such a part.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = (1..=super::SERIAL_CHARACTERS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        valid.then(|| {
            let text = text.to_ascii_uppercase();
            let reversed: String = text.chars().rev().collect();
            Self {
                begins: pattern(&text),
                ends: pattern(&reversed),
            }
        })
    }
}

/// The LIKE pattern of the texts that begin with `text`.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// The position of a batch's last row. The next batch begins after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalCursor {
    serial_number: String,
    created_at: Instant,
    id: TerminalId,
}

/// A filter's SQL: only the conditions that restrict, so that the planner sees which index serves them.
struct Conditions<'a> {
    sql: String,
    parameters: Vec<(&'a (dyn ToSql + Sync), Type)>,
}

impl<'a> Conditions<'a> {
    fn of(filter: &'a TerminalFilter, business: Option<&'a uuid::Uuid>) -> Self {
        let mut conditions = Self {
            sql: "true".to_owned(),
            parameters: vec![],
        };
        if let Some(business) = business {
            let place = conditions.parameter(business, Type::UUID);
            conditions.and(&format!("t.business_id = ${place}"));
        }
        if let Some(serial) = &filter.serial {
            let begins = conditions.parameter(&serial.begins, Type::TEXT);
            let ends = conditions.parameter(&serial.ends, Type::TEXT);
            conditions.and(&format!(
                "(upper(t.serial_number) LIKE ${begins} OR reverse(upper(t.serial_number)) LIKE ${ends})"
            ));
        }
        match filter.in_stock {
            Some(true) => conditions.and("t.business_id IS NULL"),
            Some(false) => conditions.and("t.business_id IS NOT NULL"),
            None => {}
        }
        match filter.rented {
            Some(true) => conditions.and("t.billing_type = 1 AND t.business_id IS NOT NULL"),
            Some(false) => conditions.and("t.billing_type = 0 AND t.business_id IS NOT NULL"),
            None => {}
        }
        conditions
    }

    fn parameter(&mut self, value: &'a (dyn ToSql + Sync), kind: Type) -> usize {
        self.parameters.push((value, kind));
        self.parameters.len()
    }

    fn and(&mut self, condition: &str) {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
    }

    /// Only the rows after the cursor.
    fn after(&mut self, cursor: &'a TerminalCursor, id: &'a uuid::Uuid, filter: &TerminalFilter) {
        let operator = match filter.order {
            SortOrder::Asc => ">",
            SortOrder::Desc => "<",
        };
        match filter.sort {
            TerminalSort::SerialNumber => {
                let serial = self.parameter(&cursor.serial_number, Type::TEXT);
                self.and(&format!("t.serial_number {operator} ${serial}"));
            }
            TerminalSort::CreatedAt => {
                let created_at = self.parameter(&cursor.created_at, Type::TIMESTAMPTZ);
                let id = self.parameter(id, Type::UUID);
                self.and(&format!("(t.created_at, t.id) {operator} (${created_at}, ${id})"));
            }
        }
    }
}

const BY_SERIAL: &str = "t.serial_number";
const BY_SERIAL_DESC: &str = "t.serial_number DESC";

fn sorted_by(filter: &TerminalFilter) -> &'static str {
    match (filter.sort, filter.order) {
        (TerminalSort::SerialNumber, SortOrder::Asc) => BY_SERIAL,
        (TerminalSort::SerialNumber, SortOrder::Desc) => BY_SERIAL_DESC,
        (TerminalSort::CreatedAt, SortOrder::Asc) => "t.created_at, t.id",
        (TerminalSort::CreatedAt, SortOrder::Desc) => "t.created_at DESC, t.id DESC",
    }
}

const COLUMNS: &str = "t.id, t.serial_number, t.name, b.id, b.name, b.document, t.owned_since, t.billing_type, \
                       t.acquisition, t.rental_cents, t.created_at, t.version";

/// One page by number, and the total (counted up to 10,000).
pub async fn terminals_list(
    client: &impl GenericClient,
    filter: &TerminalFilter,
    paging: Paging,
) -> Result<Page<TerminalRecord>, Error> {
    let business = filter.business_id.map(BusinessId::uuid);
    let (limit, offset) = paging.within_total();
    let rows = select(
        client,
        Conditions::of(filter, business.as_ref()),
        sorted_by(filter),
        limit,
        offset,
    )
    .await?;
    let Conditions { sql, parameters } = Conditions::of(filter, business.as_ref());
    // With the order, an index-only scan can count the rows of a filter that restricts little.
    let list = format!("terminal t WHERE {sql} ORDER BY {}", sorted_by(filter));
    CountLimit::LIST
        .counted_page(client, rows, &list, parameters)
        .await
}

/// At most `limit` terminals after the cursor.
pub async fn terminals_batch(
    client: &impl GenericClient,
    filter: &TerminalFilter,
    after: Option<TerminalCursor>,
    limit: u32,
) -> Result<ExportPage<TerminalRecord, TerminalCursor>, Error> {
    let business = filter.business_id.map(BusinessId::uuid);
    let limit = i64::from(limit);
    let mut conditions = Conditions::of(filter, business.as_ref());
    let last = after.as_ref().map(|cursor| (cursor, cursor.id.uuid()));
    if let Some((cursor, id)) = &last {
        conditions.after(cursor, id, filter);
    }
    let rows = select(client, conditions, sorted_by(filter), limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| TerminalCursor {
        serial_number: last.serial_number.clone(),
        created_at: last.created_at,
        id: last.id,
    }))
}

/// The serial numbers of these terminals. Unknown ids are left out.
pub async fn terminal_serials(
    client: &impl GenericClient,
    terminals: &[TerminalId],
) -> Result<HashMap<TerminalId, String>, Error> {
    let ids: Vec<_> = terminals.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT id, serial_number FROM terminal WHERE id = ANY ($1)",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let serial = |row: &Row| (TerminalId::from_uuid(row.get(0)), row.get(1));
    Ok(rows.iter().map(serial).collect())
}

pub async fn terminal_fetch(
    client: &impl GenericClient,
    terminal_id: TerminalId,
) -> Result<Option<TerminalRecord>, Error> {
    let id = terminal_id.uuid();
    let row = client
        .query_typed_opt(
            &format!(
                "SELECT {COLUMNS} FROM terminal t LEFT JOIN business b ON b.id = t.business_id WHERE t.id = $1"
            ),
            &[(&id, Type::UUID)],
        )
        .await?;
    Ok(row.as_ref().map(record))
}

/// The terminal, locked until the end of the transaction. The row is locked first and read by a second statement. A
/// single statement that waited for the lock would join the company that the terminal had before the wait.
pub async fn terminal_locked(
    client: &impl GenericClient,
    terminal_id: TerminalId,
) -> Result<Option<TerminalRecord>, Error> {
    client
        .query_typed(
            "SELECT FROM terminal WHERE id = $1 FOR NO KEY UPDATE",
            &[(&terminal_id.uuid(), Type::UUID)],
        )
        .await?;
    terminal_fetch(client, terminal_id).await
}

/// The terminal with this serial number. Case matters, as for the acquirers that report it.
pub async fn terminal_by_serial(
    client: &impl GenericClient,
    serial_number: &str,
) -> Result<Option<TerminalRecord>, Error> {
    let row = client
        .query_typed_opt(
            &format!(
                "SELECT {COLUMNS} FROM terminal t LEFT JOIN business b ON b.id = t.business_id
                  WHERE t.serial_number = $1"
            ),
            &[(&serial_number, Type::TEXT)],
        )
        .await?;
    Ok(row.as_ref().map(record))
}

async fn select(
    client: &impl GenericClient,
    conditions: Conditions<'_>,
    order: &str,
    limit: i64,
    offset: i64,
) -> Result<Vec<TerminalRecord>, Error> {
    let Conditions { sql, mut parameters } = conditions;
    parameters.push((&limit, Type::INT8));
    parameters.push((&offset, Type::INT8));
    let places = parameters.len();
    let page_of = |columns: &str| {
        format!(
            "(SELECT {columns} FROM terminal t WHERE {sql} ORDER BY {order} LIMIT ${} OFFSET ${places})",
            places - 1
        )
    };
    // For a later page, the inner query reads only a unique key, which the index of the order contains. So OFFSET can
    // skip entries of the index instead of rows of the table.
    let terminals = match order {
        _ if offset == 0 => page_of("*") + " AS t",
        BY_SERIAL | BY_SERIAL_DESC => {
            page_of("t.serial_number") + " AS page JOIN terminal t USING (serial_number)"
        }
        _ => page_of("t.id") + " AS page JOIN terminal t USING (id)",
    };
    // The inner query selects the page's terminals, so that only their companies are looked up.
    let sql = format!(
        "SELECT {COLUMNS} FROM {terminals} LEFT JOIN business b ON b.id = t.business_id ORDER BY {order}"
    );
    let rows = client.query_typed(&sql, &parameters).await?;
    Ok(rows.iter().map(record).collect())
}

fn record(row: &Row) -> TerminalRecord {
    let company = row.get::<_, Option<uuid::Uuid>>(3).map(|id| NamedCompany {
        id: BusinessId::from_uuid(id),
        name: row.get(4),
        document: row.get(5),
    });
    let billing = row
        .get::<_, Option<i16>>(7)
        .zip(row.get::<_, Option<i16>>(8))
        .map(|(kind, acquisition)| Billing::of_columns(kind, acquisition, row.get(9)));
    TerminalRecord {
        id: TerminalId::from_uuid(row.get(0)),
        serial_number: row.get(1),
        name: row.get(2),
        company,
        owned_since: row.get(6),
        billing,
        created_at: row.get(10),
        version: row.get(11),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_the_escaped_pattern_of_the_text_and_that_of_the_reversed_text() {
        let search = SerialSearch::parse("pdv_1%").expect("a search");
        assert_eq!(search.begins, "PDV\\_1\\%%");
        assert_eq!(search.ends, "\\%1\\_VDP%");
    }

    #[test]
    fn a_text_that_no_serial_number_contains_is_no_search() {
        for text in ["", "a b", "ção", "\u{7}", &"9".repeat(41)] {
            assert_eq!(SerialSearch::parse(text), None, "{text:?}");
        }
    }
}
