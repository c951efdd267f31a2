//! Where signed heads are kept outside of the database.

use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use super::Secret;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadsPlace {
    Folder(PathBuf),
    Bucket(Box<HeadsBucket>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadsBucket {
    /// With its scheme, without a path.
    pub endpoint: String,
    pub region: String,
    pub name: String,
    /// May be empty.
    pub folder: String,
    pub access_key: String,
    pub secret_key: Secret<String>,
}

impl FromStr for HeadsPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|_| "is not an address")?;
        match url.scheme() {
            "file" => {
                let folder = url
                    .to_file_path()
                    .map_err(|()| "is not file:// and the whole path of a folder")?;
                Ok(Self::Folder(folder))
            }
            "s3" => bucket(&url).map(|bucket| Self::Bucket(Box::new(bucket))),
            _ => Err("is neither file:// nor s3://".to_owned()),
        }
    }
}

fn bucket(url: &Url) -> Result<HeadsBucket, String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let host = url.host_str().ok_or("has no host")?;
    let (mut scheme, mut region) = ("https", "us-east-1".to_owned());
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("tls", "off") => scheme = "http",
            ("region", value) => value.clone_into(&mut region),
            _ => return Err("has a parameter other than region=… and tls=off".to_owned()),
        }
    }
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let mut path = url.path().trim_matches('/').splitn(2, '/');
    let name = path
        .next()
        .filter(|name| !name.is_empty())
        .ok_or("names no bucket")?;
    let (access_key, secret_key) = (decoded(url.username()), url.password().map(decoded));
    Ok(HeadsBucket {
        endpoint: format!("{scheme}://{host}{port}"),
        region,
        name: name.to_owned(),
        folder: path.next().unwrap_or_default().to_owned(),
        access_key: Some(access_key)
            .filter(|key| !key.is_empty())
            .ok_or("has no access key")?,
        secret_key: Secret::new(secret_key.ok_or("has no secret key")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_read_from_its_address() {
        let place = "s3://key:s%2Fcret@s3.example.com:9000/heads/razao/a?region=sa-east-1&tls=off".parse();
        let Ok(HeadsPlace::Bucket(bucket)) = place else {
            panic!("{place:?}")
        };
        assert_eq!(bucket.endpoint, "http://s3.example.com:9000");
        assert_eq!(
            (bucket.name.as_str(), bucket.folder.as_str()),
            ("heads", "razao/a")
        );
        assert_eq!(
            (bucket.region.as_str(), bucket.access_key.as_str()),
            ("sa-east-1", "key")
        );
        assert_eq!(bucket.secret_key.reveal(), "s/cret");
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in [
            "heads",
            "https://s3.example.com/heads",
            "s3://key:secret@s3.example.com/",
            "s3://s3.example.com/heads",
            "s3://key@s3.example.com/heads",
            "s3://key:secret@s3.example.com/heads?lock=on",
            "file:heads",
        ] {
            assert!(address.parse::<HeadsPlace>().is_err(), "{address}");
        }
    }
}
