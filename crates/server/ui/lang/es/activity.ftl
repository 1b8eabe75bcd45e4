activity-title = Actividad
activity-calls = Llamadas por día
activity-calls-table = Llamadas por día, en una tabla
activity-period = Período
activity-days = { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
activity-usage-not-loaded = No se pudo cargar el uso.
activity-allowed = Permitidas
activity-refused = Denegadas
activity-failed = Fallidas
activity-allowed-failed = Permitidas, pero fallidas
activity-chart = En { $days ->
        [one] { $days } día
       *[other] { $days } días
    }: { $calls ->
        [one] { $calls } llamada permitida
       *[other] { $calls } llamadas permitidas
    }; denegadas: { $denied }.
activity-day = { $day }: permitidas: { $calls }, denegadas: { $denied }
activity-no-calls = No hay llamadas en este período. Cuando un asistente use una clave, sus llamadas se mostrarán aquí.
activity-as-table = Mostrar como tabla
activity-column-day = Día
activity-column-tool = Herramienta
activity-tools = Herramientas más usadas
activity-no-tools = No se usó ninguna herramienta en este período.
activity-listing = Lista de herramientas
activity-refused-before = Denegadas antes de ejecutar una herramienta
activity-limits = Límite de solicitudes, última hora
activity-limits-what = El máximo de solicitudes que cada clave hizo en un minuto. Por encima del límite, la llamada se deniega y el asistente tiene que esperar un momento.
activity-no-requests = Ninguna clave hizo solicitudes en la última hora. Cada una puede hacer 60 por minuto.
activity-at-limit = En el límite
activity-of-limit = { $most } de { $limit }

activity-recent = Eventos recientes
activity-events = Eventos
activity-filter-event = Evento
activity-filter-result = Resultado
activity-filter-key = Clave
activity-all = Todos
activity-any = Cualquiera
activity-all-keys = Todas las claves
activity-kind-created = Creada
activity-kind-revealed = Secreto mostrado
activity-kind-updated = Cambiada
activity-kind-paused = Pausada
activity-kind-resumed = Reanudada
activity-kind-revoked = Revocada
activity-kind-cancelled = Trabajo cancelado
activity-kind-call = Llamadas
activity-kind-approved = Aprobada
activity-kind-rejected = Rechazada
activity-kind-list = Listas de herramientas
activity-kind-post = Publicaciones
activity-kind-audit = Auditorías
activity-kind-rotated = Rotada
activity-kind-rotation_finished = Secreto anterior anulado
activity-kind-leaked = Filtrada
activity-kind-expiring = Caduca pronto
activity-outcome-ok = Permitido o hecho
activity-outcome-denied = Denegado
activity-outcome-error = Fallido
activity-result-ok = Permitido
activity-result-done = Hecho
activity-result-error = Fallido
activity-result-denied = Denegado
activity-column-what = Qué ocurrió
activity-column-result = Resultado
activity-column-took = Duración
activity-column-when = Cuándo
activity-took = { $duration } ms
activity-nothing = Todavía no ha ocurrido nada.
activity-nothing-fits = Ningún evento coincide con estos filtros.
activity-events-not-loaded = No se pudieron cargar los eventos.
activity-older-not-loaded = No se pudieron cargar los eventos anteriores.
activity-show-older = Mostrar eventos anteriores
activity-left-out = { $count ->
        [one] { $count } llamada permitida más en este tiempo: se contó arriba, pero no aparece en la lista porque hubo demasiadas a la vez.
       *[other] { $count } llamadas permitidas más en este tiempo: se contaron arriba, pero no aparecen en la lista porque hubo demasiadas a la vez.
    }

activity-did-created = { $who ->
        [you] Usted creó { $key }
       *[other] { $person } creó { $key }
    }
activity-did-revealed = { $who ->
        [you] Usted mostró el secreto de { $key }
       *[other] { $person } mostró el secreto de { $key }
    }
activity-did-not-reveal = { $who ->
        [you] Usted intentó mostrar el secreto de { $key }
       *[other] { $person } intentó mostrar el secreto de { $key }
    }
activity-did-updated = { $who ->
        [you] Usted cambió { $key }
       *[other] { $person } cambió { $key }
    }
activity-did-approved = { $who ->
        [you] Usted aprobó una llamada de { $key }: { $tool }
       *[other] { $person } aprobó una llamada de { $key }: { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] Usted aprobó una llamada de { $key }
       *[other] { $person } aprobó una llamada de { $key }
    }
activity-did-rejected = { $who ->
        [you] Usted rechazó una llamada de { $key }: { $tool }
       *[other] { $person } rechazó una llamada de { $key }: { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] Usted rechazó una llamada de { $key }
       *[other] { $person } rechazó una llamada de { $key }
    }
activity-did-paused = { $who ->
        [you] Usted pausó { $key }
       *[other] { $person } pausó { $key }
    }
activity-did-owner-removed = { $who ->
        [you] Usted quitó a la persona que creó { $key }
       *[other] { $person } quitó a la persona que creó { $key }
    }
activity-did-resumed = { $who ->
        [you] Usted reanudó { $key }
       *[other] { $person } reanudó { $key }
    }
activity-did-revoked = { $who ->
        [you] Usted revocó { $key }
       *[other] { $person } revocó { $key }
    }
activity-did-cancelled = { $count ->
        [one] { $count } tarea en cola de { $key } cancelada: { $tool }
       *[other] { $count } tareas en cola de { $key } canceladas: { $tool }
    }
activity-did-cancelled-unknown = { $count ->
        [one] { $count } tarea en cola de { $key } cancelada
       *[other] { $count } tareas en cola de { $key } canceladas
    }
activity-did-update_post = { $who ->
        [you] Usted cambió una publicación de { $key }
       *[other] { $person } cambió una publicación de { $key }
    }
activity-did-publish_post = { $who ->
        [you] Usted publicó una publicación de { $key }
       *[other] { $person } publicó una publicación de { $key }
    }
activity-did-retry_post = { $who ->
        [you] Usted volvió a publicar una publicación de { $key }
       *[other] { $person } volvió a publicar una publicación de { $key }
    }
activity-did-cancel_post = { $who ->
        [you] Usted canceló una publicación de { $key }
       *[other] { $person } canceló una publicación de { $key }
    }
activity-did-withdraw_post = { $who ->
        [you] Usted retiró una publicación de { $key }
       *[other] { $person } retiró una publicación de { $key }
    }
activity-did-delete_post = { $who ->
        [you] Usted eliminó una publicación de { $key }
       *[other] { $person } eliminó una publicación de { $key }
    }
activity-did-audit = { $who ->
        [you] Usted inició una auditoría del sitio web
       *[other] { $person } inició una auditoría del sitio web
    }
activity-did-rotated = { $who ->
        [you] Usted dio un secreto nuevo a { $key }
       *[other] { $person } dio un secreto nuevo a { $key }
    }
activity-did-rotation_finished = { $who ->
        [you] Usted anuló el secreto anterior de { $key }
       *[other] { $person } anuló el secreto anterior de { $key }
    }
activity-did-leaked = Se informó de la filtración de { $key } y se revocó
activity-did-expiring = { $key } caduca pronto
activity-did-list = { $times ->
        [1] { $key } consultó sus herramientas
       *[other] { $key } consultó sus herramientas, { $times } veces en un minuto
    }
activity-did-call = { $times ->
        [1] { $key } llamó a { $tool }
       *[other] { $key } llamó a { $tool }, { $times } veces en un minuto
    }
activity-did-call-unknown = { $times ->
        [1] { $key } llamó a una herramienta
       *[other] { $key } llamó a una herramienta, { $times } veces en un minuto
    }

activity-because-rate_limited = más de 60 solicitudes en un minuto
activity-because-mcp_inactive = MCP no está activo en el plan
activity-because-key_paused = la clave está en pausa
activity-because-address_not_allowed = vino de fuera de las redes de la clave
activity-because-brand_suspended = la marca está suspendida
activity-because-key_revoked = la clave está revocada
activity-because-queued_work_kept = el trabajo en cola continúa
activity-because-owner_removed = la persona que la creó fue quitada de la marca
activity-because-insufficient_scope = la clave no tiene permiso para usar esta herramienta
activity-because-key_owner_removed = la persona que creó la clave ya no es miembro
activity-because-invalid_arguments = los argumentos no eran válidos para la herramienta
activity-because-not_key_creator = solo la persona que creó la clave puede mostrarlo
activity-because-awaiting_approval = espera aprobación
activity-because-approval = cuándo pregunta antes
activity-because-key_not_revealable = el secreto de la clave no se guarda
activity-because-old_secret_ended = el secreto anterior de una clave rotada
activity-because-key_expired = la clave ha caducado
activity-because-unknown_tool = esta herramienta no existe
activity-because-cancelled_by_operator = el operador la canceló
activity-because-jobs_held = se canceló al reanudar las tareas retenidas
activity-because-tool_failed = la herramienta informó de un error
activity-because-unavailable = el servicio no estuvo disponible por un momento
activity-because-internal = un error del servicio
