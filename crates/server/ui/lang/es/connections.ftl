connections-document-title = Conexiones · { $brand }
connections-title = Conexiones
connections-lead = Adónde van las publicaciones de { $brand }, quién recibe sus informes y qué sistemas se enteran de lo que ocurre.
connections-admins-only = Solo los administradores ven las conexiones
connections-admins-only-next = Las conexiones contienen credenciales de otros servicios. Consulte a una de estas personas si hay que agregar o cambiar algo:
connections-admins = Administradores

connections-name = Nombre
    .title = De 1 a 64 letras, dígitos, guiones y guiones bajos
connections-name-taken = Este nombre ya está en uso. Elija otro o cambie la entrada que lo tiene.
connections-save = Guardar
connections-add = Agregar
connections-change = Cambiar
connections-change-of = Cambiar { $name }
connections-remove-of = Quitar { $name }
connections-counting = Contando lo que queda por publicar…
connections-fault = { $field }: { $message }

connections-test = Enviar una prueba
connections-test-of = Enviar una prueba a { $name }
connections-test-good = La prueba se completó correctamente
connections-test-bad = La prueba falló
connections-test-not-run = No se pudo enviar la prueba.
connections-test-status = Estado HTTP de la respuesta: { $status }

connections-secret-keep = Ya hay un valor definido y no se puede mostrar. Deje esto vacío para conservarlo o escriba uno nuevo para reemplazarlo.
connections-secret-placeholder = Definido
connections-secret-title = Copie ahora el secreto de firma
connections-secret-once = Con este secreto, el receptor de «{ $name }» comprueba que un mensaje es auténtico. Solo se muestra ahora.
connections-secret-use = Los mensajes se firman según Standard Webhooks. Guarde el secreto donde el receptor pueda leerlo y en ningún otro lugar.
connections-secret-copy = Copiar
    .label = Copiar el secreto de firma
connections-secret-copied = Copiado
connections-secret-selected = El secreto está seleccionado. Pulse Ctrl+C o ⌘C para copiarlo.
connections-secret-done = Listo
connections-secret-close-anyway = Cerrar sin copiar
connections-secret-not-copied = El secreto todavía no se ha copiado
connections-secret-not-copied-next = No se puede volver a mostrar. Cópielo antes o cierre sin copiar.
connections-secret-lost-title = Guardado, sin su secreto
connections-secret-lost = «{ $name }» se guardó, pero su secreto de firma no llegó

connections-channels = Canales
connections-channels-lead = Dónde se publican las publicaciones. Los secretos se guardan cifrados y no se vuelven a mostrar.
connections-channels-failed = No se pudieron cargar los canales.
connections-channel-add = Agregar canal
connections-channel-add-title = Agregar un canal
connections-channel-change-title = Cambiar el canal
connections-channel-kind = Tipo
connections-channel-name =
    .hint = Los asistentes eligen el canal por este nombre. No se puede cambiar después.
connections-channel-account = { $account } en { $server }
connections-channel-limits =
    { $media ->
        [one] Textos de hasta { $text } caracteres, una imagen.
       *[other] Textos de hasta { $text } caracteres, { $media } imágenes.
    }
connections-channel-added = «{ $name }» se agregó. Envíe una prueba para ver si funciona.
connections-channel-changed = «{ $name }» se cambió.
connections-channel-not-saved = No se pudo guardar el canal.
connections-channel-secret-lost = La conexión se interrumpió mientras se guardaba. Abra «Cambiar» y escriba un secreto de firma propio.
connections-channel-remove = Quitar canal
connections-channel-remove-title = ¿Quitar este canal?
connections-channel-removed = «{ $name }» se quitó.
connections-channel-not-removed = No se pudo quitar el canal.
connections-channel-loses-posts =
    { $count ->
        [0] No se pierde ninguna publicación programada.
        [one] Una publicación programada para este canal se cancela en él.
       *[other] { $count } publicaciones programadas para este canal se cancelan en él.
    }
connections-channel-loses-posts-unknown = Las publicaciones programadas para este canal se cancelan en él. No se pudo cargar su número.
connections-channel-loses-secret = Su secreto guardado se elimina. Lo necesitará para volver a agregar el canal.
connections-channel-keeps = Lo que se publicó allí sigue siendo público.

