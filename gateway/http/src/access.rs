//! The access rules of every call, read from one table: fixtures/access/calls.tsv. The panels read the same table. The
//! guards, the OpenAPI document and handlers that apply another call's rule all ask this module. No handler lists the
//! roles of its call.
//!
//! The table of served calls and their handlers is in `routes`.

use std::collections::HashMap;
use std::sync::LazyLock;

use gateway_environment::config::Panel;
use gateway_identity::roles::{AdminRole, SellerRole};
use utoipa::openapi::path::HttpMethod;

/// Who may call an endpoint. Roles are data and are checked before the handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRule {
    Public,
    /// A provider, authenticated by its signature or by the secret in the path. The handler checks it.
    Provider,
    /// Any signed-in seller. The call is not about a company.
    Seller,
    /// A seller who has one of these roles in the company of the request.
    Business(&'static [SellerRole]),
    /// Staff with one of these roles. The owner always passes, so an empty list means the owner alone.
    Staff(&'static [AdminRole]),
    /// Any signed-in seller on the seller panel, any signed-in member of staff on the staff panel.
    EitherPanel,
}

static CALLS: LazyLock<HashMap<Call, TableRule>> = LazyLock::new(|| {
    read(include_str!("../../../fixtures/access/calls.tsv"))
        .unwrap_or_else(|errors| panic!("fixtures/access/calls.tsv:\n{}", errors.join("\n")))
});

/// The method, and the path without parameter names (`erased`). Handlers may use other names than the table.
type Call = (&'static str, String);

/// One line of the table.
#[derive(Debug)]
enum TableRule {
    /// Needs no session. Answers on the hosts of these panels.
    Public(&'static [Panel]),
    Provider,
    Seller,
    Business {
        roles: Vec<SellerRole>,
        /// The index of the path segment that holds the company's id.
        company: Option<usize>,
    },
    Staff(Vec<AdminRole>),
    /// Any user who is signed in to either panel.
    EitherPanel,
}

/// Panics if the table has no such call.
pub fn access_of(method: &HttpMethod, path: &str) -> AccessRule {
    match rule_of(verb(method), path) {
        TableRule::Public(_) => AccessRule::Public,
        TableRule::Provider => AccessRule::Provider,
        TableRule::Seller => AccessRule::Seller,
        TableRule::Business { roles, .. } => AccessRule::Business(roles),
        TableRule::Staff(roles) => AccessRule::Staff(roles),
        TableRule::EitherPanel => AccessRule::EitherPanel,
    }
}

/// The panels on whose hosts a call answers. A provider's call answers on any host.
pub fn panels_of(method: &HttpMethod, path: &str) -> &'static [Panel] {
    match rule_of(verb(method), path) {
        TableRule::Public(panels) => panels,
        TableRule::Seller | TableRule::Business { .. } => &[Panel::Seller],
        TableRule::Staff(_) => &[Panel::Admin],
        TableRule::EitherPanel | TableRule::Provider => Panel::ALL,
    }
}

/// The handler's name for the path parameter that holds the company's id. The guard reads the company from no other
/// parameter.
pub fn company_parameter_of<'a>(method: &HttpMethod, path: &'a str) -> Option<&'a str> {
    let TableRule::Business {
        company: Some(segment),
        ..
    } = rule_of(verb(method), path)
    else {
        return None;
    };
    path.split('/').nth(*segment).and_then(parameter)
}

/// The staff roles that may make a call. A handler asks for the roles of another call if a part of its answer follows
/// that call's rule.
pub fn staff_roles_of(method: &str, path: &str) -> &'static [AdminRole] {
    match rule_of(method, path) {
        TableRule::Staff(roles) => roles,
        _ => panic!("{method} {path} is not a call of staff"),
    }
}

/// The roles in a company that may make a call. Handlers use it like `staff_roles_of`.
pub fn seller_roles_of(method: &str, path: &str) -> &'static [SellerRole] {
    match rule_of(method, path) {
        TableRule::Business { roles, .. } => roles,
        _ => panic!("{method} {path} is not a call about a company"),
    }
}

fn rule_of(method: &str, path: &str) -> &'static TableRule {
    let rule = served_verb(method).and_then(|verb| CALLS.get(&(verb, erased(path))));
    rule.unwrap_or_else(|| panic!("fixtures/access/calls.tsv has no line for {method} {path}"))
}

