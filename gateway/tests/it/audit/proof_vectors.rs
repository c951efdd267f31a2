//! The writer of fixtures/proofs: proofs of each kind, and each with one change that makes it invalid.

use chrono::{TimeDelta, Utc};
use ed25519_dalek::SigningKey;
use gateway_platform::proofs::{Days, Proofs};
use ledger_domain::SaleId;
use ledger_domain::calendar::business_date;
use ledger_store::audit::checkpoint;
use ledger_store::tree_head;
use razao_verify::note::{Note, Witness};
use razao_verify::proof::Proof;
use serde_json::Value;

use super::KEY;
use super::proofs::{NAME, keys};
use crate::support::Sale;
use crate::support::movements::MovementsFixture;

/// Writes fixtures/proofs anew. Only a new version of the format needs it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "writes the fixtures"]
async fn write_the_proofs_of_the_fixtures() {
    let fixture = MovementsFixture::open().await;
    let company = fixture.company.id;
    let client = fixture.app.database.client().await;
    let of_company = ledger_store::Shard::of(company);
    let mut notes: Vec<Note> = vec![];
    for number in 0..2 {
        if number > 0 {
            fixture
                .app
                .capture(&fixture.company, &Sale::card().days_ago(1))
                .await;
        }
        tree_head::make(&client, of_company, &KEY, Utc::now())
            .await
            .expect("made");
        let note = checkpoint::make(&client, of_company, NAME, &KEY)
            .await
            .expect("made");
        notes.extend(note);
    }
    let proofs = Proofs {
        pool: fixture.app.app.state.pool.clone(),
        keys: keys().to_vec(),
    };
    let sale_id: SaleId = {
        let of_company = "SELECT sale_id FROM sale_claim WHERE business_id = $1 ORDER BY sequence LIMIT 1";
        let row = client
            .query_one(of_company, &[&company.uuid()])
            .await
            .expect("a sale");
        SaleId::from_uuid(row.get(0))
    };
    let today = business_date(Utc::now());
    let days = Days {
        from: business_date(Utc::now() - TimeDelta::days(3)),
        to: today,
    };
    let witness = SigningKey::from_bytes(&[9; 32]);
    let known = Witness {
        name: "witness.example.org".to_owned(),
        key: witness.verifying_key(),
    };
    let mut writer = Vectors {
        folder: concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/proofs").into(),
        witness: known.to_string(),
        index: vec![],
    };
    let sale = value(&proofs.sale(company, sale_id).await.expect("a proof"));
    let whole = value(&proofs.company(company, None).await.expect("a proof"));
    let period = value(&proofs.company(company, Some(days)).await.expect("a proof"));
    let growth = value(&proofs.growth(&notes[0]).await.expect("a proof"));
    let same = value(&proofs.growth(&notes[1]).await.expect("a proof"));
    let mut seen = notes[1].clone();
    let line = seen.cosign(&known.name, &witness, Utc::now());
    seen.add_cosignatures(&line, std::slice::from_ref(&known))
        .expect("a line");
    let cosigned = changed(&sale, "/checkpoint", seen.to_string().into());
    for (name, proof) in [
        ("sale", &sale),
        ("company", &whole),
        ("company-period", &period),
        ("growth", &growth),
        ("growth-none", &same),
        ("sale-cosigned", &cosigned),
    ] {
        writer.write(name, proof, "", true);
    }
    let text = |proof: &Value, pointer: &str| {
        proof
            .pointer(pointer)
            .and_then(Value::as_str)
            .expect("a text")
            .to_owned()
    };
    let replaced = |proof: &Value, pointer: &str, from: &str, to: &str| {
        let before = text(proof, pointer);
        let after = before.replacen(from, to, 1);
        assert_ne!(before, after, "{from}");
        changed(proof, pointer, after.into())
    };
    let number = |proof: &Value, pointer: &str, by: i64| {
        let before = proof.pointer(pointer).and_then(Value::as_i64).expect("a number");
        changed(proof, pointer, (before + by).into())
    };
    let without = |proof: &Value, pointer: &str, index: usize| {
        let mut list = proof
            .pointer(pointer)
            .and_then(Value::as_array)
            .expect("a list")
            .clone();
        list.remove(index);
        changed(proof, pointer, list.into())
    };
    // Of this witness, over another checkpoint.
    let other = notes[0].cosign(&known.name, &witness, Utc::now());
    let forged = changed(&sale, "/checkpoint", (notes[1].to_string() + &other).into());
    let stranger = notes[1]
        .checkpoint
        .clone()
        .sign(&SigningKey::from_bytes(&[8; 32]));
    for (name, proof, reason) in [
        (
            "payload",
            replaced(&sale, "/events/0/payload", "\"amount\":", "\"amount\":1"),
            "a changed payload",
        ),
        ("time", number(&sale, "/events/0/recorded_at", 1), "another time"),
        (
            "position",
            number(&sale, "/events/0/position", 1),
            "another position",
        ),
        (
            "other-sale",
            replaced(&sale, "/sale_id", "sal_", "sal_0"),
            "not the id of a sale",
        ),
        (
            "path-short",
            without(&sale, "/events/0/path", 0),
            "a path that is too short",
        ),
        (
            "path-changed",
            replaced(
                &sale,
                "/events/0/path/0",
                &text(&sale, "/events/0/path/0")[..1],
                "x",
            ),
            "a path that is not hexadecimal",
        ),
        (
            "size",
            replaced(&sale, "/checkpoint", "\ncompanies 1 ", "\ncompanies 2 "),
            "a checkpoint that was not signed",
        ),
        (
            "stranger",
            changed(&sale, "/checkpoint", stranger.to_string().into()),
            "signed by another key",
        ),
        (
            "own-key",
            changed(
                &sale,
                "/public_key",
                hex::encode(SigningKey::from_bytes(&[8; 32]).verifying_key().as_bytes()).into(),
            ),
            "a key that nobody trusts",
        ),
        (
            "cosignature",
            forged,
            "a signature line that is no cosignature of the known witness",
        ),
        (
            "event-missing",
            without(&whole, "/events", 2),
            "an event is missing",
        ),
        (
            "last-event-missing",
            without(
                &whole,
                "/events",
                whole["events"].as_array().expect("a list").len() - 1,
            ),
            "the last event is missing",
        ),
        (
            "balance",
            number(&whole, "/accounts/available", 1),
            "another balance",
        ),
        ("fees", number(&period, "/period/fees", 1), "other fees"),
        (
            "opening",
            number(&period, "/period/opening/receivable", -1),
            "another opening balance",
        ),
        (
            "reversed",
            changed(&period, "/period/to", 0.into()),
            "a period that ends before it begins",
        ),
        (
            "rewritten",
            replaced(&growth, "/path/0", &text(&growth, "/path/0")[..2], "ff"),
            "a path from another history",
        ),
        (
            "backwards",
            changed(
                &changed(&growth, "/earlier", notes[1].to_string().into()),
                "/checkpoint",
                notes[0].to_string().into(),
            ),
            "the earlier checkpoint is the larger one",
        ),
        (
            "huge",
            changed(&sale, "/events/0/sequence", (1_i64 << 53).into()),
            "a number that not every implementation holds",
        ),
        (
            "unknown-member",
            {
                let mut proof = sale.clone();
                proof["note"] = "x".into();
                proof
            },
            "a member that nobody knows",
        ),
        (
            "kind",
            changed(&sale, "/kind", "company".into()),
            "the members of another kind",
        ),
    ] {
        writer.write(&format!("invalid-{name}"), &proof, reason, false);
    }
    writer.finish();
}

