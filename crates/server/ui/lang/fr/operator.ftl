operator-title = Opérateur
operator-page-title = { $title } · Opérateur
operator-skip = Aller au contenu
operator-view-brands = Marques
operator-view-people = Personnes
operator-view-keys = Clés
operator-view-jobs = Tâches
operator-view-events = Événements
operator-view-approvals = Approbations
operator-view-activity = Activité
operator-view-audit = Journal d’audit
operator-view-plans = Forfaits
operator-view-erasures = Effacements
operator-not-loaded = Impossible de charger la console.

operator-signin-none = Se connecter en tant qu’opérateur
operator-signin-out = Vous êtes déconnecté
operator-signin-ended = Votre session a expiré
operator-signin-ended-why = Pour votre sécurité, une session ne dure qu’un certain temps.
operator-signin-link = Ce lien ne fonctionne plus
operator-signin-link-why = Un lien de connexion ne fonctionne qu’une fois, et pendant peu de temps.
operator-signin-about = La console est destinée aux personnes qui exploitent ce service. Elle s’ouvre avec un lien personnel ou avec un jeton doté du rôle d’opérateur.
operator-signin-account = La console est destinée aux personnes qui exploitent ce service. Connectez-vous avec un compte doté du rôle d’opérateur.
operator-signin-again = Ouvrez un nouveau lien pour revenir, ou collez-le ici.
operator-signin-continue = Continuer vers la connexion
operator-signin-how = Comment se connecter
operator-signin-how-application = Depuis votre application : ouvrez-y la console. Vous arrivez ici déjà connecté.
operator-signin-how-command = Sur la machine du service : exécutez cette commande et collez ci-dessous ce qui s’affiche : { $command }
operator-signin-paste = Lien ou jeton
operator-signin-submit = Se connecter
operator-signin-not-a-link = Ce n’est ni un lien de connexion ni un jeton. Copiez-le en entier et collez-le à nouveau.
operator-insecure = Cette page nécessite une connexion sécurisée
operator-insecure-why = Ouvrez-la avec une adresse qui commence par https. Sinon, la connexion n’est pas sûre, car des tiers pourraient lire les échanges.
operator-not-operator = Vous n’avez pas le rôle d’opérateur
operator-not-operator-why = Vous êtes connecté en tant que { $user }. Seuls les opérateurs de ce service peuvent utiliser la console. Vos marques et vos clés se trouvent sur la page des paramètres.
operator-not-operator-next = Si vous devez avoir ce rôle, demandez-le aux personnes qui exploitent ce service, puis reconnectez-vous avec un lien ou un jeton qui le comporte.
operator-to-settings = Aller à la page des paramètres
operator-signed-in-as = Connecté en tant que { $user }
operator-signed-in-again = Vous êtes de nouveau connecté.
operator-sign-out = Se déconnecter
operator-still-signed-in = Vous êtes toujours connecté. { $message }
operator-link-not-used = Vous restez connecté : le lien ouvert n’a pas pu être utilisé. { $message }

operator-refresh = Actualiser
operator-load-more = Charger la suite
operator-list-shown = { $count ->
    [one] { $count } entrée.
   *[other] { $count } entrées.
}
operator-list-shown-more = { $count ->
    [one] { $count } entrée affichée. Il y en a d’autres.
   *[other] { $count } entrées affichées. Il y en a d’autres.
}
operator-list-not-loaded = Impossible de charger la liste.
operator-list-more-not-loaded = Impossible de charger les entrées suivantes.
operator-filter-all = Tous
operator-filter-brand = ID de la marque
operator-no-match = Rien ne correspond à ces filtres
operator-no-match-hint = Les ID sont comparés exactement, en tenant compte des majuscules et minuscules.
operator-clear-filters = Effacer les filtres
operator-head-brand = Marque
operator-head-status = Statut
operator-head-actions = Actions

operator-typed-label = Saisissez { $typed } pour confirmer
operator-typed-wrong = Saisissez exactement { $typed } pour confirmer.

operator-status-active = Active
operator-status-suspended = Suspendue
operator-status-paused = En pause
operator-status-expired = Expirée
operator-status-revoked = Révoquée
operator-status-erasing = Effacement en cours
operator-status-done = Terminé
operator-status-waiting = En attente
operator-status-running = En cours
operator-status-failed = Échec
operator-status-cancelled = Annulé
operator-status-pending = En attente
operator-status-delivered = Remis
operator-status-approved = Approuvée
operator-status-rejected = Rejetée
operator-status-draft = Brouillon
operator-status-scheduled = Programmé
operator-status-publishing = Publication en cours
operator-status-published = Publié
operator-status-uncertain = Incertain
operator-status-withdrawing = Retrait en cours
operator-status-withdrawn = Retiré
operator-status-ok = Autorisé
operator-status-error = Échec
operator-status-denied = Refusé

operator-cancelled-nothing = Aucune tâche n’était en file d’attente.
operator-cancelled-posts = Posts annulés
operator-cancelled-mails = E-mails annulés
operator-cancelled-jobs = Audits et analyses annulés
operator-cancelled-approvals = Approbations annulées
operator-cancelled-schedules = Planifications supprimées
operator-sending-posts = Posts déjà en cours d’envoi
operator-sending-mails = E-mails déjà en cours d’envoi
operator-sending-jobs = Audits et analyses en cours d’arrêt

operator-reason-rate_limited = Plus de 60 requêtes en une minute
operator-reason-mcp_inactive = MCP n’est pas actif avec le forfait
operator-reason-key_paused = La clé est en pause
operator-reason-address_not_allowed = Provenance hors des réseaux de la clé
operator-reason-brand_suspended = La marque est suspendue
operator-reason-key_revoked = La clé est révoquée
operator-reason-key_expired = La clé a expiré
operator-reason-queued_work_kept = Les tâches en file d’attente continuent
operator-reason-owner_removed = La personne qui l’a créée a été retirée de la marque
operator-reason-insufficient_scope = La clé n’est pas autorisée à utiliser cet outil
operator-reason-key_owner_removed = La personne qui a créé la clé n’est plus membre
operator-reason-invalid_arguments = Les arguments ne convenaient pas à l’outil
operator-reason-not_key_creator = Seule la personne qui a créé la clé peut l’afficher
operator-reason-awaiting_approval = En attente d’approbation
operator-reason-key_not_revealable = Le secret de la clé n’est pas conservé
operator-reason-old_secret_ended = L’ancien secret d’une clé renouvelée
operator-reason-cancelled_by_operator = Annulation par un opérateur
operator-reason-jobs_held = Trop tard lors de la reprise des tâches
operator-reason-in_14_days = Dans 14 jours
operator-reason-in_3_days = Dans 3 jours
operator-reason-in_1_day = Dans un jour
