posts-title = Beiträge
posts-lead = Was Ihre Assistenten geschrieben haben: Entwürfe, Geplantes und Öffentliches.
posts-shape = Anzeigen als
posts-shape-calendar = Kalender
posts-shape-list = Liste
posts-calendar = Kalender
posts-list = Alle Beiträge
posts-empty = Noch keine Beiträge
posts-empty-help = Bitten Sie einen Assistenten mit Schreibzugriff, einen Beitrag zu entwerfen. Er erscheint hier, und Sie können ihn bearbeiten, planen und veröffentlichen.
posts-not-loaded = Die Beiträge konnten nicht geladen werden.
posts-failed-count = { $count ->
    [one] { $count } Beitrag ist auf einem Kanal fehlgeschlagen
   *[other] { $count } Beiträge sind auf einem Kanal fehlgeschlagen
}
posts-show-failed = Grund anzeigen

posts-state = { $status ->
    [draft] Entwurf
    [scheduled] Geplant
    [publishing] Wird veröffentlicht
    [published] Veröffentlicht
    [failed] Fehlgeschlagen
    [uncertain] Ungewiss
    [cancelled] Storniert
    [withdrawing] Wird zurückgezogen
   *[withdrawn] Zurückgezogen
}
posts-on-some = { $total ->
    [one] auf { $count } von { $total } Kanal
   *[other] auf { $count } von { $total } Kanälen
}
posts-no-time = Kein Zeitpunkt

posts-all = Alle
posts-filter = Status
posts-count = { $count ->
    [0] Es gibt keine Beiträge.
    [one] { $count } Beitrag
   *[other] { $count } Beiträge
}
posts-count-state = { $count ->
    [0] Kein Beitrag hat diesen Status.
    [one] { $count } Beitrag hat auf einem Kanal diesen Status.
   *[other] { $count } Beiträge haben auf einem Kanal diesen Status.
}
posts-older = Ältere Beiträge anzeigen
posts-older-not-loaded = Die älteren Beiträge konnten nicht geladen werden.
posts-head-post = Beitrag
posts-head-state = Status
posts-head-when = Zeitpunkt
posts-head-channels = Kanäle
posts-head-key = Schlüssel

posts-month-before = Vorheriger Monat
posts-month-after = Nächster Monat
posts-today = Heute
posts-month-empty = Kein Beitrag in diesem Monat.
posts-zone = Zeiten gelten in Ihrer Zeitzone: { $zone }.
posts-move-help = Ziehen Sie einen geplanten Beitrag auf einen anderen Tag, oder wählen Sie ihn aus und drücken Sie die Umschalttaste mit einer Pfeiltaste.
posts-written-before = Beiträge, die mehr als drei Monate vor der Veröffentlichung geschrieben wurden, stehen nur in der Liste.
posts-cut = In diesem Zeitraum gibt es mehr Beiträge, als der Kalender zeigt. Die Liste enthält alle.
posts-more = { $count } weitere
posts-more-of-day = { $count ->
    [one] { $count } weiteren Beitrag anzeigen: { $day }
   *[other] { $count } weitere Beiträge anzeigen: { $day }
}
posts-moved = Verschoben auf { $at }.
posts-undo = Rückgängig
posts-not-moved = Der Beitrag wurde nicht verschoben.

posts-open-public = Öffentlichen Beitrag öffnen
posts-planned = Geplant für
posts-person = Schlüssel erstellt von
posts-created = Erstellt
posts-version = Version
posts-version-words = { $changes ->
    [0] { $version }, nie geändert
    [one] { $version }, einmal geändert
   *[other] { $version }, { $changes }-mal geändert
}
posts-not-fresh = Möglicherweise veraltet: Der Beitrag konnte nicht neu geladen werden.
posts-not-yours = Nur { $person } oder ein Admin kann diesen Beitrag ändern.
posts-next-attempt = { $attempts ->
    [one] Bisher { $attempts } Versuch. Der nächste folgt { $when }.
   *[other] Bisher { $attempts } Versuche. Der nächste folgt { $when }.
}
posts-failed-help = Beheben Sie das oben genannte Problem und versuchen Sie es dann erneut. Der Beitrag wird nicht doppelt gesendet.
posts-failed-ask = Die Person, die den Schlüssel erstellt hat, oder ein Admin kann es erneut versuchen, sobald das gelöst ist.
posts-uncertain-help = Sehen Sie im Konto nach. Wenn der Beitrag dort fehlt, bitten Sie den Assistenten, ihn noch einmal zu schreiben.
posts-publishing-help = Der Beitrag wird gerade veröffentlicht. Diese Seite zeigt gleich das Ergebnis.
posts-withdrawing-help = Der Beitrag wird gerade zurückgezogen. Diese Seite zeigt gleich das Ergebnis.
posts-not-withdrawn-help = Der Beitrag ist noch öffentlich. Versuchen Sie erneut, ihn zurückzuziehen, oder löschen Sie ihn im Konto von Hand.
posts-changed = Der Beitrag wurde inzwischen geändert
posts-changed-read = Ihr Auftrag wurde nicht ausgeführt. Unten steht der Beitrag, wie er jetzt ist. Lesen Sie ihn und entscheiden Sie dann erneut.
posts-changed-help = Es wurde nichts gespeichert, und Ihre Eingaben bleiben erhalten. Das wurde geändert:
posts-changed-by-both = Das haben Sie ebenfalls geändert. Wenn Sie speichern, ersetzt Ihre Fassung diese.
posts-nothing-done = Es wurde nichts geändert.
posts-outcome-unknown = Es ist nicht bekannt, ob das angekommen ist. Sie können es gefahrlos erneut versuchen.
posts-back = Zurück

