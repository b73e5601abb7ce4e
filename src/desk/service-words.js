// What is wrong with the service, by the part that says so, in English and German.

export const SERVICE_WORDS = {
  part_tasks: ["a part of it does not move on; if that lasts, the system starts it again", "ein Teil kommt nicht weiter; hält das an, startet das System ihn neu"],
  part_ports: ["a board's line fails again and again and is not watched any more: look after that table yourself, and reload the configuration", "die Leitung eines Bretts fällt immer wieder aus und wird nicht mehr beobachtet: dort selbst zuschauen und die Konfiguration neu laden"],
  part_captures: ["what boards say cannot be written to the disk: make room now, or it is lost", "was Bretter melden, lässt sich nicht auf die Platte schreiben: jetzt Platz schaffen, sonst geht es verloren"],
  part_logs: ["the logs cannot be written to the disk: make room", "die Protokolle lassen sich nicht auf die Platte schreiben: Platz schaffen"],
  part_boards: ["the list of boards cannot be written to the disk: make room", "die Liste der Bretter lässt sich nicht auf die Platte schreiben: Platz schaffen"],
  part_state_dir: ["the disk of the captures is full or cannot be written to: make room now", "die Platte der Aufzeichnungen ist voll oder nicht beschreibbar: jetzt Platz schaffen"],
  part_log_dir: ["the disk of the logs is full or cannot be written to: make room now", "die Platte der Protokolle ist voll oder nicht beschreibbar: jetzt Platz schaffen"],
  part_disk: ["the disk does not answer", "die Platte antwortet nicht"],
  part_http: ["the desk does not listen at its address", "der Leitstand ist unter seiner Adresse nicht zu erreichen"],
  "part_http.certificate": ["the certificate of the desk cannot be used", "das Zertifikat des Leitstands ist nicht zu gebrauchen"],
  part_public: ["the page for everybody does not listen at its address", "die Seite für alle ist unter ihrer Adresse nicht zu erreichen"],
  part_livechess: ["programs that read boards by LiveChess' interface cannot connect", "Programme, die Bretter über die Schnittstelle von LiveChess lesen, können sich nicht verbinden"],
  part_mqtt: ["the broker cannot be reached; what is to be sent waits", "der Broker ist nicht zu erreichen; was zu senden ist, wartet"],
  part_broker: ["the broker cannot be reached: what this page shows may be out of date", "der Broker ist nicht zu erreichen: was diese Seite zeigt, kann veraltet sein"],
  part_lichess: ["the broadcast at Lichess does not get the games; they are sent again", "die Übertragung bei Lichess bekommt die Partien nicht; sie werden erneut gesendet"],
  part_pgn: ["the games cannot be written to their folder", "die Partien lassen sich nicht in ihren Ordner schreiben"],
  part_notify: ["a way of sending alerts to phones does not work", "ein Weg, Meldungen an Telefone zu senden, ist gestört"],
  part_duplicates: ["two boards have the same number; the one that came later is not watched", "zwei Bretter haben dieselbe Nummer; das spätere wird nicht beobachtet"],
  "part_serial-numbers": ["a board tells ever new numbers; the first one stays", "ein Brett meldet immer neue Nummern; die erste bleibt"],
  part_floods: ["a line says more than a board can; the rest is not read", "eine Leitung meldet mehr, als ein Brett kann; der Rest wird nicht gelesen"],
};
