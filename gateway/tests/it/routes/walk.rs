//! Calls every endpoint of the route table as every kind of caller. The tests name no endpoint, so new ones are
//! covered at once.

use futures::{StreamExt, stream};
use gateway_environment::config::Panel;
use gateway_http::edge::cookies;
use gateway_http::routes::{Access, Endpoint, table};
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::csrf::{self, CsrfBinding};
use ledger_domain::ids::UserId;
use reqwest::Method;
use serde_json::json;
use utoipa::openapi::path::HttpMethod;

use super::callers::{Crowd, House};
use super::expected::{
    Standing, Verdict, address, ask, fault, host, method, names_company, on_its_host, verdict,
};
use crate::support::Client;

/// Few enough concurrent endpoints that the database has connections to spare.
const AT_ONCE: usize = 8;

#[tokio::test]
async fn every_endpoint_admits_exactly_the_callers_of_its_access_rule() {
    let house = House::open().await;
    let walks = stream::iter(table()).map(|endpoint| {
        let house = &house;
        async move { holes(house, &endpoint, endpoint.access).await }
    });
    let found: Vec<Vec<String>> = walks.buffer_unordered(AT_ONCE).collect().await;
    let found = found.concat();
    assert!(found.is_empty(), "{} holes:\n{}", found.len(), found.join("\n"));
}

