//! The query parameters of the lists of terminals.

use gateway_platform::terminals::{SERIAL_CHARACTERS_MAX, SerialSearch, TerminalFilter, TerminalSort};
use ledger_domain::BusinessId;
use projections::SortOrder;
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::{QueryWord, text};
use crate::edge::{Paging, QueryValue, query};

/// The filters of staff's list.
pub struct TerminalQuery {
    pub filter: TerminalFilter,
    pub paging: Paging,
}

/// The filters of a seller's list.
pub struct OwnTerminalQuery {
    pub filter: TerminalFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for TerminalQuery {
        /// Only terminals of this company.
        business_id: Option<BusinessId>,
        /// in_use: a company has the terminal. in_stock: no company has it.
        status: Option<Status>,
        own: ..OwnTerminalQuery,
    } => Self {
        filter: TerminalFilter {
            business_id,
            in_stock: status.map(|status| matches!(status, Status::InStock)),
            ..own.filter
        },
        paging: own.paging,
    }
}

query! {
    impl FromQuery for OwnTerminalQuery {
        /// How the serial number begins or ends. Case is ignored.
        #[example = "PDV005"]
        serial_number: Option<SerialSearch>,
        /// 0 Adesão, 1 Aluguel. Leaves out the terminals in stock.
        #[name = "billing_type"]
        #[example = 1]
        rented: Option<bool>,
        /// The column to sort by; the default is serial_number.
        sort: TerminalSort = TerminalSort::SerialNumber,
        /// The default is asc.
        order: SortOrder = SortOrder::Asc,
        paging: ..Paging,
    } => Self {
        filter: TerminalFilter {
            serial: serial_number,
            rented,
            sort,
            order,
            ..TerminalFilter::default()
        },
        paging,
    }
}

query! {
    /// The company that a change of billing is about.
    pub struct TerminalOwnerQuery {
        /// The company that has the terminal. If it no longer has it, the answer is a 409.
        business_id: BusinessId,
    }
}

#[derive(Clone, Copy)]
enum Status {
    InUse,
    InStock,
}

impl QueryWord for Status {
    const WORDS: &'static [(&'static str, Self)] = &[("in_use", Self::InUse), ("in_stock", Self::InStock)];
    const INVALID: &'static str = "Deve ser in_use ou in_stock.";
}

impl QueryWord for TerminalSort {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("serial_number", Self::SerialNumber),
        ("created_at", Self::CreatedAt),
    ];
    const INVALID: &'static str = "Deve ser serial_number ou created_at.";
}

impl QueryValue for SerialSearch {
    const INVALID: &'static str = "Deve ser o início ou o final de um número de série.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(SERIAL_CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
