operator-title = Betreiber
operator-page-title = { $title } · Betreiber
operator-skip = Zum Inhalt springen
operator-view-brands = Marken
operator-view-people = Personen
operator-view-keys = Schlüssel
operator-view-jobs = Jobs
operator-view-events = Ereignisse
operator-view-approvals = Freigaben
operator-view-activity = Aktivität
operator-view-audit = Audit-Protokoll
operator-view-plans = Tarife
operator-view-erasures = Löschungen
operator-not-loaded = Die Konsole konnte nicht geladen werden.

operator-signin-none = Als Betreiber anmelden
operator-signin-out = Sie sind abgemeldet
operator-signin-ended = Ihre Anmeldung ist abgelaufen
operator-signin-ended-why = Zu Ihrer Sicherheit gilt eine Anmeldung nur für begrenzte Zeit.
operator-signin-link = Dieser Link funktioniert nicht mehr
operator-signin-link-why = Ein Anmeldelink funktioniert nur einmal und nur für kurze Zeit.
operator-signin-about = Die Konsole ist für die Personen, die diesen Dienst betreiben. Sie wird über einen persönlichen Link geöffnet oder mit einem Token, das die Betreiberrolle hat.
operator-signin-account = Die Konsole ist für die Personen, die diesen Dienst betreiben. Melden Sie sich mit einem Konto an, das die Betreiberrolle hat.
operator-signin-again = Öffnen Sie einen neuen Link, um zurückzukehren, oder fügen Sie ihn hier ein.
operator-signin-continue = Weiter zur Anmeldung
operator-signin-how = So erhalten Sie Zugang
operator-signin-how-application = Aus Ihrer Anwendung: Öffnen Sie dort die Konsole. Sie gelangen angemeldet hierher.
operator-signin-how-command = Auf dem Rechner des Dienstes: Führen Sie diesen Befehl aus und fügen Sie die Ausgabe unten ein: { $command }
operator-signin-paste = Link oder Token
operator-signin-submit = Anmelden
operator-signin-not-a-link = Das ist kein Anmeldelink oder Token. Kopieren Sie alles und fügen Sie es erneut ein.
operator-insecure = Diese Seite benötigt eine sichere Verbindung
operator-insecure-why = Öffnen Sie sie mit einer Adresse, die mit https beginnt. Sonst ist eine Anmeldung nicht sicher, weil andere unterwegs mitlesen könnten.
operator-not-operator = Sie haben nicht die Betreiberrolle
operator-not-operator-why = Sie sind als { $user } angemeldet. Nur Betreiber dieses Dienstes können die Konsole verwenden. Ihre Marken und Schlüssel finden Sie auf der Einstellungsseite.
operator-not-operator-next = Wenn Sie die Rolle haben sollten, bitten Sie die Personen darum, die diesen Dienst betreiben, und melden Sie sich mit einem Link oder Token mit dieser Rolle erneut an.
operator-to-settings = Zur Einstellungsseite
operator-signed-in-as = Angemeldet als { $user }
operator-signed-in-again = Sie sind wieder angemeldet.
operator-sign-out = Abmelden
operator-still-signed-in = Sie sind noch angemeldet. { $message }
operator-link-not-used = Sie bleiben angemeldet: Der geöffnete Link konnte nicht verwendet werden. { $message }

operator-refresh = Aktualisieren
operator-load-more = Mehr laden
operator-list-shown = { $count ->
    [one] Ein Eintrag.
   *[other] { $count } Einträge.
}
operator-list-shown-more = { $count ->
    [one] Ein Eintrag wird angezeigt. Es gibt weitere.
   *[other] { $count } Einträge werden angezeigt. Es gibt weitere.
}
operator-list-not-loaded = Die Liste konnte nicht geladen werden.
operator-list-more-not-loaded = Die nächsten Einträge konnten nicht geladen werden.
operator-filter-all = Alle
operator-filter-brand = Marken-ID
operator-no-match = Nichts passt zu diesen Filtern
operator-no-match-hint = IDs werden exakt verglichen, mit Groß- und Kleinschreibung.
operator-clear-filters = Filter zurücksetzen
operator-head-brand = Marke
operator-head-status = Status
operator-head-actions = Aktionen

operator-typed-label = Zum Bestätigen { $typed } eingeben
operator-typed-wrong = Geben Sie zum Bestätigen genau { $typed } ein.

operator-status-active = Aktiv
operator-status-suspended = Gesperrt
operator-status-paused = Pausiert
operator-status-expired = Abgelaufen
operator-status-revoked = Widerrufen
operator-status-erasing = Wird gelöscht
operator-status-done = Fertig
operator-status-waiting = Wartet
operator-status-running = Läuft
operator-status-failed = Fehlgeschlagen
operator-status-cancelled = Storniert
operator-status-pending = Ausstehend
operator-status-delivered = Zugestellt
operator-status-approved = Freigegeben
operator-status-rejected = Abgelehnt
operator-status-draft = Entwurf
operator-status-scheduled = Geplant
operator-status-publishing = Wird veröffentlicht
operator-status-published = Veröffentlicht
operator-status-uncertain = Ungewiss
operator-status-withdrawing = Wird zurückgezogen
operator-status-withdrawn = Zurückgezogen
operator-status-ok = Erlaubt
operator-status-error = Fehlgeschlagen
operator-status-denied = Abgewiesen

operator-cancelled-nothing = Es standen keine Aufgaben an.
operator-cancelled-posts = Stornierte Beiträge
operator-cancelled-mails = Stornierte E-Mails
operator-cancelled-jobs = Stornierte Audits und Analysen
operator-cancelled-approvals = Stornierte Freigaben
operator-cancelled-schedules = Gelöschte Zeitpläne
operator-sending-posts = Beiträge, die bereits gesendet werden
operator-sending-mails = E-Mails, die bereits gesendet werden
operator-sending-jobs = Audits und Analysen, die gerade gestoppt werden

operator-reason-rate_limited = Mehr als 60 Anfragen in einer Minute
operator-reason-mcp_inactive = MCP ist im Tarif nicht aktiv
operator-reason-key_paused = Der Schlüssel ist pausiert
operator-reason-address_not_allowed = Kam von außerhalb der Netzwerke des Schlüssels
operator-reason-brand_suspended = Die Marke ist gesperrt
operator-reason-key_revoked = Der Schlüssel ist widerrufen
operator-reason-key_expired = Der Schlüssel ist abgelaufen
operator-reason-queued_work_kept = Anstehende Aufgaben laufen weiter
operator-reason-owner_removed = Die Person, die ihn erstellt hat, wurde aus der Marke entfernt
operator-reason-insufficient_scope = Der Schlüssel darf dieses Tool nicht verwenden
operator-reason-key_owner_removed = Die Person, die den Schlüssel erstellt hat, ist nicht mehr Mitglied
operator-reason-invalid_arguments = Die Argumente passten nicht zum Tool
operator-reason-not_key_creator = Nur die Person, die den Schlüssel erstellt hat, kann es anzeigen
operator-reason-awaiting_approval = Wartet auf Freigabe
operator-reason-key_not_revealable = Das Secret des Schlüssels wird nicht aufbewahrt
operator-reason-old_secret_ended = Das alte Secret eines rotierten Schlüssels
operator-reason-cancelled_by_operator = Ein Betreiber hat es storniert
operator-reason-jobs_held = Es war zu spät, als die Jobs fortgesetzt wurden
operator-reason-in_14_days = In 14 Tagen
operator-reason-in_3_days = In 3 Tagen
operator-reason-in_1_day = In einem Tag