/// On another panel's host, a call is a 404 like an unknown path, for every caller and method.
#[tokio::test]
async fn each_call_answers_only_on_the_hosts_of_its_audience() {
    let house = House::open().await;
    let crowd = house.crowd().await;
    let mut callers = vec![house.nobody()];
    for audience in [Audience::Seller, Audience::Admin] {
        callers.push(house.signed_in(audience, crowd.owner(audience)).await);
    }
    let mut elsewhere = 0;
    for endpoint in table().iter().filter(|each| each.access != Access::Provider) {
        let address = address(endpoint, &house.own.id.to_string());
        let methods = [method(endpoint), Method::GET, Method::DELETE, Method::HEAD];
        for panel in Panel::ALL {
            if endpoint.panels.contains(panel) {
                continue;
            }
            elsewhere += 1;
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
    assert_eq!(elsewhere + on_both, table().len(), "each answers somewhere");
    for panel in Panel::ALL {
        let client = house.nobody().with("host", host(*panel));
        for path in ["/api/auth/get-csrf-token", "/api/openapi.json", "/api/docs", "/"] {
            assert_eq!(client.get(path).await.status, 200, "{path} on {}", host(*panel));
        }
    }
}

/// Also for an unknown company: no guard runs first.
#[tokio::test]
async fn an_unsupported_method_is_a_405() {
    let house = House::open().await;
    let crowd = house.crowd().await;
    for panel in Panel::ALL {
        let audience = match panel {
            Panel::Admin => Audience::Admin,
            _ => Audience::Seller,
        };
        let signed_in = house.signed_in(audience, crowd.owner(audience)).await;
        for endpoint in table().iter().filter(|each| each.panels.contains(panel)) {
            let strange = address(endpoint, "biz_00000000-0000-0000-0000-000000000000");
            let separator = if strange.contains('?') { '&' } else { '?' };
            let strange = format!("{strange}{separator}business_id=biz_00000000-0000-0000-0000-000000000000");
            for caller in [house.nobody(), signed_in.clone()] {
                let caller = caller.with("host", host(*panel));
                let answer = caller.send(Method::TRACE, &strange, None).await;
                assert_eq!(answer.status, 405, "{strange} on {}", host(*panel));
            }
        }
    }
}

#[tokio::test]
async fn the_route_tests_detect_a_wrong_access_rule() {
    let house = House::open().await;
    let all_sellers = Access::Business(SellerRole::ALL);
    let all_staff = Access::Staff(AdminRole::ALL);
    let of = |sort: fn(Access) -> bool| {
        let mut endpoints = table().into_iter();
        endpoints
            .find(|endpoint| sort(endpoint.access))
            .expect("such an endpoint")
    };
    let public = of(|access| access == Access::Public);
    let seller = of(|access| access == Access::Seller);
    let managing =
        of(|access| matches!(access, Access::Business(roles) if roles.len() < SellerRole::ALL.len()));
    let any_seller = of(|access| access == Access::Business(SellerRole::ALL));
    let some_staff =
        of(|access| matches!(access, Access::Staff(roles) if roles.len() < AdminRole::ALL.len()));
    let any_staff = of(|access| access == Access::Staff(AdminRole::ALL));
    for (endpoint, wrong) in [
        (&public, Access::Seller),
        (&public, all_staff),
        (&seller, Access::Public),
        (&seller, all_staff),
        (&managing, all_sellers),
        (&managing, Access::Business(&[SellerRole::Owner])),
        (&managing, Access::Seller),
        (
            &any_seller,
            Access::Business(&[SellerRole::Owner, SellerRole::Admin]),
        ),
        (&any_seller, Access::Public),
        (&some_staff, all_staff),
        (&some_staff, Access::Staff(&[])),
        (&any_staff, Access::Staff(&[AdminRole::Admin])),
        (&any_staff, all_sellers),
    ] {
        let found = holes(&house, endpoint, wrong).await;
        assert!(!found.is_empty(), "{} taken for {wrong:?}", endpoint.path);
        let right = holes(&house, endpoint, endpoint.access).await;
        assert_eq!(right, Vec::<String>::new());
    }
}

/// Every answer of the endpoint that differs from `access`.
async fn holes(house: &House, endpoint: &Endpoint, access: Access) -> Vec<String> {
    let mut walk = Walk {
        house,
        crowd: house.crowd().await,
        endpoint,
        found: vec![],
    };
    walk.everybody(access).await;
    let audience = match access {
        Access::Public | Access::Provider => return walk.found,
        Access::Seller | Access::Business(_) => Audience::Seller,
        Access::Staff(_) => Audience::Admin,
    };
    walk.spent_and_forged(audience).await;
    walk.browsers(audience).await;
    if let Access::Business(roles) = access {
        walk.companies(roles).await;
    }
    walk.found
}

struct Walk<'a> {
    house: &'a House,
    crowd: Crowd,
    endpoint: &'a Endpoint,
    found: Vec<String>,
}

impl Walk<'_> {
    /// Calls for the caller's own company, if the path names one.
    async fn try_own(&mut self, who: &str, client: &Client, expected: Verdict) {
        let address = address(self.endpoint, &self.house.own.id.to_string());
        self.try_at(who, client, &address, expected).await;
    }

    async fn try_at(&mut self, who: &str, client: &Client, address: &str, expected: Verdict) {
        let answer = ask(client, self.endpoint, address).await;
        self.found.extend(fault(self.endpoint, who, expected, &answer));
    }

    async fn everybody(&mut self, access: Access) {
        let house = self.house;
        self.try_own("nobody", &house.nobody(), verdict(access, Standing::Nobody))
            .await;
        let sellers = self.crowd.sellers.iter();
        let sellers = sellers.map(|(role, person)| (Audience::Seller, Standing::Seller(*role), *person));
        let staff = self.crowd.staff.iter();
        let staff = staff.map(|(role, person)| (Audience::Admin, Standing::Staff(*role), *person));
        for (audience, standing, person) in sellers.chain(staff).collect::<Vec<_>>() {
            let client = house.signed_in(audience, person).await;
            self.try_own(&format!("{standing:?}"), &client, verdict(access, standing))
                .await;
        }
    }

    async fn spent_and_forged(&mut self, audience: Audience) {
        for (wrong, token) in self.house.forged(&self.crowd, audience).await {
            let bearer = self.house.nobody().bearing(&token);
            self.try_own(wrong, &bearer, Verdict::SignedOut).await;
        }
    }

    /// Callers with cookies. A token under the other panel's cookie name is ignored. Only reads of the caller's own
    /// session work without a page's CSRF token.
    async fn browsers(&mut self, audience: Audience) {
        let (house, owner) = (self.house, self.crowd.owner(audience));
        let family = house.session(audience, owner, "now() + interval '1 day'").await;
        let token = house.token(audience, owner, family);
        let with = |csrf: &str| {
            let name = cookies::access(audience);
            let cookie = format!("{name}={token}; {}={csrf}", cookies::CSRF);
            house.nobody().with("cookie", &cookie)
        };
        let misplaced = format!("{}={token}", cookies::access(audience.other()));
        let misplaced = house.nobody().with("cookie", &misplaced);
        self.try_own("the other panel's cookie", &misplaced, Verdict::SignedOut)
            .await;
        let reads = self.endpoint.method == HttpMethod::Get;
        let stale = if reads {
            Verdict::Passes
        } else {
            Verdict::StalePage
        };
        if !reads {
            let page = csrf::issue(house.tokens(), CsrfBinding::Session(audience, family));
            let elsewhere = csrf::issue(house.tokens(), CsrfBinding::Nobody);
            let foreign = with(&elsewhere).with("x-csrf-token", &elsewhere);
            self.try_own("a page with a foreign token", &foreign, stale).await;
            self.try_own("a page without its header", &with(&page), stale)
                .await;
            let whole = with(&page).with("x-csrf-token", &page);
            self.try_own("a whole page", &whole, Verdict::Passes).await;
            // The call may have been a sign-out.
            let again = house.signed_in_by_cookie(audience, owner).await;
            self.try_own("a browser without a page", &again, stale).await;
        } else {
            self.try_own("a browser", &with(""), stale).await;
        }
    }

    /// The role is the one in the company of the request. A company of another user is as unknown as one that does
    /// not exist.
    async fn companies(&mut self, roles: &'static [SellerRole]) {
        let house = self.house;
        let (own, other) = (house.own.id.to_string(), house.other.id.to_string());
        let access = Access::Business(roles);
        let as_owner = verdict(access, Standing::Seller(SellerRole::Owner));
        let as_operator = verdict(access, Standing::Seller(SellerRole::Operator));
        let owner = self.crowd.owner(Audience::Seller);
        let (of_two, of_none) = (self.crowd.of_two, self.crowd.of_none);
        if names_company(self.endpoint) {
            let (of_own, of_other) = (address(self.endpoint, &own), address(self.endpoint, &other));
            let client = self.seller(owner).await;
            self.try_at("another's company", &client, &of_other, Verdict::UnknownCompany)
                .await;
            let client = self.seller(owner).await;
            let misled = format!("{of_own}?business_id={other}");
            self.try_at("a path before a query", &client, &misled, as_owner)
                .await;
            let client = self.seller(of_two).await;
            self.try_at("the owner of it", &client, &of_own, as_owner).await;
            let client = self.seller(of_two).await;
            self.try_at("the operator of it", &client, &of_other, as_operator)
                .await;
            let client = self.seller(of_none).await;
            self.try_at("a seller of nothing", &client, &of_own, Verdict::UnknownCompany)
                .await;
            return;
        }
        for way in Way::ALL {
            if way == Way::Body && self.endpoint.method == HttpMethod::Get {
                continue;
            }
            let who = |what: &str| format!("{what}, by {way:?}");
            self.try_named(
                &who("another's company"),
                owner,
                way,
                &other,
                Verdict::UnknownCompany,
            )
            .await;
            self.try_named(&who("the owner of it"), of_two, way, &own, as_owner)
                .await;
            self.try_named(&who("the operator of it"), of_two, way, &other, as_operator)
                .await;
        }
        let plain = address(self.endpoint, &own);
        let both = format!("{plain}?business_id={own}");
        let client = self.seller(owner).await.with("x-business-id", &other);
        self.try_at("a query before a header", &client, &both, as_owner)
            .await;
        let client = self.seller(of_two).await;
        self.try_at("a seller of two", &client, &plain, Verdict::CompanyMissing)
            .await;
        let client = self.seller(of_none).await;
        self.try_at("a seller of nothing", &client, &plain, Verdict::Forbidden)
            .await;
    }

    async fn seller(&self, person: UserId) -> Client {
        self.house.signed_in(Audience::Seller, person).await
    }

    async fn try_named(&mut self, who: &str, person: UserId, way: Way, company: &str, expected: Verdict) {
        let client = self.seller(person).await;
        let plain = address(self.endpoint, company);
        let answer = match way {
            Way::Query => ask(&client, self.endpoint, &format!("{plain}?business_id={company}")).await,
            Way::Header => ask(&client.with("x-business-id", company), self.endpoint, &plain).await,
            Way::Cookie => {
                let cookie = format!("{}={company}", cookies::CURRENT_BUSINESS);
                ask(&client.with("cookie", &cookie), self.endpoint, &plain).await
            }
            Way::Body => {
                let body = json!({ "business_id": company });
                let client = on_its_host(&client, self.endpoint);
                client.send(method(self.endpoint), &plain, Some(body)).await
            }
        };
        self.found.extend(fault(self.endpoint, who, expected, &answer));
    }
}

/// The ways to name a request's company if its path does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Query,
    Header,
    Cookie,
    Body,
}

impl Way {
    const ALL: [Self; 4] = [Self::Query, Self::Header, Self::Cookie, Self::Body];
}
