usage-document-title = Quotas · { $brand }
usage-title = Quotas
usage-lead = Ce que { $brand } peut utiliser avec le forfait « { $plan } », et ce qui est utilisé actuellement.
usage-refresh = Actualiser
usage-fresh = À jour.
usage-failed = Impossible de charger les quotas.
usage-summary = Résumé
usage-enough = Tous les quotas sont suffisants
usage-near =
    { $count ->
        [one] { $count } quota est presque épuisé
       *[other] { $count } quotas sont presque épuisés
    }
usage-full =
    { $count ->
        [one] { $count } quota est épuisé
       *[other] { $count } quotas sont épuisés
    }
usage-full-next = Les appels qui en demandent davantage sont refusés tant que rien n’est libéré. Attendez, supprimez ce qui n’est plus nécessaire ou passez à un forfait aux quotas plus élevés.
usage-full-next-member = Les appels qui en demandent davantage sont refusés tant que rien n’est libéré. Attendez, supprimez ce qui n’est plus nécessaire ou demandez à un administrateur un forfait aux quotas plus élevés.
usage-used-up = Épuisé
usage-of = { $used } sur { $limit }
usage-frees = Une partie sera de nouveau disponible { $when }.
usage-more = Utilisation de chaque clé et de chaque outil, jour par jour : { $link }

usage-group-period = Par jour ou par heure
    .lead = Les quotas quotidiens sont réinitialisés à minuit UTC.
usage-group-now = Simultanément
    .lead = Ce qui est en cours ou en attente. Se libère à mesure que les tâches se terminent.
usage-group-stored = Conservé
    .lead = Ce qui existe actuellement.
usage-group-other = Autres

usage-posts_per_day = Posts par jour
    .frees = De nouveau disponible à minuit UTC.
usage-report_emails_per_day = Rapports par e-mail par jour
    .frees = De nouveau disponible à minuit UTC.
usage-audits_per_day = Audits par jour
    .frees = De nouveau disponible à minuit UTC.
usage-analyses_per_day = Analyses par jour
    .frees = De nouveau disponible à minuit UTC.
usage-keyword_searches_per_day = Recherches de mots-clés par jour
    .frees = De nouveau disponible à minuit UTC.
usage-connection_tests_per_hour = Tests de connexions par heure
    .frees = De nouveau disponible à la prochaine heure pleine.
usage-open_long_jobs = Audits et analyses non terminés
    .frees = De nouveau disponible dès que l’un d’eux se termine.
usage-concurrent_waits = Appels en attente d’un résultat
    .frees = De nouveau disponible dès que l’un d’eux se termine.
usage-queued_targets = Posts programmés, comptés par canal
    .frees = De nouveau disponible dès qu’un post est publié ou annulé.
usage-pending_approvals = Appels en attente d’approbation, pour la clé qui en a le plus
    .frees = De nouveau disponible dès qu’une personne décide de l’un d’eux.
usage-keys = Clés actives
    .frees = Révoquez une clé pour libérer une place.
usage-schedules = Planifications
    .frees = Supprimez une planification pour libérer une place.
usage-drafts = Brouillons
    .frees = Publiez ou supprimez un brouillon pour libérer une place.
usage-stored_audits = Audits conservés
    .frees = Au-delà de la limite, les plus anciens sont supprimés.
usage-stored_analyses = Analyses conservées
    .frees = Au-delà de la limite, les plus anciennes sont supprimées.
