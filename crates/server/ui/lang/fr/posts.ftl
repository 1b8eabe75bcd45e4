posts-title = Posts
posts-lead = Ce que vos assistants ont écrit : les brouillons, les posts programmés et les posts publics.
posts-shape = Afficher sous forme de
posts-shape-calendar = Calendrier
posts-shape-list = Liste
posts-calendar = Calendrier
posts-list = Tous les posts
posts-empty = Aucun post pour l’instant
posts-empty-help = Demandez à un assistant autorisé à écrire de rédiger un post. Il apparaîtra ici, et vous pourrez le modifier, le programmer et le publier.
posts-not-loaded = Impossible de charger les posts.
posts-failed-count = { $count ->
    [one] { $count } post a échoué sur un canal
   *[other] { $count } posts ont échoué sur un canal
}
posts-show-failed = Voir pourquoi

posts-state = { $status ->
    [draft] Brouillon
    [scheduled] Programmé
    [publishing] Publication en cours
    [published] Publié
    [failed] Échec
    [uncertain] Incertain
    [cancelled] Annulé
    [withdrawing] Retrait en cours
   *[withdrawn] Retiré
}
posts-on-some = { $total ->
    [one] sur { $count } canal sur { $total }
   *[other] sur { $count } des { $total } canaux
}
posts-no-time = Aucune heure

posts-all = Tous
posts-filter = État
posts-count = { $count ->
    [0] Il n’y a aucun post.
    [one] { $count } post
   *[other] { $count } posts
}
posts-count-state = { $count ->
    [0] Aucun post n’est dans cet état.
    [one] { $count } post est dans cet état sur un canal.
   *[other] { $count } posts sont dans cet état sur un canal.
}
posts-older = Afficher les posts plus anciens
posts-older-not-loaded = Impossible de charger les posts plus anciens.
posts-head-post = Post
posts-head-state = État
posts-head-when = Date
posts-head-channels = Canaux
posts-head-key = Clé

posts-month-before = Mois précédent
posts-month-after = Mois suivant
posts-today = Aujourd’hui
posts-month-empty = Aucun post ce mois-ci.
posts-zone = Les heures sont dans votre fuseau horaire : { $zone }.
posts-move-help = Faites glisser un post prévu vers un autre jour, ou sélectionnez-le et appuyez sur Maj et une touche fléchée.
posts-written-before = Les posts écrits plus de trois mois avant leur publication ne figurent que dans la liste.
posts-cut = Il y a plus de posts sur cette période que le calendrier n’en affiche. La liste les contient tous.
posts-more = { $count } de plus
posts-more-of-day = { $count ->
    [one] Afficher { $count } autre post ({ $day })
   *[other] Afficher { $count } autres posts ({ $day })
}
posts-moved = Déplacé : { $at }.
posts-undo = Annuler
posts-not-moved = Le post n’a pas été déplacé.

posts-open-public = Ouvrir le post public
posts-planned = Prévu pour
posts-person = Clé créée par
posts-created = Création
posts-version = Version
posts-version-words = { $changes ->
    [0] { $version }, jamais modifiée
    [one] { $version }, modifiée une fois
   *[other] { $version }, modifiée { $changes } fois
}
posts-not-fresh = Ces informations sont peut-être obsolètes : le post n’a pas pu être rechargé.
posts-not-yours = Ce post ne peut être modifié que par { $person } ou un administrateur.
posts-next-attempt = { $attempts ->
    [one] { $attempts } tentative effectuée. La prochaine aura lieu { $when }.
   *[other] { $attempts } tentatives effectuées. La prochaine aura lieu { $when }.
}
posts-failed-help = Résolvez le problème indiqué ci-dessus, puis réessayez. Le post n’est pas envoyé deux fois.
posts-failed-ask = La personne qui a créé la clé ou un administrateur peut réessayer une fois le problème résolu.
posts-uncertain-help = Consultez le compte. Si le post n’y figure pas, demandez à l’assistant de l’écrire à nouveau.
posts-publishing-help = La publication est en cours. Cette page affichera le résultat dans un instant.
posts-withdrawing-help = Le retrait est en cours. Cette page affichera le résultat dans un instant.
posts-not-withdrawn-help = Il est toujours public. Essayez à nouveau de le retirer, ou supprimez-le manuellement sur le compte.
posts-changed = Le post a été modifié entre-temps
posts-changed-read = Rien de ce que vous avez demandé n’a été fait. Voici le post dans son état actuel. Lisez-le, puis décidez à nouveau.
posts-changed-help = Rien n’a été enregistré, et votre saisie est conservée. Voici ce qui a été modifié :
posts-changed-by-both = Vous l’avez également modifié. Si vous enregistrez, votre version le remplace.
posts-nothing-done = Rien n’a été modifié.
posts-outcome-unknown = Impossible de savoir si cette demande est arrivée. Vous pouvez réessayer sans risque.
posts-back = Retour

