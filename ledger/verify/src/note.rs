//! Signed notes of C2SP: checkpoints of a log, and cosignatures of witnesses.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::merkle::{Hash, Tree};

/// Kinds of keys in signed notes: a log's signature, and a witness's cosignature with its time.
const OF_A_LOG: u8 = 1;
const OF_A_WITNESS: u8 = 4;

/// So many bytes of a hash name a key.
type KeyId = [u8; 4];

/// How a signature line begins.
const SIGNATURE: &str = "\u{2014} ";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoteError {
    #[error("a note has text, an empty line and signature lines, and ends with a line feed")]
    Form,
    #[error("line {0} of the checkpoint is not what belongs there")]
    Line(usize),
    #[error("a signature line is not a name and base64")]
    SignatureLine,
    #[error("no known key signed the checkpoint")]
    UnknownKey,
    #[error("a signature of a known key does not match the checkpoint")]
    Signature,
}

/// What a checkpoint says of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The installation's name and the shard.
    pub origin: String,
    /// All events of the shard.
    pub events: Tree,
    /// The companies that have an event by then.
    pub companies: Tree,
    pub made_at: DateTime<Utc>,
}

/// A checkpoint with its signatures, which are not verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub checkpoint: Checkpoint,
    /// The signed text.
    text: String,
    signatures: Vec<Line>,
}

/// A line of a note's signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    name: String,
    key_id: KeyId,
    signature: Vec<u8>,
}

/// A witness's statement that a checkpoint continues all that it saw of that log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    pub witness: String,
    pub at: DateTime<Utc>,
}

fn key_id(name: &str, kind: u8, key: &VerifyingKey) -> KeyId {
    let hash: [u8; 32] = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', kind])
        .chain_update(key.as_bytes())
        .finalize()
        .into();
    let [a, b, c, d, ..] = hash;
    [a, b, c, d]
}

impl Checkpoint {
    fn text(&self) -> String {
        format!(
            "{}\n{}\n{}\ncompanies {} {}\nmade-at {}\n",
            self.origin,
            self.events.size,
            STANDARD.encode(self.events.root),
            self.companies.size,
            STANDARD.encode(self.companies.root),
            self.made_at.to_rfc3339_opts(SecondsFormat::Micros, true),
        )
    }

    /// The note with the log's own signature.
    pub fn sign(self, key: &SigningKey) -> Note {
        let text = self.text();
        let own = Line {
            name: self.origin.clone(),
            key_id: key_id(&self.origin, OF_A_LOG, &key.verifying_key()),
            signature: key.sign(text.as_bytes()).to_bytes().to_vec(),
        };
        Note {
            checkpoint: self,
            text,
            signatures: vec![own],
        }
    }
}

impl FromStr for Checkpoint {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
        let [origin, size, root, companies, made_at] = lines[..] else {
            return Err(NoteError::Form);
        };
        let (count, company_root) = companies
            .strip_prefix("companies ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or(NoteError::Line(4))?;
        let made_at = made_at
            .strip_prefix("made-at ")
            .and_then(|instant| DateTime::parse_from_rfc3339(instant).ok())
            // Neither a leap second nor a year that other implementations do not have.
            .filter(|at| at.timestamp() >= 0 && at.timestamp_subsec_nanos() < 1_000_000_000)
            .ok_or(NoteError::Line(5))?;
        let checkpoint = Self {
            origin: Some(origin)
                .filter(|origin| is_origin(origin))
                .ok_or(NoteError::Line(1))?
                .to_owned(),
            events: Tree {
                size: number(size).ok_or(NoteError::Line(2))?,
                root: hash(root).ok_or(NoteError::Line(3))?,
            },
            companies: Tree {
                size: number(count).ok_or(NoteError::Line(4))?,
                root: hash(company_root).ok_or(NoteError::Line(4))?,
            },
            made_at: made_at.to_utc(),
        };
        // There is one text for each checkpoint.
        if checkpoint.text() == text {
            Ok(checkpoint)
        } else {
            Err(NoteError::Form)
        }
    }
}

