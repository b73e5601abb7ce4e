//! Finds out in which encoding a pairing program has written a file: UTF-8, UTF-16 with or without a mark, or what Windows had before.

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252};

/// Names in these languages have letters of Windows-1250.
const CENTRAL_EUROPEAN: [&str; 8] = ["CZE", "SVK", "POL", "HUN", "SLO", "CRO", "ROU", "BIH"];

/// Returns the text of a file and the name of its encoding.
pub(super) fn decode(bytes: &[u8]) -> (String, &'static str) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let text = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0;
        return (text.into_owned(), encoding.name());
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return (text.to_owned(), "UTF-8");
    }
    let encoding = utf_16(bytes).unwrap_or_else(|| legacy(bytes));
    (encoding.decode_without_bom_handling(bytes).0.into_owned(), encoding.name())
}

/// Recognises UTF-16 without a mark by its zeros: most letters of names are Latin.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |offset: usize| bytes.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let most = bytes.len() / 4;
    if odd > most { Some(UTF_16LE) } else { (even > most).then_some(UTF_16BE) }
}

fn legacy(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new();
    detector.feed(bytes, true);
    let guessed = detector.guess(None, false);
    // A few letters say little; federations beside the names say more.
    let is_latin = [WINDOWS_1252, WINDOWS_1250].contains(&guessed) || guessed.name() == "ISO-8859-2";
    let has = |code: &&str| bytes.windows(code.len()).any(|window| window == code.as_bytes());
    if is_latin && CENTRAL_EUROPEAN.iter().any(has) { WINDOWS_1250 } else { guessed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(encoding: &'static Encoding, text: &str, name: &str) {
        let (bytes, _, lossy) = encoding.encode(text);
        assert!(!lossy, "{text}");
        assert_eq!(decode(&bytes), (text.to_owned(), name));
    }

    #[test]
    fn names_are_read_in_the_encodings_of_pairing_programs() {
        let western = "table,white,black\n1,O\u{2019}Brien Se\u{e1}n,M\u{fc}ller J\u{f6}rg\n2,Ang\u{e9}lique N\u{fa}\u{f1}ez,Fran\u{e7}ois\n";
        check(WINDOWS_1252, western, "windows-1252");
        let central = "001    1 m    \u{160}im\u{e1}k Pavel       2400 CZE\n001    2 m    Wojtaszek \u{141}ukasz  2500 POL\n";
        check(WINDOWS_1250, central, "windows-1250");
        for text in [western, central] {
            assert_eq!(decode(text.as_bytes()), (text.to_owned(), "UTF-8"));
            assert_eq!(decode(format!("\u{feff}{text}").as_bytes()), (text.to_owned(), "UTF-8"));
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(decode(&little), (text.to_owned(), "UTF-16LE"));
            assert_eq!(decode(&big), (text.to_owned(), "UTF-16BE"));
            assert_eq!(decode(&[&[0xff, 0xfe], &*little].concat()), (text.to_owned(), "UTF-16LE"));
        }
    }
}
