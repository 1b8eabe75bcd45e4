connections-document-title = Verbindungen · { $brand }
connections-title = Verbindungen
connections-lead = Wohin die Beiträge von { $brand } gehen, wer die Berichte erhält und welche Systeme erfahren, was geschieht.
connections-admins-only = Nur Admins sehen Verbindungen
connections-admins-only-next = Verbindungen enthalten Zugangsdaten anderer Dienste. Fragen Sie eine dieser Personen, wenn etwas hinzugefügt oder geändert werden soll:
connections-admins = Admins

connections-name = Name
    .title = 1 bis 64 Buchstaben, Ziffern, Bindestriche und Unterstriche
connections-name-taken = Dieser Name wird bereits verwendet. Wählen Sie einen anderen, oder ändern Sie den Eintrag mit diesem Namen.
connections-save = Speichern
connections-add = Hinzufügen
connections-change = Ändern
connections-change-of = { $name } ändern
connections-remove-of = { $name } entfernen
connections-counting = Noch zu veröffentlichende Beiträge werden gezählt…
connections-fault = { $field }: { $message }

connections-test = Test senden
connections-test-of = Test an { $name } senden
connections-test-good = Der Test war erfolgreich
connections-test-bad = Der Test ist fehlgeschlagen
connections-test-not-run = Der Test konnte nicht gesendet werden.
connections-test-status = HTTP-Status der Antwort: { $status }

connections-secret-keep = Bereits festgelegt und nicht anzeigbar. Leer lassen, um den Wert zu behalten, oder einen neuen eingeben, um ihn zu ersetzen.
connections-secret-placeholder = Festgelegt
connections-secret-title = Signatur-Secret jetzt kopieren
connections-secret-once = Mit diesem Secret prüft der Empfänger von „{ $name }“, ob eine Nachricht echt ist. Es wird nur jetzt angezeigt.
connections-secret-use = Nachrichten werden nach Standard Webhooks signiert. Speichern Sie das Secret dort, wo der Empfänger es lesen kann, und nirgendwo sonst.
connections-secret-copy = Kopieren
    .label = Signatur-Secret kopieren
connections-secret-copied = Kopiert
connections-secret-selected = Das Secret ist markiert. Drücken Sie zum Kopieren Strg+C oder ⌘C.
connections-secret-done = Fertig
connections-secret-close-anyway = Ohne Kopieren schließen
connections-secret-not-copied = Das Secret wurde noch nicht kopiert
connections-secret-not-copied-next = Es kann nicht erneut angezeigt werden. Kopieren Sie es zuerst, oder schließen Sie ohne Kopieren.
connections-secret-lost-title = Gespeichert, aber ohne Secret
connections-secret-lost = „{ $name }“ wurde gespeichert, aber das Signatur-Secret ist nicht angekommen

connections-channels = Kanäle
connections-channels-lead = Wo Beiträge veröffentlicht werden. Secrets werden verschlüsselt gespeichert und nie wieder angezeigt.
connections-channels-failed = Die Kanäle konnten nicht geladen werden.
connections-channel-add = Kanal hinzufügen
connections-channel-add-title = Kanal hinzufügen
connections-channel-change-title = Kanal ändern
connections-channel-kind = Art
connections-channel-name =
    .hint = Assistenten wählen den Kanal über diesen Namen. Er kann später nicht geändert werden.
connections-channel-account = { $account } auf { $server }
connections-channel-limits =
    { $media ->
        [one] Texte mit bis zu { $text } Zeichen, ein Bild.
       *[other] Texte mit bis zu { $text } Zeichen, { $media } Bilder.
    }
connections-channel-added = „{ $name }“ wurde hinzugefügt. Senden Sie einen Test, um zu sehen, ob der Kanal funktioniert.
connections-channel-changed = „{ $name }“ wurde geändert.
connections-channel-not-saved = Der Kanal konnte nicht gespeichert werden.
connections-channel-secret-lost = Die Verbindung wurde beim Speichern unterbrochen. Öffnen Sie „Ändern“ und geben Sie ein eigenes Signatur-Secret ein.
connections-channel-remove = Kanal entfernen
connections-channel-remove-title = Diesen Kanal entfernen?
connections-channel-removed = „{ $name }“ wurde entfernt.
connections-channel-not-removed = Der Kanal konnte nicht entfernt werden.
connections-channel-loses-posts =
    { $count ->
        [0] Kein geplanter Beitrag geht verloren.
        [one] Ein dafür geplanter Beitrag wird dort storniert.
       *[other] { $count } dafür geplante Beiträge werden dort storniert.
    }
connections-channel-loses-posts-unknown = Dafür geplante Beiträge werden dort storniert. Ihre Anzahl konnte nicht geladen werden.
connections-channel-loses-secret = Das gespeicherte Secret wird gelöscht. Sie benötigen es, um den Kanal erneut hinzuzufügen.
connections-channel-keeps = Was dort veröffentlicht wurde, bleibt öffentlich.

