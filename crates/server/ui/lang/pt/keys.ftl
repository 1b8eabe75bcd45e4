keys-title = Chaves MCP
keys-refresh = Atualizar
keys-refreshed = Atualizado.
keys-not-refreshed = Não foi atualizado. { $problem }
keys-create = Criar chave
keys-connect-brand = Conecte um assistente, como Claude ou Cursor, a { $brand }.
keys-none-active = Nenhuma chave ativa para { $brand }.
keys-summary = { $keys ->
        [one] { $keys } chave ativa
       *[other] { $keys } chaves ativas
    } para { $brand }, { $writing ->
        [0] nenhuma com acesso de gravação
       *[other] { $writing } com acesso de gravação
    }, de { $people ->
        [one] { $people } pessoa
       *[other] { $people } pessoas
    }.
keys-paused-count = { $count ->
        [one] { $count } chave está pausada.
       *[other] { $count } chaves estão pausadas.
    }
keys-plan-inactive = O MCP não está ativo no plano “{ $plan }”
keys-plan-means = Todas as chaves são mantidas, mas cada chamada é recusada (403) até que o MCP esteja ativo novamente. Uma chave criada agora também só funcionará a partir de então.
keys-plan-admin = O que fazer: mude { $brand } para um plano que inclua o MCP. As chaves passam a funcionar imediatamente, e nada precisa ser configurado de novo.
keys-plan-member = O que fazer: peça a um administrador de { $brand } um plano que inclua o MCP. As chaves passam a funcionar imediatamente, e nada precisa ser configurado de novo.
keys-approvals-wait = { $count ->
        [one] { $count } ação aguarda aprovação
       *[other] { $count } ações aguardam aprovação
    }

keys-search = Buscar chaves
    .placeholder = Rótulo, prefixo ou pessoa
keys-filter-state = Status
keys-filter-access = Acesso
keys-filter-owner = Criada por
keys-any = Qualquer
keys-anyone = Qualquer pessoa
keys-others = Outras pessoas
keys-sort = Ordenar
keys-sort-newest = Mais recentes primeiro
keys-sort-oldest = Mais antigas primeiro
keys-sort-label = Rótulo, de A a Z
keys-sort-used = Último uso, mais recente primeiro
keys-sort-unused = Último uso, nunca usadas primeiro
keys-sort-access = Maior acesso primeiro
keys-sort-expiry = Expiram antes
keys-show-current = Não revogadas
keys-show-active = Ativas
keys-show-paused = Pausadas
keys-show-expiring = Expiram em breve
keys-show-idle = Sem uso há 90 dias
keys-show-expired = Expiradas
keys-show-revoked = Revogadas
keys-show-all = Todas
keys-count = { $count ->
        [one] { $count } chave
       *[other] { $count } chaves
    }
keys-count-shown = { $count ->
        [one] { $shown } de { $count } chave
       *[other] { $shown } de { $count } chaves
    }
keys-nothing-fits = Nenhuma chave corresponde a estes filtros
keys-show-every = Mostrar todas as chaves
keys-table = Chaves
keys-column-key = Chave
keys-column-access = Acesso
keys-column-created = Criação
keys-column-used = Último uso
keys-column-expires = Expiração
keys-column-state = Status
keys-column-actions = Ações
keys-scope-full = escopo “full”
keys-chosen-tools = { $count ->
        [one] somente { $count } ferramenta escolhida
       *[other] somente { $count } ferramentas escolhidas
    }
keys-asks-first = Pede aprovação
keys-idle = Sem uso desde { $date }
keys-expires = Expira { $when }
keys-badge-expiring = Expira em breve
keys-badge-idle = Sem uso
keys-badge-rotating = Novo segredo
keys-attention-expiring = { $count ->
        [one] { $count } chave expira em até 14 dias.
       *[other] { $count } chaves expiram em até 14 dias.
    }
keys-attention-idle = { $count ->
        [one] { $count } chave não é usada há 90 dias. Revogue-a se não for necessária.
       *[other] { $count } chaves não são usadas há 90 dias. Revogue as que não forem necessárias.
    }
keys-attention-show = { $count ->
        [one] Mostrar chave
       *[other] Mostrar chaves
    }
keys-show = Mostrar
keys-show-secret-of = Mostrar o segredo de { $label }
keys-revoke = Revogar
keys-revoke-key = Revogar { $label }
keys-first = Nenhuma chave ainda
keys-first-what = Uma chave permite que um assistente trabalhe para { $brand }, dentro do que você autorizar. Dê a cada assistente a sua própria chave, para poder encerrar uma sem afetar as outras.
keys-first-step-1 = Crie uma chave
keys-first-step-2 = Cole uma entrada no seu assistente
keys-first-step-3 = Veja a conexão acontecer aqui mesmo
keys-first-create = Criar a primeira chave

keys-state-active = Ativa
keys-state-paused = Pausada
keys-state-expired = Expirada
keys-state-revoked = Revogada
keys-because-revoked = Não pode mais ser usada.
keys-because-leaked = O segredo dela foi informado como público. Não pode mais ser usada.
keys-because-expired = O prazo dela acabou. Crie uma nova chave para continuar ou defina uma expiração posterior.
keys-because-plan = O MCP não está ativo no plano da marca.
keys-because-owner-gone = A pessoa que a criou não é mais membro da marca.
keys-because-owner-removed = A pessoa que a criou foi removida da marca e voltou. Essa pessoa ou um administrador pode reativá-la.
keys-because-paused = É recusada até que quem a criou ou um administrador a reative.
keys-has-expired = Esta chave expirou
keys-was-revoked = Esta chave foi revogada nesse meio-tempo
keys-scope-read = Pode ler
keys-scope-write = Pode ler e gravar
keys-rule-none = Nunca
keys-rule-outward = Antes de qualquer envio externo
keys-rule-all = Antes de cada alteração
keys-rule-none-means = Age imediatamente, sem pedir aprovação.
keys-rule-outward-means = Uma pessoa aprova o que seria percebido por quem está de fora: posts que a chave publica, agenda ou retira e relatórios que ela envia por e-mail.
keys-rule-all-means = Uma pessoa aprova tudo o que a chave faz, exceto leitura.
