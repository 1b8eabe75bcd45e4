operator-brands-title = Marques
operator-brands-lead = Tout ce qui appartient à un client.
operator-brands-filters = Rechercher et filtrer les marques
operator-brands-search = Rechercher par le début de l’ID ou du nom
operator-brands-plan = Forfait
operator-brands-website = Site web
operator-brands-empty = Aucune marque pour l’instant
operator-brands-empty-hint = Votre application crée des marques avec l’API opérateur. Elles sont listées ici.
operator-brands-back = Toutes les marques
operator-brands-not-loaded = Impossible de charger cette marque.
operator-brands-facts = À propos de la marque
operator-brands-competitors = Concurrents
operator-brands-language = Langue
operator-brands-time-zone = Fuseau horaire
operator-brands-elsewhere = De cette marque
operator-brands-parts = Parties de la marque
operator-brands-part-members = Membres
operator-brands-part-keys = Clés
operator-brands-part-posts = Posts

operator-brands-person = Personne
operator-brands-email = E-mail
operator-brands-role = Rôle
operator-brands-role-admin = Administrateur
operator-brands-role-member = Membre
operator-brands-no-members = Aucun membre
operator-brands-no-members-hint = Les clés de la marque sont inutilisables tant que votre application n’ajoute pas de membre.

operator-brands-suspend = Suspendre…
operator-brands-resume = Réactiver…
operator-brands-revoke = Révoquer toutes les clés…
operator-brands-export = Exporter…
operator-brands-erase = Effacer…

operator-brands-is-suspended = Cette marque est suspendue
operator-brands-suspended-means = Les agents sont refusés, les tâches en file d’attente sont suspendues (et annulées 24 heures après leur échéance), le flux répond 404 et aucune nouvelle clé ne peut être créée. Les personnes peuvent toujours se connecter et lire.
operator-brands-suspended-at = Depuis
operator-brands-suspended-by = Suspendue par
operator-brands-reason = Motif
operator-brands-reason-hint = Visible uniquement par les opérateurs.
operator-brands-suspend-title = Suspendre cette marque ?
operator-brands-suspend-undo = Vous pouvez réactiver la marque à tout moment.
operator-brands-suspend-action = Suspendre la marque
operator-brands-suspend-failed = La marque n’a pas été suspendue.
operator-brands-was-suspended = { $name } est suspendue.
operator-brands-resume-title = Réactiver cette marque ?
operator-brands-resume-means = Ses clés fonctionnent à nouveau dès la prochaine requête, son flux redevient public et les tâches suspendues reprennent.
operator-brands-resume-action = Réactiver la marque
operator-brands-resume-failed = La marque n’a pas été réactivée.
operator-brands-was-resumed = { $name } est de nouveau active.

operator-brands-revoke-title = Révoquer toutes les clés de cette marque ?
operator-brands-revoke-means = Dès la prochaine requête, toutes les clés de la marque sont refusées et les tâches qu’elles ont mises en file d’attente sont annulées. Cette action est irréversible. Les membres peuvent créer de nouvelles clés.
operator-brands-revoke-action = Révoquer toutes les clés
operator-brands-revoke-failed = Certaines clés n’ont pas été révoquées.
operator-brands-revoked = { $count ->
    [0] Aucune clé n’était à révoquer
    [one] { $count } clé a été révoquée
   *[other] { $count } clés ont été révoquées
}

operator-brands-export-title = Exporter toutes les lignes de cette marque
operator-brands-export-means = Le fichier contient un objet JSON par ligne. Les clés y sont des empreintes et les autres secrets restent chiffrés, mais il contient des noms et des adresses de personnes : conservez-le en lieu sûr.
operator-brands-export-exact = Suspendez d’abord la marque si la copie doit être exacte.
operator-brands-export-action = Télécharger
operator-brands-export-progress = Lecture… { $size } Kio jusqu’ici.
operator-brands-export-done = { $count ->
    [one] { $count } ligne a été exportée
   *[other] { $count } lignes ont été exportées
}
operator-brands-export-file = Le fichier { $file } est complet.
operator-brands-export-failed = L’export n’a pas été enregistré.
operator-brands-export-lost = L’export s’est interrompu avant la fin. Vérifiez votre connexion, puis réessayez.

operator-brands-erase-title = Effacer cette marque ?
operator-brands-erase-final = Cette action est irréversible
operator-brands-erase-export = Exportez d’abord la marque si ses données peuvent encore être nécessaires.
operator-brands-erase-means = Aussitôt, ses clés sont refusées, ses tâches en file d’attente disparaissent, son flux répond 404 et ses membres ne la voient plus. Ensuite, toutes les lignes de la marque sont supprimées : clés, posts, audits, analyses, canaux, membres et activité. L’ID ne pourra plus être utilisé.
operator-brands-erase-action = Effacer la marque
operator-brands-erase-failed = La marque n’a pas été effacée.

operator-brands-post = Post
operator-brands-channels = Canaux
operator-brands-post-scheduled = Programmé pour
operator-brands-post-created = Création
operator-brands-post-filters = Filtrer les posts
operator-brands-no-posts = Aucun post pour l’instant
operator-brands-no-posts-hint = Les posts écrits par les agents et les personnes de la marque sont listés ici.
operator-brands-post-failed = Le post n’a pas été modifié.
operator-brands-post-partly = Certains canaux n’ont pas pu être arrêtés
operator-brands-post-cancel = Annuler le post…
operator-brands-post-cancel-of = Annuler { $name }
operator-brands-post-cancel-title = Annuler ce post ?
operator-brands-post-cancel-means = Ce qui n’a pas encore été publié ne le sera plus. Un brouillon est supprimé.
operator-brands-post-cancel-action = Annuler le post
operator-brands-post-cancel-done = Le post est annulé
operator-brands-post-withdraw = Retirer…
operator-brands-post-withdraw-of = Retirer { $name }
operator-brands-post-withdraw-title = Retirer ce post ?
operator-brands-post-withdraw-means = Le post est retiré de tous les canaux où il est public. Un canal qui ne peut pas le retirer le signale. Cette action est irréversible.
operator-brands-post-withdraw-action = Retirer le post
operator-brands-post-withdraw-done = Le post est en cours de retrait
operator-brands-post-retry = Réessayer…
operator-brands-post-retry-of = Réessayer { $name }
operator-brands-post-retry-title = Publier à nouveau ce post ?
operator-brands-post-retry-means = Une nouvelle tentative a lieu maintenant sur les canaux en échec. Rien n’est envoyé deux fois.
operator-brands-post-retry-action = Publier à nouveau
operator-brands-post-retry-done = Le post est de nouveau en cours de publication
