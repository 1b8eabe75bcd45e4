site-document-title = Sitio web · { $brand }
site-title = Sitio web
site-lead = Cómo funciona el sitio web de { $brand } para los visitantes y los buscadores, y qué corregir primero.
site-run = Ejecutar una auditoría ahora
site-running = Hay una auditoría en curso
site-queued = Una auditoría espera su turno
site-started = La auditoría ha comenzado.
site-not-started = No se pudo iniciar la auditoría.
site-failed = No se pudieron cargar las auditorías.
site-done = La auditoría ha terminado. La puntuación es { $score }.
site-ended =
    { $status ->
        [cancelled] La auditoría se canceló.
       *[other] La auditoría falló.
    }
site-empty = Todavía no hay auditorías
site-empty-next = Una auditoría lee las páginas del sitio web, encuentra lo que no funciona o falta, e indica qué corregir primero. Ejecute una ahora o haga que se repita cada semana.
site-progress = Progreso de la auditoría
site-stage-none = Comienza en un momento.
site-stage-pages =
    { $visited ->
        [one] Se leyó una página; conocidas y pendientes: { $waiting }.
       *[other] Se leyeron { $visited } páginas; conocidas y pendientes: { $waiting }.
    }
site-stage-other_links = Se leyeron todas las páginas. Ahora se comprueban las imágenes y los enlaces a otros sitios.

site-score = Puntuación
site-score-of = En una escala de 0 a 100. 100 significa que ninguna página tiene errores.
site-score-words =
    { $count ->
        [one] La puntuación de una auditoría: { $last }.
       *[other] Las puntuaciones de { $count } auditorías, desde { $first } en la más antigua hasta { $last } en la más reciente.
    }
site-score-table = Puntuaciones de las auditorías
site-as-table = Mostrar como tabla
site-point = { $when }: { $score }
site-better =
    { $points ->
        [one] Un punto mejor que la auditoría anterior
       *[other] { $points } puntos mejor que la auditoría anterior
    }
site-worse =
    { $points ->
        [one] Un punto peor que la auditoría anterior
       *[other] { $points } puntos peor que la auditoría anterior
    }
site-same = Igual que en la auditoría anterior
site-pages = Páginas
site-errors = Errores
site-warnings = Advertencias

site-fixes = Qué corregir
site-fixes-newest = De la auditoría más reciente, { $when }. Lo más importante aparece primero.
site-fixes-older = De una auditoría anterior, { $when }.
site-fixes-show-newest = Mostrar la más reciente
site-fixes-failed = No se pudo cargar qué corregir.
site-fixes-all = Mostrar las { $count } causas
site-fixes-cover = Estas causas abarcan { $covered } de { $found } problemas. Los demás importan menos.
site-no-fixes = No se encontró nada que corregir
site-partial = Esta auditoría no leyó todo el sitio web
site-partial-next =
    { $count ->
        [0] Su puntuación es solo la de las páginas que se leyeron.
        [one] Una página conocida no se leyó. La puntuación es solo la de las páginas que se leyeron.
       *[other] { $count } páginas conocidas no se leyeron. La puntuación es solo la de las páginas que se leyeron.
    }
site-partial-short = Parte del sitio web
site-severity-error = Error
site-severity-warning = Advertencia
site-severity-notice = Aviso
site-gain =
    { $points ->
        [one] La puntuación sube un punto
       *[other] La puntuación sube { $points } puntos
    }
site-fix-issues =
    { $count ->
        [one] Encontrado una vez.
       *[other] Encontrado { $count } veces.
    }
site-fix-pages =
    { $count ->
        [one] Una página está afectada.
       *[other] { $count } páginas están afectadas.
    }
site-fix-show =
    { $count ->
        [one] Mostrar qué lleva a ella
       *[other] Mostrar todas
    }
site-fix-more =
    { $count ->
        [one] Una página más no aparece en la lista.
       *[other] { $count } páginas más no aparecen en la lista.
    }
site-fix-linked-from = Estas páginas llevan a ella:

site-audits = Últimas auditorías
site-when = Cuándo
site-state = Estado
site-found = Encontrado
site-by = Iniciada por
site-by-schedule = Una programación
site-counts = Páginas: { $pages }, errores: { $errors }, advertencias: { $warnings }
site-status-queued = En espera
site-status-running = En curso
site-status-done = Terminada
site-status-failed = Fallida
site-status-cancelled = Cancelada
site-show = Mostrar
    .label = Mostrar qué corregir de la auditoría del { $when }
site-shown = Mostrada
site-older = Mostrar auditorías anteriores

site-schedules = Programaciones
site-schedules-lead = Auditorías e informes que se repiten por sí solos.
site-schedules-failed = No se pudieron cargar las programaciones.
site-schedules-none = Todavía no se repite nada. Agregue una programación para auditar el sitio web o enviar un informe por correo cada semana o cada mes.
site-schedules-none-member = Todavía no se repite nada. Los administradores pueden agregar una programación.
site-schedule-add = Agregar programación
site-schedule-add-title = Agregar una programación
site-schedule-save = Agregar
site-schedule-kind = Qué se repite
site-schedule-audit = Auditoría del sitio web
    .hint = Lee todo el sitio web, como máximo 1000 páginas.
site-schedule-report = Informe por correo
    .hint = Abarca la semana o el mes anterior, para todos los destinatarios que han confirmado.
site-schedule-every = Con qué frecuencia
site-every-week = Cada semana
site-every-month = Cada mes
site-schedule-weekday = Día de la semana
site-schedule-day = Día del mes
    .hint = En un mes con menos días, se hace el último día.
site-schedule-at = Hora del día
    .hint = En la zona horaria de la marca: { $zone }
site-monday = Lunes
site-tuesday = Martes
site-wednesday = Miércoles
site-thursday = Jueves
site-friday = Viernes
site-saturday = Sábado
site-sunday = Domingo
site-schedule-week =
    { $weekday ->
        [monday] Cada lunes a las { $at } ({ $zone })
        [tuesday] Cada martes a las { $at } ({ $zone })
        [wednesday] Cada miércoles a las { $at } ({ $zone })
        [thursday] Cada jueves a las { $at } ({ $zone })
        [friday] Cada viernes a las { $at } ({ $zone })
        [saturday] Cada sábado a las { $at } ({ $zone })
       *[sunday] Cada domingo a las { $at } ({ $zone })
    }
site-schedule-month = Cada mes, el día { $day } a las { $at } ({ $zone })
site-schedule-name = { $kind }: { $when }
site-schedule-next = Próxima: { $at }
site-schedule-last = Última ejecución: { $when }
site-schedule-failure = La última ejecución no inició nada: { $reason }
site-schedule-key = Hecha con la clave { $key }. Termina cuando se revoca la clave.
site-schedule-notes = Tenga en cuenta
site-schedule-added = La programación se agregó.
site-schedule-known = Ya había una programación igual.
site-schedule-not-added = No se pudo agregar la programación.
site-schedule-remove = Quitar programación
site-schedule-remove-of = Quitar: { $name }
site-schedule-remove-title = ¿Quitar esta programación?
site-schedule-removed = La programación se quitó.
site-schedule-not-removed = No se pudo quitar la programación.
site-schedule-loses-audit = La auditoría del { $at } y todas las posteriores no se ejecutarán. Una auditoría en curso continúa, y las pasadas se conservan.
site-schedule-loses-report = El informe del { $at } y todos los posteriores no se enviarán. Los correos en espera sí se enviarán.