connections-kind-feed = Feed
connections-kind-webhook = Webhook
connections-kind-mastodon = Mastodon
connections-kind-bluesky = Bluesky
connections-secret-set-webhook = Signatur-Secret: festgelegt
connections-secret-set-mastodon = Zugriffstoken: festgelegt
connections-secret-set-bluesky = App-Passwort: festgelegt

connections-webhook-url = Adresse
    .hint = Jeder Beitrag wird an diese http- oder https-Adresse gesendet.
connections-webhook-secret = Signatur-Secret
    .hint = Leer lassen: Ein Secret wird erzeugt und einmal angezeigt. Ein eigenes besteht aus „whsec_“ und 24 bis 64 Byte in Base64.
connections-mastodon-server = Server
    .hint = Die https-Adresse des Servers, z. B. https://mastodon.social
connections-mastodon-access_token = Zugriffstoken
    .hint = Aus Einstellungen → Entwicklung des Kontos, mit den Scopes write:statuses und write:media.
connections-mastodon-visibility = Wer die Beiträge sieht
    .hint = Wie Mastodon es nennt.
connections-mastodon-visibility-public = Alle
connections-mastodon-visibility-unlisted = Alle, aber nicht in öffentlichen Timelines
connections-mastodon-visibility-private = Nur Follower
connections-mastodon-max_characters = Längster Beitrag
    .hint = Die Anzahl der Zeichen, die der Server erlaubt. Leer: 500.
connections-bluesky-identifier = Konto
    .hint = Das Handle oder die DID, z. B. northwind.bsky.social
connections-bluesky-app_password = App-Passwort
    .hint = Aus Einstellungen → Datenschutz und Sicherheit → App-Passwörter. Nicht das Passwort des Kontos.
connections-bluesky-server = Server
    .hint = Leer: https://bsky.social
connections-bluesky-langs = Sprachen der Beiträge
    .hint = Höchstens drei, z. B.: en, de

connections-recipients = Berichtsempfänger
connections-recipients-lead = Sie erhalten die Berichte per E-Mail, sobald sie ihre Adresse bestätigt haben.
connections-recipients-failed = Die Empfänger konnten nicht geladen werden.
connections-recipients-none = Noch keine Empfänger. Fügen Sie eine Adresse hinzu: Die Person erhält eine E-Mail und bestätigt sie.
connections-recipients-add = Empfänger hinzufügen
connections-recipients-add-title = Berichtsempfänger hinzufügen
connections-recipients-addresses = E-Mail-Adressen
    .hint = Mehrere durch Kommas, Leerzeichen oder Zeilenumbrüche trennen.
connections-recipients-asked = Jede Person erhält eine E-Mail mit einem Link und bekommt erst nach der Bestätigung Berichte.
connections-recipients-empty = Geben Sie mindestens eine Adresse ein.
connections-recipients-known = Alle diese Adressen stehen bereits auf der Liste.
connections-recipients-wrong =
    { $count ->
        [one] Das ist keine E-Mail-Adresse: { $addresses }
       *[other] Das sind keine E-Mail-Adressen: { $addresses }
    }
connections-recipients-added =
    { $count ->
        [one] Eine Adresse wurde hinzugefügt.
       *[other] { $count } Adressen wurden hinzugefügt.
    }
connections-recipients-not-added = Es wurde nichts hinzugefügt.
connections-recipients-test =
    .label =
        { $count ->
            [one] Test-E-Mail an den bestätigten Empfänger senden
           *[other] Test-E-Mail an die { $count } bestätigten Empfänger senden
        }
connections-recipient-pending = Noch nicht bestätigt
    .next = Erhält keine Berichte, bevor die Person mit dem Link in der E-Mail bestätigt. Angefragt: { $when }
connections-recipient-confirmed = Bestätigt
    .next = Bestätigt: { $when }
connections-recipient-suppressed = Abgemeldet
    .next = Erhält keine Berichte. Nur die Person selbst kann sie wieder abonnieren, mit dem Link in der Bestätigungs-E-Mail. Abgemeldet: { $when }
connections-recipient-remove = Empfänger entfernen
connections-recipient-remove-title = Diesen Empfänger entfernen?
connections-recipient-removed = { $email } wurde entfernt.
connections-recipient-not-removed = Der Empfänger konnte nicht entfernt werden.
connections-recipient-loses-pending = Die Person erhält keine Berichte, und der Link in der Bestätigungs-E-Mail fügt nichts hinzu.
connections-recipient-loses-confirmed = Die Person erhält keine Berichte mehr. Bereits gesendete Berichte sind nicht betroffen.
connections-recipient-loses-suppressed = Die Person erhält auch jetzt keine Berichte. Wenn Sie die Adresse erneut hinzufügen, ist sie weiterhin abgemeldet.

