approvals-title = Freigaben
approvals-lead = { $count ->
    [0] Hier wartet ein Assistent, dessen Schlüssel vorher fragt, auf einen Menschen.
    [one] { $count } Aktion wartet auf eine Entscheidung. Bisher ist davon nichts geschehen.
   *[other] { $count } Aktionen warten auf eine Entscheidung. Bisher ist davon nichts geschehen.
}

approvals-waiting = Warten auf Freigabe
approvals-nothing-waits = Nichts wartet auf Freigabe
approvals-nothing-waits-help = Wenn ein Assistent etwas tun möchte, das Ihre Entscheidung erfordert, erscheint es hier von selbst.
approvals-behind = Die Liste konnte nicht aktualisiert werden. In einigen Sekunden wird es erneut versucht.
approvals-asked-by = { $title }, angefragt von { $label }
approvals-times = Angefragt { $requested }, läuft { $expires } ab
approvals-open = Lesen und entscheiden
    .aria-label = Lesen und entscheiden: { $title }, angefragt von { $label }
approvals-open-only = Lesen
    .aria-label = Lesen: { $title }, angefragt von { $label }
approvals-older = Ältere Aktionen anzeigen
approvals-older-not-loaded = Die älteren Aktionen konnten nicht geladen werden.
approvals-shortcuts = Tastenkürzel verwenden
approvals-shortcuts-help = Mit J und K oder den Pfeiltasten in der Liste wechseln Sie zwischen Aktionen. Die Eingabetaste öffnet eine Aktion. In einer geöffneten Aktion gibt A frei und R lehnt ab.

approvals-not-loaded = Die Aktion konnte nicht geladen werden.
approvals-key = Schlüssel
approvals-person = Schlüssel erstellt von
approvals-requested = Angefragt
approvals-expires = Läuft ab
approvals-when = Wann
approvals-notes = Hinweise
approvals-stays-draft = Noch nicht: bleibt ein Entwurf
approvals-at-once = Sobald freigegeben
approvals-target = { $status ->
    [draft] { $channel } (danach Entwurf)
    [scheduled] { $channel } (danach geplant)
    [publishing] { $channel } (danach veröffentlicht)
    [published] { $channel } (danach veröffentlicht)
    [withdrawing] { $channel } (danach zurückgezogen)
    [withdrawn] { $channel } (danach zurückgezogen)
    [cancelled] { $channel } (danach storniert)
    [failed] { $channel } (fehlgeschlagen)
   *[other] { $channel }
}
approvals-show-arguments = Anzeigen, was der Assistent gesendet hat
approvals-arguments = Argumente
approvals-none = Keine
approvals-argument-text = Text
approvals-argument-title = Titel
approvals-argument-link = Link
approvals-argument-media = Medien
approvals-argument-channels = Kanäle
approvals-argument-mode = Modus
approvals-mode = { $mode ->
    [draft] Als Entwurf behalten
    [schedule] Zum geplanten Zeitpunkt veröffentlichen
   *[now] Jetzt veröffentlichen
}
approvals-argument-scheduled-at = Zeitpunkt
approvals-argument-post-id = Beitrag
approvals-argument-subject = Betreff
approvals-argument-recipients = Empfänger
approvals-only-admins = Nur Admins können darüber entscheiden.
approvals-only-creator = Nur { $person } oder ein Admin kann darüber entscheiden.
approvals-would-fail = Die Aktion würde jetzt fehlschlagen
approvals-would-fail-help = Prüfen Sie sie erneut, sobald das gelöst ist, oder lehnen Sie sie ab.
approvals-changed = Die Aktion hat sich geändert, seit Sie sie angesehen haben
approvals-changed-help = Es wurde nichts ausgeführt. Unten steht, was die Aktion jetzt tun würde. Lesen Sie es und entscheiden Sie dann erneut.

