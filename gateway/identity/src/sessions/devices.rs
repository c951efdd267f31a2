//! Device cookies prove that a browser has signed in as a user before. Source: OWASP, "Slow Down Online Guessing
//! Attacks with Device Cookies". A cookie gives no access. It only changes how rate limits count: the password failures
//! of a trusted device have a separate bucket, and other calls count for `last_user` instead of the address.
//!
//! Devices have no rows. Each token is sealed for one audience. It holds the user, a nonce and a fingerprint of the
//! user's password hash. Every change of the password therefore ends the trust in all devices.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use ledger_domain::ids::UserId;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::Tokens;
use crate::audience::Audience;

/// Colleagues may share a browser. The user who signed in longest ago is dropped first.
const USERS_MAX: usize = 5;

const SEPARATOR: char = '.';
const FINGERPRINT_BYTES: usize = 16;
/// The user's id, the nonce and the fingerprint.
const BODY_BYTES: usize = 16 + 16 + FINGERPRINT_BYTES;
const TAG_BYTES: usize = 32;

type Fingerprint = [u8; FINGERPRINT_BYTES];

/// The entry of one user in a browser's cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    pub user: UserId,
    /// Identifies this browser for this user.
    pub nonce: Uuid,
    fingerprint: Fingerprint,
}

/// The devices in a browser's cookies, for one audience. The seal of each was verified.
#[derive(Debug, Clone)]
pub struct Devices {
    audience: Audience,
    entries: Vec<Device>,
}

impl Devices {
    /// Reads the values of the audience's device cookies. It checks at most `USERS_MAX` tokens, because each check
    /// costs a hash and a client may send many.
    pub fn from_cookies<'a>(
        tokens: &Tokens,
        audience: Audience,
        values: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let texts = values.into_iter().flat_map(|value| value.split(SEPARATOR));
        let read = texts
            .take(USERS_MAX)
            .filter_map(|text| Device::decode(tokens, audience, text));
        Self {
            audience,
            entries: read.collect(),
        }
    }

    /// The user who signed in last in this browser.
    pub fn last_user(&self) -> Option<UserId> {
        self.entries.first().map(|device| device.user)
    }

    /// The user's device, if the password is still the same. An unknown user (`None`) takes the same steps.
    pub fn trusted(&self, tokens: &Tokens, credentials: Option<(UserId, &str)>) -> Option<Device> {
        let (user, password_hash) = credentials.unwrap_or((UserId::from_uuid(Uuid::nil()), ""));
        let fingerprint = fingerprint(tokens, self.audience, user, password_hash);
        let mut devices = self.entries.iter().copied();
        let trusted =
            devices.find(|device| device.user == user && bool::from(device.fingerprint.ct_eq(&fingerprint)));
        trusted.filter(|_| credentials.is_some())
    }

    /// The cookie's value after this user has entered or set the password: this user's device first, then the others.
    pub fn cookie_after_sign_in(&self, tokens: &Tokens, user: UserId, password_hash: &str) -> String {
        let trusted = self.trusted(tokens, Some((user, password_hash)));
        let device = trusted.unwrap_or_else(|| Device {
            user,
            nonce: Uuid::new_v4(),
            fingerprint: fingerprint(tokens, self.audience, user, password_hash),
        });
        let others = self.entries.iter().filter(|device| device.user != user);
        let kept = std::iter::once(&device).chain(others).take(USERS_MAX);
        let texts: Vec<String> = kept.map(|device| device.encode(tokens, self.audience)).collect();
        texts.join(&SEPARATOR.to_string())
    }
}

