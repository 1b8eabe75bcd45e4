posts-title = Publicaciones
posts-lead = Lo que escribieron sus asistentes: borradores, lo programado y lo que ya es público.
posts-shape = Mostrar como
posts-shape-calendar = Calendario
posts-shape-list = Lista
posts-calendar = Calendario
posts-list = Todas las publicaciones
posts-empty = Todavía no hay publicaciones
posts-empty-help = Pida a un asistente con permiso de escritura que redacte una publicación. Aparecerá aquí y podrá editarla, programarla y publicarla.
posts-not-loaded = No se pudieron cargar las publicaciones.
posts-failed-count = { $count ->
    [one] { $count } publicación ha fallado en un canal
   *[other] { $count } publicaciones han fallado en un canal
}
posts-show-failed = Mostrar por qué

posts-state = { $status ->
    [draft] Borrador
    [scheduled] Programada
    [publishing] Publicándose
    [published] Publicada
    [failed] Fallida
    [uncertain] Incierta
    [cancelled] Cancelada
    [withdrawing] Retirándose
   *[withdrawn] Retirada
}
posts-on-some = { $total ->
    [one] en { $count } de { $total } canal
   *[other] en { $count } de { $total } canales
}
posts-no-time = Sin hora

posts-all = Todas
posts-filter = Estado
posts-count = { $count ->
    [0] No hay publicaciones.
    [one] { $count } publicación
   *[other] { $count } publicaciones
}
posts-count-state = { $count ->
    [0] Ninguna publicación tiene este estado.
    [one] { $count } publicación tiene este estado en un canal.
   *[other] { $count } publicaciones tienen este estado en un canal.
}
posts-older = Mostrar publicaciones anteriores
posts-older-not-loaded = No se pudieron cargar las publicaciones anteriores.
posts-head-post = Publicación
posts-head-state = Estado
posts-head-when = Hora
posts-head-channels = Canales
posts-head-key = Clave

posts-month-before = Mes anterior
posts-month-after = Mes siguiente
posts-today = Hoy
posts-month-empty = No hay publicaciones en este mes.
posts-zone = Las horas están en su zona horaria: { $zone }.
posts-move-help = Arrastre una publicación prevista a otro día, o selecciónela y pulse Mayús con una tecla de flecha.
posts-written-before = Las publicaciones escritas más de tres meses antes de salir aparecen solo en la lista.
posts-cut = En este período hay más publicaciones de las que muestra el calendario. La lista las contiene todas.
posts-more = { $count } más
posts-more-of-day = { $count ->
    [one] Mostrar { $count } publicación más del { $day }
   *[other] Mostrar { $count } publicaciones más del { $day }
}
posts-moved = Se movió al { $at }.
posts-undo = Deshacer
posts-not-moved = La publicación no se movió.

posts-open-public = Abrir la publicación pública
posts-planned = Prevista para
posts-person = Clave creada por
posts-created = Creada
posts-version = Versión
posts-version-words = { $changes ->
    [0] { $version }, nunca cambiada
    [one] { $version }, cambiada una vez
   *[other] { $version }, cambiada { $changes } veces
}
posts-not-fresh = Es posible que esto no esté actualizado: no se pudo volver a cargar la publicación.
posts-not-yours = Solo { $person } o un administrador puede cambiar esta publicación.
posts-next-attempt = { $attempts ->
    [one] Se hizo { $attempts } intento. El próximo será { $when }.
   *[other] Se hicieron { $attempts } intentos. El próximo será { $when }.
}
posts-failed-help = Resuelva lo que se indica arriba e inténtelo de nuevo. La publicación no se envía dos veces.
posts-failed-ask = La persona que creó la clave o un administrador puede intentarlo de nuevo cuando esto se haya resuelto.
posts-uncertain-help = Revise la cuenta. Si la publicación no está allí, pida al asistente que la escriba de nuevo.
posts-publishing-help = Se está publicando ahora. Esta página mostrará el resultado en un momento.
posts-withdrawing-help = Se está retirando ahora. Esta página mostrará el resultado en un momento.
posts-not-withdrawn-help = Sigue siendo pública. Intente retirarla de nuevo o elimínela manualmente en la cuenta.
posts-changed = La publicación se cambió entretanto
posts-changed-read = No se hizo nada de lo que pidió. Abajo está la publicación tal como es ahora. Léala y vuelva a decidir.
posts-changed-help = No se guardó nada, y lo que ha escrito se conserva. Esto es lo que cambió:
posts-changed-by-both = Usted también ha cambiado esto. Si guarda, su versión lo reemplaza.
posts-nothing-done = No se cambió nada.
posts-outcome-unknown = No se sabe si esto llegó. Puede intentarlo de nuevo sin riesgo.
posts-back = Atrás

