//! Terminals with their company and their billing: the list, or one terminal.

use std::collections::HashMap;

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, TerminalId};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use projections::SortOrder;
use tokio_postgres::{Error, GenericClient};

use super::billing::{Acquisition, Billing, BillingType};
use crate::companies::NamedCompany;
use crate::list::{Conditions, List, Order, PageSql};

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

row! {
    impl FromRow for TerminalRecord {
        id: TerminalId = "t.id",
        serial_number: String = "t.serial_number",
        name: Option<String> = "t.name",
        business_id: Option<BusinessId> = "b.id",
        business_name: Option<String> = "b.name",
        business_document: Option<String> = "b.document",
        owned_since: Option<Instant> = "t.owned_since",
        billing_type: Option<BillingType> = "t.billing_type",
        acquisition: Option<Acquisition> = "t.acquisition",
        rental_price: Option<Cents> = "t.rental_cents",
        created_at: Instant = "t.created_at",
        version: i32 = "t.version",
    } => Self {
        id,
        serial_number,
        name,
        company: NamedCompany::of_columns(business_id, business_name, business_document),
        owned_since,
        billing: billing_type
            .zip(acquisition)
            .map(|(billing_type, acquisition)| Billing::new(billing_type, acquisition, rental_price)),
        created_at,
        version,
    }
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

ledger_domain::words! {
    #[derive(Default)]
    pub enum TerminalSort {
        #[default]
        SerialNumber = "serial_number",
        CreatedAt = "created_at",
    }
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

impl List for TerminalFilter {
    type Row = TerminalRecord;
    const TABLE: &'static str = "terminal t";
    const JOINS: &'static str = "LEFT JOIN business b ON b.id = t.business_id";
    const COUNTED_IN_ORDER: bool = true;

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("t.business_id", &self.business_id);
        if let Some(serial) = &self.serial {
            let (begins, ends) = (list.parameter(&serial.begins), list.parameter(&serial.ends));
            list.and(format!(
                "(upper(t.serial_number) LIKE {begins} OR reverse(upper(t.serial_number)) LIKE {ends})"
            ));
        }
        match self.in_stock {
            Some(true) => list.and("t.business_id IS NULL"),
            Some(false) => list.and("t.business_id IS NOT NULL"),
            None => {}
        }
        match self.rented {
            Some(true) => list.and("t.billing_type = 1 AND t.business_id IS NOT NULL"),
            Some(false) => list.and("t.billing_type = 0 AND t.business_id IS NOT NULL"),
            None => {}
        }
    }

    fn order(&self) -> Order {
        match self.sort {
            TerminalSort::SerialNumber => Order::by(&["t.serial_number"], self.order),
            TerminalSort::CreatedAt => Order::by(&["t.created_at", "t.id"], self.order),
        }
    }

    /// The inner query selects the page's terminals, so that only their companies are looked up. For a later page it
    /// reads only a unique key, which the index of the order contains. So OFFSET can skip entries of the index instead
    /// of rows of the table.
    fn from(&self, page: &PageSql<'_>) -> String {
        let PageSql {
            conditions,
            order,
            range,
            is_first,
        } = page;
        let page_of = |columns: &str| {
            format!("(SELECT {columns} FROM terminal t WHERE {conditions} ORDER BY {order} {range})")
        };
        let terminals = match self.sort {
            _ if *is_first => page_of("*") + " AS t",
            TerminalSort::SerialNumber => {
                page_of("t.serial_number") + " AS page JOIN terminal t USING (serial_number)"
            }
            TerminalSort::CreatedAt => page_of("t.id") + " AS page JOIN terminal t USING (id)",
        };
        format!("{terminals} {} ORDER BY {order}", Self::JOINS)
    }
}

row! {
    struct Serial {
        id: TerminalId,
        serial_number: String,
    }
}

/// The serial numbers of these terminals. Unknown ids are left out.
pub async fn terminal_serials(
    client: &impl GenericClient,
    terminals: &[TerminalId],
) -> Result<HashMap<TerminalId, String>, Error> {
    let sql = format!("SELECT {} FROM terminal WHERE id = ANY ($1)", Serial::COLUMNS);
    let serials: Vec<Serial> = fetch(client, &sql, params![terminals]).await?;
    Ok(serials
        .into_iter()
        .map(|terminal| (terminal.id, terminal.serial_number))
        .collect())
}

pub async fn terminal_fetch(
    client: &impl GenericClient,
    id: TerminalId,
) -> Result<Option<TerminalRecord>, Error> {
    fetch_opt(client, &TerminalFilter::select("WHERE t.id = $1"), params![id]).await
}

/// The terminal, locked until the end of the transaction. The row is locked first and read by a second statement. A
/// single statement that waited for the lock would join the company that the terminal had before the wait.
pub async fn terminal_locked(
    client: &impl GenericClient,
    id: TerminalId,
) -> Result<Option<TerminalRecord>, Error> {
    let sql = "SELECT FROM terminal WHERE id = $1 FOR NO KEY UPDATE";
    execute(client, sql, params![id]).await?;
    terminal_fetch(client, id).await
}

/// The terminal with this serial number. Case matters, as for the acquirers that report it.
pub async fn terminal_by_serial(
    client: &impl GenericClient,
    serial_number: &str,
) -> Result<Option<TerminalRecord>, Error> {
    let sql = TerminalFilter::select("WHERE t.serial_number = $1");
    fetch_opt(client, &sql, params![serial_number]).await
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