impl Device {
    fn decode(tokens: &Tokens, audience: Audience, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, tag) = bytes.split_first_chunk::<BODY_BYTES>()?;
        let tag: [u8; TAG_BYTES] = tag.try_into().ok()?;
        if !bool::from(tag_of(tokens, audience, body).ct_eq(&tag)) {
            return None;
        }
        let (user, rest) = body.split_first_chunk::<16>()?;
        let (nonce, fingerprint) = rest.split_first_chunk::<16>()?;
        Some(Self {
            user: UserId::from_uuid(Uuid::from_bytes(*user)),
            nonce: Uuid::from_bytes(*nonce),
            fingerprint: fingerprint.try_into().ok()?,
        })
    }

    fn encode(&self, tokens: &Tokens, audience: Audience) -> String {
        let mut bytes = Vec::with_capacity(BODY_BYTES + TAG_BYTES);
        bytes.extend(self.user.uuid().as_bytes());
        bytes.extend(self.nonce.as_bytes());
        bytes.extend(self.fingerprint);
        let tag = tag_of(tokens, audience, &bytes);
        bytes.extend(tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

fn tag_of(tokens: &Tokens, audience: Audience, body: &[u8]) -> [u8; TAG_BYTES] {
    let mut mac = tokens.hmac_for("device");
    mac.update(audience.as_str().as_bytes());
    mac.update(b"\0");
    mac.update(body);
    mac.finalize().into_bytes().into()
}

/// A fingerprint of the password hash, whose salt is new for each password. It is keyed, so that the cookie reveals
/// nothing about the hash.
fn fingerprint(tokens: &Tokens, audience: Audience, user: UserId, password_hash: &str) -> Fingerprint {
    let mut mac = tokens.hmac_for("device password");
    mac.update(audience.as_str().as_bytes());
    mac.update(b"\0");
    mac.update(user.uuid().as_bytes());
    mac.update(password_hash.as_bytes());
    let digest: [u8; TAG_BYTES] = mac.finalize().into_bytes().into();
    std::array::from_fn(|at| digest[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::tests::tokens;

    const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";
    const OTHER_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdDI$aGFzaDI";

    fn user(number: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(number))
    }

    fn devices_of(value: &str) -> Devices {
        Devices::from_cookies(&tokens("11"), Audience::Seller, [value])
    }

    /// The cookie of a browser after these users signed in one after the other.
    fn after(users: impl IntoIterator<Item = u128>) -> String {
        users.into_iter().fold(String::new(), |cookie, number| {
            devices_of(&cookie).cookie_after_sign_in(&tokens("11"), user(number), HASH)
        })
    }

    #[test]
    fn a_device_is_trusted_only_for_its_user_audience_password_and_key() {
        let (ours, cookie) = (tokens("11"), after([1]));
        let known = |credentials| devices_of(&cookie).trusted(&ours, credentials).is_some();
        assert!(known(Some((user(1), HASH))));
        assert!(!known(Some((user(2), HASH))), "another user");
        assert!(!known(Some((user(1), OTHER_HASH))), "another password");
        assert!(!known(None), "an unknown user");
        let by_staff = Devices::from_cookies(&ours, Audience::Admin, [cookie.as_str()]);
        assert_eq!(by_staff.last_user(), None, "another audience");
        let by_other_key = Devices::from_cookies(&tokens("22"), Audience::Seller, [cookie.as_str()]);
        assert_eq!(by_other_key.last_user(), None, "another key");
    }

    #[test]
    fn a_changed_byte_or_length_is_rejected() {
        let cookie = after([1]);
        let bytes = URL_SAFE_NO_PAD.decode(&cookie).expect("Base64");
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            let forged = devices_of(&URL_SAFE_NO_PAD.encode(forged));
            assert_eq!(forged.last_user(), None, "byte {at}");
        }
        let longer = URL_SAFE_NO_PAD.encode([bytes.as_slice(), b"x"].concat());
        let huge = "A".repeat(1 << 20);
        for text in ["", ".", "....", "é", "%00", &cookie[1..], &longer, &huge] {
            assert_eq!(devices_of(text).last_user(), None);
        }
    }

    #[test]
    fn a_device_keeps_its_nonce_until_the_password_changes() {
        let ours = tokens("11");
        let devices = devices_of(&after([1]));
        assert_eq!(
            devices.cookie_after_sign_in(&ours, user(1), HASH),
            cookie_of(&devices)
        );
        let changed = devices_of(&devices.cookie_after_sign_in(&ours, user(1), OTHER_HASH));
        let (before, now) = (devices.entries[0], changed.entries[0]);
        assert_ne!(before.nonce, now.nonce);
        assert_eq!(changed.entries.len(), 1, "the old device is dropped");
    }

    fn cookie_of(devices: &Devices) -> String {
        let texts = devices.entries.iter();
        let texts: Vec<String> = texts
            .map(|device| device.encode(&tokens("11"), Audience::Seller))
            .collect();
        texts.join(".")
    }

    #[test]
    fn several_users_share_a_browser_and_its_cookie_stays_small() {
        let ours = tokens("11");
        let cookie = after(1..=7);
        assert!(cookie.len() < 600, "{} bytes", cookie.len());
        let devices = devices_of(&cookie);
        let is_trusted = |number| devices.trusted(&ours, Some((user(number), HASH))).is_some();
        assert_eq!(
            (1..=7).filter(|number| is_trusted(*number)).collect::<Vec<_>>(),
            [3, 4, 5, 6, 7]
        );
        assert_eq!(devices.last_user(), Some(user(7)));
    }

    #[test]
    fn tokens_are_read_up_to_the_limit() {
        let cookie = after([1]);
        let after_others = |others: usize| {
            let values = std::iter::repeat_n("x", others).chain([cookie.as_str()]);
            Devices::from_cookies(&tokens("11"), Audience::Seller, values)
        };
        assert_eq!(after_others(USERS_MAX - 1).last_user(), Some(user(1)));
        assert_eq!(after_others(USERS_MAX).last_user(), None);
    }
}
