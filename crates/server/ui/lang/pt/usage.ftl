usage-document-title = Cotas · { $brand }
usage-title = Cotas
usage-lead = O que { $brand } pode usar no plano “{ $plan }” e quanto está em uso agora.
usage-refresh = Atualizar
usage-fresh = Atualizado.
usage-failed = Não foi possível carregar as cotas.
usage-summary = Resumo
usage-enough = Há o suficiente de tudo
usage-near =
    { $count ->
        [one] { $count } cota está quase esgotada
       *[other] { $count } cotas estão quase esgotadas
    }
usage-full =
    { $count ->
        [one] { $count } cota está esgotada
       *[other] { $count } cotas estão esgotadas
    }
usage-full-next = As chamadas que precisam de mais são recusadas até que haja cota livre. Aguarde, remova o que não for mais necessário ou mude para um plano com cotas maiores.
usage-full-next-member = As chamadas que precisam de mais são recusadas até que haja cota livre. Aguarde, remova o que não for mais necessário ou peça a um administrador um plano com cotas maiores.
usage-used-up = Esgotada
usage-of = { $used } de { $limit }
usage-frees = Uma parte fica livre de novo { $when }.
usage-more = Quanto cada chave e ferramenta foi usada, dia a dia: { $link }

usage-group-period = Por dia ou por hora
    .lead = As cotas diárias recomeçam à meia-noite UTC.
usage-group-now = Ao mesmo tempo
    .lead = O que está em execução ou aguardando agora. É liberado à medida que o trabalho termina.
usage-group-stored = Armazenado
    .lead = O que existe agora.
usage-group-other = Outras

usage-posts_per_day = Posts por dia
    .frees = Livre novamente à meia-noite UTC.
usage-report_emails_per_day = E-mails de relatório por dia
    .frees = Livre novamente à meia-noite UTC.
usage-audits_per_day = Auditorias por dia
    .frees = Livre novamente à meia-noite UTC.
usage-analyses_per_day = Análises por dia
    .frees = Livre novamente à meia-noite UTC.
usage-keyword_searches_per_day = Pesquisas de palavras-chave por dia
    .frees = Livre novamente à meia-noite UTC.
usage-connection_tests_per_hour = Testes de conexões por hora
    .frees = Livre novamente na próxima hora cheia.
usage-open_long_jobs = Auditorias e análises não terminadas
    .frees = Livre novamente quando uma delas terminar.
usage-concurrent_waits = Chamadas que aguardam um resultado
    .frees = Livre novamente quando uma delas terminar.
usage-queued_targets = Posts agendados, contados em cada canal
    .frees = Livre novamente quando um post for publicado ou cancelado.
usage-pending_approvals = Chamadas que aguardam aprovação, da chave que tem mais
    .frees = Livre novamente quando uma pessoa decidir sobre uma delas.
usage-keys = Chaves ativas
    .frees = Revogue uma chave para liberar espaço.
usage-schedules = Agendamentos
    .frees = Remova um agendamento para liberar espaço.
usage-drafts = Rascunhos
    .frees = Publique ou exclua um rascunho para liberar espaço.
usage-stored_audits = Auditorias armazenadas
    .frees = Acima do limite, as mais antigas são excluídas.
usage-stored_analyses = Análises armazenadas
    .frees = Acima do limite, as mais antigas são excluídas.
