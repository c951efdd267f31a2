//! Calls every endpoint of the route table as every kind of caller.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use futures::{StreamExt, stream};
use gateway_environment::config::Panel;
use gateway_http::edge::cookies;
use gateway_http::routes::{AccessRule, Endpoint, table};
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::csrf::{self, CsrfBinding};
use ledger_domain::ids::UserId;
use reqwest::Method;
use serde_json::{Value, json};
use utoipa::openapi::path::HttpMethod;

use super::callers::{RouteFixture, TestUsers};
use super::expected::{
    CallerRole, Expected, address, call, difference, expected_answer, host, method, names_company,
    on_its_host,
};
use crate::support::Client;

const CONCURRENT_ENDPOINTS: usize = 8;

#[tokio::test]
async fn every_endpoint_admits_exactly_the_callers_of_its_access_rule() {
    let fixture = RouteFixture::open().await;
    // A GET changes no user, so that all of them share theirs.
    let of_gets = fixture.users().await;
    let walks = stream::iter(table()).map(|endpoint| {
        let (fixture, of_gets) = (&fixture, &of_gets);
        async move {
            match endpoint.method {
                HttpMethod::Get => differences(fixture, of_gets, endpoint, endpoint.access).await,
                _ => differences(fixture, &fixture.users().await, endpoint, endpoint.access).await,
            }
        }
    });
    let found: Vec<Vec<String>> = walks.buffer_unordered(CONCURRENT_ENDPOINTS).collect().await;
    let found = found.concat();
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// On another panel's host, a call is a 404 like an unknown path.
#[tokio::test]
async fn each_call_answers_only_on_the_hosts_of_its_audience() {
    let fixture = RouteFixture::open().await;
    let users = fixture.users().await;
    let mut callers = vec![fixture.signed_out()];
    for audience in [Audience::Seller, Audience::Admin] {
        callers.push(fixture.signed_in(audience, users.owner(audience)).await);
    }
    let methods_of = |endpoint: &Endpoint| [method(endpoint), Method::GET, Method::DELETE, Method::HEAD];
    let with_host = |caller: &Client, panel: Panel| {
        let caller = caller.clone().with("host", host(panel));
        caller.with("x-request-id", "walk")
    };
    // The answers of unknown paths, by panel, caller and method.
    let mut unknown = HashMap::new();
    let mut not_served = 0;
    for endpoint in table().iter().filter(|each| each.access != AccessRule::Provider) {
        let address = address(endpoint, &fixture.own.id.to_string());
        for panel in Panel::ALL {
            if endpoint.panels.contains(panel) {
                continue;
            }
            not_served += 1;
            for (number, caller) in callers.iter().enumerate() {
                let caller = with_host(caller, *panel);
                for method in methods_of(endpoint) {
                    let expected = match unknown.entry((host(*panel), number, method.clone())) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            let answer = caller.send(method.clone(), "/api/nowhere", None).await;
                            new.insert(answer.body)
                        }
                    };
                    let answer = caller.send(method.clone(), &address, None).await;
                    let what = format!("{method} {address} on {}", host(*panel));
                    assert_eq!((answer.status, &answer.body), (404, &*expected), "{what}");
                    assert_eq!(answer.header("allow"), None, "{what}");
                }
            }
        }
    }
    let on_both = table().iter().filter(|each| each.panels.len() == 2).count();
    assert_eq!(not_served + on_both, table().len(), "each answers somewhere");
    for panel in Panel::ALL {
        let client = fixture.signed_out().with("host", host(*panel));
        for path in ["/api/auth/get-csrf-token", "/api/openapi.json", "/api/docs", "/"] {
            assert_eq!(client.get(path).await.status, 200, "{path} on {}", host(*panel));
        }
    }
}

