//! PostgreSQL. `sslmode` in `DATABASE_URL` says whether connections are encrypted, with the meaning that libpq gives it:
//!
//! | `sslmode` | encrypted | verified of the server |
//! | --- | --- | --- |
//! | `disable` | never | |
//! | `prefer` (the default) | if the server offers it | nothing |
//! | `require` | always | nothing; with `RAZAO_DATABASE_CA` as `verify-ca` |
//! | `verify-ca` | always | an authority in `RAZAO_DATABASE_CA` signed its certificate |
//! | `verify-full` | always | the same, and its certificate is for the host in the URL |
//!
//! Only `verify-full` protects from a machine that answers in the server's place. From `require` on, a server without
//! TLS is refused. A verified certificate has its hosts in `subjectAltName` and is not itself that of an authority. The
//! second reader of `razao audit replay` has another driver. With `verify-ca` it verifies the host too, because it also
//! trusts the authorities of Mozilla's list.
//!
//! `sslcert` and `sslkey` in `DATABASE_URL` name the files, as PEM, of the certificate with which the program signs in,
//! and of its key. Instead of a URL, libpq's form `host=… user=… sslmode=verify-full` may be used in all of this.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ledger_store::connector::{Authorities, ClientCertificate, Connector, Verification};
use ledger_store::layout::PARTITION_POSITIONS;
use percent_encoding::percent_decode_str;
use tokio_postgres::config::SslMode;

use super::variables::Variables;
use super::{ChangeKey, Keys};

const URL: &str = "DATABASE_URL";
const REPLICA: &str = "RAZAO_READ_DATABASE_URL";
const CA: &str = "RAZAO_DATABASE_CA";

#[derive(Debug)]
pub struct DatabaseConfig {
    /// `DATABASE_URL`. Without it, and in development only, the embedded PostgreSQL is used. Several hosts may be named
    /// (`postgres://user:password@a,b/razao?target_session_attrs=read-write`); the program then uses the one that accepts
    /// writes, and another one soon after it has taken over.
    ///
    /// `RAZAO_DATABASE_CA`: a file with the certificates, as PEM, of the authorities that may sign the server's.
    /// `sslrootcert` in the URL has the same effect. For a public authority, name the system's file, such as
    /// `/etc/ssl/certs/ca-certificates.crt`.
    pub server: Option<Connector>,
    /// `RAZAO_READ_DATABASE_URL`: a streaming replica of that database. Lists and sums of the ledger's read models come
    /// from it while it is less than a second behind, else from the primary. `sslmode` and `RAZAO_DATABASE_CA` have the
    /// same meaning.
    pub replica: Option<Connector>,
    /// `RAZAO_DATA`, default `.data`: the folder of development data, such as the embedded database, generated keys, and
    /// what the sandbox knows about each database.
    pub folder: PathBuf,
    /// `RAZAO_DATABASE_CONNECTIONS`, default 16: the largest number of connections in the gateway's pool.
    /// Rate limits have four more, and each lane that records has two.
    pub connections: usize,
    /// `RAZAO_SLOW_STATEMENT_MS`, default 500: a statement that takes longer leaves a warning with its name, its route or
    /// task and its duration, and counts in `razao_slow_statements_total`. 0 turns both off.
    pub slow_statement: Option<Duration>,
    /// `RAZAO_EVENTS_PER_PARTITION`, default 10000000: in layout `schemas`, the events of a shard that a new partition
    /// takes. Partitions are archived as a whole (`razao archive`).
    pub partition_size: i64,
    /// Whether a start migrates the schema. In production only if it is asked to, because the role of a running program
    /// need not be one that may.
    pub migrate: bool,
    /// The program's sessions prove with it that they made the changes of chained rows.
    pub change_key: Option<ChangeKey>,
}

impl DatabaseConfig {
    pub(super) fn read(variables: &mut Variables<'_>, folder: PathBuf, keys: &Keys) -> Self {
        let connections = variables.parse("RAZAO_DATABASE_CONNECTIONS", 16, |text| match text.parse() {
            Ok(count @ 2..=1000) => Ok(count),
            _ => Err("is not a number from 2 to 1000".to_owned()),
        });
        let slow_statement =
            variables.parse(
                "RAZAO_SLOW_STATEMENT_MS",
                Duration::from_millis(500),
                |text| match text.parse() {
                    Ok(milliseconds @ 0..=3_600_000) => Ok(Duration::from_millis(milliseconds)),
                    _ => Err("is not a number from 0 to 3600000".to_owned()),
                },
            );
        let partition_size =
            variables.parse(
                "RAZAO_EVENTS_PER_PARTITION",
                PARTITION_POSITIONS,
                |text| match text.parse() {
                    Ok(size @ 10..=1_000_000_000) => Ok(size),
                    _ => Err("is not a number from 10 to 1000000000".to_owned()),
                },
            );
        let (server, replica) = read_servers(variables);
        Self {
            server,
            replica,
            folder,
            connections,
            slow_statement: Some(slow_statement).filter(|limit| !limit.is_zero()),
            partition_size,
            migrate: !variables.production(),
            change_key: keys.checkpoint.get().ring.present().map(ChangeKey::of),
        }
    }
}

