//! What outsiders need to check the ledger: its name in checkpoints, and witnesses that saw them.

use std::str::FromStr;

use razao_verify::note::Witness;

use super::{HeadsPlace, Hosts, Variables, is_host};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofsConfig {
    /// `RAZAO_LEDGER_NAME`, such as `razao.example.com`: the ledger's name in its checkpoints. By default the first host
    /// of the seller panel. The first checkpoint fixes it.
    pub ledger_name: String,
    /// `RAZAO_WITNESSES`, comma separated: programs that cosign checkpoints, each as its address, a space, and its public
    /// key as it prints it: `https://witness.example.org witness.example.org+…+…`.
    pub witnesses: Vec<WitnessAddress>,
    /// `RAZAO_HEADS_URL`: where signed heads are kept outside of the database, one file a day that is never overwritten:
    /// `file:///mnt/other-disk/heads`, or `s3://key:secret@s3.sa-east-1.amazonaws.com/bucket/folder?region=sa-east-1`
    /// (percent-encoded; `tls=off` for a server without TLS). Give the bucket object lock with a default retention.
    /// `razao audit verify` compares the log with all that is there.
    pub heads: Option<HeadsPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessAddress {
    /// Without a slash at its end.
    pub url: String,
    pub witness: Witness,
}

impl ProofsConfig {
    pub(super) fn read(variables: &mut Variables<'_>, hosts: &Hosts) -> Self {
        let name = variables.optional("RAZAO_LEDGER_NAME", |text| match is_host(text) {
            true => Ok(text.to_ascii_lowercase()),
            false => Err("is not a host name".to_owned()),
        });
        Self {
            ledger_name: name.unwrap_or_else(|| hosts.first_seller().to_owned()),
            witnesses: variables
                .optional("RAZAO_WITNESSES", |text| {
                    text.split(',').map(str::parse).collect()
                })
                .unwrap_or_default(),
            heads: variables.optional("RAZAO_HEADS_URL", str::parse),
        }
    }

    pub fn known_witnesses(&self) -> Vec<Witness> {
        self.witnesses
            .iter()
            .map(|address| address.witness.clone())
            .collect()
    }
}

impl FromStr for WitnessAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (url, witness) = text
            .trim()
            .split_once(' ')
            .ok_or("is not an address, a space and a key")?;
        let is_address = url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !is_address {
            return Err("has an address that is not http or https".to_owned());
        }
        Ok(Self {
            url: url.trim_end_matches('/').to_owned(),
            witness: witness
                .trim()
                .parse()
                .map_err(|error| format!("has no key: {error}"))?,
        })
    }
}
