activity-title = Aktivität
activity-calls = Aufrufe pro Tag
activity-calls-table = Aufrufe pro Tag als Tabelle
activity-period = Zeitraum
activity-days = { $count ->
        [one] { $count } Tag
       *[other] { $count } Tage
    }
activity-usage-not-loaded = Die Nutzung konnte nicht geladen werden.
activity-allowed = Erlaubt
activity-refused = Abgewiesen
activity-failed = Fehlgeschlagen
activity-allowed-failed = Erlaubt, aber fehlgeschlagen
activity-chart = { $calls ->
        [one] { $calls } Aufruf erlaubt
       *[other] { $calls } Aufrufe erlaubt
    }, { $denied } abgewiesen in { $days ->
        [one] { $days } Tag
       *[other] { $days } Tagen
    }.
activity-day = { $day }: { $calls } erlaubt, { $denied } abgewiesen
activity-no-calls = Keine Aufrufe in diesem Zeitraum. Sobald ein Assistent einen Schlüssel verwendet, werden seine Aufrufe hier dargestellt.
activity-as-table = Als Tabelle anzeigen
activity-column-day = Tag
activity-column-tool = Tool
activity-tools = Meistgenutzte Tools
activity-no-tools = In diesem Zeitraum wurde kein Tool verwendet.
activity-listing = Auflisten der Tools
activity-refused-before = Abgewiesen, bevor ein Tool lief
activity-limits = Ratenlimit, letzte Stunde
activity-limits-what = Die meisten Anfragen, die jeder Schlüssel innerhalb einer Minute gestellt hat. Über dem Limit wird ein Aufruf abgewiesen, und der Assistent muss kurz warten.
activity-no-requests = In der letzten Stunde hat kein Schlüssel eine Anfrage gestellt. Jeder darf 60 pro Minute stellen.
activity-at-limit = Am Limit
activity-of-limit = { $most } von { $limit }

activity-recent = Letzte Ereignisse
activity-events = Ereignisse
activity-filter-event = Ereignis
activity-filter-result = Ergebnis
activity-filter-key = Schlüssel
activity-all = Alle
activity-any = Alle
activity-all-keys = Alle Schlüssel
activity-kind-created = Erstellt
activity-kind-revealed = Secret angezeigt
activity-kind-updated = Geändert
activity-kind-paused = Pausiert
activity-kind-resumed = Reaktiviert
activity-kind-revoked = Widerrufen
activity-kind-cancelled = Aufgaben storniert
activity-kind-call = Aufrufe
activity-kind-approved = Freigegeben
activity-kind-rejected = Abgelehnt
activity-kind-list = Tool-Listen
activity-kind-post = Beiträge
activity-kind-audit = Audits
activity-kind-rotated = Rotiert
activity-kind-rotation_finished = Altes Secret ungültig
activity-kind-leaked = Geleakt
activity-kind-expiring = Läuft bald ab
activity-outcome-ok = Erlaubt oder erledigt
activity-outcome-denied = Abgewiesen
activity-outcome-error = Fehlgeschlagen
activity-result-ok = Erlaubt
activity-result-done = Erledigt
activity-result-error = Fehlgeschlagen
activity-result-denied = Abgewiesen
activity-column-what = Was geschah
activity-column-result = Ergebnis
activity-column-took = Dauer
activity-column-when = Wann
activity-took = { $duration } ms
activity-nothing = Bisher ist nichts geschehen.
activity-nothing-fits = Kein Ereignis passt zu diesen Filtern.
activity-events-not-loaded = Die Ereignisse konnten nicht geladen werden.
activity-older-not-loaded = Die älteren Ereignisse konnten nicht geladen werden.
activity-show-older = Ältere Ereignisse anzeigen
activity-left-out = { $count ->
        [one] { $count } weiterer erlaubter Aufruf in dieser Zeit: oben gezählt, aber nicht aufgelistet, weil es zu viele auf einmal waren.
       *[other] { $count } weitere erlaubte Aufrufe in dieser Zeit: oben gezählt, aber nicht aufgelistet, weil es zu viele auf einmal waren.
    }

activity-did-created = { $who ->
        [you] Sie haben { $key } erstellt
       *[other] { $person } hat { $key } erstellt
    }
activity-did-revealed = { $who ->
        [you] Sie haben das Secret von { $key } angezeigt
       *[other] { $person } hat das Secret von { $key } angezeigt
    }
activity-did-not-reveal = { $who ->
        [you] Sie haben versucht, das Secret von { $key } anzuzeigen
       *[other] { $person } hat versucht, das Secret von { $key } anzuzeigen
    }
activity-did-updated = { $who ->
        [you] Sie haben { $key } geändert
       *[other] { $person } hat { $key } geändert
    }
activity-did-approved = { $who ->
        [you] Sie haben einen Aufruf von { $key } freigegeben: { $tool }
       *[other] { $person } hat einen Aufruf von { $key } freigegeben: { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] Sie haben einen Aufruf von { $key } freigegeben
       *[other] { $person } hat einen Aufruf von { $key } freigegeben
    }
