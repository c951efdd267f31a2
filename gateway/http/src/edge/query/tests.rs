//! A declared query: the document's parameters, the values that are read, and the errors of one 422.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use ledger_domain::BusinessId;
use projections::{SortOrder, TimeRange};
use serde_json::{Value, json};

use super::*;
use crate::edge::control_characters;

query! {
    /// One field of each kind.
    #[derive(Debug)]
    struct ThingQuery {
        /// The day,
        /// in Brasília.
        #[example = "2026-11-21"]
        date: NaiveDate,
        #[name = "business_id"]
        company: Option<BusinessId>,
        note: Option<String>,
        /// asc by default.
        order: SortOrder = SortOrder::Asc,
        range: ..TimeRange,
        paging: ..Paging,
    }
}

fn read(query: &str) -> Result<ThingQuery> {
    QueryReader::new(query)?.read_all()
}

fn errors(query: &str) -> Value {
    let problem = read(query).expect_err("errors");
    assert_eq!(problem.status.as_u16(), 422);
    json!(problem.errors)
}

#[test]
fn the_document_has_what_is_declared() {
    let found: BTreeMap<String, Value> = ThingQuery::params()
        .into_iter()
        .map(|parameter| (parameter.name.clone(), json!(parameter)))
        .collect();
    let names: Vec<_> = found.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "business_id",
            "date",
            "end",
            "note",
            "order",
            "page",
            "perPage",
            "start"
        ]
    );
    let date = json!({
        "name": "date", "in": "query", "required": true, "description": "The day,\nin Brasília.",
        "example": "2026-11-21", "schema": { "type": "string", "format": "date" },
    });
    assert_eq!(found["date"], date);
    let order = json!({
        "name": "order", "in": "query", "required": false, "description": "asc by default.",
        "schema": { "type": "string", "enum": ["asc", "desc"] },
    });
    assert_eq!(found["order"], order);
    let note = json!({ "name": "note", "in": "query", "required": false, "schema": { "type": "string" } });
    assert_eq!(found["note"], note);
    assert_eq!(
        found["perPage"]["schema"],
        json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": 100 })
    );
}

#[test]
fn absent_parameters_have_their_defaults() {
    let query = read("date=2026-11-21").expect("a query");
    assert_eq!(query.date.to_string(), "2026-11-21");
    assert_eq!(
        (query.company, query.note, query.order),
        (None, None, SortOrder::Asc)
    );
    assert_eq!(query.range, TimeRange::default());
    let first = Paging {
        page: 1,
        per_page: 20,
    };
    assert_eq!(query.paging, first);
}

#[test]
fn values_are_trimmed_and_read() {
    let id = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02";
    let query = format!("date=+2026-11-21+&business_id={id}&note=+dois+ovos+&order=desc&perPage=100&page=3");
    let query = read(&query).expect("a query");
    assert_eq!(query.company.map(|id| id.to_string()).as_deref(), Some(id));
    assert_eq!(query.note.as_deref(), Some("dois ovos"));
    assert_eq!(query.order, SortOrder::Desc);
    let third = Paging {
        page: 3,
        per_page: 100,
    };
    assert_eq!(query.paging, third);
}

#[test]
fn one_422_has_the_errors_of_all_values() {
    let found = errors("date=ontem&business_id=7&order=up&start=2026&end=x&page=0&perPage=101");
    let range = "A data deve estar no formato AAAA-MM-DD ou, com a hora, no formato RFC 3339.";
    let expected = json!({
        "date": ["A data deve estar no formato AAAA-MM-DD."],
        "business_id": ["Deve ser o id de uma empresa."],
        "order": ["Deve ser asc ou desc."],
        "start": [range],
        "end": [range],
        "page": ["A página deve ser um número a partir de 1."],
        "perPage": ["Cada página pode ter de 1 a 100 itens."],
    });
    assert_eq!(found, expected);
}

#[test]
fn a_rule_over_two_values_has_its_error_with_the_others() {
    let expected = json!({
        "date": ["Informe a data."],
        "end": ["A data final deve ser igual ou posterior à inicial."],
        "order": ["Deve ser asc ou desc."],
    });
    assert_eq!(errors("start=2026-11-22&end=2026-11-21&order=up"), expected);
}

#[test]
fn an_empty_value_is_an_error_unless_it_is_a_free_text() {
    let expected = json!({ "date": ["Informe a data."], "order": ["Deve ser asc ou desc."] });
    assert_eq!(errors("date=&order=+&note=+"), expected);
    let query = read("date=2026-11-21&note=").expect("a query");
    assert_eq!(query.note, None);
}

#[test]
fn a_control_character_is_the_only_error_of_its_value() {
    let message = control_characters::MESSAGE;
    let expected = json!({ "date": [message], "note": [message], "page": ["A página deve ser um número a partir de 1."] });
    assert_eq!(errors("date=%00&note=a%1Fb&page=x"), expected);
}

struct Between(NaiveDate, NaiveDate);

query! {
    impl FromQuery for Between with query {
        start: NaiveDate,
        end: NaiveDate,
    } => {
        check_period(query, Some(start), Some(end));
        Self(start, end)
    }
}

#[test]
fn a_query_becomes_another_type() {
    let read = |query| QueryReader::new(query).and_then(QueryReader::read_all::<Between>);
    let Between(start, end) = read("start=2026-11-20&end=2026-11-21").expect("a query");
    assert_eq!((end - start).num_days(), 1);
    let reversed = read("start=2026-11-21&end=2026-11-20").err().expect("an error");
    assert_eq!(reversed.errors.keys().collect::<Vec<_>>(), ["end"]);
}