/// Also for an unknown company, because the guard runs only for supported methods.
#[tokio::test]
async fn an_unsupported_method_is_a_405() {
    let fixture = RouteFixture::open().await;
    let users = fixture.users().await;
    for panel in Panel::ALL {
        let audience = match panel {
            Panel::Admin => Audience::Admin,
            _ => Audience::Seller,
        };
        let signed_in = fixture.signed_in(audience, users.owner(audience)).await;
        for endpoint in table().iter().filter(|each| each.panels.contains(panel)) {
            let of_unknown_company = address(endpoint, "biz_00000000-0000-0000-0000-000000000000");
            let of_unknown_company =
                format!("{of_unknown_company}?business_id=biz_00000000-0000-0000-0000-000000000000");
            for caller in [fixture.signed_out(), signed_in.clone()] {
                let caller = caller.with("host", host(*panel));
                let answer = caller.send(Method::TRACE, &of_unknown_company, None).await;
                assert_eq!(answer.status, 405, "{of_unknown_company} on {}", host(*panel));
            }
        }
    }
}

#[tokio::test]
async fn the_route_tests_detect_a_wrong_access_rule() {
    let fixture = RouteFixture::open().await;
    let all_sellers = AccessRule::Business(SellerRole::ALL);
    let all_staff = AccessRule::Staff(AdminRole::ALL);
    let first_with = |has_rule: fn(AccessRule) -> bool| {
        let mut endpoints = table().iter();
        endpoints
            .find(|endpoint| has_rule(endpoint.access))
            .expect("such an endpoint")
    };
    let public = first_with(|access| access == AccessRule::Public);
    let signed_in_seller = first_with(|access| access == AccessRule::Seller);
    let some_sellers = first_with(
        |access| matches!(access, AccessRule::Business(roles) if roles.len() < SellerRole::ALL.len()),
    );
    let all_seller_roles = first_with(|access| access == AccessRule::Business(SellerRole::ALL));
    let some_staff =
        first_with(|access| matches!(access, AccessRule::Staff(roles) if roles.len() < AdminRole::ALL.len()));
    let all_staff_roles = first_with(|access| access == AccessRule::Staff(AdminRole::ALL));
    for (endpoint, wrong) in [
        (&public, AccessRule::Seller),
        (&public, all_staff),
        (&signed_in_seller, AccessRule::Public),
        (&signed_in_seller, all_staff),
        (&some_sellers, all_sellers),
        (&some_sellers, AccessRule::Business(&[SellerRole::Owner])),
        (&some_sellers, AccessRule::Seller),
        (
            &all_seller_roles,
            AccessRule::Business(&[SellerRole::Owner, SellerRole::Admin]),
        ),
        (&all_seller_roles, AccessRule::Public),
        (&some_staff, all_staff),
        (&some_staff, AccessRule::Staff(&[])),
        (&all_staff_roles, AccessRule::Staff(&[AdminRole::Admin])),
        (&all_staff_roles, all_sellers),
    ] {
        let found = differences(&fixture, &fixture.users().await, endpoint, wrong).await;
        assert!(!found.is_empty(), "{} taken for {wrong:?}", endpoint.path);
        let right = differences(&fixture, &fixture.users().await, endpoint, endpoint.access).await;
        assert_eq!(right, Vec::<String>::new());
    }
}

/// A message for each answer of the endpoint that differs from those that `access` requires.
async fn differences(
    fixture: &RouteFixture,
    users: &TestUsers,
    endpoint: &Endpoint,
    access: AccessRule,
) -> Vec<String> {
    let mut walk = Walk {
        fixture,
        users,
        endpoint,
        found: vec![],
    };
    walk.every_role(access).await;
    let audience = match access {
        AccessRule::Public | AccessRule::Provider => return walk.found,
        AccessRule::Seller | AccessRule::Business(_) | AccessRule::EitherPanel => Audience::Seller,
        AccessRule::Staff(_) => Audience::Admin,
    };
    walk.invalid_tokens(audience).await;
    walk.browsers(audience).await;
    if let AccessRule::Business(roles) = access {
        walk.companies(roles).await;
    }
    walk.found
}

struct Walk<'a> {
    fixture: &'a RouteFixture,
    users: &'a TestUsers,
    endpoint: &'a Endpoint,
    found: Vec<String>,
}

