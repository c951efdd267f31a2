//! HTTPS for calls to providers, with the root certificates of Mozilla's list. The certificates of the machine are not
//! used.

use std::sync::{Arc, LazyLock};

use reqwest::{Client, ClientBuilder};
use rustls::{ClientConfig, RootCertStore};

static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| {
    let roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

/// Every client must be built from it: a client without this configuration has no cryptography.
pub fn client_builder() -> ClientBuilder {
    Client::builder().tls_backend_preconfigured(CONFIG.clone())
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    /// The first byte of a handshake (RFC 8446, 5.1).
    const HANDSHAKE: u8 = 22;

    #[tokio::test]
    async fn a_call_to_an_https_address_is_encrypted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("https://{}", listener.local_addr().expect("its address"));
        let client = client_builder().build().expect("a client");
        let server = async {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            connection.read_u8().await.expect("a byte")
        };
        let (answer, first) = tokio::join!(client.get(&url).send(), server);
        assert_eq!(first, HANDSHAKE);
        assert!(answer.is_err(), "the server has no certificate");
    }
}
