//! The metadata of a page of a list.

use gateway_environment::time_zone::TimeZone;
use projections::Page;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::TimeZoneSchema;
use crate::edge::Paging;

#[derive(Debug, Serialize, ToSchema)]
pub struct PageMeta {
    /// Page number, from 1.
    #[schema(example = 1)]
    pub page: u32,
    /// Rows per page.
    #[schema(example = 20)]
    pub per_page: u32,
    /// Number of rows that match the filter. Most lists are counted up to 10,000, and up to 1,000 with `search`.
    #[schema(example = 137)]
    pub total: u64,
    /// Number of pages, from `total`.
    #[schema(example = 7)]
    pub total_pages: u64,
    /// Present and true if there are more rows than `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_capped: Option<bool>,
    /// The cursor of the next page, for lists that take `next`. Absent after the last row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The time zone that was used. Present in lists that take `time_zone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
}

impl PageMeta {
    pub fn of<Row, Cursor: std::fmt::Display>(page: &Page<Row, Cursor>, paging: Paging) -> Self {
        Self {
            next: page.next.as_ref().map(ToString::to_string),
            ..Self::numbered(page, paging)
        }
    }

    /// The metadata of a list without a cursor.
    pub fn numbered<Row, Cursor>(page: &Page<Row, Cursor>, paging: Paging) -> Self {
        Self {
            page: paging.page,
            per_page: paging.per_page,
            total: page.total,
            total_pages: page.total.div_ceil(u64::from(paging.per_page)),
            total_capped: page.total_capped.then_some(true),
            next: None,
            time_zone: None,
        }
    }

    pub fn in_zone(self, zone: TimeZone) -> Self {
        Self {
            time_zone: Some(zone),
            ..self
        }
    }
}
