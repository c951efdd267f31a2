//! HMAC-SHA256 for access tokens: the only algorithm with which the platform signs and accepts them.
//! The providers that jsonwebtoken ships also contain RSA and elliptic curves, which no token needs.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error as SignatureError, Signer, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, EncodingKey};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // For JSON Web Keys, which the platform neither reads nor publishes.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the provider for this process. Later calls have no effect.
pub fn install() {
    let _ = PROVIDER.install_default();
}

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: Algorithm, family: AlgorithmFamily, key: &[u8]) -> Result<Self> {
        if algorithm != Algorithm::HS256 || family != AlgorithmFamily::Hmac {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        let mac = Hmac::new_from_slice(key).map_err(|_| ErrorKind::InvalidKeyFormat)?;
        Ok(Self(mac))
    }
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Ok(Box::new(Hs256::new(*algorithm, key.family(), key.as_bytes())?))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    Ok(Box::new(Hs256::new(
        *algorithm,
        key.family(),
        key.try_get_as_bytes()?,
    )?))
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, SignatureError> {
        let mac = self.0.clone().chain_update(message);
        Ok(mac.finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), SignatureError> {
        let mac = self.0.clone().chain_update(message);
        // Takes the same time for every wrong signature.
        mac.verify_slice(signature).map_err(SignatureError::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
