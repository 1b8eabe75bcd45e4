keys-rule-not-changed = A regra não foi alterada.
keys-scope-read-means = O assistente pode consultar informações. Não pode alterar, publicar nem enviar nada.
keys-scope-write-means = O assistente também pode agir pela marca: publicar posts, executar análises e auditorias, enviar relatórios por e-mail e pesquisar palavras-chave.
keys-minimum-outward = Todas as chaves desta marca pedem aprovação antes de qualquer envio externo.
keys-minimum-all = Todas as chaves desta marca pedem aprovação antes de cada alteração.
keys-saved = Salvo.

keys-create-title = Criar uma chave
keys-creating = Criando…
keys-label = Rótulo
keys-label-hint = Indique o assistente e onde ele é executado, para reconhecê-lo depois.
keys-what-it-can = O que ela pode fazer
keys-opens-tools = { $count ->
        [one] Dá acesso a { $count } ferramenta
       *[other] Dá acesso a { $count } ferramentas
    }
keys-ask-first = Pedir aprovação
keys-tools = Ferramentas
keys-only-some = Somente algumas destas ferramentas
keys-writes = grava
keys-expiry = Expiração
keys-expiry-hint = Depois disso, a chave deixa de funcionar automaticamente.
keys-expiry-date = Data de expiração
keys-lifetime-0 = Nunca
keys-lifetime-7 = Em 7 dias
keys-lifetime-30 = Em 30 dias
keys-lifetime-90 = Em 90 dias
keys-lifetime-365 = Em um ano
keys-lifetime-date = Em uma data…
keys-lifetime-keep = Como está: { $date }
keys-lifetime-keep-never = Como está: nunca
keys-networks = Redes
keys-networks-hint = Uma por linha, como 203.0.113.0/24. De outros locais, a chave é recusada. Vazio: funciona de qualquer lugar.
keys-can-reveal = Posso mostrar o segredo novamente mais tarde
keys-can-reveal-hint = Desativar é mais rigoroso: somente uma impressão digital é guardada, e uma chave perdida precisa ser substituída.
keys-field-fault = { $field }: { $fault }.
keys-not-created = A chave não foi criada.
keys-limit-reached = Esta marca atingiu o número máximo de chaves ativas
keys-see-keys = Ver as chaves
keys-edit-title = Editar “{ $label }”
keys-edit-others = Esta chave foi criada por { $owner }, portanto você só pode torná-la mais restrita: menos ferramentas, expiração mais próxima, mais pedidos de aprovação, menos redes.
keys-scope-narrow = Uma chave só pode perder acesso. Para ter mais acesso, crie uma nova chave.
keys-save = Salvar
keys-saving = Salvando…
keys-not-saved = A chave não foi alterada.
keys-not-saved-unknown = Não se sabe se a chave foi alterada. Você pode salvar novamente com segurança.
keys-changed = A chave “{ $label }” foi alterada. A alteração vale a partir da próxima chamada.
keys-nothing-changed = Nada foi alterado.

keys-ready = A chave “{ $label }” está pronta
keys-copy-key = Copiar a chave
keys-done = Concluir
keys-close-uncopied = Fechar sem copiar
keys-not-copied = Você ainda não copiou a chave
keys-not-copied-means = Ela não poderá ser mostrada novamente. Copie-a agora ou feche mais uma vez se não precisar dela.
keys-copy-or-later = Copie-a agora ou mostre-a novamente mais tarde
keys-copy-or-later-means = Somente você pode mostrá-la novamente, com “Mostrar” na lista de chaves. Não a compartilhe: quem a tiver pode agir como este assistente.
keys-copy-now = Copie-a agora: ela não será mostrada novamente
keys-copy-now-means = O serviço guarda somente uma impressão digital dela. Se ela se perder, revogue esta chave e crie uma nova.

