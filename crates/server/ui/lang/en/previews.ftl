# A post as it will look on each channel.

preview-list = How it will look
preview-kind-feed = Feed
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = A picture without a description
preview-length = { $length } of { $limit } characters
preview-too-long = { $length } of { $limit } characters: it is too long for this channel
