connections-document-title = Conexões · { $brand }
connections-title = Conexões
connections-lead = Para onde vão os posts de { $brand }, quem recebe os relatórios e quais sistemas são informados do que acontece.
connections-admins-only = Somente administradores veem as conexões
connections-admins-only-next = As conexões contêm credenciais de outros serviços. Fale com uma destas pessoas se algo precisar ser adicionado ou alterado:
connections-admins = Administradores

connections-name = Nome
    .title = De 1 a 64 letras, dígitos, hifens e sublinhados
connections-name-taken = Este nome já está em uso. Escolha outro ou altere a entrada que o usa.
connections-save = Salvar
connections-add = Adicionar
connections-change = Alterar
connections-change-of = Alterar { $name }
connections-remove-of = Remover { $name }
connections-counting = Contando o que ainda falta publicar…
connections-fault = { $field }: { $message }

connections-test = Enviar teste
connections-test-of = Enviar teste para { $name }
connections-test-good = O teste foi bem-sucedido
connections-test-bad = O teste falhou
connections-test-not-run = Não foi possível enviar o teste.
connections-test-status = Status HTTP da resposta: { $status }

connections-secret-keep = Já há um valor definido, e ele não pode ser mostrado. Deixe em branco para mantê-lo ou digite um novo para substituí-lo.
connections-secret-placeholder = Definido
connections-secret-title = Copie o segredo de assinatura agora
connections-secret-once = Com este segredo, o receptor de “{ $name }” verifica se uma mensagem é autêntica. Ele é mostrado somente agora.
connections-secret-use = As mensagens são assinadas conforme Standard Webhooks. Guarde o segredo onde o receptor possa lê-lo e em nenhum outro lugar.
connections-secret-copy = Copiar
    .label = Copiar o segredo de assinatura
connections-secret-copied = Copiado
connections-secret-selected = O segredo está selecionado. Pressione Ctrl+C ou ⌘C para copiá-lo.
connections-secret-done = Concluir
connections-secret-close-anyway = Fechar sem copiar
connections-secret-not-copied = O segredo ainda não foi copiado
connections-secret-not-copied-next = Ele não poderá ser mostrado novamente. Copie-o primeiro ou feche sem copiar.
connections-secret-lost-title = Salvo, sem o segredo
connections-secret-lost = “{ $name }” foi salvo, mas o segredo de assinatura não chegou

connections-channels = Canais
connections-channels-lead = Onde os posts são publicados. Os segredos são armazenados criptografados e nunca mais são mostrados.
connections-channels-failed = Não foi possível carregar os canais.
connections-channel-add = Adicionar canal
connections-channel-add-title = Adicionar um canal
connections-channel-change-title = Alterar o canal
connections-channel-kind = Tipo
connections-channel-name =
    .hint = Os assistentes escolhem o canal por este nome. Não é possível alterá-lo depois.
connections-channel-account = { $account } em { $server }
connections-channel-limits =
    { $media ->
        [one] Textos de até { $text } caracteres, { $media } imagem.
       *[other] Textos de até { $text } caracteres, { $media } imagens.
    }
connections-channel-added = “{ $name }” foi adicionado. Envie um teste para ver se funciona.
connections-channel-changed = “{ $name }” foi alterado.
connections-channel-not-saved = Não foi possível salvar o canal.
connections-channel-secret-lost = A conexão foi interrompida durante o salvamento. Abra “Alterar” e digite um segredo de assinatura próprio.
connections-channel-remove = Remover canal
connections-channel-remove-title = Remover este canal?
connections-channel-removed = “{ $name }” foi removido.
connections-channel-not-removed = Não foi possível remover o canal.
connections-channel-loses-posts =
    { $count ->
        [0] Nenhum post agendado se perde.
        [one] { $count } post agendado para este canal será cancelado nele.
       *[other] { $count } posts agendados para este canal serão cancelados nele.
    }
connections-channel-loses-posts-unknown = Os posts agendados para este canal serão cancelados nele. Não foi possível carregar a quantidade.
connections-channel-loses-secret = O segredo armazenado será excluído. Você precisará dele para adicionar o canal novamente.
connections-channel-keeps = O que foi publicado nele continua público.

