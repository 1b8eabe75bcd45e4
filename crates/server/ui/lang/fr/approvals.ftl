approvals-title = Approbations
approvals-lead = { $count ->
    [0] Un assistant dont la clé exige une approbation préalable attend ici la décision d’une personne.
    [one] { $count } action attend une décision. Rien de cela n’a encore eu lieu.
   *[other] { $count } actions attendent une décision. Rien de cela n’a encore eu lieu.
}

approvals-waiting = En attente d’approbation
approvals-nothing-waits = Rien n’attend d’approbation
approvals-nothing-waits-help = Lorsqu’un assistant veut faire quelque chose qui nécessite votre décision, cela apparaît ici automatiquement.
approvals-behind = Impossible d’actualiser la liste. Nouvelle tentative dans quelques secondes.
approvals-asked-by = { $title }, demandé par { $label }
approvals-times = Demandé { $requested }, expire { $expires }
approvals-open = Lire et décider
    .aria-label = Lire et décider : { $title }, demandé par { $label }
approvals-open-only = Lire
    .aria-label = Lire : { $title }, demandé par { $label }
approvals-older = Afficher les actions plus anciennes
approvals-older-not-loaded = Impossible de charger les actions plus anciennes.
approvals-shortcuts = Utiliser les raccourcis clavier
approvals-shortcuts-help = J et K, ou les touches fléchées dans la liste, permettent de passer d’une action à l’autre. Entrée en ouvre une. Dans une action ouverte, A approuve et R rejette.

approvals-not-loaded = Chargement impossible.
approvals-key = Clé
approvals-person = Clé créée par
approvals-requested = Demande
approvals-expires = Expiration
approvals-when = Date
approvals-notes = Remarques
approvals-stays-draft = Pas encore : cela reste un brouillon
approvals-at-once = Dès l’approbation
approvals-target = { $status ->
    [draft] { $channel } (ensuite : brouillon)
    [scheduled] { $channel } (ensuite : programmé)
    [publishing] { $channel } (ensuite : publié)
    [published] { $channel } (ensuite : publié)
    [withdrawing] { $channel } (ensuite : retiré)
    [withdrawn] { $channel } (ensuite : retiré)
    [cancelled] { $channel } (ensuite : annulé)
    [failed] { $channel } (échec)
   *[other] { $channel }
}
approvals-show-arguments = Afficher ce que l’assistant a envoyé
approvals-arguments = Arguments
approvals-none = Aucun
approvals-argument-text = Texte
approvals-argument-title = Titre
approvals-argument-link = Lien
approvals-argument-media = Médias
approvals-argument-channels = Canaux
approvals-argument-mode = Mode
approvals-mode = { $mode ->
    [draft] Conserver comme brouillon
    [schedule] Publier à l’heure prévue
   *[now] Publier maintenant
}
approvals-argument-scheduled-at = Heure
approvals-argument-post-id = Post
approvals-argument-subject = Objet
approvals-argument-recipients = Destinataires
approvals-only-admins = Seul un administrateur peut prendre cette décision.
approvals-only-creator = Cette décision ne peut être prise que par { $person } ou un administrateur.
approvals-would-fail = Cette action échouerait maintenant
approvals-would-fail-help = Vérifiez à nouveau une fois le problème résolu, ou rejetez-la.
approvals-changed = Cette action a changé depuis que vous l’avez consultée
approvals-changed-help = Rien n’a été fait. Voici ce qu’elle ferait maintenant. Lisez-le, puis décidez à nouveau.

approvals-approve = Approuver
approvals-approve-changed = Approuver avec modifications
approvals-edit = Modifier…
approvals-edit-title = Modifier : { $title }
approvals-reject = Rejeter…
approvals-reject-now = Rejeter
approvals-reject-title = Rejeter : { $title }
approvals-look-again = Vérifier à nouveau
approvals-back = Retour
approvals-note = Note (facultatif)
approvals-note-hint = L’assistant la lira si vous approuvez.
approvals-reason = Motif
approvals-reason-hint = L’assistant le lira. Indiquez ce qui devrait être différent.
approvals-reason-missing = Indiquez un motif, afin que l’assistant puisse faire mieux.
approvals-changes = Vos modifications
approvals-no-changes = Rien n’est encore modifié.
approvals-with-changes = { $count ->
    [one] Vous avez modifié { $count } argument
   *[other] Vous avez modifié { $count } arguments
}
approvals-with-changes-help = L’aperçu montre ce que l’assistant a demandé. Si vous approuvez, l’action s’exécute avec vos modifications.
approvals-your-zone = Dans votre fuseau horaire : { $zone }.
approvals-json = Au format JSON.
approvals-not-json = Rien n’a été décidé : une valeur n’est pas du JSON valide.
approvals-approved = « { $title } » : action approuvée et exécutée.
approvals-rejected = « { $title } » : action rejetée. L’assistant lira votre motif.
approvals-not-decided = Rien n’a été décidé.
approvals-outcome-unknown = Impossible de savoir si votre décision est arrivée. Vous pouvez réessayer sans risque.

approvals-decided = Décisions
approvals-decided-not-loaded = Impossible de charger les décisions.
approvals-none-decided = Rien n’a encore été décidé.
approvals-none-fits = Aucune action n’a ce résultat.
approvals-older-decided = Afficher les décisions plus anciennes
approvals-filter = Résultat
approvals-status-all = Tous
approvals-status = { $status ->
    [done] Approuvée
    [approved] Approuvée
    [failed] Échec
    [rejected] Rejetée
    [expired] Expirée
    [cancelled] Annulée
   *[other] En attente
}
approvals-head-what = Action
approvals-head-result = Résultat
approvals-head-by = Par
approvals-head-at = Date
approvals-end = { $status ->
    [done] { $who ->
        [me] Vous l’avez approuvée, et elle a été exécutée
       *[other] { $person } l’a approuvée, et elle a été exécutée
    }
    [failed] { $who ->
        [me] Vous l’avez approuvée, mais elle a échoué
       *[other] { $person } l’a approuvée, mais elle a échoué
    }
    [rejected] { $who ->
        [me] Vous l’avez rejetée : elle n’a pas été exécutée
       *[other] { $person } l’a rejetée : elle n’a pas été exécutée
    }
    [cancelled] { $who ->
        [me] Vous avez retiré l’accès de sa clé : elle n’a pas été exécutée
       *[other] { $person } a retiré l’accès de sa clé : elle n’a pas été exécutée
    }
   *[expired] Elle a expiré : elle n’a pas été exécutée
}
approvals-with-reason = Motif : { $reason }
approvals-with-note = Note : { $note }
approvals-changes-made = Modifications apportées lors de l’approbation

approvals-settings = Approbation préalable
approvals-settings-help = Une clé soumise à approbation préalable attend qu’une personne approuve. Sans décision dans les 72 heures, rien ne se passe.
approvals-emails = M’envoyer un e-mail lorsque quelque chose attend mon approbation
approvals-minimum = Approbation préalable pour toutes les clés
approvals-rule = { $rule ->
    [none] Jamais
    [outward] Avant toute action visible à l’extérieur
   *[all] Avant chaque modification
}
approvals-approvers = Qui décide
approvals-approver = { $who ->
    [admins] Seulement les administrateurs
   *[members] La personne qui a créé la clé et les administrateurs
}
approvals-saved = Enregistré.
approvals-not-saved = Cela n’a pas été enregistré.
