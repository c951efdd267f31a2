//! The cookies of a session: reads them from a request, sets and clears them on an answer. Scripts cannot read the
//! token cookies. They can read the CSRF cookie, because they must send it back in a header.

use axum::http::header::{COOKIE, HOST};
use axum::http::{HeaderMap, HeaderValue, header};
use gateway_environment::config::is_local;
use gateway_identity::audience::Audience;
use gateway_identity::sessions::Tokens;
use gateway_identity::sessions::devices::Devices;

pub const CSRF: &str = "csrf_token";
pub const CURRENT_BUSINESS: &str = "current_business";

/// 30 days: the lifetime of the token cookies in the specification.
const MAX_AGE_SECONDS: u32 = 2_592_000;

/// 400 days: the longest time that browsers keep a cookie (RFC 6265bis, 5.5).
const DEVICE_MAX_AGE_SECONDS: u32 = 34_560_000;

pub const fn access(audience: Audience) -> &'static str {
    match audience {
        Audience::Seller => "access_token",
        Audience::Admin => "admin_access_token",
    }
}

pub const fn refresh(audience: Audience) -> &'static str {
    match audience {
        Audience::Seller => "refresh_token",
        Audience::Admin => "admin_refresh_token",
    }
}

/// The cookie that identifies a browser after its session ends.
pub const fn device(audience: Audience) -> &'static str {
    match audience {
        Audience::Seller => "device_token",
        Audience::Admin => "admin_device_token",
    }
}

/// The first cookie with that name, unless it is empty.
pub fn read<'a>(headers: &'a HeaderMap, name: &'a str) -> Option<&'a str> {
    read_all(headers, name).next().filter(|value| !value.is_empty())
}

/// All cookies with that name. A browser sends several if another host of the domain set one too.
pub fn read_all<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|line| line.to_str().ok());
    let pairs = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .filter(move |(key, _)| *key == name)
        .map(|(_, value)| value.trim_matches('"'))
}

/// The devices in the browser's cookies.
pub fn devices(tokens: &Tokens, audience: Audience, headers: &HeaderMap) -> Devices {
    Devices::from_cookies(tokens, audience, read_all(headers, device(audience)))
}

/// The cookies that an answer sets or clears.
pub struct SetCookies {
    secure: bool,
    lines: Vec<String>,
}

impl SetCookies {
    /// Leaves out `Secure` only for local hosts, which have no TLS.
    pub fn answering(request: &HeaderMap) -> Self {
        let host = request
            .get(HOST)
            .and_then(|host| host.to_str().ok())
            .unwrap_or_default();
        Self {
            secure: !is_local(host),
            lines: Vec::new(),
        }
    }

    pub fn tokens(mut self, audience: Audience, access_token: &str, refresh_token: &str) -> Self {
        self.add(access(audience), access_token, MAX_AGE_SECONDS, "; HttpOnly");
        self.add(refresh(audience), refresh_token, MAX_AGE_SECONDS, "; HttpOnly");
        self
    }

    /// A sign-out does not clear this cookie, because it serves the next sign-in.
    pub fn device(mut self, audience: Audience, value: &str) -> Self {
        self.add(device(audience), value, DEVICE_MAX_AGE_SECONDS, "; HttpOnly");
        self
    }

    pub fn csrf(mut self, token: &str) -> Self {
        self.add(CSRF, token, MAX_AGE_SECONDS, "");
        self
    }

    pub fn forget(mut self, audience: Audience) -> Self {
        self.add(access(audience), "", 0, "; HttpOnly");
        self.add(refresh(audience), "", 0, "; HttpOnly");
        self.add(CSRF, "", 0, "");
        self
    }

    fn add(&mut self, name: &str, value: &str, max_age_seconds: u32, http_only: &str) {
        let secure = if self.secure { "; Secure" } else { "" };
        let line =
            format!("{name}={value}; Path=/; Max-Age={max_age_seconds}; SameSite=Lax{http_only}{secure}");
        self.lines.push(line);
    }

    pub fn into_headers(self) -> HeaderMap {
        let values = self
            .lines
            .iter()
            .filter_map(|line| HeaderValue::from_str(line).ok());
        values.map(|value| (header::SET_COOKIE, value)).fold(
            HeaderMap::new(),
            |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            },
        )
    }
}
