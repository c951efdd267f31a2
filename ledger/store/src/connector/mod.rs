//! How the program connects to PostgreSQL: the options of its connections, and what TLS verifies of the server. Pool,
//! writer, migrations and commands share one connector, so that none of them is less strict than another.

mod certificates;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Connect, Manager, ManagerConfig};
use futures::future::BoxFuture;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use thiserror::Error;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::causes::Causes;
use crate::hosts::{self, CurrentHost, ServerConnection};
use crate::supervisor::{Failure, Pulse, Supervised, Supervisor, Task};

pub use certificates::{CertificateEnd, CertificateHolder};

/// Between two attempts to find the host that accepts writes.
const WATCH_PAUSE: Duration = Duration::from_millis(250);

/// With this protocol a server can be asked for TLS at once (`sslnegotiation=direct`), and another service on its port
/// refuses the handshake.
const ALPN: &[u8] = b"postgresql";

/// What is verified of the certificate of a server, if the connection is encrypted at all. The options' `sslmode`
/// decides about that.
#[derive(Clone)]
pub enum Verification {
    /// The connection is protected from who listens, and not from who answers in the server's place.
    Nothing,
    /// One of the authorities signed the certificate, for whatever name (`verify-ca`).
    Authority(Authorities),
    /// One of the authorities signed the certificate for the host of the options (`verify-full`).
    AuthorityAndName(Authorities),
}

/// The certificates of authorities that may sign the server's.
#[derive(Clone)]
pub struct Authorities {
    pem: Arc<[u8]>,
    roots: Arc<RootCertStore>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum AuthoritiesError {
    #[error("is not valid PEM")]
    NotPem,
    #[error("has no certificate of an authority")]
    Empty,
}

impl Authorities {
    /// The bundle of a system may have a certificate that cannot be used. It is left out, so that the others are
    /// trusted all the same.
    pub fn from_pem(pem: &[u8]) -> Result<Self, AuthoritiesError> {
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let certificates = certificates.map_err(|_| AuthoritiesError::NotPem)?;
        let mut roots = RootCertStore::empty();
        let (used, _) = roots.add_parsable_certificates(certificates);
        if used == 0 {
            return Err(AuthoritiesError::Empty);
        }
        Ok(Self {
            pem: pem.into(),
            roots: Arc::new(roots),
        })
    }

    /// The text that they were read from, for another driver.
    pub fn pem(&self) -> &[u8] {
        &self.pem
    }
}

/// With which the program proves to the server who it is, besides or instead of a password.
#[derive(Clone)]
pub struct ClientCertificate {
    pem: Arc<[u8]>,
    key_pem: Arc<[u8]>,
    chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivateKeyDer<'static>>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum ClientCertificateError {
    #[error("sslcert has no certificate as PEM")]
    NoCertificate,
    #[error("sslkey has no private key as PEM")]
    NoKey,
    #[error("sslkey is not the key of the certificate in sslcert")]
    Mismatch,
}

impl ClientCertificate {
    /// The certificate, those between it and its authority, and its key.
    pub fn from_pem(pem: &[u8], key_pem: &[u8]) -> Result<Self, ClientCertificateError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let chain = chain.map_err(|_| ClientCertificateError::NoCertificate)?;
        if chain.is_empty() {
            return Err(ClientCertificateError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key_pem).map_err(|_| ClientCertificateError::NoKey)?;
        CertifiedKey::from_der(chain.clone(), key.clone_key(), &ring::default_provider())
            .map_err(|_| ClientCertificateError::Mismatch)?;
        Ok(Self {
            pem: pem.into(),
            key_pem: key_pem.into(),
            chain,
            key: Arc::new(key),
        })
    }

    /// The texts that it was read from, for another driver.
    pub fn pem(&self) -> (&[u8], &[u8]) {
        (&self.pem, &self.key_pem)
    }
}

#[derive(Clone)]
pub struct Connector {
    options: Config,
    verification: Verification,
    client: Option<ClientCertificate>,
    tls: MakeRustlsConnect,
    current: CurrentHost,
}

impl Connector {
    pub fn new(options: Config, verification: Verification) -> Self {
        Self::presenting(options, verification, None)
    }

