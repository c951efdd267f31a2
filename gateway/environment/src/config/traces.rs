//! Traces go by OTLP (protobuf over HTTP) to a collector. These are the standard variables of OpenTelemetry, and the only ones
//! without the program's prefix. Without an endpoint there are no traces, and they cost nothing. The collector's own
//! authority must be of Mozilla's list if its address is `https`.

use super::Variables;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TracesConfig {
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`, such as `http://collector:4318`: the collector; `/v1/traces` is added.
    /// `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is the whole address, and comes before it.
    ///
    /// `OTEL_SDK_DISABLED`: `true` turns traces off whatever else is set.
    pub is_on: bool,
    /// `OTEL_SERVICE_NAME`, default `razao`. `OTEL_RESOURCE_ATTRIBUTES`, such as `deployment.environment.name=production`:
    /// what is said of the process beside its version and its name in the log.
    pub service_name: Option<String>,
    /// `OTEL_TRACES_SAMPLER`, default `parentbased_always_on`, and `OTEL_TRACES_SAMPLER_ARG`: which traces are kept, such as
    /// `parentbased_traceidratio` and `0.01`. The caller's `traceparent` decides for its own with `parentbased_…`.
    /// `OTEL_EXPORTER_OTLP_HEADERS`, such as `authorization=Basic …`, are sent to the collector and shown nowhere.
    /// `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_BSP_SCHEDULE_DELAY`, `OTEL_BSP_MAX_QUEUE_SIZE` and others of the standard have their
    /// meaning there.
    pub sampler: Option<String>,
}

const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

impl TracesConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        let endpoint = |text: &str| {
            let is_address = text.starts_with("http://") || text.starts_with("https://");
            is_address
                .then_some(())
                .ok_or_else(|| "is not an address such as http://collector:4318".to_owned())
        };
        let of_all = variables.optional("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
        let of_traces = variables.optional("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", endpoint);
        let disabled = variables.get("OTEL_SDK_DISABLED");
        let disabled = disabled.is_some_and(|text| text.eq_ignore_ascii_case("true"));
        Self {
            is_on: (of_all.is_some() || of_traces.is_some()) && !disabled,
            service_name: variables.get("OTEL_SERVICE_NAME"),
            // The library would take another one without a word.
            sampler: variables.optional("OTEL_TRACES_SAMPLER", |text| match SAMPLERS.contains(&text) {
                true => Ok(text.to_owned()),
                false => Err(format!("is none of {}", SAMPLERS.join(", "))),
            }),
        }
    }
}
