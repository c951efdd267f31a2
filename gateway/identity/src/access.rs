//! The access rules of every call, read from one table: fixtures/access/calls.tsv. The panels read the same table. The
//! guards and the OpenAPI document ask this module. No handler lists the roles of its call.
//!
//! Code that shows a part of an answer only to some roles, or checks a right outside of the call that has it, asks for a
//! capability. The table says which call's roles have it.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use gateway_environment::config::Panel;

use crate::roles::{AdminRole, SellerRole};

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

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    read(include_str!("../../../fixtures/access/calls.tsv"))
        .unwrap_or_else(|errors| panic!("fixtures/access/calls.tsv:\n{}", errors.join("\n")))
});

/// The writes that a session with a provisional password may make. All others need a password of the user's own.
static WITH_PROVISIONAL_PASSWORD: LazyLock<HashSet<Call>> = LazyLock::new(|| {
    let lines = include_str!("../../../fixtures/access/provisional_password.tsv").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    // The first line names the columns.
    let calls = lines.skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [method, path, _why] = columns[..] else {
            panic!("fixtures/access/provisional_password.tsv: {line}");
        };
        let verb = served_verb(method).unwrap_or_else(|| panic!("unknown method {method}"));
        (verb, erased(path))
    });
    calls.collect()
});

/// What staff may do or read, apart from a call of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StaffCapability {
    ReadCompanies,
    DecideOnCompanies,
    /// The balance of a company.
    ReadBalance,
    /// The transfers and the settled sales of all companies.
    ReadPlatformMoney,
    ReadBilling,
    ReadBillingByCompany,
    ReadTotalSales,
    ReadTerminalSales,
    ReadAdjustments,
    ReadHolds,
    ReadHoldDocuments,
    ReadExceptions,
    ReadSettlementDifferences,
    ReadPayouts,
    ReadRefunds,
    ReadCharges,
    ReadEmailQueue,
    ReadFollowers,
    ReadReceivablesQueue,
    ReadNegativeBalances,
}

/// What a seller user may read in a company, apart from a call of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SellerCapability {
    ReadBalance,
    ReadTotals,
    ReadFinancial,
    ReadTerminalSales,
}

impl StaffCapability {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::ReadCompanies, "read-companies"),
        (Self::DecideOnCompanies, "decide-on-companies"),
        (Self::ReadBalance, "read-balance"),
        (Self::ReadPlatformMoney, "read-platform-money"),
        (Self::ReadBilling, "read-billing"),
        (Self::ReadBillingByCompany, "read-billing-by-company"),
        (Self::ReadTotalSales, "read-total-sales"),
        (Self::ReadTerminalSales, "read-terminal-sales"),
        (Self::ReadAdjustments, "read-adjustments"),
        (Self::ReadHolds, "read-holds"),
        (Self::ReadHoldDocuments, "read-hold-documents"),
        (Self::ReadExceptions, "read-exceptions"),
        (Self::ReadSettlementDifferences, "read-settlement-differences"),
        (Self::ReadPayouts, "read-payouts"),
        (Self::ReadRefunds, "read-refunds"),
        (Self::ReadCharges, "read-charges"),
        (Self::ReadEmailQueue, "read-email-queue"),
        (Self::ReadFollowers, "read-followers"),
        (Self::ReadReceivablesQueue, "read-receivables-queue"),
        (Self::ReadNegativeBalances, "read-negative-balances"),
    ];

    /// The owner always passes, so an empty list means the owner alone.
    pub fn roles(self) -> &'static [AdminRole] {
        match TABLE.staff.get(&self) {
            Some(roles) => roles,
            None => panic!("fixtures/access/calls.tsv gives nobody {self:?}"),
        }
    }
}

impl SellerCapability {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::ReadBalance, "read-balance"),
        (Self::ReadTotals, "read-totals"),
        (Self::ReadFinancial, "read-financial"),
        (Self::ReadTerminalSales, "read-terminal-sales"),
    ];

    pub fn roles(self) -> &'static [SellerRole] {
        match TABLE.sellers.get(&self) {
            Some(roles) => roles,
            None => panic!("fixtures/access/calls.tsv gives nobody {self:?}"),
        }
    }
}