connections-kind-feed = Feed
connections-kind-webhook = Webhook
connections-kind-mastodon = Mastodon
connections-kind-bluesky = Bluesky
connections-secret-set-webhook = Segredo de assinatura: definido
connections-secret-set-mastodon = Token de acesso: definido
connections-secret-set-bluesky = Senha de aplicativo: definida

connections-webhook-url = Endereço
    .hint = Cada post é enviado para este endereço http ou https.
connections-webhook-secret = Segredo de assinatura
    .hint = Deixe em branco: um segredo é gerado e mostrado uma única vez. Um segredo próprio consiste em “whsec_” e de 24 a 64 bytes em base64.
connections-mastodon-server = Servidor
    .hint = O endereço https do servidor, como https://mastodon.social
connections-mastodon-access_token = Token de acesso
    .hint = Em Preferências → Desenvolvimento da conta, com os escopos write:statuses e write:media.
connections-mastodon-visibility = Quem vê os posts
    .hint = Conforme os nomes do Mastodon.
connections-mastodon-visibility-public = Todos
connections-mastodon-visibility-unlisted = Todos, mas não nas linhas do tempo públicas
connections-mastodon-visibility-private = Somente seguidores
connections-mastodon-max_characters = Tamanho máximo do post
    .hint = O número de caracteres que o servidor permite. Vazio: 500.
connections-bluesky-identifier = Conta
    .hint = O nome de usuário (handle) ou DID, como northwind.bsky.social
connections-bluesky-app_password = Senha de aplicativo
    .hint = Em Configurações → Privacidade e segurança → Senhas de aplicativos. Não é a senha da conta.
connections-bluesky-server = Servidor
    .hint = Vazio: https://bsky.social
connections-bluesky-langs = Idiomas dos posts
    .hint = No máximo três, como: en, de

connections-recipients = Destinatários de relatórios
connections-recipients-lead = Recebem os relatórios por e-mail depois de confirmar o endereço.
connections-recipients-failed = Não foi possível carregar os destinatários.
connections-recipients-none = Nenhum destinatário ainda. Adicione um endereço: a pessoa recebe um e-mail e o confirma.
connections-recipients-add = Adicionar destinatários
connections-recipients-add-title = Adicionar destinatários de relatórios
connections-recipients-addresses = Endereços de e-mail
    .hint = Separe vários com vírgulas, espaços ou quebras de linha.
connections-recipients-asked = Cada pessoa recebe um e-mail com um link e só recebe relatórios depois de confirmar por ele.
connections-recipients-empty = Digite pelo menos um endereço.
connections-recipients-known = Todos estes endereços já estão na lista.
connections-recipients-wrong =
    { $count ->
        [one] Isto não é um endereço de e-mail: { $addresses }
       *[other] Estes não são endereços de e-mail: { $addresses }
    }
connections-recipients-added =
    { $count ->
        [one] { $count } endereço foi adicionado.
       *[other] { $count } endereços foram adicionados.
    }
connections-recipients-not-added = Nada foi adicionado.
connections-recipients-test =
    .label =
        { $count ->
            [one] Enviar e-mail de teste para { $count } destinatário confirmado
           *[other] Enviar e-mail de teste para { $count } destinatários confirmados
        }
connections-recipient-pending = Ainda não confirmado
    .next = Não recebe relatórios até que a pessoa confirme pelo link do e-mail. Solicitado: { $when }
connections-recipient-confirmed = Confirmado
    .next = Confirmado: { $when }
connections-recipient-suppressed = Inscrição cancelada
    .next = Não recebe relatórios. Somente a própria pessoa pode se inscrever novamente, pelo link do e-mail de confirmação. Inscrição cancelada: { $when }
connections-recipient-remove = Remover destinatário
connections-recipient-remove-title = Remover este destinatário?
connections-recipient-removed = { $email } foi removido.
connections-recipient-not-removed = Não foi possível remover o destinatário.
connections-recipient-loses-pending = A pessoa não recebe relatórios, e o link do e-mail de confirmação deixa de ter efeito.
connections-recipient-loses-confirmed = A pessoa não recebe mais relatórios. Os relatórios já enviados não são afetados.
connections-recipient-loses-suppressed = A pessoa já não recebe relatórios. Se você adicionar o endereço novamente, a inscrição continuará cancelada.

