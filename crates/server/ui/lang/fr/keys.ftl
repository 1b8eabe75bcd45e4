keys-title = Clés MCP
keys-refresh = Actualiser
keys-refreshed = À jour.
keys-not-refreshed = Échec de l’actualisation. { $problem }
keys-create = Créer une clé
keys-connect-brand = Connectez un assistant tel que Claude ou Cursor à { $brand }.
keys-none-active = Aucune clé active pour { $brand }.
keys-summary = { $keys ->
        [one] { $keys } clé active
       *[other] { $keys } clés actives
    } pour { $brand }, { $writing ->
        [0] aucune en écriture
       *[other] dont { $writing } en écriture
    }, { $people ->
        [one] { $people } détenteur
       *[other] { $people } détenteurs
    }.
keys-paused-count = { $count ->
        [one] { $count } clé est en pause.
       *[other] { $count } clés sont en pause.
    }
keys-plan-inactive = MCP n’est pas actif avec le forfait « { $plan } »
keys-plan-means = Toutes les clés sont conservées, mais chaque appel est refusé (403) jusqu’à ce que MCP soit de nouveau actif. Une clé créée maintenant ne fonctionnera elle aussi qu’à ce moment-là.
keys-plan-admin = Que faire : passez { $brand } à un forfait qui inclut MCP. Les clés fonctionneront alors aussitôt, sans rien reconfigurer.
keys-plan-member = Que faire : demandez à un administrateur de la marque { $brand } un forfait qui inclut MCP. Les clés fonctionneront alors aussitôt, sans rien reconfigurer.
keys-approvals-wait = { $count ->
        [one] { $count } action attend une approbation
       *[other] { $count } actions attendent une approbation
    }

keys-search = Rechercher des clés
    .placeholder = Libellé, préfixe ou personne
keys-filter-state = État
keys-filter-access = Accès
keys-filter-owner = Créée par
keys-any = Tous
keys-anyone = Tout le monde
keys-others = Autres
keys-sort = Trier
keys-sort-newest = Plus récentes d’abord
keys-sort-oldest = Plus anciennes d’abord
keys-sort-label = Libellé, de A à Z
keys-sort-used = Dernière utilisation, plus récentes d’abord
keys-sort-unused = Dernière utilisation, jamais utilisées d’abord
keys-sort-access = Accès le plus large d’abord
keys-sort-expiry = Expiration la plus proche d’abord
keys-show-current = Non révoquées
keys-show-active = Actives
keys-show-paused = En pause
keys-show-expiring = Expirent bientôt
keys-show-idle = Inutilisées depuis 90 jours
keys-show-expired = Expirées
keys-show-revoked = Révoquées
keys-show-all = Toutes
keys-count = { $count ->
        [one] { $count } clé
       *[other] { $count } clés
    }
keys-count-shown = { $count ->
        [one] { $shown } sur { $count } clé
       *[other] { $shown } sur { $count } clés
    }
keys-nothing-fits = Aucune clé ne correspond à ces filtres
keys-show-every = Afficher toutes les clés
keys-table = Clés
keys-column-key = Clé
keys-column-access = Accès
keys-column-created = Création
keys-column-used = Dernière utilisation
keys-column-expires = Expiration
keys-column-state = État
keys-column-actions = Actions
keys-scope-full = portée « full »
keys-chosen-tools = { $count ->
        [one] { $count } outil choisi seulement
       *[other] { $count } outils choisis seulement
    }
keys-asks-first = Approbation préalable
keys-idle = Inutilisée depuis le { $date }
keys-expires = Expire { $when }
keys-badge-expiring = Expire bientôt
keys-badge-idle = Inutilisée
keys-badge-rotating = Nouveau secret
keys-attention-expiring = { $count ->
        [one] { $count } clé expire dans les 14 jours.
       *[other] { $count } clés expirent dans les 14 jours.
    }
keys-attention-idle = { $count ->
        [one] { $count } clé n’a pas été utilisée depuis 90 jours. Révoquez-la si elle n’est plus nécessaire.
       *[other] { $count } clés n’ont pas été utilisées depuis 90 jours. Révoquez celles qui ne sont plus nécessaires.
    }
keys-attention-show = { $count ->
        [one] L’afficher
       *[other] Les afficher
    }
keys-show = Afficher
keys-show-secret-of = Afficher le secret de la clé { $label }
keys-revoke = Révoquer
keys-revoke-key = Révoquer { $label }
keys-first = Aucune clé pour l’instant
keys-first-what = Une clé permet à un assistant de travailler pour { $brand }, dans les limites que vous fixez. Donnez à chaque assistant la sienne : vous pourrez ainsi en révoquer une sans toucher aux autres.
keys-first-step-1 = Créez une clé
keys-first-step-2 = Collez une entrée dans votre assistant
keys-first-step-3 = Voyez-le se connecter, ici même
keys-first-create = Créer la première clé

keys-state-active = Active
keys-state-paused = En pause
keys-state-expired = Expirée
keys-state-revoked = Révoquée
keys-because-revoked = Elle ne pourra plus jamais être utilisée.
keys-because-leaked = Son secret a été signalé comme public. Elle ne pourra plus jamais être utilisée.
keys-because-expired = Sa durée de validité est écoulée. Pour continuer, créez une nouvelle clé ou repoussez son expiration.
keys-because-plan = MCP n’est pas actif avec le forfait de la marque.
keys-because-owner-gone = La personne qui l’a créée n’est plus membre de la marque.
keys-because-owner-removed = La personne qui l’a créée a été retirée de la marque, puis est revenue. Cette personne ou un administrateur peut la réactiver.
keys-because-paused = Elle est refusée jusqu’à ce que la personne qui l’a créée ou un administrateur la réactive.
keys-has-expired = Cette clé a expiré
keys-was-revoked = Cette clé a été révoquée entre-temps
keys-scope-read = Lecture
keys-scope-write = Lecture et écriture
keys-rule-none = Jamais
keys-rule-outward = Avant toute action visible à l’extérieur
keys-rule-all = Avant chaque modification
keys-rule-none-means = Elle agit aussitôt, sans demander.
keys-rule-outward-means = Une personne approuve ce qui serait visible à l’extérieur : les posts publiés, programmés ou retirés, et les rapports envoyés par e-mail.
keys-rule-all-means = Une personne approuve tout ce qu’elle fait, sauf la lecture.