#[derive(Debug, Default)]
struct Table {
    calls: HashMap<Call, TableRule>,
    staff: HashMap<StaffCapability, Vec<AdminRole>>,
    sellers: HashMap<SellerCapability, Vec<SellerRole>>,
    /// The paths whose GET may be answered from a replica of the database.
    replicated: HashSet<String>,
}

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
pub fn access_of(method: &str, path: &str) -> AccessRule {
    match rule_of(method, path) {
        TableRule::Public(_) => AccessRule::Public,
        TableRule::Provider => AccessRule::Provider,
        TableRule::Seller => AccessRule::Seller,
        TableRule::Business { roles, .. } => AccessRule::Business(roles),
        TableRule::Staff(roles) => AccessRule::Staff(roles),
        TableRule::EitherPanel => AccessRule::EitherPanel,
    }
}

/// Whether a call needs a password that its user has set: each write of a signed-in user, except those that are listed.
pub fn needs_own_password(method: &str, path: &str) -> bool {
    let is_signed_in = !matches!(rule_of(method, path), TableRule::Public(_) | TableRule::Provider);
    let Some(verb) = served_verb(method) else {
        return is_signed_in;
    };
    is_signed_in && verb != "GET" && !WITH_PROVISIONAL_PASSWORD.contains(&(verb, erased(path)))
}

/// Whether the call may be answered from a replica of the database.
pub fn may_read_replica(method: &str, path: &str) -> bool {
    method == "GET" && TABLE.replicated.contains(&erased(path))
}

/// The panels on whose hosts a call answers. A provider's call answers on any host.
pub fn panels_of(method: &str, path: &str) -> &'static [Panel] {
    match rule_of(method, path) {
        TableRule::Public(panels) => panels,
        TableRule::Seller | TableRule::Business { .. } => &[Panel::Seller],
        TableRule::Staff(_) => &[Panel::Admin],
        TableRule::EitherPanel | TableRule::Provider => Panel::ALL,
    }
}

/// The handler's name for the path parameter that holds the company's id. The guard reads the company from no other
/// parameter.
pub fn company_parameter_of<'a>(method: &str, path: &'a str) -> Option<&'a str> {
    let TableRule::Business {
        company: Some(segment),
        ..
    } = rule_of(method, path)
    else {
        return None;
    };
    path.split('/').nth(*segment).and_then(parameter)
}

fn rule_of(method: &str, path: &str) -> &'static TableRule {
    let rule = served_verb(method).and_then(|verb| TABLE.calls.get(&(verb, erased(path))));
    rule.unwrap_or_else(|| panic!("fixtures/access/calls.tsv has no line for {method} {path}"))
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
fn read(text: &str) -> Result<Table, Vec<String>> {
    let mut table = Table::default();
    let mut errors = vec![];
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    match lines.next() {
        Some((_, "audience\troles\tmethod\tpath\tcapability\treads")) => {}
        _ => errors.push("the first line must name the columns".to_owned()),
    }
    for (number, line) in lines {
        if let Err(error) = table.read_line(line) {
            errors.push(format!("line {number}: {error}"));
        }
    }
    if errors.is_empty() { Ok(table) } else { Err(errors) }
}

