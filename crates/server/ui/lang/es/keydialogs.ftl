keys-rule-not-changed = La regla no se cambió.
keys-scope-read-means = El asistente puede consultar datos. No puede cambiar, publicar ni enviar nada.
keys-scope-write-means = El asistente también puede actuar para la marca: publicar, ejecutar análisis y auditorías, enviar informes por correo y buscar palabras clave.
keys-minimum-outward = Todas las claves de esta marca preguntan antes de que algo salga al exterior.
keys-minimum-all = Todas las claves de esta marca preguntan antes de cada cambio.
keys-saved = Guardado.

keys-create-title = Crear una clave
keys-creating = Creando…
keys-label = Etiqueta
keys-label-hint = Indique el asistente y dónde se ejecuta, para poder reconocer la clave.
keys-what-it-can = Qué puede hacer
keys-opens-tools = { $count ->
        [one] Da acceso a { $count } herramienta
       *[other] Da acceso a { $count } herramientas
    }
keys-ask-first = Preguntar antes
keys-tools = Herramientas
keys-only-some = Solo algunas de estas herramientas
keys-writes = escribe
keys-expiry = Caduca
keys-expiry-hint = Después, la clave deja de funcionar por sí sola.
keys-expiry-date = Fecha de caducidad
keys-lifetime-0 = Nunca
keys-lifetime-7 = En 7 días
keys-lifetime-30 = En 30 días
keys-lifetime-90 = En 90 días
keys-lifetime-365 = En un año
keys-lifetime-date = En una fecha…
keys-lifetime-keep = Sin cambios: { $date }
keys-lifetime-keep-never = Sin cambios: nunca
keys-networks = Redes
keys-networks-hint = Una por línea, por ejemplo 203.0.113.0/24. Desde otros lugares, la clave se deniega. Vacío: funciona desde cualquier lugar.
keys-can-reveal = Puedo volver a mostrar el secreto más adelante
keys-can-reveal-hint = Desactivado es más estricto: solo se guarda una huella, y una clave perdida debe reemplazarse.
keys-field-fault = { $field }: { $fault }.
keys-not-created = La clave no se creó.
keys-limit-reached = Esta marca ya tiene el máximo de claves activas
keys-see-keys = Ver las claves
keys-edit-title = Editar «{ $label }»
keys-edit-others = { $owner } creó esta clave, así que usted solo puede hacerla más estricta: menos herramientas, una caducidad anterior, más preguntas o menos redes.
keys-scope-narrow = Una clave solo puede perder acceso. Para tener más acceso, cree una clave nueva.
keys-save = Guardar
keys-saving = Guardando…
keys-not-saved = La clave no se cambió.
keys-not-saved-unknown = No se sabe si la clave se cambió. Puede volver a guardar sin riesgo.
keys-changed = «{ $label }» se cambió. El cambio vale a partir de su próxima llamada.
keys-nothing-changed = No se cambió nada.

keys-ready = «{ $label }» está lista
keys-copy-key = Copiar la clave
keys-done = Listo
keys-close-uncopied = Cerrar sin copiar
keys-not-copied = Todavía no ha copiado la clave
keys-not-copied-means = No se puede volver a mostrar. Cópiela ahora o cierre otra vez si no la necesita.
keys-copy-or-later = Cópiela ahora o vuelva a mostrarla más adelante
keys-copy-or-later-means = Solo usted puede volver a mostrarla, con «Mostrar» en la lista de claves. No la comparta: quien la tenga puede actuar como este asistente.
keys-copy-now = Cópiela ahora: no se volverá a mostrar
keys-copy-now-means = El servicio guarda solo una huella de ella. Si se pierde, revoque esta clave y cree una nueva.

