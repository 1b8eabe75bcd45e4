keys-title = MCP-Schlüssel
keys-refresh = Aktualisieren
keys-refreshed = Auf dem neuesten Stand.
keys-not-refreshed = Nicht aktualisiert. { $problem }
keys-create = Schlüssel erstellen
keys-connect-brand = Verbinden Sie einen Assistenten wie Claude oder Cursor mit { $brand }.
keys-none-active = Kein aktiver Schlüssel für { $brand }.
keys-summary = { $keys ->
        [one] { $keys } aktiver Schlüssel
       *[other] { $keys } aktive Schlüssel
    } für { $brand }, { $writing ->
        [0] ohne Schreibzugriff
       *[other] davon { $writing } mit Schreibzugriff
    }, verteilt auf { $people ->
        [one] { $people } Person
       *[other] { $people } Personen
    }.
keys-paused-count = { $count ->
        [one] { $count } Schlüssel ist pausiert.
       *[other] { $count } Schlüssel sind pausiert.
    }
keys-plan-inactive = MCP ist im Tarif „{ $plan }“ nicht aktiv
keys-plan-means = Alle Schlüssel bleiben erhalten, aber jeder Aufruf wird abgewiesen (403), bis MCP wieder aktiv ist. Auch ein jetzt erstellter Schlüssel funktioniert erst dann.
keys-plan-admin = Was zu tun ist: Wechseln Sie für { $brand } zu einem Tarif, der MCP enthält. Die Schlüssel funktionieren dann sofort, und nichts muss neu eingerichtet werden.
keys-plan-member = Was zu tun ist: Bitten Sie einen Admin von { $brand } um einen Tarif, der MCP enthält. Die Schlüssel funktionieren dann sofort, und nichts muss neu eingerichtet werden.
keys-approvals-wait = { $count ->
        [one] { $count } Aktion wartet auf Freigabe
       *[other] { $count } Aktionen warten auf Freigabe
    }
keys-search = Schlüssel suchen
    .placeholder = Bezeichnung, Präfix oder Person
keys-filter-state = Status
keys-filter-access = Zugriff
keys-filter-owner = Erstellt von
keys-any = Alle
keys-anyone = Alle
keys-others = Andere
keys-sort = Sortieren
keys-sort-newest = Neueste zuerst
keys-sort-oldest = Älteste zuerst
keys-sort-label = Bezeichnung, A bis Z
keys-sort-used = Zuletzt verwendet, neueste zuerst
keys-sort-unused = Zuletzt verwendet, nie verwendete zuerst
keys-sort-access = Umfassendster Zugriff zuerst
keys-sort-expiry = Frühester Ablauf zuerst
keys-show-current = Nicht widerrufen
keys-show-active = Aktiv
keys-show-paused = Pausiert
keys-show-expiring = Läuft bald ab
keys-show-idle = Seit 90 Tagen nicht verwendet
keys-show-expired = Abgelaufen
keys-show-revoked = Widerrufen
keys-show-all = Alle
keys-count = { $count ->
        [one] { $count } Schlüssel
       *[other] { $count } Schlüssel
    }
keys-count-shown = { $count ->
        [one] { $shown } von { $count } Schlüssel
       *[other] { $shown } von { $count } Schlüsseln
    }
keys-nothing-fits = Kein Schlüssel passt zu diesen Filtern
keys-show-every = Alle Schlüssel anzeigen
keys-table = Schlüssel
keys-column-key = Schlüssel
keys-column-access = Zugriff
keys-column-created = Erstellt
keys-column-used = Zuletzt verwendet
keys-column-expires = Läuft ab
keys-column-state = Status
keys-column-actions = Aktionen
keys-scope-full = Scope „full“
keys-chosen-tools = { $count ->
        [one] nur { $count } ausgewähltes Tool
       *[other] nur { $count } ausgewählte Tools
    }
keys-asks-first = Fragt vorher
keys-idle = Nicht verwendet seit { $date }
keys-expires = Läuft { $when } ab
keys-badge-expiring = Läuft bald ab
keys-badge-idle = Nicht verwendet
keys-badge-rotating = Neues Secret
keys-attention-expiring = { $count ->
        [one] { $count } Schlüssel läuft innerhalb von 14 Tagen ab.
       *[other] { $count } Schlüssel laufen innerhalb von 14 Tagen ab.
    }
keys-attention-idle = { $count ->
        [one] { $count } Schlüssel wurde seit 90 Tagen nicht verwendet. Widerrufen Sie ihn, wenn er nicht benötigt wird.
       *[other] { $count } Schlüssel wurden seit 90 Tagen nicht verwendet. Widerrufen Sie diejenigen, die nicht benötigt werden.
    }
keys-attention-show = { $count ->
        [one] Schlüssel anzeigen
       *[other] Diese Schlüssel anzeigen
    }
keys-show = Anzeigen
keys-show-secret-of = Secret von { $label } anzeigen
keys-revoke = Widerrufen
keys-revoke-key = { $label } widerrufen
keys-first = Noch keine Schlüssel
keys-first-what = Mit einem Schlüssel kann ein Assistent für { $brand } arbeiten, soweit Sie es erlauben. Geben Sie jedem Assistenten einen eigenen, damit Sie einen beenden können, ohne die anderen zu berühren.
keys-first-step-1 = Schlüssel erstellen
keys-first-step-2 = Einen Eintrag in den Assistenten einfügen
keys-first-step-3 = Die Verbindung gleich hier sehen
keys-first-create = Ersten Schlüssel erstellen
keys-state-active = Aktiv
keys-state-paused = Pausiert
keys-state-expired = Abgelaufen
keys-state-revoked = Widerrufen
keys-because-revoked = Er kann nie wieder verwendet werden.
keys-because-leaked = Sein Secret wurde als öffentlich gemeldet. Er kann nie wieder verwendet werden.
keys-because-expired = Er ist abgelaufen. Erstellen Sie einen neuen Schlüssel oder legen Sie einen späteren Ablauf fest.
keys-because-plan = MCP ist im Tarif der Marke nicht aktiv.
keys-because-owner-gone = Die Person, die ihn erstellt hat, ist nicht mehr Mitglied der Marke.
keys-because-owner-removed = Die Person, die ihn erstellt hat, wurde aus der Marke entfernt und ist zurückgekehrt. Sie selbst oder ein Admin kann ihn reaktivieren.
keys-because-paused = Er wird abgewiesen, bis die Person, die ihn erstellt hat, oder ein Admin ihn reaktiviert.
keys-has-expired = Dieser Schlüssel ist abgelaufen
keys-was-revoked = Dieser Schlüssel wurde inzwischen widerrufen
keys-scope-read = Kann lesen
keys-scope-write = Kann lesen und schreiben
keys-rule-none = Nie
keys-rule-outward = Bevor etwas nach außen geht
keys-rule-all = Vor jeder Änderung
keys-rule-none-means = Er handelt sofort, ohne zu fragen.
keys-rule-outward-means = Ein Mensch gibt frei, was Außenstehende bemerken würden: Beiträge, die er veröffentlicht, plant oder zurückzieht, und Berichte, die er per E-Mail sendet.
keys-rule-all-means = Ein Mensch gibt alles frei, was er tut, außer Lesen.
