preview-list = Aperçu
preview-kind-feed = Flux
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = Une image sans description
preview-length = { $length } caractères sur { $limit }
preview-too-long = { $length } caractères sur { $limit } : trop long pour ce canal
