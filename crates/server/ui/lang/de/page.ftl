page-name = MCP-Schlüssel
page-settings = Einstellungen
page-skip = Zum Inhalt springen
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = Ihre Einstellungen konnten nicht geladen werden.
page-views = Ansichten
page-waiting = { $count ->
        [one] { $count } Aktion wartet
       *[other] { $count } Aktionen warten
    }
page-new-waiting = { $count ->
        [one] Eine neue Aktion wartet auf Freigabe. Insgesamt wartet { $count } Aktion.
       *[other] Eine neue Aktion wartet auf Freigabe. Insgesamt warten { $count } Aktionen.
    }
page-view-keys = Schlüssel
page-view-approvals = Freigaben
page-view-posts = Beiträge
page-view-site = Website
page-view-connections = Verbindungen
page-view-usage = Kontingente
page-view-activity = Aktivität
page-view-not-loaded = Diese Ansicht konnte nicht geladen werden.
page-unknown-view = Diese Ansicht gibt es nicht
page-style-not-loaded = Das Layout dieser Ansicht konnte nicht geladen werden.
page-brand = Marke
page-role-admin = Admin
page-role-member = Mitglied
page-sign-out = Abmelden
page-signed-in-as = Angemeldet als { $user }
page-still-signed-in = Sie sind noch angemeldet. { $problem }
page-signed-in-again = Sie sind wieder angemeldet.
page-link-not-used = Sie bleiben angemeldet: Der geöffnete Link konnte nicht verwendet werden. { $problem }
page-session-ended = Ihre Anmeldung ist abgelaufen
page-session-ends-soon = Ihre Anmeldung läuft bald ab
page-session-ends = Sie läuft { $when } ab.
page-sign-in-again = { $link } und dann hier weitermachen. Ihre Eingaben bleiben erhalten.
    .link = In einem anderen Tab erneut anmelden
page-open-again = Öffnen Sie in Ihrer Anwendung Einstellungen → MCP in einem anderen Tab und machen Sie dann hier weiter. Ihre Eingaben bleiben erhalten.
loading = Wird geladen…
try-again = Erneut versuchen
close = Schließen
cancel = Abbrechen
discard = Verwerfen
discard-keep = Weiter bearbeiten
discard-question = Ihre Eingaben sind nicht gespeichert
remove = Entfernen
unexpected-error = Auf dieser Seite ist ein unerwarteter Fehler aufgetreten. Versuchen Sie es erneut oder laden Sie die Seite neu.
support-number = Wenn das weiterhin auftritt, nennen Sie Ihrem Support diese Nummer: { $number }
in-a-moment = in weniger als einer Minute
just-now = gerade eben
full-time = { $when } ({ $exact })
never = Nie
dismiss = Meldung schließen
you = Sie
unknown-person = Unbekannt
copy = Kopieren
copied = Kopiert
copied-announced = In die Zwischenablage kopiert.
copy-by-keyboard = Strg+C drücken
copy-selected = Der Text ist markiert. Drücken Sie zum Kopieren Strg+C oder ⌘C.
service-unreachable = Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.
answer-unreadable = Die Antwort des Dienstes ({ $status }) konnte nicht gelesen werden. Versuchen Sie es gleich noch einmal.
page-operator = Betreiberkonsole

page-back = Zurück
page-back-to = Zurück zu { $name }
