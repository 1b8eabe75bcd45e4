operator-erasures-title = Eliminações
operator-erasures-lead = Os comprovantes das marcas e pessoas que foram eliminadas.
operator-erasures-subject = O que foi eliminado
operator-erasures-subject-brand = ID da marca
operator-erasures-subject-user = Pseudônimo no histórico
operator-erasures-kind = Tipo
operator-erasures-kind-brand = Marca
operator-erasures-kind-user = Pessoa
operator-erasures-rows = Linhas
operator-erasures-by = Solicitada por
operator-erasures-requested = Solicitação
operator-erasures-finished = Conclusão
operator-erasures-empty = Nada foi eliminado ainda
operator-erasures-empty-hint = Quando uma marca ou uma pessoa é eliminada, o comprovante é guardado aqui.
operator-erasures-back = Todas as eliminações
operator-erasures-receipt = Comprovante de eliminação
operator-erasures-not-loaded = Não foi possível carregar o comprovante.
operator-erasures-running-brand = { $count ->
    [one] A marca está sendo eliminada: { $count } linha excluída até agora
   *[other] A marca está sendo eliminada: { $count } linhas excluídas até agora
}
operator-erasures-running-user = { $count ->
    [one] A pessoa está sendo eliminada: { $count } linha alterada até agora
   *[other] A pessoa está sendo eliminada: { $count } linhas alteradas até agora
}
operator-erasures-running-next = Um minuto após a última linha, todas as tabelas são verificadas novamente. Você pode sair desta página: o trabalho continua.
operator-erasures-done-brand = { $count ->
    [one] A marca foi eliminada: { $count } linha excluída
   *[other] A marca foi eliminada: { $count } linhas excluídas
}
operator-erasures-done-user = { $count ->
    [one] A pessoa foi eliminada: { $count } linha alterada
   *[other] A pessoa foi eliminada: { $count } linhas alteradas
}
operator-erasures-done-next-brand = Somente este comprovante menciona a marca agora. O ID dela não pode ser usado novamente.
operator-erasures-done-next-user = Este comprovante também já não identifica a pessoa. Guarde o ID dele se precisar provar a eliminação.
