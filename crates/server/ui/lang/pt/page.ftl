page-name = Chaves MCP
page-settings = Configurações
page-skip = Ir para o conteúdo
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = Não foi possível carregar as suas configurações.
page-views = Seções
page-waiting = { $count ->
        [one] { $count } ação aguarda
       *[other] { $count } ações aguardam
    }
page-new-waiting = { $count ->
        [one] Uma nova ação aguarda aprovação. Ao todo, { $count } ação aguarda.
       *[other] Uma nova ação aguarda aprovação. Ao todo, { $count } ações aguardam.
    }
page-view-keys = Chaves
page-view-approvals = Aprovações
page-view-posts = Posts
page-view-site = Site
page-view-connections = Conexões
page-view-usage = Cotas
page-view-activity = Atividade
page-view-not-loaded = Não foi possível carregar esta seção.
page-operator = Console do operador
page-unknown-view = Esta seção não existe
page-style-not-loaded = Não foi possível carregar o estilo desta seção.
page-back = Voltar
page-back-to = Voltar para { $name }

page-brand = Marca
page-role-admin = Administrador
page-role-member = Membro
page-sign-out = Sair
page-signed-in-as = Sessão iniciada como { $user }
page-still-signed-in = A sua sessão continua aberta. { $problem }
page-signed-in-again = Você entrou novamente.

page-link-not-used = A sua sessão continua aberta: não foi possível usar o link aberto. { $problem }
page-session-ended = Sua sessão terminou
page-session-ends-soon = Sua sessão terminará em breve
page-session-ends = Ela termina { $when }.
page-sign-in-again = { $link } e depois continue aqui. O que você digitou é mantido.
    .link = Entre novamente em outra aba
page-open-again = Abra Configurações → MCP no seu aplicativo em outra aba e depois continue aqui. O que você digitou é mantido.

loading = Carregando…
try-again = Tentar novamente
close = Fechar
cancel = Cancelar
discard = Descartar
discard-keep = Continuar editando
discard-question = O que você digitou não foi salvo
remove = Remover
unexpected-error = Ocorreu um erro inesperado nesta página. Tente novamente ou recarregue-a.
support-number = Se continuar acontecendo, informe este número ao suporte: { $number }
in-a-moment = em menos de um minuto
just-now = agora mesmo
full-time = { $when } ({ $exact })
never = Nunca
dismiss = Dispensar esta mensagem
you = Você
unknown-person = Uma pessoa desconhecida
copy = Copiar
copied = Copiado
copied-announced = Copiado para a área de transferência.
copy-by-keyboard = Pressione Ctrl+C
copy-selected = O texto está selecionado. Pressione Ctrl+C ou ⌘C para copiá-lo.
service-unreachable = Não foi possível acessar o serviço. Verifique a sua conexão e tente novamente.
answer-unreadable = Não foi possível ler a resposta do serviço ({ $status }). Tente novamente em instantes.