impl Table {
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [audience, roles, method, path, capability, reads] = columns[..] else {
            return Err(format!("{} columns instead of six", columns.len()));
        };
        let verb = served_verb(method).ok_or_else(|| format!("unknown method {method}"))?;
        if !path.starts_with('/') {
            return Err(format!("{path} is not a path"));
        }
        let rule = rule_named(audience, roles, path)?;
        let is_new = match (&rule, capability) {
            (_, "-") => true,
            (TableRule::Staff(roles), name) => {
                let capability = named(StaffCapability::ALL, name)?;
                self.staff.insert(capability, roles.clone()).is_none()
            }
            (TableRule::Business { roles, .. }, name) => {
                let capability = named(SellerCapability::ALL, name)?;
                self.sellers.insert(capability, roles.clone()).is_none()
            }
            (_, name) => return Err(format!("{name} for the audience {audience}")),
        };
        if !is_new {
            return Err(format!("duplicate capability {capability}"));
        }
        match (reads, verb) {
            ("-", _) => {}
            ("replica", "GET") => drop(self.replicated.insert(erased(path))),
            _ => return Err(format!("{reads} for a call by {verb}")),
        }
        match self.calls.insert((verb, erased(path)), rule) {
            None => Ok(()),
            Some(_) => Err("duplicate call".to_owned()),
        }
    }
}

fn rule_named(audience: &str, roles: &str, path: &str) -> Result<TableRule, String> {
    Ok(match (audience, roles) {
        ("public", "-") => TableRule::Public(&[Panel::Seller]),
        ("public-admin", "-") => TableRule::Public(&[Panel::Admin]),
        ("public-any", "-") => TableRule::Public(Panel::ALL),
        ("provider", "-") => TableRule::Provider,
        ("seller", "*") => TableRule::Seller,
        ("any", "*") => TableRule::EitherPanel,
        ("business", names) => TableRule::Business {
            roles: match names {
                "*" => SellerRole::ALL.to_vec(),
                _ => roles_named(names, |name| SellerRole::parse(name).ok())?,
            },
            company: company_in(path)?,
        },
        ("admin", "*") => TableRule::Staff(AdminRole::ALL.to_vec()),
        // The owner alone, who passes every check of staff.
        ("admin", "none") => TableRule::Staff(vec![]),
        ("admin", names) => TableRule::Staff(roles_named(names, |name| AdminRole::parse(name).ok())?),
        _ => return Err(format!("audience {audience} with roles {roles}")),
    })
}

