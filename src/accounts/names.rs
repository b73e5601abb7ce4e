//! Whether names can be distinguished by whoever reads them.

use icu_normalizer::DecomposingNormalizer;

/// Letters that look like those of English, by what they look like: those of other alphabets, and Latin ones without a dot or as small
/// capitals. Accents are apart from their letters by then.
const LOOKALIKES: [(&str, char); 25] = [
    ("АаΑαɑᴀ", 'a'),
    ("ВΒʙ", 'b'),
    ("Ссϲᴄ", 'c'),
    ("ԁᴅ", 'd'),
    ("ЕеΕᴇ", 'e'),
    ("ԌΓɡɢ", 'g'),
    ("НΗһҺʜ", 'h'),
    ("ІіΙιӀӏıɩɪǀ", 'i'),
    ("Јјϳȷᴊ", 'j'),
    ("КкΚκᴋĸ", 'k'),
    ("Լʟ", 'l'),
    ("МмΜᴍ", 'm'),
    ("ΝпՈոɴ", 'n'),
    ("ОоΟοՕօᴏ", 'o'),
    ("РрΡρᴘ", 'p'),
    ("Ԛԛ", 'q'),
    ("гʀ", 'r'),
    ("Ѕѕꜱ", 's'),
    ("ТтΤτᴛ", 't'),
    ("υսՍᴜ", 'u'),
    ("νѵѴᴠ", 'v'),
    ("Ԝԝωᴡ", 'w'),
    ("ХхΧχ", 'x'),
    ("УуΥүҮʏ", 'y'),
    ("Ζᴢ", 'z'),
];

/// Alphabets whose letters look like those of one another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

impl Alphabet {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'a'..='z'
            | 'A'..='Z'
            | '\u{aa}'
            | '\u{ba}'
            | '\u{c0}'..='\u{24f}'
            | '\u{250}'..='\u{2af}'
            | '\u{1d00}'..='\u{1d25}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2c60}'..='\u{2c7f}'
            | '\u{a720}'..='\u{a7ff}' => Self::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}'
            | '\u{1c80}'..='\u{1c8f}'
            | '\u{2de0}'..='\u{2dff}'
            | '\u{a640}'..='\u{a69f}' => Self::Cyrillic,
            '\u{530}'..='\u{58f}' => Self::Armenian,
            '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Self::Cherokee,
            _ => return None,
        })
    }
}

/// Returns whether a name has letters of one alphabet only, of those that look like one another.
pub(super) fn has_one_alphabet(name: &str) -> bool {
    let name = decomposed(name);
    let mut alphabets = name.chars().filter(|sign| sign.is_alphabetic()).filter_map(Alphabet::of);
    let first = alphabets.next();
    alphabets.all(|other| Some(other) == first)
}

/// Returns whether two names differ in what nobody sees: capital letters, spaces, how letters with accents are written, or letters that look
/// alike.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (decomposed(one), decomposed(other));
    folded(&one) == folded(&other) || shape(&one) == shape(&other)
}

/// Separates letters and accents, and makes plain letters of wide, round or mathematical ones.
fn decomposed(name: &str) -> String {
    DecomposingNormalizer::new_nfkd().normalize(name).into_owned()
}

fn shape(name: &str) -> String {
    let narrow = |sign: char| match sign {
        // As a capital letter, a digit and a line look.
        'I' | '1' | '|' => 'l',
        '0' => 'o',
        _ => LOOKALIKES.iter().find(|(like, _)| like.contains(sign)).map_or(sign, |(_, latin)| *latin),
    };
    folded(&name.chars().map(narrow).collect::<String>())
}

fn folded(name: &str) -> String {
    name.split_whitespace()
        .map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_nobody_distinguishes_are_known() {
        for (one, other, expected) in [
            ("Ada", "ADA", true),
            ("Ivan", "ivan", true),
            ("Ada  Lovelace", "Ada Lovelace", true),
            ("Ada\u{a0}L", "Ada L", true),
            ("Aca", "Аса", true),
            ("Ida", "lda", true),
            ("Ａda", "Ada", true),
            ("Bob", "B0b", true),
            ("Jürgen", "Ju\u{308}rgen", true),
            ("JÜRGEN", "ju\u{308}rgen", true),
            ("Nguyễn", "Nguye\u{302}\u{303}n", true),
            ("Łukasz é", "Łukasz e\u{301}", true),
            ("Ёлка", "Е\u{308}лка", true),
            ("Ada", "𝐀𝖽𝚊", true),
            ("Ada", "Ⓐda", true),
            ("Max", "ᴍax", true),
            ("Ali", "Alı", true),
            ("Ada", "Adam", false),
            ("Ada", "Ida", false),
            ("Jürgen", "Jurgen", false),
            ("Jürgen", "Jűrgen", false),
            ("Ada", "Ada\u{301}", false),
            ("Ада", "Ada", false),
        ] {
            assert_eq!(look_alike(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_name_is_of_one_alphabet() {
        for (name, expected) in [
            ("Ada", true),
            ("Аda", false),
            ("Ａda", true),
            ("Ju\u{308}rgen", true),
            ("Аd\u{301}a", false),
            ("Ада Иванова", true),
            ("Müller-Łódź 王", true),
            ("Νίκος", true),
            ("Ο'Neill", false),
            ("12", true),
        ] {
            assert_eq!(has_one_alphabet(name), expected, "{name}");
        }
    }
}
