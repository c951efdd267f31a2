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
    /// `RAZAO_PUBLIC_PORT`: the port in the links of e-mails, if it is not that of the scheme. In development it is by
    /// default the port of `RAZAO_ADDR`.
    pub public_port: Option<u16>,
    /// In development, a loopback address that is on no list is the seller panel.
    loopback_is_seller: bool,
}

/// The address of a panel for links that outlive the request, as in e-mails. The configuration alone gives the scheme,
/// the host and the port: a caller chooses the `Host` header of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PanelAddress {
    /// The host is listed, or the panel's first one is taken.
    Listed(String),
    /// The host matches a pattern such as `*.example.com`. It is an address of the platform only if a tenant has the
    /// label, because another subdomain may be served by someone else.
    OfTenant {
        label: String,
        url: String,
        /// The panel's first host.
        otherwise: String,
    },
}

impl Hosts {
    /// `listening_port` is that of `RAZAO_ADDR`; 0 if the system chooses one.
    pub(super) fn read(variables: &mut Variables<'_>, listening_port: u16) -> Self {
        let public_port = variables.optional("RAZAO_PUBLIC_PORT", |text| {
            read_port(text).ok_or_else(|| "is not a port from 1 to 65535".to_owned())
        });
        let own_port = (!variables.production() && listening_port != 0).then_some(listening_port);
        let mut hosts = Self {
            public_port: public_port.or(own_port),
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

    /// The name of the first host of the seller panel, if there is one.
    pub fn first_seller(&self) -> &str {
        self.seller.first().map_or("localhost", HostPattern::name)
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
    /// The panel's address for links that outlive a request to this host.
    pub fn address(&self, panel: Panel, host: &str) -> PanelAddress {
        let otherwise = self.url(panel);
        let Some(Host { name, .. }) = Host::read(host) else {
            return PanelAddress::Listed(otherwise);
        };
        let patterns = self.patterns(panel);
        if patterns.contains(&HostPattern::Exact(name.clone())) {
            return PanelAddress::Listed(self.url_of(&name));
        }
        let label = patterns.iter().find_map(|pattern| match pattern {
            HostPattern::Subdomains(suffix) => name.strip_suffix(suffix.as_str()),
            HostPattern::Exact(_) => None,
        });
        match label.filter(|label| !label.is_empty() && !label.contains('.')) {
            Some(label) => PanelAddress::OfTenant {
                label: label.to_owned(),
                url: self.url_of(&name),
                otherwise,
            },
            None => PanelAddress::Listed(otherwise),
        }
    }

    /// The URL of a panel, such as that of the seller panel for links that staff send. It uses the first exact host of
    /// the panel's list. If all are patterns, the first gets the panel's usual label.
    pub fn url(&self, panel: Panel) -> String {
        let patterns = self.patterns(panel);
        let exact = |pattern: &&HostPattern| matches!(pattern, HostPattern::Exact(_));
        let first = patterns.iter().find(exact).or_else(|| patterns.first());
        match first {
            Some(HostPattern::Exact(name)) => self.url_of(name),
            Some(HostPattern::Subdomains(suffix)) => {
                let label = match panel {
                    Panel::Seller => "painel",
                    Panel::Admin => "admin",
                };
                self.url_of(&format!("{label}{suffix}"))
            }
            // `read` refuses an empty list.
            None => self.url_of("localhost"),
        }
    }

    /// The URL of the boletos' pages, for links on the panel with this URL.
    pub fn boleto_url(&self, panel: Panel, url: &str) -> String {
        match (&self.boletos, panel) {
            (Some(name), _) => self.url_of(name),
            (None, Panel::Seller) => url.to_owned(),
            (None, Panel::Admin) => self.url(Panel::Seller),
        }
    }

    fn patterns(&self, panel: Panel) -> &[HostPattern] {
        match panel {
            Panel::Seller => &self.seller,
            Panel::Admin => &self.admin,
        }
    }

    /// The URL of a host of the configuration. It uses TLS except on this machine.
    fn url_of(&self, name: &str) -> String {
        let scheme = if is_local(name) { "http" } else { "https" };
        match self.public_port {
            Some(port) => format!("{scheme}://{name}:{port}"),
            None => format!("{scheme}://{name}"),
        }
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

/// The URL by which a request with this `Host` header reached the panel, to compare it with the page that sent it. Never
/// use it in a link: see `Hosts::address`. It uses TLS except on this machine. Only a local URL has a port, because
/// elsewhere the port may belong to a proxy.
pub fn requested_url(host: &str) -> Option<String> {
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
            public_port: None,
            loopback_is_seller: true,
        }
    }

    #[test]
    fn requested_urls_use_tls_except_on_this_machine_and_only_local_ones_have_ports() {
        for (host, url) in [
            ("Painel.Example", "https://painel.example"),
            ("painel.example:8443", "https://painel.example"),
            ("localhost:8080", "http://localhost:8080"),
            ("admin.localhost", "http://admin.localhost"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(requested_url(host).as_deref(), Some(url));
        }
    }

    #[test]
    fn links_have_the_scheme_the_host_and_the_port_of_the_configuration() {
        let url = |listed: &[&str], port: Option<u16>, host: &str| {
            let hosts = Hosts {
                public_port: port,
                ..hosts(listed)
            };
            hosts.address(Panel::Seller, host)
        };
        let local = ["localhost", "seller.localhost"];
        let port = Some(8080);
        for host in [
            "localhost",
            "localhost:6666",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "[::1]:8080",
        ] {
            let expected = PanelAddress::Listed("http://localhost:8080".to_owned());
            assert_eq!(url(&local, port, host), expected, "{host}");
        }
        let seller = PanelAddress::Listed("http://seller.localhost:8080".to_owned());
        assert_eq!(url(&local, port, "seller.localhost:1"), seller);
        let listed = ["*.razao.example", "app.razao.example"];
        for (port, expected) in [
            (None, "https://app.razao.example"),
            (Some(8443), "https://app.razao.example:8443"),
        ] {
            for host in [
                "app.razao.example:6666",
                "app.razao.example",
                "a.b.razao.example",
                "outro.example",
            ] {
                assert_eq!(
                    url(&listed, port, host),
                    PanelAddress::Listed(expected.to_owned()),
                    "{host}"
                );
            }
        }
        // A subdomain needs a tenant of its label.
        assert_eq!(
            url(&listed, None, "Lojas.razao.example:81"),
            PanelAddress::OfTenant {
                label: "lojas".to_owned(),
                url: "https://lojas.razao.example".to_owned(),
                otherwise: "https://app.razao.example".to_owned(),
            }
        );
    }

    #[test]
    fn e_mails_from_staff_link_sellers_to_the_first_exact_host_of_their_panel() {
        let url = |listed: &[&str]| hosts(listed).url(Panel::Seller);
        assert_eq!(url(&["localhost", "seller.localhost"]), "http://localhost");
        assert_eq!(
            url(&["*.razao.example", "app.razao.example"]),
            "https://app.razao.example"
        );
        assert_eq!(url(&["*.razao.example"]), "https://painel.razao.example");
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
            assert_eq!((requested_url(text), is_local(text)), (None, false));
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