keys-show-its-secret = Mostrar su secreto
keys-lost = Se interrumpió la conexión
keys-lost-looking = La respuesta se perdió, así que todavía no se sabe si «{ $label }» se creó. Consultando la lista de claves…
keys-lost-unknown = No se sabe si «{ $label }» se creó
keys-lost-unknown-means = Tampoco se puede cargar la lista de claves. Compruebe su conexión y vuelva a comprobar.
keys-lost-none = No se creó ninguna clave «{ $label }»
keys-lost-none-means = La lista no contiene esa clave, así que puede intentarlo de nuevo sin riesgo. Los datos que introdujo se conservan.
keys-lost-created = «{ $label }» se creó, pero su secreto no llegó
keys-lost-created-when = Creada { $when }, con el prefijo { $prefix }.
keys-lost-show = Muestre ahora su secreto y continúe, o revóquela e inténtelo de nuevo.
keys-lost-secret = Se creó sin permiso para volver a mostrar el secreto, así que este se ha perdido. Revóquela e inténtelo de nuevo.
keys-look-again = Comprobar de nuevo
keys-revoke-and-retry = Revocarla y reintentar
keys-not-shown = No se pudo mostrar el secreto.
keys-not-revoked = No se pudo revocar «{ $label }».

keys-show-again = Mostrar de nuevo
keys-shown-announced = El secreto se muestra durante { $seconds } segundos.
keys-hidden-announced = El secreto está oculto.
keys-hides-in = Se oculta en { $seconds } s y al salir de esta pestaña.
keys-hidden = Oculto. Cada vez que se muestra queda anotado en la actividad.
keys-gone-means = Su secreto ya no sirve. La lista de claves está ahora actualizada. Cree una clave nueva para continuar.
keys-create-new = Crear una clave nueva
keys-no-secret = El secreto de esta clave no se puede mostrar
keys-no-secret-why = Se creó sin permiso para volver a mostrar el secreto, así que el servicio guarda solo una huella. No se puede recuperar.
keys-no-secret-next = Si todavía lo tiene, siga usándolo. Si se ha perdido, dé a la clave un secreto nuevo, o revóquela y cree una nueva con la misma configuración.
keys-revoke-and-create = Revocar y crear una nueva

keys-revoke-title = ¿Revocar esta clave?
keys-revoke-means = El asistente que la usa pierde el acceso de inmediato. No se puede deshacer, pero se puede crear una clave nueva en cualquier momento.
keys-revoke-cancels = Lo que tiene en cola, como publicaciones programadas e informes por correo, se cancela, al igual que sus aprobaciones en espera.
keys-revoke-keeps = Lo que tiene en cola, como publicaciones programadas e informes por correo, saldrá igualmente. Las programaciones periódicas y las aprobaciones en espera terminan.
keys-keep-queued = Dejar salir lo que tiene en cola
keys-keep-it = Conservarla
keys-revoke-confirm = Revocar clave
keys-revoking = Revocando…
keys-revoked = «{ $label }» se revocó. Su próxima llamada se denegará.
keys-revoked-title = «{ $label }» se revocó
keys-revoked-means = Su próxima llamada se denegará.
keys-cancelled = Cancelado: { $work }.
keys-already-sending = Ya estaba en camino y no se pudo detener: { $work }.
keys-work-posts = { $count ->
        [one] { $count } publicación
       *[other] { $count } publicaciones
    }
keys-work-mails = { $count ->
        [one] { $count } informe por correo
       *[other] { $count } informes por correo
    }
keys-work-jobs = { $count ->
        [one] { $count } auditoría o análisis
       *[other] { $count } auditorías y análisis
    }
keys-work-approvals = { $count ->
        [one] { $count } aprobación
       *[other] { $count } aprobaciones
    }
keys-work-schedules = { $count ->
        [one] { $count } programación
       *[other] { $count } programaciones
    }

