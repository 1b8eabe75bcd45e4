operator-erasures-title = Löschungen
operator-erasures-lead = Die Nachweise über gelöschte Marken und Personen.
operator-erasures-subject = Was gelöscht wurde
operator-erasures-subject-brand = Marken-ID
operator-erasures-subject-user = Pseudonym im Verlauf
operator-erasures-kind = Art
operator-erasures-kind-brand = Marke
operator-erasures-kind-user = Person
operator-erasures-rows = Zeilen
operator-erasures-by = Angefordert von
operator-erasures-requested = Angefordert
operator-erasures-finished = Abgeschlossen
operator-erasures-empty = Bisher wurde nichts gelöscht
operator-erasures-empty-hint = Wenn eine Marke oder Person gelöscht wird, wird der Nachweis hier aufbewahrt.
operator-erasures-back = Alle Löschungen
operator-erasures-receipt = Löschnachweis
operator-erasures-not-loaded = Der Nachweis konnte nicht geladen werden.
operator-erasures-running-brand = { $count ->
    [one] Die Marke wird gelöscht: bisher eine Zeile gelöscht
   *[other] Die Marke wird gelöscht: bisher { $count } Zeilen gelöscht
}
operator-erasures-running-user = { $count ->
    [one] Die Person wird gelöscht: bisher eine Zeile geändert
   *[other] Die Person wird gelöscht: bisher { $count } Zeilen geändert
}
operator-erasures-running-next = Eine Minute nach der letzten Zeile werden alle Tabellen noch einmal durchsucht. Sie können diese Seite verlassen: Die Löschung läuft weiter.
operator-erasures-done-brand = { $count ->
    [one] Die Marke ist gelöscht: Eine Zeile wurde gelöscht
   *[other] Die Marke ist gelöscht: { $count } Zeilen wurden gelöscht
}
operator-erasures-done-user = { $count ->
    [one] Die Person ist gelöscht: Eine Zeile wurde geändert
   *[other] Die Person ist gelöscht: { $count } Zeilen wurden geändert
}
operator-erasures-done-next-brand = Nur dieser Nachweis nennt die Marke noch. Ihre ID kann nicht wieder verwendet werden.
operator-erasures-done-next-user = Auch dieser Nachweis enthält die Person nicht mehr. Bewahren Sie seine ID auf, wenn Sie die Löschung belegen müssen.