pub const fn verb(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
        HttpMethod::Head => "HEAD",
        HttpMethod::Options => "OPTIONS",
        HttpMethod::Trace => "TRACE",
    }
}

/// The methods that an endpoint may use.
fn served_verb(method: &str) -> Option<&'static str> {
    ["GET", "POST", "PUT", "PATCH", "DELETE"]
        .into_iter()
        .find(|verb| *verb == method)
}

/// The path with `{}` for each parameter.
fn erased(path: &str) -> String {
    let segments = path
        .split('/')
        .map(|segment| parameter(segment).map_or(segment, |_| "{}"));
    segments.collect::<Vec<_>>().join("/")
}

/// The parameter's name, if the segment is a parameter.
fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// The table's name for the parameter that holds the company's id.
const COMPANY: &str = "businessId";

/// The index of the segment with the company's id in a seller's path. A parameter after the segment `business` must be
/// named `businessId`, and no other parameter may have that name.
fn company_in(path: &str) -> Result<Option<usize>, String> {
    let segments: Vec<&str> = path.split('/').collect();
    let mut named = (0..segments.len()).filter(|at| parameter(segments[*at]) == Some(COMPANY));
    let company = named.next();
    if named.next().is_some() {
        return Err(format!("{path} names two companies"));
    }
    let after_business = |at: usize| at > 0 && segments[at - 1] == "business";
    let places = (0..segments.len()).filter(|at| parameter(segments[*at]).is_some() && after_business(*at));
    if !places.eq(company) {
        return Err(format!(
            "{path}: a company's id must follow business and be named {{{COMPANY}}}"
        ));
    }
    Ok(company)
}

/// Reports all errors at once, each with its line number.
fn read(text: &str) -> Result<HashMap<Call, TableRule>, Vec<String>> {
    let mut calls = HashMap::new();
    let mut errors = vec![];
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    match lines.next() {
        Some((_, "audience\troles\tmethod\tpath")) => {}
        _ => errors.push("the first line must name the columns".to_owned()),
    }
    for (number, line) in lines {
        match read_line(line) {
            Ok((call, rule)) => {
                if calls.insert(call, rule).is_some() {
                    errors.push(format!("line {number}: duplicate call"));
                }
            }
            Err(error) => errors.push(format!("line {number}: {error}")),
        }
    }
    if errors.is_empty() { Ok(calls) } else { Err(errors) }
}

fn read_line(line: &str) -> Result<(Call, TableRule), String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [audience, roles, method, path] = columns[..] else {
        return Err(format!("{} columns instead of four", columns.len()));
    };
    let verb = served_verb(method).ok_or_else(|| format!("unknown method {method}"))?;
    if !path.starts_with('/') {
        return Err(format!("{path} is not a path"));
    }
    let rule = match (audience, roles) {
        ("public", "-") => TableRule::Public(&[Panel::Seller]),
        ("public-admin", "-") => TableRule::Public(&[Panel::Admin]),
        ("public-any", "-") => TableRule::Public(Panel::ALL),
        ("provider", "-") => TableRule::Provider,
        ("seller", "*") => TableRule::Seller,
        ("any", "*") => TableRule::EitherPanel,
        ("business", names) => TableRule::Business {
            roles: match names {
                "*" => SellerRole::ALL.to_vec(),
                _ => roles_named(names, SellerRole::parse)?,
            },
            company: company_in(path)?,
        },
        ("admin", "*") => TableRule::Staff(AdminRole::ALL.to_vec()),
        // The owner alone, who passes every check of staff.
        ("admin", "none") => TableRule::Staff(vec![]),
        ("admin", names) => TableRule::Staff(roles_named(names, AdminRole::parse)?),
        _ => return Err(format!("audience {audience} with roles {roles}")),
    };
    Ok(((verb, erased(path)), rule))
}

