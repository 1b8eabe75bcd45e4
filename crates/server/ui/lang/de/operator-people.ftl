operator-people-title = Personen
operator-people-lead = Die Mitglieder aller Marken.
operator-people-filters = Personen suchen
operator-people-search = Suche nach dem Anfang von Benutzer-ID oder E-Mail
operator-people-person = Person
operator-people-email = E-Mail
operator-people-brands = Marken
operator-people-empty = Noch keine Personen
operator-people-empty-hint = Personen werden hier aufgelistet, sobald Ihre Anwendung sie zu einer Marke hinzufügt.
operator-people-back = Alle Personen
operator-people-audit = Was diese Person geändert hat
operator-people-no-brands = Diese Person handelt für keine Marke
operator-people-no-brands-hint = Sie ist nicht mehr Mitglied, oder die Benutzer-ID gibt es nicht.
operator-people-no-keys = Diese Person hat keine Schlüssel erstellt
operator-people-no-keys-hint = Die Schlüssel, die sie erstellt, werden hier aufgelistet.

operator-people-sessions = Überall abmelden…
operator-people-sessions-title = Diese Person in allen Browsern abmelden?
operator-people-sessions-means = Ihre Sitzungen und Anmeldelinks enden sofort. Die Person kann sich erneut anmelden: Entziehen Sie zuerst den Zugriff in Ihrer Anwendung oder beim Identitätsanbieter.
operator-people-sessions-action = Überall abmelden
operator-people-sessions-failed = Die Person wurde nicht abgemeldet.
operator-people-sessions-done = { $count ->
    [0] Es war keine Sitzung offen.
    [one] Eine Sitzung ist beendet.
   *[other] { $count } Sitzungen sind beendet.
}
operator-people-revoke = Alle Schlüssel widerrufen…
operator-people-revoke-title = Alle Schlüssel dieser Person widerrufen?
operator-people-revoke-means = Die Schlüssel der Person in allen Marken werden ab der nächsten Anfrage abgewiesen, und ihre anstehenden Aufgaben werden storniert. Das kann nicht rückgängig gemacht werden. Die Person kann neue Schlüssel erstellen, solange sie Mitglied ist.
operator-people-revoke-action = Alle Schlüssel widerrufen
operator-people-revoke-failed = Nicht alle Schlüssel wurden widerrufen.
operator-people-revoked = { $count ->
    [0] Kein Schlüssel musste widerrufen werden
    [one] Ein Schlüssel wurde widerrufen
   *[other] { $count } Schlüssel wurden widerrufen
}

operator-people-erase = Endgültig löschen…
operator-people-erase-title = Diese Person endgültig löschen?
operator-people-erase-final = Das kann nicht rückgängig gemacht werden
operator-people-erase-order = Die Adressen der Person werden über ihre Mitgliedschaften gefunden. Löschen Sie eine Person, bevor Sie die Mitgliedschaften entfernen.
operator-people-erase-means = Sofort ist die Person Mitglied keiner Marke mehr, ihre Schlüssel werden widerrufen und anstehende Aufgaben storniert. Danach werden ihr Name und ihre Adressen überall entfernt, und im Verlauf tritt ein zufälliges Pseudonym an die Stelle ihrer ID.
operator-people-erase-action = Person endgültig löschen
operator-people-erase-failed = Die Person wurde nicht gelöscht.
