//! The host names of the seller panel and of the admin panel.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Variables;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Panel {
    Seller,
    Admin,
}

impl Panel {
    pub const ALL: &'static [Self] = &[Self::Seller, Self::Admin];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seller => "seller",
            Self::Admin => "admin",
        }
    }
}

/// `admin.example.com`, or `*.example.com` for every name below `example.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPattern {
    Exact(String),
    Subdomains(String),
}

impl HostPattern {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.to_ascii_lowercase();
        let (name, below) = match text.strip_prefix("*.") {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        if !name.split('.').all(is_label) {
            return Err("holds something that is not a host name or *.domain".to_owned());
        }
        Ok(if below {
            Self::Subdomains(format!(".{name}"))
        } else {
            Self::Exact(name.to_owned())
        })
    }

    fn matches(&self, host: &str) -> bool {
        match self {
            Self::Exact(name) => host == name,
            Self::Subdomains(suffix) => host.len() > suffix.len() && host.ends_with(suffix.as_str()),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Exact(name) => name,
            Self::Subdomains(suffix) => suffix.trim_start_matches('.'),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Hosts {
    /// `RAZAO_SELLER_HOSTS`, comma separated; `localhost,seller.localhost` in development.
    pub seller: Vec<HostPattern>,
    /// `RAZAO_ADMIN_HOSTS`, comma separated; `admin.localhost` in development.
    pub admin: Vec<HostPattern>,
    /// `RAZAO_BOLETO_HOST`, such as `boleto.example.com`: the host of the boletos' pages. It must be a host of the
    /// seller panel. Without it, boletos are on the seller panel's own host.
    pub boletos: Option<String>,
    /// In development, a loopback address that is on no list is the seller panel.
    loopback_is_seller: bool,
}

impl Hosts {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        let mut hosts = Self {
            boletos: None,
            seller: read_list(
                variables,
                "RAZAO_SELLER_HOSTS",
                &["localhost", "seller.localhost"],
            ),
            admin: read_list(variables, "RAZAO_ADMIN_HOSTS", &["admin.localhost"]),
            loopback_is_seller: !variables.production(),
        };
        if hosts.seller.iter().any(|pattern| hosts.admin.contains(pattern)) {
            variables.fault(
                "RAZAO_ADMIN_HOSTS",
                "names a host that RAZAO_SELLER_HOSTS names too",
            );
        }
        hosts.boletos = variables.optional("RAZAO_BOLETO_HOST", |text| match hosts.panel(text) {
            Some(Panel::Seller) => Ok(text.to_ascii_lowercase()),
            _ => Err("is not a host of RAZAO_SELLER_HOSTS".to_owned()),
        });
        hosts
    }

    /// The panel of a `Host` header, which may have a port. An exact name takes precedence over a pattern, so that
    /// `admin.example.com` can be used together with `*.example.com`. An invalid host name has no panel, whatever its
    /// suffix: links in e-mails are built from it.
    pub fn panel(&self, host: &str) -> Option<Panel> {
        let host = Host::read(host)?.name;
        let lists = [(Panel::Admin, &self.admin), (Panel::Seller, &self.seller)];
        let found = |exact: bool| {
            lists.iter().find_map(|(panel, patterns)| {
                let mut of_kind = patterns
                    .iter()
                    .filter(|p| matches!(p, HostPattern::Exact(_)) == exact);
                of_kind.any(|pattern| pattern.matches(&host)).then_some(*panel)
            })
        };
        found(true)
            .or_else(|| found(false))
            .or_else(|| (self.loopback_is_seller && is_loopback(&host)).then_some(Panel::Seller))
    }
}

impl Hosts {
    /// The URL of the seller panel, for links that the admin panel shows or sends. It uses the first exact host of the
    /// seller's list. If all are patterns, the first gets the usual label `painel`.
    pub fn seller_url(&self, admin_url: &str) -> String {
        let exact = |pattern: &&HostPattern| matches!(pattern, HostPattern::Exact(_));
        let first = self.seller.iter().find(exact).or_else(|| self.seller.first());
        let name = match first {
            Some(HostPattern::Exact(name)) => name.clone(),
            Some(HostPattern::Subdomains(suffix)) => format!("painel{suffix}"),
            None => return admin_url.to_owned(),
        };
        // A local panel has the gateway's port.
        let host = admin_url.split_once("://").map_or(admin_url, |(_, host)| host);
        let port = Host::read(host).and_then(|host| host.port);
        let host = port.map_or_else(|| name.clone(), |port| format!("{name}:{port}"));
        panel_url(&host).unwrap_or_else(|| admin_url.to_owned())
    }
}

impl Hosts {
    /// The URL of the boletos' pages, for links on the panel with this URL.
    pub fn boleto_url(&self, panel: Panel, url: &str) -> String {
        let own = self.boletos.as_deref().and_then(panel_url);
        own.unwrap_or_else(|| match panel {
            Panel::Seller => url.to_owned(),
            Panel::Admin => self.seller_url(url),
        })
    }
}

fn read_list(variables: &mut Variables<'_>, name: &str, development: &[&str]) -> Vec<HostPattern> {
    let listed = variables.required_in_production(name, "the host names of the panel", |text| {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        let patterns: Vec<_> = names.map(HostPattern::parse).collect::<Result<_, _>>()?;
        if patterns.is_empty() {
            return Err("names no host".to_owned());
        }
        Ok(patterns)
    });
    let listed = listed.unwrap_or_default();
    if variables.production() && listed.iter().any(|pattern| is_local_name(pattern.name())) {
        variables.fault(name, "names localhost, which production must not use");
    }
    if listed.is_empty() && !variables.production() {
        return development
            .iter()
            .map(|name| HostPattern::Exact((*name).to_owned()))
            .collect();
    }
    listed
}

/// Whether only this machine reaches the host. Cookies for it need no TLS.
pub fn is_local(host: &str) -> bool {
    Host::read(host).is_some_and(|host| host.is_local())
}

/// The panel's URL of this `Host` header. It uses TLS except on this machine. Only a local URL has a port, because
/// elsewhere the port may belong to a proxy.
pub fn panel_url(host: &str) -> Option<String> {
    let host = Host::read(host)?;
    Some(match (host.is_local(), host.port) {
        (true, Some(port)) => format!("http://{}:{port}", host.name),
        (true, None) => format!("http://{}", host.name),
        (false, _) => format!("https://{}", host.name),
    })
}

/// The tenant's label: the first label of the host name. It is empty for local names, addresses and invalid hosts.
pub fn tenant_label(host: &str) -> String {
    let labeled = Host::read(host).filter(|host| !host.is_local() && !host.is_address());
    labeled
        .and_then(|host| host.name.split('.').next().map(str::to_owned))
        .unwrap_or_default()
}

/// A valid `Host` header: a name or an address, with or without a port.
struct Host {
    /// In lower case. An IPv6 address has brackets.
    name: String,
    port: Option<u16>,
}

impl Host {
    fn read(text: &str) -> Option<Self> {
        let name_ends = text
            .find(']')
            .map_or_else(|| text.find(':').unwrap_or(text.len()), |at| at + 1);
        let (name, rest) = text.split_at(name_ends);
        let name = name.to_ascii_lowercase();
        let valid = match name.strip_prefix('[') {
            Some(address) => address.strip_suffix(']')?.parse::<Ipv6Addr>().is_ok(),
            None => name.split('.').all(is_label),
        };
        let port = match rest.strip_prefix(':') {
            Some(digits) => Some(read_port(digits)?),
            None => None,
        };
        (valid && (rest.is_empty() || port.is_some())).then_some(Self { name, port })
    }

    fn is_local(&self) -> bool {
        is_local_name(&self.name) || is_loopback(&self.name)
    }

    fn is_address(&self) -> bool {
        self.name.starts_with('[') || self.name.parse::<Ipv4Addr>().is_ok()
    }
}

/// Only digits are allowed: `str::parse` would also accept a sign.
fn read_port(text: &str) -> Option<u16> {
    let digits = text.chars().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}

/// Whether this is a host name or an address, with or without a port.
pub fn is_host(text: &str) -> bool {
    Host::read(text).is_some()
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_local_name(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

fn is_loopback(host: &str) -> bool {
    host.trim_matches(['[', ']'])
        .parse::<IpAddr>()
        .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(seller: &[&str]) -> Hosts {
        let patterns = seller
            .iter()
            .map(|text| HostPattern::parse(text).expect("a pattern"));
        Hosts {
            seller: patterns.collect(),
            admin: vec![],
            boletos: None,
            loopback_is_seller: true,
        }
    }

    #[test]
    fn panel_urls_use_tls_except_on_this_machine_and_only_local_ones_have_ports() {
        for (host, url) in [
            ("Painel.Example", "https://painel.example"),
            ("painel.example:8443", "https://painel.example"),
            ("localhost:8080", "http://localhost:8080"),
            ("admin.localhost", "http://admin.localhost"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(panel_url(host).as_deref(), Some(url));
        }
    }

    #[test]
    fn e_mails_from_staff_link_sellers_to_the_first_exact_host_of_their_panel() {
        let local = hosts(&["localhost", "seller.localhost"]);
        assert_eq!(
            local.seller_url("http://admin.localhost:8080"),
            "http://localhost:8080"
        );
        let exact = hosts(&["*.razao.example", "app.razao.example"]);
        assert_eq!(
            exact.seller_url("https://admin.razao.example"),
            "https://app.razao.example"
        );
        let pattern = hosts(&["*.razao.example"]);
        assert_eq!(
            pattern.seller_url("https://admin.example"),
            "https://painel.razao.example"
        );
    }

    #[test]
    fn an_invalid_host_has_no_panel() {
        let hosts = hosts(&["localhost", "painel.example", "*.painel.example", "*.example"]);
        for text in [
            "",
            "evil.example/.painel.example",
            "evil.example?.painel.example",
            "ana@painel.example",
            "painel..example",
            "painel.example:",
            "painel.example:80:80",
            "localhost:@evil.example",
            "localhost:99999",
            "localhost:0",
            "localhost:+80",
            "localhost:-1",
            "localhost: 80",
            "localhost:8o",
            "[::1",
            "[::1].painel.example",
            "[painel.example]",
            "pãinel.example",
        ] {
            assert!(Host::read(text).is_none(), "{text}");
            assert_eq!((panel_url(text), is_local(text)), (None, false));
            assert_eq!(hosts.panel(text), None, "{text}");
        }
    }

    #[test]
    fn the_tenant_is_the_first_label_except_for_local_names_and_addresses() {
        for (host, label) in [
            ("Lojas.painel.example:443", "lojas"),
            ("painel.example", "painel"),
            ("localhost:8080", ""),
            ("lojas.localhost", ""),
            ("192.0.2.1", ""),
            ("[2001:db8::1]:80", ""),
            ("no host", ""),
        ] {
            assert_eq!(tenant_label(host), label, "{host}");
        }
    }
}
