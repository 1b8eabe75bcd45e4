page-name = Clés MCP
page-settings = Paramètres
page-skip = Aller au contenu
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = Impossible de charger vos paramètres.
page-views = Vues
page-waiting = { $count ->
        [one] { $count } action en attente
       *[other] { $count } actions en attente
    }
page-new-waiting = { $count ->
        [one] Une nouvelle action attend une approbation. { $count } action en attente au total.
       *[other] Une nouvelle action attend une approbation. { $count } actions en attente au total.
    }
page-view-keys = Clés
page-view-approvals = Approbations
page-view-posts = Posts
page-view-site = Site
page-view-connections = Connexions
page-view-usage = Quotas
page-view-activity = Activité
page-operator = Console opérateur
page-view-not-loaded = Impossible de charger cette vue.
page-unknown-view = Cette vue n’existe pas
page-style-not-loaded = Impossible de charger le style de cette vue.

page-brand = Marque
page-role-admin = Administrateur
page-role-member = Membre
page-sign-out = Se déconnecter
page-signed-in-as = Connecté en tant que { $user }
page-still-signed-in = Vous êtes toujours connecté. { $problem }
page-signed-in-again = Vous êtes de nouveau connecté.

page-link-not-used = Vous restez connecté : le lien ouvert n’a pas pu être utilisé. { $problem }
page-session-ended = Votre session a expiré
page-session-ends-soon = Votre session expire bientôt
page-session-ends = Elle expire { $when }.
page-sign-in-again = { $link }, puis continuez ici. Votre saisie est conservée.
    .link = Reconnectez-vous dans un autre onglet
page-open-again = Ouvrez Paramètres → MCP depuis votre application dans un autre onglet, puis continuez ici. Votre saisie est conservée.

loading = Chargement…
try-again = Réessayer
close = Fermer
cancel = Annuler
discard = Abandonner
discard-keep = Continuer la modification
discard-question = Votre saisie n’est pas enregistrée
remove = Supprimer
unexpected-error = Une erreur inattendue s’est produite sur cette page. Réessayez ou rechargez-la.
support-number = Si le problème persiste, communiquez ce numéro à votre support : { $number }
in-a-moment = dans moins d’une minute
just-now = à l’instant
full-time = { $when } ({ $exact })
never = Jamais
dismiss = Fermer ce message
you = Vous
unknown-person = Une personne inconnue
copy = Copier
copied = Copié
copied-announced = Copié dans le presse-papiers.
copy-by-keyboard = Appuyez sur Ctrl+C
copy-selected = Le texte est sélectionné. Appuyez sur Ctrl+C ou ⌘C pour le copier.
service-unreachable = Impossible de joindre le service. Vérifiez votre connexion, puis réessayez.
answer-unreadable = La réponse du service ({ $status }) n’a pas pu être lue. Réessayez dans un instant.

page-back = Retour
page-back-to = Retour à { $name }
