operator-people-title = Personnes
operator-people-lead = Les membres de toutes les marques.
operator-people-filters = Rechercher des personnes
operator-people-search = Rechercher par le début de l’ID utilisateur ou de l’e-mail
operator-people-person = Personne
operator-people-email = E-mail
operator-people-brands = Marques
operator-people-empty = Aucune personne pour l’instant
operator-people-empty-hint = Les personnes sont listées ici dès que votre application les ajoute à une marque.
operator-people-back = Toutes les personnes
operator-people-audit = Ce que cette personne a modifié
operator-people-no-brands = Cette personne n’agit pour aucune marque
operator-people-no-brands-hint = Elle n’est plus membre, ou l’ID utilisateur n’existe pas.
operator-people-no-keys = Cette personne n’a créé aucune clé
operator-people-no-keys-hint = Les clés qu’elle crée sont listées ici.

operator-people-sessions = Déconnecter partout…
operator-people-sessions-title = Déconnecter cette personne de tous les navigateurs ?
operator-people-sessions-means = Ses sessions et ses liens de connexion prennent fin aussitôt. La personne peut se reconnecter : retirez-lui d’abord l’accès dans votre application ou auprès du fournisseur d’identité.
operator-people-sessions-action = Déconnecter partout
operator-people-sessions-failed = La personne n’a pas été déconnectée.
operator-people-sessions-done = { $count ->
    [0] Aucune session n’était ouverte.
    [one] { $count } session est terminée.
   *[other] { $count } sessions sont terminées.
}
operator-people-revoke = Révoquer toutes les clés…
operator-people-revoke-title = Révoquer toutes les clés de cette personne ?
operator-people-revoke-means = Dès la prochaine requête, ses clés sont refusées dans toutes les marques et les tâches qu’elles ont mises en file d’attente sont annulées. Cette action est irréversible. La personne peut créer de nouvelles clés tant qu’elle est membre.
operator-people-revoke-action = Révoquer toutes les clés
operator-people-revoke-failed = Certaines clés n’ont pas été révoquées.
operator-people-revoked = { $count ->
    [0] Aucune clé n’était à révoquer
    [one] { $count } clé a été révoquée
   *[other] { $count } clés ont été révoquées
}

operator-people-erase = Effacer…
operator-people-erase-title = Effacer cette personne ?
operator-people-erase-final = Cette action est irréversible
operator-people-erase-order = Ses adresses sont trouvées à partir de ses appartenances aux marques. Effacez une personne avant de supprimer ces appartenances.
operator-people-erase-means = Aussitôt, elle n’est plus membre d’aucune marque, ses clés sont révoquées et ses tâches en file d’attente annulées. Ensuite, son nom et ses adresses sont supprimés partout, et un pseudonyme aléatoire remplace son ID dans l’historique.
operator-people-erase-action = Effacer la personne
operator-people-erase-failed = La personne n’a pas été effacée.
