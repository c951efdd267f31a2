//! Limits for clients: durations and the number of connections. Without limits, a client that sends half a request and
//! waits keeps a connection and its memory forever.

use std::time::Duration;

use super::Variables;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// `RAZAO_HTTP_HEADER_MS`, default 10000: the longest time from a request's first byte to the end of its header.
    pub header: Duration,
    /// `RAZAO_HTTP_BODY_MS`, default 30000: the longest time from the end of the header to the end of the body.
    /// Then the answer is a 408.
    pub body: Duration,
    /// `RAZAO_HTTP_IDLE_MS`, default 75000: how long a connection can stay open without a request.
    pub idle: Duration,
    /// `RAZAO_HTTP_REQUEST_MS`, default 60000: the longest time from the end of the header to the end of the response.
    /// If the answer has not begun, it is a 503; a write continues, and its 503 says that the outcome is unknown. An
    /// answer that is late gets at least the time of a header to be sent. A call may have a longer limit, or none.
    pub request: Duration,
    /// `RAZAO_HTTP_CONNECTIONS`, default 10000: the largest number of open connections of a listener. Others wait to be
    /// accepted. The system's limit of open files (`ulimit -n`) can be lower.
    pub connections: u32,
}

impl HttpLimits {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        let limits = Self {
            header: variables.limit("RAZAO_HTTP_HEADER_MS", 10_000),
            body: variables.limit("RAZAO_HTTP_BODY_MS", 30_000),
            idle: variables.limit("RAZAO_HTTP_IDLE_MS", 75_000),
            request: variables.limit("RAZAO_HTTP_REQUEST_MS", 60_000),
            connections: variables.parse("RAZAO_HTTP_CONNECTIONS", 10_000, |text| match text.parse() {
                Ok(count @ 1..=1_000_000) => Ok(count),
                _ => Err("is not a number from 1 to 1000000".to_owned()),
            }),
        };
        if limits.request < limits.body {
            variables.fault("RAZAO_HTTP_REQUEST_MS", "is shorter than RAZAO_HTTP_BODY_MS");
        }
        limits
    }
}
