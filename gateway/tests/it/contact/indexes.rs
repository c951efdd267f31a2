//! The list among many messages reads indexes.

use gateway_platform::contact::{ContactFilter, ContactState};
use gateway_platform::list::list_batch;
use gateway_platform::word_search::WordSearch;
use projections::SortOrder;
use tokio_postgres::Client;

use super::ContactFixture;
use crate::projections::indexes::scans_since_last_call;

/// Few of the messages are new, and few are the fixture's own.
async fn with_many_messages() -> ContactFixture {
    let fixture = ContactFixture::open().await;
    let other = fixture.app.company("Mercado").await;
    fixture
        .app
        .seller(&[(&other, gateway_identity::roles::SellerRole::Owner)])
        .await;
    fixture.message("Repasse").await;
    let many = format!(
        "INSERT INTO contact_message (id, seller_id, business_id, panel_url, subject, body, state, created_at, updated_at)
         SELECT md5('message' || n)::uuid, a.seller_id, a.business_id, 'http://localhost', 'Dúvida ' || md5(n::text), 'Texto',
                CASE WHEN n % 500 = 0 THEN 'new' ELSE 'answered' END, now() - n * interval '1 minute', now()
           FROM generate_series(1, 5000) AS n, business_access a WHERE a.business_id = '{}'",
        other.id.uuid()
    );
    fixture.app.fill("contact_message", &many).await;
    fixture
        .app
        .execute("ANALYZE contact_message; ANALYZE contact_message_word")
        .await;
    fixture
}

/// The indexes of messages that the last query used. It must not have scanned all messages or words.
async fn indexes(client: &Client, query: &str) -> Vec<String> {
    let (whole, indexes) = scans_since_last_call(client).await;
    let is_of_messages = |name: &String| name.starts_with("contact_message");
    let whole: Vec<_> = whole.into_iter().filter(is_of_messages).collect();
    assert!(whole.is_empty(), "{query} scans all of {whole:?}");
    indexes.into_iter().filter(is_of_messages).collect()
}

#[tokio::test]
async fn the_list_scans_no_table() {
    let fixture = with_many_messages().await;
    let search = |text: &str| ContactFilter {
        search: WordSearch::parse(text),
        ..ContactFilter::default()
    };
    let own = ContactFilter {
        seller: Some(fixture.user.id),
        ..ContactFilter::default()
    };
    let of_company = ContactFilter {
        business_id: Some(fixture.company.id),
        ..ContactFilter::default()
    };
    let new = ContactFilter {
        state: Some(ContactState::New),
        order: SortOrder::Asc,
        ..ContactFilter::default()
    };
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    // Only scans after this one count.
    scans_since_last_call(&client).await;
    for (query, filter, count, index) in [
        (
            "the newest",
            ContactFilter::default(),
            5,
            "contact_message_by_creation",
        ),
        ("new messages", new, 5, "contact_message_by_state"),
        ("a seller's own", own, 1, "contact_message_of_seller"),
        ("a company's", of_company, 1, "contact_message_of_business"),
        ("a rare word", search("repas"), 1, "contact_message_word_pkey"),
        (
            "two words",
            search("padaria repasse"),
            1,
            "contact_message_word_pkey",
        ),
        ("no such word", search("zebra"), 0, "contact_message_word_pkey"),
    ] {
        let batch = list_batch(&client, &filter, None, 5).await.expect("a list");
        assert_eq!(batch.rows.len(), count, "{query}");
        let used = indexes(&client, query).await;
        assert!(used.iter().any(|name| name == index), "{query} uses {used:?}");
        let Some(next) = batch.next else { continue };
        list_batch(&client, &filter, Some(&next), 5)
            .await
            .expect("a batch");
        let used = indexes(&client, "the next batch").await;
        assert!(used.iter().any(|name| name == index), "after {query}: {used:?}");
    }
}
