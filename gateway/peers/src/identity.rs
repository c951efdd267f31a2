//! The proof that both ends of a connection belong to the installation: each has the same Ed25519 key, derived from the
//! installation's secret, and accepts only that key (RFC 7250, raw public keys). While the secret is replaced, it also
//! accepts the keys of the others that it was given. No certificate has to be made, copied
//! or renewed.

use std::fmt;
use std::sync::Arc;

use rustls::client::AlwaysResolvesClientRawPublicKeys;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::sign::{CertifiedKey, SigningKey};
use rustls::version::TLS13;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A private key of Ed25519 in PKCS #8 is these bytes and its seed (RFC 8410, 7).
const PKCS8_OF_ED25519: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

#[derive(Debug, Error)]
#[error("no identity for connections between processes: {0}")]
pub struct IdentityError(#[from] Error);

/// The two configurations of TLS.
#[derive(Clone)]
pub struct Identity {
    pub(crate) client: Arc<ClientConfig>,
    pub(crate) server: Arc<ServerConfig>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(secret)")
    }
}

impl Identity {
    /// `secrets`: those that all processes of the installation have, and nobody else. The first one is the present one.
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a [u8; 32]>) -> Result<Self, IdentityError> {
        let mut pairs = secrets.into_iter().map(key_pair);
        let no_secret = || Error::General("there is no secret".to_owned());
        let (signing, public) = pairs.next().ok_or_else(no_secret)??;
        let mut accepted = vec![public.clone()];
        for pair in pairs {
            accepted.push(pair?.1);
        }
        let provider = Arc::new(ring::default_provider());
        let same_key = Arc::new(SameKey {
            accepted,
            provider: Arc::clone(&provider),
        });
        let key = Arc::new(CertifiedKey::new(vec![public], signing));
        let client = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&same_key) as _)
            .with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(Arc::clone(&key))));
        let server = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(same_key)
            .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(key)));
        Ok(Self {
            client: Arc::new(client),
            server: Arc::new(server),
        })
    }
}

fn key_pair(secret: &[u8; 32]) -> Result<(Arc<dyn SigningKey>, CertificateDer<'static>), Error> {
    let seed = Sha256::new()
        .chain_update(b"razao peers v1\0")
        .chain_update(secret)
        .finalize();
    let private = PrivatePkcs8KeyDer::from([&PKCS8_OF_ED25519[..], &seed].concat());
    let signing = ring::sign::any_eddsa_type(&private)?;
    let public = signing
        .public_key()
        .ok_or_else(|| Error::General("the key has no public part".to_owned()))?;
    let public = CertificateDer::from(public.to_vec());
    Ok((signing, public))
}

/// Accepts the other end if it has a key of this installation.
#[derive(Debug)]
struct SameKey {
    accepted: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl SameKey {
    fn check(&self, offered: &CertificateDer<'_>) -> Result<(), Error> {
        if self.accepted.iter().any(|known| known == offered) {
            Ok(())
        } else {
            Err(Error::InvalidCertificate(
                CertificateError::ApplicationVerificationFailure,
            ))
        }
    }

    fn check_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature_with_raw_key(
            message,
            &SubjectPublicKeyInfoDer::from(key.as_ref()),
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn no_tls12<R>() -> Result<R, Error> {
        Err(Error::General("only TLS 1.3 is offered".to_owned()))
    }
}

impl ServerCertVerifier for SameKey {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(end_entity).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Self::no_tls12()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.check_signature(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for SameKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(end_entity).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Self::no_tls12()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.check_signature(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
