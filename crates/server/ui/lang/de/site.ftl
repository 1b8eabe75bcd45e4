site-document-title = Website · { $brand }
site-title = Website
site-lead = Wie gut die Website von { $brand } für Besucher und Suchmaschinen funktioniert und was zuerst zu beheben ist.
site-run = Audit jetzt starten
site-running = Ein Audit läuft
site-queued = Ein Audit wartet, bis es an der Reihe ist
site-started = Das Audit wurde gestartet.
site-not-started = Das Audit konnte nicht gestartet werden.
site-failed = Die Audits konnten nicht geladen werden.
site-done = Das Audit ist fertig. Die Punktzahl ist { $score }.
site-ended =
    { $status ->
        [cancelled] Das Audit wurde storniert.
       *[other] Das Audit ist fehlgeschlagen.
    }
site-empty = Noch kein Audit
site-empty-next = Ein Audit liest die Seiten der Website, findet Fehlerhaftes und Fehlendes und sagt, was zuerst zu beheben ist. Starten Sie jetzt eines, oder lassen Sie es jede Woche wiederholen.
site-progress = Fortschritt des Audits
site-stage-none = Es beginnt gleich.
site-stage-pages =
    { $visited ->
        [one] Eine Seite wurde gelesen, { $waiting } weitere sind bekannt.
       *[other] { $visited } Seiten wurden gelesen, { $waiting } weitere sind bekannt.
    }
site-stage-other_links = Alle Seiten wurden gelesen. Jetzt werden Bilder und Links zu anderen Websites geprüft.

site-score = Punktzahl
site-score-of = Auf einer Skala von 0 bis 100. 100 bedeutet, dass keine Seite einen Fehler hat.
site-score-words =
    { $count ->
        [one] Die Punktzahl eines Audits: { $last }.
       *[other] Die Punktzahlen von { $count } Audits, von { $first } im ältesten bis { $last } im neuesten.
    }
site-score-table = Punktzahlen der Audits
site-as-table = Als Tabelle anzeigen
site-point = { $when }: { $score }
site-better =
    { $points ->
        [one] Ein Punkt besser als im Audit davor
       *[other] { $points } Punkte besser als im Audit davor
    }
site-worse =
    { $points ->
        [one] Ein Punkt schlechter als im Audit davor
       *[other] { $points } Punkte schlechter als im Audit davor
    }
site-same = Gleich wie im Audit davor
site-pages = Seiten
site-errors = Fehler
site-warnings = Warnungen

site-fixes = Was zu beheben ist
site-fixes-newest = Aus dem neuesten Audit, { $when }. Das Wichtigste steht zuerst.
site-fixes-older = Aus einem älteren Audit, { $when }.
site-fixes-show-newest = Neuestes anzeigen
site-fixes-failed = Was zu beheben ist, konnte nicht geladen werden.
site-fixes-all = Alle { $count } Ursachen anzeigen
site-fixes-cover = Diese Ursachen decken { $covered } von { $found } Problemen ab. Die übrigen sind weniger wichtig.
site-no-fixes = Es wurde nichts gefunden, was zu beheben ist
site-partial = Dieses Audit hat nicht die ganze Website gelesen
site-partial-next =
    { $count ->
        [0] Die Punktzahl gilt nur für die gelesenen Seiten.
        [one] Eine bekannte Seite wurde nicht gelesen. Die Punktzahl gilt nur für die gelesenen Seiten.
       *[other] { $count } bekannte Seiten wurden nicht gelesen. Die Punktzahl gilt nur für die gelesenen Seiten.
    }
site-partial-short = Teil der Website
site-severity-error = Fehler
site-severity-warning = Warnung
site-severity-notice = Hinweis
site-gain =
    { $points ->
        [one] Die Punktzahl steigt um einen Punkt
       *[other] Die Punktzahl steigt um { $points } Punkte
    }
site-fix-issues =
    { $count ->
        [one] Einmal gefunden.
       *[other] { $count }-mal gefunden.
    }
site-fix-pages =
    { $count ->
        [one] Eine Seite ist betroffen.
       *[other] { $count } Seiten sind betroffen.
    }
site-fix-show =
    { $count ->
        [one] Zeigen, was dazu führt
       *[other] Alle anzeigen
    }
