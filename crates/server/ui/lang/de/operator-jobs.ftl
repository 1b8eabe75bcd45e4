operator-jobs-title = Jobs
operator-jobs-lead = Die Hintergrundaufgaben aller Marken, Neuestes zuerst.
operator-jobs-filters = Jobs filtern
operator-jobs-job = Job
operator-jobs-kind = Art
operator-jobs-kind-audit = Audit
operator-jobs-kind-analysis = Analyse
operator-jobs-kind-publish = Beitrag veröffentlichen
operator-jobs-kind-withdraw = Beitrag zurückziehen
operator-jobs-kind-report_email = Berichts-E-Mail
operator-jobs-kind-approval_notice = Benachrichtigung über Freigaben
operator-jobs-kind-schedule = Zeitplan
operator-jobs-reason = Grund
operator-jobs-attempts = Versuche
operator-jobs-when = Zeitpunkt
operator-jobs-ended = Beendet { $when }
operator-jobs-due = Fällig { $when }
operator-jobs-held-one = Vorläufig angehalten
operator-jobs-empty = Keine Jobs
operator-jobs-empty-hint = Beiträge, Audits, Analysen, E-Mails und Zeitpläne, die Agenten und Personen in Auftrag geben, werden hier aufgelistet.

operator-jobs-retry = Erneut versuchen…
operator-jobs-retry-of = Job für { $subject } erneut versuchen
operator-jobs-retry-title = Diesen Job erneut versuchen?
operator-jobs-retry-means = Er ist sofort fällig. Er wird abgewiesen, wenn das, woran er arbeitet, nicht mehr fehlgeschlagen ist oder schon gesendet worden sein könnte: Nichts wird doppelt gesendet.
operator-jobs-retry-action = Jetzt erneut versuchen
operator-jobs-retry-done = Der Job wird erneut versucht.
operator-jobs-cancel = Stornieren…
operator-jobs-cancel-of = Job für { $subject } stornieren
operator-jobs-cancel-title = Diesen Job stornieren?
operator-jobs-cancel-means = Auch der zugehörige Beitrag, die E-Mail, das Audit oder die Analyse wird storniert. Wird der Job eines Zeitplans storniert, wird der Zeitplan gelöscht. Das kann nicht rückgängig gemacht werden.
operator-jobs-cancel-action = Job stornieren
operator-jobs-cancel-done = Der Job ist storniert.
operator-jobs-change-failed = Der Job wurde nicht geändert.

operator-jobs-hold = Alle Jobs anhalten…
operator-jobs-hold-title = Alle Jobs aller Marken anhalten?
operator-jobs-hold-means = Keine Instanz beginnt einen weiteren Job. Begonnenes endet von selbst, und neue Aufträge warten.
operator-jobs-hold-undo = Sie können alle Jobs jederzeit fortsetzen. Was dann mehr als 24 Stunden zu spät ist, wird storniert.
operator-jobs-hold-action = Alle Jobs anhalten
operator-jobs-hold-failed = Die Jobs sind nicht angehalten.
operator-jobs-hold-done = { $count ->
    [0] Alle Jobs sind angehalten. Es lief kein Job.
    [one] Alle Jobs sind angehalten. Ein Job hatte begonnen und endet von selbst.
   *[other] Alle Jobs sind angehalten. { $count } Jobs hatten begonnen und enden von selbst.
}
operator-jobs-held = Alle Jobs sind angehalten
operator-jobs-held-operator = Ein Betreiber hat sie angehalten (seit { $since }). Nichts wird veröffentlicht, gesendet oder auditiert, bis sie fortgesetzt werden.
operator-jobs-held-restore = Die Datenbank wurde aus einem Backup wiederhergestellt, daher sind alle Jobs seit { $since } angehalten. Nichts wird veröffentlicht, gesendet oder auditiert, bis sie fortgesetzt werden.
operator-jobs-held-backup = Das Backup wurde am { $at } erstellt.
operator-jobs-resume = Alle Jobs fortsetzen…
operator-jobs-resume-title = Alle Jobs fortsetzen?
operator-jobs-resume-means = Die Jobs aller Marken laufen wieder. Jobs, die vor mehr als 24 Stunden fällig waren, werden storniert.
operator-jobs-resume-cancel = Auch alles stornieren, was vor dem Anhalten fällig war
operator-jobs-resume-cancel-hint = Nach einer Wiederherstellung könnte es bereits gesendet worden sein.
operator-jobs-resume-action = Alle Jobs fortsetzen
operator-jobs-resume-failed = Die Jobs sind weiterhin angehalten.
operator-jobs-resume-done = { $count ->
    [0] Alle Jobs laufen wieder. Kein Job war zu spät.
    [one] Alle Jobs laufen wieder. Ein Job war zu spät und ist storniert.
   *[other] Alle Jobs laufen wieder. { $count } Jobs waren zu spät und sind storniert.
}
