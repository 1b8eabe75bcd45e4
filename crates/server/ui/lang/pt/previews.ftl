preview-list = Como ficará
preview-kind-feed = Feed
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = Uma imagem sem descrição
preview-length = { $length } de { $limit } caracteres
preview-too-long = { $length } de { $limit } caracteres: longo demais para este canal