connections-keywords = Keyword-Listen
connections-keywords-lead = Exporte aus Keyword-Tools. Die Keyword-Recherche verwendet ihre Zahlen.
connections-keywords-failed = Die Keyword-Listen konnten nicht geladen werden.
connections-keywords-none = Noch keine Liste. Laden Sie einen Export hoch, um Suchvolumen in der Keyword-Recherche zu haben.
connections-keywords-how = Eine CSV-Datei, wie Google Keyword Planner, Google Search Console, Ahrefs oder Semrush sie exportiert, mit englischen Spaltennamen. Höchstens 5 MiB und 50.000 Zeilen.
connections-keywords-upload = Datei hochladen
connections-keywords-uploading = Wird hochgeladen…
connections-keywords-too-large = Die Datei ist größer als 5 MiB. Exportieren Sie weniger Keywords oder weniger Spalten.
connections-keywords-not-imported = „{ $file }“ wurde nicht importiert
connections-keywords-imported = „{ $file }“ wurde als Export von { $tool } erkannt
connections-keywords-rows =
    { $count ->
        [one] Ein Keyword wurde importiert.
       *[other] { $count } Keywords wurden importiert.
    }
connections-keywords-skipped =
    { $count ->
        [one] Eine Zeile wurde übersprungen.
       *[other] { $count } Zeilen wurden übersprungen.
    }
connections-keywords-skipped-why =
    { $count ->
        [one] Eine Zeile wurde übersprungen:
       *[other] { $count } Zeilen wurden übersprungen:
    }
connections-keywords-problem = Zeile { $line }: { $message }
connections-keywords-more =
    { $count ->
        [one] Eine weitere Zeile hat ein Problem, das nicht aufgelistet ist.
       *[other] { $count } weitere Zeilen haben Probleme, die nicht aufgelistet sind.
    }
connections-keywords-replaced = Dieselbe Datei wurde schon einmal importiert. Dieser Import ersetzt den früheren.
connections-keywords-name = { $tool }, { $at }
connections-keywords-remove = Liste entfernen
connections-keywords-remove-title = Diese Keyword-Liste entfernen?
connections-keywords-removed = Die Liste „{ $name }“ wurde entfernt.
connections-keywords-not-removed = Die Liste konnte nicht entfernt werden.
connections-keywords-loses =
    { $count ->
        [one] Ihr Keyword und seine Zahlen werden gelöscht. Um sie wiederzuerhalten, laden Sie die Datei erneut hoch.
       *[other] Die { $count } Keywords der Liste und ihre Zahlen werden gelöscht. Um sie wiederzuerhalten, laden Sie die Datei erneut hoch.
    }
connections-tool-keyword_planner = Google Keyword Planner
connections-tool-search_console = Google Search Console
connections-tool-ahrefs = Ahrefs
connections-tool-semrush = Semrush

connections-endpoints = Ereignis-Endpunkte
connections-endpoints-lead = Ihre eigenen Systeme erhalten eine signierte Nachricht, wenn etwas geschieht, etwa bei einem geleakten Schlüssel oder einem fehlgeschlagenen Beitrag.
connections-endpoints-failed = Die Ereignis-Endpunkte konnten nicht geladen werden.
connections-endpoints-none = Noch kein Endpunkt. Fügen Sie die Adresse eines Systems hinzu, das erfahren soll, was hier geschieht.
connections-endpoint-add = Endpunkt hinzufügen
connections-endpoint-add-title = Ereignis-Endpunkt hinzufügen
connections-endpoint-change-title = Ereignis-Endpunkt ändern
connections-endpoint-name =
    .hint = Für Sie, um Endpunkte zu unterscheiden. Er kann später nicht geändert werden.
connections-endpoint-url = Adresse
    .hint = Die http- oder https-Adresse eines öffentlichen Servers.
connections-endpoint-events = Welche Ereignisse er erhält
connections-endpoint-all-types = Alle Ereignisse
connections-endpoint-some-types = Nur einige Ereignisse
connections-endpoint-types =
    { $count ->
        [one] Eine Art von Ereignissen
       *[other] { $count } Arten von Ereignissen
    }
connections-endpoint-no-types = Wählen Sie mindestens ein Ereignis oder alle Ereignisse.
connections-endpoint-enabled = Erhält Ereignisse
    .hint = Solange dies ausgeschaltet ist, werden keine Ereignisse für ihn aufbewahrt.
connections-endpoint-rotate = Signatur-Secret ersetzen
    .hint = Das neue Secret wird einmal angezeigt. Das alte wird sofort ungültig.