connections-keywords = Listas de palavras-chave
connections-keywords-lead = Exportações de ferramentas de palavras-chave. A pesquisa de palavras-chave usa os números delas.
connections-keywords-failed = Não foi possível carregar as listas de palavras-chave.
connections-keywords-none = Nenhuma lista ainda. Envie uma exportação para ter volumes de busca na pesquisa de palavras-chave.
connections-keywords-how = Um arquivo CSV exportado por Google Keyword Planner, Google Search Console, Ahrefs ou Semrush, com nomes de colunas em inglês. No máximo 5 MiB e 50.000 linhas.
connections-keywords-upload = Enviar arquivo
connections-keywords-uploading = Enviando…
connections-keywords-too-large = O arquivo é maior que 5 MiB. Exporte menos palavras-chave ou menos colunas.
connections-keywords-not-imported = “{ $file }” não foi importado
connections-keywords-imported = “{ $file }” foi reconhecido como uma exportação de { $tool }
connections-keywords-rows =
    { $count ->
        [one] { $count } palavra-chave foi importada.
       *[other] { $count } palavras-chave foram importadas.
    }
connections-keywords-skipped =
    { $count ->
        [one] { $count } linha foi ignorada.
       *[other] { $count } linhas foram ignoradas.
    }
connections-keywords-skipped-why =
    { $count ->
        [one] { $count } linha foi ignorada:
       *[other] { $count } linhas foram ignoradas:
    }
connections-keywords-problem = Linha { $line }: { $message }
connections-keywords-more =
    { $count ->
        [one] Mais { $count } linha tem um problema que não está listado.
       *[other] Mais { $count } linhas têm problemas que não estão listados.
    }
connections-keywords-replaced = O mesmo arquivo já foi importado antes. Esta importação substitui a anterior.
connections-keywords-name = { $tool }, { $at }
connections-keywords-remove = Remover lista
connections-keywords-remove-title = Remover esta lista de palavras-chave?
connections-keywords-removed = A lista “{ $name }” foi removida.
connections-keywords-not-removed = Não foi possível remover a lista.
connections-keywords-loses =
    { $count ->
        [one] { $count } palavra-chave e os números dela serão excluídos. Para tê-los de volta, envie o arquivo novamente.
       *[other] { $count } palavras-chave e os números delas serão excluídos. Para tê-los de volta, envie o arquivo novamente.
    }
connections-tool-keyword_planner = Google Keyword Planner
connections-tool-search_console = Google Search Console
connections-tool-ahrefs = Ahrefs
connections-tool-semrush = Semrush

connections-endpoints = Endpoints de eventos
connections-endpoints-lead = Os seus próprios sistemas recebem uma mensagem assinada quando algo acontece, como uma chave vazada ou um post com falha.
connections-endpoints-failed = Não foi possível carregar os endpoints de eventos.
connections-endpoints-none = Nenhum endpoint ainda. Adicione o endereço de um sistema que deva ser informado do que acontece aqui.
connections-endpoint-add = Adicionar endpoint
connections-endpoint-add-title = Adicionar um endpoint de eventos
connections-endpoint-change-title = Alterar o endpoint de eventos
connections-endpoint-name =
    .hint = Para você distinguir os endpoints. Não é possível alterá-lo depois.
connections-endpoint-url = Endereço
    .hint = O endereço http ou https de um servidor público.
connections-endpoint-events = Quais eventos ele recebe
connections-endpoint-all-types = Todos os eventos
connections-endpoint-some-types = Somente alguns eventos
connections-endpoint-types =
    { $count ->
        [one] { $count } tipo de evento
       *[other] { $count } tipos de eventos
    }
connections-endpoint-no-types = Escolha pelo menos um evento ou todos os eventos.
connections-endpoint-enabled = Recebe eventos
    .hint = Enquanto estiver desativado, nenhum evento é guardado para ele.
connections-endpoint-rotate = Substituir o segredo de assinatura
    .hint = O novo segredo é mostrado uma única vez. O antigo deixa de valer imediatamente.
