//! A notice is one trace, from its request over the commit, the followers and the effect to the e-mail that it causes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use chrono::Utc;
use gateway_identity::roles::SellerRole;
use gateway_platform::providers::{SIGNATURE_HEADER, sign};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::json;
use tokio::net::TcpListener;

use super::notices::{open_without_effects, payout_notice, result, withdraw_and_insert_payout};
use super::{PayoutFixture, variables};
use crate::support::Client;
use crate::support::acquirer::SECRET;
use crate::support::program::Program;
use crate::support::wait::until;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// The spans, and the attributes of their resources.
type Sent = (Vec<Span>, BTreeMap<String, String>);

#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Sent>>);

impl Collected {
    /// Listens as a collector, and returns its address.
    async fn listen(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let addr = listener.local_addr().expect("its address");
        let router = Router::new()
            .route("/v1/traces", post(Self::take))
            .with_state(self.clone());
        #[expect(clippy::disallowed_methods, reason = "a server of this test")]
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{addr}")
    }

    async fn take(State(collected): State<Self>, body: Bytes) {
        let request = ExportTraceServiceRequest::decode(body).expect("OTLP");
        let mut collected = collected.0.lock().expect("no panic before");
        for resource in request.resource_spans {
            let attributes = resource.resource.expect("a resource").attributes;
            collected.1.extend(attributes.iter().map(text));
            let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
            collected.0.extend(spans);
        }
    }

    /// Those of the caller's trace.
    fn spans(&self) -> Vec<Span> {
        let collected = self.0.lock().expect("no panic before");
        let spans = collected.0.iter();
        spans
            .filter(|span| hex::encode(&span.trace_id) == TRACE)
            .cloned()
            .collect()
    }
}

fn text(attribute: &KeyValue) -> (String, String) {
    let value = match &attribute.value {
        Some(AnyValue {
            value: Some(Value::StringValue(text)),
        }) => text.clone(),
        other => format!("{other:?}"),
    };
    (attribute.key.clone(), value)
}

fn attributes(span: &Span) -> BTreeMap<String, String> {
    span.attributes.iter().map(text).collect()
}

fn named<'a>(spans: &'a [Span], begin: &str) -> &'a Span {
    let names: Vec<_> = spans.iter().map(|span| &span.name).collect();
    let found = spans.iter().find(|span| span.name.starts_with(begin));
    found.unwrap_or_else(|| panic!("{begin} in {names:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notice_is_one_trace_from_its_request_to_its_email() {
    let fixture = open_without_effects().await;
    let owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let (transfer_id, payout_id) = withdraw_and_insert_payout(&fixture, 100_00).await;
    let paid = payout_notice("evt-paid", "payout.paid", transfer_id, payout_id);
    assert_eq!(result(&fixture.app.send_json(&paid).await), (200, "recorded"));

    // The real program goes on from here.
    let PayoutFixture {
        app, sandbox, addr, ..
    } = fixture;
    let (program_of_test, database) = (app.app, app.database);
    program_of_test.stop().await;
    let collected = Collected::default();
    let endpoint = collected.listen().await;
    let given = variables(&sandbox, addr);
    let traced = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
    ];
    let all = [&given.each()[..], &traced].concat();
    let program = Program::new(&database.url, sandbox.addr, addr, &all);
    let mut running = program.start();
    program.until_it_serves().await;

    let mut returned = payout_notice("evt-returned", "payout.returned", transfer_id, payout_id);
    returned["occurred_at"] = json!("2026-11-21T15:01:00Z");
    returned["data"]["reason"] = json!("Conta encerrada");
    let body = returned.to_string();
    let signature = sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
    let client = Client::new(addr)
        .with(SIGNATURE_HEADER, &signature)
        .with("traceparent", &format!("00-{TRACE}-{CALLER}-01"))
        .with("x-request-id", "the-request-of-this-test");
    let answer = client
        .post_text("/api/webhooks/zoop", "application/json", &body)
        .await;
    assert_eq!(result(&answer), (200, "recorded"));
    let place = answer.headers["traceparent"]
        .to_str()
        .expect("a header")
        .to_owned();
    assert!(
        place.starts_with(&format!("00-{TRACE}-")) && !place.contains(CALLER),
        "{place}"
    );

    until("the e-mail's span", async || {
        collected.spans().iter().any(|span| span.name == "effect mail")
    })
    .await;
    until("the read models' span", async || {
        collected.spans().iter().any(|span| span.name.contains("balance"))
    })
    .await;
    let spans = collected.spans();
    let request = named(&spans, "POST /api/webhooks/{provider}");
    assert_eq!(hex::encode(&request.parent_span_id), CALLER);
    assert_eq!(hex::encode(&request.span_id), place[36..52]);
    let seen = attributes(request);
    assert_eq!(seen["http.route"], "/api/webhooks/{provider}");
    assert!(seen["http.response.status_code"].contains("200"), "{seen:?}");
    assert_eq!(seen["razao.request_id"], "the-request-of-this-test");
    // Each goes on from the one before it.
    let way = ["command", "commit", "follow payouts", "effect mail"];
    let mut before = request;
    for name in way {
        let span = named(&spans, name);
        assert_eq!(
            span.parent_span_id, before.span_id,
            "{name} goes on from {}",
            before.name
        );
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano, "{name}");
        before = span;
    }
    let commit = named(&spans, "commit");
    let seen = attributes(commit);
    assert_eq!(seen["razao.statement"], "append");
    assert!(
        seen.contains_key("razao.epochs") && seen.contains_key("razao.shards"),
        "{seen:?}"
    );
    assert_eq!(named(&spans, "follow balance").parent_span_id, commit.span_id);

    // No value of a person, no body.
    let everything = format!("{spans:?}");
    for private in [
        &owner.email,
        "Conta encerrada",
        "52998224725",
        &payout_id.to_string(),
    ] {
        assert!(!everything.contains(private), "{private}");
    }
    let resource = collected.0.lock().expect("no panic before").1.clone();
    assert_eq!(resource["service.name"], "razao");
    assert_eq!(resource["deployment.environment.name"], "test");
    assert!(
        resource["service.instance.id"].starts_with("process-"),
        "{resource:?}"
    );
    assert!(resource.contains_key("service.version") && resource.contains_key("process.pid"));
    running.kill().await.expect("the program is ended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_endpoint_nothing_is_traced_and_a_wrong_one_ends_the_start() {
    let fixture = open_without_effects().await;
    let client = fixture
        .app
        .client()
        .with("traceparent", &format!("00-{TRACE}-{CALLER}-01"));
    let answer = client.get("/healthz").await;
    assert_eq!(answer.status, 200);
    assert!(!answer.headers.contains_key("traceparent"));
    let wrong = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_TRACES_SAMPLER", "some"),
    ];
    let program = Program::new(
        &fixture.app.database.url,
        fixture.sandbox.addr,
        fixture.addr,
        &wrong,
    );
    let output = program.output(&["serve"]).await;
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("OTEL_EXPORTER_OTLP_ENDPOINT is not an address")
            && text.contains("OTEL_TRACES_SAMPLER is none of"),
        "{text}"
    );
}
