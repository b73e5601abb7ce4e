//! What the demo's daemon needs besides boards: tables with players, an address for the desk, a token.

use std::{
    io::{self, ErrorKind, Write as _},
    net::{SocketAddr, TcpListener},
    path::Path,
};

use crate::{
    cli::home::random_token,
    config::{HttpConfig, TableSettings},
};
use jadoube_runtime::platform::with_mode;

/// Who plays: invented, White and Black of one table after the other.
const PLAYERS: [(&str, &str); 12] = [
    ("Ahlgren, Mirja", "Bastos, Rui"),
    ("Czerny, Olga", "Dimou, Petros"),
    ("Eriksen, Tove", "Fabbri, Luca"),
    ("Gruber, Jonas", "Horvat, Ana"),
    ("Ilves, Rasmus", "Jansen, Femke"),
    ("Kovacs, Bela", "Lefort, Camille"),
    ("Moretti, Sara", "Novak, Jiri"),
    ("Ozolins, Karlis", "Pereira, Ines"),
    ("Quist, Nils", "Rusu, Elena"),
    ("Sato, Haruka", "Tamm, Liis"),
    ("Ulrich, Frieda", "Vidal, Pau"),
    ("Weber, Anton", "Yilmaz, Derya"),
];

/// Puts the boards on tables, in their order.
pub(super) fn tables(serials: impl Iterator<Item = String>) -> Vec<TableSettings> {
    let mut players = PLAYERS.iter();
    let table = |(number, serial): (u32, String)| {
        let (white, black) = players.next().copied().unwrap_or_default();
        TableSettings {
            number: Some(number),
            serial,
            white: white.to_owned(),
            black: black.to_owned(),
            ..TableSettings::default()
        }
    };
    (1..).zip(serials).map(table).collect()
}

/// Finds an address for the desk, another port if the wanted one is taken, and writes a token.
pub(super) fn open(listen: SocketAddr, directory: &Path) -> io::Result<(HttpConfig, String)> {
    let listen = match TcpListener::bind(listen) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            TcpListener::bind(SocketAddr::new(listen.ip(), 0))?.local_addr()?
        }
        bound => bound?.local_addr()?,
    };
    let token = random_token()?;
    let token_file = directory.join("token");
    let mut file = with_mode(0o600).write(true).create_new(true).open(&token_file)?;
    writeln!(file, "{token}")?;
    Ok((HttpConfig { listen, token_file, ..HttpConfig::default() }, token))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_port_that_is_taken_is_not_insisted_on() {
        let dir = tempfile::tempdir().unwrap();
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let (http, secret) = open(taken.local_addr().unwrap(), dir.path()).unwrap();
        assert_ne!(http.listen, taken.local_addr().unwrap());
        assert_eq!(secret.len(), 32);
        assert_eq!(fs::read_to_string(http.token_file).unwrap().trim(), secret);
    }

    #[test]
    fn every_board_stands_on_a_table() {
        let tables = tables((0..20).map(|number| number.to_string()));
        assert_eq!(tables.len(), 20);
        assert_eq!((tables[11].number, tables[11].white.as_str()), (Some(12), "Weber, Anton"));
        assert_eq!(tables[12].white, "");
    }
}
