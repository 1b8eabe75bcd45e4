keys-rule-not-changed = La règle n’a pas été modifiée.
keys-scope-read-means = L’assistant peut consulter des informations. Il ne peut rien modifier, publier ni envoyer.
keys-scope-write-means = L’assistant peut aussi agir pour la marque : publier des posts, lancer des analyses et des audits, envoyer des rapports par e-mail, rechercher des mots-clés.
keys-minimum-outward = Toutes les clés de cette marque demandent une approbation avant toute action visible à l’extérieur.
keys-minimum-all = Toutes les clés de cette marque demandent une approbation avant chaque modification.
keys-saved = Enregistré.

keys-create-title = Créer une clé
keys-creating = Création…
keys-label = Libellé
keys-label-hint = Indiquez l’assistant et l’endroit où il s’exécute, pour reconnaître la clé.
keys-what-it-can = Ce qu’elle permet
keys-opens-tools = { $count ->
        [one] Donne accès à { $count } outil
       *[other] Donne accès à { $count } outils
    }
keys-ask-first = Approbation préalable
keys-tools = Outils
keys-only-some = Seulement certains de ces outils
keys-writes = écriture
keys-expiry = Expiration
keys-expiry-hint = Ensuite, la clé cesse de fonctionner d’elle-même.
keys-expiry-date = Date d’expiration
keys-lifetime-0 = Jamais
keys-lifetime-7 = Dans 7 jours
keys-lifetime-30 = Dans 30 jours
keys-lifetime-90 = Dans 90 jours
keys-lifetime-365 = Dans un an
keys-lifetime-date = À une date…
keys-lifetime-keep = Inchangée : { $date }
keys-lifetime-keep-never = Inchangée : jamais
keys-networks = Réseaux
keys-networks-hint = Un par ligne, par exemple 203.0.113.0/24. La clé est refusée depuis tout autre réseau. Vide : elle fonctionne partout.
keys-can-reveal = Je peux afficher à nouveau le secret plus tard
keys-can-reveal-hint = Désactivé, c’est plus strict : seule une empreinte est conservée, et une clé perdue doit être remplacée.
keys-field-fault = { $field } : { $fault }.
keys-not-created = La clé n’a pas été créée.
keys-limit-reached = Cette marque a atteint son nombre maximal de clés actives
keys-see-keys = Voir les clés
keys-edit-title = Modifier « { $label } »
keys-edit-others = Cette clé a été créée par { $owner }. Vous pouvez seulement la rendre plus stricte : moins d’outils, une expiration plus proche, davantage d’approbations, moins de réseaux.
keys-scope-narrow = L’accès d’une clé peut seulement être réduit. Pour un accès plus large, créez une nouvelle clé.
keys-save = Enregistrer
keys-saving = Enregistrement…
keys-not-saved = La clé n’a pas été modifiée.
keys-not-saved-unknown = Impossible de savoir si la clé a été modifiée. Vous pouvez enregistrer à nouveau sans risque.
keys-changed = « { $label } » a été modifiée. La modification s’applique dès son prochain appel.
keys-nothing-changed = Rien n’a été modifié.

keys-ready = « { $label } » est prête
keys-copy-key = Copier la clé
keys-done = Terminé
keys-close-uncopied = Fermer sans copier
keys-not-copied = Vous n’avez pas encore copié la clé
keys-not-copied-means = Elle ne pourra plus être affichée. Copiez-la maintenant, ou fermez encore une fois si vous n’en avez pas besoin.
keys-copy-or-later = Copiez-la maintenant, ou affichez-la à nouveau plus tard
keys-copy-or-later-means = Vous seul pouvez l’afficher à nouveau, avec « Afficher » dans la liste des clés. Ne la partagez pas : toute personne qui la possède peut agir comme cet assistant.
keys-copy-now = Copiez-la maintenant : elle ne sera plus affichée
keys-copy-now-means = Le service n’en conserve qu’une empreinte. Si vous la perdez, révoquez cette clé et créez-en une nouvelle.