/// The primary and its replica.
fn read_servers(variables: &mut Variables<'_>) -> (Option<Connector>, Option<Connector>) {
    let authorities = variables.optional(CA, read_authorities);
    let address = variables.required_of_all_in_production(
        URL,
        "the embedded database is for development",
        Address::parse,
    );
    if address.is_none() && variables.get(CA).is_some() && variables.get(URL).is_none() {
        variables.fault(CA, "has no effect without DATABASE_URL");
    }
    let replica = variables.optional(REPLICA, Address::parse);
    if address.is_none() && replica.is_some() {
        variables.fault(REPLICA, "has no effect without DATABASE_URL");
    }
    let server = address.map(|address| connector_of(variables, URL, address, authorities.clone()));
    let replica = replica.map(|address| connector_of(variables, REPLICA, address, authorities));
    (server, replica)
}

/// `authorities`: those of the variable. `name` is the variable with the address.
fn connector_of(
    variables: &mut Variables<'_>,
    name: &str,
    mut address: Address,
    authorities: Option<Authorities>,
) -> Connector {
    let is_set = variables.get(CA).is_some();
    if is_set && address.authorities.is_some() {
        variables.fault(
            CA,
            &format!("is set, and sslrootcert in {name} too: set one of them"),
        );
    }
    // A file with a fault counts as given, so that there is one fault and not two.
    let is_given = is_set || address.authorities.is_some();
    let verification = match (address.mode, authorities.or(address.authorities.take())) {
        (TlsMode::Disable | TlsMode::Prefer, Some(_)) => {
            variables.fault(
                name,
                "has certificates of authorities, which without sslmode=verify-full or verify-ca have no effect",
            );
            Verification::Nothing
        }
        (TlsMode::VerifyCa | TlsMode::VerifyFull, None) if !is_given => {
            variables.fault(
                name,
                "has an sslmode that verifies certificates: set RAZAO_DATABASE_CA",
            );
            Verification::Nothing
        }
        (_, None) => Verification::Nothing,
        (TlsMode::Require | TlsMode::VerifyCa, Some(authorities)) => Verification::Authority(authorities),
        (TlsMode::VerifyFull, Some(authorities)) => Verification::AuthorityAndName(authorities),
    };
    address.options.ssl_mode(address.mode.of_driver());
    Connector::presenting(address.options, verification, address.client)
}

fn read_authorities(path: &str) -> Result<Authorities, String> {
    let pem = fs::read(path).map_err(|error| format!("names a file that cannot be read: {error}"))?;
    Authorities::from_pem(&pem).map_err(|error| format!("names a file that {error}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TlsMode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl TlsMode {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "disable" => Some(Self::Disable),
            "prefer" => Some(Self::Prefer),
            "require" => Some(Self::Require),
            "verify-ca" => Some(Self::VerifyCa),
            "verify-full" => Some(Self::VerifyFull),
            _ => None,
        }
    }

    /// The driver encrypts; `Verification` says what is verified.
    const fn of_driver(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyCa | Self::VerifyFull => SslMode::Require,
        }
    }
}

struct Address {
    options: tokio_postgres::Config,
    mode: TlsMode,
    authorities: Option<Authorities>,
    client: Option<ClientCertificate>,
}

impl Address {
    /// The driver knows neither the files of certificates nor the modes that verify, so these are read here and taken
    /// out.
    fn parse(text: &str) -> Result<Self, String> {
        // The parser's message could repeat a part of the text, which contains a password.
        let unreadable = "is not an address such as postgres://user:password@host:5432/razao";
        let (options, tls) = if is_url(text) {
            of_url(text)
        } else {
            of_words(text).ok_or(unreadable)?
        };
        let options: tokio_postgres::Config = options.parse().map_err(|_| unreadable)?;
        let mode = match tls.mode {
            Some(mode) => TlsMode::parse(&mode)
                .ok_or("has an sslmode that is not disable, prefer, require, verify-ca or verify-full")?,
            None => TlsMode::Prefer,
        };
        let authorities = tls.authorities.map(|path| read_authorities(&path)).transpose();
        Ok(Self {
            options,
            mode,
            authorities: authorities.map_err(|why| format!("has an sslrootcert that {why}"))?,
            client: read_client(tls.certificate, tls.key)?,
        })
    }
}

