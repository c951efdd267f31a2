//! Connections to a PostgreSQL with TLS: each mode of `sslmode` is as strict as it says, in every part of the program.

use chrono::{Datelike, TimeDelta, Utc};
use gateway_dev::embedded::{DATABASE, Embedded};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

use crate::support::database::Database;
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::until;

/// The name in the server's certificate. The server answers at 127.0.0.1 too, which is not in it.
const NAME: &str = "localhost";
/// The role that signs in with a certificate, and with nothing else.
const SIGNED_IN: &str = "by_certificate";

/// A server with TLS, whose certificate an authority signed.
struct TlsServer {
    /// Keeps the server running.
    _embedded: Embedded,
    /// `user:password`
    credentials: String,
    port: String,
    files: TempDir,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl TlsServer {
    async fn start() -> Self {
        let embedded = Embedded::throwaway().await.expect("a cluster");
        let url = embedded.url(DATABASE);
        let (credentials, address) = url
            .strip_prefix("postgres://")
            .and_then(|rest| rest.split_once('@'))
            .expect("an address with credentials");
        let (address, _) = address.split_once('/').expect("a database");
        let (_, port) = address.rsplit_once(':').expect("a port");
        let files = tempfile::tempdir().expect("a folder");
        let (authority, other) = (authority("One"), authority("Other"));
        let client_key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, SIGNED_IN);
        let client = params.signed_by(&client_key, &authority).expect("a certificate");
        for (name, pem) in [
            ("ca.pem", authority.pem()),
            ("other.pem", other.pem()),
            ("client.pem", client.pem()),
            ("client.key", client_key.serialize_pem()),
        ] {
            std::fs::write(files.path().join(name), pem).expect("a certificate");
        }
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([NAME.to_owned()]).expect("a name");
        let certificate = params.signed_by(&key, &authority).expect("a certificate");
        turn_tls_on(&url, [&certificate.pem(), &key.serialize_pem(), &authority.pem()]).await;
        Self {
            credentials: credentials.to_owned(),
            port: port.to_owned(),
            _embedded: embedded,
            files,
            authority,
        }
    }

    /// A certificate and its key, as PEM, that end so many days from now.
    fn ending(&self, mut params: CertificateParams, days: i64) -> [String; 2] {
        let day = Utc::now() + TimeDelta::days(days);
        let small = |number: u32| u8::try_from(number).expect("a part of a date");
        params.not_after = date_time_ymd(day.year(), small(day.month()), small(day.day()));
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.authority).expect("a certificate");
        [certificate.pem(), key.serialize_pem()]
    }

    fn url(&self, host: &str, parameters: &str) -> String {
        let Self {
            credentials, port, ..
        } = self;
        format!("postgres://{credentials}@{host}:{port}/{DATABASE}?{parameters}")
    }

    fn file(&self, name: &str) -> String {
        self.files.path().join(name).to_str().expect("a path").to_owned()
    }

    /// Runs `razao migrate`, which must fail, and returns what it says.
    async fn refusal(&self, url: &str, authorities: &str) -> String {
        let authorities = self.file(authorities);
        refusal(url, &[("RAZAO_DATABASE_CA", &authorities)]).await
    }
}

fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate")
}

/// The server's user must own the key, so the server itself writes both files.
async fn turn_tls_on(url: &str, [certificate, key, authority]: [&str; 3]) {
    let client = plain(url).await;
    let rule = format!("hostssl all {SIGNED_IN} 127.0.0.1/32 cert");
    for (name, pem) in [
        ("server.crt", certificate),
        ("server.key", key),
        ("clients.crt", authority),
        ("first.conf", &rule),
    ] {
        let sql = format!(
            "COPY (SELECT unnest(string_to_array('{}', E'\\n'))) TO PROGRAM 'umask 077; cat > {name}'",
            pem.trim().replace("\r\n", "\n")
        );
        client.batch_execute(&sql).await.expect("the file is written");
    }
    for sql in [
        "COPY (SELECT 1) TO PROGRAM 'cat first.conf pg_hba.conf > both.conf && mv both.conf pg_hba.conf'",
        "ALTER SYSTEM SET ssl_ca_file = 'clients.crt'",
        "ALTER SYSTEM SET ssl = on",
    ] {
        client.batch_execute(sql).await.expect("a setting");
    }
    client
        .batch_execute("SELECT pg_reload_conf()")
        .await
        .expect("the setting is read");
    until("TLS", async || {
        let row = plain(url).await.query_one("SHOW ssl", &[]).await;
        row.expect("a setting").get::<_, &str>(0) == "on"
    })
    .await;
}

