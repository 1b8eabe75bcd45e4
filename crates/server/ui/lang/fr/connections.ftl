connections-document-title = Connexions · { $brand }
connections-title = Connexions
connections-lead = Où vont les posts de la marque { $brand }, qui reçoit ses rapports et quels systèmes sont informés des événements.
connections-admins-only = Seuls les administrateurs voient les connexions
connections-admins-only-next = Les connexions contiennent des identifiants d’autres services. Adressez-vous à l’une de ces personnes pour tout ajout ou toute modification :
connections-admins = Administrateurs

connections-name = Nom
    .title = 1 à 64 lettres, chiffres, traits d’union et tirets bas
connections-name-taken = Ce nom est déjà utilisé. Choisissez-en un autre ou modifiez l’entrée qui le porte.
connections-save = Enregistrer
connections-add = Ajouter
connections-change = Modifier
connections-change-of = Modifier { $name }
connections-remove-of = Supprimer { $name }
connections-counting = Décompte de ce qui reste à publier…
connections-fault = { $field } : { $message }

connections-test = Envoyer un test
connections-test-of = Envoyer un test à { $name }
connections-test-good = Le test a réussi
connections-test-bad = Le test a échoué
connections-test-not-run = Impossible d’envoyer le test.
connections-test-status = Statut HTTP de la réponse : { $status }

connections-secret-keep = Une valeur est définie et ne peut pas être affichée. Laissez ce champ vide pour la conserver, ou saisissez-en une nouvelle pour la remplacer.
connections-secret-placeholder = Défini
connections-secret-title = Copiez le secret de signature maintenant
connections-secret-once = Avec ce secret, le destinataire de « { $name } » vérifie l’authenticité d’un message. Il n’est affiché que maintenant.
connections-secret-use = Les messages sont signés selon Standard Webhooks. Stockez le secret là où le destinataire peut le lire, et nulle part ailleurs.
connections-secret-copy = Copier
    .label = Copier le secret de signature
connections-secret-copied = Copié
connections-secret-selected = Le secret est sélectionné. Appuyez sur Ctrl+C ou ⌘C pour le copier.
connections-secret-done = Terminé
connections-secret-close-anyway = Fermer sans copier
connections-secret-not-copied = Le secret n’a pas encore été copié
connections-secret-not-copied-next = Il ne pourra plus être affiché. Copiez-le d’abord, ou fermez sans copier.
connections-secret-lost-title = Enregistré, mais sans le secret
connections-secret-lost = « { $name } » est enregistré, mais son secret de signature n’est pas arrivé

connections-channels = Canaux
connections-channels-lead = Où les posts sont publiés. Les secrets sont stockés sous forme chiffrée et ne sont plus jamais affichés.
connections-channels-failed = Impossible de charger les canaux.
connections-channel-add = Ajouter un canal
connections-channel-add-title = Ajouter un canal
connections-channel-change-title = Modifier le canal
connections-channel-kind = Type
connections-channel-name =
    .hint = Les assistants choisissent le canal par ce nom. Il ne pourra plus être modifié.
connections-channel-account = { $account } sur { $server }
connections-channel-limits =
    { $media ->
        [one] Textes de { $text } caractères au maximum, { $media } image.
       *[other] Textes de { $text } caractères au maximum, { $media } images.
    }
connections-channel-added = « { $name } » a été ajouté. Envoyez un test pour vérifier son fonctionnement.
connections-channel-changed = « { $name } » a été modifié.
connections-channel-not-saved = Impossible d’enregistrer le canal.
connections-channel-secret-lost = La connexion a été interrompue pendant l’enregistrement. Ouvrez « Modifier » et saisissez votre propre secret de signature.
connections-channel-remove = Supprimer le canal
connections-channel-remove-title = Supprimer ce canal ?
connections-channel-removed = « { $name } » a été supprimé.
connections-channel-not-removed = Impossible de supprimer le canal.
connections-channel-loses-posts =
    { $count ->
        [0] Aucun post programmé n’est perdu.
        [one] { $count } post programmé sur ce canal y est annulé.
       *[other] { $count } posts programmés sur ce canal y sont annulés.
    }
connections-channel-loses-posts-unknown = Les posts programmés sur ce canal y sont annulés. Leur nombre n’a pas pu être chargé.
connections-channel-loses-secret = Son secret stocké est supprimé. Vous en aurez besoin pour ajouter à nouveau le canal.
connections-channel-keeps = Ce qui y a été publié reste public.