connections-kind-feed = Feed
connections-kind-webhook = Webhook
connections-kind-mastodon = Mastodon
connections-kind-bluesky = Bluesky
connections-secret-set-webhook = Secreto de firma: definido
connections-secret-set-mastodon = Token de acceso: definido
connections-secret-set-bluesky = Contraseña de aplicación: definida

connections-webhook-url = Dirección
    .hint = Cada publicación se envía a esta dirección http o https.
connections-webhook-secret = Secreto de firma
    .hint = Deje esto vacío: se genera un secreto y se muestra una vez. Uno propio consta de «whsec_» y de 24 a 64 bytes en base64.
connections-mastodon-server = Servidor
    .hint = La dirección https del servidor, por ejemplo https://mastodon.social
connections-mastodon-access_token = Token de acceso
    .hint = De Preferencias → Desarrollo de la cuenta, con los alcances write:statuses y write:media.
connections-mastodon-visibility = Quién ve las publicaciones
    .hint = Como lo llama Mastodon.
connections-mastodon-visibility-public = Todo el mundo
connections-mastodon-visibility-unlisted = Todo el mundo, pero no en las cronologías públicas
connections-mastodon-visibility-private = Solo los seguidores
connections-mastodon-max_characters = Publicación más larga
    .hint = El número de caracteres que permite el servidor. Vacío: 500.
connections-bluesky-identifier = Cuenta
    .hint = El identificador o DID, por ejemplo northwind.bsky.social
connections-bluesky-app_password = Contraseña de aplicación
    .hint = De Configuración → Privacidad y seguridad → Contraseñas de aplicación. No es la contraseña de la cuenta.
connections-bluesky-server = Servidor
    .hint = Vacío: https://bsky.social
connections-bluesky-langs = Idiomas de las publicaciones
    .hint = Como máximo tres, por ejemplo: en, de

connections-recipients = Destinatarios de informes
connections-recipients-lead = Reciben los informes por correo una vez que han confirmado su dirección.
connections-recipients-failed = No se pudieron cargar los destinatarios.
connections-recipients-none = Todavía no hay destinatarios. Agregue una dirección: la persona recibe un correo y la confirma.
connections-recipients-add = Agregar destinatarios
connections-recipients-add-title = Agregar destinatarios de informes
connections-recipients-addresses = Direcciones de correo
    .hint = Si son varias, sepárelas con comas, espacios o líneas.
connections-recipients-asked = Cada persona recibe un correo con un enlace y solo recibe informes después de confirmar con él.
connections-recipients-empty = Escriba al menos una dirección.
connections-recipients-known = Todas estas direcciones ya están en la lista.
connections-recipients-wrong =
    { $count ->
        [one] Esto no es una dirección de correo: { $addresses }
       *[other] Estas no son direcciones de correo: { $addresses }
    }
connections-recipients-added =
    { $count ->
        [one] Se agregó una dirección.
       *[other] Se agregaron { $count } direcciones.
    }
connections-recipients-not-added = No se agregó nada.
connections-recipients-test =
    .label =
        { $count ->
            [one] Enviar un correo de prueba al destinatario confirmado
           *[other] Enviar un correo de prueba a los { $count } destinatarios confirmados
        }
connections-recipient-pending = Sin confirmar
    .next = No recibe informes hasta que la persona confirme con el enlace del correo. Solicitud enviada: { $when }
connections-recipient-confirmed = Confirmado
    .next = Confirmado: { $when }
connections-recipient-suppressed = Suscripción cancelada
    .next = No recibe informes. Solo la persona puede volver a suscribirse, con el enlace del correo de confirmación. Suscripción cancelada: { $when }
connections-recipient-remove = Quitar destinatario
connections-recipient-remove-title = ¿Quitar este destinatario?
connections-recipient-removed = { $email } se quitó.
connections-recipient-not-removed = No se pudo quitar el destinatario.
connections-recipient-loses-pending = La persona no recibe informes, y el enlace del correo de confirmación no agrega nada.
connections-recipient-loses-confirmed = La persona no recibe más informes. Los informes ya enviados no se ven afectados.
connections-recipient-loses-suppressed = La persona tampoco recibe informes ahora. Si vuelve a agregar la dirección, su suscripción seguirá cancelada.

