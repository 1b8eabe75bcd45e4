activity-title = Atividade
activity-calls = Chamadas por dia
activity-calls-table = Chamadas por dia, em tabela
activity-period = Período
activity-days = { $count ->
        [one] { $count } dia
       *[other] { $count } dias
    }
activity-usage-not-loaded = Não foi possível carregar o uso.
activity-allowed = Permitidas
activity-refused = Recusadas
activity-failed = Com falha
activity-allowed-failed = Permitidas, mas com falha
activity-chart = { $calls ->
        [one] { $calls } chamada permitida
       *[other] { $calls } chamadas permitidas
    }, { $denied ->
        [one] { $denied } recusada
       *[other] { $denied } recusadas
    } em { $days ->
        [one] { $days } dia
       *[other] { $days } dias
    }.
activity-day = { $day }: permitidas: { $calls }, recusadas: { $denied }
activity-no-calls = Nenhuma chamada neste período. Quando um assistente usar uma chave, as chamadas aparecerão aqui.
activity-as-table = Mostrar em tabela
activity-column-day = Dia
activity-column-tool = Ferramenta
activity-tools = Ferramentas mais usadas
activity-no-tools = Nenhuma ferramenta foi usada neste período.
activity-listing = Listagem das ferramentas
activity-refused-before = Recusada antes de executar uma ferramenta
activity-limits = Limite de requisições, última hora
activity-limits-what = O maior número de requisições que cada chave fez em um minuto. Acima do limite, a chamada é recusada e o assistente precisa aguardar um momento.
activity-no-requests = Nenhuma chave fez requisições na última hora. Cada uma pode fazer 60 por minuto.
activity-at-limit = No limite
activity-of-limit = { $most } de { $limit }

activity-recent = Eventos recentes
activity-events = Eventos
activity-filter-event = Evento
activity-filter-result = Resultado
activity-filter-key = Chave
activity-all = Todos
activity-any = Qualquer
activity-all-keys = Todas as chaves
activity-kind-created = Criação
activity-kind-revealed = Segredo exibido
activity-kind-updated = Alteração
activity-kind-paused = Pausa
activity-kind-resumed = Reativação
activity-kind-revoked = Revogação
activity-kind-cancelled = Trabalho cancelado
activity-kind-call = Chamadas
activity-kind-approved = Aprovação
activity-kind-rejected = Rejeição
activity-kind-list = Listas de ferramentas
activity-kind-post = Posts
activity-kind-audit = Auditorias
activity-kind-rotated = Rotação
activity-kind-rotation_finished = Segredo antigo encerrado
activity-kind-leaked = Vazamento
activity-kind-expiring = Expira em breve
activity-outcome-ok = Permitido ou concluído
activity-outcome-denied = Recusado
activity-outcome-error = Com falha
activity-result-ok = Permitido
activity-result-done = Concluído
activity-result-error = Com falha
activity-result-denied = Recusado
activity-column-what = O que aconteceu
activity-column-result = Resultado
activity-column-took = Duração
activity-column-when = Quando
activity-took = { $duration } ms
activity-nothing = Nada aconteceu ainda.
activity-nothing-fits = Nenhum evento corresponde a estes filtros.
activity-events-not-loaded = Não foi possível carregar os eventos.
activity-older-not-loaded = Não foi possível carregar os eventos mais antigos.
activity-show-older = Mostrar eventos mais antigos
activity-left-out = { $count ->
        [one] Mais { $count } chamada permitida neste intervalo: contada acima, mas não listada, porque houve chamadas demais ao mesmo tempo.
       *[other] Mais { $count } chamadas permitidas neste intervalo: contadas acima, mas não listadas, porque houve chamadas demais ao mesmo tempo.
    }

activity-did-created = { $who ->
        [you] Você criou { $key }
       *[other] { $person } criou { $key }
    }
activity-did-revealed = { $who ->
        [you] Você exibiu o segredo de { $key }
       *[other] { $person } exibiu o segredo de { $key }
    }
activity-did-not-reveal = { $who ->
        [you] Você tentou exibir o segredo de { $key }
       *[other] { $person } tentou exibir o segredo de { $key }
    }
activity-did-updated = { $who ->
        [you] Você alterou { $key }
       *[other] { $person } alterou { $key }
    }
activity-did-approved = { $who ->
        [you] Você aprovou uma chamada de { $key }: { $tool }
       *[other] { $person } aprovou uma chamada de { $key }: { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] Você aprovou uma chamada de { $key }
       *[other] { $person } aprovou uma chamada de { $key }
    }
