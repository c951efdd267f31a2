//! Text as the platform keeps it: in the normal form NFC, without characters that nobody sees. And its forms for other
//! uses: the key by which searches compare it, and its letters in ASCII.
//!
//! Keyboards and files write "ã" as one character or as two. Invisible characters come with text that is pasted from
//! web pages and chats. Two names that look the same must be the same, and a name must not change the direction of the
//! text around it. Passwords, tokens and ids of other systems are not cleaned: they are compared byte by byte.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Removes invisible characters, turns blanks of other widths into spaces, and returns the NFC form. Control characters
/// stay, because callers refuse them.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let visible = text.chars().filter(|character| !is_invisible(*character));
    let spaced = visible.map(|character| if is_wide_blank(character) { ' ' } else { character });
    Cow::Owned(spaced.nfc().collect())
}

/// Whether `clean` would change nothing. It may be false for a text that is clean.
pub fn is_clean(text: &str) -> bool {
    text.is_ascii()
        || (!text
            .chars()
            .any(|character| is_invisible(character) || is_wide_blank(character))
            && is_nfc_quick(text.chars()) == IsNormalized::Yes)
}

/// Characters without a width that change how the text around them is shown, compared or broken (Unicode's property
/// Default_Ignorable_Code_Point, with the annotations of U+FFF9). A joined emoji is shown as its parts. The selectors
/// U+FE00 to U+FE0F stay, because they say whether an emoji is colored.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            // Zero-width space, non-joiner and joiner; marks of direction.
            | '\u{200b}'..='\u{200f}'
            // Embeddings and overrides of direction.
            | '\u{202a}'..='\u{202e}'
            // Word joiner, invisible operators, isolates of direction.
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            // Byte order mark.
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Blanks beyond the space, such as the no-break space, and the separators of lines and paragraphs.
fn is_wide_blank(character: char) -> bool {
    !character.is_ascii() && !character.is_control() && character.is_whitespace()
}

/// The text as searches and the orders of lists compare it: lower case, without accents, with letters in ASCII where
/// they have such a form. The database's function `folded` returns the same; a test compares the two.
pub fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    ascii_letters(text).to_lowercase()
}

/// The text without accents. Letters that no decomposition brings to ASCII, such as Ł and ß, are written as people do
/// without them. Other characters stay.
pub fn ascii_letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for character in text.nfkd().filter(|character| !is_accent(*character)) {
        match ascii_letter(character) {
            Some(written) => letters.push_str(written),
            None => letters.push(character),
        }
    }
    letters
}

/// Marks that are written over, under or through a letter: the blocks of combining marks, as in `folded`.
const fn is_accent(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Letters and marks without a decomposition. The list of the letters is also in `folded`.
const fn ascii_letter(character: char) -> Option<&'static str> {
    Some(match character {
        'Æ' => "AE",
        'æ' => "ae",
        'Œ' => "OE",
        'œ' => "oe",
        'ß' => "ss",
        'ẞ' => "SS",
        'Þ' => "TH",
        'þ' => "th",
        'Ł' => "L",
        'ł' => "l",
        'Ø' => "O",
        'ø' => "o",
        'Đ' | 'Ð' => "D",
        'đ' | 'ð' => "d",
        'Ħ' => "H",
        'ħ' => "h",
        'Ŧ' => "T",
        'ŧ' => "t",
        'Ŋ' => "N",
        'ŋ' => "n",
        'ı' => "i",
        '‘' | '’' | '‚' | '‛' | 'ʼ' => "'",
        '“' | '”' | '„' | '‟' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => "-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decomposed_letters_are_composed_and_invisible_characters_removed() {
        assert_eq!(clean("Pa\u{303}o Ac\u{327}ai\u{301}"), "Pão Açaí");
        // An invisible character between a letter and its accent.
        assert_eq!(clean("a\u{200b}\u{303}"), "ã");
        for invisible in [
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{200e}',
            '\u{200f}',
            '\u{61c}',
            '\u{202a}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{e0041}',
        ] {
            assert_eq!(clean(&format!("Lo{invisible}ja")), "Loja", "{invisible:?}");
        }
        assert_eq!(clean("\u{202e}gpj.exe"), "gpj.exe");
    }

    #[test]
    fn blanks_become_spaces_and_the_rest_stays() {
        assert_eq!(clean("Loja\u{a0}do\u{3000}João\u{2028}Ltda"), "Loja do João Ltda");
        for text in [
            "",
            "Loja",
            "Pão",
            "linha\noutra\tcoluna",
            "❤\u{fe0f}",
            "店",
            "\u{85}",
        ] {
            assert!(
                matches!(clean(text), Cow::Borrowed(same) if same == text),
                "{text}"
            );
        }
    }

    #[test]
    fn a_search_key_has_neither_case_nor_accents_nor_letters_beyond_ascii() {
        for (text, key) in [
            ("PÃO", "pao"),
            ("Pa\u{303}o", "pao"),
            ("Açaí Irmãos", "acai irmaos"),
            ("Łódź Øre Straße", "lodz ore strasse"),
            ("Œuvre d’Æon", "oeuvre d'aeon"),
            ("１２３ ª", "123 a"),
            ("店", "店"),
        ] {
            assert_eq!(search_key(text), key, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cleaned_text_stays_as_it_is(text in any::<String>()) {
            let cleaned = clean(&text).into_owned();
            prop_assert_eq!(clean(&cleaned), cleaned.as_str());
            prop_assert!(!cleaned.chars().any(is_invisible));
        }
    }
}
