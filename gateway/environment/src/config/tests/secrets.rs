//! Secrets from files, keys that are replaced, what is printed, and what a running program takes.

use std::fs;

use tempfile::TempDir;

use super::*;

/// The variables with the value of each secret in a file of the folder.
fn with_secrets_in_files(folder: &TempDir) -> Vec<(String, String)> {
    let secrets = [
        "DATABASE_URL",
        "RAZAO_SMTP_URL",
        "RAZAO_HEADS_URL",
        "RAZAO_KEY_JWT",
        "RAZAO_KEY_REFRESH",
        "RAZAO_KEY_CHECKPOINT",
        "RAZAO_KEY_SALES",
        "RAZAO_PROVIDER_ZOOP_V2_SECRETS",
        "RAZAO_ACQUIRER_ZOOP_KEY",
        "RAZAO_ACQUIRER_ZOOP_NOTICE_SECRETS",
        "RAZAO_ACQUIRER_IUGU_SIGNING_KEY",
    ];
    let acquirers = [
        ("RAZAO_PROVIDER_ZOOP_V2_SECRETS", "zoop-s3cret-word"),
        ("RAZAO_ACQUIRER_ZOOP_URL", "https://api.zoop.ws"),
        ("RAZAO_ACQUIRER_ZOOP_KEY", "zpk-s3cret-word"),
        ("RAZAO_ACQUIRER_ZOOP_ACCOUNT", "account"),
        ("RAZAO_ACQUIRER_ZOOP_SELLER", "seller"),
        (
            "RAZAO_ACQUIRER_ZOOP_NOTICE_SECRETS",
            "notice-s3cret-word-0123456789",
        ),
        ("RAZAO_ACQUIRER_IUGU_URL", "https://api.iugu.com/v1"),
        ("RAZAO_ACQUIRER_IUGU_KEY", "iugu-s3cret-word"),
        ("RAZAO_ACQUIRER_IUGU_ACCOUNT", "account"),
        (
            "RAZAO_ACQUIRER_IUGU_NOTICE_SECRETS",
            "notice-s3cret-word-9876543210",
        ),
        ("RAZAO_ACQUIRER_IUGU_SIGNING_KEY", "signing-s3cret-word"),
        (
            "RAZAO_HEADS_URL",
            "s3://key:heads-s3cret-word@s3.pagamentos.example/heads",
        ),
    ];
    let given = PRODUCTION.into_iter().chain(acquirers);
    given
        .map(|(name, value)| {
            if !secrets.contains(&name) {
                return (name.to_owned(), value.to_owned());
            }
            let path = folder.path().join(name);
            fs::write(&path, format!("{value}\n")).expect("a file");
            (format!("{name}_FILE"), path.to_str().expect("a path").to_owned())
        })
        .collect()
}

fn read_owned(variables: &[(String, String)]) -> Result<Config, ConfigFaults> {
    let all: Vec<_> = variables
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    Config::read_all(&all)
}

#[test]
fn each_secret_may_stand_in_a_file_and_is_never_printed() {
    let folder = TempDir::new().expect("a folder");
    let given = with_secrets_in_files(&folder);
    assert_eq!(
        given.iter().filter(|(name, _)| name.ends_with("_FILE")).count(),
        11
    );
    let config = read_owned(&given).expect("a valid configuration");
    let keys = config.keys.jwt.get();
    assert_eq!(keys.present(), Some(&[0x42; 32]));
    assert!(
        config
            .providers
            .get()
            .holds(Some(Provider::ZoopV2), "zoop-s3cret-word")
    );
    let zoop = config.acquirers.of(Provider::Zoop).expect("Zoop");
    assert_eq!(zoop.key.get().reveal(), "zpk-s3cret-word");

    let printed = config.settings.get().to_string();
    for secret in ["s3cret-word", KEY, "5f6e7a52"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    for line in [
        format!(
            "DATABASE_URL = postgres://razao:***@db.internal/razao (from {})",
            folder.path().join("DATABASE_URL").display()
        ),
        "RAZAO_ADDR = 127.0.0.1:8080 (default)".to_owned(),
        "RAZAO_ACQUIRER_ZOOP_URL = https://api.zoop.ws".to_owned(),
        "RAZAO_BOLETO_HOST is not set".to_owned(),
    ] {
        assert!(
            printed.lines().any(|printed| printed == line),
            "{line} in {printed}"
        );
    }
    assert!(!format!("{config:?}").contains("s3cret-word"));
}

#[test]
fn a_file_that_cannot_be_used_is_one_fault_and_so_is_a_secret_in_two_places() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    fs::write(path("empty"), "\n").expect("a file");
    fs::write(path("long"), "a".repeat(70_000)).expect("a file");
    fs::write(path("binary"), [0xff, 0xfe]).expect("a file");
    fs::write(path("key"), "not-a-s3cret").expect("a file");
    for (file, expected) in [
        (
            "none",
            "RAZAO_KEY_JWT_FILE names a file that cannot be read: No such file or directory (os error 2)",
        ),
        ("empty", "RAZAO_KEY_JWT_FILE names an empty file"),
        ("long", "RAZAO_KEY_JWT_FILE names a file of more than 64 KB"),
        (
            "binary",
            "RAZAO_KEY_JWT_FILE names a file that cannot be read: stream did not contain valid UTF-8",
        ),
        (
            "key",
            "RAZAO_KEY_JWT is not a key of 64 hexadecimal characters (openssl rand -hex 32)",
        ),
    ] {
        let mut variables = PRODUCTION.to_vec();
        variables.retain(|(name, _)| *name != "RAZAO_KEY_JWT");
        let file = path(file);
        variables.push(("RAZAO_KEY_JWT_FILE", &file));
        assert_eq!(faults(&variables), [expected]);
    }
    let file = path("key");
    let both = [&PRODUCTION[..], &[("RAZAO_KEY_JWT_FILE", &file)]].concat();
    assert_eq!(
        faults(&both),
        ["RAZAO_KEY_JWT_FILE is set, and RAZAO_KEY_JWT too: set one of them"]
    );
    let no_secret = [&PRODUCTION[..], &[("RAZAO_ADDR_FILE", &file)]].concat();
    let refused = Config::read_all(&no_secret).expect_err("a fault").0;
    assert_eq!(refused.len(), 1, "{refused:?}");
}

