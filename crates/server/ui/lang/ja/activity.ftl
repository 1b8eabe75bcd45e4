activity-title = アクティビティ
activity-calls = 1日あたりの呼び出し
activity-calls-table = 1日あたりの呼び出し（表）
activity-period = 期間
activity-days = { $count }日間
activity-usage-not-loaded = 使用状況を読み込めませんでした。
activity-allowed = 許可
activity-refused = 拒否
activity-failed = 失敗
activity-allowed-failed = 許可後に失敗
activity-chart = { $days }日間の呼び出し: 許可{ $calls }件、拒否{ $denied }件。
activity-day = { $day }: 許可{ $calls }件、拒否{ $denied }件
activity-no-calls = この期間の呼び出しはありません。アシスタントがキーを使用すると、その呼び出しがここにグラフで表示されます。
activity-as-table = 表で表示
activity-column-day = 日付
activity-column-tool = ツール
activity-tools = よく使われたツール
activity-no-tools = この期間に使用されたツールはありません。
activity-listing = ツール一覧の取得
activity-refused-before = ツールの実行前に拒否
activity-limits = レート制限（直近1時間）
activity-limits-what = 各キーの1分あたりの最大リクエスト数です。上限を超えた呼び出しは拒否され、アシスタントは少し待つ必要があります。
activity-no-requests = 直近1時間にリクエストを行ったキーはありません。上限はキーごとに1分あたり60件です。
activity-at-limit = 上限に到達
activity-of-limit = { $most } / { $limit }

activity-recent = 最近のイベント
activity-events = イベント
activity-filter-event = イベント
activity-filter-result = 結果
activity-filter-key = キー
activity-all = すべて
activity-any = すべて
activity-all-keys = すべてのキー
activity-kind-created = 作成
activity-kind-revealed = シークレットの表示
activity-kind-updated = 変更
activity-kind-paused = 一時停止
activity-kind-resumed = 再開
activity-kind-revoked = 失効
activity-kind-cancelled = 作業のキャンセル
activity-kind-call = 呼び出し
activity-kind-approved = 承認
activity-kind-rejected = 却下
activity-kind-list = ツール一覧
activity-kind-post = 投稿
activity-kind-audit = 監査
activity-kind-rotated = ローテーション
activity-kind-rotation_finished = 古いシークレットの終了
activity-kind-leaked = 漏えい
activity-kind-expiring = まもなく期限切れ
activity-outcome-ok = 許可または完了
activity-outcome-denied = 拒否
activity-outcome-error = 失敗
activity-result-ok = 許可
activity-result-done = 完了
activity-result-error = 失敗
activity-result-denied = 拒否
activity-column-what = 内容
activity-column-result = 結果
activity-column-took = 所要時間
activity-column-when = 日時
activity-took = { $duration }ミリ秒
activity-nothing = まだ何も起きていません。
activity-nothing-fits = この条件に一致するイベントはありません。
activity-events-not-loaded = イベントを読み込めませんでした。
activity-older-not-loaded = 以前のイベントを読み込めませんでした。
activity-show-older = 以前のイベントを表示
activity-left-out = この時間帯には、ほかに{ $count }件の許可された呼び出しがあります。上の集計には含まれますが、一度に多数あったため一覧には表示していません。

activity-did-created = { $who ->
        [you] あなたが「{ $key }」を作成しました
       *[other] { $person }が「{ $key }」を作成しました
    }
activity-did-revealed = { $who ->
        [you] あなたが「{ $key }」のシークレットを表示しました
       *[other] { $person }が「{ $key }」のシークレットを表示しました
    }
activity-did-not-reveal = { $who ->
        [you] あなたが「{ $key }」のシークレットを表示しようとしました
       *[other] { $person }が「{ $key }」のシークレットを表示しようとしました
    }
activity-did-updated = { $who ->
        [you] あなたが「{ $key }」を変更しました
       *[other] { $person }が「{ $key }」を変更しました
    }
activity-did-approved = { $who ->
        [you] あなたが「{ $key }」の呼び出しを承認しました: { $tool }
       *[other] { $person }が「{ $key }」の呼び出しを承認しました: { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] あなたが「{ $key }」の呼び出しを承認しました
       *[other] { $person }が「{ $key }」の呼び出しを承認しました
    }
activity-did-rejected = { $who ->
        [you] あなたが「{ $key }」の呼び出しを却下しました: { $tool }
       *[other] { $person }が「{ $key }」の呼び出しを却下しました: { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] あなたが「{ $key }」の呼び出しを却下しました
       *[other] { $person }が「{ $key }」の呼び出しを却下しました
    }
