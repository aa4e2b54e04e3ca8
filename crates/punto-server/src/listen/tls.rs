//! Certificate and key for TLS, read again when the files change: a certificate is renewed without a restart.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use punto_ledger::require_not_public;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;

/// Why certificate and key cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TlsError {
    #[error("cannot read {path}: {error}")]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("the key {0}")]
    Public(String),
    #[error("{path} is not PEM with a certificate or a key: {error}")]
    NotPem { path: PathBuf, error: rustls::pki_types::pem::Error },
    #[error("{path} holds no certificate")]
    Empty { path: PathBuf },
    #[error("certificate and key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// Certificate and key in use, and the files that they come from.
#[derive(Debug)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    used: RwLock<Used>,
}

#[derive(Clone, Debug)]
struct Used {
    config: Arc<ServerConfig>,
    /// The files as they were read: not themselves, as one of them is a secret.
    digest: [u8; 32],
}

impl Tls {
    /// Reads certificate chain and key, both PEM.
    ///
    /// # Errors
    /// If they cannot be read or do not belong together.
    pub fn read(certificate: PathBuf, key: PathBuf) -> Result<Tls, TlsError> {
        let files = read_files(&certificate, &key)?;
        let used = Used { config: config(&certificate, &key, &files)?, digest: digest(&files) };
        Ok(Tls { used: RwLock::new(used), certificate, key })
    }

    /// Reads the files again and uses them from the next connection on, if they changed. Whether they did.
    ///
    /// # Errors
    /// If they changed and cannot be used; what was used before stays in use.
    pub fn read_again(&self) -> Result<bool, TlsError> {
        let files = read_files(&self.certificate, &self.key)?;
        let digest = digest(&files);
        if self.used.read().unwrap_or_else(PoisonError::into_inner).digest == digest {
            return Ok(false);
        }
        // Certificate and key are written one after the other: in between they do not belong together.
        let config = config(&self.certificate, &self.key, &files)?;
        *self.used.write().unwrap_or_else(PoisonError::into_inner) = Used { config, digest };
        Ok(true)
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.used.read().unwrap_or_else(PoisonError::into_inner).config.clone().into()
    }
}

fn read_files(certificate: &PathBuf, key: &PathBuf) -> Result<(Vec<u8>, Vec<u8>), TlsError> {
    let read = |path: &PathBuf| {
        std::fs::read(path).map_err(|error| TlsError::Unreadable { path: path.clone(), error })
    };
    let metadata =
        std::fs::metadata(key).map_err(|error| TlsError::Unreadable { path: key.clone(), error })?;
    require_not_public(key, &metadata).map_err(TlsError::Public)?;
    Ok((read(certificate)?, read(key)?))
}

fn digest((certificate, key): &(Vec<u8>, Vec<u8>)) -> [u8; 32] {
    let length = (certificate.len() as u64).to_be_bytes();
    Sha256::new().chain_update(length).chain_update(certificate).chain_update(key).finalize().into()
}

fn config(
    certificate: &PathBuf,
    key: &PathBuf,
    (chain, secret): &(Vec<u8>, Vec<u8>),
) -> Result<Arc<ServerConfig>, TlsError> {
    let not_pem = |path: &PathBuf| {
        let path = path.clone();
        move |error| TlsError::NotPem { path, error }
    };
    let chain: Vec<_> =
        CertificateDer::pem_slice_iter(chain).collect::<Result<_, _>>().map_err(not_pem(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::Empty { path: certificate.clone() });
    }
    let secret = PrivateKeyDer::from_pem_slice(secret).map_err(not_pem(key))?;
    let mut config = ServerConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, secret)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config.into())
}