fn is_origin(text: &str) -> bool {
    let named = text.rsplit_once("/shard/").is_some_and(|(name, shard)| {
        let number = shard.parse::<u8>().ok().filter(|number| *number < 16);
        !name.is_empty() && number.is_some_and(|number| number.to_string() == shard)
    });
    named && is_name(text)
}

/// Names have no spaces and no plus, which separate them from what follows.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|sign: char| sign.is_whitespace() || sign == '+')
}

/// Sizes stay below what a JavaScript number holds exactly.
const SIZE_MAX: u64 = (1 << 53) - 1;

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|size| (1..=SIZE_MAX).contains(size))
}

fn hash(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

impl Note {
    /// Verifies the log's own signature: one of these keys made it. Each line of such a key must match.
    pub fn signed_by<'k>(&self, keys: &'k [VerifyingKey]) -> Result<&'k VerifyingKey, NoteError> {
        let origin = &self.checkpoint.origin;
        let mut signer = Err(NoteError::UnknownKey);
        for line in self.signatures.iter().filter(|line| line.name == *origin) {
            let known = keys
                .iter()
                .find(|key| key_id(origin, OF_A_LOG, key) == line.key_id);
            let Some(key) = known else { continue };
            let signature = Signature::from_slice(&line.signature).map_err(|_| NoteError::Signature)?;
            key.verify_strict(self.text.as_bytes(), &signature)
                .map_err(|_| NoteError::Signature)?;
            signer = signer.or(Ok(key));
        }
        signer
    }

    /// The cosignatures of these witnesses. A line of a known witness that does not match is an error.
    pub fn cosigned_by(&self, witnesses: &[Witness]) -> Result<Vec<Cosignature>, NoteError> {
        let mut cosignatures = vec![];
        for line in &self.signatures {
            let known = witnesses
                .iter()
                .find(|witness| witness.name == line.name && witness.key_id() == line.key_id);
            if let Some(witness) = known {
                cosignatures.push(witness.verified(&self.text, &line.signature)?);
            }
        }
        Ok(cosignatures)
    }

    /// Adds the valid lines of these witnesses from a witness's answer, and passes over all others.
    pub fn add_cosignatures(
        &mut self,
        answer: &str,
        witnesses: &[Witness],
    ) -> Result<Vec<Cosignature>, NoteError> {
        let mut added = vec![];
        for line in answer.lines() {
            let line: Line = line.parse()?;
            let known = witnesses
                .iter()
                .find(|witness| witness.name == line.name && witness.key_id() == line.key_id);
            let Some(witness) = known else { continue };
            added.push(witness.verified(&self.text, &line.signature)?);
            if !self.signatures.contains(&line) {
                self.signatures.push(line);
            }
        }
        Ok(added)
    }

    /// The cosignature line of a witness, with its line feed.
    pub fn cosign(&self, name: &str, key: &SigningKey, at: DateTime<Utc>) -> String {
        let seconds = at.timestamp().cast_unsigned();
        let signed = key.sign(cosigned_text(seconds, &self.text).as_bytes());
        let line = Line {
            name: name.to_owned(),
            key_id: key_id(name, OF_A_WITNESS, &key.verifying_key()),
            signature: [&seconds.to_be_bytes()[..], &signed.to_bytes()].concat(),
        };
        line.to_string()
    }
}

fn cosigned_text(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| line.fmt(f))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.key_id[..], &self.signature].concat();
        writeln!(f, "{SIGNATURE}{} {}", self.name, STANDARD.encode(bytes))
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        let (text, signatures) = note.split_once("\n\n").ok_or(NoteError::Form)?;
        if !signatures.ends_with('\n') || signatures.ends_with("\n\n") {
            return Err(NoteError::Form);
        }
        let text = format!("{text}\n");
        Ok(Self {
            checkpoint: text.parse()?,
            // Not `lines`, which would pass over a carriage return.
            signatures: signatures
                .trim_end_matches('\n')
                .split('\n')
                .map(str::parse)
                .collect::<Result<_, _>>()?,
            text,
        })
    }
}

