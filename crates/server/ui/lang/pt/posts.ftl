posts-title = Posts
posts-lead = O que os seus assistentes escreveram: rascunhos, o que está agendado e o que está público.
posts-shape = Mostrar como
posts-shape-calendar = Calendário
posts-shape-list = Lista
posts-calendar = Calendário
posts-list = Todos os posts
posts-empty = Nenhum post ainda
posts-empty-help = Peça a um assistente com acesso de gravação que escreva o rascunho de um post. Ele aparecerá aqui, e você poderá editá-lo, agendá-lo e publicá-lo.
posts-not-loaded = Não foi possível carregar os posts.
posts-failed-count = { $count ->
    [one] { $count } post falhou em um canal
   *[other] { $count } posts falharam em um canal
}
posts-show-failed = Mostrar o motivo

posts-state = { $status ->
    [draft] Rascunho
    [scheduled] Agendado
    [publishing] Em publicação
    [published] Publicado
    [failed] Com falha
    [uncertain] Incerto
    [cancelled] Cancelado
    [withdrawing] Em retirada
   *[withdrawn] Retirado
}
posts-on-some = { $total ->
    [one] em { $count } de { $total } canal
   *[other] em { $count } de { $total } canais
}
posts-no-time = Sem horário

posts-all = Todos
posts-filter = Status
posts-count = { $count ->
    [0] Não há posts.
    [one] { $count } post
   *[other] { $count } posts
}
posts-count-state = { $count ->
    [0] Nenhum post tem este status.
    [one] { $count } post tem este status em um canal.
   *[other] { $count } posts têm este status em um canal.
}
posts-older = Mostrar posts mais antigos
posts-older-not-loaded = Não foi possível carregar os posts mais antigos.
posts-head-post = Post
posts-head-state = Status
posts-head-when = Horário
posts-head-channels = Canais
posts-head-key = Chave

posts-month-before = Mês anterior
posts-month-after = Próximo mês
posts-today = Hoje
posts-month-empty = Nenhum post neste mês.
posts-zone = Os horários estão no seu fuso horário: { $zone }.
posts-move-help = Arraste um post planejado para outro dia ou selecione-o e pressione Shift com uma seta.
posts-written-before = Posts escritos mais de três meses antes de serem publicados aparecem somente na lista.
posts-cut = Há mais posts neste período do que o calendário mostra. A lista contém todos.
posts-more = mais { $count }
posts-more-of-day = { $count ->
    [one] Mostrar mais { $count } post de { $day }
   *[other] Mostrar mais { $count } posts de { $day }
}
posts-moved = Movido para { $at }.
posts-undo = Desfazer
posts-not-moved = O post não foi movido.

posts-open-public = Abrir o post público
posts-planned = Planejado para
posts-person = Chave criada por
posts-created = Criação
posts-version = Versão
posts-version-words = { $changes ->
    [0] { $version }, nunca alterada
    [one] { $version }, alterada uma vez
   *[other] { $version }, alterada { $changes } vezes
}
posts-not-fresh = Isto pode estar desatualizado: não foi possível recarregar o post.
posts-not-yours = Somente { $person } ou um administrador pode alterar este post.
posts-next-attempt = { $attempts ->
    [one] { $attempts } tentativa foi feita. A próxima será { $when }.
   *[other] { $attempts } tentativas foram feitas. A próxima será { $when }.
}
posts-failed-help = Resolva o que está indicado acima e tente novamente. O post não é enviado duas vezes.
posts-failed-ask = A pessoa que criou a chave ou um administrador pode tentar novamente quando isso estiver resolvido.
posts-uncertain-help = Verifique a conta. Se o post não estiver lá, peça ao assistente que o escreva novamente.
posts-publishing-help = O post está sendo publicado. Esta página mostrará o resultado em instantes.
posts-withdrawing-help = O post está sendo retirado. Esta página mostrará o resultado em instantes.
posts-not-withdrawn-help = O post continua público. Tente retirá-lo novamente ou exclua-o manualmente na conta.
posts-changed = O post foi alterado nesse meio-tempo
posts-changed-read = Nada do que você solicitou foi feito. Abaixo está o post como ele é agora. Leia-o e decida novamente.
posts-changed-help = Nada foi salvo, e o que você digitou foi mantido. Isto foi alterado:
posts-changed-by-both = Você também alterou isto. Se salvar, a sua versão substituirá a outra.
posts-nothing-done = Nada foi alterado.
posts-outcome-unknown = Não se sabe se a solicitação chegou. Você pode tentar novamente com segurança.
posts-back = Voltar

posts-edit = Editar…
posts-edit-title = Editar o post
posts-save = Salvar
posts-save-anyway = Salvar minhas alterações
posts-saved = O post foi salvo.
posts-field-text = Texto
posts-field-title = Título
posts-field-link = Link
posts-field-media = Imagens
posts-field-channels = Canais
posts-field-time = Horário
posts-title-hint = Para canais que exibem um título.
posts-time-hint = No seu fuso horário: { $zone }.
posts-time-of-draft = No seu fuso horário: { $zone }. Um rascunho não é publicado automaticamente, nem mesmo neste horário.
posts-channels-of-member = Para adicionar outro canal, peça a um administrador.
posts-picture = Imagem { $number }
posts-picture-address = Endereço da imagem
posts-picture-alt = O que ela mostra
posts-picture-add = Adicionar imagem
posts-picture-remove = Remover
posts-picture-remove-one = Remover imagem { $number }

posts-publish = Publicar…
posts-publish-title = Publicar este post?
posts-publish-help = { $count ->
    [one] Todos poderão lê-lo neste canal: { $channels }.
   *[other] Todos poderão lê-lo nestes canais: { $channels }.
}
posts-publish-when = Quando
posts-publish-now = Agora
posts-publish-later = Em um horário definido
posts-publish-order = Publicar agora
posts-schedule-order = Agendar
posts-publishing = O post está sendo publicado.
posts-scheduled = O post foi agendado.
posts-retry = Tentar novamente
posts-retrying = Nova tentativa em andamento nos canais com falha.

posts-stop = Interromper…
posts-stop-title = Interromper este post?
posts-stop-help = Ele não será publicado em: { $channels }. Um post interrompido não pode ser agendado novamente.
posts-stop-published = Onde já está público, ele permanece. Você pode retirá-lo de lá.
posts-stop-order = Interromper
posts-stopped = O post foi interrompido.
posts-withdraw = Retirar…
posts-withdraw-title = Retirar este post?
posts-withdraw-help = Ele está público nestes canais. Um post retirado não pode ser publicado novamente.
posts-withdraw-from = { $kind ->
    [feed] Ele sai dos feeds imediatamente, e a página dele informa que não existe mais.
    [mastodon] O Mastodon recebe o pedido de excluí-lo. Cópias em outros servidores podem permanecer.
    [bluesky] O Bluesky recebe o pedido de excluí-lo.
    [webhook] O receptor recebe uma mensagem de que o post foi retirado. O que fazer com ela é decisão do receptor.
   *[other] O canal recebe o pedido de retirá-lo. Se não conseguir, o post continua público, e o status informa o motivo.
}
posts-withdraw-order = { $count ->
    [one] Retirar de { $count } canal
   *[other] Retirar de { $count } canais
}
posts-withdrawing = O post está sendo retirado.
posts-delete = Excluir…
posts-delete-title = Excluir este post?
posts-delete-help = Este texto será excluído definitivamente. Não é possível recuperá-lo.
posts-delete-order = Excluir o post
posts-deleted = O post foi excluído.
