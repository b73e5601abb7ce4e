//! Every phrase in every language, those of the rules here, those of claims and of the arbiter's entries in
//! [`entries`], what a press may have been instead in [`stories`].

pub(in crate::rules) mod entries;
pub(in crate::rules) mod stories;

use crate::laws::Language;

/// One phrase in every language, with names in braces for what is to be filled in.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Template {
    /// Name of the sentence, by which an event may word it otherwise.
    pub(in crate::rules) name: &'static str,
    en: &'static str,
    de: &'static str,
}

impl Template {
    /// Returns the text in a language.
    pub(in crate::rules) const fn text(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::De => self.de,
        }
    }
}

/// Makes one row a phrase, so that none can lack a language.
macro_rules! phrases {
    ($(#[$doc:meta])* $group:ident { $($name:ident: $en:literal, $de:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub(in crate::rules) enum $group { $($name),* }

        impl $group {
            pub(in crate::rules) const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the phrase in every language.
            pub(in crate::rules) const fn template(self) -> $crate::rules::text::Template {
                match self {
                    $(Self::$name => $crate::rules::text::Template {
                        name: stringify!($name),
                        en: $en,
                        de: $de,
                    },)*
                }
            }
        }

        impl From<$group> for $crate::rules::text::Template {
            fn from(phrase: $group) -> Self {
                phrase.template()
            }
        }
    };
}

pub(in crate::rules) use phrases;

impl Phrase {
    /// Returns the text in a language.
    pub(in crate::rules) const fn text(self, language: Language) -> &'static str {
        self.template().text(language)
    }
}

