operator-jobs-title = Tarefas
operator-jobs-lead = O trabalho em segundo plano de todas as marcas, do mais recente ao mais antigo.
operator-jobs-filters = Filtrar as tarefas
operator-jobs-job = Tarefa
operator-jobs-kind = Tipo
operator-jobs-kind-audit = Auditoria
operator-jobs-kind-analysis = Análise
operator-jobs-kind-publish = Publicar um post
operator-jobs-kind-withdraw = Retirar um post
operator-jobs-kind-report_email = E-mail de relatório
operator-jobs-kind-approval_notice = Aviso de aprovações
operator-jobs-kind-schedule = Agendamento
operator-jobs-reason = Motivo
operator-jobs-attempts = Tentativas
operator-jobs-when = Horário
operator-jobs-ended = Terminada { $when }
operator-jobs-due = Prevista { $when }
operator-jobs-held-one = Retida por enquanto
operator-jobs-empty = Nenhuma tarefa
operator-jobs-empty-hint = Posts, auditorias, análises, e-mails e agendamentos solicitados por agentes e pessoas são listados aqui.

operator-jobs-retry = Tentar novamente…
operator-jobs-retry-of = Tentar novamente a tarefa para { $subject }
operator-jobs-retry-title = Tentar esta tarefa novamente?
operator-jobs-retry-means = Ela passa a ser prevista para agora. É recusada se aquilo em que trabalha não estiver mais com falha ou se já puder ter sido enviado: nada é enviado duas vezes.
operator-jobs-retry-action = Tentar novamente agora
operator-jobs-retry-done = A tarefa será tentada novamente.
operator-jobs-cancel = Cancelar…
operator-jobs-cancel-of = Cancelar a tarefa para { $subject }
operator-jobs-cancel-title = Cancelar esta tarefa?
operator-jobs-cancel-means = O post, o e-mail, a auditoria ou a análise da tarefa também é cancelado. Cancelar a tarefa de um agendamento exclui o agendamento. Não é possível desfazer.
operator-jobs-cancel-action = Cancelar tarefa
operator-jobs-cancel-done = A tarefa foi cancelada.
operator-jobs-change-failed = A tarefa não foi alterada.

operator-jobs-hold = Reter todas as tarefas…
operator-jobs-hold-title = Reter todas as tarefas de todas as marcas?
operator-jobs-hold-means = Nenhuma instância inicia outra tarefa. O que já começou termina normalmente, e o que for solicitado aguarda.
operator-jobs-hold-undo = Você pode retomar todas as tarefas a qualquer momento. O trabalho que então estiver mais de 24 horas atrasado é cancelado.
operator-jobs-hold-action = Reter todas as tarefas
operator-jobs-hold-failed = As tarefas não estão retidas.
operator-jobs-hold-done = { $count ->
    [0] Todas as tarefas estão retidas. Nenhuma tarefa estava em execução.
    [one] Todas as tarefas estão retidas. { $count } tarefa já havia começado e terminará normalmente.
   *[other] Todas as tarefas estão retidas. { $count } tarefas já haviam começado e terminarão normalmente.
}
operator-jobs-held = Todas as tarefas estão retidas
operator-jobs-held-operator = Um operador as mantém retidas desde { $since }. Nada é publicado, enviado ou auditado até que sejam retomadas.
operator-jobs-held-restore = O banco de dados foi restaurado de um backup, por isso todas as tarefas estão retidas desde { $since }. Nada é publicado, enviado ou auditado até que sejam retomadas.
operator-jobs-held-backup = O backup foi feito em { $at }.
operator-jobs-resume = Retomar todas as tarefas…
operator-jobs-resume-title = Retomar todas as tarefas?
operator-jobs-resume-means = As tarefas de todas as marcas voltam a ser executadas. As que estavam previstas para mais de 24 horas atrás são canceladas.
operator-jobs-resume-cancel = Cancelar também tudo o que estava previsto para antes do início da retenção
operator-jobs-resume-cancel-hint = Após uma restauração, esse trabalho pode já ter sido enviado.
operator-jobs-resume-action = Retomar todas as tarefas
operator-jobs-resume-failed = As tarefas continuam retidas.
operator-jobs-resume-done = { $count ->
    [0] Todas as tarefas voltaram a ser executadas. Nenhuma tarefa estava atrasada demais.
    [one] Todas as tarefas voltaram a ser executadas. { $count } tarefa estava atrasada demais e foi cancelada.
   *[other] Todas as tarefas voltaram a ser executadas. { $count } tarefas estavam atrasadas demais e foram canceladas.
}
