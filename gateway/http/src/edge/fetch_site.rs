//! Detects requests that a page of another origin caused. A sign-out is a GET, so SameSite=Lax sends the session's
//! cookies when a foreign page links to it.

use axum::http::{HeaderMap, header};

/// Whether a page of another origin caused the request: another site, or another host of the platform. A typed or
/// bookmarked address has no such page.
pub fn is_from_elsewhere(headers: &HeaderMap, requested_url: &str) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").into_iter().peekable();
    if sites.peek().is_some() {
        return sites.any(|site| !matches!(site.as_bytes(), b"same-origin" | b"none"));
    }
    // Old browsers don't send Sec-Fetch-Site, but most send the page's address.
    [header::ORIGIN, header::REFERER].iter().any(|name| {
        let mut pages = headers.get_all(name).into_iter();
        pages.any(|page| !is_within(page.to_str().unwrap_or_default(), requested_url))
    })
}

fn is_within(page: &str, requested_url: &str) -> bool {
    let rest = page.strip_prefix(requested_url);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn requests_of_other_sites_are_recognized() {
        let ours = "https://painel.example";
        for (headers, elsewhere) in [
            (vec![], false),
            (vec![("sec-fetch-site", "same-origin")], false),
            (vec![("sec-fetch-site", "none")], false),
            (vec![("sec-fetch-site", "same-site")], true),
            (vec![("sec-fetch-site", "cross-site")], true),
            (vec![("sec-fetch-site", "")], true),
            (
                vec![("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")],
                true,
            ),
            (
                vec![("sec-fetch-site", "none"), ("referer", "https://evil.example/")],
                false,
            ),
            (vec![("referer", "https://painel.example/vendas?page=2")], false),
            (vec![("referer", "https://painel.example")], false),
            (vec![("referer", "https://painel.example.evil.example/")], true),
            (vec![("referer", "https://painel.example@evil.example/")], true),
            (vec![("referer", "http://painel.example/")], true),
            (vec![("referer", "https://evil.example/")], true),
            (vec![("origin", "null")], true),
            (vec![("origin", "https://painel.example")], false),
        ] {
            let lines = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            let mut map = HeaderMap::new();
            lines.for_each(|(name, value)| {
                map.append(name, value);
            });
            assert_eq!(is_from_elsewhere(&map, ours), elsewhere, "{headers:?}");
        }
    }
}
