keys-title = Claves MCP
keys-refresh = Actualizar
keys-refreshed = Actualizado.
keys-not-refreshed = No se actualizó. { $problem }
keys-create = Crear clave
keys-connect-brand = Conecte un asistente como Claude o Cursor con { $brand }.
keys-none-active = No hay ninguna clave activa para { $brand }.
keys-summary = { $keys ->
        [one] { $keys } clave activa
       *[other] { $keys } claves activas
    } para { $brand }, { $writing ->
        [0] ninguna con permiso de escritura
       *[other] { $writing } con permiso de escritura
    }, en manos de { $people ->
        [one] { $people } persona
       *[other] { $people } personas
    }.
keys-paused-count = { $count ->
        [one] { $count } clave está en pausa.
       *[other] { $count } claves están en pausa.
    }
keys-plan-inactive = MCP no está activo en el plan «{ $plan }»
keys-plan-means = Todas las claves se conservan, pero cada llamada con ellas se deniega (403) hasta que MCP vuelva a estar activo. Una clave creada ahora también empezará a funcionar entonces.
keys-plan-admin = Qué hacer: cambie { $brand } a un plan que incluya MCP. Las claves funcionarán de inmediato y no habrá que configurar nada de nuevo.
keys-plan-member = Qué hacer: pida a un administrador de { $brand } un plan que incluya MCP. Las claves funcionarán de inmediato y no habrá que configurar nada de nuevo.
keys-approvals-wait = { $count ->
        [one] { $count } acción espera aprobación
       *[other] { $count } acciones esperan aprobación
    }

keys-search = Buscar claves
    .placeholder = Etiqueta, prefijo o persona
keys-filter-state = Estado
keys-filter-access = Acceso
keys-filter-owner = Creada por
keys-any = Cualquiera
keys-anyone = Cualquiera
keys-others = Otras personas
keys-sort = Ordenar
keys-sort-newest = Más recientes primero
keys-sort-oldest = Más antiguas primero
keys-sort-label = Etiqueta, de la A a la Z
keys-sort-used = Último uso, más reciente primero
keys-sort-unused = Último uso, nunca usadas primero
keys-sort-access = Mayor acceso primero
keys-sort-expiry = Caducidad más próxima primero
keys-show-current = No revocadas
keys-show-active = Activas
keys-show-paused = En pausa
keys-show-expiring = Caducan pronto
keys-show-idle = Sin usar desde hace 90 días
keys-show-expired = Caducadas
keys-show-revoked = Revocadas
keys-show-all = Todas
keys-count = { $count ->
        [one] { $count } clave
       *[other] { $count } claves
    }
keys-count-shown = { $count ->
        [one] { $shown } de { $count } clave
       *[other] { $shown } de { $count } claves
    }
keys-nothing-fits = Ninguna clave coincide con estos filtros
keys-show-every = Mostrar todas las claves
keys-table = Claves
keys-column-key = Clave
keys-column-access = Acceso
keys-column-created = Creada
keys-column-used = Último uso
keys-column-expires = Caduca
keys-column-state = Estado
keys-column-actions = Acciones
keys-scope-full = alcance «full»
keys-chosen-tools = { $count ->
        [one] solo { $count } herramienta elegida
       *[other] solo { $count } herramientas elegidas
    }
keys-asks-first = Pregunta antes
keys-idle = Sin usar desde el { $date }
keys-expires = Caduca { $when }
keys-badge-expiring = Caduca pronto
keys-badge-idle = Sin usar
keys-badge-rotating = Secreto nuevo
keys-attention-expiring = { $count ->
        [one] { $count } clave caduca en los próximos 14 días.
       *[other] { $count } claves caducan en los próximos 14 días.
    }
keys-attention-idle = { $count ->
        [one] { $count } clave no se ha usado desde hace 90 días. Revóquela si no se necesita.
       *[other] { $count } claves no se han usado desde hace 90 días. Revoque las que no se necesiten.
    }
keys-attention-show = { $count ->
        [one] Mostrarla
       *[other] Mostrarlas
    }
keys-show = Mostrar
keys-show-secret-of = Mostrar el secreto de { $label }
keys-revoke = Revocar
keys-revoke-key = Revocar { $label }
keys-first = Todavía no hay claves
keys-first-what = Una clave permite que un asistente trabaje para { $brand }, hasta donde usted lo autorice. Dé a cada asistente la suya, para poder retirar una sin afectar a las demás.
keys-first-step-1 = Cree una clave
keys-first-step-2 = Pegue una entrada en su asistente
keys-first-step-3 = Vea aquí mismo cómo se conecta
keys-first-create = Crear la primera clave

keys-state-active = Activa
keys-state-paused = En pausa
keys-state-expired = Caducada
keys-state-revoked = Revocada
keys-because-revoked = No se puede volver a usar.
keys-because-leaked = Se informó de que su secreto es público. No se puede volver a usar.
keys-because-expired = Su plazo ha terminado. Cree una clave nueva para continuar o establezca una caducidad posterior.
keys-because-plan = MCP no está activo en el plan de la marca.
keys-because-owner-gone = La persona que la creó ya no es miembro de la marca.
keys-because-owner-removed = La persona que la creó fue quitada de la marca y ha vuelto. Esa persona o un administrador puede reanudarla.
keys-because-paused = Se deniega hasta que la persona que la creó o un administrador la reanude.
keys-has-expired = Esta clave ha caducado
keys-was-revoked = Esta clave se revocó entretanto
keys-scope-read = Puede leer
keys-scope-write = Puede leer y escribir
keys-rule-none = Nunca
keys-rule-outward = Antes de que algo salga al exterior
keys-rule-all = Antes de cada cambio
keys-rule-none-means = Actúa de inmediato, sin preguntar.
keys-rule-outward-means = Una persona aprueba lo que se notaría desde fuera: las publicaciones que publica, programa o retira y los informes que envía por correo.
keys-rule-all-means = Una persona aprueba todo lo que hace, excepto leer.