fn roles_named<Role>(names: &str, parse: fn(&str) -> Option<Role>) -> Result<Vec<Role>, String> {
    let roles = names
        .split(',')
        .map(|name| parse(name).ok_or_else(|| format!("unknown role {name:?}")));
    roles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# A comment.\naudience\troles\tmethod\tpath\n";

    #[test]
    fn every_line_is_a_rule() {
        let lines = include_str!("../../../fixtures/access/calls.tsv").lines();
        let written = lines.filter(|line| !line.starts_with('#')).count() - 1;
        assert_eq!(CALLS.len(), written);
    }

    #[test]
    fn a_call_is_found_under_any_parameter_names() {
        let access = access_of(&HttpMethod::Get, "/admin/businesses/{business}/events/{any}");
        assert_eq!(
            access,
            AccessRule::Staff(&[AdminRole::Admin, AdminRole::CommercialSupervisor])
        );
        assert_eq!(access_of(&HttpMethod::Post, "/auth/sign-in"), AccessRule::Public);
        assert_eq!(
            access_of(&HttpMethod::Post, "/admin/holidays"),
            AccessRule::Staff(&[]),
            "the owner alone"
        );
        assert_eq!(staff_roles_of("GET", "/admin/me"), AdminRole::ALL);
        assert_eq!(
            seller_roles_of("GET", "/balance/history"),
            [SellerRole::Owner, SellerRole::Admin]
        );
    }

    #[test]
    fn a_call_has_the_hosts_of_its_audience() {
        for (method, path, panels) in [
            (HttpMethod::Post, "/auth/sign-in", &[Panel::Seller][..]),
            (HttpMethod::Post, "/auth/admin/sign-in", &[Panel::Admin]),
            (HttpMethod::Get, "/auth/get-csrf-token", Panel::ALL),
            (HttpMethod::Get, "/pl/{code}", &[Panel::Seller]),
            (HttpMethod::Post, "/pl/{code}/placeorder", &[Panel::Seller]),
            (HttpMethod::Get, "/sellers/me", &[Panel::Seller]),
            (HttpMethod::Get, "/transactions", &[Panel::Seller]),
            (HttpMethod::Get, "/admin/me", &[Panel::Admin]),
            (HttpMethod::Get, "/options", Panel::ALL),
            (HttpMethod::Post, "/webhooks/{provider}", Panel::ALL),
        ] {
            assert_eq!(panels_of(&method, path), panels, "{path}");
        }
    }

    #[test]
    fn the_table_says_which_parameter_names_the_company() {
        let company = |method, path| company_parameter_of(&method, path);
        assert_eq!(company(HttpMethod::Post, "/business/{any}/access"), Some("any"));
        assert_eq!(
            company(HttpMethod::Get, "/business/{id}/terminals/sales"),
            Some("id")
        );
        for path in [
            "/transactions/{id}",
            "/business/users/{id}",
            "/payment-link/{id}",
            "/overview",
        ] {
            assert_eq!(company(HttpMethod::Get, path), None, "{path}");
        }
        assert_eq!(
            company(HttpMethod::Get, "/admin/businesses/{id}"),
            None,
            "staff see every company"
        );
    }

    #[test]
    fn a_path_with_a_wrong_company_parameter_is_a_fault() {
        let reads = |path: &str| read(&format!("{HEAD}business\towner\tGET\t{path}\n")).is_ok();
        assert!(reads("/business/{businessId}/a") && reads("/business/users/{id}") && reads("/a/{id}"));
        for path in [
            "/business/{id}",
            "/business/{business_id}/a",
            "/a/business/{id}",
            "/a/{businessId}",
            "/businesses/{businessId}",
            "/business/{businessId}/business/{id}",
            "/business/{businessId}/users/{businessId}",
        ] {
            assert!(!reads(path), "{path}");
        }
    }

    #[test]
    #[should_panic(expected = "has no line for DELETE /nowhere")]
    fn a_call_outside_the_table_panics() {
        access_of(&HttpMethod::Delete, "/nowhere");
    }

    #[test]
    fn every_fault_is_reported_with_its_line() {
        let text = format!(
            "{HEAD}admin\tadmin,boss\tGET\t/a\nnobody\t-\tGET\t/b\nadmin\t*\tFETCH\t/c\n\
             seller\towner\tGET\t/d\npublic\t-\tGET\t/e/{{id}}\npublic\t-\tGET\t/e/{{other}}\npublic\t-\tGET\n"
        );
        let errors = read(&text).expect_err("the table has errors");
        let expected = [
            "line 3: unknown role \"boss\"",
            "line 4: audience nobody",
            "line 5: unknown method FETCH",
            "line 6: audience seller with roles owner",
            "line 8: duplicate call",
            "line 9: 3 columns",
        ];
        assert_eq!(errors.len(), expected.len(), "{errors:?}");
        for (error, expected) in errors.iter().zip(expected) {
            assert!(error.starts_with(expected), "{error}");
        }
        let empty = read("").expect_err("no table");
        assert_eq!(empty, ["the first line must name the columns"]);
    }
}
