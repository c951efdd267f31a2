use ledger_domain::Cents;
use ledger_domain::documents::CpfError;
use ledger_domain::money::AmountError;
use proptest::prelude::*;
use serde::Deserialize;

use super::checksum::crc16;
use super::*;

/// The example of the Central Bank's manual.
const MANUAL: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de \
                      Tal6008BRASILIA62070503***63041D3D";
/// A static code with an amount and a reference. `shop` has its fields.
const SHOP: &str = "00020126360014br.gov.bcb.pix0114112223330001815204000053039865406149.905802BR5912LOJA DO JOAO6009SAO \
                    PAULO62140510PEDIDO00016304643F";

#[derive(Deserialize)]
struct Vectors {
    pix_static: Vec<Vector>,
    cpf_valid: Vec<String>,
    cnpj_alnum_valid: Vec<String>,
}

#[derive(Deserialize)]
struct Vector {
    key: String,
    amount: String,
    txid: String,
    name: String,
    city: String,
    payload: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../fixtures/vectors.json")).expect("the vectors are readable")
}

fn shop() -> PixCode {
    PixCode {
        target: PixTarget::Key(PixKey::parse("11.222.333/0001-81").expect("a CNPJ")),
        one_use: false,
        amount: Some(Cents::new(149_90)),
        merchant_name: MerchantName::normalize("Loja do João").expect("a name"),
        merchant_city: MerchantCity::normalize("São Paulo").expect("a city"),
        txid: Some(Txid::parse("PEDIDO0001").expect("a reference")),
    }
}

fn dynamic() -> PixCode {
    PixCode {
        target: PixTarget::Url(
            PixUrl::parse("pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25").expect("a URL"),
        ),
        one_use: true,
        ..shop()
    }
}

/// What a reader needs of a code that we wrote.
fn received(code: &PixCode) -> ReceivedPixCode {
    ReceivedPixCode {
        target: match &code.target {
            PixTarget::Key(key) => ReceivedTarget::Key(key.as_str().to_owned()),
            PixTarget::Url(url) => ReceivedTarget::Url(url.as_str().to_owned()),
        },
        amount: code.amount,
    }
}

fn with_checksum(fields: &str) -> String {
    let covered = format!("{fields}6304");
    format!("{covered}{:04X}", crc16(covered.as_bytes()))
}

/// The shop's code with one part replaced, and the checksum of the result.
fn altered(part: &str, replacement: &str) -> String {
    let fields = &SHOP[..SHOP.len() - 8];
    assert_eq!(fields.matches(part).count(), 1, "{part} occurs once");
    with_checksum(&fields.replace(part, replacement))
}

#[test]
fn codes_of_independent_implementations_are_written_and_read() {
    let vectors = vectors().pix_static;
    assert_eq!(vectors.len(), 20);
    for vector in vectors {
        let cents = vector.amount.replace('.', "").parse().expect("an amount");
        let code = PixCode {
            target: PixTarget::Key(PixKey::parse(&vector.key).expect("a key")),
            one_use: false,
            amount: Some(Cents::new(cents)),
            merchant_name: MerchantName::normalize(&vector.name).expect("a name"),
            merchant_city: MerchantCity::normalize(&vector.city).expect("a city"),
            txid: Some(Txid::parse(&vector.txid).expect("a reference")),
        };
        assert_eq!(code.encode().as_ref(), Ok(&vector.payload));
        assert_eq!(ReceivedPixCode::read(&vector.payload), Ok(received(&code)));
    }
}

#[test]
fn a_static_code_and_the_manuals_example_are_written_and_read() {
    assert_eq!(shop().encode().as_deref(), Ok(SHOP));
    assert_eq!(ReceivedPixCode::read(SHOP), Ok(received(&shop())));
    let manual = ReceivedPixCode::read(MANUAL).expect("a code");
    let key = ReceivedTarget::Key("123e4567-e12b-12d1-a456-426655440000".to_owned());
    assert_eq!((manual.amount, manual.target), (None, key));
}

/// Each line: the cents of the order, the code, and who writes such codes. Names, keys and addresses are replaced.
#[test]
fn codes_that_other_issuers_write_are_read() {
    let codes = include_str!("../../../../fixtures/codes/pix-of-other-issuers.tsv");
    let mut read = 0;
    for line in codes.lines().skip(1) {
        let [cents, code, source] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let ordered = Cents::new(cents.parse().expect("cents"));
        let agreed = crate::agreement::check_pix(code, ordered);
        assert!(agreed.is_ok(), "{source}: {agreed:?}");
        if agreed.is_ok_and(|code| code.amount.is_some()) {
            let other = Cents::new(ordered.get() + 1);
            assert!(crate::agreement::check_pix(code, other).is_err(), "{source}");
        }
        read += 1;
    }
    assert!(read >= 5, "{read} codes");
}