site-fix-more =
    { $count ->
        [one] Eine weitere Seite ist nicht aufgelistet.
       *[other] { $count } weitere Seiten sind nicht aufgelistet.
    }
site-fix-linked-from = Diese führen dorthin:

site-audits = Letzte Audits
site-when = Wann
site-state = Status
site-found = Gefunden
site-by = Gestartet von
site-by-schedule = Zeitplan
site-counts = Seiten: { $pages }, Fehler: { $errors }, Warnungen: { $warnings }
site-status-queued = Wartet
site-status-running = Läuft
site-status-done = Fertig
site-status-failed = Fehlgeschlagen
site-status-cancelled = Storniert
site-show = Anzeigen
    .label = Anzeigen, was laut Audit vom { $when } zu beheben ist
site-shown = Angezeigt
site-older = Ältere Audits anzeigen

site-schedules = Zeitpläne
site-schedules-lead = Audits und Berichte, die sich von selbst wiederholen.
site-schedules-failed = Die Zeitpläne konnten nicht geladen werden.
site-schedules-none = Bisher wiederholt sich nichts. Fügen Sie einen Zeitplan hinzu, um jede Woche oder jeden Monat ein Audit der Website auszuführen oder einen Bericht per E-Mail zu senden.
site-schedules-none-member = Bisher wiederholt sich nichts. Admins können einen Zeitplan hinzufügen.
site-schedule-add = Zeitplan hinzufügen
site-schedule-add-title = Zeitplan hinzufügen
site-schedule-save = Hinzufügen
site-schedule-kind = Was sich wiederholt
site-schedule-audit = Audit der Website
    .hint = Liest die ganze Website, höchstens 1.000 Seiten.
site-schedule-report = Bericht per E-Mail
    .hint = Umfasst die vorherige Woche oder den vorherigen Monat, für alle Empfänger, die bestätigt haben.
site-schedule-every = Wie oft
site-every-week = Jede Woche
site-every-month = Jeden Monat
site-schedule-weekday = Wochentag
site-schedule-day = Tag des Monats
    .hint = Hat ein Monat weniger Tage, gilt sein letzter Tag.
site-schedule-at = Uhrzeit
    .hint = In der Zeitzone der Marke: { $zone }
site-monday = Montag
site-tuesday = Dienstag
site-wednesday = Mittwoch
site-thursday = Donnerstag
site-friday = Freitag
site-saturday = Samstag
site-sunday = Sonntag
site-schedule-week =
    { $weekday ->
        [monday] Jeden Montag um { $at } ({ $zone })
        [tuesday] Jeden Dienstag um { $at } ({ $zone })
        [wednesday] Jeden Mittwoch um { $at } ({ $zone })
        [thursday] Jeden Donnerstag um { $at } ({ $zone })
        [friday] Jeden Freitag um { $at } ({ $zone })
        [saturday] Jeden Samstag um { $at } ({ $zone })
       *[sunday] Jeden Sonntag um { $at } ({ $zone })
    }
site-schedule-month = Jeden Monat am { $day }. um { $at } ({ $zone })
site-schedule-name = { $kind }: { $when }
site-schedule-next = Nächste Ausführung: { $at }
site-schedule-last = Letzte Ausführung: { $when }
site-schedule-failure = Die letzte Ausführung hat nichts gestartet: { $reason }
site-schedule-key = Mit dem Schlüssel { $key } erstellt. Der Zeitplan endet, wenn der Schlüssel widerrufen wird.
site-schedule-notes = Bitte beachten
site-schedule-added = Der Zeitplan wurde hinzugefügt.
site-schedule-known = Es gab bereits einen gleichen Zeitplan.
site-schedule-not-added = Der Zeitplan konnte nicht hinzugefügt werden.
site-schedule-remove = Zeitplan entfernen
site-schedule-remove-of = Entfernen: { $name }
site-schedule-remove-title = Diesen Zeitplan entfernen?
site-schedule-removed = Der Zeitplan wurde entfernt.
site-schedule-not-removed = Der Zeitplan konnte nicht entfernt werden.
site-schedule-loses-audit = Das Audit vom { $at } und alle späteren werden nicht ausgeführt. Ein laufendes Audit wird fortgesetzt, und frühere Audits bleiben erhalten.
site-schedule-loses-report = Der Bericht vom { $at } und alle späteren werden nicht gesendet. Wartende E-Mails werden noch gesendet.
