//! The list of seller users, or one of them. Sorts by name, without case and accents. Each user has the companies that
//! the user may act for.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_platform::list::{Conditions, List, Order, PageSql, list_page};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, fetch, fetch_opt, get, params, row, value};
use projections::{Page, Paging, SortOrder};
use tokio_postgres::{Error, GenericClient, Row};

use super::authority::Accesses;
use super::search::{SELLER_WORDS, Search, page_of_users};
use crate::credentials::account::{PendingEmail, pending_email_columns};
use crate::roles::SellerRole;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerRecord {
    pub id: UserId,
    pub name: String,
    pub email: String,
    /// CPF without its mask.
    pub document: String,
    pub active: bool,
    pub email_verified: bool,
    pub pending_email: PendingEmail,
    /// Another user set the password.
    pub password_provisional: bool,
    pub created_at: DateTime<Utc>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// Sorted by name.
    pub businesses: Vec<AccessRecord>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRecord {
    pub business_id: BusinessId,
    pub name: String,
    pub role: SellerRole,
    pub granted_at: DateTime<Utc>,
}

/// Selects seller users. A missing or empty criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SellerFilter {
    pub business_id: Option<BusinessId>,
    /// The roles in that company. Without a company they do not restrict.
    pub roles: Vec<SellerRole>,
    pub search: Option<Search>,
    pub active: Option<bool>,
    pub order: SortOrder,
}

impl SellerRecord {
    pub fn accesses(&self) -> Accesses {
        self.businesses
            .iter()
            .map(|access| (access.business_id, access.role))
            .collect()
    }
}

/// A user without the companies, which another statement reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerRow(SellerRecord);

impl FromRow for SellerRow {
    const COLUMNS: &'static str = concat!(
        "u.id, u.name, u.email, u.document, u.active, u.email_verified_at IS NOT NULL AS email_verified, u.created_at,
         (SELECT at FROM audit_log
           WHERE subject = 'seller_user' AND subject_id = 'usr_' || u.id::text AND action = 'sign-in'
           ORDER BY audit_log.id DESC LIMIT 1) AS last_sign_in_at,
         u.password_provisional, ",
        pending_email_columns!("seller")
    );

    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self(SellerRecord {
            id: get(row, "id")?,
            name: get(row, "name")?,
            email: get(row, "email")?,
            document: get(row, "document")?,
            active: get(row, "active")?,
            email_verified: get(row, "email_verified")?,
            pending_email: PendingEmail::of(row)?,
            password_provisional: get(row, "password_provisional")?,
            created_at: get(row, "created_at")?,
            last_sign_in_at: get(row, "last_sign_in_at")?,
            businesses: vec![],
        }))
    }
}

impl SellerFilter {
    fn restrict<'a>(&'a self, list: &mut Conditions<'a>) {
        list.and("u.deleted_at IS NULL");
        list.equals("u.active", &self.active);
        let Some(company) = &self.business_id else {
            return;
        };
        let company = list.parameter(company);
        let mut team = format!("SELECT a.seller_id FROM business_access a WHERE a.business_id = {company}");
        if !self.roles.is_empty() {
            let roles: Vec<_> = self.roles.iter().map(|role| role.id().to_string()).collect();
            team = format!("{team} AND a.role_id IN ({})", roles.join(", "));
        }
        list.and(format!("u.id IN ({team})"));
    }
}

impl List for SellerFilter {
    type Row = SellerRow;
    const TABLE: &'static str = "seller_user u";

    /// A team is small, so the planner may begin with its users. Among all users, those with the words are found first.
    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        self.restrict(list);
        let words = self.search.as_ref().map(|Search(words)| words);
        if self.business_id.is_some() {
            list.search(SELLER_WORDS, words);
        } else {
            list.search_first(SELLER_WORDS, words);
        }
    }

    fn order(&self) -> Order {
        Order::by(&["u.name_key", "u.id"], self.order)
    }

    fn from(&self, page: &PageSql<'_>) -> String {
        page_of_users(Self::TABLE, page)
    }
}

/// The users with the companies that each may act for.
pub async fn with_companies(
    client: &impl GenericClient,
    rows: Vec<SellerRow>,
) -> Result<Vec<SellerRecord>, Error> {
    let ids: Vec<UserId> = rows.iter().map(|SellerRow(user)| user.id).collect();
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let sql = format!(
        "SELECT {} FROM business_access a JOIN business b ON b.id = a.business_id
          WHERE a.seller_id = ANY ($1)
          ORDER BY folded(b.name), b.id",
        Access::COLUMNS
    );
    let accesses: Vec<Access> = fetch(client, &sql, params![ids]).await?;
    let mut businesses: HashMap<UserId, Vec<AccessRecord>> = HashMap::new();
    for access in accesses {
        // A role that only a newer version of the program knows is left out.
        let Some(role) = SellerRole::from_id(access.role_id) else {
            continue;
        };
        let record = AccessRecord {
            business_id: access.business_id,
            name: access.name,
            role,
            granted_at: access.granted_at,
        };
        businesses.entry(access.seller_id).or_default().push(record);
    }
    let user = |SellerRow(user): SellerRow| SellerRecord {
        businesses: businesses.remove(&user.id).unwrap_or_default(),
        ..user
    };
    Ok(rows.into_iter().map(user).collect())
}

row! {
    struct Access {
        seller_id: UserId = "a.seller_id",
        business_id: BusinessId = "a.business_id",
        name: String = "b.name",
        role_id: i16 = "a.role_id",
        granted_at: DateTime<Utc> = "a.granted_at",
    }
}

/// One page by number, and the total as far as it is counted.
pub async fn seller_list(
    client: &impl GenericClient,
    filter: &SellerFilter,
    paging: Paging,
) -> Result<Page<SellerRecord>, Error> {
    let page = list_page(client, filter, paging).await?;
    Ok(Page {
        rows: with_companies(client, page.rows).await?,
        total: page.total,
        total_capped: page.total_capped,
        next: None,
    })
}

/// Finds a user who is not deleted.
pub async fn seller_record(
    client: &impl GenericClient,
    seller: UserId,
) -> Result<Option<SellerRecord>, Error> {
    let sql = SellerFilter::select("WHERE u.id = $1 AND u.deleted_at IS NULL");
    let row: Option<SellerRow> = fetch_opt(client, &sql, params![seller]).await?;
    Ok(with_companies(client, row.into_iter().collect()).await?.pop())
}

/// Also true for deleted users, because their history stays.
pub async fn seller_ever_existed(client: &impl GenericClient, seller: UserId) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM seller_user WHERE id = $1)";
    value(client, sql, params![seller]).await
}
