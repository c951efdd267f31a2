//! `page` and `perPage` of a list.

use utoipa::openapi::{RefOr, Schema};

use super::values::within;
use super::{QueryValue, integer, query};

const PER_PAGE_MAX: u32 = 100;
/// Safe to multiply by the rows of a page.
const PAGE_MAX: u32 = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    pub page: u32,
    pub per_page: u32,
}

query! {
    impl FromQuery for Paging {
        /// Page number, from 1.
        page: Page = Page(1),
        /// Rows per page; the default is 20.
        #[name = "perPage"]
        per_page: PerPage = PerPage::DEFAULT,
    } => Self {
        page: page.0,
        per_page: per_page.0,
    }
}

struct Page(u32);

impl QueryValue for Page {
    const INVALID: &'static str = "A página deve ser um número a partir de 1.";

    fn schema() -> RefOr<Schema> {
        integer(1, PAGE_MAX)
    }

    fn parse(text: &str) -> Option<Self> {
        within(text, 1, PAGE_MAX).map(Self)
    }
}

/// The rows of a page.
pub struct PerPage(pub u32);

impl PerPage {
    pub const DEFAULT: Self = Self(20);
}

impl QueryValue for PerPage {
    const INVALID: &'static str = "Cada página pode ter de 1 a 100 itens.";

    fn schema() -> RefOr<Schema> {
        integer(1, PER_PAGE_MAX)
    }

    fn parse(text: &str) -> Option<Self> {
        within(text, 1, PER_PAGE_MAX).map(Self)
    }
}

impl From<Paging> for projections::Paging {
    fn from(paging: Paging) -> Self {
        Self {
            page: paging.page,
            per_page: paging.per_page,
        }
    }
}
