preview-list = 表示イメージ
preview-kind-feed = フィード
preview-kind-webhook = Webhook
preview-kind-mastodon = Mastodon
preview-kind-bluesky = Bluesky
preview-no-alt = 説明のない画像
preview-length = { $length } / { $limit }文字
preview-too-long = { $length } / { $limit }文字: このチャンネルには長すぎます