activity-did-rejected = { $who ->
        [you] Sie haben einen Aufruf von { $key } abgelehnt: { $tool }
       *[other] { $person } hat einen Aufruf von { $key } abgelehnt: { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] Sie haben einen Aufruf von { $key } abgelehnt
       *[other] { $person } hat einen Aufruf von { $key } abgelehnt
    }
activity-did-paused = { $who ->
        [you] Sie haben { $key } pausiert
       *[other] { $person } hat { $key } pausiert
    }
activity-did-owner-removed = { $who ->
        [you] Sie haben die Person entfernt, die { $key } erstellt hat
       *[other] { $person } hat die Person entfernt, die { $key } erstellt hat
    }
activity-did-resumed = { $who ->
        [you] Sie haben { $key } reaktiviert
       *[other] { $person } hat { $key } reaktiviert
    }
activity-did-revoked = { $who ->
        [you] Sie haben { $key } widerrufen
       *[other] { $person } hat { $key } widerrufen
    }
activity-did-cancelled = { $count ->
        [one] { $count } anstehender Job von { $key } storniert: { $tool }
       *[other] { $count } anstehende Jobs von { $key } storniert: { $tool }
    }
activity-did-cancelled-unknown = { $count ->
        [one] { $count } anstehender Job von { $key } storniert
       *[other] { $count } anstehende Jobs von { $key } storniert
    }
activity-did-update_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } geändert
       *[other] { $person } hat einen Beitrag von { $key } geändert
    }
activity-did-publish_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } veröffentlicht
       *[other] { $person } hat einen Beitrag von { $key } veröffentlicht
    }
activity-did-retry_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } erneut veröffentlicht
       *[other] { $person } hat einen Beitrag von { $key } erneut veröffentlicht
    }
activity-did-cancel_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } storniert
       *[other] { $person } hat einen Beitrag von { $key } storniert
    }
activity-did-withdraw_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } zurückgezogen
       *[other] { $person } hat einen Beitrag von { $key } zurückgezogen
    }
activity-did-delete_post = { $who ->
        [you] Sie haben einen Beitrag von { $key } gelöscht
       *[other] { $person } hat einen Beitrag von { $key } gelöscht
    }
activity-did-audit = { $who ->
        [you] Sie haben ein Audit der Website gestartet
       *[other] { $person } hat ein Audit der Website gestartet
    }
activity-did-rotated = { $who ->
        [you] Sie haben ein neues Secret für { $key } erstellt
       *[other] { $person } hat ein neues Secret für { $key } erstellt
    }
activity-did-rotation_finished = { $who ->
        [you] Sie haben das alte Secret von { $key } ungültig gemacht
       *[other] { $person } hat das alte Secret von { $key } ungültig gemacht
    }
activity-did-leaked = { $key } wurde als geleakt gemeldet und widerrufen
activity-did-expiring = { $key } läuft bald ab
activity-did-list = { $times ->
        [1] { $key } hat die Tools aufgelistet
       *[other] { $key } hat die Tools aufgelistet, { $times }-mal innerhalb einer Minute
    }
activity-did-call = { $times ->
        [1] { $key } hat { $tool } aufgerufen
       *[other] { $key } hat { $tool } aufgerufen, { $times }-mal innerhalb einer Minute
    }
activity-did-call-unknown = { $times ->
        [1] { $key } hat ein Tool aufgerufen
       *[other] { $key } hat ein Tool aufgerufen, { $times }-mal innerhalb einer Minute
    }

activity-because-rate_limited = mehr als 60 Anfragen in einer Minute
activity-because-mcp_inactive = MCP ist im Tarif nicht aktiv
activity-because-key_paused = der Schlüssel ist pausiert
activity-because-address_not_allowed = kam von außerhalb der Netzwerke des Schlüssels
activity-because-brand_suspended = die Marke ist gesperrt
activity-because-key_revoked = der Schlüssel ist widerrufen
activity-because-queued_work_kept = anstehende Aufgaben laufen weiter
activity-because-owner_removed = die Person, die ihn erstellt hat, wurde aus der Marke entfernt
activity-because-insufficient_scope = der Schlüssel darf dieses Tool nicht verwenden
activity-because-key_owner_removed = die Person, die den Schlüssel erstellt hat, ist nicht mehr Mitglied
activity-because-invalid_arguments = die Argumente passten nicht zum Tool
activity-because-not_key_creator = nur die Person, die den Schlüssel erstellt hat, kann es anzeigen
activity-because-awaiting_approval = wartet auf Freigabe
activity-because-approval = wann er vorher fragt
activity-because-key_not_revealable = das Secret des Schlüssels wird nicht aufbewahrt
activity-because-old_secret_ended = das alte Secret eines rotierten Schlüssels
activity-because-key_expired = der Schlüssel ist abgelaufen
activity-because-unknown_tool = dieses Tool gibt es nicht
activity-because-cancelled_by_operator = der Betreiber hat es abgebrochen
activity-because-jobs_held = abgebrochen, als die angehaltenen Aufgaben weiterliefen
activity-because-tool_failed = das Tool hat einen Fehler gemeldet
activity-because-unavailable = der Dienst war kurz nicht erreichbar
activity-because-internal = ein Fehler im Dienst
