//! The calls that are measured: of each list the first page, each order, each filter, a search, and the last page.

use ledger_domain::BusinessId;

use super::world::{LAST_PAGE_SMALL, company_id};

/// The last page of 20 rows that a list of 10,000 rows or more has.
const LAST_PAGE_LARGE: u32 = 500;

pub struct ListCall {
    pub name: String,
    /// The path on the small installation, and the one on the large installation. They differ in the last page only.
    pub small: String,
    pub large: String,
}

/// A list's path, its queries, and whether it has more pages on the large installation.
type Listed = (&'static str, &'static [&'static str], bool);

const LISTS: [Listed; 6] = [
    (
        "/api/admin/businesses",
        &[
            "",
            "order=asc",
            "sort=name&order=asc",
            "sort=name&order=desc",
            "status=enabled",
            "status=pending",
            "status=pending&sort=name&order=asc",
            "type=PF",
            "type=PF&sort=name&order=asc",
            "search=Pereira%20777",
            "search=pada",
            "search=padaria&status=enabled&sort=name&order=asc",
            "search=00000000000077",
        ],
        true,
    ),
    (
        "/api/admin/terminals",
        &[
            "",
            "order=desc",
            "sort=created_at&order=desc",
            "status=in_use",
            "status=in_stock",
            "billing_type=0",
            "billing_type=1",
            "business_id={company}",
            "serial_number=MAQ00007",
            "serial_number=777",
        ],
        true,
    ),
    (
        "/api/admin/sellers",
        &[
            "",
            "order=desc",
            "active=0",
            "business_id={company}",
            "search=souza%20777",
            "search=777",
        ],
        true,
    ),
    (
        "/api/admin/users",
        &["", "order=desc", "roles=sac", "active=1", "search=souza"],
        false,
    ),
    (
        "/api/admin/plans",
        &[
            "",
            "sort=description&order=asc",
            "solution=1",
            "active=1",
            "search=plano%207",
        ],
        false,
    ),
    (
        "/api/admin/plans/receiving",
        &["", "sort=description&order=asc", "active=1", "search=saque%207"],
        false,
    ),
];

pub fn list_calls() -> Vec<ListCall> {
    let company: BusinessId = company_id(7);
    let mut calls = vec![];
    for (path, queries, grows) in LISTS {
        let name = path.trim_start_matches("/api/admin/");
        for query in queries {
            let path = format!(
                "{path}?perPage=20&{}",
                query.replace("{company}", &company.to_string())
            );
            let query = if query.is_empty() { "first page" } else { query };
            calls.push(ListCall {
                name: format!("{name} {query}"),
                small: path.clone(),
                large: path,
            });
        }
        if grows {
            let page = |page| format!("{path}?perPage=20&page={page}");
            calls.push(ListCall {
                name: format!("{name} last page"),
                small: page(LAST_PAGE_SMALL),
                large: page(LAST_PAGE_LARGE),
            });
        }
    }
    calls
}