phrases! {
    /// A phrase of the rules.
    Phrase {
    // Names and numbers.
    White: "White", "Weiß";
    Black: "Black", "Schwarz";
    BothPlayers: "both players", "beide Spieler";
    Pawn: "pawn", "Bauer";
    Knight: "knight", "Springer";
    Bishop: "bishop", "Läufer";
    Rook: "rook", "Turm";
    Queen: "queen", "Dame";
    King: "king", "König";
    ThePiece: "the {piece}", "der {piece}";
    TheQueen: "the {piece}", "die {piece}";
    ThePieceObject: "the {piece}", "den {piece}";
    ItPiece: "it", "ihn";
    ItQueen: "it", "sie";
    WhitePiece: "a white {piece}", "ein weißer {piece}";
    WhiteQueen: "a white {piece}", "eine weiße {piece}";
    BlackPiece: "a black {piece}", "ein schwarzer {piece}";
    BlackQueen: "a black {piece}", "eine schwarze {piece}";
    SanLetters: "KQRBN", "KDTLS";
    Minute: "{n} minute", "{n} Minute";
    Minutes: "{n} minutes", "{n} Minuten";
    Second: "{n} second", "{n} Sekunde";
    Seconds: "{n} seconds", "{n} Sekunden";
    Once: "once", "einmal";
    Twice: "twice", "zweimal";
    Times: "{n} times", "{n}-mal";
    DecimalPoint: ".", ",";

    // Illegal moves and what is treated as one.
    IllegalMove: "{side} completed an illegal move: {why} ({article}).",
        "{side} hat einen regelwidrigen Zug abgeschlossen: {why} ({article}).";
    WhyPattern: "{piece} cannot go from {from} to {to}", "{piece} kann nicht von {from} nach {to} ziehen";
    WhyCheck: "the king on {square} is left in check", "der König auf {square} bleibt im Schach";
    WhyIntoCheck: "the king went to {square}, where it is in check", "der König zog nach {square} ins Schach";
    WhyCastlingRight: "castling after the right to it was lost", "Rochade, obwohl das Recht dazu verloren war";
    WhyCastlingBetween: "castling with a piece between king and rook",
        "Rochade, obwohl zwischen König und Turm eine Figur steht";
    WhyCastlingOut: "castling out of check", "Rochade aus dem Schach";
    WhyCastlingThrough: "castling over the attacked square {square}", "Rochade über das bedrohte Feld {square}";
    WhyCastlingInto: "castling into check on {square}", "Rochade ins Schach auf {square}";
    WhyCastlingRookLeft: "castling with the rook left on its square", "Rochade, bei der der Turm stehen blieb";
    WhyCastlingRookWrong: "castling with the rook on a wrong square", "Rochade mit dem Turm auf einem falschen Feld";
    WhyKingCaptured: "the opponent's king was captured", "der gegnerische König wurde geschlagen";
    WhyOpponentsPiece: "the opponent's piece from {square} was moved", "die gegnerische Figur von {square} wurde gezogen";
    WhyTwoMoves: "more than one move was made", "es wurde mehr als ein Zug ausgeführt";
    WhyPromotionIncomplete: "the pawn was removed and no piece stands on the promotion square",
        "der Bauer wurde entfernt, und auf dem Umwandlungsfeld steht keine Figur";
    WhyPromotionPiece: "{piece} stands on {square}", "auf {square} steht {piece}";
    WhyPawnNotRemoved: "the pawn still stands on {square} beside the piece that it became",
        "der Bauer steht noch auf {square} neben der Figur, in die er umgewandelt wurde";
    WhyEnPassant: "the pawn captured en passant still stands on {square}",
        "der en passant geschlagene Bauer steht noch auf {square}";
    WhyOther: "no legal move leads to this position", "kein regelgemäßer Zug führt zu dieser Stellung";
    PromotionLeft: "{side} pressed the clock with the pawn still on {square} ({article}).",
        "{side} hat die Uhr gedrückt, ohne den Bauern auf {square} zu ersetzen ({article}).";
    PressWithoutMove: "{side} pressed the clock without making a move ({article}).",
        "{side} hat die Uhr gedrückt, ohne zu ziehen ({article}).";
    TwoHands: "{side} may have used two hands for {move} ({article}).",
        "{side} hat {move} möglicherweise mit zwei Händen ausgeführt ({article}).";
    CountsIfConfirmed: "It counts only if you confirm it.", "Es zählt nur, wenn Sie es bestätigen.";
    Reinstate: "Reinstate the position immediately before the irregularity.",
        "Stellung unmittelbar vor dem Regelverstoß wiederherstellen.";
    ReinstateFirst: "Reinstate the position before the first irregularity, {side}'s ({article}).",
        "Stellung vor dem ersten Regelverstoß (von {side}) wiederherstellen ({article}).";
    DutyMove: "{piece} on {square} was touched first: {side} must move {it} ({article}).",
        "{piece} auf {square} wurde zuerst berührt: {side} muss {it} ziehen ({article}).";
    DutyCapture: "{piece} on {square} was touched first: {side} must capture {it} ({article}).",
        "{piece} auf {square} wurde zuerst berührt: {side} muss {it} schlagen ({article}).";
    DutyReleased:
        "{piece} from {square} had rested on {to}: if the hand had released it, {side} must play it there ({article}).",
        "{piece} von {square} hatte auf {to} geruht: Hatte die Hand losgelassen, muss {side} dorthin ziehen ({article}).";
    DutyKing: "{side} must move the king, castling included, if it can move ({article}).",
        "{side} muss den König ziehen, auch mit einer Rochade, wenn er ziehen kann ({article}).";
    DutyRook: "The rook was touched first: {side} must move it if possible ({article}).",
        "Der Turm wurde zuerst berührt: {side} muss ihn ziehen, wenn möglich ({article}).";
    DutyCastle: "The king was released: {side} must castle on that side ({article}).",
        "Der König wurde losgelassen: {side} muss nach dieser Seite rochieren ({article}).";
    DutyNone: "The touched piece cannot move: {side} may play any legal move ({article}).",
        "Die berührte Figur kann nicht ziehen: {side} darf jeden regelgemäßen Zug ausführen ({article}).";
    DutyUnknown: "{side} must move a touched piece that can move ({article}).",
        "{side} muss eine berührte Figur ziehen, die ziehen kann ({article}).";
    BecomesQueen: "The pawn on {square} becomes a queen.", "Der Bauer auf {square} wird zur Dame.";
    ClockBack: "{side} is still to move; restart {side}'s clock.",
        "{side} bleibt am Zug; Uhr von {side} wieder in Gang setzen.";
    GiveTime: "Give {time} extra time to {opponent} ({article}).",
        "Zur Bedenkzeit von {opponent} {time} hinzufügen ({article}).";
    ByAnalogy: "By analogy to {article} it is {time}.", "In Anlehnung an {article} sind es {time}.";
    ByTheLetter: "This is by analogy; {article} read literally gives {time}.",
        "Das gilt in Anlehnung; {article} gibt dem Wortlaut nach {time}.";
    TakeBackTime: "Take back {side}'s increment: {time} ({article}).",
        "Zeitgutschrift von {side} zurücknehmen: {time} ({article}).";
    NoTime: "No time is added; a penalty is up to you ({authority}).",
        "Keine zusätzliche Zeit; über eine Strafe entscheiden Sie ({authority}).";
    OnlyOnClaim: "Act only if {opponent} claims ({authority}).", "Nur eingreifen, wenn {opponent} reklamiert ({authority}).";
    OnlyOnRequest: "Act only if {opponent} asks ({authority}).",
        "Nur eingreifen, wenn {opponent} es verlangt ({authority}).";
    InterveneUnasked: "Intervene at once, unasked, if possible ({authority}).",
        "Wenn möglich sofort eingreifen, auch ohne Reklamation ({authority}).";
    CompletedIllegal: "{nth} completed illegal move by {side}", "{nth} abgeschlossener regelwidriger Zug von {side}";
    CompletedOffence: "{nth} completed illegal move (or what counts as one) by {side}",
        "{nth} abgeschlossener regelwidriger Zug (oder was als solcher zählt) von {side}";
    GameLost: "{what}: {side} loses ({article}).", "{what}: {side} verliert ({article}).";
    GameDrawn: "{what}: the game is drawn ({article}).", "{what}: Die Partie ist remis ({article}).";
    FirstIs: "First", "Erster";
    SecondIs: "Second", "Zweiter";
    ThirdIs: "Third", "Dritter";
    NthIs: "{n}th", "{n}.";
    ClaimWin: "{opponent} may claim a win because of {side}'s illegal move ({article}).",
        "{opponent} darf wegen des regelwidrigen Zuges von {side} den Gewinn reklamieren ({article}).";
    ClaimDraw: "{opponent} may claim a draw because of {side}'s illegal move ({article}).",
        "{opponent} darf wegen des regelwidrigen Zuges von {side} Remis reklamieren ({article}).";
    WaitForClaim: "Do not act unasked; nothing is put back.", "Nicht von selbst eingreifen; nichts wird zurückgestellt.";
    RestsOnOpen: "This counts an earlier one that nobody has ruled on. Confirm or dismiss that one first.",
        "Dabei zählt ein früherer, über den noch niemand entschieden hat. Erst diesen bestätigen oder verwerfen.";
    AddsUpWith: "Alert {other} is open, too: if you confirm both, they count as two.",
        "Meldung {other} ist auch offen: Wenn Sie beide bestätigen, zählen sie als zwei.";
    DeclareLost: "Declare the game lost.", "Die Partie für verloren erklären.";
    DeclareDrawn: "Declare the game drawn.", "Die Partie remis erklären.";
    CanMate: "{winner} could checkmate by a series of legal moves.",
        "{winner} könnte durch eine Folge regelgemäßer Züge matt setzen.";
    CannotMate: "{winner} cannot checkmate by any series of legal moves.",
        "{winner} kann mit keiner Folge regelgemäßer Züge matt setzen.";
    MateUnknown: "Check whether the position is blocked: if {winner} cannot checkmate at all, it is a draw.",
        "Prüfen, ob die Stellung blockiert ist: Kann {winner} gar nicht matt setzen, ist die Partie remis.";
    BareOnBoard: "On the board as it stands {winner} could not mate; the position that is put back decides.",
        "So wie das Brett steht, könnte {winner} nicht matt setzen; es gilt die wiederhergestellte Stellung.";
    ClaimWindowClosed: "{opponent} has made the next move: {side}'s irregularity stands ({article}).",
        "{opponent} hat den nächsten Zug ausgeführt: Der regelwidrige Zug von {side} bleibt bestehen ({article}).";
    TooLate: "It is too late: do not intervene.", "Es ist zu spät: nicht eingreifen.";
    TooLateUnlessAgreed: "It is too late: do not intervene, unless the players agree without you.",
        "Es ist zu spät: nicht eingreifen, außer die Spieler einigen sich ohne Sie.";

    // Illegal positions.
    BothInCheck: "both kings are in check", "beide Könige stehen im Schach";
    PawnOnLastRank: "a pawn of {side} stands on the last rank", "ein Bauer von {side} steht auf der letzten Reihe";
    IllegalPosition: "Illegal position: {what} ({article}).", "Regelwidrige Stellung: {what} ({article}).";
    WaitForNext: "Wait for the next completed move; if a position is illegal then, the game is drawn.",
        "Den nächsten abgeschlossenen Zug abwarten; ist die Stellung dann regelwidrig, ist die Partie remis.";
    WaitUnlessActed:
        "If nobody acts under {authority} first: wait for the next completed move; if the position is illegal then, \
         the game is drawn.",
        "Wenn niemand vorher nach {authority} eingreift: den nächsten abgeschlossenen Zug abwarten; ist die Stellung \
         dann regelwidrig, ist die Partie remis.";
    IllegalPositionDraw: "The position is still illegal after the next move: {what} ({article}).",
        "Die Stellung ist auch nach dem nächsten Zug regelwidrig: {what} ({article}).";
    IllegalPositionOther: "After the next move the position is illegal: {side}'s king is in check ({article}).",
        "Nach dem nächsten Zug ist die Stellung regelwidrig: Der König von {side} steht im Schach ({article}).";
    OrAlert: "Only one of the two can decide the game: this, or alert {other}. Which is up to you.",
        "Nur eines von beiden kann die Partie entscheiden: dies oder Meldung {other}. Das entscheiden Sie.";
    OrActAgainst: "Another view is to act against {side} ({authority}).",
        "Nach anderer Auffassung wird gegen {side} eingegriffen ({authority}).";

    // Handling the pieces.
    PressBeforeMade:
        "{side} pressed the clock before the move was made: the piece from {square} had not been put down ({article}).",
        "{side} hat die Uhr gedrückt, bevor der Zug ausgeführt war: Die Figur von {square} war noch nicht abgesetzt ({article}).";
    UpToYou: "A penalty is up to you ({authority}).", "Über eine Strafe entscheiden Sie ({authority}).";
    CastlingRookFirst: "{side} touched the rook on {square} before the king and castled ({article}).",
        "{side} hat vor dem König den Turm auf {square} berührt und rochiert ({article}).";
    RookMustMove: "No castling on that side now; the rook must move if possible ({duty}).",
        "Nach dieser Seite jetzt keine Rochade; der Turm muss ziehen, wenn möglich ({duty}).";
    TouchedOwn: "{side} held {piece} on {square} for {held} s, put it back and played something else ({article}).",
        "{side} hat {piece} auf {square} {held} s lang gehalten, zurückgestellt und anders gezogen ({article}).";
    TouchedTheirs:
        "{side} could have captured {piece} on {square}, held for {held} s, but played something else ({article}).",
        "{side} hätte {piece} auf {square} schlagen können, {held} s lang gehalten, hat aber anders gezogen \
         ({article}).";
    WasItAdjusted: "Ask whether it was only adjusted ({duty}).", "Fragen, ob nur zurechtgerückt wurde ({duty}).";
    ReleasedPiece: "Before {side} played {move}, {piece} had rested on {square} ({article}).",
        "Bevor {side} {move} zog, hatte {piece} auf {square} geruht ({article}).";
    WasItReleased: "Ask whether the hand had released it; then it stays on {square} ({duty}).",
        "Fragen, ob die Hand losgelassen hatte; dann bleibt die Figur auf {square} ({duty}).";
    PromotionChoice: "{side} put {first} on {square} and then replaced it by {chosen} ({article}).",
        "Auf {square} stand erst {first}, dann {chosen}: {side} hat gewechselt ({article}).";
    FirstChoice: "The first choice stands ({duty}).", "Die erste Wahl gilt ({duty}).";
    ClaimUntilTouch: "{opponent} loses the right to claim it by touching a piece ({authority}).",
        "Mit dem Berühren einer Figur verliert {opponent} das Recht, das zu reklamieren ({authority}).";
    MismatchAtPress: "{side} made a legal move, but the board reports empty squares: {squares} ({article}).",
        "{side} hat regelgemäß gezogen, aber das Brett meldet leere Felder: {squares} ({article}).";
    DisplacedAtPress:
        "{side} moved and left the board without a piece on {squares}, which went off in {side}'s time ({article}).",
        "{side} hat gezogen, und das Brett zeigt auf {squares} keine Figur mehr; sie verschwand in der Zeit von {side} \
         ({article}).";
    ShovedAtPress: "In {side}'s time a piece went from its square to the one beside it and was left there: {squares} ({article}).",
        "In der Zeit von {side} kam eine Figur auf das Feld neben ihrem und blieb dort: {squares} ({article}).";
    MissingSince: "The board has shown no piece on {squares} since {side}'s last move ({article}).",
        "Das Brett zeigt seit dem letzten Zug von {side} auf {squares} keine Figur ({article}).";
    CentrePieces: "See whether a piece stands askew or was displaced.", "Prüfen, ob eine Figur schief steht oder verschoben wurde.";
    DeadSquares: "The board never shows a piece on {squares}; look at square and piece.",
        "Das Brett zeigt auf {squares} nie eine Figur; Feld und Figur prüfen.";
    StrayPieces: "The board shows a piece on {squares} where none should stand; look at the board.",
        "Das Brett zeigt auf {squares} eine Figur, wo keine stehen sollte; Brett prüfen.";
    WeakSquares: "The board loses what stands on {squares} for moments, again and again; look at square and piece.",
        "Das Brett verliert immer wieder für Augenblicke, was auf {squares} steht; Feld und Figur prüfen.";
    MisreadPieces: "The board shows another piece on {squares} than was put there; look at square and piece.",
        "Das Brett zeigt auf {squares} eine andere Figur, als dort hingestellt wurde; Feld und Figur prüfen.";
    WrongCodes: "The board showed another piece on {squares} for a moment; look at square and piece.",
        "Das Brett zeigte auf {squares} für einen Augenblick eine andere Figur; Feld und Figur prüfen.";
    UnidentifiedPieces: "The board reports where pieces stand, but not which: no game can be followed on it.",
        "Das Brett meldet, wo Figuren stehen, aber nicht welche: Auf ihm ist keine Partie zu verfolgen.";
    LatePieces: "The board notices pieces long after they are put down, such as the one from {squares}; look at the pieces.",
        "Das Brett bemerkt Figuren erst lange nach dem Hinstellen, so die von {squares}; Figuren prüfen.";
    UntoldChanges:
        "The board did not report changes on {squares}; only a query of all squares showed them: look at the cable.",
        "Das Brett hat Änderungen auf {squares} nicht gemeldet; erst eine Abfrage aller Felder hat sie gezeigt: Kabel prüfen.";
    SeatsSwapped:
        "The sides look swapped: every press moves the other colour. Does the clock or the board stand the other way round? On the page of the board, swap what stands the wrong way.",
        "Die Seiten scheinen vertauscht: Jeder Druck auf die Uhr folgt einem Zug der anderen Farbe. Steht die Uhr oder das Brett andersherum? Auf der Seite des Bretts umstellen, was verkehrt steht.";
    Unexplained: "No moves explain the pieces on the board ({article}): {squares}.",
        "Keine Zugfolge erklärt die Figuren auf dem Brett ({article}): {squares}.";
    CountedSince: "Counted since the board was first heard of in this game; nobody knows what was played before.",
        "Gezählt, seit das Brett in dieser Partie zum ersten Mal gehört wurde; was davor war, ist nicht bekannt.";
    CountMoves: "The beginning of this game was not seen: count the moves on the score sheets.",
        "Der Anfang dieser Partie wurde nicht gesehen: Züge auf den Partieformularen zählen.";
    EarlierUnknown: "Irregularities before the board was first heard of in this game are not counted.",
        "Regelverstöße, bevor das Brett in dieser Partie zum ersten Mal gehört wurde, sind nicht gezählt.";
    CompareSheet: "Compare with the score sheet.", "Mit der Notation vergleichen.";

    // The end of the game.
    Checkmate: "{side} is checkmated: {opponent} has won ({article}).",
        "{side} ist matt: {opponent} hat gewonnen ({article}).";
    MateFirst: "The mate comes before {article}; by another view it would be a draw.",
        "Das Matt geht {article} vor; nach anderer Auffassung wäre es remis.";
    Stalemate: "{side} is stalemated: the game is drawn ({article}).", "{side} ist patt: Die Partie ist remis ({article}).";
    Fivefold: "The same position has appeared for the fifth time: the game is drawn ({article}).",
        "Die gleiche Stellung ist zum fünften Mal entstanden: Die Partie ist remis ({article}).";
    Seventyfive: "Each player has made 75 moves without capture or pawn move: the game is drawn ({article}).",
        "Jeder Spieler hat 75 Züge ohne Schlagen und ohne Bauernzug ausgeführt: Die Partie ist remis ({article}).";
    DeadPosition: "Neither player can checkmate by any series of legal moves: the game is drawn ({article}).",
        "Kein Spieler kann mit einer Folge regelgemäßer Züge matt setzen: Die Partie ist remis ({article}).";
    FlagFall: "{side}'s flag has fallen: the game is lost for {side} ({article}).",
        "Das Fallblättchen von {side} ist gefallen: Die Partie ist für {side} verloren ({article}).";
    FlagFallDraw: "{side}'s flag has fallen: the game is drawn ({article}).",
        "Das Fallblättchen von {side} ist gefallen: Die Partie ist remis ({article}).";
    FlagShown: "{side}'s clock shows a fallen flag; it counts only when {opponent} claims ({article}).",
        "Die Uhr von {side} zeigt ein gefallenes Blättchen; es zählt erst, wenn {opponent} reklamiert ({article}).";
    FlagClaimPending:
        "{side}'s flag has fallen while {side}'s claim of a draw is undecided ({article}).",
        "Das Fallblättchen von {side} ist gefallen, und der Remisantrag von {side} ist noch nicht entschieden \
         ({article}).";
    FlagOtherClaimPending:
        "{side}'s flag has fallen while {opponent}'s claim of a draw is undecided ({article}).",
        "Das Fallblättchen von {side} ist gefallen, und der Remisantrag von {opponent} ist noch nicht entschieden \
         ({article}).";
    DecideClaim: "Decide that claim: drawn, or lost on time ({authority}).",
        "Den Antrag entscheiden: remis oder durch Zeit verloren ({authority}).";
    FlagCall: "Call the flag ({authority}).", "Auf das gefallene Blättchen hinweisen ({authority}).";
    DoNotCall: "Do not call the flag ({authority}); {opponent} has to claim ({claim}).",
        "Nicht auf das Blättchen hinweisen ({authority}); {opponent} muss reklamieren ({claim}).";
    OffenceOfWinner: "{opponent}'s irregularity is still open: rule on it first ({offence}).",
        "Der Regelverstoß von {opponent} ist noch offen: zuerst darüber entscheiden ({offence}).";
    FlagFirst:
        "{side}'s flag had fallen before: rule on it first; if it was called or claimed in time, it decides ({article}).",
        "Das Fallblättchen von {side} war vorher gefallen: zuerst darüber entscheiden; wurde es rechtzeitig festgestellt \
         oder reklamiert, entscheidet es ({article}).";
    BothFlagsKnown: "Both flags have fallen, {side}'s first: that one decides ({article}).",
        "Beide Fallblättchen sind gefallen, das von {side} zuerst: Dieses entscheidet ({article}).";
    ClaimNeedsTime: "A player can claim only with time left ({claim}).",
        "Reklamieren kann nur, wer noch Zeit hat ({claim}).";
    BothFlagsDraw: "Both flags have fallen: the game is drawn ({article}).",
        "Beide Fallblättchen sind gefallen: Die Partie ist remis ({article}).";
    BothFlagsGoOn:
        "Both flags have fallen, and which was first cannot be told: in this period the game continues ({article}).",
        "Beide Fallblättchen sind gefallen, und welches zuerst, ist nicht feststellbar: In dieser Zeitperiode wird \
         die Partie fortgesetzt ({article}).";
    BothFlagsUnruled: "Both flags have fallen; which was first cannot be established ({article}).",
        "Beide Fallblättchen sind gefallen; welches zuerst fiel, ist nicht festzustellen ({article}).";
    LookAtClock:
        "Let the clock's own sign decide. It is a draw only in an announced quickplay finish without increment \
         ({authority}).",
        "Die Anzeige der Uhr entscheidet. Remis ist es nur in einer angekündigten Endspurtphase ohne Zeitgutschrift \
         ({authority}).";
    MovesNotDone: "{done} of the {due} moves due had been completed.",
        "Abgeschlossen waren {done} der {due} vorgeschriebenen Züge.";
    FlagRunsOn: "The clock calls itself blocked and runs on for the opponent: look at its display.",
        "Die Uhr meldet sich blockiert und läuft doch für den Gegner weiter: Anzeige der Uhr prüfen.";
    FlagNewPeriod: "The clock has gone on with {time}: it may only be the end of a period. Count the moves.",
        "Die Uhr läuft mit {time} weiter: Vielleicht ist nur eine Zeitperiode zu Ende. Züge zählen.";

    // Equipment.
    BoardLink: "The board cannot be heard.", "Das Brett ist nicht zu erreichen.";
    ClockLink: "The board has lost its clock.", "Das Brett findet seine Uhr nicht.";
    ClockLowBattery: "The clock asks for a new battery.", "Die Uhr braucht eine neue Batterie.";
    BoardBattery: "The board's battery is down to {percent} %.", "Die Batterie des Bretts ist bei {percent} %.";
    LineNoise: "The line to the board is noisy: {bytes} bytes were damaged.",
        "Die Leitung zum Brett ist gestört: {bytes} Bytes waren beschädigt.";

    // Windows.
    UntilGameEnd: "until the end of the game", "bis zum Ende der Partie";
    UntilMoveMade: "until {value}'s next move is made", "bis {value} den nächsten Zug ausgeführt hat";
    UntilTouch: "until {value} touches a piece", "bis {value} eine Figur berührt";
    UntilNextCompleted: "until the next move is completed", "bis der nächste Zug abgeschlossen ist";
    UntilMovesEach: "until both players have completed {value} moves", "bis beide Spieler {value} Züge abgeschlossen haben";
    WindowSentence: "Open {window}.", "Frist: {window}.";

    // The table of rules.
    Needs: "needs", "braucht";
    Proposes: "proposes", "schlägt vor";
    Article: "article", "Artikel";
    Authority: "authority", "Befugnis";
    }
}