impl FromStr for Line {
    type Err = NoteError;

    fn from_str(line: &str) -> Result<Self, NoteError> {
        let (name, bytes) = line
            .strip_prefix(SIGNATURE)
            .and_then(|rest| rest.split_once(' '))
            .filter(|(name, _)| is_name(name))
            .ok_or(NoteError::SignatureLine)?;
        let bytes = STANDARD.decode(bytes).map_err(|_| NoteError::SignatureLine)?;
        let (key_id, signature) = bytes
            .split_first_chunk()
            .filter(|(_, signature)| !signature.is_empty())
            .ok_or(NoteError::SignatureLine)?;
        Ok(Self {
            name: name.to_owned(),
            key_id: *key_id,
            signature: signature.to_vec(),
        })
    }
}

/// A witness's name and public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    pub name: String,
    pub key: VerifyingKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a witness is given as name+key id+base64 of 0x04 and its public key")]
pub struct WitnessError;

impl Witness {
    fn key_id(&self) -> KeyId {
        key_id(&self.name, OF_A_WITNESS, &self.key)
    }

    fn verified(&self, text: &str, signature: &[u8]) -> Result<Cosignature, NoteError> {
        let (seconds, signature) = signature.split_first_chunk().ok_or(NoteError::Signature)?;
        let seconds = u64::from_be_bytes(*seconds);
        let signature = Signature::from_slice(signature).map_err(|_| NoteError::Signature)?;
        self.key
            .verify_strict(cosigned_text(seconds, text).as_bytes(), &signature)
            .map_err(|_| NoteError::Signature)?;
        let at = i64::try_from(seconds)
            .ok()
            .and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        Ok(Cosignature {
            witness: self.name.clone(),
            at: at.ok_or(NoteError::Signature)?,
        })
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[OF_A_WITNESS][..], self.key.as_bytes()].concat();
        write!(
            f,
            "{}+{}+{}",
            self.name,
            hex::encode(self.key_id()),
            STANDARD.encode(key)
        )
    }
}

impl FromStr for Witness {
    type Err = WitnessError;

    fn from_str(text: &str) -> Result<Self, WitnessError> {
        let (name, rest) = text.split_once('+').ok_or(WitnessError)?;
        // Base64 has plus signs too.
        let (id, key) = rest.split_once('+').ok_or(WitnessError)?;
        let key = STANDARD.decode(key).map_err(|_| WitnessError)?;
        let key: [u8; 33] = key.try_into().map_err(|_| WitnessError)?;
        let (kind, key) = key.split_first_chunk::<1>().ok_or(WitnessError)?;
        let key: &[u8; 32] = key.try_into().map_err(|_| WitnessError)?;
        let witness = Self {
            name: name.to_owned(),
            key: VerifyingKey::from_bytes(key).map_err(|_| WitnessError)?,
        };
        let is_valid = *kind == [OF_A_WITNESS] && is_name(name) && hex::encode(witness.key_id()) == id;
        is_valid.then_some(witness).ok_or(WitnessError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            origin: "razao.example.com/shard/3".to_owned(),
            events: Tree {
                size: 41,
                root: [1; 32],
            },
            companies: Tree {
                size: 2,
                root: [2; 32],
            },
            made_at: DateTime::from_timestamp_micros(1_795_262_400_000_001).expect("an instant"),
        }
    }

    fn key(seed: u8) -> SigningKey {
        SigningKey::from_bytes(&[seed; 32])
    }

