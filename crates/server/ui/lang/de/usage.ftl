usage-document-title = Kontingente · { $brand }
usage-title = Kontingente
usage-lead = Was { $brand } im Tarif „{ $plan }“ nutzen darf und wie viel davon jetzt genutzt ist.
usage-refresh = Aktualisieren
usage-fresh = Auf dem neuesten Stand.
usage-failed = Die Kontingente konnten nicht geladen werden.
usage-summary = Zusammenfassung
usage-enough = Von allem ist genug vorhanden
usage-near =
    { $count ->
        [one] Ein Kontingent ist fast aufgebraucht
       *[other] { $count } Kontingente sind fast aufgebraucht
    }
usage-full =
    { $count ->
        [one] Ein Kontingent ist aufgebraucht
       *[other] { $count } Kontingente sind aufgebraucht
    }
usage-full-next = Aufrufe, die mehr davon benötigen, werden abgewiesen, bis wieder etwas frei ist. Warten Sie, entfernen Sie nicht mehr Benötigtes oder wechseln Sie zu einem Tarif mit höheren Kontingenten.
usage-full-next-member = Aufrufe, die mehr davon benötigen, werden abgewiesen, bis wieder etwas frei ist. Warten Sie, entfernen Sie nicht mehr Benötigtes oder bitten Sie einen Admin um einen Tarif mit höheren Kontingenten.
usage-used-up = Aufgebraucht
usage-of = { $used } von { $limit }
usage-frees = Ein Teil wird { $when } wieder frei.
usage-more = Wie viel jeder Schlüssel und jedes Tool genutzt wurde, Tag für Tag: { $link }

usage-group-period = Pro Tag oder Stunde
    .lead = Die täglichen beginnen um Mitternacht UTC neu.
usage-group-now = Gleichzeitig
    .lead = Was jetzt läuft oder wartet. Es wird von selbst frei, wenn Aufgaben enden.
usage-group-stored = Aufbewahrt
    .lead = Was jetzt vorhanden ist.
usage-group-other = Andere

usage-posts_per_day = Beiträge pro Tag
    .frees = Wieder frei um Mitternacht UTC.
usage-report_emails_per_day = Berichts-E-Mails pro Tag
    .frees = Wieder frei um Mitternacht UTC.
usage-audits_per_day = Audits pro Tag
    .frees = Wieder frei um Mitternacht UTC.
usage-analyses_per_day = Analysen pro Tag
    .frees = Wieder frei um Mitternacht UTC.
usage-keyword_searches_per_day = Keyword-Suchen pro Tag
    .frees = Wieder frei um Mitternacht UTC.
usage-connection_tests_per_hour = Verbindungstests pro Stunde
    .frees = Wieder frei zur nächsten vollen Stunde.
usage-open_long_jobs = Audits und Analysen, die noch nicht beendet sind
    .frees = Wieder frei, wenn eines davon endet.
usage-concurrent_waits = Aufrufe, die auf ein Ergebnis warten
    .frees = Wieder frei, wenn einer davon endet.
usage-queued_targets = Geplante Beiträge, pro Kanal gezählt
    .frees = Wieder frei, wenn ein Beitrag veröffentlicht oder storniert wird.
usage-pending_approvals = Aufrufe, die auf Freigabe warten, beim Schlüssel mit den meisten
    .frees = Wieder frei, wenn jemand über einen davon entscheidet.
usage-keys = Aktive Schlüssel
    .frees = Widerrufen Sie einen Schlüssel, um Platz zu schaffen.
usage-schedules = Zeitpläne
    .frees = Entfernen Sie einen Zeitplan, um Platz zu schaffen.
usage-drafts = Entwürfe
    .frees = Veröffentlichen oder löschen Sie einen Entwurf, um Platz zu schaffen.
usage-stored_audits = Gespeicherte Audits
    .frees = Über dem Limit werden die ältesten gelöscht.
usage-stored_analyses = Gespeicherte Analysen
    .frees = Über dem Limit werden die ältesten gelöscht.