    pub fn presenting(
        options: Config,
        verification: Verification,
        client: Option<ClientCertificate>,
    ) -> Self {
        let tls = MakeRustlsConnect::new(client_config(verifier(&verification), client.as_ref()));
        Self {
            options,
            verification,
            client,
            tls,
            current: CurrentHost::default(),
        }
    }

    pub const fn client_certificate(&self) -> Option<&ClientCertificate> {
        self.client.as_ref()
    }

    pub const fn options(&self) -> &Config {
        &self.options
    }

    pub const fn verification(&self) -> &Verification {
        &self.verification
    }

    /// The same servers and the same verification with other options.
    pub fn with(&self, change: impl FnOnce(&mut Config)) -> Self {
        let mut changed = self.clone();
        change(&mut changed.options);
        changed
    }

    pub async fn connect(&self) -> Result<(Client, ServerConnection), Error> {
        hosts::connect(&self.options, &self.tls, &self.current).await
    }

    /// Opens the connections of a pool.
    pub fn manager(&self, config: ManagerConfig) -> Manager {
        Manager::from_connect(self.options.clone(), self.clone(), config)
    }

    /// Ends the sessions of a host that another one has replaced, as long as the handle lives. `None` if the options name
    /// no standbys.
    pub fn keep_watching(&self, supervisor: &Supervisor) -> Option<Supervised> {
        let connector = self.with(|options| {
            options.application_name("razao-watch");
        });
        hosts::has_standbys(&self.options)
            .then(|| supervisor.start("watch of the database's hosts", Watch(connector)))
    }
}

impl Connect for Connector {
    /// The pool gives its own options back.
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), Error>> {
        Box::pin(async {
            let (client, connection) = Self::connect(self).await?;
            #[expect(clippy::disallowed_methods, reason = "the pool ends it with the session")]
            let driver = tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::warn!(error = %Causes(&error), "a connection of the pool was lost");
                }
            });
            Ok((client, driver))
        })
    }
}

struct Watch(Connector);

#[async_trait]
impl Task for Watch {
    /// Readiness and the writer report a database that does not answer, so this task does not fail with it.
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let Self(connector) = self;
        loop {
            if let Err(error) = hosts::watch(&connector.options, &connector.tls, &connector.current).await {
                tracing::debug!(error = %Causes(&error), "no host accepts writes");
            }
            pulse.beat();
            sleep(WATCH_PAUSE).await;
        }
    }
}

/// The options have a password, which must not reach a log.
impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").finish_non_exhaustive()
    }
}

fn verifier(verification: &Verification) -> Arc<dyn ServerCertVerifier> {
    let provider = Arc::new(ring::default_provider());
    match verification {
        Verification::Nothing => Arc::new(AnyName::new(None, &provider)),
        Verification::Authority(authorities) => {
            Arc::new(AnyName::new(Some(Arc::clone(&authorities.roots)), &provider))
        }
        Verification::AuthorityAndName(authorities) => {
            WebPkiServerVerifier::builder_with_provider(Arc::clone(&authorities.roots), provider)
                .build()
                .expect("there is an authority, and no list of revoked certificates")
        }
    }
}

fn client_config(verifier: Arc<dyn ServerCertVerifier>, client: Option<&ClientCertificate>) -> ClientConfig {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the default versions")
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let mut config = match client {
        None => builder.with_no_client_auth(),
        Some(client) => builder
            .with_client_auth_cert(client.chain.clone(), client.key.clone_key())
            .expect("the certificate and its key were read"),
    };
    config.alpn_protocols = vec![ALPN.to_vec()];
    config
}

/// Accepts a certificate for any name: of these authorities, or of anyone. The server must have its key in either case.
#[derive(Debug)]
struct AnyName {
    roots: Option<Arc<RootCertStore>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl AnyName {
    fn new(roots: Option<Arc<RootCertStore>>, provider: &CryptoProvider) -> Self {
        Self {
            roots,
            algorithms: provider.signature_verification_algorithms,
        }
    }
}

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
