//! Sends traces to a collector by OTLP, if the configuration names one. What is in them is made by
//! `ledger_store::trace` where the work is done.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use gateway_acquirers::calls::client_builder;
use gateway_environment::config::TracesConfig;
use ledger_store::supervisor::spawn_once;
use ledger_store::{Causes, trace};
use opentelemetry::{KeyValue, global};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

const SERVICE_NAME: &str = "razao";
/// The library ends an export by its own limit, which the environment has. This one ends a connection that is silent.
const SEND_MAX: Duration = Duration::from_secs(30);

#[derive(Debug, Error)]
pub enum TracesError {
    #[error("traces cannot be sent: {0}")]
    Client(#[from] reqwest::Error),
    #[error("traces cannot be sent: {0}")]
    Exporter(#[from] ExporterBuildError),
}

pub struct Traces(SdkTracerProvider);

impl Traces {
    /// `None` if they are off. `process` is the name of this process in the log.
    pub fn start(
        config: &TracesConfig,
        version: &'static str,
        process: &str,
    ) -> Result<Option<Self>, TracesError> {
        if !config.is_on {
            return Ok(None);
        }
        let client = Collector {
            client: client_builder().timeout(SEND_MAX).build()?,
            runtime: Handle::current(),
            is_silent: AtomicBool::new(false),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .build()?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource(config, version, process))
            .with_batch_exporter(exporter)
            .build();
        global::set_tracer_provider(provider.clone());
        trace::turn_on();
        tracing::info!("traces are sent");
        Ok(Some(Self(provider)))
    }

    /// Sends what is left. It waits for the thread of the exporter, which waits for the collector.
    pub async fn stop(self) {
        let stopped = spawn_blocking(move || self.0.shutdown()).await;
        if let Ok(Err(error)) = stopped {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

fn resource(config: &TracesConfig, version: &'static str, process: &str) -> Resource {
    let resource = Resource::builder().with_attributes([
        KeyValue::new("service.version", version),
        KeyValue::new("service.instance.id", process.to_owned()),
        KeyValue::new("process.pid", i64::from(std::process::id())),
    ]);
    let attributes = env::var("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    match config.service_name.is_some() || attributes.contains("service.name=") {
        true => resource.build(),
        false => resource.with_service_name(SERVICE_NAME).build(),
    }
}

/// The program's own HTTP client. The exporter calls it from a thread of its own, without a runtime.
#[derive(Debug)]
struct Collector {
    client: reqwest::Client,
    runtime: Handle,
    /// The last export failed. A collector that is down is one line in the log, and not one every five seconds.
    is_silent: AtomicBool,
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sending = {
            let _runtime = self.runtime.enter();
            spawn_once("export of traces", send(client, request))
        };
        let sent = sending
            .await?
            .unwrap_or_else(|| Err("the export panicked".into()));
        self.note(&sent);
        sent
    }
}

impl Collector {
    fn note(&self, sent: &Result<Response<Bytes>, HttpError>) {
        let fault = match sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("the collector answers {}", answer.status())),
            Err(error) => Some(Causes(&**error).to_string()),
        };
        match (fault, self.is_silent.load(Ordering::Relaxed)) {
            (Some(fault), false) => {
                self.is_silent.store(true, Ordering::Relaxed);
                tracing::warn!(fault, "traces are lost: the collector does not take them");
            }
            (None, true) => {
                self.is_silent.store(false, Ordering::Relaxed);
                tracing::info!("the collector takes traces again");
            }
            (Some(_), true) | (None, false) => {}
        }
    }
}

async fn send(client: reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let request = reqwest::Request::try_from(request.map(reqwest::Body::from))?;
    let mut answer = client.execute(request).await?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        *headers = std::mem::take(answer.headers_mut());
    }
    Ok(response.body(answer.bytes().await?)?)
}