keys-show-its-secret = Mostrar o segredo
keys-lost = A conexão foi interrompida
keys-lost-looking = A resposta se perdeu, por isso ainda não se sabe se a chave “{ $label }” foi criada. Verificando a lista de chaves…
keys-lost-unknown = Não se sabe se a chave “{ $label }” foi criada
keys-lost-unknown-means = Também não foi possível carregar a lista de chaves. Verifique a sua conexão e depois verifique a lista novamente.
keys-lost-none = Nenhuma chave “{ $label }” foi criada
keys-lost-none-means = A lista não contém essa chave, portanto você pode tentar novamente com segurança. Os dados preenchidos são mantidos.
keys-lost-created = A chave “{ $label }” foi criada, mas o segredo não chegou
keys-lost-created-when = Criada { $when }, com o prefixo { $prefix }.
keys-lost-show = Mostre o segredo agora e continue, ou revogue a chave e tente novamente.
keys-lost-secret = Ela foi criada sem o direito de mostrar o segredo novamente, portanto ele se perdeu. Revogue a chave e tente novamente.
keys-look-again = Verificar novamente
keys-revoke-and-retry = Revogar e tentar novamente
keys-not-shown = Não foi possível mostrar o segredo.
keys-not-revoked = Não foi possível revogar a chave “{ $label }”.

keys-show-again = Mostrar novamente
keys-shown-announced = O segredo é mostrado por { $seconds } segundos.
keys-hidden-announced = O segredo está oculto.
keys-hides-in = Será ocultado em { $seconds } s e quando você sair desta aba.
keys-hidden = Oculto. Cada exibição é registrada na atividade.
keys-gone-means = O segredo dela não serve mais. A lista de chaves está atualizada agora. Crie uma nova chave para continuar.
keys-create-new = Criar uma nova chave
keys-no-secret = Não é possível mostrar o segredo desta chave
keys-no-secret-why = Ela foi criada sem o direito de mostrar o segredo novamente, por isso o serviço guarda somente uma impressão digital dele. Não é possível recuperá-lo.
keys-no-secret-next = Se você ainda o tiver, continue a usá-lo. Se o perdeu, dê um novo segredo à chave ou revogue-a e crie uma nova com as mesmas configurações.
keys-revoke-and-create = Revogar e criar uma nova

keys-revoke-title = Revogar esta chave?
keys-revoke-means = O assistente que a usa perde o acesso imediatamente. Não é possível desfazer, mas uma nova chave pode ser criada a qualquer momento.
keys-revoke-cancels = O que ela tem na fila, como posts agendados e e-mails de relatório, é cancelado, assim como as aprovações pendentes dela.
keys-revoke-keeps = O que ela tem na fila, como posts agendados e e-mails de relatório, ainda é enviado. Agendamentos recorrentes e aprovações pendentes são encerrados.
keys-keep-queued = Enviar o que ela tem na fila
keys-keep-it = Manter
keys-revoke-confirm = Revogar chave
keys-revoking = Revogando…
keys-revoked = A chave “{ $label }” foi revogada. A próxima chamada será recusada.
keys-revoked-title = A chave “{ $label }” foi revogada
keys-revoked-means = A próxima chamada será recusada.
keys-cancelled = Cancelado: { $work }.
keys-already-sending = Já a caminho, não foi possível interromper: { $work }.
keys-work-posts = { $count ->
        [one] { $count } post
       *[other] { $count } posts
    }
keys-work-mails = { $count ->
        [one] { $count } e-mail de relatório
       *[other] { $count } e-mails de relatório
    }
keys-work-jobs = { $count ->
        [one] { $count } auditoria ou análise
       *[other] { $count } auditorias e análises
    }
keys-work-approvals = { $count ->
        [one] { $count } aprovação
       *[other] { $count } aprovações
    }
keys-work-schedules = { $count ->
        [one] { $count } agendamento
       *[other] { $count } agendamentos
    }

