site-document-title = Site · { $brand }
site-title = Site
site-lead = Como o site de { $brand } funciona para visitantes e mecanismos de busca e o que corrigir primeiro.
site-run = Executar auditoria agora
site-running = Uma auditoria está em execução
site-queued = Uma auditoria aguarda a sua vez
site-started = A auditoria foi iniciada.
site-not-started = Não foi possível iniciar a auditoria.
site-failed = Não foi possível carregar as auditorias.
site-done = A auditoria foi concluída. A pontuação é { $score }.
site-ended =
    { $status ->
        [cancelled] A auditoria foi cancelada.
       *[other] A auditoria falhou.
    }
site-empty = Nenhuma auditoria ainda
site-empty-next = Uma auditoria lê as páginas do site, encontra o que está quebrado ou faltando e informa o que corrigir primeiro. Execute uma agora ou deixe que ela se repita toda semana.
site-progress = Progresso da auditoria
site-stage-none = Começa em instantes.
site-stage-pages =
    { $visited ->
        [one] { $visited } página lida; outras conhecidas: { $waiting }.
       *[other] { $visited } páginas lidas; outras conhecidas: { $waiting }.
    }
site-stage-other_links = Todas as páginas foram lidas. Links para outros sites e imagens estão sendo verificados.

site-score = Pontuação
site-score-of = Em uma escala de 0 a 100. 100 significa que nenhuma página tem erros.
site-score-words =
    { $count ->
        [one] A pontuação de { $count } auditoria: { $last }.
       *[other] As pontuações de { $count } auditorias, de { $first } na mais antiga a { $last } na mais recente.
    }
site-score-table = Pontuações das auditorias
site-as-table = Mostrar em tabela
site-point = { $when }: { $score }
site-better =
    { $points ->
        [one] { $points } ponto a mais que na auditoria anterior
       *[other] { $points } pontos a mais que na auditoria anterior
    }
site-worse =
    { $points ->
        [one] { $points } ponto a menos que na auditoria anterior
       *[other] { $points } pontos a menos que na auditoria anterior
    }
site-same = Igual à da auditoria anterior
site-pages = Páginas
site-errors = Erros
site-warnings = Avisos

site-fixes = O que corrigir
site-fixes-newest = Da auditoria mais recente, { $when }. O mais importante vem primeiro.
site-fixes-older = De uma auditoria mais antiga, { $when }.
site-fixes-show-newest = Mostrar a mais recente
site-fixes-failed = Não foi possível carregar o que corrigir.
site-fixes-all = Mostrar todas as { $count } causas
site-fixes-cover = Estas causas abrangem { $covered } de { $found } problemas. Os outros são menos importantes.
site-no-fixes = Nada a corrigir foi encontrado
site-partial = Esta auditoria não leu o site inteiro
site-partial-next =
    { $count ->
        [0] A pontuação se refere somente às páginas lidas.
        [one] { $count } página conhecida não foi lida. A pontuação se refere somente às páginas lidas.
       *[other] { $count } páginas conhecidas não foram lidas. A pontuação se refere somente às páginas lidas.
    }
site-partial-short = Parte do site
site-severity-error = Erro
site-severity-warning = Aviso
site-severity-notice = Observação
site-gain =
    { $points ->
        [one] A pontuação sobe { $points } ponto
       *[other] A pontuação sobe { $points } pontos
    }
site-fix-issues =
    { $count ->
        [one] Encontrado { $count } vez.
       *[other] Encontrado { $count } vezes.
    }
site-fix-pages =
    { $count ->
        [one] { $count } página é afetada.
       *[other] { $count } páginas são afetadas.
    }
site-fix-show =
    { $count ->
        [one] Mostrar o que leva a ela
       *[other] Mostrar todas
    }
site-fix-more =
    { $count ->
        [one] Mais { $count } página não está listada.
       *[other] Mais { $count } páginas não estão listadas.
    }
site-fix-linked-from = Estas levam a ela:

site-audits = Últimas auditorias
site-when = Quando
site-state = Status
site-found = Encontrado
site-by = Iniciada por
site-by-schedule = Um agendamento
site-counts = Páginas: { $pages }, erros: { $errors }, avisos: { $warnings }
site-status-queued = Aguardando
site-status-running = Em execução
site-status-done = Concluída
site-status-failed = Com falha
site-status-cancelled = Cancelada
site-show = Mostrar
    .label = Mostrar o que corrigir da auditoria de { $when }
site-shown = Exibida
site-older = Mostrar auditorias mais antigas

site-schedules = Agendamentos
site-schedules-lead = Auditorias e relatórios que se repetem automaticamente.
site-schedules-failed = Não foi possível carregar os agendamentos.
site-schedules-none = Nada se repete ainda. Adicione um agendamento para auditar o site ou enviar um relatório por e-mail toda semana ou todo mês.
site-schedules-none-member = Nada se repete ainda. Os administradores podem adicionar um agendamento.
site-schedule-add = Adicionar agendamento
site-schedule-add-title = Adicionar um agendamento
site-schedule-save = Adicionar
site-schedule-kind = O que se repete
site-schedule-audit = Auditoria do site
    .hint = Lê o site inteiro, no máximo 1.000 páginas.
site-schedule-report = Relatório por e-mail
    .hint = Abrange a semana ou o mês anterior, para todos os destinatários que confirmaram.
site-schedule-every = Frequência
site-every-week = Toda semana
site-every-month = Todo mês
site-schedule-weekday = Dia da semana
site-schedule-day = Dia do mês
    .hint = Em um mês com menos dias, ocorre no último dia.
site-schedule-at = Horário
    .hint = No fuso horário da marca: { $zone }
site-monday = Segunda-feira
site-tuesday = Terça-feira
site-wednesday = Quarta-feira
site-thursday = Quinta-feira
site-friday = Sexta-feira
site-saturday = Sábado
site-sunday = Domingo
site-schedule-week =
    { $weekday ->
        [monday] Toda segunda-feira às { $at } ({ $zone })
        [tuesday] Toda terça-feira às { $at } ({ $zone })
        [wednesday] Toda quarta-feira às { $at } ({ $zone })
        [thursday] Toda quinta-feira às { $at } ({ $zone })
        [friday] Toda sexta-feira às { $at } ({ $zone })
        [saturday] Todo sábado às { $at } ({ $zone })
       *[sunday] Todo domingo às { $at } ({ $zone })
    }
site-schedule-month = Todo mês no dia { $day } às { $at } ({ $zone })
site-schedule-name = { $kind }: { $when }
site-schedule-next = Próxima execução: { $at }
site-schedule-last = Última execução: { $when }
site-schedule-failure = A última execução não iniciou nada: { $reason }
site-schedule-key = Criado com a chave { $key }. Termina quando a chave for revogada.
site-schedule-notes = Atenção
site-schedule-added = O agendamento foi adicionado.
site-schedule-known = Já existia um agendamento igual.
site-schedule-not-added = Não foi possível adicionar o agendamento.
site-schedule-remove = Remover agendamento
site-schedule-remove-of = Remover: { $name }
site-schedule-remove-title = Remover este agendamento?
site-schedule-removed = O agendamento foi removido.
site-schedule-not-removed = Não foi possível remover o agendamento.
site-schedule-loses-audit = A auditoria de { $at } e todas as posteriores não serão executadas. Uma auditoria em execução continua, e as auditorias passadas são mantidas.
site-schedule-loses-report = O relatório de { $at } e todos os posteriores não serão enviados. Os e-mails que já aguardam ainda serão enviados.
