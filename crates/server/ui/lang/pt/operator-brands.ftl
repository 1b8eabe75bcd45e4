operator-brands-title = Marcas
operator-brands-lead = Tudo o que pertence a um cliente.
operator-brands-filters = Buscar e filtrar as marcas
operator-brands-search = Buscar pelo início do ID ou do nome
operator-brands-plan = Plano
operator-brands-website = Site
operator-brands-empty = Nenhuma marca ainda
operator-brands-empty-hint = O seu aplicativo cria marcas com a API do operador. Elas são listadas aqui.
operator-brands-back = Todas as marcas
operator-brands-not-loaded = Não foi possível carregar esta marca.
operator-brands-facts = Sobre a marca
operator-brands-competitors = Concorrentes
operator-brands-language = Idioma
operator-brands-time-zone = Fuso horário
operator-brands-elsewhere = Desta marca
operator-brands-parts = Partes da marca
operator-brands-part-members = Membros
operator-brands-part-keys = Chaves
operator-brands-part-posts = Posts

operator-brands-person = Pessoa
operator-brands-email = E-mail
operator-brands-role = Função
operator-brands-role-admin = Administrador
operator-brands-role-member = Membro
operator-brands-no-members = Nenhum membro
operator-brands-no-members-hint = Nada pode usar as chaves da marca até que o seu aplicativo adicione um membro.

operator-brands-suspend = Suspender…
operator-brands-resume = Reativar…
operator-brands-revoke = Revogar todas as chaves…
operator-brands-export = Exportar…
operator-brands-erase = Eliminar…

operator-brands-is-suspended = Esta marca está suspensa
operator-brands-suspended-means = Os agentes são recusados, o trabalho na fila fica retido (e é cancelado 24 horas após o seu horário), o feed responde 404 e não é possível criar novas chaves. As pessoas ainda podem entrar e ler.
operator-brands-suspended-at = Desde
operator-brands-suspended-by = Suspensa por
operator-brands-reason = Motivo
operator-brands-reason-hint = Somente operadores o veem.
operator-brands-suspend-title = Suspender esta marca?
operator-brands-suspend-undo = Você pode reativar a marca a qualquer momento.
operator-brands-suspend-action = Suspender marca
operator-brands-suspend-failed = A marca não foi suspensa.
operator-brands-was-suspended = { $name } está suspensa.
operator-brands-resume-title = Reativar esta marca?
operator-brands-resume-means = As chaves dela voltam a funcionar a partir da próxima requisição, o feed volta a ser público e o trabalho retido continua.
operator-brands-resume-action = Reativar marca
operator-brands-resume-failed = A marca não foi reativada.
operator-brands-was-resumed = { $name } está ativa novamente.

operator-brands-revoke-title = Revogar todas as chaves desta marca?
operator-brands-revoke-means = A partir da próxima requisição, todas as chaves da marca são recusadas, e o trabalho que elas têm na fila é cancelado. Não é possível desfazer. Os membros podem criar novas chaves.
operator-brands-revoke-action = Revogar todas as chaves
operator-brands-revoke-failed = Nem todas as chaves foram revogadas.
operator-brands-revoked = { $count ->
    [0] Nenhuma chave precisou ser revogada
    [one] { $count } chave foi revogada
   *[other] { $count } chaves foram revogadas
}

operator-brands-export-title = Exportar todas as linhas desta marca
operator-brands-export-means = O arquivo tem um objeto JSON em cada linha. As chaves são resumos criptográficos e os outros segredos permanecem lacrados, mas ele contém nomes e endereços de pessoas: guarde-o com segurança.
operator-brands-export-exact = Suspenda a marca antes se a cópia precisar ser exata.
operator-brands-export-action = Baixar
operator-brands-export-progress = Lendo… { $size } KiB até agora.
operator-brands-export-done = { $count ->
    [one] { $count } linha foi exportada
   *[other] { $count } linhas foram exportadas
}
operator-brands-export-file = O arquivo { $file } está completo.
operator-brands-export-failed = A exportação não foi salva.
operator-brands-export-lost = A exportação foi interrompida antes do fim. Verifique a sua conexão e tente novamente.

operator-brands-erase-title = Eliminar esta marca?
operator-brands-erase-final = Não é possível desfazer
operator-brands-erase-export = Exporte a marca antes se os dados dela ainda puderem ser necessários.
operator-brands-erase-means = Imediatamente, as chaves dela são recusadas, o trabalho na fila desaparece, o feed responde 404 e os membros deixam de vê-la. Depois, todas as linhas da marca são excluídas: chaves, posts, auditorias, análises, canais, membros e atividade. O ID não pode ser usado novamente.
operator-brands-erase-action = Eliminar marca
operator-brands-erase-failed = A marca não foi eliminada.

operator-brands-post = Post
operator-brands-channels = Canais
operator-brands-post-scheduled = Agendado para
operator-brands-post-created = Criação
operator-brands-post-filters = Filtrar os posts
operator-brands-no-posts = Nenhum post ainda
operator-brands-no-posts-hint = Os posts que agentes e pessoas da marca escrevem são listados aqui.
operator-brands-post-failed = O post não foi alterado.
operator-brands-post-partly = Não foi possível interromper todos os canais
operator-brands-post-cancel = Cancelar…
operator-brands-post-cancel-of = Cancelar { $name }
operator-brands-post-cancel-title = Cancelar este post?
operator-brands-post-cancel-means = O que ainda não foi publicado não será mais publicado. Um rascunho é excluído.
operator-brands-post-cancel-action = Cancelar post
operator-brands-post-cancel-done = O post foi cancelado
operator-brands-post-withdraw = Retirar…
operator-brands-post-withdraw-of = Retirar { $name }
operator-brands-post-withdraw-title = Retirar este post?
operator-brands-post-withdraw-means = O post é retirado de todos os canais em que está público. Um canal que não puder retirá-lo informa isso. Não é possível desfazer.
operator-brands-post-withdraw-action = Retirar post
operator-brands-post-withdraw-done = O post está sendo retirado
operator-brands-post-retry = Tentar novamente…
operator-brands-post-retry-of = Tentar novamente { $name }
operator-brands-post-retry-title = Publicar este post novamente?
operator-brands-post-retry-means = Uma nova tentativa é feita agora nos canais em que ele falhou. Nada é enviado duas vezes.
operator-brands-post-retry-action = Publicar novamente
operator-brands-post-retry-done = O post está sendo publicado novamente
