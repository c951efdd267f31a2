//! Tests of valid and invalid variables, and that all errors are reported at once.

mod acquirers;
mod secrets;

use std::collections::HashMap;
use std::time::Duration;

use ledger_domain::Cents;
use ledger_domain::business::Approvals;
use ledger_domain::sale::Provider;

use super::{
    AcquirerContract, Config, ConfigFaults, Environment, MailTransport, Panel, PayoutProvider, Purpose,
    RefundProvider, Secret, TerminalProvider, TrustedProxies,
};

/// Contracts of four kinds: with an account and a seller, with payouts, with a key alone, and at the sandbox only.
pub(super) const CONTRACTS: [AcquirerContract; 4] = [
    AcquirerContract {
        account: true,
        seller: true,
        ..contract(Provider::Zoop)
    },
    AcquirerContract {
        account: true,
        signing_key: true,
        pays_out: true,
        ..contract(Provider::Iugu)
    },
    contract(Provider::Barte),
    AcquirerContract {
        public: false,
        ..contract(Provider::Valori)
    },
];

const fn contract(provider: Provider) -> AcquirerContract {
    AcquirerContract {
        provider,
        public: true,
        account: false,
        seller: false,
        signing_key: false,
        pays_out: false,
    }
}

const KEY: &str = "4242424242424242424242424242424242424242424242424242424242424242";

/// A later value of a variable replaces an earlier one.
fn read(variables: &[(&str, &str)]) -> Result<Config, ConfigFaults> {
    let given: HashMap<&str, &str> = variables.iter().copied().collect();
    Config::read(&CONTRACTS, |name| {
        given.get(name).map(|value| (*value).to_owned())
    })
}

/// All variables that production requires.
const PRODUCTION: [(&str, &str); 10] = [
    ("RAZAO_ENV", "production"),
    ("DATABASE_URL", "postgres://razao:s3cret-word@db.internal/razao"),
    ("RAZAO_SELLER_HOSTS", "app.pagamentos.example"),
    ("RAZAO_ADMIN_HOSTS", "staff.pagamentos.example"),
    ("RAZAO_SMTP_URL", "smtps://razao:s3cret-word@smtp.internal:465"),
    ("RAZAO_MAIL_FROM", "Pagamentos <nao-responda@pagamentos.example>"),
    ("RAZAO_KEY_JWT", KEY),
    ("RAZAO_KEY_REFRESH", KEY),
    ("RAZAO_KEY_CHECKPOINT", KEY),
    // The namespace of the ids of providers' sales.
    ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
];

/// Two bytes of `KEY` (0x42) as a list of numbers.
const KEY_BYTES_PRINTED: &str = "66, 66";

fn faults(variables: &[(&str, &str)]) -> Vec<String> {
    read(variables).expect_err("faults").0
}

