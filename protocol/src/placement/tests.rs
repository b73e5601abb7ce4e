use super::*;
use std::string::ToString;

#[test]
fn prints_as_fen() {
    let mut placement = Placement::EMPTY;
    assert_eq!(placement.to_string(), "8/8/8/8/8/8/8/8");
    assert_eq!(placement.set(Field::at(4, 3).unwrap(), Piece::WhitePawn), Piece::Empty);
    assert_eq!(placement.set(Field::at(7, 0).unwrap(), Piece::MagicDraw), Piece::Empty);
    assert_eq!(placement.set(Field::at(7, 0).unwrap(), Piece::BlackKing), Piece::MagicDraw);
    assert_eq!(placement.set(Field::at(0, 7).unwrap(), Piece::MagicDraw), Piece::Empty);
    assert_eq!(placement.to_string(), "*7/8/8/8/4P3/8/8/7k");
    assert_eq!(Placement::start().to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
}

#[test]
fn a_reversed_start_has_its_kings_on_the_d_file() {
    let rotated = Placement::start().rotated();
    assert_eq!(rotated.to_string(), "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr");
    for (field, piece) in Placement::start().iter() {
        assert_eq!(rotated.get(field.rotated()), piece);
    }
}

#[test]
fn differences_are_the_fields_that_show_something_else() {
    let start = Placement::start();
    let mut other = start;
    assert_eq!(start.differences(&other).count(), 0);
    let fields = [0, 7, 8, 35, 63].map(|number| Field::new(number).unwrap());
    for field in fields {
        other.set(field, Piece::BlackQueen);
    }
    assert!(start.differences(&other).eq(fields));
    assert_eq!(start.differences(&Placement::EMPTY).count(), 32);
}
