//! The search for users by the beginnings of words: it follows each change of a user, and it reads an index.

use gateway_identity::roles::AdminRole;
use gateway_identity::users::{Search, SellerFilter, seller_list};
use gateway_platform::list::{list_batch, list_page};
use projections::Paging;
use serde_json::json;

use super::{OPERATOR, OWNER, TeamFixture, delete};
use crate::projections::indexes::scans_since_last_call;
use crate::support::TestApp;

#[tokio::test]
async fn staff_find_a_user_by_the_present_name_e_mail_and_cpf_and_not_by_earlier_ones() {
    let fixture = TeamFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    let user = fixture.user(&[(bakery, OPERATOR)]).await;
    fixture.user(&[(pharmacy, OWNER)]).await;
    let sac = fixture.app.admin(&[AdminRole::Sac]).await;
    let staff = fixture.app.sign_in(&sac).await;
    let path = format!("/api/admin/sellers/{}", user.id);
    let found = async |search: &str| -> bool {
        let list = staff.get(&format!("/api/admin/sellers?search={search}")).await;
        assert_eq!(list.status, 200, "{}", list.body);
        let rows = list.at("/data").as_array().expect("rows");
        assert!(rows.iter().all(|row| row["id"] == json!(user.id)), "{search}");
        rows.len() == 1
    };
    let save = async |name: &str, email: &str, document: &str| {
        let change = json!({ "name": name, "email": email, "document": document });
        let changed = staff.patch(&path, change).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        fixture.app.new_addresses_take_effect().await;
    };
    save(
        "Inês Conceição",
        "nena.reis+caixa@doceria.example",
        "862.883.667-57",
    )
    .await;
    for text in [
        "in%C3%AAs",
        "CONCEI",
        "conceicao%20ines",
        "doceria",
        "caixa",
        "@doceria",
        "reis.nena",
        "nena.reis%2Bcaixa@doc",
        "862.883.667-57",
        "86288366757",
        "862.88",
        "ines%20862.88",
    ] {
        assert!(found(text).await, "{text}");
    }
    for text in [
        "ceicao",
        "eis%2Bcaixa@doceria",
        "88366757",
        "%25",
        "ines%20aurora",
    ] {
        assert!(!found(text).await, "{text}");
    }
    save("Rute Prado", "rute@livros.example", "153.509.460-56").await;
    for text in ["rute@livros.example", "prado", "livros", "153.509"] {
        assert!(found(text).await, "{text}");
    }
    for text in ["ines", "doceria", "nena.reis%2Bcaixa@doceria.example", "862.883"] {
        assert!(!found(text).await, "{text}");
    }
    let team = staff
        .get(&format!(
            "/api/admin/sellers?search=rute&business_id={}",
            pharmacy.id
        ))
        .await;
    assert_eq!(team.at("/meta/total"), &json!(0));
    assert_eq!(delete(&staff, &path, None).await.status, 204);
    assert!(!found("rute").await);
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    let words = client
        .query(
            "SELECT FROM seller_user_word WHERE seller_id = $1",
            &[&user.id.uuid()],
        )
        .await
        .expect("words");
    assert!(words.is_empty(), "a deleted user has no words");
}

#[tokio::test]
async fn a_search_among_many_users_scans_no_table_of_users() {
    let app = TestApp::start().await;
    // User n has the e-mail pessoa-n@loja.example and n as the CPF; every 20th is called Souza.
    app.fill(
        "seller_user",
        "INSERT INTO seller_user (id, name, email, password_hash, document)
         SELECT md5('user' || n)::uuid, 'Ana ' || CASE WHEN n % 20 = 0 THEN 'Souza ' ELSE '' END || md5(n::text),
                'pessoa-' || n || '@loja.example', '$argon2id$x', lpad(n::text, 11, '0')
           FROM generate_series(1, 20000) AS n",
    )
    .await;
    app.execute("ANALYZE seller_user; ANALYZE seller_user_word").await;
    let client = app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(&client).await;
    for (text, rows, total) in [
        ("souza 7000", 1, 1),
        ("19777", 1, 1),
        // The CPFs from 00000019770 to 00000019779.
        ("0000001977", 10, 10),
        ("pessoa-777@loja.example", 1, 1),
        ("zebra", 0, 0),
    ] {
        let filter = SellerFilter {
            search: Search::parse(text),
            ..SellerFilter::default()
        };
        let first = Paging {
            page: 1,
            per_page: 20,
        };
        let found = seller_list(&client, &filter, first).await.expect("a list");
        assert_eq!((found.rows.len(), found.total), (rows, total), "{text}");
        let (whole, _) = scans_since_last_call(&client).await;
        let of_users = whole.iter().any(|table| table.starts_with("seller_user"));
        assert!(!of_users, "{text} scans all of {whole:?}");
    }
    let common = SellerFilter {
        search: Search::parse("souza"),
        ..SellerFilter::default()
    };
    let all = list_batch(&client, &common, None, 2_000).await.expect("a batch");
    assert_eq!(all.rows.len(), 20_000 / 20);
    let second = Paging {
        page: 2,
        per_page: 20,
    };
    let second = list_page(&client, &common, second).await.expect("a list");
    assert_eq!((second.total, second.total_capped), (1_000, false));
    assert_eq!(second.rows, all.rows[20..40]);
}