#[test]
fn what_binds_writers_does_not_bind_readers() {
    let shop = Ok(received(&shop()));
    for (part, replacement) in [
        ("62140510PEDIDO0001", ""),
        ("62140510PEDIDO0001", "62090605PEDID"),
        ("0510PEDIDO0001", "0510PEDIDO-001"),
        ("5912LOJA DO JOAO", "5933LOJA DO JOAO E FILHOS COMERCIO SA"),
        ("6009SAO PAULO", ""),
        ("6009SAO PAULO", "6000"),
        ("52040000", "520300a"),
        ("000201", "000201010213"),
        ("5802BR", ""),
        ("5802BR", "5802BR5802BR"),
    ] {
        assert_eq!(
            ReceivedPixCode::read(&altered(part, replacement)),
            shop,
            "{replacement}"
        );
    }
    // A key that is written with a mask, by a bank that ignores the directory's form.
    let masked = altered(
        "360014br.gov.bcb.pix011411222333000181",
        "400014br.gov.bcb.pix011811.222.333/0001-81",
    );
    let key = ReceivedTarget::Key("11.222.333/0001-81".to_owned());
    assert_eq!(ReceivedPixCode::read(&masked).map(|code| code.target), Ok(key));
    let lower = SHOP.replace("643F", "643f");
    assert_eq!(ReceivedPixCode::read(&lower), shop);
}

#[test]
fn letters_outside_ascii_are_read_however_the_writer_counts_them() {
    let shop = Ok(received(&shop()));
    let name = "LOJA DO JOÃO";
    for counted in [name.chars().count(), name.len()] {
        let written = altered("5912LOJA DO JOAO", &format!("59{counted}{name}"));
        assert_eq!(ReceivedPixCode::read(&written), shop, "{counted}");
    }
    // The checksum over ISO 8859-1.
    let covered = altered("5912LOJA DO JOAO", &format!("5912{name}"));
    let covered = &covered[..covered.len() - 4];
    let bytes: Vec<u8> = covered
        .chars()
        .map(|letter| u8::try_from(letter).expect("Latin"))
        .collect();
    assert_eq!(
        ReceivedPixCode::read(&format!("{covered}{:04X}", crc16(&bytes))),
        shop
    );
}

#[test]
fn fields_in_another_order_and_unknown_fields_are_read() {
    let fields = "6009SAO PAULO5912LOJA DO JOAO5802BR5406149.90530398652040000\
                  26360114112223330001810014BR.GOV.BCB.PIX62140510PEDIDO00018003abc000201";
    assert_eq!(
        ReceivedPixCode::read(&with_checksum(fields)),
        Ok(received(&shop()))
    );
    // The account of another payment system comes before that of PIX.
    let other = altered("26360014", "26080004abcd27360014");
    assert_eq!(ReceivedPixCode::read(&other), Ok(received(&shop())));
    // Its account need not have fields.
    let other = altered("26360014", "2604abcd27360014");
    assert_eq!(ReceivedPixCode::read(&other), Ok(received(&shop())));
}

#[test]
fn a_dynamic_code_may_have_a_long_reference_and_no_amount() {
    let charge = PixCode {
        amount: None,
        txid: Some(Txid::parse(&"A1".repeat(17)).expect("34 characters")),
        ..dynamic()
    };
    assert_eq!(
        ReceivedPixCode::read(&charge.encode().expect("a code")),
        Ok(received(&charge))
    );
    let with_static_key = PixCode {
        target: shop().target,
        ..charge
    };
    assert!(matches!(
        with_static_key.encode(),
        Err(PixCodeError::Text {
            error: PixTextError::TooLong { max: 25 },
            ..
        })
    ));
}

