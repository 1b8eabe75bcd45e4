approvals-title = Aprobaciones
approvals-lead = { $count ->
    [0] Un asistente cuya clave pregunta antes espera aquí a una persona.
    [one] { $count } acción espera una decisión. Nada de esto ha ocurrido todavía.
   *[other] { $count } acciones esperan una decisión. Nada de esto ha ocurrido todavía.
}

approvals-waiting = En espera de aprobación
approvals-nothing-waits = Nada espera aprobación
approvals-nothing-waits-help = Cuando un asistente quiera hacer algo que necesite su decisión, aparecerá aquí por sí solo.
approvals-behind = No se pudo actualizar la lista. Se volverá a intentar en unos segundos.
approvals-asked-by = { $title }, solicitada por { $label }
approvals-times = Solicitada { $requested }, caduca { $expires }
approvals-open = Leer y decidir
    .aria-label = Leer y decidir: { $title }, solicitada por { $label }
approvals-open-only = Leer
    .aria-label = Leer: { $title }, solicitada por { $label }
approvals-older = Mostrar acciones anteriores
approvals-older-not-loaded = No se pudieron cargar las acciones anteriores.
approvals-shortcuts = Usar atajos de teclado
approvals-shortcuts-help = J y K, o las teclas de flecha en la lista, cambian de acción. Intro abre una. Con una acción abierta, A aprueba y R rechaza.

approvals-not-loaded = No se pudo cargar.
approvals-key = Clave
approvals-person = Clave creada por
approvals-requested = Solicitada
approvals-expires = Caduca
approvals-when = Cuándo
approvals-notes = Notas
approvals-stays-draft = Todavía no: queda como borrador
approvals-at-once = En cuanto se apruebe
approvals-target = { $status ->
    [draft] { $channel } (después, borrador)
    [scheduled] { $channel } (después, programada)
    [publishing] { $channel } (después, publicada)
    [published] { $channel } (después, publicada)
    [withdrawing] { $channel } (después, retirada)
    [withdrawn] { $channel } (después, retirada)
    [cancelled] { $channel } (después, cancelada)
    [failed] { $channel } (ha fallado)
   *[other] { $channel }
}
approvals-show-arguments = Mostrar lo que envió el asistente
approvals-arguments = Argumentos
approvals-none = Ninguno
approvals-argument-text = Texto
approvals-argument-title = Título
approvals-argument-link = Enlace
approvals-argument-media = Multimedia
approvals-argument-channels = Canales
approvals-argument-mode = Modo
approvals-mode = { $mode ->
    [draft] Conservar como borrador
    [schedule] Publicar a su hora
   *[now] Publicar ahora
}
approvals-argument-scheduled-at = Hora
approvals-argument-post-id = Publicación
approvals-argument-subject = Asunto
approvals-argument-recipients = Destinatarios
approvals-only-admins = Solo un administrador puede decidir.
approvals-only-creator = Solo { $person } o un administrador puede decidir.
approvals-would-fail = Ahora fallaría
approvals-would-fail-help = Vuelva a comprobar cuando esto se haya resuelto o rechácela.
approvals-changed = Ha cambiado desde que la consultó
approvals-changed-help = No se hizo nada. Abajo se muestra lo que haría ahora. Léalo y vuelva a decidir.

approvals-approve = Aprobar
approvals-approve-changed = Aprobar con cambios
approvals-edit = Editar…
approvals-edit-title = Editar: { $title }
approvals-reject = Rechazar…
approvals-reject-now = Rechazar
approvals-reject-title = Rechazar: { $title }
approvals-look-again = Comprobar de nuevo
approvals-back = Atrás
approvals-note = Nota (opcional)
approvals-note-hint = El asistente la lee si usted aprueba.
approvals-reason = Motivo
approvals-reason-hint = El asistente lo lee. Indique qué debería ser distinto.
approvals-reason-missing = Escriba un motivo para que el asistente pueda mejorar.
approvals-changes = Sus cambios
approvals-no-changes = Todavía no se ha cambiado nada.
approvals-with-changes = { $count ->
    [one] Ha cambiado { $count } argumento
   *[other] Ha cambiado { $count } argumentos
}
approvals-with-changes-help = La vista previa muestra lo que pidió el asistente. Si aprueba, se ejecuta con sus cambios.
approvals-your-zone = En su zona horaria: { $zone }.
approvals-json = En JSON.
approvals-not-json = No se decidió nada: un valor no es JSON válido.
approvals-approved = «{ $title }» se aprobó y se ha ejecutado.
approvals-rejected = «{ $title }» se rechazó. El asistente lee su motivo.
approvals-not-decided = No se decidió nada.
approvals-outcome-unknown = No se sabe si su decisión llegó. Puede intentarlo de nuevo sin riesgo.

approvals-decided = Decididas
approvals-decided-not-loaded = No se pudo cargar lo que se decidió.
approvals-none-decided = Todavía no se ha decidido nada.
approvals-none-fits = Nada tiene este resultado.
approvals-older-decided = Mostrar decisiones anteriores
approvals-filter = Resultado
approvals-status-all = Todas
approvals-status = { $status ->
    [done] Aprobada
    [approved] Aprobada
    [failed] Fallida
    [rejected] Rechazada
    [expired] Caducada
    [cancelled] Cancelada
   *[other] En espera
}
approvals-head-what = Acción
approvals-head-result = Resultado
approvals-head-by = Por
approvals-head-at = Cuándo
approvals-end = { $status ->
    [done] { $who ->
        [me] Usted la aprobó y se ha ejecutado
       *[other] { $person } la aprobó y se ha ejecutado
    }
    [failed] { $who ->
        [me] Usted la aprobó, pero falló
       *[other] { $person } la aprobó, pero falló
    }
    [rejected] { $who ->
        [me] Usted la rechazó, así que no se ejecutó
       *[other] { $person } la rechazó, así que no se ejecutó
    }
    [cancelled] { $who ->
        [me] Usted retiró el acceso de la clave, así que no se ejecutó
       *[other] { $person } retiró el acceso de la clave, así que no se ejecutó
    }
   *[expired] Ha caducado, así que no se ejecutó
}
approvals-with-reason = Motivo: { $reason }
approvals-with-note = Nota: { $note }
approvals-changes-made = Qué cambió quien la aprobó

approvals-settings = Cuándo preguntan antes las claves
approvals-settings-help = Una clave que pregunta antes espera hasta que una persona apruebe. Sin una decisión en 72 horas, no ocurre nada.
approvals-emails = Enviarme un correo cuando algo espere mi aprobación
approvals-minimum = Todas las claves preguntan antes
approvals-rule = { $rule ->
    [none] Nunca
    [outward] Antes de que algo salga al exterior
   *[all] Antes de cada cambio
}
approvals-approvers = Quién decide
approvals-approver = { $who ->
    [admins] Solo los administradores
   *[members] La persona que creó la clave y los administradores
}
approvals-saved = Guardado.
approvals-not-saved = Esto no se guardó.