connections-endpoint-active = Ativo
connections-endpoint-failing = Com falhas
connections-endpoint-stopped = Parado
connections-endpoint-disabled = Desativado
connections-endpoint-failing-since = Todas as tentativas falharam. Primeira falha: { $when }
connections-endpoint-dropped =
    { $count ->
        [one] { $count } evento foi descartado, porque havia eventos demais aguardando.
       *[other] { $count } eventos foram descartados, porque havia eventos demais aguardando.
    }
connections-endpoint-off-title = O serviço desativou este endpoint, porque ele falhou por 3 dias
connections-endpoint-off-reason = O último erro: { $reason }
connections-endpoint-off-next = Corrija o receptor e depois ative o endpoint. Os eventos ocorridos nesse meio-tempo não foram guardados para ele.
connections-endpoint-switch-on = Ativar
connections-endpoint-on = “{ $name }” está ativo novamente.
connections-endpoint-changed = “{ $name }” foi alterado.
connections-endpoint-not-saved = Não foi possível salvar o endpoint.
connections-endpoint-remove = Remover endpoint
connections-endpoint-remove-title = Remover este endpoint de eventos?
connections-endpoint-removed = “{ $name }” foi removido.
connections-endpoint-not-removed = Não foi possível remover o endpoint.
connections-endpoint-loses-events = Nada mais será enviado para { $url }, nem mesmo o que está aguardando.
connections-endpoint-loses-deliveries = A lista de entregas dele será excluída.
connections-endpoint-loses-secret = O segredo de assinatura dele será excluído. Um novo endpoint recebe outro.

connections-events-key = Chaves
connections-events-approval = Aprovações
connections-events-post = Posts
connections-events-work = Auditorias e trabalho em segundo plano
connections-events-brand = Marca e membros
connections-event-key-created = Chave criada
connections-event-key-updated = Chave alterada
connections-event-key-revealed = Segredo de uma chave exibido
connections-event-key-rotated = Chave com novo segredo
connections-event-key-paused = Chave pausada
connections-event-key-resumed = Chave reativada
connections-event-key-revoked = Chave revogada
connections-event-key-expiring = Chave expira em breve
connections-event-key-leaked = Chave vazada
connections-event-approval-requested = Aprovação necessária
connections-event-approval-decided = Aprovação decidida
connections-event-post-published = Post publicado
connections-event-post-failed = Post com falha
connections-event-post-withdrawn = Post retirado
connections-event-job-failed = Falha no trabalho em segundo plano
connections-event-audit-new_errors = Auditoria encontrou novos erros
connections-event-brand-updated = Marca alterada
connections-event-brand-suspended = Marca suspensa
connections-event-brand-resumed = Marca reativada
connections-event-member-added = Membro adicionado
connections-event-member-removed = Membro removido

connections-deliveries = Entregas
connections-deliveries-of = Entregas para { $name }
connections-deliveries-title = Entregas para “{ $name }”
connections-deliveries-lead = O que foi enviado nos últimos 30 dias, do mais recente ao mais antigo. Uma entrega com falha é tentada 8 vezes ao longo de um dia.
connections-deliveries-failed = Não foi possível carregar as entregas.
connections-deliveries-none = Nada foi enviado ainda. Envie um teste ou aguarde o primeiro evento.
connections-deliveries-no-match = Nenhuma entrega tem este status.
connections-deliveries-state = Status
connections-deliveries-refresh = Atualizar
connections-deliveries-fresh = Atualizado.
connections-deliveries-older = Mostrar entregas mais antigas
connections-deliveries-event = Evento
connections-deliveries-result = Resultado
connections-deliveries-when = Quando
connections-delivery-any = Qualquer
connections-delivery-pending = Aguardando
connections-delivery-delivered = Entregue
connections-delivery-failed = Com falha
connections-delivery-answer = Resposta { $status }
connections-delivery-attempts =
    { $count ->
        [one] { $count } tentativa
       *[other] { $count } tentativas
    }
connections-delivery-next = Próxima tentativa: { $when }
connections-delivery-resend = Enviar novamente
    .label = Enviar novamente: { $event }
connections-delivery-resent = O evento está sendo enviado novamente.
connections-delivery-not-resent = Não foi possível enviar novamente.
