// The phrases of the page of an alert and of the report, in English and German.

export const RULING_WORDS = {
  // Undo.
  undo: ["Take back: {ruling}", "Zurücknehmen: {ruling}"],
  orUndo: ["Take back", "Zurücknehmen"],
  orUndoText: ["The last entry of this kind in this game; a result taken back lets the game and its alerts go on.", "Die letzte Eingabe dieser Art in dieser Partie; ein zurückgenommenes Ergebnis lässt Partie und Meldungen weitergehen."],
  orUndoWhat: ["What is taken back", "Was zurückgenommen wird"],
  mutedUntil: ["Muted until {time}: no alerts are told.", "Stumm bis {time}: keine Meldungen."],
  muteEnd: ["Tell alerts again", "Wieder melden"],

  // Steps.
  steps: ["At the table", "Am Tisch"],
  stepStop: ["Stop the clock", "Uhr anhalten"],
  stepPosition: ["Restore this position", "Diese Stellung wiederherstellen"],
  stepTimes: ["Set these times", "Diese Zeiten einstellen"],
  stepDone: ["done", "erledigt"],
  stepOpen: ["still to do", "noch zu tun"],
  stepUnseen: ["cannot be seen", "nicht zu sehen"],
  stepRuns: ["The time of {side} runs.", "Die Zeit von {side} läuft."],
  stepNoClock: ["The clock cannot be seen: check by eye.", "Die Uhr ist nicht zu sehen: mit eigenen Augen prüfen."],
  stepNoBoard: ["The board cannot be heard: check by eye.", "Das Brett meldet sich nicht: mit eigenen Augen prüfen."],
  stepMissing: ["{square}: {piece} is missing", "{square}: {piece} fehlt"],
  stepTooMuch: ["{square}: {piece} must go", "{square}: {piece} muss weg"],
  stepInstead: ["{square}: {piece}, not {shown}", "{square}: {piece}, nicht {shown}"],
  stepTimesWrong: ["Not right yet: {sides}.", "Noch nicht richtig: {sides}."],
  stepsDone: ["All done. Start the clock of {side}.", "Alles erledigt. Die Uhr von {side} starten."],
  stepsDoneBare: ["All done.", "Alles erledigt."],
  clockLeft: ["left", "links"],
  clockRight: ["right", "rechts"],
  clockModel: ["Clock at the tables", "Uhr an den Tischen"],
  keys3000: ["DGT 3000: ❚❚▶ pauses; hold ❚❚▶ for 3 s; + and − change the blinking digit, ▶ goes to the next; after the number of moves ❚❚▶ starts.", "DGT 3000: ❚❚▶ hält an; ❚❚▶ 3 s halten; + und − ändern die blinkende Ziffer, ▶ geht zur nächsten; nach der Zugzahl startet ❚❚▶."],
  keys2010: ["DGT 2010: start/stop pauses; hold start/stop for 3 s; +1 and −1 change the blinking digit, ✓ goes to the next; after the number of moves start/stop starts.", "DGT 2010: Start/Stop hält an; Start/Stop 3 s halten; +1 und −1 ändern die blinkende Ziffer, ✓ geht zur nächsten; nach der Zugzahl startet Start/Stop."],
  keysxl: ["DGT XL: start/stop pauses; hold start/stop for 3 s; + and − change the blinking digit, OK goes to the next; start/stop starts.", "DGT XL: Start/Stop hält an; Start/Stop 3 s halten; + und − ändern die blinkende Ziffer, OK geht zur nächsten; Start/Stop startet."],
};
