//! When the certificates end on which the connections to a server depend.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use futures::future::join_all;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;
use x509_cert::Certificate;
use x509_cert::der::{Decode, Error};

use super::{Connector, Verification, client_config, verifier};
use crate::hosts;

/// Whose certificate it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateHolder {
    /// The program: the one with which it signs in, and those between it and its authority.
    Client,
    /// The server: the one that it presents, and those between it and its authority.
    Server,
    /// The authority that signed the server's.
    Authority,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateEnd {
    pub holder: CertificateHolder,
    /// The name in the certificate.
    pub subject: String,
    pub at: DateTime<Utc>,
}

impl Connector {
    /// The certificates that the program presents and those that it verifies, of each host that answers. A certificate
    /// that is not verified may end.
    pub async fn certificates(&self) -> Result<Vec<CertificateEnd>, Error> {
        let mut ends = vec![];
        for certificate in self.client.iter().flat_map(|client| &client.chain) {
            ends.push(end(CertificateHolder::Client, &read(certificate)?));
        }
        let (Verification::Authority(authorities) | Verification::AuthorityAndName(authorities)) =
            &self.verification
        else {
            return Ok(ends);
        };
        let presented = self.presented().await;
        let presented: Vec<_> = presented.iter().map(read).collect::<Result<_, _>>()?;
        ends.extend(
            presented
                .iter()
                .map(|server| end(CertificateHolder::Server, server)),
        );
        // The file may have other authorities, and some that cannot be read and are not used.
        let known =
            CertificateDer::pem_slice_iter(&authorities.pem).filter_map(|known| read(&known.ok()?).ok());
        let mut signers: Vec<_> = known
            .filter(|known| {
                let signs =
                    |server: &Certificate| server.tbs_certificate.issuer == known.tbs_certificate.subject;
                presented.iter().any(signs)
            })
            .map(|signer| end(CertificateHolder::Authority, &signer))
            .collect();
        // An authority that has a new certificate keeps its name, and any of the two is enough.
        signers.sort_by(|a, b| (&a.subject, b.at).cmp(&(&b.subject, a.at)));
        signers.dedup_by(|later, first| later.subject == first.subject);
        ends.extend(signers);
        Ok(ends)
    }

    /// What the hosts present in their handshakes, whether it is accepted or not.
    async fn presented(&self) -> Vec<CertificateDer<'static>> {
        let record = Arc::new(Recording {
            verifier: verifier(&self.verification),
            seen: Mutex::default(),
        });
        let tls = MakeRustlsConnect::new(client_config(Arc::clone(&record) as _, self.client.as_ref()));
        let sessions = hosts::each(&self.options).map(|host| hosts::open(host, tls.clone()));
        join_all(sessions).await;
        record.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read(certificate: &CertificateDer<'_>) -> Result<Certificate, Error> {
    Certificate::from_der(certificate)
}

fn end(holder: CertificateHolder, certificate: &Certificate) -> CertificateEnd {
    let content = &certificate.tbs_certificate;
    let at = content.validity.not_after.to_system_time();
    CertificateEnd {
        holder,
        subject: content.subject.to_string(),
        at: at.into(),
    }
}

/// Verifies as `verifier` does, and keeps what it was shown.
#[derive(Debug)]
struct Recording {
    verifier: Arc<dyn ServerCertVerifier>,
    seen: Mutex<Vec<CertificateDer<'static>>>,
}

impl ServerCertVerifier for Recording {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for shown in [end_entity].into_iter().chain(intermediates) {
            if !seen.contains(shown) {
                seen.push(shown.clone().into_owned());
            }
        }
        drop(seen);
        self.verifier
            .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}
