operator-brands-title = Marken
operator-brands-lead = Alles, was zu einem Kunden gehört.
operator-brands-filters = Marken suchen und filtern
operator-brands-search = Suche nach dem Anfang von ID oder Name
operator-brands-plan = Tarif
operator-brands-website = Website
operator-brands-empty = Noch keine Marken
operator-brands-empty-hint = Ihre Anwendung erstellt Marken über die Betreiber-API. Sie werden hier aufgelistet.
operator-brands-back = Alle Marken
operator-brands-not-loaded = Diese Marke konnte nicht geladen werden.
operator-brands-facts = Über die Marke
operator-brands-competitors = Mitbewerber
operator-brands-language = Sprache
operator-brands-time-zone = Zeitzone
operator-brands-elsewhere = Zu dieser Marke
operator-brands-parts = Bereiche der Marke
operator-brands-part-members = Mitglieder
operator-brands-part-keys = Schlüssel
operator-brands-part-posts = Beiträge

operator-brands-person = Person
operator-brands-email = E-Mail
operator-brands-role = Rolle
operator-brands-role-admin = Admin
operator-brands-role-member = Mitglied
operator-brands-no-members = Keine Mitglieder
operator-brands-no-members-hint = Die Schlüssel der Marke können nicht verwendet werden, bis Ihre Anwendung ein Mitglied hinzufügt.

operator-brands-suspend = Sperren…
operator-brands-resume = Entsperren…
operator-brands-revoke = Alle Schlüssel widerrufen…
operator-brands-export = Exportieren…
operator-brands-erase = Endgültig löschen…

operator-brands-is-suspended = Diese Marke ist gesperrt
operator-brands-suspended-means = Agenten werden abgewiesen, anstehende Aufgaben werden angehalten (und 24 Stunden nach ihrem Zeitpunkt storniert), der Feed antwortet mit 404, und neue Schlüssel können nicht erstellt werden. Personen können sich weiterhin anmelden und lesen.
operator-brands-suspended-at = Seit
operator-brands-suspended-by = Gesperrt von
operator-brands-reason = Grund
operator-brands-reason-hint = Nur Betreiber sehen ihn.
operator-brands-suspend-title = Diese Marke sperren?
operator-brands-suspend-undo = Sie können die Marke jederzeit entsperren.
operator-brands-suspend-action = Marke sperren
operator-brands-suspend-failed = Die Marke wurde nicht gesperrt.
operator-brands-was-suspended = { $name } ist gesperrt.
operator-brands-resume-title = Diese Marke entsperren?
operator-brands-resume-means = Ihre Schlüssel funktionieren ab der nächsten Anfrage wieder, ihr Feed ist wieder öffentlich, und angehaltene Aufgaben laufen weiter.
operator-brands-resume-action = Marke entsperren
operator-brands-resume-failed = Die Marke wurde nicht entsperrt.
operator-brands-was-resumed = { $name } ist wieder aktiv.

operator-brands-revoke-title = Alle Schlüssel dieser Marke widerrufen?
operator-brands-revoke-means = Ab der nächsten Anfrage wird jeder Schlüssel der Marke abgewiesen, und ihre anstehenden Aufgaben werden storniert. Das kann nicht rückgängig gemacht werden. Mitglieder können neue Schlüssel erstellen.
operator-brands-revoke-action = Alle Schlüssel widerrufen
operator-brands-revoke-failed = Nicht alle Schlüssel wurden widerrufen.
operator-brands-revoked = { $count ->
    [0] Kein Schlüssel musste widerrufen werden
    [one] Ein Schlüssel wurde widerrufen
   *[other] { $count } Schlüssel wurden widerrufen
}

operator-brands-export-title = Alle Zeilen dieser Marke exportieren
operator-brands-export-means = Die Datei enthält ein JSON-Objekt pro Zeile. Schlüssel sind nur als Hashwerte enthalten und andere Secrets bleiben versiegelt, aber sie enthält Namen und Adressen von Personen: Bewahren Sie sie sicher auf.
operator-brands-export-exact = Sperren Sie die Marke zuerst, wenn die Kopie exakt sein muss.
operator-brands-export-action = Herunterladen
operator-brands-export-progress = Wird gelesen… bisher { $size } KiB.
operator-brands-export-done = { $count ->
    [one] Eine Zeile wurde exportiert
   *[other] { $count } Zeilen wurden exportiert
}
operator-brands-export-file = Die Datei { $file } ist vollständig.
operator-brands-export-failed = Der Export wurde nicht gespeichert.
operator-brands-export-lost = Der Export brach vor dem Ende ab. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.

operator-brands-erase-title = Diese Marke endgültig löschen?
operator-brands-erase-final = Das kann nicht rückgängig gemacht werden
operator-brands-erase-export = Exportieren Sie die Marke zuerst, wenn ihre Daten noch benötigt werden könnten.
operator-brands-erase-means = Sofort werden ihre Schlüssel abgewiesen, ihre anstehenden Aufgaben sind weg, ihr Feed antwortet mit 404, und ihre Mitglieder sehen sie nicht mehr. Danach werden alle Zeilen der Marke gelöscht: Schlüssel, Beiträge, Audits, Analysen, Kanäle, Mitglieder und Aktivität. Die ID kann nicht wieder verwendet werden.
operator-brands-erase-action = Marke endgültig löschen
operator-brands-erase-failed = Die Marke wurde nicht gelöscht.

operator-brands-post = Beitrag
operator-brands-channels = Kanäle
operator-brands-post-scheduled = Geplant für
operator-brands-post-created = Erstellt
operator-brands-post-filters = Beiträge filtern
operator-brands-no-posts = Noch keine Beiträge
operator-brands-no-posts-hint = Die Beiträge, die Agenten und Personen der Marke schreiben, werden hier aufgelistet.
operator-brands-post-failed = Der Beitrag wurde nicht geändert.
operator-brands-post-partly = Nicht jeder Kanal konnte gestoppt werden
operator-brands-post-cancel = Stornieren…
operator-brands-post-cancel-of = { $name } stornieren
operator-brands-post-cancel-title = Diesen Beitrag stornieren?
operator-brands-post-cancel-means = Was noch nicht veröffentlicht ist, wird nicht mehr veröffentlicht. Ein Entwurf wird gelöscht.
operator-brands-post-cancel-action = Beitrag stornieren
operator-brands-post-cancel-done = Der Beitrag ist storniert
operator-brands-post-withdraw = Zurückziehen…
operator-brands-post-withdraw-of = { $name } zurückziehen
operator-brands-post-withdraw-title = Diesen Beitrag zurückziehen?
operator-brands-post-withdraw-means = Der Beitrag wird von jedem Kanal zurückgenommen, auf dem er öffentlich ist. Ein Kanal, der das nicht kann, meldet es. Das kann nicht rückgängig gemacht werden.
operator-brands-post-withdraw-action = Beitrag zurückziehen
operator-brands-post-withdraw-done = Der Beitrag wird zurückgezogen
operator-brands-post-retry = Erneut versuchen…
operator-brands-post-retry-of = { $name } erneut versuchen
operator-brands-post-retry-title = Diesen Beitrag erneut veröffentlichen?
operator-brands-post-retry-means = Die Kanäle, auf denen er fehlgeschlagen ist, werden jetzt erneut versucht. Nichts wird doppelt gesendet.
operator-brands-post-retry-action = Erneut veröffentlichen
operator-brands-post-retry-done = Der Beitrag wird erneut veröffentlicht