keys-show-secret = Mostrar el secreto
keys-belongs-to = Esta clave pertenece a { $owner }
keys-belongs-admin = Solo { $owner } puede mostrar su secreto. Como administrador, usted puede revocarla.
keys-belongs-member = Solo { $owner } puede mostrar su secreto, y solo { $owner } o un administrador puede revocarla.
keys-fact-state = Estado
keys-fact-prefix = Prefijo
keys-fact-access = Acceso
keys-fact-created-by = Creada por
keys-fact-created = Creada
keys-fact-used = Último uso
keys-fact-used-from = Último uso desde
keys-fact-used-by = Último uso por
keys-fact-networks = Funciona solo desde
keys-fact-expires = Caduca
keys-fact-revoked = Revocada
keys-fact-secret = Secreto
keys-secret-mine = Usted puede volver a mostrarlo
keys-secret-others = Solo la persona que creó la clave puede volver a mostrarlo
keys-secret-never = No se puede volver a mostrar: solo se guarda una huella
keys-tools-title = Herramientas que puede usar
keys-tools-few = Herramientas que puede usar, solo las elegidas
keys-activity = Actividad reciente
keys-activity-not-loaded = No se pudo cargar la actividad.
keys-soon-title = Caduca { $when }
keys-soon-mine = Establezca una caducidad posterior si todavía se necesita. Su secreto y su configuración se conservan.
keys-soon-others = Solo { $owner } puede establecer una caducidad posterior.
keys-idle-title = No se ha usado desde el { $date }
keys-idle-means = Revóquela si ya no se necesita. Una clave olvidada puede usarse indebidamente sin que nadie lo note.
keys-pause = Pausar
keys-resume = Reanudar
keys-not-paused = No se pudo pausar «{ $label }».
keys-not-resumed = No se pudo reanudar «{ $label }».
keys-is-paused = «{ $label }» está en pausa. Su próxima llamada se denegará.
keys-is-resumed = «{ $label }» vuelve a funcionar.
keys-edit = Editar
keys-new-secret = Secreto nuevo…
keys-revoke-ask = Revocar…

keys-rotate-title = Dar un secreto nuevo a «{ $label }»
keys-rotate-means = La clave conserva su nombre, sus permisos y su historial. Ponga el secreto nuevo en su asistente mientras el anterior todavía funciona.
keys-grace = El secreto anterior funciona durante
keys-grace-hint = Elija «Nada» si otras personas pueden conocer el secreto anterior. El acceso del asistente se denegará hasta que tenga el nuevo.
keys-grace-0 = Nada
keys-grace-3600 = 1 hora
keys-grace-86400 = 1 día
keys-grace-259200 = 3 días
keys-grace-604800 = 7 días
keys-rotate = Crear el secreto nuevo
keys-rotating = Creando…
keys-not-rotated = La clave conserva su secreto.
keys-rotated = «{ $label }» tiene un secreto nuevo
keys-rotated-old = El secreto anterior funciona hasta el { $when }. Cámbielo antes en el asistente.
keys-rotated-at-once = El secreto anterior se deniega a partir de ahora.
keys-rotate-lost = No se sabe si la clave tiene un secreto nuevo
keys-rotate-lost-means = La respuesta se perdió y no se puede cargar la clave. Compruebe su conexión y vuelva a comprobar.
keys-rotate-lost-none = La clave no tiene un secreto nuevo
keys-rotate-lost-none-means = Puede intentarlo de nuevo sin riesgo.
keys-rotate-lost-made = La clave tiene un secreto nuevo, pero no llegó
keys-rotate-lost-show = Muéstrelo ahora y póngalo en su asistente.
keys-rotate-lost-again = No se puede volver a mostrar. Anule el secreto anterior y cree otro nuevo. El acceso del asistente se denegará hasta que lo tenga.
keys-finish-and-rotate = Anular el anterior y crear otro
keys-old-title = El secreto anterior funciona hasta el { $when }
keys-old-used = Se usó por última vez { $when }, así que algún asistente todavía no ha cambiado al nuevo.
keys-old-unused = No se ha usado desde que se creó el nuevo.
keys-finish = Anular el secreto anterior…
keys-finish-title = ¿Anular el secreto anterior?
keys-finish-used = El secreto anterior se usó por última vez { $when }. El acceso de un asistente que todavía lo tenga se denegará de inmediato.
keys-finish-unused = El secreto anterior no se ha usado desde que se creó el nuevo. El acceso de un asistente que todavía lo tenga se denegará de inmediato.
keys-finish-confirm = Anular el secreto anterior
keys-finishing = Anulando…
keys-not-finished = El secreto anterior todavía funciona.
keys-finished = El secreto anterior de «{ $label }» se anuló.