keys-show-its-secret = Afficher son secret
keys-lost = La connexion a été interrompue
keys-lost-looking = La réponse s’est perdue : impossible de savoir encore si « { $label } » a été créée. Vérification de la liste des clés…
keys-lost-unknown = Impossible de savoir si « { $label } » a été créée
keys-lost-unknown-means = La liste des clés ne peut pas être chargée non plus. Vérifiez votre connexion, puis réessayez.
keys-lost-none = Aucune clé « { $label } » n’a été créée
keys-lost-none-means = Cette clé ne figure pas dans la liste : vous pouvez réessayer sans risque. Votre saisie est conservée.
keys-lost-created = « { $label } » a été créée, mais son secret n’est pas arrivé
keys-lost-created-when = Créée { $when }, avec le préfixe { $prefix }.
keys-lost-show = Affichez son secret maintenant et continuez, ou révoquez-la et réessayez.
keys-lost-secret = Elle a été créée sans possibilité d’afficher à nouveau son secret : celui-ci est perdu. Révoquez-la et réessayez.
keys-look-again = Vérifier à nouveau
keys-revoke-and-retry = La révoquer et réessayer
keys-not-shown = Impossible d’afficher le secret.
keys-not-revoked = Impossible de révoquer « { $label } ».

keys-show-again = Afficher à nouveau
keys-shown-announced = Le secret est affiché pendant { $seconds } secondes.
keys-hidden-announced = Le secret est masqué.
keys-hides-in = Il sera masqué dans { $seconds } s, ou dès que vous quitterez cet onglet.
keys-hidden = Masqué. Chaque affichage est consigné dans l’activité.
keys-gone-means = Son secret n’est plus d’aucune utilité. La liste des clés est maintenant à jour. Pour continuer, créez une nouvelle clé.
keys-create-new = Créer une nouvelle clé
keys-no-secret = Le secret de cette clé ne peut pas être affiché
keys-no-secret-why = Elle a été créée sans possibilité d’afficher à nouveau son secret : le service n’en conserve qu’une empreinte. Il ne peut pas être récupéré.
keys-no-secret-next = Si vous l’avez encore, continuez simplement à l’utiliser. S’il est perdu, donnez un nouveau secret à la clé, ou révoquez-la et créez-en une nouvelle avec les mêmes paramètres.
keys-revoke-and-create = Révoquer et en créer une nouvelle

keys-revoke-title = Révoquer cette clé ?
keys-revoke-means = L’assistant qui l’utilise perd aussitôt son accès. Cette action est irréversible, mais une nouvelle clé peut être créée à tout moment.
keys-revoke-cancels = Ce qu’elle a mis en file d’attente, comme des posts programmés et des rapports par e-mail, est annulé, ainsi que ses approbations en attente.
keys-revoke-keeps = Ce qu’elle a mis en file d’attente, comme des posts programmés et des rapports par e-mail, part quand même. Ses planifications et ses approbations en attente prennent fin.
keys-keep-queued = Laisser partir ce qu’elle a mis en file d’attente
keys-keep-it = La conserver
keys-revoke-confirm = Révoquer la clé
keys-revoking = Révocation…
keys-revoked = « { $label } » a été révoquée. Son prochain appel sera refusé.
keys-revoked-title = « { $label } » a été révoquée
keys-revoked-means = Son prochain appel sera refusé.
keys-cancelled = Annulé : { $work }.
keys-already-sending = Déjà en cours d’envoi, impossible à arrêter : { $work }.
keys-work-posts = { $count ->
        [one] { $count } post
       *[other] { $count } posts
    }
keys-work-mails = { $count ->
        [one] { $count } rapport par e-mail
       *[other] { $count } rapports par e-mail
    }
keys-work-jobs = { $count ->
        [one] { $count } audit ou analyse
       *[other] { $count } audits et analyses
    }
keys-work-approvals = { $count ->
        [one] { $count } approbation
       *[other] { $count } approbations
    }
keys-work-schedules = { $count ->
        [one] { $count } planification
       *[other] { $count } planifications
    }

