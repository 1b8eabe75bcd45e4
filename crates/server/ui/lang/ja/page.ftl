page-name = MCPキー
page-settings = 設定
page-skip = コンテンツへスキップ
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = 設定を読み込めませんでした。
page-views = ビュー
page-waiting = { $count }件の操作が承認待ちです
page-new-waiting = 新しい操作が承認を待っています。承認待ちは全部で{ $count }件です。
page-view-keys = キー
page-view-approvals = 承認
page-view-posts = 投稿
page-view-site = サイト
page-view-connections = 連携
page-view-usage = クォータ
page-view-activity = アクティビティ
page-operator = オペレーターコンソール
page-view-not-loaded = このビューを読み込めませんでした。
page-unknown-view = このビューは存在しません
page-style-not-loaded = このビューのスタイルを読み込めませんでした。

page-brand = ブランド
page-role-admin = 管理者
page-role-member = メンバー
page-sign-out = サインアウト
page-signed-in-as = { $user }としてサインイン中
page-still-signed-in = まだサインインしています。{ $problem }
page-signed-in-again = もう一度サインインしました。

page-link-not-used = 現在のサインインを維持します。開いたリンクは使用できませんでした。{ $problem }
page-session-ended = サインインの有効期間が終了しました
page-session-ends-soon = サインインの有効期間がまもなく終了します
page-session-ends = { $when }に終了します。
page-sign-in-again = { $link }してから、ここで続けてください。入力内容は保持されます。
    .link = 別のタブでもう一度サインイン
page-open-again = 別のタブでアプリケーションから［設定］→［MCP］を開いてから、ここで続けてください。入力内容は保持されます。

loading = 読み込み中…
try-again = 再試行
close = 閉じる
cancel = キャンセル
discard = 破棄
discard-keep = 編集を続ける
discard-question = 入力内容は保存されていません
remove = 削除
unexpected-error = このページで予期しないエラーが発生しました。もう一度試すか、ページを再読み込みしてください。
support-number = 問題が続く場合は、サポートにこの番号をお伝えください: { $number }
in-a-moment = 1分以内
just-now = たった今
full-time = { $when }（{ $exact }）
never = なし
dismiss = このメッセージを閉じる
you = あなた
unknown-person = 不明なユーザー
copy = コピー
copied = コピーしました
copied-announced = クリップボードにコピーしました。
copy-by-keyboard = Ctrl+Cを押してください
copy-selected = テキストを選択しました。Ctrl+Cまたは⌘Cを押してコピーしてください。
service-unreachable = サービスに接続できませんでした。接続を確認してから、もう一度お試しください。
answer-unreadable = サービスの応答（{ $status }）を読み取れませんでした。しばらくしてからもう一度お試しください。

page-back = 戻る
page-back-to = { $name }に戻る