connections-keywords = Listas de palabras clave
connections-keywords-lead = Exportaciones de herramientas de palabras clave. La búsqueda de palabras clave usa sus cifras.
connections-keywords-failed = No se pudieron cargar las listas de palabras clave.
connections-keywords-none = Todavía no hay listas. Suba una exportación para tener volúmenes de búsqueda en la búsqueda de palabras clave.
connections-keywords-how = Un archivo CSV tal como lo exportan Google Keyword Planner, Google Search Console, Ahrefs o Semrush, con nombres de columna en inglés. Como máximo 5 MiB y 50 000 filas.
connections-keywords-upload = Subir un archivo
connections-keywords-uploading = Subiendo…
connections-keywords-too-large = El archivo supera los 5 MiB. Exporte menos palabras clave o menos columnas.
connections-keywords-not-imported = «{ $file }» no se importó
connections-keywords-imported = «{ $file }» se reconoció como una exportación de { $tool }
connections-keywords-rows =
    { $count ->
        [one] Se importó una palabra clave.
       *[other] Se importaron { $count } palabras clave.
    }
connections-keywords-skipped =
    { $count ->
        [one] Se omitió una fila.
       *[other] Se omitieron { $count } filas.
    }
connections-keywords-skipped-why =
    { $count ->
        [one] Se omitió una fila:
       *[other] Se omitieron { $count } filas:
    }
connections-keywords-problem = Línea { $line }: { $message }
connections-keywords-more =
    { $count ->
        [one] Una fila más tiene un problema que no aparece en la lista.
       *[other] { $count } filas más tienen problemas que no aparecen en la lista.
    }
connections-keywords-replaced = El mismo archivo ya se había importado. Esta importación reemplaza la anterior.
connections-keywords-name = { $tool }, { $at }
connections-keywords-remove = Quitar lista
connections-keywords-remove-title = ¿Quitar esta lista de palabras clave?
connections-keywords-removed = La lista «{ $name }» se quitó.
connections-keywords-not-removed = No se pudo quitar la lista.
connections-keywords-loses =
    { $count ->
        [one] Se eliminan su palabra clave y sus cifras. Para recuperarlas, suba el archivo de nuevo.
       *[other] Se eliminan sus { $count } palabras clave y sus cifras. Para recuperarlas, suba el archivo de nuevo.
    }
connections-tool-keyword_planner = Google Keyword Planner
connections-tool-search_console = Google Search Console
connections-tool-ahrefs = Ahrefs
connections-tool-semrush = Semrush

connections-endpoints = Endpoints de eventos
connections-endpoints-lead = Sus propios sistemas reciben un mensaje firmado cuando ocurre algo, como la filtración de una clave o el fallo de una publicación.
connections-endpoints-failed = No se pudieron cargar los endpoints de eventos.
connections-endpoints-none = Todavía no hay endpoints. Agregue la dirección de un sistema que deba enterarse de lo que ocurre aquí.
connections-endpoint-add = Agregar endpoint
connections-endpoint-add-title = Agregar un endpoint de eventos
connections-endpoint-change-title = Cambiar el endpoint de eventos
connections-endpoint-name =
    .hint = Para que usted distinga los endpoints. No se puede cambiar después.
connections-endpoint-url = Dirección
    .hint = La dirección http o https de un servidor público.
connections-endpoint-events = Qué eventos recibe
connections-endpoint-all-types = Todos los eventos
connections-endpoint-some-types = Solo algunos eventos
connections-endpoint-types =
    { $count ->
        [one] Un tipo de evento
       *[other] { $count } tipos de eventos
    }
connections-endpoint-no-types = Elija al menos un evento o todos los eventos.
connections-endpoint-enabled = Recibe eventos
    .hint = Mientras está desactivado, no se guardan eventos para él.
connections-endpoint-rotate = Reemplazar el secreto de firma
    .hint = El secreto nuevo se muestra una vez. El anterior se anula de inmediato.