keys-show-secret = Afficher le secret
keys-belongs-to = Cette clé appartient à { $owner }
keys-belongs-admin = Son secret ne peut être affiché que par { $owner }. En tant qu’administrateur, vous pouvez la révoquer.
keys-belongs-member = Son secret ne peut être affiché que par { $owner }, et elle ne peut être révoquée que par { $owner } ou un administrateur.
keys-fact-state = État
keys-fact-prefix = Préfixe
keys-fact-access = Accès
keys-fact-created-by = Créée par
keys-fact-created = Création
keys-fact-used = Dernière utilisation
keys-fact-used-from = Dernière utilisation depuis
keys-fact-used-by = Dernière utilisation par
keys-fact-networks = Fonctionne seulement depuis
keys-fact-expires = Expiration
keys-fact-revoked = Révocation
keys-fact-secret = Secret
keys-secret-mine = Vous pouvez l’afficher à nouveau
keys-secret-others = Seule la personne qui a créé la clé peut l’afficher à nouveau
keys-secret-never = Ne peut plus être affiché : seule une empreinte est conservée
keys-tools-title = Outils qu’elle peut utiliser
keys-tools-few = Outils qu’elle peut utiliser (sélection)
keys-activity = Dernière activité
keys-activity-not-loaded = Impossible de charger l’activité.
keys-soon-title = Elle expire { $when }
keys-soon-mine = Repoussez son expiration si elle est encore nécessaire. Son secret et ses paramètres restent inchangés.
keys-soon-others = Son expiration ne peut être repoussée que par { $owner }.
keys-idle-title = Elle n’a pas été utilisée depuis le { $date }
keys-idle-means = Révoquez-la si elle n’est plus nécessaire. Une clé oubliée peut être détournée sans que personne le remarque.
keys-pause = Mettre en pause
keys-resume = Réactiver
keys-not-paused = Impossible de mettre « { $label } » en pause.
keys-not-resumed = Impossible de réactiver « { $label } ».
keys-is-paused = « { $label } » est en pause. Son prochain appel sera refusé.
keys-is-resumed = « { $label } » fonctionne à nouveau.
keys-edit = Modifier
keys-new-secret = Nouveau secret…
keys-revoke-ask = Révoquer…

keys-rotate-title = Donner un nouveau secret à « { $label } »
keys-rotate-means = La clé conserve son nom, ses droits et son historique. Saisissez le nouveau secret dans votre assistant pendant que l’ancien fonctionne encore.
keys-grace = L’ancien secret reste valable
keys-grace-hint = Choisissez « Pas du tout » si l’ancien secret est peut-être connu d’autres personnes. L’assistant est alors refusé jusqu’à ce qu’il ait le nouveau.
keys-grace-0 = Pas du tout
keys-grace-3600 = 1 heure
keys-grace-86400 = 1 jour
keys-grace-259200 = 3 jours
keys-grace-604800 = 7 jours
keys-rotate = Créer le nouveau secret
keys-rotating = Création…
keys-not-rotated = La clé conserve son secret.
keys-rotated = « { $label } » a un nouveau secret
keys-rotated-old = L’ancien secret fonctionne jusqu’au { $when }. Changez-le dans l’assistant avant cette date.
keys-rotated-at-once = L’ancien secret est refusé dès maintenant.
keys-rotate-lost = Impossible de savoir si la clé a un nouveau secret
keys-rotate-lost-means = La réponse s’est perdue et la clé ne peut pas être chargée. Vérifiez votre connexion, puis réessayez.
keys-rotate-lost-none = La clé n’a pas de nouveau secret
keys-rotate-lost-none-means = Vous pouvez réessayer sans risque.
keys-rotate-lost-made = La clé a un nouveau secret, mais il n’est pas arrivé
keys-rotate-lost-show = Affichez-le maintenant et saisissez-le dans votre assistant.
keys-rotate-lost-again = Il ne peut plus être affiché. Mettez fin à l’ancien secret et créez-en un autre. L’assistant est refusé jusqu’à ce qu’il ait ce dernier.
keys-finish-and-rotate = Mettre fin à l’ancien et en créer un autre
keys-old-title = L’ancien secret fonctionne jusqu’au { $when }
keys-old-used = Il a été utilisé pour la dernière fois { $when } : un assistant n’est donc pas encore passé au nouveau.
keys-old-unused = Il n’a pas été utilisé depuis la création du nouveau.
keys-finish = Mettre fin à l’ancien secret…
keys-finish-title = Mettre fin à l’ancien secret ?
keys-finish-used = L’ancien secret a été utilisé pour la dernière fois { $when }. Un assistant qui l’utilise encore sera aussitôt refusé.
keys-finish-unused = L’ancien secret n’a pas été utilisé depuis la création du nouveau. Un assistant qui l’utilise encore sera aussitôt refusé.
keys-finish-confirm = Mettre fin à l’ancien secret
keys-finishing = Fin de l’ancien secret…
keys-not-finished = L’ancien secret fonctionne toujours.
keys-finished = L’ancien secret de « { $label } » ne fonctionne plus.

