//! Whether a PDF has a page. A whole parser, such as lopdf, inflates all streams of a file into memory, so a small upload
//! could fill it. This looks for the dictionary of a page only, and inflates a limited part.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// What is inflated of a file at most. The dictionaries of a document with thousands of pages take less.
const INFLATED_BYTES_MAX: u64 = 32 * 1024 * 1024;

pub fn has_page(content: &[u8]) -> bool {
    if names_page(content) {
        return true;
    }
    let mut left = INFLATED_BYTES_MAX;
    let mut rest = content;
    while let Some(after) = after(rest, b"/ObjStm") {
        rest = after;
        // The streams of an encrypted file cannot be inflated, but only a document with objects has them.
        if content.windows(8).any(|name| name == b"/Encrypt") {
            return true;
        }
        let inflated = inflated_stream(after, left);
        if names_page(&inflated) {
            return true;
        }
        left = left.saturating_sub(inflated.len() as u64);
    }
    false
}

/// Whether a dictionary has the type of a page (ISO 32000-1, 7.7.3.3). `/Pages` is that of the tree of pages.
fn names_page(content: &[u8]) -> bool {
    let mut rest = content;
    while let Some(after) = after(rest, b"/Type") {
        rest = after;
        let name = after.trim_ascii_start().strip_prefix(b"/Page");
        if name.is_some_and(|after| after.first().is_none_or(|byte| !byte.is_ascii_alphanumeric())) {
            return true;
        }
    }
    false
}

/// The beginning of the stream of the dictionary at the start, if its filter is Flate. A damaged stream gives what is
/// before the damage.
fn inflated_stream(dictionary: &[u8], bytes_max: u64) -> Vec<u8> {
    let mut inflated = vec![];
    if let Some(data) = after(dictionary, b"stream") {
        let _damage = ZlibDecoder::new(data.trim_ascii_start())
            .take(bytes_max)
            .read_to_end(&mut inflated);
    }
    inflated
}

/// What comes after the first occurrence.
fn after<'a>(content: &'a [u8], text: &[u8]) -> Option<&'a [u8]> {
    let at = content.windows(text.len()).position(|window| window == text)?;
    content.get(at + text.len()..)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn with_object_stream(objects: &[u8]) -> Vec<u8> {
        let mut stream = ZlibEncoder::new(vec![], Compression::default());
        stream.write_all(objects).expect("memory");
        let stream = stream.finish().expect("memory");
        [
            b"%PDF-1.7\n5 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\r\n",
            &stream[..],
            b"\nendstream endobj\n%%EOF",
        ]
        .concat()
    }

    #[test]
    fn a_page_is_found_in_the_file_or_in_its_compressed_objects() {
        for (file, expected) in [
            (b"%PDF-1.4\n%%EOF".to_vec(), false),
            (
                b"%PDF-1.4\n1 0 obj<</Type /Pages /Kids[] /Count 0>>endobj".to_vec(),
                false,
            ),
            (
                b"%PDF-1.4\n1 0 obj<</Type /Page /Parent 2 0 R>>endobj".to_vec(),
                true,
            ),
            (
                b"%PDF-1.4\n1 0 obj<</Parent 2 0 R/Type\r\n/Page>>endobj".to_vec(),
                true,
            ),
            (with_object_stream(b"1 0 <</Type/Pages/Kids[2 0 R]>>"), false),
            (with_object_stream(b"1 0 <</Type/Page/Parent 2 0 R>>"), true),
        ] {
            assert_eq!(has_page(&file), expected, "{}", String::from_utf8_lossy(&file));
        }
    }

    #[test]
    fn a_compressed_stream_is_read_up_to_a_limit() {
        let mut objects = vec![b' '; usize::try_from(INFLATED_BYTES_MAX).expect("a size")];
        objects.extend(b"<</Type/Page>>");
        assert!(!has_page(&with_object_stream(&objects)));
    }
}
