//! Lists over HTTP: the filter, the page and the format of a request, and the answer as JSON or as a spreadsheet.
//!
//! ```ignore
//! pub type TicketPage = PageOf<TicketRow>;
//!
//! /// List tickets
//! #[utoipa::path(get, path = "/admin/tickets", responses((status = 200, body = TicketPage)))]
//! pub(crate) async fn list_tickets(list: Listing<TicketFilter>) -> Result<Response> {
//!     list.respond::<TicketRow>(&TICKETS).await
//! }
//! ```
//!
//! `TicketFilter` implements `gateway_platform::list::List` and, by `query!`, `FromQuery`. `TicketRow` is made from a
//! row of the list (`From`), or from a page of rows if they need more reads (`FromRows`). `TICKETS` has the columns of
//! the spreadsheet.

use std::borrow::Cow;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use gateway_environment::time_zone::TimeZone;
use gateway_platform::list::{List, ListCursor, list_batch, list_page};
use projections::Page;
use serde::Serialize;
use tokio_postgres::Client;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::page::PageMeta;
use crate::AppState;
use crate::edge::{FromQuery, Json, ListQuery, Paging, Query, QueryReader};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, Table, pages};

/// An extractor: a filter, a page and a format.
pub struct Listing<F> {
    state: AppState,
    filter: F,
    paging: Paging,
    format: ResponseFormat,
    zone: Option<TimeZone>,
}

impl<F: FromQuery> FromRequestParts<AppState> for Listing<F> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let format = ResponseFormat::from_request_parts(parts, state).await?;
        let Query(ListingQuery { filter, paging }) = Query::from_request_parts(parts, state).await?;
        Ok(Self {
            state: state.clone(),
            filter,
            paging,
            format,
            zone: None,
        })
    }
}

impl<F: FromQuery> Documented for Listing<F> {
    fn describe(call: &mut CallDocument) {
        ResponseFormat::describe(call);
        call.parameters(ListingQuery::<F>::params());
    }
}

/// The same for a list whose days are in a time zone, which its answers name.
pub struct ZonedListing<F>(pub Listing<F>);

impl<F: FromQuery> FromRequestParts<AppState> for ZonedListing<F> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let format = ResponseFormat::from_request_parts(parts, state).await?;
        let ListQuery { query, zone } = ListQuery::from_request_parts(parts, state).await?;
        let ListingQuery { filter, paging } = query;
        Ok(Self(Listing {
            state: state.clone(),
            filter,
            paging,
            format,
            zone: Some(zone),
        }))
    }
}

impl<F: FromQuery> Documented for ZonedListing<F> {
    fn describe(call: &mut CallDocument) {
        ResponseFormat::describe(call);
        ListQuery::<ListingQuery<F>>::describe(call);
    }
}

impl<F> Listing<F> {
    /// The same list by another filter, such as that of a company.
    pub fn by<Other>(self, filter: impl FnOnce(F) -> Other) -> Listing<Other> {
        Listing {
            state: self.state,
            filter: filter(self.filter),
            paging: self.paging,
            format: self.format,
            zone: self.zone,
        }
    }
}

struct ListingQuery<F> {
    filter: F,
    paging: Paging,
}

impl<F: FromQuery> FromQuery for ListingQuery<F> {
    fn params() -> Vec<utoipa::openapi::path::Parameter> {
        [F::params(), Paging::params()].concat()
    }

    fn read(query: &mut QueryReader) -> Option<Self> {
        // Both are read before the first invalid one ends the function.
        let (filter, paging) = (F::read(query), Paging::read(query));
        Some(Self {
            filter: filter?,
            paging: paging?,
        })
    }
}

