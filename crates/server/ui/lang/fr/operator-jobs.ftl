operator-jobs-title = Tâches
operator-jobs-lead = Les tâches en arrière-plan de toutes les marques, de la plus récente à la plus ancienne.
operator-jobs-filters = Filtrer les tâches
operator-jobs-job = Tâche
operator-jobs-kind = Type
operator-jobs-kind-audit = Audit
operator-jobs-kind-analysis = Analyse
operator-jobs-kind-publish = Publication d’un post
operator-jobs-kind-withdraw = Retrait d’un post
operator-jobs-kind-report_email = Rapport par e-mail
operator-jobs-kind-approval_notice = Avis d’approbation
operator-jobs-kind-schedule = Planification
operator-jobs-reason = Motif
operator-jobs-attempts = Tentatives
operator-jobs-when = Date
operator-jobs-ended = Terminée { $when }
operator-jobs-due = Prévue { $when }
operator-jobs-held-one = Suspendue pour l’instant
operator-jobs-empty = Aucune tâche
operator-jobs-empty-hint = Les posts, audits, analyses, e-mails et planifications demandés par les agents et les personnes sont listés ici.

operator-jobs-retry = Réessayer…
operator-jobs-retry-of = Réessayer la tâche pour { $subject }
operator-jobs-retry-title = Réessayer cette tâche ?
operator-jobs-retry-means = Elle est exécutée dès que possible. Elle est refusée si son objet n’est plus en échec, ou s’il a peut-être déjà été envoyé : rien n’est envoyé deux fois.
operator-jobs-retry-action = Réessayer maintenant
operator-jobs-retry-done = La tâche est relancée.
operator-jobs-cancel = Annuler la tâche…
operator-jobs-cancel-of = Annuler la tâche pour { $subject }
operator-jobs-cancel-title = Annuler cette tâche ?
operator-jobs-cancel-means = Son post, son e-mail, son audit ou son analyse est également annulé. Annuler la tâche d’une planification supprime la planification. Cette action est irréversible.
operator-jobs-cancel-action = Annuler la tâche
operator-jobs-cancel-done = La tâche est annulée.
operator-jobs-change-failed = La tâche n’a pas été modifiée.

operator-jobs-hold = Suspendre toutes les tâches…
operator-jobs-hold-title = Suspendre toutes les tâches de toutes les marques ?
operator-jobs-hold-means = Aucune instance ne commence de nouvelle tâche. Ce qui a commencé se termine normalement, et ce qui est demandé attend.
operator-jobs-hold-undo = Vous pouvez reprendre toutes les tâches à tout moment. Celles qui ont alors plus de 24 heures de retard sont annulées.
operator-jobs-hold-action = Suspendre toutes les tâches
operator-jobs-hold-failed = Les tâches ne sont pas suspendues.
operator-jobs-hold-done = { $count ->
    [0] Toutes les tâches sont suspendues. Aucune tâche n’était en cours.
    [one] Toutes les tâches sont suspendues. { $count } tâche avait commencé et se termine normalement.
   *[other] Toutes les tâches sont suspendues. { $count } tâches avaient commencé et se terminent normalement.
}
operator-jobs-held = Toutes les tâches sont suspendues
operator-jobs-held-operator = Un opérateur les a suspendues le { $since }. Rien n’est publié, envoyé ni audité jusqu’à la reprise.
operator-jobs-held-restore = La base de données a été restaurée à partir d’une sauvegarde : toutes les tâches sont suspendues depuis le { $since }. Rien n’est publié, envoyé ni audité jusqu’à la reprise.
operator-jobs-held-backup = La sauvegarde date du { $at }.
operator-jobs-resume = Reprendre toutes les tâches…
operator-jobs-resume-title = Reprendre toutes les tâches ?
operator-jobs-resume-means = Les tâches de toutes les marques s’exécutent à nouveau. Celles dont l’échéance est dépassée de plus de 24 heures sont annulées.
operator-jobs-resume-cancel = Annuler aussi tout ce qui était à échéance avant le début de la suspension
operator-jobs-resume-cancel-hint = Après une restauration, il est possible que ces tâches aient déjà été exécutées.
operator-jobs-resume-action = Reprendre toutes les tâches
operator-jobs-resume-failed = Les tâches sont toujours suspendues.
operator-jobs-resume-done = { $count ->
    [0] Toutes les tâches s’exécutent à nouveau. Aucune n’était trop en retard.
    [one] Toutes les tâches s’exécutent à nouveau. { $count } tâche était trop en retard et est annulée.
   *[other] Toutes les tâches s’exécutent à nouveau. { $count } tâches étaient trop en retard et sont annulées.
}
