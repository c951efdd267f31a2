//! The client's IP address.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use gateway_environment::config::TrustedProxies;

use crate::AppState;

#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let proxies = &state.config.server.trusted_proxies;
        let address = client_address(&parts.extensions, &parts.headers, proxies);
        Ok(Self(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// Returns `None` if the request came over no connection, as in a test that calls the router. The extractor then uses
/// 0.0.0.0. An IPv4 address on a dual-stack socket is returned as IPv4, so each address has one form.
pub fn client_address(
    extensions: &Extensions,
    headers: &HeaderMap,
    proxies: &TrustedProxies,
) -> Option<IpAddr> {
    let ConnectInfo(peer) = extensions.get::<ConnectInfo<SocketAddr>>()?;
    // Several headers form one list (RFC 9110, 5.3). It is read from its end, because the last hop appends there.
    let lines = headers.get_all("x-forwarded-for").into_iter();
    let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    let hops = lines.into_iter().rev().flat_map(|line| line.rsplit(','));
    Some(proxies.client(peer.ip(), hops).to_canonical())
}