keys-connect = Connecter un assistant
keys-assistant = Votre assistant
keys-choose-assistant = Choisissez votre assistant
keys-system = Système
keys-install-bridge = Installer la passerelle
keys-bridge = Un petit script que votre assistant démarre. Il nécessite Python 3.8 ou une version ultérieure, rien d’autre.
keys-extension = Télécharger l’extension
keys-extension-how = Ouvrez-la avec Claude Desktop et cliquez sur « Install ». La clé vous est demandée. L’adresse doit être { $url }.
keys-or-line = Ou utilisez cette ligne :
keys-install-line = Ligne d’installation
keys-copy-line = Copier la ligne
keys-run-shell = Exécutez-la dans un terminal. La clé vous est demandée : copiez-la et collez-la à cet endroit. Redémarrez ensuite { $client }.
keys-run-powershell = Exécutez-la dans PowerShell. La clé vous est demandée : copiez-la et collez-la à cet endroit. Redémarrez ensuite { $client }.
keys-by-hand = Ou l’ajouter manuellement
keys-checksum = Somme de contrôle SHA-256
keys-checksum-of = Somme de contrôle SHA-256 du fichier { $file }
keys-script = Emplacement d’enregistrement
keys-script-hint = Le chemin complet. Remplacez « you » par le nom de votre propre dossier.
keys-add-to = Ajouter à { $client }
keys-cursor-next = Remplacez ensuite « { $placeholder } » par la clé. Ou faites les deux manuellement :
keys-vscode-next = VS Code demande la clé. Ou ajoutez-la manuellement à un projet :
keys-put-into = Insérez ceci dans { $file }. Si le fichier contient déjà d’autres serveurs, ajoutez seulement la partie « svc ».
keys-run-in-project = Exécutez cette ligne dans le dossier de votre projet :
keys-configuration = Configuration
keys-copy-configuration = Copier la configuration
keys-next-claude-desktop = Quittez ensuite Claude Desktop et redémarrez-le.
keys-next-claude-code = Redémarrez ensuite Claude Code ; /mcp affiche le serveur. Votre shell peut conserver cette ligne, et la clé qu’elle contient, dans son historique.
keys-next-cursor = Activez ensuite « svc » dans les paramètres de Cursor, sous MCP.
keys-next-vscode = Cliquez ensuite sur « Start » au-dessus de l’entrée. VS Code demande la clé une seule fois et la conserve en lieu sûr : collez-la à cet endroit, pas dans le fichier.
keys-next-windsurf = Actualisez ensuite les paramètres MCP de Windsurf.
keys-next-codex = Redémarrez ensuite Codex ; /mcp affiche le serveur.
keys-next-gemini-cli = Redémarrez ensuite Gemini CLI ; /mcp affiche le serveur.
keys-next-zed = Zed relit le fichier de lui-même. Un point vert à côté de « svc » dans ses paramètres d’agent indique que tout fonctionne.

keys-test = Tester la connexion
keys-test-how = Lancez le test, puis votre assistant : il demande ses outils de lui-même, et cette page le détecte.
keys-test-waiting = En attente du premier appel de cette clé…
keys-test-unreachable = Le service est injoignable pour le moment. Nouvelle tentative…
keys-test-stop = Arrêter
keys-test-connected = Connecté
keys-test-used = { $client } a utilisé cette clé { $when }. Vous pouvez fermer cette fenêtre.
keys-test-your-assistant = Votre assistant
keys-test-dead = Aucun appel ne peut aboutir avec elle. Fermez cette fenêtre et créez une nouvelle clé.
keys-test-nothing = Aucun appel en cinq minutes
keys-test-check-path = Le chemin du script est-il correct, et l’entrée est-elle enregistrée ?
keys-test-check-start = Avez-vous redémarré l’assistant après l’enregistrement ?
keys-test-check-script = Exécutez le script avec { $flag } et les mêmes variables : il indique ce qui ne va pas.
keys-test-plan = MCP n’est pas actif avec le forfait de la marque pour le moment : les appels sont refusés.
keys-test-again = Attendre encore