fn value(proof: &Proof) -> Value {
    serde_json::from_str(&proof.text()).expect("JSON")
}

fn changed(proof: &Value, pointer: &str, to: Value) -> Value {
    let mut proof = proof.clone();
    *proof.pointer_mut(pointer).expect(pointer) = to;
    proof
}

struct Vectors {
    folder: std::path::PathBuf,
    witness: String,
    index: Vec<Value>,
}

impl Vectors {
    fn write(&mut self, name: &str, proof: &Value, reason: &str, valid: bool) {
        let text = serde_json::to_string_pretty(proof).expect("JSON") + "\n";
        let witness: Witness = self.witness.parse().expect("a witness");
        let checked = razao_verify::check(&text, &keys(), &[witness]);
        assert_eq!(checked.is_ok(), valid, "{name}: {checked:?}");
        std::fs::create_dir_all(&self.folder).expect("a folder");
        std::fs::write(self.folder.join(format!("{name}.json")), text).expect("a file");
        self.index.push(serde_json::json!({
            "file": format!("{name}.json"),
            "valid": valid,
            "reason": reason,
            "keys": [hex::encode(keys()[0].as_bytes())],
            "witnesses": [self.witness],
        }));
    }

    fn finish(self) {
        let text = serde_json::to_string_pretty(&self.index).expect("JSON") + "\n";
        std::fs::write(self.folder.join("index.json"), text).expect("a file");
    }
}
