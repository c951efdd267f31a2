//! The lists of acquirers that staff set. A list is changed by adding a row; the last row is in force.

use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider, Solution};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

/// The sales that a list is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteKey {
    pub solution: Solution,
    pub payment_type: PaymentType,
}

/// A list, and who set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// `None`: the list was withdrawn or never set. The list for all companies, or else the installation's, applies.
    pub providers: Option<Vec<Provider>>,
    /// Counts the changes, so that an edit which started from an older state is refused. 0: never set.
    pub revision: i32,
    /// When it was set: lists start at once. `None`: it was never set.
    pub valid_from: Option<Instant>,
    pub set_by: Option<UserId>,
}

impl Route {
    const NEVER_SET: Self = Self {
        providers: None,
        revision: 0,
        valid_from: None,
        set_by: None,
    };

    fn from_row(row: &Row) -> Self {
        Self {
            providers: row
                .get::<_, Option<Vec<i16>>>("providers")
                .map(|numbers| known_providers(&numbers)),
            revision: row.get("revision"),
            valid_from: Some(row.get("valid_from")),
            set_by: Some(UserId::from_uuid(row.get("set_by"))),
        }
    }
}

/// Leaves out acquirers that only a newer version of the program knows.
fn known_providers(numbers: &[i16]) -> Vec<Provider> {
    let numbers = numbers.iter().filter_map(|number| u8::try_from(*number).ok());
    numbers
        .filter_map(|number| Provider::from_number(number).ok())
        .collect()
}

/// Keeps other changes of lists waiting until the end of the transaction. Readers do not wait.
pub async fn routes_lock(client: &impl GenericClient) -> Result<(), Error> {
    client
        .batch_execute("LOCK TABLE acquirer_route IN SHARE ROW EXCLUSIVE MODE")
        .await
}

/// The last row of one list. `None` as the company: the list of all companies.
pub async fn route_fetch(
    client: &impl GenericClient,
    key: RouteKey,
    business_id: Option<BusinessId>,
) -> Result<Route, Error> {
    let rows = client
        .query_typed(
            "SELECT number AS revision, providers, valid_from, set_by FROM acquirer_route
              WHERE business_id IS NOT DISTINCT FROM $3 AND solution = $1 AND payment_type = $2
              ORDER BY number DESC LIMIT 1",
            &[
                (&i16::from(key.solution.number()), Type::INT2),
                (&key.payment_type.as_str(), Type::TEXT),
                (&business_id.map(BusinessId::uuid), Type::UUID),
            ],
        )
        .await?;
    Ok(rows.first().map_or(Route::NEVER_SET, Route::from_row))
}

/// The list in force for a company: its own, else that of all companies. `None`: the installation's order applies.
pub async fn route_in_force(
    client: &impl GenericClient,
    key: RouteKey,
    business_id: BusinessId,
) -> Result<Option<Vec<Provider>>, Error> {
    let own = route_fetch(client, key, Some(business_id)).await?;
    if own.providers.is_some() {
        return Ok(own.providers);
    }
    Ok(route_fetch(client, key, None).await?.providers)
}

/// The companies with their own lists, by name: at most 500, which one screen shows without pages.
pub async fn routed_companies(client: &impl GenericClient) -> Result<Vec<RoutedCompany>, Error> {
    let rows = client
        .query_typed(
            "SELECT business.id, business.name
               FROM (SELECT DISTINCT ON (business_id, solution, payment_type) business_id, providers
                       FROM acquirer_route WHERE business_id IS NOT NULL
                      ORDER BY business_id, solution, payment_type, number DESC) AS last
               JOIN business ON business.id = last.business_id
              WHERE last.providers IS NOT NULL
              GROUP BY business.id ORDER BY business.name, business.id LIMIT 500",
            &[],
        )
        .await?;
    Ok(rows
        .iter()
        .map(|row| RoutedCompany {
            id: BusinessId::from_uuid(row.get(0)),
            name: row.get(1),
        })
        .collect())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutedCompany {
    pub id: BusinessId,
    pub name: String,
}

/// A new list, or `None` to withdraw the last one.
#[derive(Debug, Clone)]
pub struct NewRoute<'a> {
    pub key: RouteKey,
    pub business_id: Option<BusinessId>,
    pub providers: Option<&'a [Provider]>,
    pub valid_from: Instant,
    pub set_by: UserId,
}

/// Adds a row after the one that was fetched under the lock.
pub async fn route_add(client: &impl GenericClient, after: &Route, new: &NewRoute<'_>) -> Result<(), Error> {
    let provider_numbers = new.providers.map(|providers| {
        let numbers = providers.iter().map(|provider| i16::from(provider.number()));
        numbers.collect::<Vec<_>>()
    });
    client
        .execute_typed(
            "INSERT INTO acquirer_route (business_id, solution, payment_type, number, providers, valid_from, set_by)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&new.business_id.map(BusinessId::uuid), Type::UUID),
                (&i16::from(new.key.solution.number()), Type::INT2),
                (&new.key.payment_type.as_str(), Type::TEXT),
                (&(after.revision + 1), Type::INT4),
                (&provider_numbers, Type::INT2_ARRAY),
                (&new.valid_from, Type::TIMESTAMPTZ),
                (&new.set_by.uuid(), Type::UUID),
            ],
        )
        .await
        .map(drop)
}
