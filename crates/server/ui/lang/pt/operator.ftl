operator-title = Operador
operator-page-title = { $title } · Operador
operator-skip = Ir para o conteúdo
operator-view-brands = Marcas
operator-view-people = Pessoas
operator-view-keys = Chaves
operator-view-jobs = Tarefas
operator-view-events = Eventos
operator-view-approvals = Aprovações
operator-view-activity = Atividade
operator-view-audit = Log de auditoria
operator-view-plans = Planos
operator-view-erasures = Eliminações
operator-not-loaded = Não foi possível carregar o console.

operator-signin-none = Entre como operador
operator-signin-out = Você saiu
operator-signin-ended = Sua sessão terminou
operator-signin-ended-why = Para a sua segurança, uma sessão dura apenas algum tempo.
operator-signin-link = Este link não funciona mais
operator-signin-link-why = Um link de acesso funciona uma única vez e apenas por pouco tempo.
operator-signin-about = O console é para as pessoas que operam este serviço. Ele é aberto por um link pessoal ou com um token que tenha a função de operador.
operator-signin-account = O console é para as pessoas que operam este serviço. Entre com uma conta que tenha a função de operador.
operator-signin-again = Abra um novo link para voltar ou cole-o aqui.
operator-signin-continue = Continuar para entrar
operator-signin-how = Como entrar
operator-signin-how-application = Pelo seu aplicativo: abra o console nele. Você chegará aqui com a sessão já iniciada.
operator-signin-how-command = Na máquina do serviço: execute este comando e cole o resultado abaixo: { $command }
operator-signin-paste = Link ou token
operator-signin-submit = Entrar
operator-signin-not-a-link = Isto não é um link de acesso nem um token. Copie-o por inteiro e cole-o novamente.
operator-insecure = Esta página precisa de uma conexão segura
operator-insecure-why = Abra-a com um endereço que comece com https. Sem isso, o acesso não é seguro, porque outras pessoas poderiam ler os dados no caminho.
operator-not-operator = Você não tem a função de operador
operator-not-operator-why = A sua sessão foi iniciada como { $user }. Somente operadores deste serviço podem usar o console. As suas marcas e chaves estão na página de configurações.
operator-not-operator-next = Se você deveria ter a função, peça-a às pessoas que operam este serviço e entre novamente com um link ou token que a tenha.
operator-to-settings = Ir para a página de configurações
operator-signed-in-as = Sessão iniciada como { $user }
operator-signed-in-again = Você entrou novamente.
operator-sign-out = Sair
operator-still-signed-in = A sua sessão continua aberta. { $message }
operator-link-not-used = A sua sessão continua aberta: não foi possível usar o link aberto. { $message }

operator-refresh = Atualizar
operator-load-more = Carregar mais
operator-list-shown = { $count ->
    [one] { $count } entrada.
   *[other] { $count } entradas.
}
operator-list-shown-more = { $count ->
    [one] { $count } entrada exibida. Há mais.
   *[other] { $count } entradas exibidas. Há mais.
}
operator-list-not-loaded = Não foi possível carregar a lista.
operator-list-more-not-loaded = Não foi possível carregar as próximas entradas.
operator-filter-all = Todos
operator-filter-brand = ID da marca
operator-no-match = Nada corresponde a estes filtros
operator-no-match-hint = Os IDs são comparados exatamente, com maiúsculas e minúsculas.
operator-clear-filters = Limpar os filtros
operator-head-brand = Marca
operator-head-status = Status
operator-head-actions = Ações

operator-typed-label = Digite { $typed } para confirmar
operator-typed-wrong = Digite exatamente { $typed } para confirmar.

operator-status-active = Ativa
operator-status-suspended = Suspensa
operator-status-paused = Pausada
operator-status-expired = Expirada
operator-status-revoked = Revogada
operator-status-erasing = Em eliminação
operator-status-done = Concluída
operator-status-waiting = Aguardando
operator-status-running = Em execução
operator-status-failed = Com falha
operator-status-cancelled = Cancelado
operator-status-pending = Pendente
operator-status-delivered = Entregue
operator-status-approved = Aprovada
operator-status-rejected = Rejeitada
operator-status-draft = Rascunho
operator-status-scheduled = Agendado
operator-status-publishing = Em publicação
operator-status-published = Publicado
operator-status-uncertain = Incerto
operator-status-withdrawing = Em retirada
operator-status-withdrawn = Retirado
operator-status-ok = Permitido
operator-status-error = Com falha
operator-status-denied = Recusado

operator-cancelled-nothing = Nenhum trabalho estava na fila.
operator-cancelled-posts = Posts cancelados
operator-cancelled-mails = E-mails cancelados
operator-cancelled-jobs = Auditorias e análises canceladas
operator-cancelled-approvals = Aprovações canceladas
operator-cancelled-schedules = Agendamentos excluídos
operator-sending-posts = Posts já em envio
operator-sending-mails = E-mails já em envio
operator-sending-jobs = Auditorias e análises sendo interrompidas

operator-reason-rate_limited = Mais de 60 requisições em um minuto
operator-reason-mcp_inactive = O MCP não está ativo no plano
operator-reason-key_paused = A chave está pausada
operator-reason-address_not_allowed = Veio de fora das redes da chave
operator-reason-brand_suspended = A marca está suspensa
operator-reason-key_revoked = A chave está revogada
operator-reason-key_expired = A chave expirou
operator-reason-queued_work_kept = O trabalho na fila continua
operator-reason-owner_removed = Quem a criou foi removido da marca
operator-reason-insufficient_scope = A chave não tem permissão para usar esta ferramenta
operator-reason-key_owner_removed = Quem criou a chave não é mais membro
operator-reason-invalid_arguments = Os argumentos não eram adequados à ferramenta
operator-reason-not_key_creator = Somente quem criou a chave pode exibi-lo
operator-reason-awaiting_approval = Aguarda aprovação
operator-reason-key_not_revealable = O segredo da chave não é guardado
operator-reason-old_secret_ended = O segredo antigo de uma chave após a rotação
operator-reason-cancelled_by_operator = Um operador cancelou
operator-reason-jobs_held = Já era tarde demais quando as tarefas foram retomadas
operator-reason-in_14_days = Em 14 dias
operator-reason-in_3_days = Em 3 dias
operator-reason-in_1_day = Em um dia
