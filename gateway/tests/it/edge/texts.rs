//! Texts are kept in one form, whatever the client sends: composed, without invisible characters. Searches find them
//! however they are typed.

use gateway_formats::plain_text::search_key;
use serde_json::{Value, json};

use crate::support::movements::{MovementsFixture, rows};
use crate::support::{Client, PASSWORD, TestApp};

/// Names as another program wrote them: each accent is a separate character.
const NAMES: &str = include_str!("../../../../fixtures/cases/names_nfd.txt");

async fn found(staff: &Client, list: &str, search: &str) -> Vec<String> {
    let answer = staff.get(&format!("{list}?search={search}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let name = |row: &Value| row["name"].as_str().expect("a name").to_owned();
    rows(&answer.body).iter().map(name).collect()
}

#[tokio::test]
async fn decomposed_names_are_stored_composed_and_found_with_and_without_accents() {
    let fixture = MovementsFixture::open().await;
    let companies = [&fixture.company, &fixture.other];
    for (company, name) in companies.iter().zip(NAMES.lines()) {
        let path = format!("/api/admin/businesses/{}", company.id);
        let version = fixture.staff.get(&path).await.at("/version").clone();
        let sent = json!({ "version": version, "name": format!("\u{202e}{name}\u{200b}") });
        let changed = fixture.staff.patch(&path, sent).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
    }
    let (bread, acai) = ("Pão NFD Ltda", "Açaí Irmãos Ltda");
    for search in ["pao", "p%C3%A3o", "pa%CC%83o", "PA%CC%83O", "%E2%80%8Bpao"] {
        assert_eq!(
            found(&fixture.staff, "/api/admin/businesses/list", search).await,
            [bread],
            "{search}"
        );
    }
    for search in [
        "acai",
        "irmaos",
        "a%C3%A7a%C3%AD",
        "ac%CC%A7ai%CC%81%20irma%CC%83os",
    ] {
        assert_eq!(
            found(&fixture.staff, "/api/admin/businesses/list", search).await,
            [acai],
            "{search}"
        );
    }
}

#[tokio::test]
async fn a_password_keeps_its_characters_and_no_other_text_does() {
    let app = TestApp::start().await;
    let company = app.company("Padaria Aurora").await;
    let user = app
        .seller(&[(&company, gateway_identity::roles::SellerRole::Owner)])
        .await;
    let seller = app.sign_in(&user).await;
    // A zero-width space is part of a password that was typed with it.
    let secret = "uma senha\u{200b} longa";
    let change = json!({ "current_password": PASSWORD, "new_password": secret });
    assert_eq!(seller.post("/api/auth/change-password", change).await.status, 204);
    let signed_in = app.try_sign_in(&user, secret).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.body);
    assert_eq!(app.try_sign_in(&user, "uma senha longa").await.status, 422);
    let seller = app.client_for(&user).bearing(signed_in.text("/access_token"));
    let renamed = seller
        .patch(
            "/api/sellers/me",
            json!({ "name": "Joa\u{303}o\u{a0}\u{200d}Sá" }),
        )
        .await;
    assert_eq!(renamed.status, 200, "{}", renamed.body);
    assert_eq!(seller.get("/api/sellers/me").await.at("/name"), "João Sá");
}

#[tokio::test]
async fn the_database_and_the_gateway_fold_each_letter_alike() {
    let app = TestApp::start().await;
    let client = app.app.state.pool.get().await.expect("a connection");
    let letters = client
        .query(
            "SELECT chr(code), folded(chr(code)) FROM generate_series(1, 65374) AS code
              WHERE code < 592 OR code BETWEEN 7680 AND 7935 OR code BETWEEN 8208 AND 8223 OR code > 65280",
            &[],
        )
        .await
        .expect("Latin letters, accents, dashes, quotes and wide letters");
    let mut compared = 0;
    for row in &letters {
        let (letter, folded): (String, String) = (row.get(0), row.get(1));
        let key = search_key(&letter);
        // How a database writes other alphabets in lower case depends on its locale. Words have none of them.
        if key.is_ascii() || folded.is_ascii() {
            assert_eq!(folded, key, "{letter:?}");
            compared += 1;
        }
    }
    assert!(compared > 700, "{compared} letters");
}
