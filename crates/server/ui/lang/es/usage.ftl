usage-document-title = Cuotas · { $brand }
usage-title = Cuotas
usage-lead = Qué puede usar { $brand } en el plan «{ $plan }» y cuánto se usa ahora.
usage-refresh = Actualizar
usage-fresh = Actualizado.
usage-failed = No se pudieron cargar las cuotas.
usage-summary = Resumen
usage-enough = Hay suficiente de todo
usage-near =
    { $count ->
        [one] Una cuota está casi agotada
       *[other] { $count } cuotas están casi agotadas
    }
usage-full =
    { $count ->
        [one] Una cuota está agotada
       *[other] { $count } cuotas están agotadas
    }
usage-full-next = Las llamadas que necesitan más se deniegan hasta que se libere una parte. Espere, quite lo que ya no se necesite o cambie a un plan con cuotas más altas.
usage-full-next-member = Las llamadas que necesitan más se deniegan hasta que se libere una parte. Espere, quite lo que ya no se necesite o pida a un administrador un plan con cuotas más altas.
usage-used-up = Agotada
usage-of = { $used } de { $limit }
usage-frees = Una parte se libera { $when }.
usage-more = Cuánto se usó cada clave y cada herramienta, día a día: { $link }

usage-group-period = Por día o por hora
    .lead = Las diarias empiezan de nuevo a medianoche UTC.
usage-group-now = Al mismo tiempo
    .lead = Lo que está en curso o en espera ahora. Se libera a medida que termina el trabajo.
usage-group-stored = Guardado
    .lead = Lo que existe ahora.
usage-group-other = Otras

usage-posts_per_day = Publicaciones por día
    .frees = Se libera a medianoche UTC.
usage-report_emails_per_day = Informes por correo por día
    .frees = Se libera a medianoche UTC.
usage-audits_per_day = Auditorías por día
    .frees = Se libera a medianoche UTC.
usage-analyses_per_day = Análisis por día
    .frees = Se libera a medianoche UTC.
usage-keyword_searches_per_day = Búsquedas de palabras clave por día
    .frees = Se libera a medianoche UTC.
usage-connection_tests_per_hour = Pruebas de conexiones por hora
    .frees = Se libera a la próxima hora en punto.
usage-open_long_jobs = Auditorías y análisis sin terminar
    .frees = Se libera cuando termina uno de ellos.
usage-concurrent_waits = Llamadas que esperan un resultado
    .frees = Se libera cuando termina una de ellas.
usage-queued_targets = Publicaciones programadas, contadas en cada canal
    .frees = Se libera cuando una publicación se publica o se cancela.
usage-pending_approvals = Llamadas que esperan aprobación, de la clave que más tiene
    .frees = Se libera cuando una persona decide sobre una de ellas.
usage-keys = Claves activas
    .frees = Revoque una clave para liberar una.
usage-schedules = Programaciones
    .frees = Quite una programación para liberar una.
usage-drafts = Borradores
    .frees = Publique o elimine un borrador para liberar uno.
usage-stored_audits = Auditorías guardadas
    .frees = Por encima del límite, se eliminan las más antiguas.
usage-stored_analyses = Análisis guardados
    .frees = Por encima del límite, se eliminan los más antiguos.
