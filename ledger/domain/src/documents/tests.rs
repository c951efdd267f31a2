use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Vectors {
    cpf_valid: Vec<String>,
    cnpj_alnum_valid: Vec<String>,
    cnpj_numeric_valid: Vec<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../fixtures/vectors.json")).expect("the vectors are readable")
}

/// The text with the digit or letter at `place` replaced by another.
fn altered(text: &str, place: usize) -> String {
    let altered = |character: char| match character {
        '9' => '0',
        'Z' => 'A',
        other => char::from_u32(other as u32 + 1).expect("still ASCII"),
    };
    text.chars()
        .enumerate()
        .map(|(at, character)| {
            if at == place {
                altered(character)
            } else {
                character
            }
        })
        .collect()
}

#[test]
fn valid_documents_parse_and_a_changed_check_digit_is_refused() {
    let vectors = vectors();
    assert_eq!(vectors.cpf_valid.len(), 50);
    for text in &vectors.cpf_valid {
        assert_eq!(
            Cpf::parse(text).map(|cpf| cpf.unmasked().to_owned()).as_ref(),
            Ok(text)
        );
        assert_eq!(
            Cpf::parse(&altered(text, 9)),
            Err(CpfError::CheckDigits),
            "{text}"
        );
        assert_eq!(
            Cpf::parse(&altered(text, 10)),
            Err(CpfError::CheckDigits),
            "{text}"
        );
    }
    let cnpjs: Vec<_> = vectors
        .cnpj_alnum_valid
        .iter()
        .chain(&vectors.cnpj_numeric_valid)
        .collect();
    assert_eq!(cnpjs.len(), 75);
    for text in cnpjs {
        assert_eq!(
            Cnpj::parse(text).map(|cnpj| cnpj.unmasked().to_owned()).as_ref(),
            Ok(text)
        );
        assert_eq!(
            Cnpj::parse(&altered(text, 12)),
            Err(CnpjError::CheckDigits),
            "{text}"
        );
        assert_eq!(
            Cnpj::parse(&altered(text, 13)),
            Err(CnpjError::CheckDigits),
            "{text}"
        );
    }
}

#[test]
fn a_cpf_parses_with_or_without_its_mask() {
    for masked in ["529.982.247-25", "111.444.777-35", "012.345.678-90"] {
        let cpf = Cpf::parse(masked).expect("a valid CPF");
        assert_eq!(cpf.to_string(), masked);
        assert_eq!(Cpf::parse(cpf.unmasked()), Ok(cpf));
    }
}

#[test]
fn an_invalid_cpf_is_refused_with_its_reason() {
    assert_eq!(Cpf::parse("529.982.247-24"), Err(CpfError::CheckDigits));
    assert_eq!(Cpf::parse("123.456.789-09"), Err(CpfError::Sample));
    for digit in 0..=9 {
        assert_eq!(Cpf::parse(&digit.to_string().repeat(11)), Err(CpfError::Repeated));
    }
    assert_eq!(Cpf::parse("5299822472"), Err(CpfError::Length));
    assert_eq!(Cpf::parse(""), Err(CpfError::Length));
    assert_eq!(Cpf::parse("5299822472A"), Err(CpfError::Character));
    assert_eq!(Cpf::parse("5299822472٥"), Err(CpfError::Character));
}

#[test]
fn a_cnpj_may_have_letters() {
    for (text, masked) in [
        ("11.222.333/0001-81", "11.222.333/0001-81"),
        ("12.ABC.345/01DE-35", "12.ABC.345/01DE-35"),
        ("12.abc.345/01de-35", "12.ABC.345/01DE-35"),
        ("A1B2C3D4E5F668", "A1.B2C.3D4/E5F6-68"),
    ] {
        assert_eq!(
            Cnpj::parse(text).map(|cnpj| cnpj.to_string()),
            Ok(masked.to_owned())
        );
    }
}