connections-kind-feed = Flux
connections-kind-webhook = Webhook
connections-kind-mastodon = Mastodon
connections-kind-bluesky = Bluesky
connections-secret-set-webhook = Secret de signature : défini
connections-secret-set-mastodon = Jeton d’accès : défini
connections-secret-set-bluesky = Mot de passe d’application : défini

connections-webhook-url = Adresse
    .hint = Chaque post est envoyé à cette adresse http ou https.
connections-webhook-secret = Secret de signature
    .hint = Laissez ce champ vide : un secret est généré et affiché une seule fois. Le vôtre se compose de « whsec_ » et de 24 à 64 octets en base64.
connections-mastodon-server = Serveur
    .hint = L’adresse https du serveur, par exemple https://mastodon.social
connections-mastodon-access_token = Jeton d’accès
    .hint = Depuis Préférences → Développement du compte, avec les portées write:statuses et write:media.
connections-mastodon-visibility = Qui voit les posts
    .hint = Selon les termes de Mastodon.
connections-mastodon-visibility-public = Tout le monde
connections-mastodon-visibility-unlisted = Tout le monde, mais pas dans les fils publics
connections-mastodon-visibility-private = Abonnés seulement
connections-mastodon-max_characters = Longueur maximale d’un post
    .hint = Le nombre de caractères que le serveur autorise. Vide : 500.
connections-bluesky-identifier = Compte
    .hint = Le pseudo (handle) ou le DID, par exemple northwind.bsky.social
connections-bluesky-app_password = Mot de passe d’application
    .hint = Depuis Paramètres → Confidentialité et sécurité → Mots de passe d’application. Pas le mot de passe du compte.
connections-bluesky-server = Serveur
    .hint = Vide : https://bsky.social
connections-bluesky-langs = Langues des posts
    .hint = Trois au maximum, par exemple : en, de

connections-recipients = Destinataires des rapports
connections-recipients-lead = Ils reçoivent les rapports par e-mail, une fois leur adresse confirmée.
connections-recipients-failed = Impossible de charger les destinataires.
connections-recipients-none = Aucun destinataire pour l’instant. Ajoutez une adresse : la personne reçoit un e-mail et la confirme.
connections-recipients-add = Ajouter des destinataires
connections-recipients-add-title = Ajouter des destinataires des rapports
connections-recipients-addresses = Adresses e-mail
    .hint = Séparez plusieurs adresses par des virgules, des espaces ou des retours à la ligne.
connections-recipients-asked = Chaque personne reçoit un e-mail avec un lien, et ne reçoit les rapports qu’après avoir confirmé avec ce lien.
connections-recipients-empty = Saisissez au moins une adresse.
connections-recipients-known = Toutes ces adresses figurent déjà dans la liste.
connections-recipients-wrong =
    { $count ->
        [one] Ce n’est pas une adresse e-mail : { $addresses }
       *[other] Ce ne sont pas des adresses e-mail : { $addresses }
    }
connections-recipients-added =
    { $count ->
        [one] { $count } adresse a été ajoutée.
       *[other] { $count } adresses ont été ajoutées.
    }
connections-recipients-not-added = Rien n’a été ajouté.
connections-recipients-test =
    .label =
        { $count ->
            [one] Envoyer un e-mail de test au destinataire confirmé
           *[other] Envoyer un e-mail de test aux { $count } destinataires confirmés
        }
connections-recipient-pending = Pas encore confirmé
    .next = Ne reçoit aucun rapport avant d’avoir confirmé avec le lien de l’e-mail. Demande envoyée : { $when }
connections-recipient-confirmed = Confirmé
    .next = Confirmation : { $when }
connections-recipient-suppressed = Désabonné
    .next = Ne reçoit aucun rapport. Seule la personne peut se réabonner, avec le lien de l’e-mail de confirmation. Désabonnement : { $when }
connections-recipient-remove = Supprimer le destinataire
connections-recipient-remove-title = Supprimer ce destinataire ?
connections-recipient-removed = { $email } : destinataire supprimé.
connections-recipient-not-removed = Impossible de supprimer le destinataire.
connections-recipient-loses-pending = La personne ne reçoit aucun rapport, et le lien de l’e-mail de confirmation reste sans effet.
connections-recipient-loses-confirmed = La personne ne reçoit plus de rapports. Les rapports déjà envoyés ne sont pas concernés.
connections-recipient-loses-suppressed = La personne ne reçoit déjà plus de rapports. Si vous ajoutez à nouveau l’adresse, elle restera désabonnée.