connections-endpoint-active = Activo
connections-endpoint-failing = Con fallos
connections-endpoint-stopped = Detenido
connections-endpoint-disabled = Desactivado
connections-endpoint-failing-since = Todos los intentos han fallado. Primer fallo: { $when }
connections-endpoint-dropped =
    { $count ->
        [one] Se descartó un evento porque había demasiados en espera.
       *[other] Se descartaron { $count } eventos porque había demasiados en espera.
    }
connections-endpoint-off-title = El servicio desactivó este endpoint porque falló durante 3 días
connections-endpoint-off-reason = El último error: { $reason }
connections-endpoint-off-next = Repare el receptor y después active el endpoint. Los eventos que ocurrieron entretanto no se guardaron para él.
connections-endpoint-switch-on = Activar
connections-endpoint-on = «{ $name }» vuelve a estar activo.
connections-endpoint-changed = «{ $name }» se cambió.
connections-endpoint-not-saved = No se pudo guardar el endpoint.
connections-endpoint-remove = Quitar endpoint
connections-endpoint-remove-title = ¿Quitar este endpoint de eventos?
connections-endpoint-removed = «{ $name }» se quitó.
connections-endpoint-not-removed = No se pudo quitar el endpoint.
connections-endpoint-loses-events = No se envía nada más a { $url }, tampoco lo que está en espera.
connections-endpoint-loses-deliveries = La lista de sus entregas se elimina.
connections-endpoint-loses-secret = Su secreto de firma se elimina. Un endpoint nuevo recibe otro.

connections-events-key = Claves
connections-events-approval = Aprobaciones
connections-events-post = Publicaciones
connections-events-work = Auditorías y trabajo en segundo plano
connections-events-brand = Marca y miembros
connections-event-key-created = Clave creada
connections-event-key-updated = Clave cambiada
connections-event-key-revealed = Secreto de una clave mostrado
connections-event-key-rotated = Clave con secreto nuevo
connections-event-key-paused = Clave pausada
connections-event-key-resumed = Clave reanudada
connections-event-key-revoked = Clave revocada
connections-event-key-expiring = Clave que caduca pronto
connections-event-key-leaked = Clave filtrada
connections-event-approval-requested = Aprobación necesaria
connections-event-approval-decided = Aprobación decidida
connections-event-post-published = Publicación publicada
connections-event-post-failed = Publicación fallida
connections-event-post-withdrawn = Publicación retirada
connections-event-job-failed = Trabajo en segundo plano fallido
connections-event-audit-new_errors = Auditoría con errores nuevos
connections-event-brand-updated = Marca cambiada
connections-event-brand-suspended = Marca suspendida
connections-event-brand-resumed = Marca reanudada
connections-event-member-added = Miembro agregado
connections-event-member-removed = Miembro quitado

connections-deliveries = Entregas
connections-deliveries-of = Entregas a { $name }
connections-deliveries-title = Entregas a «{ $name }»
connections-deliveries-lead = Lo que se envió en los últimos 30 días, lo más reciente primero. Una entrega fallida se intenta 8 veces a lo largo de un día.
connections-deliveries-failed = No se pudieron cargar las entregas.
connections-deliveries-none = Todavía no se ha enviado nada. Envíe una prueba o espere el primer evento.
connections-deliveries-no-match = Ninguna entrega tiene este estado.
connections-deliveries-state = Estado
connections-deliveries-refresh = Actualizar
connections-deliveries-fresh = Actualizado.
connections-deliveries-older = Mostrar entregas anteriores
connections-deliveries-event = Evento
connections-deliveries-result = Resultado
connections-deliveries-when = Cuándo
connections-delivery-any = Cualquiera
connections-delivery-pending = En espera
connections-delivery-delivered = Entregada
connections-delivery-failed = Fallida
connections-delivery-answer = Respuesta { $status }
connections-delivery-attempts =
    { $count ->
        [one] un intento
       *[other] { $count } intentos
    }
connections-delivery-next = Próximo intento: { $when }
connections-delivery-resend = Enviar de nuevo
    .label = Enviar de nuevo: { $event }
connections-delivery-resent = Se está enviando de nuevo.
connections-delivery-not-resent = No se pudo enviar de nuevo.