keys-show-secret = Mostrar o segredo
keys-belongs-to = Esta chave pertence a { $owner }
keys-belongs-admin = Somente { $owner } pode mostrar o segredo. Como administrador, você pode revogá-la.
keys-belongs-member = Somente { $owner } pode mostrar o segredo, e somente { $owner } ou um administrador pode revogá-la.
keys-fact-state = Status
keys-fact-prefix = Prefixo
keys-fact-access = Acesso
keys-fact-created-by = Criada por
keys-fact-created = Criação
keys-fact-used = Último uso
keys-fact-used-from = Último uso a partir de
keys-fact-used-by = Último uso por
keys-fact-networks = Funciona somente de
keys-fact-expires = Expiração
keys-fact-revoked = Revogação
keys-fact-secret = Segredo
keys-secret-mine = Você pode mostrá-lo novamente
keys-secret-others = Somente quem a criou pode mostrá-lo novamente
keys-secret-never = Não pode ser mostrado novamente: somente uma impressão digital dele é guardada
keys-tools-title = Ferramentas que ela pode usar
keys-tools-few = Ferramentas que ela pode usar, uma seleção
keys-activity = Atividade recente
keys-activity-not-loaded = Não foi possível carregar a atividade.
keys-soon-title = Ela expira { $when }
keys-soon-mine = Defina uma expiração posterior se ela ainda for necessária. O segredo e as configurações são mantidos.
keys-soon-others = Somente { $owner } pode definir uma expiração posterior.
keys-idle-title = Ela não é usada desde { $date }
keys-idle-means = Revogue-a se não for mais necessária. Uma chave esquecida pode ser usada indevidamente sem que ninguém perceba.
keys-pause = Pausar
keys-resume = Reativar
keys-not-paused = Não foi possível pausar a chave “{ $label }”.
keys-not-resumed = Não foi possível reativar a chave “{ $label }”.
keys-is-paused = A chave “{ $label }” está pausada. A próxima chamada será recusada.
keys-is-resumed = A chave “{ $label }” funciona novamente.
keys-edit = Editar
keys-new-secret = Novo segredo…
keys-revoke-ask = Revogar…

keys-rotate-title = Dar um novo segredo a “{ $label }”
keys-rotate-means = A chave mantém o nome, os direitos e o histórico. Insira o novo segredo no seu assistente enquanto o antigo ainda funciona.
keys-grace = O segredo antigo funciona por
keys-grace-hint = Escolha “Nenhum tempo” se outras pessoas puderem conhecer o segredo antigo. Nesse caso, o assistente é recusado até receber o novo.
keys-grace-0 = Nenhum tempo
keys-grace-3600 = 1 hora
keys-grace-86400 = 1 dia
keys-grace-259200 = 3 dias
keys-grace-604800 = 7 dias
keys-rotate = Criar o novo segredo
keys-rotating = Criando…
keys-not-rotated = A chave mantém o segredo atual.
keys-rotated = A chave “{ $label }” tem um novo segredo
keys-rotated-old = O segredo antigo funciona até { $when }. Troque-o no assistente antes disso.
keys-rotated-at-once = O segredo antigo é recusado a partir de agora.
keys-rotate-lost = Não se sabe se a chave tem um novo segredo
keys-rotate-lost-means = A resposta se perdeu, e não foi possível carregar a chave. Verifique a sua conexão e depois verifique a chave novamente.
keys-rotate-lost-none = A chave não tem um novo segredo
keys-rotate-lost-none-means = Você pode tentar novamente com segurança.
keys-rotate-lost-made = A chave tem um novo segredo, mas ele não chegou
keys-rotate-lost-show = Mostre-o agora e insira-o no seu assistente.
keys-rotate-lost-again = Ele não pode ser mostrado novamente. Encerre o segredo antigo e crie mais um novo. O assistente é recusado até receber esse novo segredo.
keys-finish-and-rotate = Encerrar o antigo e criar outro
keys-old-title = O segredo antigo funciona até { $when }
keys-old-used = Ele foi usado pela última vez { $when }, portanto um assistente ainda não mudou para o novo.
keys-old-unused = Ele não foi usado desde que o novo foi criado.
keys-finish = Encerrar o segredo antigo…
keys-finish-title = Encerrar o segredo antigo?
keys-finish-used = O segredo antigo foi usado pela última vez { $when }. Um assistente que ainda o tenha será recusado imediatamente.
keys-finish-unused = O segredo antigo não foi usado desde que o novo foi criado. Um assistente que ainda o tenha será recusado imediatamente.
keys-finish-confirm = Encerrar o segredo antigo
keys-finishing = Encerrando…
keys-not-finished = O segredo antigo ainda funciona.
keys-finished = O segredo antigo de “{ $label }” foi encerrado.

