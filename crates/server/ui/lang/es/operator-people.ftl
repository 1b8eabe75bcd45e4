operator-people-title = Personas
operator-people-lead = Los miembros de todas las marcas.
operator-people-filters = Buscar personas
operator-people-search = Buscar por el comienzo del ID de usuario o del correo
operator-people-person = Persona
operator-people-email = Correo electrónico
operator-people-brands = Marcas
operator-people-empty = Todavía no hay personas
operator-people-empty-hint = Las personas aparecen aquí cuando su aplicación las agrega a una marca.
operator-people-back = Todas las personas
operator-people-audit = Lo que cambió esta persona
operator-people-no-brands = Esta persona no actúa para ninguna marca
operator-people-no-brands-hint = Ya no es miembro o el ID de usuario no existe.
operator-people-no-keys = Esta persona no ha creado claves
operator-people-no-keys-hint = Las claves que cree aparecerán aquí.

operator-people-sessions = Cerrar todas las sesiones…
operator-people-sessions-title = ¿Cerrar la sesión de esta persona en todos los navegadores?
operator-people-sessions-means = Sus sesiones y enlaces de inicio de sesión terminan de inmediato. La persona puede volver a iniciar sesión: retire antes el acceso en su aplicación o en el proveedor de identidad.
operator-people-sessions-action = Cerrar todas las sesiones
operator-people-sessions-failed = No se cerró la sesión de la persona.
operator-people-sessions-done = { $count ->
    [0] No había ninguna sesión abierta.
    [one] Se cerró una sesión.
   *[other] Se cerraron { $count } sesiones.
}
operator-people-revoke = Revocar todas las claves…
operator-people-revoke-title = ¿Revocar todas las claves de esta persona?
operator-people-revoke-means = Sus claves en todas las marcas se deniegan a partir de la próxima solicitud, y el trabajo que tienen en cola se cancela. No se puede deshacer. La persona puede crear claves nuevas mientras sea miembro.
operator-people-revoke-action = Revocar todas las claves
operator-people-revoke-failed = No se revocaron todas las claves.
operator-people-revoked = { $count ->
    [0] No hubo que revocar ninguna clave
    [one] Se revocó una clave
   *[other] Se revocaron { $count } claves
}

operator-people-erase = Borrar…
operator-people-erase-title = ¿Borrar a esta persona?
operator-people-erase-final = No se puede deshacer
operator-people-erase-order = Sus direcciones se encuentran a través de sus membresías. Borre a una persona antes de quitar sus membresías.
operator-people-erase-means = De inmediato deja de ser miembro de todas las marcas, sus claves se revocan y el trabajo en cola se cancela. Después su nombre y sus direcciones se quitan de todas partes, y un seudónimo aleatorio ocupa el lugar de su ID en el historial.
operator-people-erase-action = Borrar persona
operator-people-erase-failed = La persona no se borró.