/// The names of the faulty variables, in the order in which they are read.
fn faulty(variables: &[(&str, &str)]) -> Vec<String> {
    let faults = faults(variables);
    let names = faults.iter().filter_map(|fault| fault.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn a_misspelled_variable_is_refused_with_the_nearest_name() {
    let refused = Config::read_all(&[
        ("RAZAO_KEY_SALES", PRODUCTION[9].1),
        ("RAZAO_DATA", "/dev/null/data"),
        ("RAZAO_KEY_JWT", KEY),
        ("RAZAO_KEY_REFRESH", KEY),
        ("RAZAO_KEY_CHECKPOINT", KEY),
        ("RAZAO_PAYOUT", "none"),
        ("RAZAO_LOG", "warn"),
        ("RAZAO_E2E_URL", "http://localhost:8080"),
        ("HOME", "/root"),
    ]);
    assert_eq!(
        refused.expect_err("a fault").0,
        ["RAZAO_PAYOUT is not a variable of this program: is RAZAO_PAYOUTS meant?"]
    );
}

/// The names in backquotes in the comments of the configuration's fields. A list of names that depend on the
/// configuration has no backquote at its end (`RAZAO_ACQUIRER_<NAME>_KEY`).
#[test]
fn every_documented_variable_is_known_in_development_and_in_production() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/config");
    let mut documented = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(path).expect("a file in UTF-8");
            let comments = text.lines().filter(|line| line.trim_start().starts_with("///"));
            for comment in comments {
                documented.extend(comment.split('`').filter(|word| is_name(word)).map(str::to_owned));
            }
        }
    }
    assert!(documented.len() > 30, "{documented:?}");
    for environment in ["development", "production"] {
        // A value that no variable takes, so that each of them is a fault of its own; an unknown one says so.
        let mut set: Vec<(&str, &str)> = documented.iter().map(|name| (name.as_str(), "\u{1}")).collect();
        set.retain(|(name, _)| !["RAZAO_ENV", "RAZAO_DATA"].contains(name));
        set.extend([("RAZAO_ENV", environment), ("RAZAO_DATA", "/dev/null/data")]);
        let faults = Config::read_all(&set).expect_err("faults").0;
        let unknown: Vec<_> = faults
            .iter()
            .filter(|fault| fault.contains("not a variable"))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with("RAZAO_")
        && !word.ends_with('_')
        && word
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

#[test]
fn a_complete_production_is_valid_and_prints_no_secret() {
    let config = read(&PRODUCTION).expect("a valid configuration");
    assert_eq!(config.environment, Environment::Production);
    let printed = format!("{config:?}");
    assert!(
        !printed.contains("s3cret-word")
            && !printed.contains("5f6e7a52")
            && !printed.contains(KEY_BYTES_PRINTED),
        "{printed}"
    );
    assert_eq!(format!("{:?}", Secret::new("x")), "(secret)");
}

#[test]
fn production_lists_every_fault_at_once() {
    let mut named = faulty(&[
        ("RAZAO_ENV", "production"),
        ("RAZAO_ADDR", "everywhere"),
        ("RAZAO_NOW", "2026-11-21T12:00:00-03:00"),
    ]);
    let required = PRODUCTION[1..].iter().map(|(name, _)| *name);
    let mut expected: Vec<&str> = required.chain(["RAZAO_ADDR", "RAZAO_NOW"]).collect();
    named.sort_unstable();
    expected.sort_unstable();
    assert_eq!(named, expected);
}

#[test]
fn a_build_without_development_parts_needs_the_environment() {
    let read = |variables: &[(&str, &str)]| {
        let given: HashMap<&str, &str> = variables.iter().copied().collect();
        Config::read_with_default(
            (None, Purpose::Service),
            &CONTRACTS,
            |name| given.get(name).map(|value| (*value).to_owned()),
            vec![],
        )
    };
    assert_eq!(
        read(&PRODUCTION).expect("a valid configuration").environment,
        Environment::Production
    );
    let forgotten = read(&PRODUCTION[1..]).expect_err("RAZAO_ENV is missing").0;
    assert_eq!(
        forgotten,
        ["RAZAO_ENV is not set, and this build has no development parts: set it to production"]
    );
    // It is checked like production: no key is generated, and every other fault is listed too.
    let faults = read(&[]).expect_err("everything is missing").0;
    assert_eq!(faults.len(), PRODUCTION.len(), "{faults:?}");
}

#[test]
fn an_unknown_environment_is_checked_like_production() {
    let named = faulty(&[("RAZAO_ENV", "staging")]);
    assert_eq!(named[0], "RAZAO_ENV");
    assert_eq!(named.len(), PRODUCTION.len(), "{named:?}");
}

#[test]
fn production_refuses_local_hosts_and_weak_secrets_without_repeating_them() {
    let mut variables = PRODUCTION.to_vec();
    variables.extend([
        ("RAZAO_SELLER_HOSTS", "localhost"),
        ("RAZAO_PROVIDER_ZOOP_SECRETS", "weak"),
        ("RAZAO_KEY_JWT", "weak"),
    ]);
    assert_eq!(
        faulty(&variables),
        [
            "RAZAO_KEY_JWT",
            "RAZAO_SELLER_HOSTS",
            "RAZAO_PROVIDER_ZOOP_SECRETS"
        ]
    );
    let weak = faults(&variables);
    assert!(weak.iter().all(|fault| !fault.contains("weak")), "{weak:?}");
    let no_host = [&PRODUCTION[..], &[("RAZAO_SELLER_HOSTS", ",")]].concat();
    assert_eq!(faults(&no_host), ["RAZAO_SELLER_HOSTS names no host"]);
}

#[test]
fn a_host_is_on_one_list_only_and_an_exact_name_precedes_a_pattern() {
    let mut variables = PRODUCTION.to_vec();
    variables.extend([("RAZAO_SELLER_HOSTS", "*.pagamentos.example")]);
    let hosts = read(&variables).expect("a valid configuration").hosts;
    assert_eq!(hosts.panel("staff.pagamentos.example:443"), Some(Panel::Admin));
    assert_eq!(hosts.panel("loja.pagamentos.example"), Some(Panel::Seller));
    assert_eq!(hosts.panel("pagamentos.example"), None);
    assert_eq!(
        hosts.panel("127.0.0.1"),
        None,
        "loopback is a panel in development only"
    );
    variables.extend([("RAZAO_SELLER_HOSTS", "staff.pagamentos.example")]);
    assert_eq!(faulty(&variables), ["RAZAO_ADMIN_HOSTS"]);
    variables.extend([
        ("RAZAO_SELLER_HOSTS", "loja.pagamentos.example"),
        ("RAZAO_ADMIN_HOSTS", "*.pagamentos.example"),
    ]);
    let hosts = read(&variables).expect("a valid configuration").hosts;
    assert_eq!(hosts.panel("loja.pagamentos.example"), Some(Panel::Seller));
    assert_eq!(hosts.panel("staff.pagamentos.example"), Some(Panel::Admin));
}

#[test]
fn boletos_are_on_the_sellers_host_unless_another_one_is_set() {
    let mut variables = PRODUCTION.to_vec();
    variables.extend([(
        "RAZAO_SELLER_HOSTS",
        "painel.pagamentos.example,boleto.pagamentos.example",
    )]);
    let of_staff = "https://staff.pagamentos.example";
    let hosts = read(&variables).expect("a valid configuration").hosts;
    assert_eq!(
        hosts.boleto_url(Panel::Seller, "https://painel.pagamentos.example"),
        "https://painel.pagamentos.example"
    );
    assert_eq!(
        hosts.boleto_url(Panel::Admin, of_staff),
        "https://painel.pagamentos.example"
    );
    variables.extend([("RAZAO_BOLETO_HOST", "boleto.pagamentos.example")]);
    let hosts = read(&variables).expect("a valid configuration").hosts;
    assert_eq!(
        hosts.boleto_url(Panel::Admin, of_staff),
        "https://boleto.pagamentos.example"
    );
    // A host of the admin panel, and one that is on no list, are refused.
    for foreign in ["staff.pagamentos.example", "boleto.example"] {
        variables.extend([("RAZAO_BOLETO_HOST", foreign)]);
        assert_eq!(faulty(&variables), ["RAZAO_BOLETO_HOST"], "{foreign}");
    }
}

#[test]
fn a_forwarded_address_counts_only_as_far_as_the_proxies_are_trusted() {
    let proxies: TrustedProxies = "10.0.0.0/8, 192.168.1.1".parse().expect("proxies");
    let address = |text: &str| text.parse().expect("an address");
    let client = |peer: &str, header: &str| proxies.client(address(peer), header.rsplit(',')).to_string();
    assert_eq!(client("10.1.2.3", "203.0.113.9"), "203.0.113.9");
    assert_eq!(
        client("10.1.2.3", "1.1.1.1, 203.0.113.9, 192.168.1.1"),
        "203.0.113.9"
    );
    assert_eq!(
        client("203.0.113.9", "1.1.1.1"),
        "203.0.113.9",
        "an untrusted client can forge the header"
    );
    assert_eq!(client("10.1.2.3", "not an address"), "10.1.2.3");
    assert!("10.0.0.0/33".parse::<TrustedProxies>().is_err());
}

#[test]
fn payouts_go_to_the_sandbox_in_development_and_are_manual_in_production() {
    // The keys are set, so that none are generated in the source folder.
    let development = |more: &[(&'static str, &'static str)]| {
        let mut variables = PRODUCTION.to_vec();
        variables.retain(|(name, _)| *name != "RAZAO_ENV");
        variables.extend(more);
        read(&variables).expect("a valid configuration").withdrawals
    };
    let usual = development(&[]);
    assert_eq!(usual.payouts, Some(PayoutProvider::Sandbox));
    assert_eq!(usual.approvals, Approvals::One);
    let by_hand = development(&[("RAZAO_PAYOUTS", "none"), ("RAZAO_WITHDRAWAL_APPROVALS", "2")]);
    assert_eq!((by_hand.payouts, by_hand.approvals), (None, Approvals::Two));
    let production = read(&PRODUCTION).expect("a valid configuration").withdrawals;
    assert_eq!(production.payouts, None);
    let by_acquirer = development(&[("RAZAO_PAYOUTS", "iugu")]);
    assert_eq!(
        by_acquirer.payouts,
        Some(PayoutProvider::Acquirer(Provider::Iugu))
    );
    let mut variables = PRODUCTION.to_vec();
    variables.extend([
        ("RAZAO_PAYOUTS", "sandbox"),
        ("RAZAO_WITHDRAWAL_APPROVALS", "3"),
        ("RAZAO_PAYOUT_TIMEOUT_MS", "0"),
    ]);
    assert_eq!(
        faulty(&variables),
        [
            "RAZAO_WITHDRAWAL_APPROVALS",
            "RAZAO_PAYOUTS",
            "RAZAO_PAYOUT_TIMEOUT_MS"
        ]
    );
}

#[test]
fn an_acquirer_pays_out_only_with_an_address_and_a_signing_key_or_in_its_test_mode() {
    const IUGU: [(&str, &str); 4] = [
        ("RAZAO_ACQUIRER_IUGU_URL", "https://api.iugu.com/v1"),
        ("RAZAO_ACQUIRER_IUGU_KEY", "s3cret-word"),
        ("RAZAO_ACQUIRER_IUGU_ACCOUNT", "account"),
        (
            "RAZAO_ACQUIRER_IUGU_NOTICE_SECRETS",
            "5f6e7a523c1d4b8e9a702d1f0c4b6e81",
        ),
    ];
    let with = |more: &[(&'static str, &'static str)]| [&PRODUCTION, more].concat();
    let payouts = ("RAZAO_PAYOUTS", "iugu");
    assert_eq!(
        faults(&with(&[payouts])),
        ["RAZAO_PAYOUTS names an acquirer that has no address"]
    );
    assert_eq!(
        faults(&with(&[&[payouts], &IUGU[..]].concat())),
        ["RAZAO_PAYOUTS needs the acquirer's signing key"]
    );
    for more in [
        ("RAZAO_ACQUIRER_IUGU_SIGNING_KEY", "s3cret-word"),
        ("RAZAO_ACQUIRER_IUGU_TEST", "yes"),
    ] {
        let config = read(&with(&[&[payouts, more], &IUGU[..]].concat())).expect("a valid configuration");
        assert_eq!(
            config.withdrawals.payouts,
            Some(PayoutProvider::Acquirer(Provider::Iugu))
        );
        assert!(!format!("{config:?}").contains("s3cret-word"));
    }
    // Barte's contract has no signing key.
    let signing_key_of_barte = [
        ("RAZAO_ACQUIRER_BARTE_URL", "https://api.barte.com"),
        ("RAZAO_ACQUIRER_BARTE_KEY", "key"),
        ("RAZAO_ACQUIRER_BARTE_SIGNING_KEY", "key"),
        (
            "RAZAO_ACQUIRER_BARTE_NOTICE_SECRETS",
            "5f6e7a523c1d4b8e9a702d1f0c4b6e81",
        ),
    ];
    assert_eq!(
        faulty(&with(&signing_key_of_barte)),
        ["RAZAO_ACQUIRER_BARTE_SIGNING_KEY"]
    );
}

#[test]
fn refunds_and_terminals_use_the_sandbox_in_development_only_and_a_rental_is_never_free() {
    let config = read(&PRODUCTION).expect("a valid configuration");
    assert_eq!(config.refunds.provider, None);
    assert_eq!(config.terminals.provider, None);
    assert_eq!(config.terminal_rental, Cents::new(49_90));
    let mut variables = PRODUCTION.to_vec();
    variables.push(("RAZAO_TERMINAL_RENTAL_CENTS", "7990"));
    assert_eq!(
        read(&variables).expect("a valid configuration").terminal_rental,
        Cents::new(79_90)
    );
    variables.extend([
        ("RAZAO_REFUNDS", "sandbox"),
        ("RAZAO_REFUND_TIMEOUT_MS", "never"),
        ("RAZAO_REFUND_LATE_MINUTES", "0"),
        ("RAZAO_ORDER_LATE_MINUTES", "0"),
        ("RAZAO_TERMINAL_RENTAL_CENTS", "0"),
        ("RAZAO_TERMINALS", "sandbox"),
        ("RAZAO_TERMINAL_TIMEOUT_MS", "0"),
    ]);
    assert_eq!(
        faulty(&variables),
        [
            "RAZAO_ORDER_LATE_MINUTES",
            "RAZAO_REFUNDS",
            "RAZAO_REFUND_TIMEOUT_MS",
            "RAZAO_REFUND_LATE_MINUTES",
            "RAZAO_TERMINALS",
            "RAZAO_TERMINAL_TIMEOUT_MS",
            "RAZAO_TERMINAL_RENTAL_CENTS",
        ]
    );
    variables[0] = ("RAZAO_ENV", "development");
    variables.retain(|(name, _)| {
        !name.ends_with("_MS") && !name.ends_with("_MINUTES") && !name.ends_with("_CENTS")
    });
    let development = read(&variables).expect("a valid configuration");
    assert_eq!(development.refunds.provider, Some(RefundProvider::Sandbox));
    assert_eq!(development.terminals.provider, Some(TerminalProvider::Sandbox));
}

#[test]
fn e_mails_go_to_a_folder_in_development_only_and_never_unencrypted_over_a_network() {
    let mut variables = PRODUCTION.to_vec();
    variables.retain(|(name, _)| !["RAZAO_ENV", "RAZAO_SMTP_URL", "RAZAO_MAIL_FROM"].contains(name));
    let mail = read(&variables).expect("a valid configuration").mail;
    assert!(
        matches!(&*mail.transport.get(), MailTransport::Folder(folder) if folder.ends_with(".data/outbox"))
    );
    assert_eq!(mail.from.email.to_string(), "nao-responda@exemplo.com.br");

    let mut folder = PRODUCTION.to_vec();
    folder.push(("RAZAO_MAIL_FOLDER", "/var/outbox"));
    assert_eq!(faulty(&folder), ["RAZAO_MAIL_FOLDER"]);

    let with = |url: &'static str| {
        let mut variables = PRODUCTION.to_vec();
        variables.push(("RAZAO_SMTP_URL", url));
        read(&variables).map(|config| config.mail)
    };
    for valid in [
        "smtps://u:s3cret-word@smtp.example",
        "smtp://u:s3cret-word@smtp.example:587?tls=required",
        "smtp://127.0.0.1:2525",
        "smtp://localhost:25",
    ] {
        let mail = with(valid).expect(valid);
        assert!(!format!("{mail:?}").contains("s3cret-word"));
    }
    for wrong in [
        "smtp://u:s3cret-word@smtp.example",
        "smtp://u:s3cret-word@smtp.example?tls=opportunistic",
        "https://u:s3cret-word@smtp.example",
        "s3cret-word",
    ] {
        let faults = with(wrong).expect_err(wrong).0;
        assert!(
            faults.len() == 1
                && faults[0].starts_with("RAZAO_SMTP_URL")
                && !faults[0].contains("s3cret-word"),
            "{faults:?}"
        );
    }
}

