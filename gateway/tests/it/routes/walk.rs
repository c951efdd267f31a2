//! Calls every endpoint of the route table as every kind of caller.

use futures::{StreamExt, stream};
use gateway_environment::config::Panel;
use gateway_http::edge::cookies;
use gateway_http::routes::{AccessRule, Endpoint, table};
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::csrf::{self, CsrfBinding};
use ledger_domain::ids::UserId;
use reqwest::Method;
use serde_json::json;
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
    let walks = stream::iter(table()).map(|endpoint| {
        let fixture = &fixture;
        async move { differences(fixture, endpoint, endpoint.access).await }
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
    let mut not_served = 0;
    for endpoint in table().iter().filter(|each| each.access != AccessRule::Provider) {
        let address = address(endpoint, &fixture.own.id.to_string());
        let methods = [method(endpoint), Method::GET, Method::DELETE, Method::HEAD];
        for panel in Panel::ALL {
            if endpoint.panels.contains(panel) {
                continue;
            }
            not_served += 1;
            for (caller, method) in callers
                .iter()
                .flat_map(|caller| methods.iter().map(move |m| (caller, m)))
            {
                let caller = caller
                    .clone()
                    .with("host", host(*panel))
                    .with("x-request-id", "walk");
                let answer = caller.send(method.clone(), &address, None).await;
                let unknown = caller.send(method.clone(), "/api/nowhere", None).await;
                let what = format!("{method} {address} on {}", host(*panel));
                assert_eq!((answer.status, &answer.body), (404, &unknown.body), "{what}");
                assert_eq!(answer.header("allow"), None, "{what}");
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
        let found = differences(&fixture, endpoint, wrong).await;
        assert!(!found.is_empty(), "{} taken for {wrong:?}", endpoint.path);
        let right = differences(&fixture, endpoint, endpoint.access).await;
        assert_eq!(right, Vec::<String>::new());
    }
}

/// A message for each answer of the endpoint that differs from those that `access` requires.
async fn differences(fixture: &RouteFixture, endpoint: &Endpoint, access: AccessRule) -> Vec<String> {
    let mut walk = Walk {
        fixture,
        users: fixture.users().await,
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
    users: TestUsers,
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
        for (defect, token) in self.fixture.invalid_tokens(&self.users, audience).await {
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