async fn plain(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a server");
    tokio::spawn(connection);
    client
}

fn program(url: &str, variables: &[(&str, &str)]) -> Program {
    Program::new(url, free_address(), free_address(), variables)
}

async fn refusal(url: &str, variables: &[(&str, &str)]) -> String {
    let output = program(url, variables).output(&["migrate"]).await;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    text
}

/// The kinds of connections to the database, and whether each is encrypted.
async fn sessions(server: &TlsServer) -> Vec<(String, bool)> {
    let client = plain(&server.url("127.0.0.1", "application_name=test")).await;
    let sql = "SELECT DISTINCT application_name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) \
                WHERE application_name LIKE 'razao%' AND application_name <> 'razao-start' ORDER BY 1, 2";
    let rows = client.query(sql, &[]).await.expect("sessions");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pool_and_writer_are_encrypted_and_the_certificate_is_verified() {
    let server = TlsServer::start().await;
    let authorities = server.file("ca.pem");
    let variables = [("RAZAO_DATABASE_CA", authorities.as_str())];
    // The first host refuses connections.
    let hosts = format!("{NAME}:1,{NAME}");
    let parameters = "target_session_attrs=read-write&sslmode=verify-full";
    let program = program(&server.url(&hosts, parameters), &variables);
    program.succeeds(&["migrate"]).await;
    // The second reader of the audit has its own driver.
    program.succeeds(&["audit", "replay"]).await;
    let mut running = program.start();
    program.until_it_serves().await;
    let encrypted = ["razao", "razao-watch", "razao-writer"].map(|name| (name.to_owned(), true));
    until("connections of all kinds", async || {
        sessions(&server).await.len() >= encrypted.len()
    })
    .await;
    assert_eq!(sessions(&server).await, encrypted);
    running.kill().await.expect("the program ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_of_another_authority_or_another_name_is_refused() {
    let server = TlsServer::start().await;
    let full = server.url(NAME, "sslmode=verify-full");
    let refused = server.refusal(&full, "other.pem").await;
    assert!(refused.contains("UnknownIssuer"), "{refused}");
    let authority_only = server.url("127.0.0.1", "sslmode=verify-ca");
    let refused = server.refusal(&authority_only, "other.pem").await;
    assert!(refused.contains("UnknownIssuer"), "{refused}");
    // As in libpq, `require` with authorities verifies them.
    let require = server.url("127.0.0.1", "sslmode=require");
    let refused = server.refusal(&require, "other.pem").await;
    assert!(refused.contains("UnknownIssuer"), "{refused}");
    let wrong_name = server.url("127.0.0.1", "sslmode=verify-full");
    let refused = server.refusal(&wrong_name, "ca.pem").await;
    assert!(refused.contains("not valid for name"), "{refused}");

    let authorities = server.file("ca.pem");
    let known = [("RAZAO_DATABASE_CA", authorities.as_str())];
    program(&authority_only, &known).succeeds(&["migrate"]).await;
    let by_name = server.url(NAME, "sslmode=verify-ca");
    program(&by_name, &known).succeeds(&["audit", "replay"]).await;
    program(&require, &[]).succeeds(&["migrate"]).await;
    program(&require, &[]).succeeds(&["audit", "replay"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_tls_is_refused_where_it_is_required() {
    let database = Database::create().await;
    let with = |parameters: &str| {
        let separator = if database.url.contains('?') { '&' } else { '?' };
        format!("{}{separator}{parameters}", database.url)
    };
    let refused = refusal(&with("sslmode=require"), &[]).await;
    assert!(refused.contains("server does not support TLS"), "{refused}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, authority("One").pem()).expect("a certificate");
    let path = file.to_str().expect("a path");
    let parameters = format!("sslmode=verify-full&sslrootcert={path}");
    let refused = refusal(&with(&parameters), &[]).await;
    assert!(refused.contains("server does not support TLS"), "{refused}");
    program(&with("sslmode=prefer"), &[]).succeeds(&["migrate"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_certificate_signs_in_in_every_part_of_a_command() {
    let server = TlsServer::start().await;
    let admin = plain(&server.url("127.0.0.1", "")).await;
    let sql = format!("CREATE ROLE {SIGNED_IN} LOGIN; CREATE DATABASE signed_in OWNER {SIGNED_IN}");
    for statement in sql.split(';') {
        admin
            .batch_execute(statement)
            .await
            .expect("a role and its database");
    }
    let (port, authority) = (&server.port, server.file("ca.pem"));
    let (certificate, key) = (server.file("client.pem"), server.file("client.key"));
    let words = format!("host=127.0.0.1 port={port} user={SIGNED_IN} dbname=signed_in");
    let refused = refusal(&format!("{words} sslmode=require"), &[]).await;
    assert!(refused.contains("certificate"), "{refused}");
    let refused = refusal(&format!("{words} sslmode=disable"), &[]).await;
    assert!(refused.contains("password"), "{refused}");

    let url = format!(
        "postgres://{SIGNED_IN}@{NAME}:{port}/signed_in?sslmode=verify-full&sslrootcert={authority}\
         &sslcert={certificate}&sslkey={key}"
    );
    let words =
        format!("{words} sslmode=verify-ca sslrootcert={authority} sslcert={certificate} sslkey={key}");
    program(&url, &[]).succeeds(&["migrate"]).await;
    program(&words, &[]).succeeds(&["audit", "verify"]).await;
    // The second reader of the replay has another driver.
    program(&url, &[]).succeeds(&["audit", "replay"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_says_when_a_certificate_ends_a_month_before_and_when_it_has_ended() {
    let server = TlsServer::start().await;
    let authorities = server.file("ca.pem");
    let variables = [("RAZAO_DATABASE_CA", authorities.as_str())];
    let verified = server.url(NAME, "sslmode=verify-full");
    program(&verified, &variables).succeeds(&["migrate"]).await;
    let doctor = async |url: &str| {
        let output = program(url, &variables).output(&["doctor"]).await;
        String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
    };
    let page = doctor(&verified).await;
    assert!(
        page.contains("certificates") && !page.contains("- certificates: "),
        "{page}"
    );

    for (days, says) in [(20, " ends in "), (-3, ") has ended; since ")] {
        let mut params = CertificateParams::new([NAME.to_owned()]).expect("a name");
        params.distinguished_name.push(DnType::CommonName, "the server");
        let [certificate, key] = server.ending(params, days);
        turn_tls_on(
            &server.url("127.0.0.1", ""),
            [&certificate, &key, &server.authority.pem()],
        )
        .await;
        let begins = "- certificates: the certificate of the database's server (CN=the server)";
        until("the certificate's end", async || {
            let page = doctor(&verified).await;
            let mut lines = page.lines();
            lines.any(|line| {
                line.starts_with(begins)
                    && line.contains(says)
                    && line.ends_with("runbook: A certificate ends")
            })
        })
        .await;
        // Nobody looks at a certificate that is not verified.
        let unverified = program(&server.url(NAME, "sslmode=require"), &[])
            .output(&["doctor"])
            .await;
        let page = String::from_utf8(unverified.stdout).expect("text");
        assert!(!page.contains("- certificates: "), "{page}");
    }

    for (days, says) in [
        (20, "(CN=by_certificate) ends in "),
        (-3, "(CN=by_certificate) has ended"),
    ] {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, SIGNED_IN);
        let [certificate, key] = server.ending(params, days);
        for (name, pem) in [("ending.pem", certificate), ("ending.key", key)] {
            std::fs::write(server.files.path().join(name), pem).expect("a file");
        }
        let [certificate, key] = ["ending.pem", "ending.key"].map(|name| server.file(name));
        let signing_in = format!("sslmode=require&sslcert={certificate}&sslkey={key}");
        let page = doctor(&server.url(NAME, &signing_in)).await;
        let expected =
            format!("- certificates: the certificate with which the program signs in at the database {says}");
        assert!(page.contains(&expected), "{page}");
    }
}
