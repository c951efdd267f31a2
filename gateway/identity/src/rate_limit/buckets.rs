//! The buckets in the table `rate_limit_bucket`: their keys, and the two statements that change them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use deadpool_postgres::Client;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio_postgres::Error;
use uuid::Uuid;

use super::{Allowance, LimitKind, LimitedCaller};

/// A value of the key for another purpose is never that of a bucket.
const PURPOSE: &str = "rate limit";

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub enum BucketKey<'a> {
    /// All calls of a kind with the same second key.
    SecondKey(LimitKind, &'a str),
    /// All calls of a kind by the same caller.
    Caller(LimitKind, LimitedCaller),
    /// The attempts of one caller on one account's password.
    CallerOnAccount(&'a str, LimitedCaller),
    KnownDevice(Uuid),
    Session(Uuid),
}

#[derive(Debug, Clone, Copy)]
pub struct Bucket<'a> {
    pub key: BucketKey<'a>,
    pub allowance: Allowance,
}

impl BucketKey<'_> {
    /// A keyed hash: the table must not tell who signs in, and from where.
    fn hashed(self, key: &[u8; 32]) -> Vec<u8> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
        mac.update(PURPOSE.as_bytes());
        mac.update(b"\0");
        // No part but the last one contains the separator.
        let text = match self {
            Self::SecondKey(kind, second_key) => format!("second key\0{}\0{second_key}", kind.as_str()),
            Self::Caller(kind, caller) => format!("caller\0{}\0{}", kind.as_str(), named(caller)),
            Self::CallerOnAccount(account, caller) => {
                format!("caller on account\0{}\0{account}", named(caller))
            }
            Self::KnownDevice(nonce) => format!("known device\0{nonce}"),
            Self::Session(session_id) => format!("session\0{session_id}"),
        };
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().to_vec()
    }
}

fn named(caller: LimitedCaller) -> String {
    match caller {
        LimitedCaller::Address(address) => format!("address {address}"),
        LimitedCaller::LastUser(user) => format!("user {user}"),
    }
}

/// Returns how long to wait; zero if an attempt was taken from each of the buckets.
pub async fn take(
    client: &Client,
    key: &[u8; 32],
    buckets: &[Bucket<'_>],
    now: Option<DateTime<Utc>>,
) -> Result<Duration, Error> {
    let bursts: Vec<_> = buckets
        .iter()
        .map(|bucket| i64::from(bucket.allowance.burst))
        .collect();
    let statement = client
        .prepare_cached("SELECT take_from_rate_limits($1, $2, $3, $4)")
        .await?;
    let row = client
        .query_one(
            &statement,
            &[&hashed(key, buckets), &bursts, &refills(buckets), &now],
        )
        .await?;
    let milliseconds: i64 = row.get(0);
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

pub async fn give_back(
    client: &Client,
    key: &[u8; 32],
    buckets: &[Bucket<'_>],
    full: &[BucketKey<'_>],
) -> Result<(), Error> {
    let full: Vec<_> = full.iter().map(|bucket| bucket.hashed(key)).collect();
    let statement = client
        .prepare_cached("SELECT give_back_to_rate_limits($1, $2, $3)")
        .await?;
    client
        .query_one(&statement, &[&hashed(key, buckets), &refills(buckets), &full])
        .await?;
    Ok(())
}

fn hashed(key: &[u8; 32], buckets: &[Bucket<'_>]) -> Vec<Vec<u8>> {
    buckets.iter().map(|bucket| bucket.key.hashed(key)).collect()
}

fn refills(buckets: &[Bucket<'_>]) -> Vec<i64> {
    let refills = buckets.iter().map(|bucket| bucket.allowance.refill.as_millis());
    refills
        .map(|refill| i64::try_from(refill).unwrap_or(i64::MAX))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ledger_domain::ids::UserId;

    use super::*;

    #[test]
    fn each_bucket_has_its_own_key_under_each_key_of_an_installation() {
        let here = LimitedCaller::from_address([192, 0, 2, 1].into());
        let ana = LimitedCaller::LastUser(UserId::from_uuid(Uuid::from_u128(1)));
        let mut all = vec![
            BucketKey::CallerOnAccount("seller/ana@loja.example", here),
            BucketKey::CallerOnAccount("seller/ana@loja.example", ana),
            BucketKey::CallerOnAccount("seller/bia@loja.example", here),
            BucketKey::KnownDevice(Uuid::from_u128(1)),
            BucketKey::Session(Uuid::from_u128(1)),
        ];
        for kind in LimitKind::ALL {
            all.extend([
                BucketKey::SecondKey(kind, "ana"),
                BucketKey::Caller(kind, here),
                BucketKey::Caller(kind, ana),
            ]);
        }
        let hashed: HashSet<_> = [[1; 32], [2; 32]]
            .iter()
            .flat_map(|key| all.iter().map(|bucket| bucket.hashed(key)))
            .collect();
        assert_eq!(hashed.len(), 2 * all.len());
    }
}