#[test]
fn an_invalid_cnpj_is_refused_with_its_reason() {
    assert_eq!(Cnpj::parse("12ABC34501DE36"), Err(CnpjError::CheckDigits));
    assert_eq!(Cnpj::parse("00000000000000"), Err(CnpjError::Repeated));
    assert_eq!(Cnpj::parse("12ABC34501DEA5"), Err(CnpjError::Character));
    assert_eq!(Cnpj::parse("12ABÇ34501DE35"), Err(CnpjError::Character));
    assert_eq!(Cnpj::parse("11_222_333_0001_81"), Err(CnpjError::Length));
    assert_eq!(Cnpj::parse("1122233300018"), Err(CnpjError::Length));
}

#[test]
fn fourteen_characters_are_a_cnpj_and_eleven_a_cpf() {
    assert!(matches!(
        Document::parse("12.ABC.345/01DE-35"),
        Ok(Document::Cnpj(_))
    ));
    assert!(matches!(Document::parse("529.982.247-25"), Ok(Document::Cpf(_))));
    assert_eq!(Document::parse("123"), Err(DocumentError::Length(3)));
    assert_eq!(
        Document::parse("5299822472A"),
        Err(DocumentError::Cpf(CpfError::Character))
    );
    assert_eq!(
        Document::parse("00000000000000"),
        Err(DocumentError::Cnpj(CnpjError::Repeated))
    );
}

#[test]
fn documents_have_no_mask_in_json() {
    let document: Document = serde_json::from_str(r#""529.982.247-25""#).expect("a document reads");
    assert_eq!(
        serde_json::to_string(&document).expect("documents serialize"),
        r#""52998224725""#
    );
    assert!(serde_json::from_str::<Cnpj>(r#""12ABC34501DE36""#).is_err());
}

#[test]
fn debug_output_shows_only_the_middle_digits_of_a_cpf() {
    let cpf = Cpf::parse("529.982.247-25").expect("a valid CPF");
    assert_eq!(format!("{:?}", Document::Cpf(cpf)), "Cpf(Cpf(***.982.247-**))");
}

#[test]
fn a_postal_code_has_its_state() {
    let ranges = "SP 01000 19999, RJ 20000 28999, ES 29000 29999, MG 30000 39999, BA 40000 48999, SE 49000 49999, \
        PE 50000 56999, AL 57000 57999, PB 58000 58999, RN 59000 59999, CE 60000 63999, PI 64000 64999, \
        MA 65000 65999, PA 66000 68899, AP 68900 68999, AM 69000 69299, AM 69400 69899, RR 69300 69399, \
        AC 69900 69999, DF 70000 72799, DF 73000 73699, GO 72800 72999, GO 73700 76799, RO 76800 76999, \
        TO 77000 77999, MT 78000 78899, MS 79000 79999, PR 80000 87999, SC 88000 89999, RS 90000 99999";
    for range in ranges.split(',') {
        let words: Vec<_> = range.split_whitespace().collect();
        let state = State::parse(words[0]).expect("a state");
        for cep in [format!("{}-000", words[1]), format!("{}-999", words[2])] {
            assert_eq!(Cep::parse(&cep).map(|cep| cep.state()), Ok(Some(state)), "{cep}");
        }
    }
    for nowhere in ["00999-999", "78900-000", "78999-999"] {
        assert_eq!(Cep::parse(nowhere).map(|cep| cep.state()), Ok(None), "{nowhere}");
    }
    assert_eq!(State::ALL.len(), 27);
}

#[test]
fn a_postal_code_has_eight_digits() {
    for spelled in ["01310100", "01310-100"] {
        let cep = Cep::parse(spelled).expect("a postal code");
        assert_eq!(
            (cep.unmasked(), cep.to_string().as_str()),
            ("01310100", "01310-100")
        );
    }
    assert_eq!(Cep::parse("0131010"), Err(CepError::Length));
    assert_eq!(Cep::parse("0131010A"), Err(CepError::Character));
}

proptest! {
    #[test]
    fn parsing_never_panics(text in "(\\PC|[0-9A-Z./ -]){0,20}") {
        if let Ok(document) = Document::parse(&text) {
            prop_assert_eq!(Document::parse(&document.to_string()), Ok(document));
        }
        if let Ok(cep) = Cep::parse(&text) {
            cep.state();
        }
    }
}