keys-connect = Conectar um assistente
keys-assistant = Seu assistente
keys-choose-assistant = Escolha o seu assistente
keys-system = Sistema
keys-install-bridge = Instalar a ponte
keys-bridge = Um pequeno script que o seu assistente inicia. Requer Python 3.8 ou mais recente, nada mais.
keys-extension = Baixar a extensão
keys-extension-how = Abra-a com o Claude Desktop e pressione “Install”. Ele pede a chave. O endereço deve ser { $url }.
keys-or-line = Ou use esta linha:
keys-install-line = Linha de instalação
keys-copy-line = Copiar a linha
keys-run-shell = Execute-a em um terminal. Ela pede a chave: copie a chave e cole-a ali. Depois reinicie { $client }.
keys-run-powershell = Execute-a no PowerShell. Ela pede a chave: copie a chave e cole-a ali. Depois reinicie { $client }.
keys-by-hand = Ou adicione manualmente
keys-checksum = Soma de verificação SHA-256
keys-checksum-of = Soma de verificação SHA-256 de { $file }
keys-script = Onde você o salvou
keys-script-hint = O caminho completo. Substitua “you” pelo nome da sua própria pasta.
keys-add-to = Adicionar a { $client }
keys-cursor-next = Depois substitua “{ $placeholder }” pela chave. Ou faça as duas coisas manualmente:
keys-vscode-next = O VS Code pede a chave. Ou adicione-a a um projeto manualmente:
keys-put-into = Insira isto em { $file }. Se o arquivo já listar outros servidores, adicione somente a parte “svc”.
keys-run-in-project = Execute esta linha na pasta do seu projeto:
keys-configuration = Configuração
keys-copy-configuration = Copiar a configuração
keys-next-claude-desktop = Depois feche o Claude Desktop e inicie-o novamente.
keys-next-claude-code = Depois reinicie o Claude Code; /mcp lista o servidor. O seu shell pode guardar esta linha, com a chave, no histórico.
keys-next-cursor = Depois ative “svc” nas configurações do Cursor, em MCP.
keys-next-vscode = Depois pressione “Start” acima da entrada. O VS Code pede a chave uma vez e a guarda com segurança: cole a chave ali, não no arquivo.
keys-next-windsurf = Depois pressione o botão de atualizar nas configurações de MCP do Windsurf.
keys-next-codex = Depois reinicie o Codex; /mcp lista o servidor.
keys-next-gemini-cli = Depois reinicie o Gemini CLI; /mcp lista o servidor.
keys-next-zed = O Zed relê o arquivo automaticamente. Um ponto verde ao lado de “svc” nas configurações do agente indica que funciona.

keys-test = Testar a conexão
keys-test-how = Inicie o teste e depois o seu assistente: ele solicita as ferramentas automaticamente, e esta página percebe.
keys-test-waiting = Aguardando a primeira chamada desta chave…
keys-test-unreachable = O serviço está inacessível no momento. Ainda tentando…
keys-test-stop = Parar
keys-test-connected = Conectado
keys-test-used = { $client } usou esta chave { $when }. Você pode fechar esta janela.
keys-test-your-assistant = Seu assistente
keys-test-dead = Nenhuma chamada pode ter sucesso com ela. Feche esta janela e crie uma nova chave.
keys-test-nothing = Nenhuma chamada em cinco minutos
keys-test-check-path = O caminho do script está correto, e a entrada foi salva?
keys-test-check-start = Você reiniciou o assistente depois de salvar?
keys-test-check-script = Execute o script com { $flag } e as mesmas variáveis: ele informa o que está errado.
keys-test-plan = O MCP não está ativo no plano da marca no momento, por isso as chamadas são recusadas.
keys-test-again = Aguardar novamente