posts-edit = Editar…
posts-edit-title = Editar la publicación
posts-save = Guardar
posts-save-anyway = Guardar mis cambios
posts-saved = La publicación se guardó.
posts-field-text = Texto
posts-field-title = Título
posts-field-link = Enlace
posts-field-media = Imágenes
posts-field-channels = Canales
posts-field-time = Hora
posts-title-hint = Para los canales que muestran uno.
posts-time-hint = En su zona horaria: { $zone }.
posts-time-of-draft = En su zona horaria: { $zone }. Un borrador no sale por sí solo, tampoco a esta hora.
posts-channels-of-member = Para agregar otro canal, consulte a un administrador.
posts-picture = Imagen { $number }
posts-picture-address = Dirección de la imagen
posts-picture-alt = Qué muestra
posts-picture-add = Agregar una imagen
posts-picture-remove = Quitar
posts-picture-remove-one = Quitar la imagen { $number }

posts-publish = Publicar…
posts-publish-title = ¿Publicar esta publicación?
posts-publish-help = { $count ->
    [one] Todo el mundo podrá leerla en este canal: { $channels }.
   *[other] Todo el mundo podrá leerla en estos canales: { $channels }.
}
posts-publish-when = Cuándo
posts-publish-now = Ahora
posts-publish-later = A una hora determinada
posts-publish-order = Publicar ahora
posts-schedule-order = Programar
posts-publishing = La publicación se está publicando.
posts-scheduled = La publicación está programada.
posts-retry = Reintentar
posts-retrying = Se vuelve a intentar en los canales que fallaron.

posts-stop = Detener…
posts-stop-title = ¿Detener esta publicación?
posts-stop-help = No saldrá en: { $channels }. Una publicación detenida no se puede volver a programar.
posts-stop-published = Donde ya es pública, permanece. Allí puede retirarla.
posts-stop-order = Detenerla
posts-stopped = La publicación se detuvo.
posts-withdraw = Retirar…
posts-withdraw-title = ¿Retirar esta publicación?
posts-withdraw-help = Es pública en estos canales. Una publicación retirada no se puede volver a publicar.
posts-withdraw-from = { $kind ->
    [feed] Desaparece de los feeds de inmediato, y su página indica que ya no está.
    [mastodon] Se pide a Mastodon que la elimine. Pueden quedar copias en otros servidores.
    [bluesky] Se pide a Bluesky que la elimine.
    [webhook] El receptor recibe un mensaje de que se ha retirado. Lo que haga el receptor es decisión suya.
   *[other] Se pide al canal que la retire. Si no puede, la publicación sigue siendo pública y su estado indica por qué.
}
posts-withdraw-order = { $count ->
    [one] Retirar de { $count } canal
   *[other] Retirar de { $count } canales
}
posts-withdrawing = La publicación se está retirando.
posts-delete = Eliminar…
posts-delete-title = ¿Eliminar esta publicación?
posts-delete-help = Este texto se elimina definitivamente. No se puede recuperar.
posts-delete-order = Eliminar la publicación
posts-deleted = La publicación se eliminó.
