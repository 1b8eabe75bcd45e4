preview-list = Cómo se verá
preview-kind-feed = Feed
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = Una imagen sin descripción
preview-length = { $length } de { $limit } caracteres
preview-too-long = { $length } de { $limit } caracteres: es demasiado larga para este canal
