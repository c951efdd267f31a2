//! What comes beside the rows of a list.

use gateway_environment::time_zone::TimeZone;
use projections::Page;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::TimeZoneSchema;
use crate::edge::Paging;

#[derive(Debug, Serialize, ToSchema)]
pub struct PageMeta {
    /// From 1.
    #[schema(example = 1)]
    pub page: u32,
    #[schema(example = 20)]
    pub per_page: u32,
    /// Counted to 10,000 at most.
    #[schema(example = 137)]
    pub total: u64,
    #[schema(example = 7)]
    pub total_pages: u64,
    /// There are more than `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_capped: Option<bool>,
    /// A cursor that continues in constant time; absent after the last row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The zone of the days that `start` and `end` name, where the list takes them.
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

    /// Of a list that has no cursor.
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
