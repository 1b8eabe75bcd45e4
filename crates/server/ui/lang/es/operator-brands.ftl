operator-brands-title = Marcas
operator-brands-lead = Todo lo que pertenece a un cliente.
operator-brands-filters = Buscar y filtrar las marcas
operator-brands-search = Buscar por el comienzo del ID o del nombre
operator-brands-plan = Plan
operator-brands-website = Sitio web
operator-brands-empty = Todavía no hay marcas
operator-brands-empty-hint = Su aplicación crea marcas con la API del operador. Aparecerán aquí.
operator-brands-back = Todas las marcas
operator-brands-not-loaded = No se pudo cargar esta marca.
operator-brands-facts = Acerca de la marca
operator-brands-competitors = Competidores
operator-brands-language = Idioma
operator-brands-time-zone = Zona horaria
operator-brands-elsewhere = De esta marca
operator-brands-parts = Partes de la marca
operator-brands-part-members = Miembros
operator-brands-part-keys = Claves
operator-brands-part-posts = Publicaciones

operator-brands-person = Persona
operator-brands-email = Correo electrónico
operator-brands-role = Rol
operator-brands-role-admin = Administrador
operator-brands-role-member = Miembro
operator-brands-no-members = Sin miembros
operator-brands-no-members-hint = Nada puede usar las claves de la marca hasta que su aplicación agregue un miembro.

operator-brands-suspend = Suspender…
operator-brands-resume = Reanudar…
operator-brands-revoke = Revocar todas las claves…
operator-brands-export = Exportar…
operator-brands-erase = Borrar…

operator-brands-is-suspended = Esta marca está suspendida
operator-brands-suspended-means = El acceso de los agentes se deniega, el trabajo en cola queda retenido (y se cancela 24 horas después de su hora), el feed responde 404 y no se pueden crear claves nuevas. Las personas todavía pueden iniciar sesión y leer.
operator-brands-suspended-at = Desde
operator-brands-suspended-by = Suspendida por
operator-brands-reason = Motivo
operator-brands-reason-hint = Solo lo ven los operadores.
operator-brands-suspend-title = ¿Suspender esta marca?
operator-brands-suspend-undo = Puede reanudar la marca en cualquier momento.
operator-brands-suspend-action = Suspender marca
operator-brands-suspend-failed = La marca no se suspendió.
operator-brands-was-suspended = { $name } está suspendida.
operator-brands-resume-title = ¿Reanudar esta marca?
operator-brands-resume-means = Sus claves vuelven a funcionar a partir de la próxima solicitud, su feed vuelve a ser público y el trabajo retenido continúa.
operator-brands-resume-action = Reanudar marca
operator-brands-resume-failed = La marca no se reanudó.
operator-brands-was-resumed = { $name } vuelve a estar activa.

operator-brands-revoke-title = ¿Revocar todas las claves de esta marca?
operator-brands-revoke-means = A partir de la próxima solicitud, todas las claves de la marca se deniegan y el trabajo que tienen en cola se cancela. No se puede deshacer. Los miembros pueden crear claves nuevas.
operator-brands-revoke-action = Revocar todas las claves
operator-brands-revoke-failed = No se revocaron todas las claves.
operator-brands-revoked = { $count ->
    [0] No hubo que revocar ninguna clave
    [one] Se revocó una clave
   *[other] Se revocaron { $count } claves
}

operator-brands-export-title = Exportar todas las filas de esta marca
operator-brands-export-means = El archivo tiene un objeto JSON en cada línea. Las claves son resúmenes criptográficos y los demás secretos siguen cifrados, pero contiene nombres y direcciones de personas: guárdelo en un lugar seguro.
operator-brands-export-exact = Suspenda antes la marca si la copia debe ser exacta.
operator-brands-export-action = Descargar
operator-brands-export-progress = Leyendo… { $size } KiB hasta ahora.
operator-brands-export-done = { $count ->
    [one] Se exportó una fila
   *[other] Se exportaron { $count } filas
}
operator-brands-export-file = El archivo { $file } está completo.
operator-brands-export-failed = La exportación no se guardó.
operator-brands-export-lost = La exportación se interrumpió antes de terminar. Compruebe su conexión e inténtelo de nuevo.

operator-brands-erase-title = ¿Borrar esta marca?
operator-brands-erase-final = No se puede deshacer
operator-brands-erase-export = Exporte antes la marca si sus datos todavía pueden necesitarse.
operator-brands-erase-means = De inmediato, sus claves se deniegan, su trabajo en cola desaparece, su feed responde 404 y sus miembros dejan de verla. Después se eliminan todas las filas de la marca: claves, publicaciones, auditorías, análisis, canales, miembros y actividad. El ID no se puede volver a usar.
operator-brands-erase-action = Borrar marca
operator-brands-erase-failed = La marca no se borró.

operator-brands-post = Publicación
operator-brands-channels = Canales
operator-brands-post-scheduled = Programada para
operator-brands-post-created = Creada
operator-brands-post-filters = Filtrar las publicaciones
operator-brands-no-posts = Todavía no hay publicaciones
operator-brands-no-posts-hint = Aquí aparecen las publicaciones que escriben los agentes y las personas de la marca.
operator-brands-post-failed = La publicación no se cambió.
operator-brands-post-partly = No se pudo detener en todos los canales
operator-brands-post-cancel = Cancelar…
operator-brands-post-cancel-of = Cancelar { $name }
operator-brands-post-cancel-title = ¿Cancelar esta publicación?
operator-brands-post-cancel-means = Lo que todavía no ha salido ya no saldrá. Un borrador se elimina.
operator-brands-post-cancel-action = Cancelar publicación
operator-brands-post-cancel-done = La publicación está cancelada
operator-brands-post-withdraw = Retirar…
operator-brands-post-withdraw-of = Retirar { $name }
operator-brands-post-withdraw-title = ¿Retirar esta publicación?
operator-brands-post-withdraw-means = La publicación se retira de todos los canales en los que es pública. Un canal que no pueda retirarla lo indica. No se puede deshacer.
operator-brands-post-withdraw-action = Retirar publicación
operator-brands-post-withdraw-done = La publicación se está retirando
operator-brands-post-retry = Reintentar…
operator-brands-post-retry-of = Reintentar { $name }
operator-brands-post-retry-title = ¿Volver a publicar esta publicación?
operator-brands-post-retry-means = Se vuelve a intentar ahora en los canales en los que falló. Nada se envía dos veces.
operator-brands-post-retry-action = Volver a publicar
operator-brands-post-retry-done = La publicación se está publicando de nuevo