connections-endpoint-active = Aktiv
connections-endpoint-failing = Schlägt fehl
connections-endpoint-stopped = Gestoppt
connections-endpoint-disabled = Ausgeschaltet
connections-endpoint-failing-since = Jeder Versuch ist fehlgeschlagen. Erster Fehlschlag: { $when }
connections-endpoint-dropped =
    { $count ->
        [one] Ein Ereignis wurde aufgegeben, weil zu viele warteten.
       *[other] { $count } Ereignisse wurden aufgegeben, weil zu viele warteten.
    }
connections-endpoint-off-title = Der Dienst hat diesen Endpunkt ausgeschaltet, weil er 3 Tage lang fehlgeschlagen ist
connections-endpoint-off-reason = Der letzte Fehler: { $reason }
connections-endpoint-off-next = Reparieren Sie den Empfänger und schalten Sie den Endpunkt dann ein. Ereignisse aus der Zwischenzeit wurden nicht für ihn aufbewahrt.
connections-endpoint-switch-on = Einschalten
connections-endpoint-on = „{ $name }“ ist wieder eingeschaltet.
connections-endpoint-changed = „{ $name }“ wurde geändert.
connections-endpoint-not-saved = Der Endpunkt konnte nicht gespeichert werden.
connections-endpoint-remove = Endpunkt entfernen
connections-endpoint-remove-title = Diesen Ereignis-Endpunkt entfernen?
connections-endpoint-removed = „{ $name }“ wurde entfernt.
connections-endpoint-not-removed = Der Endpunkt konnte nicht entfernt werden.
connections-endpoint-loses-events = An { $url } wird nichts mehr gesendet, auch nicht, was noch wartet.
connections-endpoint-loses-deliveries = Die Liste seiner Zustellungen wird gelöscht.
connections-endpoint-loses-secret = Sein Signatur-Secret wird gelöscht. Ein neuer Endpunkt erhält ein anderes.

connections-events-key = Schlüssel
connections-events-approval = Freigaben
connections-events-post = Beiträge
connections-events-work = Audits und Hintergrundaufgaben
connections-events-brand = Marke und Mitglieder
connections-event-key-created = Schlüssel erstellt
connections-event-key-updated = Schlüssel geändert
connections-event-key-revealed = Secret eines Schlüssels angezeigt
connections-event-key-rotated = Schlüssel hat ein neues Secret
connections-event-key-paused = Schlüssel pausiert
connections-event-key-resumed = Schlüssel reaktiviert
connections-event-key-revoked = Schlüssel widerrufen
connections-event-key-expiring = Schlüssel läuft bald ab
connections-event-key-leaked = Schlüssel geleakt
connections-event-approval-requested = Freigabe nötig
connections-event-approval-decided = Freigabe entschieden
connections-event-post-published = Beitrag veröffentlicht
connections-event-post-failed = Beitrag fehlgeschlagen
connections-event-post-withdrawn = Beitrag zurückgezogen
connections-event-job-failed = Hintergrundaufgabe fehlgeschlagen
connections-event-audit-new_errors = Audit hat neue Fehler gefunden
connections-event-brand-updated = Marke geändert
connections-event-brand-suspended = Marke gesperrt
connections-event-brand-resumed = Marke entsperrt
connections-event-member-added = Mitglied hinzugefügt
connections-event-member-removed = Mitglied entfernt

connections-deliveries = Zustellungen
connections-deliveries-of = Zustellungen an { $name }
connections-deliveries-title = Zustellungen an „{ $name }“
connections-deliveries-lead = Was in den letzten 30 Tagen gesendet wurde, Neuestes zuerst. Eine fehlgeschlagene Zustellung wird über einen Tag verteilt 8-mal versucht.
connections-deliveries-failed = Die Zustellungen konnten nicht geladen werden.
connections-deliveries-none = Bisher wurde nichts gesendet. Senden Sie einen Test, oder warten Sie auf das erste Ereignis.
connections-deliveries-no-match = Keine Zustellung hat diesen Status.
connections-deliveries-state = Status
connections-deliveries-refresh = Aktualisieren
connections-deliveries-fresh = Auf dem neuesten Stand.
connections-deliveries-older = Ältere Zustellungen anzeigen
connections-deliveries-event = Ereignis
connections-deliveries-result = Ergebnis
connections-deliveries-when = Wann
connections-delivery-any = Alle
connections-delivery-pending = Wartet
connections-delivery-delivered = Zugestellt
connections-delivery-failed = Fehlgeschlagen
connections-delivery-answer = Antwort { $status }
connections-delivery-attempts =
    { $count ->
        [one] ein Versuch
       *[other] { $count } Versuche
    }
connections-delivery-next = Nächster Versuch: { $when }
connections-delivery-resend = Erneut senden
    .label = Erneut senden: { $event }
connections-delivery-resent = Die Nachricht wird erneut gesendet.
connections-delivery-not-resent = Die Nachricht konnte nicht erneut gesendet werden.