#[test]
fn a_running_program_takes_new_secrets_and_names_what_needs_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let given = with_secrets_in_files(&folder);
    let config = read_owned(&given).expect("a valid configuration");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let (old, new) = (KEY, "11".repeat(32));
    write("RAZAO_KEY_JWT", &format!("{new}, {old}"));
    write("RAZAO_KEY_CHECKPOINT", &format!("{new},{old}"));
    write(
        "RAZAO_PROVIDER_ZOOP_V2_SECRETS",
        "another-s3cret-word,zoop-s3cret-word",
    );
    write("RAZAO_ACQUIRER_ZOOP_KEY", "zpk-2-s3cret-word");
    write(
        "RAZAO_SMTP_URL",
        "smtps://razao:new-s3cret-word@smtp.internal:465",
    );
    write(
        "DATABASE_URL",
        "postgres://razao:new-s3cret-word@db.internal/razao",
    );
    write("RAZAO_ACQUIRER_IUGU_SIGNING_KEY", "new-s3cret-word");

    let (signed_before, running_key) = (
        config.keys.jwt.clone(),
        config.acquirers.configured[0].key.clone(),
    );
    let reloaded = config.take_from(&read_owned(&given).expect("a valid configuration"));
    assert_eq!(
        reloaded.taken,
        [
            "RAZAO_ACQUIRER_ZOOP_KEY",
            "RAZAO_KEY_CHECKPOINT",
            "RAZAO_KEY_JWT",
            "RAZAO_PROVIDER_ZOOP_V2_SECRETS",
            "RAZAO_SMTP_URL",
        ]
    );
    assert_eq!(
        reloaded.waiting,
        ["DATABASE_URL", "RAZAO_ACQUIRER_IUGU_SIGNING_KEY"]
    );
    // What the parts of the program were given at the start.
    let keys: Vec<_> = signed_before.get().all().copied().collect();
    assert_eq!(keys, [[0x11; 32], [0x42; 32]]);
    assert_eq!(running_key.get().reveal(), "zpk-2-s3cret-word");
    assert_eq!(
        config.keys.checkpoint.get().signing().expect("a key"),
        &[0x11; 32]
    );
    assert_eq!(config.keys.checkpoint.get().verifying().len(), 2);
    for secret in ["another-s3cret-word", "zoop-s3cret-word"] {
        assert!(config.providers.get().holds(Some(Provider::ZoopV2), secret));
    }
    assert!(
        matches!(&*config.mail.transport.get(), MailTransport::Smtp(url) if url.reveal().contains("new-s3cret"))
    );
    let again = config.take_from(&read_owned(&given).expect("a valid configuration"));
    assert!(again.is_empty(), "{again:?}");
}

#[test]
fn keys_are_a_list_of_at_most_eight() {
    let with = |keys: &str| {
        let variables = [&PRODUCTION[..], &[("RAZAO_KEY_CHECKPOINT", keys)]].concat();
        read(&variables).map(|config| config.keys.checkpoint.get().ring.all().count())
    };
    let list = |count: usize| vec![KEY; count].join(",");
    assert_eq!(with(&list(8)), Ok(8));
    assert_eq!(
        with(&list(9)).expect_err("a fault").0,
        ["RAZAO_KEY_CHECKPOINT has more than 8 keys"]
    );
    assert_eq!(with(&format!("{KEY},")).expect_err("a fault").0.len(), 1);
}

#[test]
fn a_migration_and_an_audit_need_the_database_alone() {
    let public = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";
    let with = |variables: &[(&str, &str)]| {
        let given: HashMap<&str, &str> = variables.iter().copied().collect();
        let start = (None, Purpose::Database);
        let source = |name: &str| given.get(name).map(|value| (*value).to_owned());
        Config::read_with_default(start, &CONTRACTS, source, vec![])
    };
    let alone = with(&PRODUCTION[..2]).expect("a valid configuration");
    assert!(alone.keys.checkpoint.get().signing().is_err());
    assert!(alone.keys.checkpoint.get().verifying().is_empty());
    assert!(alone.database.change_key.is_none());
    let mut audit = PRODUCTION[..2].to_vec();
    audit.push(("RAZAO_CHECKPOINT_PUBLIC_KEYS", public));
    let audit = with(&audit).expect("a valid configuration");
    assert_eq!(
        audit.keys.checkpoint.get().verifying()[0].as_bytes()[..2],
        [0x3b, 0x6a]
    );
    let none = with(&PRODUCTION[..1]).expect_err("a fault").0;
    assert_eq!(
        none,
        ["DATABASE_URL is needed in production: the embedded database is for development"]
    );
}
