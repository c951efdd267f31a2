//! The cookies of a session: reads them from a request, sets and clears them on an answer. Scripts cannot read the
//! token cookies. They can read the CSRF cookie, because they must send it back in a header.

use axum::http::header::{COOKIE, HOST};
use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use gateway_environment::config::is_local;
use gateway_identity::audience::Audience;
use gateway_identity::sessions::Tokens;
use gateway_identity::sessions::devices::Devices;

pub const CSRF: &str = "csrf_token";
pub const CURRENT_BUSINESS: &str = "current_business";

/// The lifetime of the token cookies in the specification.
const MAX_AGE: Duration = Duration::days(30);

/// The longest time that browsers keep a cookie (RFC 6265bis, 5.5).
const DEVICE_MAX_AGE: Duration = Duration::days(400);

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
    let cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies
        .filter(move |cookie| cookie.name() == name)
        .filter_map(|cookie| Some(cookie.value_raw()?.trim_matches('"')))
}

/// The devices in the browser's cookies.
pub fn devices(tokens: &Tokens, audience: Audience, headers: &HeaderMap) -> Devices {
    Devices::from_cookies(tokens, audience, read_all(headers, device(audience)))
}

/// Whether the scripts of a page can read a cookie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scripts {
    CanRead,
    CannotRead,
}

/// The cookies that an answer sets or clears.
pub struct SetCookies {
    secure: bool,
    cookies: Vec<Cookie<'static>>,
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
            cookies: Vec::new(),
        }
    }

    pub fn tokens(mut self, audience: Audience, access_token: &str, refresh_token: &str) -> Self {
        self.add(access(audience), access_token, MAX_AGE, Scripts::CannotRead);
        self.add(refresh(audience), refresh_token, MAX_AGE, Scripts::CannotRead);
        self
    }

    /// A sign-out does not clear this cookie, because it serves the next sign-in.
    pub fn device(mut self, audience: Audience, value: &str) -> Self {
        self.add(device(audience), value, DEVICE_MAX_AGE, Scripts::CannotRead);
        self
    }

    pub fn csrf(mut self, token: &str) -> Self {
        self.add(CSRF, token, MAX_AGE, Scripts::CanRead);
        self
    }

    pub fn forget(mut self, audience: Audience) -> Self {
        self.add(access(audience), "", Duration::ZERO, Scripts::CannotRead);
        self.add(refresh(audience), "", Duration::ZERO, Scripts::CannotRead);
        self.add(CSRF, "", Duration::ZERO, Scripts::CanRead);
        self
    }

    fn add(&mut self, name: &'static str, value: &str, max_age: Duration, scripts: Scripts) {
        let cookie = Cookie::build((name, value.to_owned()))
            .path("/")
            .max_age(max_age)
            .same_site(SameSite::Lax)
            .http_only(scripts == Scripts::CannotRead)
            .secure(self.secure);
        self.cookies.push(cookie.build());
    }

    pub fn into_headers(self) -> HeaderMap {
        let values = self
            .cookies
            .iter()
            .filter_map(|cookie| HeaderValue::from_str(&cookie.to_string()).ok());
        values.map(|value| (header::SET_COOKIE, value)).fold(
            HeaderMap::new(),
            |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            },
        )
    }
}