posts-edit = Bearbeiten…
posts-edit-title = Beitrag bearbeiten
posts-save = Speichern
posts-save-anyway = Meine Änderungen speichern
posts-saved = Der Beitrag wurde gespeichert.
posts-field-text = Text
posts-field-title = Titel
posts-field-link = Link
posts-field-media = Bilder
posts-field-channels = Kanäle
posts-field-time = Zeitpunkt
posts-title-hint = Für Kanäle, die einen anzeigen.
posts-time-hint = In Ihrer Zeitzone: { $zone }.
posts-time-of-draft = In Ihrer Zeitzone: { $zone }. Ein Entwurf wird nicht von selbst veröffentlicht, auch nicht zu diesem Zeitpunkt.
posts-channels-of-member = Um einen weiteren Kanal hinzuzufügen, wenden Sie sich an einen Admin.
posts-picture = Bild { $number }
posts-picture-address = Adresse des Bildes
posts-picture-alt = Was es zeigt
posts-picture-add = Bild hinzufügen
posts-picture-remove = Entfernen
posts-picture-remove-one = Bild { $number } entfernen

posts-publish = Veröffentlichen…
posts-publish-title = Diesen Beitrag veröffentlichen?
posts-publish-help = { $count ->
    [one] Alle können ihn auf diesem Kanal lesen: { $channels }.
   *[other] Alle können ihn auf diesen Kanälen lesen: { $channels }.
}
posts-publish-when = Wann
posts-publish-now = Jetzt
posts-publish-later = Zu einem Zeitpunkt
posts-publish-order = Jetzt veröffentlichen
posts-schedule-order = Planen
posts-publishing = Der Beitrag wird veröffentlicht.
posts-scheduled = Der Beitrag ist geplant.
posts-retry = Erneut versuchen
posts-retrying = Die fehlgeschlagenen Kanäle werden erneut versucht.

posts-stop = Stoppen…
posts-stop-title = Diesen Beitrag stoppen?
posts-stop-help = Er wird hier nicht veröffentlicht: { $channels }. Ein gestoppter Beitrag kann nicht erneut geplant werden.
posts-stop-published = Wo er schon öffentlich ist, bleibt er es. Dort können Sie ihn zurückziehen.
posts-stop-order = Beitrag stoppen
posts-stopped = Der Beitrag wurde gestoppt.
posts-withdraw = Zurückziehen…
posts-withdraw-title = Diesen Beitrag zurückziehen?
posts-withdraw-help = Er ist auf diesen Kanälen öffentlich. Ein zurückgezogener Beitrag kann nicht erneut veröffentlicht werden.
posts-withdraw-from = { $kind ->
    [feed] Er verschwindet sofort aus den Feeds, und seine Seite zeigt an, dass es ihn nicht mehr gibt.
    [mastodon] Mastodon wird aufgefordert, ihn zu löschen. Kopien auf anderen Servern können bestehen bleiben.
    [bluesky] Bluesky wird aufgefordert, ihn zu löschen.
    [webhook] Der Empfänger erhält die Nachricht, dass der Beitrag zurückgezogen ist. Was er damit tut, entscheidet er selbst.
   *[other] Der Kanal wird aufgefordert, ihn zurückzunehmen. Ist das nicht möglich, bleibt der Beitrag öffentlich, und sein Status nennt den Grund.
}
posts-withdraw-order = { $count ->
    [one] Von { $count } Kanal zurückziehen
   *[other] Von { $count } Kanälen zurückziehen
}
posts-withdrawing = Der Beitrag wird zurückgezogen.
posts-delete = Löschen…
posts-delete-title = Diesen Beitrag löschen?
posts-delete-help = Dieser Text wird endgültig gelöscht. Er kann nicht wiederhergestellt werden.
posts-delete-order = Beitrag löschen
posts-deleted = Der Beitrag wurde gelöscht.
