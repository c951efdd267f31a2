//! Staff's calls about acquirers: list the configured acquirers and the routes, set a route, list its history.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_acquirers::port::Acquirer;
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::acquirers::CHARGED_SOLUTIONS;
use gateway_platform::acquirers::records::{
    NewRoute, Route, RouteKey, route_add, route_fetch, routed_companies, routes_lock,
};
use gateway_platform::companies::companies_by_id;
use gateway_platform::links::PAYMENT_TYPES;
use gateway_platform::validity::set_business_now;
use ledger_domain::BusinessId;
use ledger_domain::sale::{PaymentType, Provider};
use serde_json::{Value, json};
use tokio_postgres::{Client, GenericClient};

use super::bodies::{
    AcquirerRoute, AcquirerRouteSource, AcquirerSettings, ConfiguredAcquirer, RoutedAcquirer, RoutedBusiness,
};
use super::form::{AcquirerRouteForm, UNKNOWN_COMPANY};
use crate::AppState;
use crate::edge::{Db, Json, Paging, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Entry, Subject};
use crate::shared::form::Form;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

const ROUTE: Subject = Subject("acquirer_route");

query! {
    pub struct AcquirersQuery {
        /// The company whose routes to return. If it is left out, the routes of companies without their own lists.
        business_id: Option<BusinessId>,
    }
}

/// List the acquirers and the routes of payments
///
/// Returns the configured acquirers, without their keys, and the route of each payment type: the acquirers that are
/// asked to charge it, in their order.
#[utoipa::path(
    get, path = "/admin/settings/acquirers", tag = "settings",
    responses((status = 200, body = AcquirerSettings))
)]
pub(crate) async fn list_acquirers(
    State(state): State<AppState>,
    Query(query): Query<AcquirersQuery>,
    db: Db,
) -> Result<Json<AcquirerSettings>> {
    check_company(&*db, query.business_id).await?;
    let mut routes = vec![];
    for solution in CHARGED_SOLUTIONS {
        for payment_type in PAYMENT_TYPES {
            let key = RouteKey {
                solution,
                payment_type,
            };
            routes.push(body(&*db, &state, key, query.business_id).await?);
        }
    }
    let companies = routed_companies(&*db).await?;
    let payment_types = |provider| {
        state
            .acquirers
            .of(provider)
            .map_or(&[][..], Acquirer::payment_types)
    };
    let configured = &state.config.acquirers.configured;
    Ok(Json(AcquirerSettings {
        acquirers: configured
            .iter()
            .map(|config| ConfiguredAcquirer::of(config, payment_types(config.provider)))
            .collect(),
        routes,
        companies: companies
            .iter()
            .map(|company| RoutedBusiness::of(company.id, &company.name))
            .collect(),
    }))
}

/// Set the route of a payment type
///
/// The list of acquirers is in force from now, for all companies or for one. Charges that were ordered before stay with
/// their acquirer.
#[utoipa::path(
    post, path = "/admin/settings/acquirers", tag = "settings",
    responses(
        (status = 200, body = AcquirerRoute),
        (status = 409, description = "The list was changed since the revision that the edit started from"),
    )
)]
pub(crate) async fn set_acquirer_route(
    change: Change<StaffCaller, Form<AcquirerRouteForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let providers = form.providers(&work.state.acquirers)?;
            let AcquirerRouteForm { key, business_id, .. } = form;
            check_company(&**work, business_id).await?;
            routes_lock(&**work).await?;
            // The time is read under the lock, so that later changes have later times.
            let now = work.now();
            set_business_now(&**work, now).await?;
            let before = route_fetch(&**work, key, business_id).await?;
            if before.revision != form.revision {
                return Err(changed_since(&**work, key.payment_type, &before).await?);
            }
            let entry = if before.providers == providers {
                None
            } else {
                let new = NewRoute {
                    key,
                    business_id,
                    providers: providers.as_deref(),
                    valid_from: now,
                    set_by: work.caller.id,
                };
                route_add(&**work, &before, &new).await?;
                Some(entry(work, &before, &new).await?)
            };
            let answer = body(&**work, &work.state, key, business_id).await?;
            Ok(Changed::with_entry(answer, entry))
        })
        .await
}

/// List the history of the routes
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/settings/acquirers/history", tag = "settings",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_acquirer_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, ROUTE.0, None, paging).await.map(Json)
}

async fn check_company(client: &impl GenericClient, id: Option<BusinessId>) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    if companies_by_id(client, &[id]).await?.is_empty() {
        return Err(Problem::field("business_id", UNKNOWN_COMPANY));
    }
    Ok(())
}

/// The route in force for the company, or for all companies.
async fn body(
    client: &impl GenericClient,
    state: &AppState,
    key: RouteKey,
    business_id: Option<BusinessId>,
) -> Result<AcquirerRoute> {
    let mut route = route_fetch(client, key, business_id).await?;
    // The revision of the requested list: an edit replaces that one, even if another list applies.
    let revision = route.revision;
    let mut source = match business_id {
        Some(_) => AcquirerRouteSource::Company,
        None => AcquirerRouteSource::All,
    };
    if route.providers.is_none() && business_id.is_some() {
        route = route_fetch(client, key, None).await?;
        source = AcquirerRouteSource::All;
    }
    if route.providers.is_none() {
        source = AcquirerRouteSource::Installation;
    }
    let chosen = route.providers.as_deref();
    let usable = state.acquirers.usable(key.payment_type, chosen);
    let listed = chosen.unwrap_or(&usable);
    let set_by = match route.set_by.filter(|_| chosen.is_some()) {
        Some(id) => user_names(client, Audience::Admin, &[id]).await?.remove(&id),
        None => None,
    };
    Ok(AcquirerRoute {
        solution: key.solution.number(),
        payment_type: key.payment_type.as_str(),
        source: source.into(),
        acquirers: listed
            .iter()
            .map(|provider| RoutedAcquirer::of(*provider, usable.contains(provider)))
            .collect(),
        valid_from: route.valid_from.filter(|_| chosen.is_some()),
        set_by,
        revision,
    })
}

async fn entry(client: &Client, before: &Route, new: &NewRoute<'_>) -> Result<Entry> {
    let payment_type = new.key.payment_type;
    let names = companies_by_id(client, new.business_id.as_slice()).await?;
    let company = new.business_id.and_then(|id| names.get(&id));
    let listed = |providers: Option<&[Provider]>| -> Value {
        json!(providers.map(|all| all.iter().map(|each| each.slug()).collect::<Vec<_>>()))
    };
    let mut after = json!({ "payment_type": payment_type, "acquirers": listed(new.providers) });
    if let Some(company) = company {
        after["business"] = json!(company.name);
    }
    let id = match new.business_id {
        Some(id) => format!("{payment_type}/{id}"),
        None => payment_type.to_string(),
    };
    let before = json!({ "acquirers": listed(before.providers.as_deref()) });
    Ok(ROUTE.entry("update", id).before(before).after(after))
}

/// A 409 that says who changed the list.
async fn changed_since(
    client: &impl GenericClient,
    payment_type: PaymentType,
    found: &Route,
) -> Result<Problem> {
    let names = match found.set_by {
        Some(id) => user_names(client, Audience::Admin, &[id]).await?,
        None => HashMap::new(),
    };
    let who = found.set_by.and_then(|id| names.get(&id).cloned());
    let who = who.unwrap_or_else(|| "Outra pessoa".to_owned());
    let label = payment_type.label();
    Ok(Problem::conflict(format!(
        "{who} alterou as adquirentes de {label} enquanto você editava. Feche e abra de novo para ver a ordem atual."
    )))
}
