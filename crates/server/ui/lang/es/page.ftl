page-name = Claves MCP
page-settings = Configuración
page-skip = Saltar al contenido
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = No se pudo cargar su configuración.
page-views = Vistas
page-waiting = { $count ->
        [one] { $count } acción en espera
       *[other] { $count } acciones en espera
    }
page-new-waiting = { $count ->
        [one] Una acción nueva espera aprobación. En total espera { $count } acción.
       *[other] Una acción nueva espera aprobación. En total esperan { $count } acciones.
    }
page-view-keys = Claves
page-view-approvals = Aprobaciones
page-view-posts = Publicaciones
page-view-site = Sitio web
page-view-connections = Conexiones
page-view-usage = Cuotas
page-view-activity = Actividad
page-view-not-loaded = No se pudo cargar esta vista.
page-unknown-view = Esta vista no existe
page-style-not-loaded = No se pudo cargar el estilo de esta vista.
page-operator = Consola del operador

page-brand = Marca
page-role-admin = Administrador
page-role-member = Miembro
page-sign-out = Cerrar sesión
page-signed-in-as = Sesión iniciada como { $user }
page-still-signed-in = Su sesión sigue abierta. { $problem }
page-signed-in-again = Ha vuelto a iniciar sesión.

page-link-not-used = Su sesión sigue abierta: no se pudo usar el enlace que se abrió. { $problem }
page-session-ended = Su sesión ha terminado
page-session-ends-soon = Su sesión termina pronto
page-session-ends = Termina { $when }.
page-sign-in-again = { $link } y después continúe aquí. Lo que ha escrito se conserva.
    .link = Inicie sesión de nuevo en otra pestaña
page-open-again = Abra Configuración → MCP desde su aplicación en otra pestaña y después continúe aquí. Lo que ha escrito se conserva.

loading = Cargando…
try-again = Reintentar
close = Cerrar
cancel = Cancelar
discard = Descartar
discard-keep = Seguir editando
discard-question = Lo que ha escrito no se ha guardado
remove = Quitar
unexpected-error = Se produjo un error inesperado en esta página. Inténtelo de nuevo o vuelva a cargarla.
support-number = Si sigue ocurriendo, indique este número a su servicio de soporte: { $number }
in-a-moment = en menos de un minuto
just-now = ahora mismo
full-time = { $when } ({ $exact })
never = Nunca
dismiss = Descartar este mensaje
you = Usted
unknown-person = Una persona desconocida
copy = Copiar
copied = Copiado
copied-announced = Copiado en el portapapeles.
copy-by-keyboard = Pulse Ctrl+C
copy-selected = El texto está seleccionado. Pulse Ctrl+C o ⌘C para copiarlo.
service-unreachable = No se pudo contactar con el servicio. Compruebe su conexión e inténtelo de nuevo.
answer-unreadable = No se pudo leer la respuesta del servicio ({ $status }). Inténtelo de nuevo en un momento.

page-back = Volver
page-back-to = Volver a { $name }
