operator-jobs-title = Tareas
operator-jobs-lead = El trabajo en segundo plano de todas las marcas, lo más reciente primero.
operator-jobs-filters = Filtrar las tareas
operator-jobs-job = Tarea
operator-jobs-kind = Tipo
operator-jobs-kind-audit = Auditoría
operator-jobs-kind-analysis = Análisis
operator-jobs-kind-publish = Publicar una publicación
operator-jobs-kind-withdraw = Retirar una publicación
operator-jobs-kind-report_email = Informe por correo
operator-jobs-kind-approval_notice = Aviso de aprobaciones
operator-jobs-kind-schedule = Programación
operator-jobs-reason = Motivo
operator-jobs-attempts = Intentos
operator-jobs-when = Hora
operator-jobs-ended = Terminada { $when }
operator-jobs-due = Prevista { $when }
operator-jobs-held-one = Retenida por ahora
operator-jobs-empty = No hay tareas
operator-jobs-empty-hint = Aquí aparecen las publicaciones, auditorías, análisis, correos y programaciones que piden los agentes y las personas.

operator-jobs-retry = Reintentar…
operator-jobs-retry-of = Reintentar la tarea de { $subject }
operator-jobs-retry-title = ¿Reintentar esta tarea?
operator-jobs-retry-means = Se ejecuta de inmediato. Se deniega si aquello en lo que trabaja ya no está fallido o si puede haber salido: nada se envía dos veces.
operator-jobs-retry-action = Reintentar ahora
operator-jobs-retry-done = La tarea se intenta de nuevo.
operator-jobs-cancel = Cancelar…
operator-jobs-cancel-of = Cancelar la tarea de { $subject }
operator-jobs-cancel-title = ¿Cancelar esta tarea?
operator-jobs-cancel-means = También se cancela su publicación, correo, auditoría o análisis. Cancelar la tarea de una programación elimina la programación. No se puede deshacer.
operator-jobs-cancel-action = Cancelar tarea
operator-jobs-cancel-done = La tarea está cancelada.
operator-jobs-change-failed = La tarea no se cambió.

operator-jobs-hold = Retener todas las tareas…
operator-jobs-hold-title = ¿Retener todas las tareas de todas las marcas?
operator-jobs-hold-means = Ninguna instancia comienza otra tarea. Lo que ha comenzado termina por sí solo, y lo que se pida espera.
operator-jobs-hold-undo = Puede reanudar todas las tareas en cualquier momento. El trabajo que entonces lleve más de 24 horas de retraso se cancela.
operator-jobs-hold-action = Retener todas las tareas
operator-jobs-hold-failed = Las tareas no se han retenido.
operator-jobs-hold-done = { $count ->
    [0] Todas las tareas están retenidas. No había ninguna tarea en curso.
    [one] Todas las tareas están retenidas. Una tarea había comenzado y termina por sí sola.
   *[other] Todas las tareas están retenidas. { $count } tareas habían comenzado y terminan por sí solas.
}
operator-jobs-held = Todas las tareas están retenidas
operator-jobs-held-operator = Un operador las retiene desde el { $since }. No se publica, envía ni audita nada hasta que se reanuden.
operator-jobs-held-restore = La base de datos se restauró a partir de una copia de seguridad, así que todas las tareas están retenidas desde el { $since }. No se publica, envía ni audita nada hasta que se reanuden.
operator-jobs-held-backup = La copia de seguridad se hizo el { $at }.
operator-jobs-resume = Reanudar todas las tareas…
operator-jobs-resume-title = ¿Reanudar todas las tareas?
operator-jobs-resume-means = Las tareas de todas las marcas vuelven a ejecutarse. Las que estaban previstas hace más de 24 horas se cancelan.
operator-jobs-resume-cancel = Cancelar también todo lo previsto antes de que comenzara la retención
operator-jobs-resume-cancel-hint = Después de una restauración, es posible que ese trabajo ya haya salido.
operator-jobs-resume-action = Reanudar todas las tareas
operator-jobs-resume-failed = Las tareas siguen retenidas.
operator-jobs-resume-done = { $count ->
    [0] Todas las tareas vuelven a ejecutarse. Ninguna tarea llegaba demasiado tarde.
    [one] Todas las tareas vuelven a ejecutarse. Una tarea llegaba demasiado tarde y se ha cancelado.
   *[other] Todas las tareas vuelven a ejecutarse. { $count } tareas llegaban demasiado tarde y se han cancelado.
}
