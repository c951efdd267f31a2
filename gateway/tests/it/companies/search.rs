//! The staff's search for companies.

use serde_json::{Value, json};

use crate::support::movements::{MovementsFixture, rows};

#[tokio::test]
async fn a_company_is_found_by_words_of_its_name_or_the_beginning_of_its_document() {
    let fixture = MovementsFixture::open().await;
    let names = async |search: &str| -> Vec<String> {
        let path = format!("/api/admin/businesses/list?search={search}");
        let found = fixture.staff.get(&path).await;
        assert_eq!(found.status, 200, "{}", found.body);
        let name = |row: &Value| row["name"].as_str().expect("a name").to_owned();
        rows(&found.body).iter().map(name).collect()
    };
    let (padaria, farmacia) = ("Padaria Aurora", "Farmácia São João");
    assert_eq!(names("").await, [farmacia, padaria], "by name");
    assert_eq!(names("AURORA").await, [padaria]);
    assert_eq!(names("farmacia%20sao").await, [farmacia]);
    assert_eq!(names("S%C3%83O").await, [farmacia]);
    assert!(names("%25").await.is_empty(), "a percent sign is not a wildcard");
    let path = format!("/api/admin/businesses/{}", fixture.company.id);
    let document = fixture.staff.get(&path).await.text("/document").to_owned();
    let masked = format!(
        "{}.{}.{}%2F{}-{}",
        &document[..2],
        &document[2..5],
        &document[5..8],
        &document[8..12],
        &document[12..]
    );
    assert_eq!(names(&masked).await, [padaria]);
    assert_eq!(names(&document[..8]).await, [padaria]);
    let found = fixture
        .staff
        .get("/api/admin/businesses/list?search=aurora")
        .await;
    let expected = json!({ "data": [{ "id": fixture.company.id, "name": padaria }] });
    assert_eq!(found.body, expected, "a select field gets no documents");
    let long = "x".repeat(121);
    let refused = fixture
        .staff
        .get(&format!("/api/admin/businesses/list?search={long}"))
        .await;
    assert_eq!(
        (refused.status, refused.at("/errors/search").is_array()),
        (422, true)
    );
}

#[tokio::test]
async fn a_company_is_shown_with_its_receiving_plan() {
    let fixture = MovementsFixture::open().await;
    let path = format!("/api/admin/businesses/{}", fixture.company.id);
    let company = fixture.staff.get(&path).await.body;
    assert_eq!(
        (&company["name"], &company["type"], &company["approval"]),
        (&json!("Padaria Aurora"), &json!("PJ"), &json!("enabled"))
    );
    assert_eq!(company["receiving_plan"]["flat_rate"], 3_50);
    for unknown in ["biz_00000000-0000-4000-8000-000000000000", "padaria"] {
        let path = format!("/api/admin/businesses/{unknown}");
        assert_eq!(fixture.staff.get(&path).await.status, 404, "{unknown}");
    }
}
