operator-erasures-title = Borrados
operator-erasures-lead = Los comprobantes de las marcas y personas que se borraron.
operator-erasures-subject = Qué se borró
operator-erasures-subject-brand = ID de la marca
operator-erasures-subject-user = Seudónimo en el historial
operator-erasures-kind = Tipo
operator-erasures-kind-brand = Marca
operator-erasures-kind-user = Persona
operator-erasures-rows = Filas
operator-erasures-by = Solicitado por
operator-erasures-requested = Solicitado
operator-erasures-finished = Terminado
operator-erasures-empty = Todavía no se ha borrado nada
operator-erasures-empty-hint = Cuando se borra una marca o una persona, el comprobante se guarda aquí.
operator-erasures-back = Todos los borrados
operator-erasures-receipt = Comprobante de un borrado
operator-erasures-not-loaded = No se pudo cargar el comprobante.
operator-erasures-running-brand = { $count ->
    [one] La marca se está borrando: una fila eliminada hasta ahora
   *[other] La marca se está borrando: { $count } filas eliminadas hasta ahora
}
operator-erasures-running-user = { $count ->
    [one] La persona se está borrando: una fila cambiada hasta ahora
   *[other] La persona se está borrando: { $count } filas cambiadas hasta ahora
}
operator-erasures-running-next = Un minuto después de la última fila, se vuelven a revisar todas las tablas. Puede salir de esta página: el trabajo continúa.
operator-erasures-done-brand = { $count ->
    [one] La marca está borrada: se eliminó una fila
   *[other] La marca está borrada: se eliminaron { $count } filas
}
operator-erasures-done-user = { $count ->
    [one] La persona está borrada: se cambió una fila
   *[other] La persona está borrada: se cambiaron { $count } filas
}
operator-erasures-done-next-brand = Ahora solo este comprobante nombra la marca. Su ID no se puede volver a usar.
operator-erasures-done-next-user = Este comprobante también ha olvidado a la persona. Conserve su ID si tiene que demostrar el borrado.