#[test]
fn http_limits_are_settings_and_the_request_limit_is_at_least_the_body_limit() {
    let limits = read(&PRODUCTION).expect("a valid configuration").server.limits;
    assert!(limits.header < limits.body && limits.body < limits.request);
    let mut variables = PRODUCTION.to_vec();
    variables.extend([("RAZAO_HTTP_BODY_MS", "2000"), ("RAZAO_HTTP_CONNECTIONS", "7")]);
    let limits = read(&variables).expect("a valid configuration").server.limits;
    assert_eq!((limits.body, limits.connections), (Duration::from_secs(2), 7));
    variables.extend([
        ("RAZAO_HTTP_REQUEST_MS", "1999"),
        ("RAZAO_HTTP_HEADER_MS", "0"),
        ("RAZAO_HTTP_IDLE_MS", "never"),
        ("RAZAO_HTTP_CONNECTIONS", "0"),
    ]);
    assert_eq!(
        faulty(&variables),
        [
            "RAZAO_HTTP_HEADER_MS",
            "RAZAO_HTTP_IDLE_MS",
            "RAZAO_HTTP_CONNECTIONS",
            "RAZAO_HTTP_REQUEST_MS",
        ]
    );
}

#[test]
fn links_have_the_port_of_the_development_gateway_or_the_given_one() {
    let url = |variables: &[(&'static str, &'static str)]| {
        let config = read(variables).expect("a valid configuration");
        config.hosts.url(Panel::Seller)
    };
    let production = |more: &[(&'static str, &'static str)]| [&PRODUCTION[..], more].concat();
    // With keys, so that none are generated in a folder of this crate.
    let development = |more: &[(&'static str, &'static str)]| {
        let keys = PRODUCTION
            .iter()
            .filter(|(name, _)| name.starts_with("RAZAO_KEY_"));
        keys.chain(more).copied().collect::<Vec<_>>()
    };
    assert_eq!(url(&development(&[])), "http://localhost:8080");
    let other = development(&[("RAZAO_ADDR", "127.0.0.1:9000")]);
    assert_eq!(url(&other), "http://localhost:9000");
    let both = development(&[("RAZAO_ADDR", "127.0.0.1:9000"), ("RAZAO_PUBLIC_PORT", "80")]);
    assert_eq!(url(&both), "http://localhost:80");
    assert_eq!(url(&production(&[])), "https://app.pagamentos.example");
    let public = production(&[("RAZAO_PUBLIC_PORT", "8443")]);
    assert_eq!(url(&public), "https://app.pagamentos.example:8443");
    assert_eq!(
        faulty(&production(&[("RAZAO_PUBLIC_PORT", "0")])),
        ["RAZAO_PUBLIC_PORT"]
    );
}
