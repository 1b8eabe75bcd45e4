approvals-title = Aprovações
approvals-lead = { $count ->
    [0] Um assistente cuja chave pede aprovação antes aguarda aqui por uma pessoa.
    [one] { $count } ação aguarda uma decisão. Nada disso aconteceu ainda.
   *[other] { $count } ações aguardam uma decisão. Nada disso aconteceu ainda.
}

approvals-waiting = Aguardando aprovação
approvals-nothing-waits = Nada aguarda aprovação
approvals-nothing-waits-help = Quando um assistente quiser fazer algo que precise da sua decisão, isso aparecerá aqui automaticamente.
approvals-behind = Não foi possível atualizar a lista. Haverá uma nova tentativa em alguns segundos.
approvals-asked-by = { $title }, solicitado por { $label }
approvals-times = Solicitado { $requested }, expira { $expires }
approvals-open = Ler e decidir
    .aria-label = Ler e decidir: { $title }, solicitado por { $label }
approvals-open-only = Ler
    .aria-label = Ler: { $title }, solicitado por { $label }
approvals-older = Mostrar ações mais antigas
approvals-older-not-loaded = Não foi possível carregar as ações mais antigas.
approvals-shortcuts = Usar atalhos de teclado
approvals-shortcuts-help = J e K, ou as setas na lista, alternam entre as ações. Enter abre uma ação. Com a ação aberta, A aprova e R rejeita.

approvals-not-loaded = Não foi possível carregar a ação.
approvals-key = Chave
approvals-person = Chave criada por
approvals-requested = Solicitado
approvals-expires = Expira
approvals-when = Quando
approvals-notes = Observações
approvals-stays-draft = Ainda não: continua como rascunho
approvals-at-once = Assim que for aprovado
approvals-target = { $status ->
    [draft] { $channel } (depois: rascunho)
    [scheduled] { $channel } (depois: agendado)
    [publishing] { $channel } (depois: publicado)
    [published] { $channel } (depois: publicado)
    [withdrawing] { $channel } (depois: retirado)
    [withdrawn] { $channel } (depois: retirado)
    [cancelled] { $channel } (depois: cancelado)
    [failed] { $channel } (falhou)
   *[other] { $channel }
}
approvals-show-arguments = Mostrar o que o assistente enviou
approvals-arguments = Argumentos
approvals-none = Nenhum
approvals-argument-text = Texto
approvals-argument-title = Título
approvals-argument-link = Link
approvals-argument-media = Mídia
approvals-argument-channels = Canais
approvals-argument-mode = Modo
approvals-mode = { $mode ->
    [draft] Manter como rascunho
    [schedule] Publicar no horário definido
   *[now] Publicar agora
}
approvals-argument-scheduled-at = Horário
approvals-argument-post-id = Post
approvals-argument-subject = Assunto
approvals-argument-recipients = Destinatários
approvals-only-admins = Somente um administrador pode decidir.
approvals-only-creator = Somente { $person } ou um administrador pode decidir.
approvals-would-fail = Falharia agora
approvals-would-fail-help = Verifique novamente quando isso estiver resolvido ou rejeite a ação.
approvals-changed = A ação mudou desde que você a viu
approvals-changed-help = Nada foi feito. Veja abaixo o que ela faria agora. Leia e decida novamente.

approvals-approve = Aprovar
approvals-approve-changed = Aprovar com alterações
approvals-edit = Editar…
approvals-edit-title = Editar: { $title }
approvals-reject = Rejeitar…
approvals-reject-now = Rejeitar
approvals-reject-title = Rejeitar: { $title }
approvals-look-again = Verificar novamente
approvals-back = Voltar
approvals-note = Observação (opcional)
approvals-note-hint = O assistente a lê se você aprovar.
approvals-reason = Motivo
approvals-reason-hint = O assistente o lê. Diga o que deveria ser diferente.
approvals-reason-missing = Escreva um motivo para que o assistente possa melhorar.
approvals-changes = Suas alterações
approvals-no-changes = Nada foi alterado ainda.
approvals-with-changes = { $count ->
    [one] Você alterou { $count } argumento
   *[other] Você alterou { $count } argumentos
}
approvals-with-changes-help = A prévia mostra o que o assistente solicitou. Se você aprovar, a ação será executada com as suas alterações.
approvals-your-zone = No seu fuso horário: { $zone }.
approvals-json = Em JSON.
approvals-not-json = Nada foi decidido: um dos valores não é um JSON válido.
approvals-approved = “{ $title }”: ação aprovada e executada.
approvals-rejected = “{ $title }”: ação rejeitada. O assistente lerá o motivo informado.
approvals-not-decided = Nada foi decidido.
approvals-outcome-unknown = Não se sabe se a sua decisão chegou. Você pode tentar novamente com segurança.

approvals-decided = Decididas
approvals-decided-not-loaded = Não foi possível carregar as decisões.
approvals-none-decided = Nada foi decidido ainda.
approvals-none-fits = Nada tem este resultado.
approvals-older-decided = Mostrar decisões mais antigas
approvals-filter = Resultado
approvals-status-all = Todos
approvals-status = { $status ->
    [done] Aprovada
    [approved] Aprovada
    [failed] Com falha
    [rejected] Rejeitada
    [expired] Expirada
    [cancelled] Cancelada
   *[other] Aguardando
}
approvals-head-what = Ação
approvals-head-result = Resultado
approvals-head-by = Por
approvals-head-at = Quando
approvals-end = { $status ->
    [done] { $who ->
        [me] Você aprovou, e a ação foi executada
       *[other] { $person } aprovou, e a ação foi executada
    }
    [failed] { $who ->
        [me] Você aprovou, mas a ação falhou
       *[other] { $person } aprovou, mas a ação falhou
    }
    [rejected] { $who ->
        [me] Você rejeitou, e a ação não foi executada
       *[other] { $person } rejeitou, e a ação não foi executada
    }
    [cancelled] { $who ->
        [me] Você retirou o acesso da chave, e a ação não foi executada
       *[other] { $person } retirou o acesso da chave, e a ação não foi executada
    }
   *[expired] A ação expirou e não foi executada
}
approvals-with-reason = Motivo: { $reason }
approvals-with-note = Observação: { $note }
approvals-changes-made = O que foi alterado na aprovação

approvals-settings = Quando as chaves pedem aprovação
approvals-settings-help = Uma chave que pede aprovação antes aguarda até que uma pessoa aprove. Sem uma decisão em 72 horas, nada acontece.
approvals-emails = Enviar um e-mail quando algo aguardar a minha aprovação
approvals-minimum = Todas as chaves pedem aprovação
approvals-rule = { $rule ->
    [none] Nunca
    [outward] Antes de qualquer envio externo
   *[all] Antes de cada alteração
}
approvals-approvers = Quem decide
approvals-approver = { $who ->
    [admins] Somente administradores
   *[members] A pessoa que criou a chave e os administradores
}
approvals-saved = Salvo.
approvals-not-saved = Não foi salvo.