#[test]
fn an_amount_is_read_to_the_cent() {
    let amount = |written: &str| {
        let field = format!("54{:02}{written}5802", written.len());
        ReceivedPixCode::read(&altered("5406149.905802", &field)).map(|code| code.amount)
    };
    for (written, cents) in [
        ("0.01", 1),
        ("10.00", 10_00),
        ("7", 7_00),
        ("1.5", 1_50),
        ("01.50", 1_50),
        ("7.", 7_00),
        ("99999999.99", 99_999_999_99),
    ] {
        assert_eq!(amount(written), Ok(Some(Cents::new(cents))), "{written}");
    }
    assert_eq!(amount("0.00"), Ok(None));
    for written in ["1,50", ".50", "1.505", "-1.50", "1.50.0", "1. 0", "+1.50"] {
        let refused = Err(PixCodeError::AmountFormat(written.to_owned()));
        assert_eq!(amount(written), refused, "{written}");
    }
    assert_eq!(
        amount("100000000.00"),
        Err(PixCodeError::Amount(AmountError::TooLarge))
    );
    let negative = PixCode {
        amount: Some(Cents::new(-1)),
        ..shop()
    };
    assert_eq!(
        negative.encode(),
        Err(PixCodeError::Amount(AmountError::NotPositive))
    );
}

#[test]
fn each_fault_of_a_code_has_its_message() {
    let decode_error = |text: &str| ReceivedPixCode::read(text).expect_err("refused").to_string();
    let assert_error = |part, replacement, message: &str| {
        assert_eq!(decode_error(&altered(part, replacement)), message);
    };
    assert_eq!(
        decode_error(&SHOP.replace("149.90", "149.91")),
        "the code has the checksum 643F, and not F369"
    );
    assert_eq!(
        decode_error(&"0".repeat(1_001)),
        "a PIX code has at most 1000 characters, not 1001"
    );
    assert_eq!(decode_error("00é2\n"), "character 5 is a control character");
    let missing = "the code does not end with a checksum (6304 and four hexadecimal digits)";
    for text in ["", "630", "63041D", "00020163051D3D", "6304é1D"] {
        assert_eq!(decode_error(text), missing, "{text}");
    }
    assert_error(
        "000201",
        "00x201",
        "at character 1 a field must begin with a number and a length of two digits each",
    );
    assert_error("5912LOJA", "5999LOJA", "field 59 is cut off");
    // An account that cannot be read is not known to be that of PIX.
    assert_error("0114112", "0124112", "the code names no account of PIX");
    assert_error(
        "26360014br.gov.bcb.pix011411222333000181",
        "26180014br.gov.bcb.pix",
        "the account of PIX has neither a key nor an address",
    );
    assert_error("5406149.90", "5406149.905406149.90", "field 54 occurs twice");
    assert_error("5303986", "5303840", "field 53 is \"840\", which is not 986");
    assert_error("000201", "000202", "field 00 is \"02\", which is not 01");
    assert_error(
        "br.gov.bcb.pix",
        "br.gov.bcb.ted",
        "the code names no account of PIX",
    );
    assert_error(
        "52040000",
        "27180014br.gov.bcb.pix52040000",
        "field 27-00 occurs twice",
    );
}

#[test]
fn keys_are_converted_to_the_form_that_dict_stores() {
    let key = |text: &str| PixKey::parse(text).map(|key| key.as_str().to_owned());
    for vectors in [vectors().cpf_valid, vectors().cnpj_alnum_valid] {
        for text in vectors {
            assert_eq!(key(&text), Ok(text.clone()));
        }
    }
    assert_eq!(key("529.982.247-25").as_deref(), Ok("52998224725"));
    assert_eq!(key("12.abc.345/01de-35").as_deref(), Ok("12ABC34501DE35"));
    assert_eq!(key(" Loja@Example.COM ").as_deref(), Ok("loja@example.com"));
    assert_eq!(key("+5511987654321").as_deref(), Ok("+5511987654321"));
    assert_eq!(key("+5511@example.com").as_deref(), Ok("+5511@example.com"));
    assert_eq!(
        key("529.982.247-24"),
        Err(PixKeyError::Cpf(CpfError::CheckDigits))
    );
    for phone in [
        "+551198765432",
        "+5501987654321",
        "+1198765432100",
        "+55119876543210",
        "+55é1987654321",
    ] {
        assert_eq!(key(phone), Err(PixKeyError::Phone), "{phone}");
    }
    let long = format!("{}@example.com", "a".repeat(66));
    for email in [
        "@example.com",
        "loja@",
        "loja@example",
        "lo ja@example.com",
        "loja@-a.com",
        "loja@a..com",
        "a@b@c.com",
        &long,
    ] {
        assert_eq!(key(email), Err(PixKeyError::Email), "{email}");
    }
    assert!(key(&long[1..]).is_ok());
    assert_eq!(
        key("123e4567-e89b-42d3-a456-42665544000G"),
        Err(PixKeyError::Random)
    );
    assert_eq!(key(""), Err(PixKeyError::Unknown));
}

