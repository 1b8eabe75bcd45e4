activity-title = Activité
activity-calls = Appels par jour
activity-calls-table = Appels par jour, sous forme de tableau
activity-period = Période
activity-days = { $count ->
        [one] { $count } jour
       *[other] { $count } jours
    }
activity-usage-not-loaded = Impossible de charger l’utilisation.
activity-allowed = Autorisés
activity-refused = Refusés
activity-failed = En échec
activity-allowed-failed = Autorisés, mais en échec
activity-chart = { $calls ->
        [one] { $calls } appel autorisé
       *[other] { $calls } appels autorisés
    }, { $denied ->
        [one] { $denied } refusé
       *[other] { $denied } refusés
    } en { $days ->
        [one] { $days } jour
       *[other] { $days } jours
    }.
activity-day = { $day } : { $calls ->
        [one] { $calls } autorisé
       *[other] { $calls } autorisés
    }, { $denied ->
        [one] { $denied } refusé
       *[other] { $denied } refusés
    }
activity-no-calls = Aucun appel sur cette période. Dès qu’un assistant utilise une clé, ses appels apparaissent ici.
activity-as-table = Afficher sous forme de tableau
activity-column-day = Jour
activity-column-tool = Outil
activity-tools = Outils les plus utilisés
activity-no-tools = Aucun outil n’a été utilisé sur cette période.
activity-listing = Liste des outils
activity-refused-before = Refusés avant l’exécution d’un outil
activity-limits = Limite de débit, dernière heure
activity-limits-what = Le plus grand nombre de requêtes de chaque clé en une minute. Au-delà de la limite, l’appel est refusé et l’assistant doit attendre un instant.
activity-no-requests = Aucune clé n’a envoyé de requête au cours de la dernière heure. Chacune peut en envoyer 60 par minute.
activity-at-limit = Limite atteinte
activity-of-limit = { $most } sur { $limit }

activity-recent = Événements récents
activity-events = Événements
activity-filter-event = Événement
activity-filter-result = Résultat
activity-filter-key = Clé
activity-all = Tous
activity-any = Tous
activity-all-keys = Toutes les clés
activity-kind-created = Création
activity-kind-revealed = Affichage du secret
activity-kind-updated = Modification
activity-kind-paused = Mise en pause
activity-kind-resumed = Réactivation
activity-kind-revoked = Révocation
activity-kind-cancelled = Annulation de tâches
activity-kind-call = Appels
activity-kind-approved = Approbation
activity-kind-rejected = Rejet
activity-kind-list = Listes d’outils
activity-kind-post = Posts
activity-kind-audit = Audits
activity-kind-rotated = Nouveau secret
activity-kind-rotation_finished = Fin de l’ancien secret
activity-kind-leaked = Fuite
activity-kind-expiring = Expiration proche
activity-outcome-ok = Autorisé ou effectué
activity-outcome-denied = Refusé
activity-outcome-error = Échec
activity-result-ok = Autorisé
activity-result-done = Effectué
activity-result-error = Échec
activity-result-denied = Refusé
activity-column-what = Ce qui s’est passé
activity-column-result = Résultat
activity-column-took = Durée
activity-column-when = Date
activity-took = { $duration } ms
activity-nothing = Rien ne s’est encore passé.
activity-nothing-fits = Aucun événement ne correspond à ces filtres.
activity-events-not-loaded = Impossible de charger les événements.
activity-older-not-loaded = Impossible de charger les événements plus anciens.
activity-show-older = Afficher les événements plus anciens
activity-left-out = { $count ->
        [one] { $count } autre appel autorisé sur cette période : compté ci-dessus, mais non listé, car il y en avait trop à la fois.
       *[other] { $count } autres appels autorisés sur cette période : comptés ci-dessus, mais non listés, car il y en avait trop à la fois.
    }

activity-did-created = { $who ->
        [you] Vous avez créé la clé { $key }
       *[other] { $person } a créé la clé { $key }
    }
activity-did-revealed = { $who ->
        [you] Vous avez affiché le secret de la clé { $key }
       *[other] { $person } a affiché le secret de la clé { $key }
    }
activity-did-not-reveal = { $who ->
        [you] Vous avez tenté d’afficher le secret de la clé { $key }
       *[other] { $person } a tenté d’afficher le secret de la clé { $key }
    }
activity-did-updated = { $who ->
        [you] Vous avez modifié la clé { $key }
       *[other] { $person } a modifié la clé { $key }
    }
activity-did-approved = { $who ->
        [you] Vous avez approuvé un appel de la clé { $key } : { $tool }
       *[other] { $person } a approuvé un appel de la clé { $key } : { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] Vous avez approuvé un appel de la clé { $key }
       *[other] { $person } a approuvé un appel de la clé { $key }
    }
activity-did-rejected = { $who ->
        [you] Vous avez rejeté un appel de la clé { $key } : { $tool }
       *[other] { $person } a rejeté un appel de la clé { $key } : { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] Vous avez rejeté un appel de la clé { $key }
       *[other] { $person } a rejeté un appel de la clé { $key }
    }