connections-keywords = Listes de mots-clés
connections-keywords-lead = Exports d’outils de mots-clés. La recherche de mots-clés utilise leurs chiffres.
connections-keywords-failed = Impossible de charger les listes de mots-clés.
connections-keywords-none = Aucune liste pour l’instant. Importez un export pour disposer des volumes de recherche dans la recherche de mots-clés.
connections-keywords-how = Un fichier CSV tel qu’exporté par Google Keyword Planner, Google Search Console, Ahrefs ou Semrush, avec des noms de colonnes en anglais. 5 Mio et 50 000 lignes au maximum.
connections-keywords-upload = Importer un fichier
connections-keywords-uploading = Importation…
connections-keywords-too-large = Le fichier dépasse 5 Mio. Exportez moins de mots-clés ou moins de colonnes.
connections-keywords-not-imported = « { $file } » n’a pas été importé
connections-keywords-imported = « { $file } » a été reconnu comme un export de { $tool }
connections-keywords-rows =
    { $count ->
        [one] { $count } mot-clé a été importé.
       *[other] { $count } mots-clés ont été importés.
    }
connections-keywords-skipped =
    { $count ->
        [one] { $count } ligne a été ignorée.
       *[other] { $count } lignes ont été ignorées.
    }
connections-keywords-skipped-why =
    { $count ->
        [one] { $count } ligne a été ignorée :
       *[other] { $count } lignes ont été ignorées :
    }
connections-keywords-problem = Ligne { $line } : { $message }
connections-keywords-more =
    { $count ->
        [one] { $count } autre ligne présente un problème non listé.
       *[other] { $count } autres lignes présentent des problèmes non listés.
    }
connections-keywords-replaced = Le même fichier avait déjà été importé. Cette importation remplace la précédente.
connections-keywords-name = { $tool }, { $at }
connections-keywords-remove = Supprimer la liste
connections-keywords-remove-title = Supprimer cette liste de mots-clés ?
connections-keywords-removed = La liste « { $name } » a été supprimée.
connections-keywords-not-removed = Impossible de supprimer la liste.
connections-keywords-loses =
    { $count ->
        [one] Son mot-clé et ses chiffres sont supprimés. Pour les récupérer, importez à nouveau le fichier.
       *[other] Ses { $count } mots-clés et leurs chiffres sont supprimés. Pour les récupérer, importez à nouveau le fichier.
    }
connections-tool-keyword_planner = Google Keyword Planner
connections-tool-search_console = Google Search Console
connections-tool-ahrefs = Ahrefs
connections-tool-semrush = Semrush

connections-endpoints = Points de terminaison d’événements
connections-endpoints-lead = Vos propres systèmes reçoivent un message signé lorsqu’un événement se produit, comme une clé divulguée ou un post en échec.
connections-endpoints-failed = Impossible de charger les points de terminaison d’événements.
connections-endpoints-none = Aucun point de terminaison pour l’instant. Ajoutez l’adresse d’un système qui doit être informé de ce qui se passe ici.
connections-endpoint-add = Ajouter un point de terminaison
connections-endpoint-add-title = Ajouter un point de terminaison d’événements
connections-endpoint-change-title = Modifier le point de terminaison d’événements
connections-endpoint-name =
    .hint = Pour vous, afin de distinguer les points de terminaison. Il ne pourra plus être modifié.
connections-endpoint-url = Adresse
    .hint = L’adresse http ou https d’un serveur public.
connections-endpoint-events = Événements reçus
connections-endpoint-all-types = Tous les événements
connections-endpoint-some-types = Certains événements seulement
connections-endpoint-types =
    { $count ->
        [one] { $count } type d’événement
       *[other] { $count } types d’événements
    }
connections-endpoint-no-types = Choisissez au moins un événement, ou tous les événements.
connections-endpoint-enabled = Reçoit des événements
    .hint = Tant que cette option est désactivée, aucun événement n’est conservé pour lui.
connections-endpoint-rotate = Remplacer le secret de signature
    .hint = Le nouveau secret est affiché une seule fois. L’ancien cesse aussitôt de fonctionner.