fn named<Capability: Copy>(all: &[(Capability, &str)], name: &str) -> Result<Capability, String> {
    let found = all.iter().find(|(_, word)| *word == name);
    found
        .map(|(capability, _)| *capability)
        .ok_or_else(|| format!("unknown capability {name}"))
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

    const HEAD: &str = "# A comment.\naudience\troles\tmethod\tpath\tcapability\treads\n";

    #[test]
    fn every_line_is_a_rule() {
        let lines = include_str!("../../../fixtures/access/calls.tsv").lines();
        let written = lines.filter(|line| !line.starts_with('#')).count() - 1;
        assert_eq!(TABLE.calls.len(), written);
    }

    #[test]
    fn each_write_that_a_provisional_password_may_make_is_a_call_of_signed_in_users() {
        let lines = include_str!("../../../fixtures/access/provisional_password.tsv").lines();
        let written = lines.filter(|line| !line.starts_with('#')).count() - 1;
        assert_eq!(WITH_PROVISIONAL_PASSWORD.len(), written, "no line is a repeat");
        for (method, path) in WITH_PROVISIONAL_PASSWORD.iter() {
            let rule = rule_of(method, path);
            let is_public = matches!(rule, TableRule::Public(_) | TableRule::Provider);
            assert!(!is_public && *method != "GET", "{method} {path}");
        }
    }

    #[test]
    fn a_call_is_found_under_any_parameter_names() {
        let access = access_of("GET", "/admin/businesses/{business}/events/{any}");
        assert_eq!(
            access,
            AccessRule::Staff(&[AdminRole::Admin, AdminRole::CommercialSupervisor])
        );
        assert_eq!(access_of("POST", "/auth/sign-in"), AccessRule::Public);
        assert_eq!(
            access_of("POST", "/admin/holidays"),
            AccessRule::Staff(&[]),
            "the owner alone"
        );
        assert_eq!(access_of("GET", "/admin/me"), AccessRule::Staff(AdminRole::ALL));
    }

    #[test]
    fn each_capability_has_the_roles_of_one_call() {
        for (capability, name) in StaffCapability::ALL {
            assert!(TABLE.staff.contains_key(capability), "{name}");
        }
        for (capability, name) in SellerCapability::ALL {
            assert!(TABLE.sellers.contains_key(capability), "{name}");
        }
        assert_eq!(
            SellerCapability::ReadBalance.roles(),
            [SellerRole::Owner, SellerRole::Admin]
        );
        assert_eq!(
            StaffCapability::ReadBalance.roles(),
            [AdminRole::Admin, AdminRole::CommercialSupervisor]
        );
    }

    #[test]
    fn a_call_has_the_hosts_of_its_audience() {
        for (method, path, panels) in [
            ("POST", "/auth/sign-in", &[Panel::Seller][..]),
            ("POST", "/auth/admin/sign-in", &[Panel::Admin]),
            ("GET", "/auth/get-csrf-token", Panel::ALL),
            ("GET", "/pl/{code}", &[Panel::Seller]),
            ("POST", "/pl/{code}/placeorder", &[Panel::Seller]),
            ("GET", "/sellers/me", &[Panel::Seller]),
            ("GET", "/transactions", &[Panel::Seller]),
            ("GET", "/admin/me", &[Panel::Admin]),
            ("GET", "/options", Panel::ALL),
            ("POST", "/webhooks/{provider}", Panel::ALL),
        ] {
            assert_eq!(panels_of(method, path), panels, "{path}");
        }
    }

    #[test]
    fn the_table_says_which_parameter_names_the_company() {
        let company = |method, path| company_parameter_of(method, path);
        assert_eq!(company("POST", "/business/{any}/access"), Some("any"));
        assert_eq!(company("GET", "/business/{id}/terminals/sales"), Some("id"));
        for path in [
            "/transactions/{id}",
            "/business/users/{id}",
            "/payment-link/{id}",
            "/overview",
        ] {
            assert_eq!(company("GET", path), None, "{path}");
        }
        assert_eq!(
            company("GET", "/admin/businesses/{id}"),
            None,
            "staff see every company"
        );
    }

    #[test]
    fn a_path_with_a_wrong_company_parameter_is_a_fault() {
        let reads = |path: &str| read(&format!("{HEAD}business\towner\tGET\t{path}\t-\t-\n")).is_ok();
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
        access_of("DELETE", "/nowhere");
    }

    #[test]
    fn every_fault_is_reported_with_its_line() {
        let text = format!(
            "{HEAD}admin\tadmin,boss\tGET\t/a\t-\t-\nnobody\t-\tGET\t/b\t-\t-\nadmin\t*\tFETCH\t/c\t-\t-\n\
             seller\towner\tGET\t/d\t-\t-\npublic\t-\tGET\t/e/{{id}}\t-\t-\npublic\t-\tGET\t/e/{{other}}\t-\t-\n\
             public\t-\tGET\nadmin\t*\tGET\t/f\tread-minds\t-\nseller\t*\tGET\t/g\tread-balance\t-\n\
             admin\t*\tGET\t/h\tread-balance\t-\nadmin\t*\tGET\t/i\tread-balance\t-\n\
             admin\t*\tPOST\t/j\t-\treplica\nadmin\t*\tGET\t/k\t-\tsomewhere\n"
        );
        let errors = read(&text).expect_err("the table has errors");
        let expected = [
            "line 3: unknown role \"boss\"",
            "line 4: audience nobody",
            "line 5: unknown method FETCH",
            "line 6: audience seller with roles owner",
            "line 8: duplicate call",
            "line 9: 3 columns",
            "line 10: unknown capability read-minds",
            "line 11: read-balance for the audience seller",
            "line 13: duplicate capability read-balance",
            "line 14: replica for a call by POST",
            "line 15: somewhere for a call by GET",
        ];
        assert_eq!(errors.len(), expected.len(), "{errors:?}");
        for (error, expected) in errors.iter().zip(expected) {
            assert!(error.starts_with(expected), "{error}");
        }
        let empty = read("").expect_err("no table");
        assert_eq!(empty, ["the first line must name the columns"]);
    }
}
