operator-title = Operador
operator-page-title = { $title } · Operador
operator-skip = Saltar al contenido
operator-view-brands = Marcas
operator-view-people = Personas
operator-view-keys = Claves
operator-view-jobs = Tareas
operator-view-events = Eventos
operator-view-approvals = Aprobaciones
operator-view-activity = Actividad
operator-view-audit = Registro de auditoría
operator-view-plans = Planes
operator-view-erasures = Borrados
operator-not-loaded = No se pudo cargar la consola.

operator-signin-none = Inicie sesión como operador
operator-signin-out = Ha cerrado la sesión
operator-signin-ended = Su sesión ha terminado
operator-signin-ended-why = Por su seguridad, una sesión dura solo un tiempo limitado.
operator-signin-link = Este enlace ya no funciona
operator-signin-link-why = Un enlace de inicio de sesión funciona una sola vez y durante poco tiempo.
operator-signin-about = La consola es para las personas que operan este servicio. Se abre con un enlace personal o con un token que tenga el rol de operador.
operator-signin-account = La consola es para las personas que operan este servicio. Inicie sesión con una cuenta que tenga el rol de operador.
operator-signin-again = Abra un enlace nuevo para volver o péguelo aquí.
operator-signin-continue = Continuar al inicio de sesión
operator-signin-how = Cómo acceder
operator-signin-how-application = Desde su aplicación: abra allí la consola. Llegará aquí con la sesión iniciada.
operator-signin-how-command = En el equipo del servicio: ejecute este comando y pegue abajo lo que muestre: { $command }
operator-signin-paste = Enlace o token
operator-signin-submit = Iniciar sesión
operator-signin-not-a-link = Esto no es un enlace de inicio de sesión ni un token. Cópielo completo y péguelo de nuevo.
operator-insecure = Esta página necesita una conexión segura
operator-insecure-why = Ábrala con una dirección que empiece por https. Sin ella, un inicio de sesión no es seguro, porque otros podrían leer los datos en el camino.
operator-not-operator = No tiene el rol de operador
operator-not-operator-why = Ha iniciado sesión como { $user }. Solo los operadores de este servicio pueden usar la consola. Sus marcas y claves están en la página de configuración.
operator-not-operator-next = Si debería tener el rol, solicítelo a las personas que operan este servicio y vuelva a iniciar sesión con un enlace o token que lo tenga.
operator-to-settings = Ir a la página de configuración
operator-signed-in-as = Sesión iniciada como { $user }
operator-signed-in-again = Ha vuelto a iniciar sesión.
operator-sign-out = Cerrar sesión
operator-still-signed-in = Su sesión sigue abierta. { $message }
operator-link-not-used = Su sesión sigue abierta: no se pudo usar el enlace que se abrió. { $message }

operator-refresh = Actualizar
operator-load-more = Cargar más
operator-list-shown = { $count ->
    [one] Una entrada.
   *[other] { $count } entradas.
}
operator-list-shown-more = { $count ->
    [one] Se muestra una entrada. Hay más.
   *[other] Se muestran { $count } entradas. Hay más.
}
operator-list-not-loaded = No se pudo cargar la lista.
operator-list-more-not-loaded = No se pudieron cargar las entradas siguientes.
operator-filter-all = Todo
operator-filter-brand = ID de la marca
operator-no-match = Nada coincide con estos filtros
operator-no-match-hint = Los ID se comparan con exactitud, distinguiendo mayúsculas y minúsculas.
operator-clear-filters = Quitar los filtros
operator-head-brand = Marca
operator-head-status = Estado
operator-head-actions = Acciones

operator-typed-label = Escriba { $typed } para confirmar
operator-typed-wrong = Escriba exactamente { $typed } para confirmar.

operator-status-active = Activa
operator-status-suspended = Suspendida
operator-status-paused = En pausa
operator-status-expired = Caducada
operator-status-revoked = Revocada
operator-status-erasing = Borrándose
operator-status-done = Hecho
operator-status-waiting = En espera
operator-status-running = En curso
operator-status-failed = Fallida
operator-status-cancelled = Cancelada
operator-status-pending = Pendiente
operator-status-delivered = Entregada
operator-status-approved = Aprobada
operator-status-rejected = Rechazada
operator-status-draft = Borrador
operator-status-scheduled = Programada
operator-status-publishing = Publicándose
operator-status-published = Publicada
operator-status-uncertain = Incierta
operator-status-withdrawing = Retirándose
operator-status-withdrawn = Retirada
operator-status-ok = Permitido
operator-status-error = Fallido
operator-status-denied = Denegado

operator-cancelled-nothing = No había trabajo en cola.
operator-cancelled-posts = Publicaciones canceladas
operator-cancelled-mails = Correos cancelados
operator-cancelled-jobs = Auditorías y análisis cancelados
operator-cancelled-approvals = Aprobaciones canceladas
operator-cancelled-schedules = Programaciones eliminadas
operator-sending-posts = Publicaciones que ya se están enviando
operator-sending-mails = Correos que ya se están enviando
operator-sending-jobs = Auditorías y análisis que se están deteniendo

operator-reason-rate_limited = Más de 60 solicitudes en un minuto
operator-reason-mcp_inactive = MCP no está activo en el plan
operator-reason-key_paused = La clave está en pausa
operator-reason-address_not_allowed = Vino de fuera de las redes de la clave
operator-reason-brand_suspended = La marca está suspendida
operator-reason-key_revoked = La clave está revocada
operator-reason-key_expired = La clave ha caducado
operator-reason-queued_work_kept = El trabajo en cola continúa
operator-reason-owner_removed = La persona que la creó fue quitada de la marca
operator-reason-insufficient_scope = La clave no tiene permiso para usar esta herramienta
operator-reason-key_owner_removed = La persona que creó la clave ya no es miembro
operator-reason-invalid_arguments = Los argumentos no eran válidos para la herramienta
operator-reason-not_key_creator = Solo la persona que creó la clave puede mostrarlo
operator-reason-awaiting_approval = Espera aprobación
operator-reason-key_not_revealable = El secreto de la clave no se guarda
operator-reason-old_secret_ended = El secreto anterior de una clave rotada
operator-reason-cancelled_by_operator = Un operador lo canceló
operator-reason-jobs_held = Llegaba demasiado tarde cuando se reanudaron las tareas
operator-reason-in_14_days = En 14 días
operator-reason-in_3_days = En 3 días
operator-reason-in_1_day = En un día
