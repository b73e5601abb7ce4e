//! Labels for the boards, as a page to print.

use std::fmt::Write as _;

use crate::config::Config;

/// What a page of labels begins with: three in a row, none cut by the end of a sheet.
const HEAD: &str = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Tables</title>\n<style>\n\
    body { font-family: sans-serif; margin: 0; display: grid; grid-template-columns: repeat(3, 1fr); }\n\
    div { border: 1px dashed #999; padding: 4mm; text-align: center; break-inside: avoid; }\n\
    b { font-size: 14mm; display: block; } svg { width: 32mm; height: 32mm; }\n</style>\n";

/// Returns the page; `desk` is where phones find the desk.
///
/// # Errors
///
/// Returns the reason.
pub(super) fn page(config: &Config, desk: Option<&str>) -> Result<String, String> {
    let mut tables: Vec<(u32, &str)> =
        config.tables.iter().filter_map(|table| Some((table.number?, table.serial.as_str()))).collect();
    if tables.is_empty() {
        return Err("no table has a board: 'jadoube tables walk' finds them".to_owned());
    }
    tables.sort_unstable();
    let mut page = HEAD.to_owned();
    for (number, serial) in tables {
        let code = match desk {
            Some(desk) => code(&format!("{}/table/{number}", desk.trim_end_matches('/')))?,
            None => String::new(),
        };
        writeln!(page, "<div><b>{number}</b>{serial}<br>{code}</div>").unwrap_or_default();
    }
    Ok(page)
}

#[cfg(feature = "http")]
fn code(url: &str) -> Result<String, String> {
    let drawn = crate::accounts::picture(url)?;
    // What comes before the picture itself belongs to a file of its own.
    Ok(drawn.find("<svg").and_then(|start| drawn.get(start..)).unwrap_or_default().to_owned())
}

#[cfg(not(feature = "http"))]
fn code(_url: &str) -> Result<String, String> {
    Err("this build has no desk, and so no QR codes".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_a_label() {
        let text = "[[table]]\nnumber = 2\nserial = '23946'\n[[table]]\nnumber = 1\nserial = '01025'";
        let config = Config::parse("t", text, &[]).unwrap();
        let page = page(&config, None).unwrap();
        let labels: Vec<&str> = page.lines().filter(|line| line.starts_with("<div>")).collect();
        assert_eq!(labels, ["<div><b>1</b>01025<br></div>", "<div><b>2</b>23946<br></div>"]);
        assert!(super::page(&Config::default(), None).unwrap_err().contains("tables walk"));
    }

    #[cfg(feature = "http")]
    #[test]
    fn a_label_has_a_code_that_opens_the_table() {
        let config = Config::parse("t", "[[table]]\nnumber = 2\nserial = '23946'", &[]).unwrap();
        let page = page(&config, Some("https://arbiter.example/")).unwrap();
        assert!(page.contains("<b>2</b>23946<br><svg"), "{page}");
    }
}
