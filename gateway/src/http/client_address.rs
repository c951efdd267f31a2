//! The address that a request came from, for limits and for the session's row.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use crate::AppState;

#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(peer)| peer.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        // Several headers are one list (RFC 9110, 5.3).
        let lines = parts.headers.get_all("x-forwarded-for");
        let lines: Vec<&str> = lines.into_iter().filter_map(|line| line.to_str().ok()).collect();
        let forwarded = (!lines.is_empty()).then(|| lines.join(","));
        Ok(Self(
            state
                .config
                .server
                .trusted_proxies
                .client(peer, forwarded.as_deref()),
        ))
    }
}