fn read_client(
    certificate: Option<String>,
    key: Option<String>,
) -> Result<Option<ClientCertificate>, String> {
    let (certificate, key) = match (certificate, key) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => (certificate, key),
        _ => return Err("has one of sslcert and sslkey: both are needed".to_owned()),
    };
    let read = |name: &str, path: &str| {
        fs::read(path)
            .map_err(|error| format!("has an {name} that names a file that cannot be read: {error}"))
    };
    let client = ClientCertificate::from_pem(&read("sslcert", &certificate)?, &read("sslkey", &key)?);
    client
        .map(Some)
        .map_err(|error| format!("has a client certificate that cannot be used: {error}"))
}

/// The words of an address that the driver does not read.
#[derive(Default)]
struct TlsWords {
    mode: Option<String>,
    authorities: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

impl TlsWords {
    /// Whether the word is one of them. A later one replaces an earlier one, as libpq does.
    fn take(&mut self, name: &str, value: &str) -> bool {
        let place = match name {
            "sslmode" => &mut self.mode,
            "sslrootcert" => &mut self.authorities,
            "sslcert" => &mut self.certificate,
            "sslkey" => &mut self.key,
            _ => return false,
        };
        *place = Some(value.to_owned());
        true
    }
}

fn is_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// What the driver reads of a URL, and the rest.
fn of_url(url: &str) -> (String, TlsWords) {
    let mut tls = TlsWords::default();
    let (server, parameters) = split(url);
    let is_other = |parameter: &&str| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !tls.take(&decoded(name), &decoded(value))
    };
    let others: Vec<_> = parameters.into_iter().filter(is_other).collect();
    match others.as_slice() {
        [] => (server.to_owned(), tls),
        others => (format!("{server}?{}", others.join("&")), tls),
    }
}

/// The same of the form `host=… user='…'`. `None` if it has another form.
fn of_words(text: &str) -> Option<(String, TlsWords)> {
    let mut tls = TlsWords::default();
    let mut others = String::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=')?;
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        let (value, after) = word(value.trim_start())?;
        if !tls.take(name, &value) {
            let escaped = value.replace('\\', "\\\\").replace('\'', "\\'");
            others.push_str(&format!("{name}='{escaped}' "));
        }
        rest = after.trim_start();
    }
    Some((others, tls))
}

/// A value, which may stand between quotes, and what follows it. A backslash stands before a quote, a space or itself.
fn word(text: &str) -> Option<(String, &str)> {
    let (is_quoted, text) = match text.strip_prefix('\'') {
        Some(quoted) => (true, quoted),
        None => (false, text),
    };
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => value.push(characters.next()?.1),
            '\'' if is_quoted => return Some((value, &text[at + 1..])),
            _ if !is_quoted && character.is_whitespace() => return Some((value, &text[at..])),
            _ => value.push(character),
        }
    }
    (!is_quoted).then_some((value, ""))
}

/// The URL without its parameters, and each of these, still encoded. A password may contain a question mark.
fn split(url: &str) -> (&str, Vec<&str>) {
    let after_password = url.find('@').unwrap_or(0);
    match url[after_password..].find('?') {
        Some(at) => {
            let (server, parameters) = url.split_at(after_password + at);
            let parameters = parameters[1..].split('&');
            (
                server,
                parameters.filter(|parameter| !parameter.is_empty()).collect(),
            )
        }
        None => (url, vec![]),
    }
}

fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::config::Purpose;

    type Servers = (Option<Connector>, Option<Connector>);

    fn read(variables: &[(&str, &str)]) -> Result<Servers, Vec<String>> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let source = |name: &str| find(name).map(|(_, value)| (*value).to_owned());
        let mut reader = Variables::new(&source, Purpose::Service);
        let servers = read_servers(&mut reader);
        match reader.finish() {
            Ok(_) => Ok(servers),
            Err(faults) => Err(faults.0),
        }
    }

    fn server(variables: &[(&str, &str)]) -> Connector {
        read(variables).expect("no fault").0.expect("a server")
    }

    fn fault(variables: &[(&str, &str)]) -> String {
        let faults = read(variables).expect_err("a fault");
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults[0].clone()
    }

    fn verified(server: &Connector) -> &'static str {
        match server.verification() {
            Verification::Nothing => "nothing",
            Verification::Authority(_) => "authority",
            Verification::AuthorityAndName(_) => "authority and name",
        }
    }

    fn authority() -> tempfile::NamedTempFile {
        let made = rcgen::generate_simple_self_signed(["db.internal".to_owned()]);
        file(&made.expect("a certificate").cert.pem())
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("it is written");
        file
    }

    #[test]
    fn sslmode_has_the_meaning_of_libpq() {
        let authority = authority();
        let path = authority.path().to_str().expect("a path");
        for (parameters, authorities, mode, verification) in [
            ("", false, SslMode::Prefer, "nothing"),
            ("?sslmode=disable", false, SslMode::Disable, "nothing"),
            ("?sslmode=prefer", false, SslMode::Prefer, "nothing"),
            ("?sslmode=require", false, SslMode::Require, "nothing"),
            ("?sslmode=require", true, SslMode::Require, "authority"),
            ("?sslmode=verify-ca", true, SslMode::Require, "authority"),
            (
                "?sslmode=verify-full",
                true,
                SslMode::Require,
                "authority and name",
            ),
            (
                "?ssl%6dode=verify%2Dfull",
                true,
                SslMode::Require,
                "authority and name",
            ),
        ] {
            let url = format!("postgres://razao:word@db.internal/razao{parameters}");
            let mut forms = vec![vec![(URL, url.clone())]];
            if authorities {
                forms = vec![
                    vec![(URL, url.clone()), (CA, path.to_owned())],
                    vec![(URL, format!("{url}&sslrootcert={path}"))],
                ];
            }
            for form in forms {
                let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let server = server(&form);
                assert_eq!(server.options().get_ssl_mode(), mode, "{form:?}");
                assert_eq!(verified(&server), verification, "{form:?}");
            }
        }
    }

    #[test]
    fn the_other_parameters_and_the_hosts_stay() {
        let authority = authority();
        let path = authority.path().to_str().expect("a path");
        let url = "postgres://razao:a?b&sslmode=disable@one:1,two:2/razao?target_session_attrs=read-write&\
                   sslmode=verify-full&options=-c%20lock_timeout%3D5s";
        let server = server(&[(URL, url), (CA, path)]);
        let options = server.options();
        assert_eq!((options.get_hosts().len(), options.get_ports()), (2, &[1, 2][..]));
        assert_eq!(
            options.get_target_session_attrs(),
            tokio_postgres::config::TargetSessionAttrs::ReadWrite
        );
        assert_eq!(options.get_options(), Some("-c lock_timeout=5s"));
        assert_eq!(options.get_password(), Some(&b"a?b&sslmode=disable"[..]));
        assert_eq!(options.get_ssl_mode(), SslMode::Require);
    }

    #[test]
    fn the_form_of_the_driver_is_read_too() {
        let server = server(&[(URL, "host=db.internal user=razao dbname=razao sslmode=require")]);
        assert_eq!(server.options().get_ssl_mode(), SslMode::Require);
        let refused = fault(&[(URL, "host=db.internal user=razao sslmode=verify-full")]);
        assert!(refused.contains("set RAZAO_DATABASE_CA"), "{refused}");
        let authority = authority();
        let path = authority.path().to_str().expect("a path");
        let words = format!(
            "host = one,two  port=1,2 user=razao password='it''s' sslmode=verify-full sslrootcert='{path}'"
        );
        let refused = fault(&[(URL, &words.replace("''", "'"))]);
        assert!(refused.contains("is not an address"), "{refused}");
        let server = self::server(&[(URL, &words.replace("''", "\\' \\\\"))]);
        let options = server.options();
        assert_eq!((options.get_hosts().len(), options.get_ports()), (2, &[1, 2][..]));
        assert_eq!(options.get_password(), Some(&b"it' \\s"[..]));
        assert_eq!(verified(&server), "authority and name");
        for broken in ["host", "host=one user", "host='one", "=one", "host=one\\"] {
            let refused = fault(&[(URL, broken)]);
            assert!(refused.contains("is not an address"), "{broken}: {refused}");
        }
    }

    #[test]
    fn a_client_certificate_has_its_key() {
        let made = rcgen::generate_simple_self_signed(["razao".to_owned()]).expect("a certificate");
        let other = rcgen::generate_simple_self_signed(["razao".to_owned()]).expect("a certificate");
        let files = [
            made.cert.pem(),
            made.signing_key.serialize_pem(),
            other.signing_key.serialize_pem(),
        ]
        .map(|pem| file(&pem));
        let [certificate, key, other] = files.each_ref().map(|file| file.path().to_str().expect("a path"));
        let url = |words: &str| format!("postgres://razao@db.internal/razao?sslmode=require&{words}");
        let both = url(&format!("sslcert={certificate}&sslkey={key}"));
        assert!(server(&[(URL, &both)]).client_certificate().is_some());
        let words = format!("host=db.internal sslmode=require sslcert={certificate} sslkey={key}");
        assert!(server(&[(URL, &words)]).client_certificate().is_some());
        for (words, expected) in [
            (format!("sslcert={certificate}"), "both are needed"),
            (format!("sslkey={key}"), "both are needed"),
            (
                format!("sslcert={certificate}&sslkey=/no/such/file"),
                "an sslkey that names a file",
            ),
            (
                format!("sslcert={key}&sslkey={key}"),
                "sslcert has no certificate",
            ),
            (
                format!("sslcert={certificate}&sslkey={certificate}"),
                "sslkey has no private key",
            ),
            (
                format!("sslcert={certificate}&sslkey={other}"),
                "is not the key of the certificate",
            ),
        ] {
            let refused = fault(&[(URL, &url(&words))]);
            assert!(refused.contains(expected), "{words}: {refused}");
        }
    }

    #[test]
    fn contradictions_and_unreadable_files_are_faults() {
        let authority = authority();
        let path = authority.path().to_str().expect("a path");
        let key = file("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        let key = key.path().to_str().expect("a path");
        let broken = file("-----BEGIN CERTIFICATE-----\nAAAA\n");
        let broken = broken.path().to_str().expect("a path");
        let url = |parameters: &str| format!("postgres://razao:s3cret-word@db.internal/razao{parameters}");
        let cases = [
            (url("?sslmode=allow"), None, "an sslmode that is not"),
            (url("?sslmode"), None, "an sslmode that is not"),
            (url("?sslmode=verify-ca"), None, "set RAZAO_DATABASE_CA"),
            (url("?sslmode=verify-full"), None, "set RAZAO_DATABASE_CA"),
            (url(""), Some(path), "have no effect"),
            (url("?sslmode=disable"), Some(path), "have no effect"),
            (
                url("?sslmode=verify-full"),
                Some("/no/such/file"),
                "RAZAO_DATABASE_CA names a file that cannot be read",
            ),
            (
                url("?sslmode=verify-full"),
                Some(key),
                "has no certificate of an authority",
            ),
            (url("?sslmode=verify-full"), Some(broken), "is not valid PEM"),
            (
                url(&format!("?sslmode=verify-ca&sslrootcert={path}")),
                Some(path),
                "set one of them",
            ),
            (
                url("?sslmode=verify-ca&sslrootcert=/no/such/file"),
                None,
                "an sslrootcert that names a file",
            ),
        ];
        for (url, authorities, expected) in cases {
            let mut variables = vec![(URL, url.as_str())];
            variables.extend(authorities.map(|path| (CA, path)));
            let fault = fault(&variables);
            assert!(fault.contains(expected), "{variables:?}: {fault}");
            assert!(!fault.contains("s3cret-word"), "{fault}");
        }
        assert!(fault(&[(CA, path)]).contains("without DATABASE_URL"));
    }

    #[test]
    fn a_replica_is_as_strict_as_its_own_address_says() {
        let authority = authority();
        let path = authority.path().to_str().expect("a path");
        let primary = "postgres://razao:word@one/razao?sslmode=verify-full";
        let replica = "postgres://razao:word@two/razao?sslmode=verify-ca";
        let both = [(URL, primary), (REPLICA, replica), (CA, path)];
        let (_, read) = read(&both).expect("no fault");
        assert_eq!(verified(&read.expect("a replica")), "authority");
        let unencrypted = "postgres://razao:word@two/razao";
        let refused = fault(&[(URL, primary), (REPLICA, unencrypted), (CA, path)]);
        assert!(
            refused.starts_with(REPLICA) && refused.contains("have no effect"),
            "{refused}"
        );
        assert!(fault(&[(REPLICA, unencrypted)]).contains("without DATABASE_URL"));
    }

    #[test]
    fn a_printed_configuration_has_no_password() {
        let server = server(&[(URL, "postgres://razao:s3cret-word@db.internal/razao")]);
        assert!(!format!("{server:?}").contains("s3cret-word"));
    }
}
