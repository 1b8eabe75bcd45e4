operator-people-title = Pessoas
operator-people-lead = Os membros de todas as marcas.
operator-people-filters = Buscar pessoas
operator-people-search = Buscar pelo início do ID de usuário ou do e-mail
operator-people-person = Pessoa
operator-people-email = E-mail
operator-people-brands = Marcas
operator-people-empty = Nenhuma pessoa ainda
operator-people-empty-hint = As pessoas são listadas aqui quando o seu aplicativo as adiciona a uma marca.
operator-people-back = Todas as pessoas
operator-people-audit = O que esta pessoa alterou
operator-people-no-brands = Esta pessoa não atua por nenhuma marca
operator-people-no-brands-hint = Ela não é mais membro, ou o ID de usuário não existe.
operator-people-no-keys = Esta pessoa não criou chaves
operator-people-no-keys-hint = As chaves que ela criar são listadas aqui.

operator-people-sessions = Encerrar todas as sessões…
operator-people-sessions-title = Encerrar as sessões desta pessoa em todos os navegadores?
operator-people-sessions-means = As sessões e os links de acesso dela são encerrados imediatamente. A pessoa pode entrar novamente: antes, retire o acesso no seu aplicativo ou no provedor de identidade.
operator-people-sessions-action = Encerrar todas as sessões
operator-people-sessions-failed = As sessões da pessoa não foram encerradas.
operator-people-sessions-done = { $count ->
    [0] Nenhuma sessão estava aberta.
    [one] { $count } sessão foi encerrada.
   *[other] { $count } sessões foram encerradas.
}
operator-people-revoke = Revogar todas as chaves…
operator-people-revoke-title = Revogar todas as chaves desta pessoa?
operator-people-revoke-means = As chaves dela em todas as marcas são recusadas a partir da próxima requisição, e o trabalho que elas têm na fila é cancelado. Não é possível desfazer. A pessoa pode criar novas chaves enquanto for membro.
operator-people-revoke-action = Revogar todas as chaves
operator-people-revoke-failed = Nem todas as chaves foram revogadas.
operator-people-revoked = { $count ->
    [0] Nenhuma chave precisou ser revogada
    [one] { $count } chave foi revogada
   *[other] { $count } chaves foram revogadas
}

operator-people-erase = Eliminar…
operator-people-erase-title = Eliminar esta pessoa?
operator-people-erase-final = Não é possível desfazer
operator-people-erase-order = Os endereços dela são encontrados pelas participações em marcas. Elimine a pessoa antes de remover as participações.
operator-people-erase-means = Imediatamente, ela deixa de ser membro de qualquer marca, as chaves dela são revogadas e o trabalho na fila é cancelado. Depois, o nome e os endereços dela são removidos de todos os lugares, e um pseudônimo aleatório substitui o ID dela no histórico.
operator-people-erase-action = Eliminar pessoa
operator-people-erase-failed = A pessoa não foi eliminada.
