//! Tests of the variables of acquirers that take payments online.

use std::time::Duration;

use ledger_domain::sale::Provider;

use super::super::AcquirerServer;
use super::{PRODUCTION, faults, faulty, read};

/// The variables of a development program. The keys are set, so that none are generated in the source folder.
fn development() -> Vec<(&'static str, &'static str)> {
    let mut variables = PRODUCTION.to_vec();
    variables[0] = ("RAZAO_ENV", "development");
    variables
}

const ZOOP: [(&str, &str); 5] = [
    ("RAZAO_ACQUIRER_ZOOP_URL", "https://api.zoop.ws/"),
    ("RAZAO_ACQUIRER_ZOOP_KEY", "zpk_prod_s3cret-word"),
    ("RAZAO_ACQUIRER_ZOOP_ACCOUNT", "mkt_01"),
    ("RAZAO_ACQUIRER_ZOOP_SELLER", "seller_01"),
    (
        "RAZAO_ACQUIRER_ZOOP_NOTICE_SECRETS",
        "current-s3cret-word-0123456789,previous_s3cret-word-0123456789",
    ),
];

#[test]
fn acquirers_are_the_sandbox_in_development_and_none_in_production() {
    let acquirers = read(&development()).expect("a valid configuration").acquirers;
    let names: Vec<&str> = acquirers
        .configured
        .iter()
        .map(|acquirer| acquirer.provider.slug())
        .collect();
    assert_eq!(names, ["zoop", "iugu", "barte", "valori"]);
    for acquirer in &acquirers.configured {
        assert!(
            acquirer.server == AcquirerServer::Sandbox && acquirer.test,
            "{acquirer:?}"
        );
        let secrets = acquirers.notice_secrets.get();
        let secret = secrets.current(acquirer.provider).expect("a secret");
        assert_ne!(secret, acquirer.key.get().reveal().as_bytes());
    }
    let production = read(&PRODUCTION).expect("a valid configuration").acquirers;
    assert!(production.configured.is_empty() && production.notice_url.is_none());
    assert!(production.notice_secrets.get().of(Provider::Zoop).is_empty());

    let mut alone = development();
    alone.extend([
        ("RAZAO_ACQUIRER_ZOOP_URL", "none"),
        ("RAZAO_ACQUIRER_IUGU_URL", "none"),
        ("RAZAO_ACQUIRER_BARTE_URL", "sandbox"),
        ("RAZAO_ACQUIRER_BARTE_TIMEOUT_MS", "250"),
        ("RAZAO_ACQUIRER_VALORI_URL", "none"),
    ]);
    let acquirers = read(&alone).expect("a valid configuration").acquirers;
    assert_eq!(acquirers.configured.len(), 1);
    assert_eq!(
        acquirers.of(Provider::Barte).map(|barte| barte.timeout),
        Some(Duration::from_millis(250))
    );
}

#[test]
fn a_real_acquirer_is_set_up_by_variables_alone_and_prints_no_secret() {
    let mut variables = PRODUCTION.to_vec();
    variables.extend(ZOOP);
    variables.push(("RAZAO_ACQUIRER_NOTICE_URL", "https://api.pagamentos.example"));
    let config = read(&variables).expect("a valid configuration");
    let zoop = config.acquirers.of(Provider::Zoop).expect("Zoop").clone();
    assert_eq!(zoop.server, AcquirerServer::Url("https://api.zoop.ws".to_owned()));
    assert_eq!(
        (zoop.account.as_deref(), zoop.seller.as_deref()),
        (Some("mkt_01"), Some("seller_01"))
    );
    assert_eq!((zoop.test, zoop.timeout), (false, Duration::from_secs(10)));
    for secret in [
        "current-s3cret-word-0123456789",
        "previous_s3cret-word-0123456789",
    ] {
        assert!(
            config
                .acquirers
                .notice_secrets
                .get()
                .holds(Some(Provider::Zoop), secret)
        );
    }
    assert!(config.acquirers.of(Provider::Iugu).is_none());
    let printed = format!("{config:?}");
    assert!(!printed.contains("s3cret-word"), "{printed}");
}

#[test]
fn an_acquirer_that_is_half_set_up_is_refused_without_its_values() {
    let faults_of = |more: &[(&'static str, &'static str)]| {
        let mut variables = PRODUCTION.to_vec();
        variables.extend(more);
        let faults = faults(&variables);
        assert!(
            faults.iter().all(|fault| !fault.contains("s3cret-word")),
            "{faults:?}"
        );
        faults
    };
    // The address alone: the key, the marketplace, the seller and the secret are missing.
    assert_eq!(faults_of(&ZOOP[..1]).len(), 4);
    // Everything but the address: each of the four is set for no acquirer.
    assert_eq!(faults_of(&ZOOP[1..]).len(), 4);
    let changed = |at: usize, value: &'static str| {
        let mut variables = ZOOP.to_vec();
        variables[at].1 = value;
        faults_of(&variables)
    };
    for (at, value) in [
        (0, "http://api.zoop.ws"),
        (0, "https://user:s3cret-word@api.zoop.ws"),
        (0, "https://api.zoop.ws?key=s3cret-word"),
        (1, "zpk s3cret-word"),
        (4, "s3cret-word"),
        (4, "current/s3cret-word/0123456789"),
        (4, "current-s3cret-word-0123456789,"),
    ] {
        let faults = changed(at, value);
        // An invalid address is one fault, and the four other variables are then set for no acquirer.
        let expected = if at == 0 { 1 + 4 } else { 1 };
        assert_eq!(faults.len(), expected, "{value}: {faults:?}");
    }
    for (name, value) in [
        ("RAZAO_ACQUIRER_ZOOP_URL", "sandbox"),
        ("RAZAO_ACQUIRER_VALORI_URL", "https://valori.example"),
        ("RAZAO_ACQUIRER_IUGU_URL", "zoop"),
        ("RAZAO_ACQUIRER_IUGU_TEST", "yes"),
        ("RAZAO_ACQUIRER_NOTICE_URL", "api.example.com"),
    ] {
        let faults = faults_of(&[(name, value)]);
        assert!(faults.len() == 1 && faults[0].starts_with(name), "{faults:?}");
    }
    let mut barte = PRODUCTION.to_vec();
    barte.extend([
        ("RAZAO_ACQUIRER_BARTE_URL", "https://api.barte.com"),
        ("RAZAO_ACQUIRER_BARTE_KEY", "token"),
        ("RAZAO_ACQUIRER_BARTE_NOTICE_SECRETS", "0123456789abcdef01234567"),
    ]);
    assert!(read(&barte).is_ok());
    barte.extend([
        ("RAZAO_ACQUIRER_BARTE_ACCOUNT", "x"),
        ("RAZAO_ACQUIRER_BARTE_TEST", "maybe"),
    ]);
    assert_eq!(
        faulty(&barte),
        ["RAZAO_ACQUIRER_BARTE_ACCOUNT", "RAZAO_ACQUIRER_BARTE_TEST"]
    );
}