activity-did-paused = { $who ->
        [you] Vous avez mis en pause la clé { $key }
       *[other] { $person } a mis en pause la clé { $key }
    }
activity-did-owner-removed = { $who ->
        [you] Vous avez retiré la personne qui a créé la clé { $key }
       *[other] { $person } a retiré la personne qui a créé la clé { $key }
    }
activity-did-resumed = { $who ->
        [you] Vous avez réactivé la clé { $key }
       *[other] { $person } a réactivé la clé { $key }
    }
activity-did-revoked = { $who ->
        [you] Vous avez révoqué la clé { $key }
       *[other] { $person } a révoqué la clé { $key }
    }
activity-did-cancelled = { $count ->
        [one] { $count } tâche en file d’attente de la clé { $key } annulée : { $tool }
       *[other] { $count } tâches en file d’attente de la clé { $key } annulées : { $tool }
    }
activity-did-cancelled-unknown = { $count ->
        [one] { $count } tâche en file d’attente de la clé { $key } annulée
       *[other] { $count } tâches en file d’attente de la clé { $key } annulées
    }
activity-did-update_post = { $who ->
        [you] Vous avez modifié un post de la clé { $key }
       *[other] { $person } a modifié un post de la clé { $key }
    }
activity-did-publish_post = { $who ->
        [you] Vous avez publié un post de la clé { $key }
       *[other] { $person } a publié un post de la clé { $key }
    }
activity-did-retry_post = { $who ->
        [you] Vous avez publié à nouveau un post de la clé { $key }
       *[other] { $person } a publié à nouveau un post de la clé { $key }
    }
activity-did-cancel_post = { $who ->
        [you] Vous avez annulé un post de la clé { $key }
       *[other] { $person } a annulé un post de la clé { $key }
    }
activity-did-withdraw_post = { $who ->
        [you] Vous avez retiré un post de la clé { $key }
       *[other] { $person } a retiré un post de la clé { $key }
    }
activity-did-delete_post = { $who ->
        [you] Vous avez supprimé un post de la clé { $key }
       *[other] { $person } a supprimé un post de la clé { $key }
    }
activity-did-audit = { $who ->
        [you] Vous avez lancé un audit du site
       *[other] { $person } a lancé un audit du site
    }
activity-did-rotated = { $who ->
        [you] Vous avez donné un nouveau secret à la clé { $key }
       *[other] { $person } a donné un nouveau secret à la clé { $key }
    }
activity-did-rotation_finished = { $who ->
        [you] Vous avez mis fin à l’ancien secret de la clé { $key }
       *[other] { $person } a mis fin à l’ancien secret de la clé { $key }
    }
activity-did-leaked = La clé { $key } a été signalée comme divulguée, puis révoquée
activity-did-expiring = La clé { $key } expire bientôt
activity-did-list = { $times ->
        [1] La clé { $key } a listé ses outils
       *[other] La clé { $key } a listé ses outils, { $times } fois en une minute
    }
activity-did-call = { $times ->
        [1] La clé { $key } a appelé { $tool }
       *[other] La clé { $key } a appelé { $tool }, { $times } fois en une minute
    }
activity-did-call-unknown = { $times ->
        [1] La clé { $key } a appelé un outil
       *[other] La clé { $key } a appelé un outil, { $times } fois en une minute
    }

activity-because-rate_limited = plus de 60 requêtes en une minute
activity-because-mcp_inactive = MCP n’est pas actif avec le forfait
activity-because-key_paused = la clé est en pause
activity-because-address_not_allowed = provenance hors des réseaux de la clé
activity-because-brand_suspended = la marque est suspendue
activity-because-key_revoked = la clé est révoquée
activity-because-queued_work_kept = les tâches en file d’attente continuent
activity-because-owner_removed = la personne qui l’a créée a été retirée de la marque
activity-because-insufficient_scope = la clé n’est pas autorisée à utiliser cet outil
activity-because-key_owner_removed = la personne qui a créé la clé n’est plus membre
activity-because-invalid_arguments = les arguments ne convenaient pas à l’outil
activity-because-not_key_creator = seule la personne qui a créé la clé peut l’afficher
activity-because-awaiting_approval = en attente d’approbation
activity-because-approval = approbation préalable
activity-because-key_not_revealable = le secret de la clé n’est pas conservé
activity-because-old_secret_ended = l’ancien secret d’une clé renouvelée
activity-because-key_expired = la clé a expiré
activity-because-unknown_tool = cet outil n’existe pas
activity-because-cancelled_by_operator = annulé par l’opérateur
activity-because-jobs_held = annulé à la reprise des tâches suspendues
activity-because-tool_failed = l’outil a signalé une erreur
activity-because-unavailable = le service était momentanément indisponible
activity-because-internal = une erreur du service