impl Walk<'_> {
    /// Calls for the caller's own company, if the path names one.
    async fn try_own(&mut self, who: &str, client: &Client, expected: Expected) {
        let address = address(self.endpoint, &self.fixture.own.id.to_string());
        self.try_at(who, client, &address, expected).await;
    }

    async fn try_at(&mut self, who: &str, client: &Client, address: &str, expected: Expected) {
        let answer = call(client, self.endpoint, address).await;
        self.found
            .extend(difference(self.endpoint, who, expected, &answer));
    }

    async fn every_role(&mut self, access: AccessRule) {
        let fixture = self.fixture;
        self.try_own(
            "signed out",
            &fixture.signed_out(),
            expected_answer(access, CallerRole::SignedOut),
        )
        .await;
        let sellers = self.users.sellers.iter();
        let sellers = sellers.map(|(role, user)| (Audience::Seller, CallerRole::Seller(*role), *user));
        let staff = self.users.staff.iter();
        let staff = staff.map(|(role, user)| (Audience::Admin, CallerRole::Staff(*role), *user));
        for (audience, role, user) in sellers.chain(staff).collect::<Vec<_>>() {
            let client = fixture.signed_in(audience, user).await;
            self.try_own(&format!("{role:?}"), &client, expected_answer(access, role))
                .await;
        }
    }

    async fn invalid_tokens(&mut self, audience: Audience) {
        for (defect, token) in self.fixture.invalid_tokens(self.users, audience).await {
            let bearer = self.fixture.signed_out().bearing(&token);
            self.try_own(defect, &bearer, Expected::SignedOut).await;
        }
    }

    /// Callers with cookies. A token under the other panel's cookie name is ignored. Only GETs work without a page's
    /// CSRF token.
    async fn browsers(&mut self, audience: Audience) {
        let (fixture, owner) = (self.fixture, self.users.owner(audience));
        let session_id = fixture.session(audience, owner, "now() + interval '1 day'").await;
        let token = fixture.token(audience, owner, session_id);
        let with = |csrf: &str| {
            let name = cookies::access(audience);
            let cookie = format!("{name}={token}; {}={csrf}", cookies::CSRF);
            fixture.signed_out().with("cookie", &cookie)
        };
        let misplaced = format!("{}={token}", cookies::access(audience.other()));
        let misplaced = fixture.signed_out().with("cookie", &misplaced);
        self.try_own("the other panel's cookie", &misplaced, Expected::SignedOut)
            .await;
        if self.endpoint.method == HttpMethod::Get {
            self.try_own("a browser without a page", &with(""), Expected::Passes)
                .await;
        } else {
            let stale = Expected::StalePage;
            let page = csrf::issue(fixture.tokens(), CsrfBinding::Session(audience, session_id));
            let signed_out = csrf::issue(fixture.tokens(), CsrfBinding::Anonymous);
            let foreign = with(&signed_out).with("x-csrf-token", &signed_out);
            self.try_own("a page of a signed-out browser", &foreign, stale)
                .await;
            self.try_own("a page without its header", &with(&page), stale)
                .await;
            let valid = with(&page).with("x-csrf-token", &page);
            self.try_own("a page with its header", &valid, Expected::Passes)
                .await;
            // The call may have been a sign-out.
            let again = fixture.signed_in_by_cookie(audience, owner).await;
            self.try_own("a browser without a page", &again, stale).await;
        }
    }

    /// The role is the one in the company of the request. A company to which the user has no access is a 404.
    async fn companies(&mut self, roles: &'static [SellerRole]) {
        let fixture = self.fixture;
        let (own, other) = (fixture.own.id.to_string(), fixture.other.id.to_string());
        let access = AccessRule::Business(roles);
        let as_owner = expected_answer(access, CallerRole::Seller(SellerRole::Owner));
        let as_operator = expected_answer(access, CallerRole::Seller(SellerRole::Operator));
        let owner = self.users.owner(Audience::Seller);
        let (seller_of_two, seller_of_none) = (self.users.seller_of_two, self.users.seller_of_none);
        if names_company(self.endpoint) {
            let (of_own, of_other) = (address(self.endpoint, &own), address(self.endpoint, &other));
            let client = self.seller(owner).await;
            self.try_at("another's company", &client, &of_other, Expected::UnknownCompany)
                .await;
            let client = self.seller(owner).await;
            let with_both = format!("{of_own}?business_id={other}");
            self.try_at("own in path, other in query", &client, &with_both, as_owner)
                .await;
            let client = self.seller(seller_of_two).await;
            self.try_at("the company's owner", &client, &of_own, as_owner)
                .await;
            let client = self.seller(seller_of_two).await;
            self.try_at("its operator", &client, &of_other, as_operator).await;
            let client = self.seller(seller_of_none).await;
            self.try_at("a seller of none", &client, &of_own, Expected::UnknownCompany)
                .await;
            return;
        }
        for source in CompanySource::ALL {
            if source == CompanySource::Body && self.endpoint.method == HttpMethod::Get {
                continue;
            }
            let who = |what: &str| format!("{what}, by {source:?}");
            self.try_company(
                &who("another's company"),
                owner,
                source,
                &other,
                Expected::UnknownCompany,
            )
            .await;
            self.try_company(&who("the company's owner"), seller_of_two, source, &own, as_owner)
                .await;
            self.try_company(&who("its operator"), seller_of_two, source, &other, as_operator)
                .await;
        }
        let plain = address(self.endpoint, &own);
        let both = format!("{plain}?business_id={own}");
        let client = self.seller(owner).await.with("x-business-id", &other);
        self.try_at("own in query, other in header", &client, &both, as_owner)
            .await;
        let client = self.seller(seller_of_two).await;
        self.try_at("a seller of two", &client, &plain, Expected::CompanyMissing)
            .await;
        let client = self.seller(seller_of_none).await;
        self.try_at("a seller of none", &client, &plain, Expected::Forbidden)
            .await;
    }

    async fn seller(&self, user: UserId) -> Client {
        self.fixture.signed_in(Audience::Seller, user).await
    }

    async fn try_company(
        &mut self,
        who: &str,
        user: UserId,
        source: CompanySource,
        company: &str,
        expected: Expected,
    ) {
        let client = self.seller(user).await;
        let plain = address(self.endpoint, company);
        let answer = match source {
            CompanySource::Query => {
                call(&client, self.endpoint, &format!("{plain}?business_id={company}")).await
            }
            CompanySource::Header => {
                call(&client.with("x-business-id", company), self.endpoint, &plain).await
            }
            CompanySource::Cookie => {
                let cookie = format!("{}={company}", cookies::CURRENT_BUSINESS);
                call(&client.with("cookie", &cookie), self.endpoint, &plain).await
            }
            CompanySource::Body => {
                let body = json!({ "business_id": company });
                let client = on_its_host(&client, self.endpoint);
                client.send(method(self.endpoint), &plain, Some(body)).await
            }
        };
        self.found
            .extend(difference(self.endpoint, who, expected, &answer));
    }
}