    fn witness(seed: u8) -> Witness {
        Witness {
            name: format!("witness.example.org/{seed}"),
            key: key(seed).verifying_key(),
        }
    }

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let note = checkpoint().sign(&key(7));
        let read: Note = note.to_string().parse().expect("a note");
        assert_eq!(read, note);
        assert_eq!(read.checkpoint, checkpoint());
        let keys = [key(6).verifying_key(), key(7).verifying_key()];
        assert_eq!(read.signed_by(&keys), Ok(&keys[1]));
    }

    /// The example of Go's package `golang.org/x/mod/sumdb/note`, which the format comes from.
    #[test]
    fn a_key_and_a_signature_of_another_implementation_are_known() {
        let key = STANDARD
            .decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
            .expect("base64");
        let key: [u8; 33] = key.try_into().expect("a kind and a key");
        let (kind, key) = key.split_first_chunk::<1>().expect("a kind");
        let key = VerifyingKey::from_bytes(key.try_into().expect("32 bytes")).expect("a key");
        assert_eq!(*kind, [OF_A_LOG]);
        assert_eq!(hex::encode(key_id("PeterNeumann", OF_A_LOG, &key)), "c74f20a3");
        let line: Line = "\u{2014} PeterNeumann \
            x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
            .parse()
            .expect("a line");
        assert_eq!(line.key_id, key_id("PeterNeumann", OF_A_LOG, &key));
        let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let signature = Signature::from_slice(&line.signature).expect("a signature");
        key.verify_strict(text.as_bytes(), &signature)
            .expect("a valid signature");
    }

    #[test]
    fn a_witness_is_read_as_it_was_written() {
        let vkey = witness(3).to_string();
        assert_eq!(vkey.parse(), Ok(witness(3)));
        for (from, to) in [("witness", "other"), ("+", ""), ("B", "C")] {
            assert_eq!(
                vkey.replacen(from, to, 1).parse::<Witness>(),
                Err(WitnessError),
                "{from}"
            );
        }
    }

    #[test]
    fn another_key_or_a_changed_text_is_refused() {
        let note = checkpoint().sign(&key(7)).to_string();
        let known = [key(7).verifying_key()];
        let read: Note = note.parse().expect("a note");
        assert_eq!(
            read.signed_by(&[key(8).verifying_key()]),
            Err(NoteError::UnknownKey)
        );
        assert_eq!(read.signed_by(&[]), Err(NoteError::UnknownKey));
        for (from, to) in [
            ("\n41\n", "\n42\n"),
            ("companies 2", "companies 3"),
            ("00001Z", "00002Z"),
        ] {
            let changed: Note = note.replace(from, to).parse().expect("a note");
            assert_eq!(changed.signed_by(&known), Err(NoteError::Signature), "{from}");
        }
    }

    #[test]
    fn only_one_text_describes_a_checkpoint() {
        let note = checkpoint().sign(&key(7)).to_string();
        for (from, to) in [
            ("\n41\n", "\n041\n"),
            ("\n41\n", "\n+41\n"),
            ("\n41\n", "\n9007199254740992\n"),
            ("razao.example.com/shard/3\n41", "a b\n41"),
            ("companies 2", "companies  2"),
            ("made-at", "made at"),
            ("00001Z", "00001+00:00"),
            ("Z\n\n", "Z\nmore\n\n"),
            ("Z\n\n", "Z\n"),
            ("\u{2014} ", "- "),
        ] {
            let changed = note.replacen(from, to, 1);
            assert_ne!(changed, note, "{from}");
            assert!(changed.parse::<Note>().is_err(), "{changed}");
        }
        assert!(note.trim_end().parse::<Note>().is_err());
    }

    #[test]
    fn known_witnesses_are_verified_and_others_passed_over() {
        let mut note = checkpoint().sign(&key(7));
        let at = DateTime::from_timestamp(1_795_262_500, 0).expect("an instant");
        let answer = note.cosign(&witness(1).name, &key(1), at) + &note.cosign(&witness(2).name, &key(2), at);
        let added = note.add_cosignatures(&answer, &[witness(1)]).expect("lines");
        let expected = Cosignature {
            witness: witness(1).name,
            at,
        };
        assert_eq!(added, std::slice::from_ref(&expected));
        let read: Note = note.to_string().parse().expect("a note");
        assert_eq!(read.cosigned_by(&[witness(1), witness(2)]), Ok(vec![expected]));
        assert_eq!(read.cosigned_by(&[]), Ok(vec![]));
        let other = Note {
            text: "other".to_owned(),
            ..read
        };
        assert_eq!(other.cosigned_by(&[witness(1)]), Err(NoteError::Signature));
    }
}