connections-endpoint-active = Actif
connections-endpoint-failing = En échec
connections-endpoint-stopped = Arrêté
connections-endpoint-disabled = Désactivé
connections-endpoint-failing-since = Toutes les tentatives ont échoué. Premier échec : { $when }
connections-endpoint-dropped =
    { $count ->
        [one] { $count } événement a été abandonné, car trop d’événements étaient en attente.
       *[other] { $count } événements ont été abandonnés, car trop d’événements étaient en attente.
    }
connections-endpoint-off-title = Le service a désactivé ce point de terminaison, car il était en échec depuis 3 jours
connections-endpoint-off-reason = Dernière erreur : { $reason }
connections-endpoint-off-next = Réparez le destinataire, puis activez le point de terminaison. Les événements survenus entre-temps n’ont pas été conservés pour lui.
connections-endpoint-switch-on = Activer
connections-endpoint-on = « { $name } » est de nouveau activé.
connections-endpoint-changed = « { $name } » a été modifié.
connections-endpoint-not-saved = Impossible d’enregistrer le point de terminaison.
connections-endpoint-remove = Supprimer le point de terminaison
connections-endpoint-remove-title = Supprimer ce point de terminaison d’événements ?
connections-endpoint-removed = « { $name } » a été supprimé.
connections-endpoint-not-removed = Impossible de supprimer le point de terminaison.
connections-endpoint-loses-events = Plus rien n’est envoyé à { $url }, pas même ce qui est en attente.
connections-endpoint-loses-deliveries = La liste de ses envois est supprimée.
connections-endpoint-loses-secret = Son secret de signature est supprimé. Un nouveau point de terminaison en recevra un autre.

connections-events-key = Clés
connections-events-approval = Approbations
connections-events-post = Posts
connections-events-work = Audits et tâches en arrière-plan
connections-events-brand = Marque et membres
connections-event-key-created = Clé créée
connections-event-key-updated = Clé modifiée
connections-event-key-revealed = Secret d’une clé affiché
connections-event-key-rotated = Nouveau secret pour une clé
connections-event-key-paused = Clé mise en pause
connections-event-key-resumed = Clé réactivée
connections-event-key-revoked = Clé révoquée
connections-event-key-expiring = Clé expirant bientôt
connections-event-key-leaked = Clé divulguée
connections-event-approval-requested = Approbation requise
connections-event-approval-decided = Approbation décidée
connections-event-post-published = Post publié
connections-event-post-failed = Post en échec
connections-event-post-withdrawn = Post retiré
connections-event-job-failed = Tâche en arrière-plan en échec
connections-event-audit-new_errors = Nouvelles erreurs trouvées par un audit
connections-event-brand-updated = Marque modifiée
connections-event-brand-suspended = Marque suspendue
connections-event-brand-resumed = Marque réactivée
connections-event-member-added = Membre ajouté
connections-event-member-removed = Membre retiré

connections-deliveries = Envois
connections-deliveries-of = Envois à { $name }
connections-deliveries-title = Envois à « { $name } »
connections-deliveries-lead = Ce qui a été envoyé au cours des 30 derniers jours, du plus récent au plus ancien. Un envoi en échec est tenté 8 fois sur une journée.
connections-deliveries-failed = Impossible de charger les envois.
connections-deliveries-none = Rien n’a encore été envoyé. Envoyez un test ou attendez le premier événement.
connections-deliveries-no-match = Aucun envoi n’est dans cet état.
connections-deliveries-state = État
connections-deliveries-refresh = Actualiser
connections-deliveries-fresh = À jour.
connections-deliveries-older = Afficher les envois plus anciens
connections-deliveries-event = Événement
connections-deliveries-result = Résultat
connections-deliveries-when = Date
connections-delivery-any = Tous
connections-delivery-pending = En attente
connections-delivery-delivered = Remis
connections-delivery-failed = Échec
connections-delivery-answer = Réponse { $status }
connections-delivery-attempts =
    { $count ->
        [one] { $count } tentative
       *[other] { $count } tentatives
    }
connections-delivery-next = Prochaine tentative : { $when }
connections-delivery-resend = Renvoyer
    .label = Renvoyer : { $event }
connections-delivery-resent = Renvoi en cours.
connections-delivery-not-resent = Impossible de renvoyer.