/// The ways to name a request's company if its path does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CompanySource {
    Query,
    Header,
    Cookie,
    Body,
}

impl CompanySource {
    const ALL: [Self; 4] = [Self::Query, Self::Header, Self::Cookie, Self::Body];
}

/// A field that may be left out but not be null. To take its null as a left-out field would hide a client's mistake.
#[tokio::test]
async fn null_is_refused_where_the_document_does_not_allow_it() {
    let fixture = RouteFixture::open().await;
    let users = fixture.users().await;
    let document = gateway_http::openapi::without_references();
    let mut sent = 0;
    let mut taken = vec![];
    for endpoint in table().iter().filter(|each| each.access != AccessRule::Provider) {
        let audience = match endpoint.panels[0] {
            Panel::Admin => Audience::Admin,
            Panel::Seller => Audience::Seller,
        };
        let caller = match endpoint.access {
            AccessRule::Public => fixture.signed_out(),
            _ => fixture.signed_in(audience, users.owner(audience)).await,
        };
        for field in fields_without_null(&document, endpoint) {
            sent += 1;
            let own = fixture.own.id.to_string();
            let mut path = address(endpoint, &own);
            if needs_company(&document, endpoint) {
                path = format!("{path}?business_id={own}");
            }
            let answer = on_its_host(&caller, endpoint)
                .send(method(endpoint), &path, Some(field.body()))
                .await;
            let name = field.name();
            // The fields of `data` are those of the body.
            let name = name.strip_prefix("data.").unwrap_or(&name);
            if answer.status != 422 || answer.body["errors"].get(name).is_none() {
                taken.push(format!(
                    "{} {} {name}: {} {}",
                    method(endpoint),
                    endpoint.path,
                    answer.status,
                    answer.body
                ));
            }
        }
    }
    assert!(sent >= 30, "{sent} fields");
    assert!(
        taken.is_empty(),
        "{} of {sent}:\n{}",
        taken.len(),
        taken.join("\n")
    );
}

