operator-erasures-title = Effacements
operator-erasures-lead = Les attestations des marques et des personnes effacées.
operator-erasures-subject = Objet effacé
operator-erasures-subject-brand = ID de la marque
operator-erasures-subject-user = Pseudonyme dans l’historique
operator-erasures-kind = Type
operator-erasures-kind-brand = Marque
operator-erasures-kind-user = Personne
operator-erasures-rows = Lignes
operator-erasures-by = Demandé par
operator-erasures-requested = Demande
operator-erasures-finished = Fin
operator-erasures-empty = Rien n’a encore été effacé
operator-erasures-empty-hint = Lorsqu’une marque ou une personne est effacée, l’attestation est conservée ici.
operator-erasures-back = Tous les effacements
operator-erasures-receipt = Attestation d’effacement
operator-erasures-not-loaded = Impossible de charger l’attestation.
operator-erasures-running-brand = { $count ->
    [one] Effacement de la marque en cours : { $count } ligne supprimée jusqu’ici
   *[other] Effacement de la marque en cours : { $count } lignes supprimées jusqu’ici
}
operator-erasures-running-user = { $count ->
    [one] Effacement de la personne en cours : { $count } ligne modifiée jusqu’ici
   *[other] Effacement de la personne en cours : { $count } lignes modifiées jusqu’ici
}
operator-erasures-running-next = Une minute après la dernière ligne, toutes les tables sont parcourues à nouveau. Vous pouvez quitter cette page : le travail continue.
operator-erasures-done-brand = { $count ->
    [one] La marque est effacée : { $count } ligne supprimée
   *[other] La marque est effacée : { $count } lignes supprimées
}
operator-erasures-done-user = { $count ->
    [one] La personne est effacée : { $count } ligne modifiée
   *[other] La personne est effacée : { $count } lignes modifiées
}
operator-erasures-done-next-brand = Seule cette attestation mentionne encore la marque. Son ID ne pourra plus être utilisé.
operator-erasures-done-next-user = Cette attestation ne mentionne plus la personne non plus. Conservez son ID si vous devez prouver l’effacement.