#[test]
fn names_and_cities_become_upper_case_ascii() {
    let name = |text| MerchantName::normalize(text).map(|name| name.to_string());
    assert_eq!(name("Padaria São José").as_deref(), Ok("PADARIA SAO JOSE"));
    assert_eq!(name("  Açaí   & Cia.  ").as_deref(), Ok("ACAI & CIA."));
    assert_eq!(
        name("Comércio de Alimentos da Serra Ltda").as_deref(),
        Ok("COMERCIO DE ALIMENTOS DA")
    );
    assert_eq!(name("Café ☕ Bom").as_deref(), Ok("CAFE BOM"));
    assert_eq!(name("☕"), Err(PixTextError::Empty));
    // Letters that Unicode does not decompose.
    assert_eq!(name("Łukasz Øster Straße").as_deref(), Ok("LUKASZ OSTER STRASSE"));
    assert_eq!(
        name("Cervejaria D’Ávila – Þór").as_deref(),
        Ok("CERVEJARIA D'AVILA - THOR")
    );
    let city = MerchantCity::normalize("São José dos Campos").expect("a city");
    assert_eq!(city.as_str(), "SAO JOSE DOS CA");
}

#[test]
fn addresses_have_a_host_and_a_path() {
    for (text, error) in [
        ("https://pix.example.com/qr/1", PixTextError::Address),
        ("pix.example.com", PixTextError::Address),
        ("pix.example.com/", PixTextError::Address),
        ("localhost/qr", PixTextError::Address),
        ("pix.example.com/qr 1", PixTextError::Character),
        ("", PixTextError::Empty),
        (
            &format!("pix.example.com/{}", "a".repeat(62)),
            PixTextError::TooLong { max: 77 },
        ),
    ] {
        assert_eq!(PixUrl::parse(text), Err(error), "{text}");
    }
}

fn any_key() -> impl Strategy<Value = PixKey> {
    let valid = vectors();
    prop_oneof![
        proptest::sample::select(valid.cpf_valid),
        proptest::sample::select(valid.cnpj_alnum_valid),
        "\\+55[1-9]{2}[0-9]{9}",
        "[a-z0-9.+_]{1,20}@[a-z0-9]{1,20}\\.com(\\.br)?",
        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    ]
    .prop_map(|text| PixKey::parse(&text).expect("a key"))
}

fn any_code() -> impl Strategy<Value = PixCode> {
    let target = prop_oneof![
        any_key().prop_map(PixTarget::Key),
        "[a-z]{1,20}\\.example\\.com/[a-zA-Z0-9/-]{1,43}"
            .prop_map(|text| PixTarget::Url(PixUrl::parse(&text).expect("a URL"))),
    ];
    (
        target,
        any::<bool>(),
        proptest::option::of(1..=Cents::AMOUNT_MAX.get()),
        "[A-Za-zÀ-ü0-9 .&'-]{0,40}[A-Z]",
        "[A-Z][A-Za-zÀ-ü ]{0,30}",
        proptest::option::of("[A-Za-z0-9]{1,25}"),
    )
        .prop_map(|(target, one_use, amount, name, city, txid)| PixCode {
            target,
            one_use,
            amount: amount.map(Cents::new),
            merchant_name: MerchantName::normalize(&name).expect("it ends with a letter"),
            merchant_city: MerchantCity::normalize(&city).expect("it begins with a letter"),
            txid: txid.map(|text| Txid::parse(&text).expect("a reference")),
        })
}

proptest! {
    #[test]
    fn a_written_code_reads_as_itself(code in any_code()) {
        prop_assert_eq!(ReceivedPixCode::read(&code.encode().expect("it fits")), Ok(received(&code)));
    }

    #[test]
    fn every_change_of_one_character_is_refused(code in any_code(), place: proptest::sample::Index, other in b' '..=b'~') {
        let mut bytes = code.encode().expect("it fits").into_bytes();
        let place = place.index(bytes.len());
        // The checksum's own letters may be of either case.
        prop_assume!(!bytes[place].eq_ignore_ascii_case(&other));
        bytes[place] = other;
        let changed = String::from_utf8(bytes).expect("ASCII");
        prop_assert!(ReceivedPixCode::read(&changed).is_err(), "{}", changed);
    }

    #[test]
    fn decoding_never_panics(text in "\\PC{0,80}", fields in "([0-9]{4}[ -~]{0,9}){0,8}") {
        prop_assert!(ReceivedPixCode::read(&text).is_err());
        let _ = ReceivedPixCode::read(&with_checksum(&fields));
    }
}