activity-did-rejected = { $who ->
        [you] Você rejeitou uma chamada de { $key }: { $tool }
       *[other] { $person } rejeitou uma chamada de { $key }: { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] Você rejeitou uma chamada de { $key }
       *[other] { $person } rejeitou uma chamada de { $key }
    }
activity-did-paused = { $who ->
        [you] Você pausou { $key }
       *[other] { $person } pausou { $key }
    }
activity-did-owner-removed = { $who ->
        [you] Você removeu quem criou { $key }
       *[other] { $person } removeu quem criou { $key }
    }
activity-did-resumed = { $who ->
        [you] Você reativou { $key }
       *[other] { $person } reativou { $key }
    }
activity-did-revoked = { $who ->
        [you] Você revogou { $key }
       *[other] { $person } revogou { $key }
    }
activity-did-cancelled = { $count ->
        [one] { $count } tarefa na fila de { $key } cancelada: { $tool }
       *[other] { $count } tarefas na fila de { $key } canceladas: { $tool }
    }
activity-did-cancelled-unknown = { $count ->
        [one] { $count } tarefa na fila de { $key } cancelada
       *[other] { $count } tarefas na fila de { $key } canceladas
    }
activity-did-update_post = { $who ->
        [you] Você alterou um post de { $key }
       *[other] { $person } alterou um post de { $key }
    }
activity-did-publish_post = { $who ->
        [you] Você publicou um post de { $key }
       *[other] { $person } publicou um post de { $key }
    }
activity-did-retry_post = { $who ->
        [you] Você publicou novamente um post de { $key }
       *[other] { $person } publicou novamente um post de { $key }
    }
activity-did-cancel_post = { $who ->
        [you] Você cancelou um post de { $key }
       *[other] { $person } cancelou um post de { $key }
    }
activity-did-withdraw_post = { $who ->
        [you] Você retirou um post de { $key }
       *[other] { $person } retirou um post de { $key }
    }
activity-did-delete_post = { $who ->
        [you] Você excluiu um post de { $key }
       *[other] { $person } excluiu um post de { $key }
    }
activity-did-audit = { $who ->
        [you] Você iniciou uma auditoria do site
       *[other] { $person } iniciou uma auditoria do site
    }
activity-did-rotated = { $who ->
        [you] Você deu um novo segredo a { $key }
       *[other] { $person } deu um novo segredo a { $key }
    }
activity-did-rotation_finished = { $who ->
        [you] Você encerrou o segredo antigo de { $key }
       *[other] { $person } encerrou o segredo antigo de { $key }
    }
activity-did-leaked = O vazamento de { $key } foi informado, e a chave foi revogada
activity-did-expiring = { $key } expira em breve
activity-did-list = { $times ->
        [1] { $key } listou as ferramentas
       *[other] { $key } listou as ferramentas, { $times } vezes em um minuto
    }
activity-did-call = { $times ->
        [1] { $key } chamou { $tool }
       *[other] { $key } chamou { $tool }, { $times } vezes em um minuto
    }
activity-did-call-unknown = { $times ->
        [1] { $key } chamou uma ferramenta
       *[other] { $key } chamou uma ferramenta, { $times } vezes em um minuto
    }

activity-because-rate_limited = mais de 60 requisições em um minuto
activity-because-mcp_inactive = o MCP não está ativo no plano
activity-because-key_paused = a chave está pausada
activity-because-address_not_allowed = veio de fora das redes da chave
activity-because-brand_suspended = a marca está suspensa
activity-because-key_revoked = a chave está revogada
activity-because-queued_work_kept = o trabalho na fila continua
activity-because-owner_removed = quem a criou foi removido da marca
activity-because-insufficient_scope = a chave não tem permissão para usar esta ferramenta
activity-because-key_owner_removed = quem criou a chave não é mais membro
activity-because-invalid_arguments = os argumentos não eram adequados à ferramenta
activity-because-not_key_creator = somente quem criou a chave pode exibi-lo
activity-because-awaiting_approval = aguarda aprovação
activity-because-approval = quando pede aprovação antes
activity-because-key_not_revealable = o segredo da chave não é guardado
activity-because-old_secret_ended = o segredo antigo de uma chave após a rotação
activity-because-key_expired = a chave expirou
activity-because-unknown_tool = esta ferramenta não existe
activity-because-cancelled_by_operator = o operador cancelou
activity-because-jobs_held = foi cancelado quando as tarefas retidas continuaram
activity-because-tool_failed = a ferramenta informou um erro
activity-because-unavailable = o serviço ficou indisponível por um momento
activity-because-internal = um erro do serviço