/// A field of a body: the names on the way to it. An empty name is the first element of a list.
#[derive(Clone)]
struct FieldPath(Vec<String>);

impl FieldPath {
    /// A body in which only this field is given, as null.
    fn body(&self) -> Value {
        let within = |inner: Value, name: &String| match name.as_str() {
            "" => json!([inner]),
            name => json!({ name: inner }),
        };
        self.0.iter().rev().fold(Value::Null, within)
    }

    /// The name in the answer's errors.
    fn name(&self) -> String {
        let mut name = String::new();
        for part in &self.0 {
            match part.as_str() {
                "" => name.push_str("[0]"),
                part if name.is_empty() => name.push_str(part),
                part => name.extend([".", part]),
            }
        }
        name
    }

    fn then(&self, part: &str) -> Self {
        Self([self.0.as_slice(), &[part.to_owned()]].concat())
    }
}

fn operation<'a>(document: &'a Value, endpoint: &Endpoint) -> &'a Value {
    &document["paths"][&endpoint.path][method(endpoint).as_str().to_lowercase()]
}

/// Whether the query must name the company.
fn needs_company(document: &Value, endpoint: &Endpoint) -> bool {
    let parameters = operation(document, endpoint)["parameters"].as_array();
    let names_company = |each: &Value| each["name"] == "business_id" && each["required"] == true;
    parameters.into_iter().flatten().any(names_company)
}

/// The fields of an endpoint's JSON body that may be left out and do not allow null, also those of its parts.
fn fields_without_null(document: &Value, endpoint: &Endpoint) -> Vec<FieldPath> {
    let schema = &operation(document, endpoint)["requestBody"]["content"]["application/json"]["schema"];
    let mut found = vec![];
    add_fields(document, schema, &FieldPath(vec![]), &mut found);
    found
}

fn add_fields(document: &Value, schema: &Value, at: &FieldPath, found: &mut Vec<FieldPath>) {
    assert!(at.0.len() < 10, "{} is part of itself", at.name());
    let schema = resolved(document, schema);
    let parts = |name: &str| schema[name].as_array().cloned().unwrap_or_default();
    for part in parts("allOf").iter().chain(&parts("oneOf")) {
        add_fields(document, part, at, found);
    }
    if let Some(items) = schema.get("items") {
        add_fields(document, items, &at.then(""), found);
    }
    let required = parts("required");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = at.then(name);
        if !required.contains(&json!(name)) && !allows_null(document, property) {
            found.push(path.clone());
        }
        add_fields(document, property, &path, found);
    }
}

fn resolved(document: &Value, schema: &Value) -> Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).cloned().unwrap_or_default(),
        None => schema.clone(),
    }
}

fn allows_null(document: &Value, property: &Value) -> bool {
    let property = resolved(document, property);
    let types = |schema: &Value| match &schema["type"] {
        Value::Array(types) => types.iter().any(|each| each == "null"),
        kind => kind == "null",
    };
    let one_of = property["oneOf"].as_array().into_iter().flatten();
    types(&property)
        || one_of.into_iter().any(types)
        || property.get("type").or(property.get("oneOf")).is_none()
}