keys-connect = Conectar un asistente
keys-assistant = Su asistente
keys-choose-assistant = Elija su asistente
keys-system = Sistema
keys-install-bridge = Instalar el puente
keys-bridge = Un pequeño script que su asistente inicia. Solo necesita Python 3.8 o posterior.
keys-extension = Descargar la extensión
keys-extension-how = Ábrala con Claude Desktop y pulse «Instalar». Le pedirá la clave. La dirección debe ser { $url }.
keys-or-line = O use esta línea:
keys-install-line = Línea de instalación
keys-copy-line = Copiar la línea
keys-run-shell = Ejecútela en una terminal. Le pedirá la clave: copie la clave y péguela allí. Después reinicie { $client }.
keys-run-powershell = Ejecútela en PowerShell. Le pedirá la clave: copie la clave y péguela allí. Después reinicie { $client }.
keys-by-hand = O agréguelo manualmente
keys-checksum = Suma de comprobación SHA-256
keys-checksum-of = Suma de comprobación SHA-256 de { $file }
keys-script = Dónde lo guardó
keys-script-hint = La ruta completa. Reemplace «you» por el nombre de su propia carpeta.
keys-add-to = Agregar a { $client }
keys-cursor-next = Después reemplace «{ $placeholder }» por la clave. O haga ambas cosas manualmente:
keys-vscode-next = VS Code le pedirá la clave. O agréguelo manualmente a un proyecto:
keys-put-into = Ponga esto en { $file }. Si el archivo ya contiene otros servidores, agregue solo la parte «svc».
keys-run-in-project = Ejecute esta línea en la carpeta de su proyecto:
keys-configuration = Configuración
keys-copy-configuration = Copiar la configuración
keys-next-claude-desktop = Después cierre Claude Desktop y vuelva a iniciarlo.
keys-next-claude-code = Después reinicie Claude Code; /mcp muestra el servidor. Es posible que su shell guarde en el historial esta línea y la clave que contiene.
keys-next-cursor = Después active «svc» en la configuración de Cursor, en MCP.
keys-next-vscode = Después pulse «Iniciar» encima de la entrada. VS Code pide la clave una sola vez y la guarda de forma segura: pegue la clave allí, no en el archivo.
keys-next-windsurf = Después pulse actualizar en la configuración de MCP de Windsurf.
keys-next-codex = Después reinicie Codex; /mcp muestra el servidor.
keys-next-gemini-cli = Después reinicie Gemini CLI; /mcp muestra el servidor.
keys-next-zed = Zed vuelve a leer el archivo por sí solo. Un punto verde junto a «svc» en la configuración del agente indica que funciona.

keys-test = Probar la conexión
keys-test-how = Inicie la prueba y después su asistente: este pide sus herramientas por sí solo, y esta página lo detecta.
keys-test-waiting = Esperando la primera llamada de esta clave…
keys-test-unreachable = En este momento no se puede contactar con el servicio. Se sigue intentando…
keys-test-stop = Detener
keys-test-connected = Conectado
keys-test-used = { $client } usó esta clave { $when }. Puede cerrar esta ventana.
keys-test-your-assistant = Su asistente
keys-test-dead = Ninguna llamada con ella puede funcionar. Cierre esta ventana y cree una clave nueva.
keys-test-nothing = Ninguna llamada en cinco minutos
keys-test-check-path = ¿La ruta del script es correcta y la entrada está guardada?
keys-test-check-start = ¿Reinició el asistente después de guardar?
keys-test-check-script = Ejecute el script con { $flag } y las mismas variables: indica qué falla.
keys-test-plan = MCP no está activo en este momento en el plan de la marca, así que las llamadas se deniegan.
keys-test-again = Esperar de nuevo