activity-did-paused = { $who ->
        [you] あなたが「{ $key }」を一時停止しました
       *[other] { $person }が「{ $key }」を一時停止しました
    }
activity-did-owner-removed = { $who ->
        [you] あなたが「{ $key }」の作成者を削除しました
       *[other] { $person }が「{ $key }」の作成者を削除しました
    }
activity-did-resumed = { $who ->
        [you] あなたが「{ $key }」を再開しました
       *[other] { $person }が「{ $key }」を再開しました
    }
activity-did-revoked = { $who ->
        [you] あなたが「{ $key }」を失効させました
       *[other] { $person }が「{ $key }」を失効させました
    }
activity-did-cancelled = 「{ $key }」の待機中のジョブ{ $count }件がキャンセルされました: { $tool }
activity-did-cancelled-unknown = 「{ $key }」の待機中のジョブ{ $count }件がキャンセルされました
activity-did-update_post = { $who ->
        [you] あなたが「{ $key }」の投稿を変更しました
       *[other] { $person }が「{ $key }」の投稿を変更しました
    }
activity-did-publish_post = { $who ->
        [you] あなたが「{ $key }」の投稿を公開しました
       *[other] { $person }が「{ $key }」の投稿を公開しました
    }
activity-did-retry_post = { $who ->
        [you] あなたが「{ $key }」の投稿をもう一度公開しました
       *[other] { $person }が「{ $key }」の投稿をもう一度公開しました
    }
activity-did-cancel_post = { $who ->
        [you] あなたが「{ $key }」の投稿をキャンセルしました
       *[other] { $person }が「{ $key }」の投稿をキャンセルしました
    }
activity-did-withdraw_post = { $who ->
        [you] あなたが「{ $key }」の投稿を取り下げました
       *[other] { $person }が「{ $key }」の投稿を取り下げました
    }
activity-did-delete_post = { $who ->
        [you] あなたが「{ $key }」の投稿を削除しました
       *[other] { $person }が「{ $key }」の投稿を削除しました
    }
activity-did-audit = { $who ->
        [you] あなたがサイトの監査を開始しました
       *[other] { $person }がサイトの監査を開始しました
    }
activity-did-rotated = { $who ->
        [you] あなたが「{ $key }」に新しいシークレットを設定しました
       *[other] { $person }が「{ $key }」に新しいシークレットを設定しました
    }
activity-did-rotation_finished = { $who ->
        [you] あなたが「{ $key }」の古いシークレットを終了しました
       *[other] { $person }が「{ $key }」の古いシークレットを終了しました
    }
activity-did-leaked = 「{ $key }」の漏えいが報告されたため、失効しました
activity-did-expiring = 「{ $key }」はまもなく期限切れになります
activity-did-list = { $times ->
        [1] 「{ $key }」がツール一覧を取得しました
       *[other] 「{ $key }」がツール一覧を1分以内に{ $times }回取得しました
    }
activity-did-call = { $times ->
        [1] 「{ $key }」が{ $tool }を呼び出しました
       *[other] 「{ $key }」が{ $tool }を1分以内に{ $times }回呼び出しました
    }
activity-did-call-unknown = { $times ->
        [1] 「{ $key }」がツールを呼び出しました
       *[other] 「{ $key }」がツールを1分以内に{ $times }回呼び出しました
    }

activity-because-rate_limited = 1分間に60件を超えるリクエスト
activity-because-mcp_inactive = プランでMCPが有効になっていません
activity-because-key_paused = キーが一時停止中です
activity-because-address_not_allowed = キーに許可されたネットワークの外からのアクセスです
activity-because-brand_suspended = ブランドが利用停止中です
activity-because-key_revoked = キーが失効しています
activity-because-queued_work_kept = 待機中の作業は続行されます
activity-because-owner_removed = 作成者がブランドから削除されました
activity-because-insufficient_scope = キーにこのツールの使用が許可されていません
activity-because-key_owner_removed = キーの作成者はすでにメンバーではありません
activity-because-invalid_arguments = 引数がツールに合いませんでした
activity-because-not_key_creator = 表示できるのはキーの作成者だけです
activity-because-awaiting_approval = 承認待ちです
activity-because-approval = 事前承認のタイミング
activity-because-key_not_revealable = キーのシークレットは保存されていません
activity-because-old_secret_ended = ローテーション済みのキーの古いシークレットです
activity-because-key_expired = キーの有効期限が切れています
activity-because-unknown_tool = このツールは存在しません
activity-because-cancelled_by_operator = 運営者が取り消しました
activity-because-jobs_held = 保留中のジョブの再開時に取り消されました
activity-because-tool_failed = ツールがエラーを報告しました
activity-because-unavailable = サービスが一時的に利用できませんでした
activity-because-internal = サービスのエラー