impl<F: List + Send + 'static> Listing<F> {
    /// One page as JSON, or all rows as a spreadsheet.
    pub(crate) async fn respond<Body>(self, table: &Table<Body>) -> Result<Response>
    where
        Body: FromRows<F::Row> + Serialize + ToSchema,
    {
        self.respond_to(AnyReader::<Body>(PhantomData), table).await
    }

    /// The same for bodies that depend on their reader.
    pub(crate) async fn respond_to<R>(self, reader: R, table: &Table<R::Body>) -> Result<Response>
    where
        R: Reader<F::Row>,
        R::Body: Serialize + ToSchema,
    {
        let Self {
            state,
            filter,
            paging,
            format,
            zone,
        } = self;
        match format {
            ResponseFormat::Json => {
                let db = state.db().await?;
                let page = list_page(&*db, &filter, paging.into()).await?;
                let meta = PageMeta::numbered(&page, paging);
                let meta = PageMeta {
                    time_zone: zone,
                    ..meta
                };
                let data = reader.bodies(&state, &db, page.rows).await?;
                Ok(Json(PageOf { data, meta }).into_response())
            }
            ResponseFormat::Spreadsheet(file) => {
                let list = &(state, filter, reader);
                let all = pages(|after: Option<ListCursor>| async move {
                    let (state, filter, reader) = list;
                    let db = state.db().await?;
                    let batch = list_batch(&*db, filter, after.as_ref(), PAGE_ROWS).await?;
                    Ok((reader.bodies(state, &db, batch.rows).await?, batch.next))
                });
                file.respond(table, all).await
            }
        }
    }
}

/// The bodies of a page of rows. Bodies that are made row by row implement `From`.
pub trait FromRows<Row>: Sized + Send + 'static {
    fn from_rows(
        state: &AppState,
        client: &Client,
        rows: Vec<Row>,
    ) -> impl Future<Output = Result<Vec<Self>>> + Send;
}

impl<Row: Send, Body: From<Row> + Send + 'static> FromRows<Row> for Body {
    async fn from_rows(_: &AppState, _: &Client, rows: Vec<Row>) -> Result<Vec<Self>> {
        Ok(rows.into_iter().map(Self::from).collect())
    }
}

/// The reader of a list whose bodies depend on who reads them.
pub trait Reader<Row>: Send + Sync + 'static {
    type Body: Send + 'static;

    fn bodies(
        &self,
        state: &AppState,
        client: &Client,
        rows: Vec<Row>,
    ) -> impl Future<Output = Result<Vec<Self::Body>>> + Send;
}

/// All readers get the same bodies.
struct AnyReader<Body>(PhantomData<fn() -> Body>);

impl<Row: Send, Body: FromRows<Row>> Reader<Row> for AnyReader<Body> {
    type Body = Body;

    async fn bodies(&self, state: &AppState, client: &Client, rows: Vec<Row>) -> Result<Vec<Body>> {
        Body::from_rows(state, client, rows).await
    }
}

/// The body of a page.
#[derive(Debug, Serialize)]
pub struct PageOf<Body> {
    pub data: Vec<Body>,
    pub meta: PageMeta,
}

impl<Body> PageOf<Body> {
    pub fn new<Row>(page: Page<Row>, paging: Paging, to_body: impl FnMut(Row) -> Body) -> Self {
        Self {
            meta: PageMeta::numbered(&page, paging),
            data: page.rows.into_iter().map(to_body).collect(),
        }
    }
}

impl<Body: ToSchema> PartialSchema for PageOf<Body> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .property(
                "data",
                ArrayBuilder::new().items(Ref::from_schema_name(Body::name())),
            )
            .property("meta", Ref::from_schema_name(PageMeta::name()))
            .required("data")
            .required("meta")
            .into()
    }
}

impl<Body: ToSchema> ToSchema for PageOf<Body> {
    /// `TicketRow` and `Ticket` become `TicketPage`.
    fn name() -> Cow<'static, str> {
        let body = Body::name();
        format!("{}Page", body.strip_suffix("Row").unwrap_or(&body)).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Body::name().into_owned(), Body::schema()));
        Body::schemas(schemas);
        schemas.push((PageMeta::name().into_owned(), PageMeta::schema()));
        PageMeta::schemas(schemas);
    }
}
