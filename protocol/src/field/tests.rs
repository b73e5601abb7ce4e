use super::*;
use std::{string::ToString, vec::Vec};

#[test]
fn fields_are_numbered_from_a8() {
    for (number, name, file, rank) in
        [(0, "a8", 0, 7), (7, "h8", 7, 7), (8, "a7", 0, 6), (52, "e2", 4, 1), (63, "h1", 7, 0)]
    {
        let field = Field::new(number).unwrap();
        assert_eq!((field.to_string().as_str(), field.file(), field.rank()), (name, file, rank));
        assert_eq!(Field::at(file, rank), Some(field));
    }
    assert_eq!(Field::new(64), None);
    assert_eq!(Field::at(8, 0), None);
    assert_eq!(Field::at(0, 8), None);
}

#[test]
fn rotation_is_its_own_inverse() {
    assert_eq!(Field::all().len(), Field::COUNT);
    for field in Field::all() {
        let rotated = field.rotated();
        assert_eq!((rotated.file(), rotated.rank()), (7 - field.file(), 7 - field.rank()));
        assert_eq!(rotated.rotated(), field);
    }
}

#[test]
fn pieces_come_in_the_order_of_their_codes() {
    let letters: Vec<char> = (0..16).map(|code| Piece::from_byte(code).letter().unwrap_or('.')).collect();
    assert_eq!(letters.into_iter().collect::<std::string::String>(), ".PRNBKQprnbkq...");
    for byte in 0..=u8::MAX {
        assert_eq!(Piece::from_byte(byte).to_byte(), byte & 0x0F, "only the low four bits count");
    }
    assert_eq!(Piece::from_letter('k'), Some(Piece::BlackKing));
    assert_eq!(Piece::from_letter(' '), None);
    assert_eq!(Piece::from_letter('x'), None);
}
