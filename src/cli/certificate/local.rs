//! A local authority: it may sign for names and addresses of local networks only, so that trusting it risks little else.

use std::net::IpAddr;

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use ring::digest::{SHA256, digest};
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use thiserror::Error;

/// Days that a certificate of the desk counts for; phones refuse those of more than 398.
pub(super) const DAYS: i32 = 397;

/// Days that the authority counts for.
const AUTHORITY_DAYS: i32 = 3650;

/// Endings of names that are never of another network.
const LOCAL: [&str; 6] = ["localhost", "local", "lan", "internal", "home.arpa", "test"];

/// Addresses of local networks, with the number of their bits (RFC 1918, 4193, 4291, 3927, 6890).
const NETWORKS: [(&str, u8); 8] = [
    ("127.0.0.0", 8),
    ("10.0.0.0", 8),
    ("172.16.0.0", 12),
    ("192.168.0.0", 16),
    ("169.254.0.0", 16),
    ("::1", 128),
    ("fc00::", 7),
    ("fe80::", 10),
];

/// Why no certificate can be made.
#[derive(Debug, Error)]
pub(in crate::cli) enum Error {
    /// What the library says.
    #[error("{0}; remove authority.key and authority.pem, and a new authority is made")]
    Rcgen(#[from] rcgen::Error),
    /// The authority's certificate is none.
    #[error("authority.pem: {0}; remove it and authority.key, and a new authority is made")]
    Pem(#[from] rustls::pki_types::pem::Error),
}

/// The authority.
pub(in crate::cli) struct Authority {
    key: KeyPair,
    certificate: String,
}

impl Authority {
    /// Makes an authority for local names, and for these.
    pub(in crate::cli) fn generate(names: &[String], now: jiff::Timestamp) -> Result<Self, Error> {
        let key = KeyPair::generate()?;
        let mut params = subject()?;
        let foreign = names.iter().map(|name| subtree(name));
        let networks = NETWORKS.iter().filter_map(|(address, bits)| {
            Some(GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address.parse().ok()?, *bits)))
        });
        let local = LOCAL.iter().map(|name| GeneralSubtree::DnsName((*name).to_owned()));
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: local.chain(networks).chain(foreign).collect(),
            excluded_subtrees: Vec::new(),
        });
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        limit(&mut params, now, AUTHORITY_DAYS);
        let certificate = params.self_signed(&key)?.pem();
        Ok(Self { key, certificate })
    }

    /// Accepts an authority that was made earlier.
    pub(super) fn read(key: &str, certificate: String) -> Result<Self, Error> {
        Ok(Self { key: KeyPair::from_pem(key)?, certificate })
    }

    /// Returns its key in PEM.
    pub(super) fn key(&self) -> String {
        self.key.serialize_pem()
    }

    /// Returns its certificate in PEM.
    pub(in crate::cli) fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Returns the fingerprint of its certificate, as phones show it.
    pub(super) fn fingerprint(&self) -> Result<String, Error> {
        let der = CertificateDer::from_pem_slice(self.certificate.as_bytes())?;
        let bytes: Vec<String> =
            digest(&SHA256, &der).as_ref().iter().map(|byte| format!("{byte:02X}")).collect();
        Ok(bytes.join(":"))
    }

    /// Makes a certificate for these names; returns it and its key in PEM.
    pub(in crate::cli) fn sign(
        &self,
        names: &[String],
        now: jiff::Timestamp,
    ) -> Result<(String, String), Error> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names.to_vec())?;
        params.distinguished_name.push(DnType::CommonName, "jadoube");
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        limit(&mut params, now, DAYS);
        // All authorities have one name: their keys distinguish them.
        let issuer_params = subject()?;
        let issuer = Issuer::from_params(&issuer_params, &self.key);
        let certificate = params.signed_by(&key, &issuer)?;
        Ok((certificate.pem(), key.serialize_pem()))
    }
}

/// What all authorities have in common.
fn subject() -> Result<CertificateParams, Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, "jadoube local authority");
    Ok(params)
}

/// Allows one name or address.
fn subtree(name: &str) -> GeneralSubtree {
    match name.parse::<IpAddr>() {
        Ok(address) => {
            let bits = if address.is_ipv4() { 32 } else { 128 };
            GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, bits))
        }
        Err(_) => GeneralSubtree::DnsName(name.to_owned()),
    }
}

/// Lets a certificate count from yesterday on, as clocks differ.
fn limit(params: &mut CertificateParams, now: jiff::Timestamp, days: i32) {
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let date = |offset: i32| {
        let date = today.saturating_add(jiff::Span::new().days(offset));
        let number = |part: i8| u8::try_from(part).unwrap_or(1);
        date_time_ymd(i32::from(date.year()), number(date.month()), number(date.day()))
    };
    params.not_before = date(-1);
    params.not_after = date(days - 1);
}
