//! What a press may have been instead of what an alert says.

use super::phrases;

phrases! {
    /// What a press may have been instead.
    StoryText {
    Legal:
        "Otherwise: the move was legal, and another piece was displaced or read wrongly.",
        "Sonst: Der Zug war regelgemäß, und eine andere Figur wurde verschoben oder falsch gelesen.";
    Illegal:
        "Otherwise: an illegal move was made.",
        "Sonst: Es wurde ein regelwidriger Zug ausgeführt.";
    Nothing:
        "Otherwise: the clock was pressed without a move.",
        "Sonst: Die Uhr wurde ohne Zug gedrückt.";
    PromotionLeft:
        "Otherwise: the pawn was not replaced.",
        "Sonst: Der Bauer wurde nicht ausgetauscht.";
    MadeLater:
        "Otherwise: the move was made after the press.",
        "Sonst: Der Zug wurde erst nach dem Drücken ausgeführt.";
    PressedBack:
        "Otherwise: the clock was pressed back because of something irregular, or its lever bounced.",
        "Sonst: Die Uhr wurde wegen einer Unregelmäßigkeit zurückgedrückt, oder ihr Hebel ist zurückgeprallt.";
    }
}
