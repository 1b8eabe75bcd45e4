use std::{fs, path::PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tempfile::TempDir;

/// A certificate for 127.0.0.1 from an authority that nobody knows.
#[derive(Debug)]
pub struct ServerCertificate {
    pub ca_file: PathBuf,
    pub certificate_file: PathBuf,
    pub key_file: PathBuf,
    _dir: TempDir,
}

impl ServerCertificate {
    pub fn generate() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // With the default name for both, OpenSSL takes the server's certificate for a self-signed one.
        params.distinguished_name.push(DnType::CommonName, "Authority of the tests");
        let key = KeyPair::generate().expect("a key");
        let authority = CertifiedIssuer::self_signed(params, key).expect("a certificate of an authority");
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("an address");
        let certificate = params.signed_by(&key, &authority).expect("a certificate");
        let write = |name: &str, text: String| {
            let path = dir.path().join(name);
            fs::write(&path, text).expect("the file is written");
            path
        };
        Self {
            ca_file: write("ca.pem", authority.pem()),
            certificate_file: write("server.pem", certificate.pem()),
            key_file: write("server.key", key.serialize_pem()),
            _dir: dir,
        }
    }
}
