//! Makes of the catalogue (`words/LANGUAGE/*.ftl`) what the program reads: a compressed file of lines for each language and one with
//! the keys, the names of the phrases for the code, and for the desk, which a browser reads, two files
//! of JSON for each language: its words, and what the articles say; and the page of help as it is.
//!
//! A key that a language lacks or English does not know, names in braces that differ, and a page of help with other headings, lists or
//! rows of tables end the build.

use std::{
    collections::BTreeMap,
    env,
    fmt::{self, Write as _},
    fs, io,
    path::{Path, PathBuf},
};

#[path = "words/ftl.rs"]
mod ftl;

use ftl::{Names, Text, differences, read};

/// Files of the core, the sentences that a file of rules may word otherwise first.
const CORE: [&str; 3] = ["rules", "program", "table"];

/// Files of the desk.
const DESK: [&str; 4] = ["desk", "codes", "refusals", "articles"];

/// The highest level of compression.
const BEST: u8 = 10;

type Files = BTreeMap<&'static str, Vec<Text>>;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=words");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut languages = Vec::new();
    for entry in fs::read_dir("words")? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            languages.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    languages.sort();
    let mut wrong = Vec::new();
    let mut texts = BTreeMap::new();
    for language in &languages {
        texts.insert(language.clone(), files(language, &mut wrong)?);
    }
    let Some(english) = texts.get("en") else { return Err(io::Error::other("words/en is missing")) };
    for (language, files) in &texts {
        for (file, own) in files {
            let may = if *file == "refusals" { Names::Fewer } else { Names::All };
            let differences = differences(english.get(file).map_or(&[], Vec::as_slice), own, may);
            wrong
                .extend(differences.into_iter().map(|error| format!("words/{language}/{file}.ftl: {error}")));
        }
    }
    fs::create_dir_all(out.join("desk"))?;
    let english_help = help("en")?;
    for language in &languages {
        let help = help(language)?;
        if outline(&help) != outline(&english_help) {
            wrong.push(format!(
                "words/{language}/help.md: it has not the headings and tables of words/en/help.md"
            ));
        }
        fs::write(out.join(format!("desk/help-{language}.md")), help)?;
    }
    if !wrong.is_empty() {
        return Err(io::Error::other(wrong.join("\n")));
    }
    for (language, files) in &texts {
        pack(&out.join(language), &lines(english, files, |text| &text.said))?;
        fs::write(out.join(format!("desk/{language}.json")), json(english, files))?;
        let articles = format!("{{{}}}", object("articles", english, files));
        fs::write(out.join(format!("desk/articles-{language}.json")), articles)?;
    }
    pack(&out.join("keys"), &lines(english, english, |text| &text.key))?;
    fs::write(out.join("phrases.rs"), code(english, &languages).map_err(io::Error::other)?)?;
    println!("cargo::metadata=desk={}", out.join("desk").display());
    Ok(())
}

/// Reads the page of help.
fn help(language: &str) -> io::Result<String> {
    let path = format!("words/{language}/help.md");
    fs::read_to_string(&path).map_err(|error| io::Error::other(format!("{path}: {error}")))
}

/// Returns how headings and rows of tables begin, in their order.
fn outline(help: &str) -> Vec<&str> {
    let start = |line| ["## ", "# ", "|"].into_iter().find(|start| str::starts_with(line, start));
    help.lines().filter_map(start).collect()
}

/// Reads the files of a language.
fn files(language: &str, wrong: &mut Vec<String>) -> io::Result<Files> {
    let mut files = Files::new();
    for file in CORE.into_iter().chain(DESK) {
        let path = format!("words/{language}/{file}.ftl");
        let text = fs::read_to_string(&path).map_err(|error| io::Error::other(format!("{path}: {error}")))?;
        let texts = read(&text).unwrap_or_else(|errors| {
            wrong.extend(errors.into_iter().map(|error| format!("{path}: {error}")));
            Vec::new()
        });
        files.insert(file, texts);
    }
    Ok(files)
}

/// Returns what is said under the keys of a file, in the order of the English one.
fn in_order<'a>(
    file: &str,
    english: &'a Files,
    own: &'a Files,
) -> impl Iterator<Item = (&'a Text, &'a Text)> {
    let texts: BTreeMap<&str, &Text> =
        own.get(file).into_iter().flatten().map(|text| (text.key.as_str(), text)).collect();
    let keys = english.get(file).into_iter().flatten();
    keys.filter_map(move |key| Some((key, *texts.get(key.key.as_str())?)))
}

fn lines<'a>(english: &'a Files, own: &'a Files, of: fn(&Text) -> &str) -> String {
    let texts = CORE.into_iter().flat_map(|file| in_order(file, english, own));
    texts.map(|(_, text)| of(text)).collect::<Vec<_>>().join("\n")
}

/// Compresses without any header.
fn pack(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, miniz_oxide::deflate::compress_to_vec(text.as_bytes(), BEST))
}

/// Writes the phrases of the code by their keys, and where the lines of each language are.
fn code(english: &Files, languages: &[String]) -> Result<String, fmt::Error> {
    let mut code = String::from(
        "#[expect(non_upper_case_globals, reason = \"they have the names of the catalogue\")]\nimpl Phrase {\n",
    );
    let mut number = 0_u16;
    let mut sentences = 0;
    for file in CORE {
        for text in english.get(file).into_iter().flatten() {
            if file != "table" {
                writeln!(
                    code,
                    "#[doc = {:?}]\npub const {}: Self = Self({number});",
                    format!("`{}`", text.said),
                    name(&text.key)
                )?;
            }
            number += 1;
        }
        if file == "rules" {
            sentences = number;
        }
    }
    write!(
        code,
        "\n/// Sentences come first.\nconst SENTENCES: u16 = {sentences};\n}}\n\
         static KEYS: Lines = Lines::new(|| unpack(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/keys\"))));\n\
         fn lines(language: Language) -> &'static [&'static str] {{\n"
    )?;
    for language in languages {
        writeln!(
            code,
            "static {}: Lines = Lines::new(|| unpack(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{language}\"))));",
            language.to_uppercase()
        )?;
    }
    code.push_str("match language {\n");
    for language in languages {
        writeln!(code, "Language::{} => &{},", capital(language), language.to_uppercase())?;
    }
    Ok(code + "}\n}\n")
}

/// Returns the name that a key has in the code: `PawnThe` for `Pawn.the`.
fn name(key: &str) -> String {
    key.split('.').map(capital).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes what the desk reads: words, names of codes, and refusals beside the English ones by which they are found.
fn json(english: &Files, own: &Files) -> String {
    // English ones are what the daemon says.
    let refusals = in_order("refusals", english, own).filter(|(said, own)| said != own);
    let refusals = refusals.map(|(said, own)| format!("[{},{}]", quoted(&said.said), quoted(&own.said)));
    format!(
        "{{\"words\":{{{}}},\"codes\":{{{}}},\"refusals\":[{}]}}",
        object("desk", english, own),
        object("codes", english, own),
        refusals.collect::<Vec<_>>().join(",")
    )
}

/// Writes the texts of a file by their keys.
fn object(file: &str, english: &Files, own: &Files) -> String {
    let rows = in_order(file, english, own);
    let rows = rows.map(|(_, text)| format!("{}:{}", quoted(&text.key), quoted(&text.said)));
    rows.collect::<Vec<_>>().join(",")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
