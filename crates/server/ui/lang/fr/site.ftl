site-document-title = Site · { $brand }
site-title = Site
site-lead = La qualité du site web de la marque { $brand } pour les visiteurs et les moteurs de recherche, et ce qu’il faut corriger en premier.
site-run = Lancer un audit maintenant
site-running = Un audit est en cours
site-queued = Un audit attend son tour
site-started = L’audit a démarré.
site-not-started = Impossible de lancer l’audit.
site-failed = Impossible de charger les audits.
site-done = L’audit est terminé. Le score est de { $score }.
site-ended =
    { $status ->
        [cancelled] L’audit a été annulé.
       *[other] L’audit a échoué.
    }
site-empty = Aucun audit pour l’instant
site-empty-next = Un audit lit les pages du site web, repère ce qui est défectueux ou manquant, et indique ce qu’il faut corriger en premier. Lancez-en un maintenant ou planifiez-le chaque semaine.
site-progress = Progression de l’audit
site-stage-none = Il commence dans un instant.
site-stage-pages =
    { $visited ->
        [one] { $visited } page lue, autres pages connues : { $waiting }.
       *[other] { $visited } pages lues, autres pages connues : { $waiting }.
    }
site-stage-other_links = Toutes les pages ont été lues. Les liens vers d’autres sites et les images sont en cours de vérification.

site-score = Score
site-score-of = Sur une échelle de 0 à 100. 100 signifie qu’aucune page ne comporte d’erreur.
site-score-words =
    { $count ->
        [one] Le score d’un audit : { $last }.
       *[other] Les scores de { $count } audits, de { $first } pour le plus ancien à { $last } pour le plus récent.
    }
site-score-table = Scores des audits
site-as-table = Afficher sous forme de tableau
site-point = { $when } : { $score }
site-better =
    { $points ->
        [one] { $points } point de plus que l’audit précédent
       *[other] { $points } points de plus que l’audit précédent
    }
site-worse =
    { $points ->
        [one] { $points } point de moins que l’audit précédent
       *[other] { $points } points de moins que l’audit précédent
    }
site-same = Identique à l’audit précédent
site-pages = Pages
site-errors = Erreurs
site-warnings = Avertissements

site-fixes = À corriger
site-fixes-newest = D’après l’audit le plus récent ({ $when }). Le plus important figure en premier.
site-fixes-older = D’après un audit plus ancien ({ $when }).
site-fixes-show-newest = Afficher le plus récent
site-fixes-failed = Impossible de charger les points à corriger.
site-fixes-all = Afficher les { $count } causes
site-fixes-cover = Ces causes couvrent { $covered } des { $found } problèmes. Les autres sont moins importants.
site-no-fixes = Rien à corriger n’a été trouvé
site-partial = Cet audit n’a pas lu tout le site
site-partial-next =
    { $count ->
        [0] Son score ne porte que sur les pages lues.
        [one] { $count } page connue n’a pas été lue. Le score ne porte que sur les pages lues.
       *[other] { $count } pages connues n’ont pas été lues. Le score ne porte que sur les pages lues.
    }
site-partial-short = Partie du site
site-severity-error = Erreur
site-severity-warning = Avertissement
site-severity-notice = Remarque
site-gain =
    { $points ->
        [one] Le score augmente de { $points } point
       *[other] Le score augmente de { $points } points
    }
site-fix-issues =
    { $count ->
        [one] Trouvé { $count } fois.
       *[other] Trouvé { $count } fois.
    }
site-fix-pages =
    { $count ->
        [one] { $count } page est concernée.
       *[other] { $count } pages sont concernées.
    }
site-fix-show =
    { $count ->
        [one] Afficher ce qui y mène
       *[other] Tout afficher
    }
site-fix-more =
    { $count ->
        [one] { $count } autre page n’est pas listée.
       *[other] { $count } autres pages ne sont pas listées.
    }
site-fix-linked-from = Pages qui y mènent :

site-audits = Derniers audits
site-when = Date
site-state = État
site-found = Résultats
site-by = Lancé par
site-by-schedule = Une planification
site-counts = Pages : { $pages }, erreurs : { $errors }, avertissements : { $warnings }
site-status-queued = En attente
site-status-running = En cours
site-status-done = Terminé
site-status-failed = Échec
site-status-cancelled = Annulé
site-show = Afficher
    .label = Afficher les points à corriger de l’audit du { $when }
site-shown = Affiché
site-older = Afficher les audits plus anciens

site-schedules = Planifications
site-schedules-lead = Audits et rapports qui se répètent automatiquement.
site-schedules-failed = Impossible de charger les planifications.
site-schedules-none = Rien ne se répète pour l’instant. Ajoutez une planification pour auditer le site ou envoyer un rapport par e-mail chaque semaine ou chaque mois.
site-schedules-none-member = Rien ne se répète pour l’instant. Les administrateurs peuvent ajouter une planification.
site-schedule-add = Ajouter une planification
site-schedule-add-title = Ajouter une planification
site-schedule-save = Ajouter
site-schedule-kind = Ce qui se répète
site-schedule-audit = Audit du site
    .hint = Lit tout le site, 1 000 pages au maximum.
site-schedule-report = Rapport par e-mail
    .hint = Couvre la semaine ou le mois précédent, pour tous les destinataires qui ont confirmé.
site-schedule-every = Fréquence
site-every-week = Chaque semaine
site-every-month = Chaque mois
site-schedule-weekday = Jour de la semaine
site-schedule-day = Jour du mois
    .hint = Si le mois compte moins de jours, le dernier jour est utilisé.
site-schedule-at = Heure
    .hint = Dans le fuseau horaire de la marque : { $zone }
site-monday = Lundi
site-tuesday = Mardi
site-wednesday = Mercredi
site-thursday = Jeudi
site-friday = Vendredi
site-saturday = Samedi
site-sunday = Dimanche
site-schedule-week =
    { $weekday ->
        [monday] Chaque lundi à { $at } ({ $zone })
        [tuesday] Chaque mardi à { $at } ({ $zone })
        [wednesday] Chaque mercredi à { $at } ({ $zone })
        [thursday] Chaque jeudi à { $at } ({ $zone })
        [friday] Chaque vendredi à { $at } ({ $zone })
        [saturday] Chaque samedi à { $at } ({ $zone })
       *[sunday] Chaque dimanche à { $at } ({ $zone })
    }
site-schedule-month = Chaque mois, le { $day }, à { $at } ({ $zone })
site-schedule-name = { $kind } : { $when }
site-schedule-next = Prochaine exécution : { $at }
site-schedule-last = Dernière exécution : { $when }
site-schedule-failure = La dernière exécution n’a rien lancé : { $reason }
site-schedule-key = Créée avec la clé { $key }. Elle prend fin lorsque la clé est révoquée.
site-schedule-notes = À noter
site-schedule-added = La planification a été ajoutée.
site-schedule-known = Une planification identique existait déjà.
site-schedule-not-added = Impossible d’ajouter la planification.
site-schedule-remove = Supprimer la planification
site-schedule-remove-of = Supprimer : { $name }
site-schedule-remove-title = Supprimer cette planification ?
site-schedule-removed = La planification a été supprimée.
site-schedule-not-removed = Impossible de supprimer la planification.
site-schedule-loses-audit = L’audit du { $at } et tous les suivants ne seront pas exécutés. Un audit en cours continue, et les audits passés sont conservés.
site-schedule-loses-report = Le rapport du { $at } et tous les suivants ne seront pas envoyés. Les e-mails en attente seront tout de même envoyés.