posts-edit = Modifier…
posts-edit-title = Modifier le post
posts-save = Enregistrer
posts-save-anyway = Enregistrer mes modifications
posts-saved = Le post a été enregistré.
posts-field-text = Texte
posts-field-title = Titre
posts-field-link = Lien
posts-field-media = Images
posts-field-channels = Canaux
posts-field-time = Heure
posts-title-hint = Pour les canaux qui en affichent un.
posts-time-hint = Dans votre fuseau horaire : { $zone }.
posts-time-of-draft = Dans votre fuseau horaire : { $zone }. Un brouillon n’est pas publié de lui-même, même à cette heure.
posts-channels-of-member = Pour ajouter un autre canal, adressez-vous à un administrateur.
posts-picture = Image { $number }
posts-picture-address = Adresse de l’image
posts-picture-alt = Ce qu’elle montre
posts-picture-add = Ajouter une image
posts-picture-remove = Supprimer
posts-picture-remove-one = Supprimer l’image { $number }

posts-publish = Publier…
posts-publish-title = Publier ce post ?
posts-publish-help = { $count ->
    [one] Tout le monde pourra le lire sur ce canal : { $channels }.
   *[other] Tout le monde pourra le lire sur ces canaux : { $channels }.
}
posts-publish-when = Date
posts-publish-now = Maintenant
posts-publish-later = À une heure précise
posts-publish-order = Publier maintenant
posts-schedule-order = Programmer
posts-publishing = Le post est en cours de publication.
posts-scheduled = Le post est programmé.
posts-retry = Réessayer
posts-retrying = Nouvelle tentative sur les canaux en échec.

posts-stop = Arrêter…
posts-stop-title = Arrêter ce post ?
posts-stop-help = Il ne sera pas publié sur : { $channels }. Un post arrêté ne peut plus être programmé.
posts-stop-published = Là où il est déjà public, il le reste. Vous pouvez l’y retirer.
posts-stop-order = Arrêter le post
posts-stopped = Le post a été arrêté.
posts-withdraw = Retirer…
posts-withdraw-title = Retirer ce post ?
posts-withdraw-help = Il est public sur ces canaux. Un post retiré ne peut plus être publié.
posts-withdraw-from = { $kind ->
    [feed] Il disparaît aussitôt des flux, et sa page indique qu’il n’existe plus.
    [mastodon] Une demande de suppression est envoyée à Mastodon. Des copies peuvent subsister sur d’autres serveurs.
    [bluesky] Une demande de suppression est envoyée à Bluesky.
    [webhook] Le destinataire est informé du retrait. Il décide lui-même de ce qu’il en fait.
   *[other] Une demande de retrait est envoyée au canal. Si le retrait est impossible, le post reste public et son état indique pourquoi.
}
posts-withdraw-order = { $count ->
    [one] Retirer de { $count } canal
   *[other] Retirer de { $count } canaux
}
posts-withdrawing = Le post est en cours de retrait.
posts-delete = Supprimer…
posts-delete-title = Supprimer ce post ?
posts-delete-help = Ce texte est supprimé définitivement. Il ne pourra pas être récupéré.
posts-delete-order = Supprimer le post
posts-deleted = Le post a été supprimé.
