preview-list = So wird es aussehen
preview-kind-feed = Feed
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = Ein Bild ohne Beschreibung
preview-length = { $length } von { $limit } Zeichen
preview-too-long = { $length } von { $limit } Zeichen: zu lang für diesen Kanal