approvals-approve = Freigeben
approvals-approve-changed = Mit Änderungen freigeben
approvals-edit = Bearbeiten…
approvals-edit-title = Bearbeiten: { $title }
approvals-reject = Ablehnen…
approvals-reject-now = Ablehnen
approvals-reject-title = Ablehnen: { $title }
approvals-look-again = Erneut prüfen
approvals-back = Zurück
approvals-note = Hinweis (optional)
approvals-note-hint = Der Assistent liest ihn, wenn Sie freigeben.
approvals-reason = Grund
approvals-reason-hint = Der Assistent liest ihn. Schreiben Sie, was anders sein sollte.
approvals-reason-missing = Geben Sie einen Grund an, damit der Assistent es besser machen kann.
approvals-changes = Ihre Änderungen
approvals-no-changes = Bisher ist nichts geändert.
approvals-with-changes = { $count ->
    [one] Sie haben { $count } Argument geändert
   *[other] Sie haben { $count } Argumente geändert
}
approvals-with-changes-help = Die Vorschau zeigt, was der Assistent angefragt hat. Wenn Sie freigeben, wird die Aktion mit Ihren Änderungen ausgeführt.
approvals-your-zone = In Ihrer Zeitzone: { $zone }.
approvals-json = Als JSON.
approvals-not-json = Es wurde nichts entschieden: Ein Wert ist kein gültiges JSON.
approvals-approved = „{ $title }“ wurde freigegeben und ausgeführt.
approvals-rejected = „{ $title }“ wurde abgelehnt. Der Assistent liest Ihren Grund.
approvals-not-decided = Es wurde nichts entschieden.
approvals-outcome-unknown = Es ist nicht bekannt, ob Ihre Entscheidung angekommen ist. Sie können es gefahrlos erneut versuchen.

approvals-decided = Entschieden
approvals-decided-not-loaded = Die Entscheidungen konnten nicht geladen werden.
approvals-none-decided = Bisher wurde nichts entschieden.
approvals-none-fits = Nichts hat dieses Ergebnis.
approvals-older-decided = Ältere Entscheidungen anzeigen
approvals-filter = Ergebnis
approvals-status-all = Alle
approvals-status = { $status ->
    [done] Freigegeben
    [approved] Freigegeben
    [failed] Fehlgeschlagen
    [rejected] Abgelehnt
    [expired] Abgelaufen
    [cancelled] Storniert
   *[other] Wartet
}
approvals-head-what = Aktion
approvals-head-result = Ergebnis
approvals-head-by = Von
approvals-head-at = Wann
approvals-end = { $status ->
    [done] { $who ->
        [me] Sie haben die Aktion freigegeben, und sie wurde ausgeführt
       *[other] { $person } hat die Aktion freigegeben, und sie wurde ausgeführt
    }
    [failed] { $who ->
        [me] Sie haben die Aktion freigegeben, aber sie ist fehlgeschlagen
       *[other] { $person } hat die Aktion freigegeben, aber sie ist fehlgeschlagen
    }
    [rejected] { $who ->
        [me] Sie haben die Aktion abgelehnt, daher wurde sie nicht ausgeführt
       *[other] { $person } hat die Aktion abgelehnt, daher wurde sie nicht ausgeführt
    }
    [cancelled] { $who ->
        [me] Sie haben dem Schlüssel den Zugriff entzogen, daher wurde die Aktion nicht ausgeführt
       *[other] { $person } hat dem Schlüssel den Zugriff entzogen, daher wurde die Aktion nicht ausgeführt
    }
   *[expired] Die Aktion ist abgelaufen, daher wurde sie nicht ausgeführt
}
approvals-with-reason = Grund: { $reason }
approvals-with-note = Hinweis: { $note }
approvals-changes-made = Bei der Freigabe geändert

approvals-settings = Wann Schlüssel vorher fragen
approvals-settings-help = Ein Schlüssel, der vorher fragt, wartet auf die Freigabe durch einen Menschen. Ohne Entscheidung innerhalb von 72 Stunden geschieht nichts.
approvals-emails = E-Mail an mich, wenn etwas auf meine Freigabe wartet
approvals-minimum = Alle Schlüssel fragen vorher
approvals-rule = { $rule ->
    [none] Nie
    [outward] Bevor etwas nach außen geht
   *[all] Vor jeder Änderung
}
approvals-approvers = Wer entscheidet
approvals-approver = { $who ->
    [admins] Nur Admins
   *[members] Die Person, die den Schlüssel erstellt hat, und Admins
}
approvals-saved = Gespeichert.
approvals-not-saved = Das wurde nicht gespeichert.
