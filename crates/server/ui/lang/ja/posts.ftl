posts-title = 投稿
posts-lead = アシスタントが作成した投稿です。下書き、予約済み、公開済みのものがあります。
posts-shape = 表示形式
posts-shape-calendar = カレンダー
posts-shape-list = 一覧
posts-calendar = カレンダー
posts-list = すべての投稿
posts-empty = 投稿はまだありません
posts-empty-help = 書き込みができるアシスタントに投稿の下書きを依頼してください。ここに表示され、編集、予約、公開ができます。
posts-not-loaded = 投稿を読み込めませんでした。
posts-failed-count = { $count }件の投稿がチャンネルで失敗しました
posts-show-failed = 理由を表示

posts-state = { $status ->
    [draft] 下書き
    [scheduled] 予約済み
    [publishing] 公開処理中
    [published] 公開済み
    [failed] 失敗
    [uncertain] 結果不明
    [cancelled] キャンセル済み
    [withdrawing] 取り下げ処理中
   *[withdrawn] 取り下げ済み
}
posts-on-some = { $total }チャンネル中{ $count }チャンネル
posts-no-time = 日時なし

posts-all = すべて
posts-filter = 状態
posts-count = { $count ->
    [0] 投稿はありません。
   *[other] { $count }件の投稿
}
posts-count-state = { $count ->
    [0] この状態の投稿はありません。
   *[other] いずれかのチャンネルでこの状態の投稿が{ $count }件あります。
}
posts-older = 以前の投稿を表示
posts-older-not-loaded = 以前の投稿を読み込めませんでした。
posts-head-post = 投稿
posts-head-state = 状態
posts-head-when = 日時
posts-head-channels = チャンネル
posts-head-key = キー

posts-month-before = 前の月
posts-month-after = 次の月
posts-today = 今日
posts-month-empty = この月の投稿はありません。
posts-zone = 日時はお使いのタイムゾーンで表示されます: { $zone }
posts-move-help = 予定されている投稿を別の日にドラッグするか、選択してShiftキーを押しながら矢印キーを押してください。
posts-written-before = 公開の3か月以上前に作成された投稿は、一覧にのみ表示されます。
posts-cut = この期間には、カレンダーに表示しきれない投稿があります。一覧ではすべて確認できます。
posts-more = 他{ $count }件
posts-more-of-day = { $day }の投稿をさらに{ $count }件表示
posts-moved = { $at }に移動しました。
posts-undo = 元に戻す
posts-not-moved = 投稿は移動されませんでした。

posts-open-public = 公開された投稿を開く
posts-planned = 公開予定
posts-person = キーの作成者
posts-created = 作成日時
posts-version = バージョン
posts-version-words = { $changes ->
    [0] { $version }（変更なし）
   *[other] { $version }（変更{ $changes }回）
}
posts-not-fresh = 最新ではない可能性があります。投稿を再読み込みできませんでした。
posts-not-yours = この投稿を変更できるのは{ $person }または管理者だけです。
posts-next-attempt = { $attempts }回試行しました。次回の試行: { $when }
posts-failed-help = 上記の問題を解決してから、再試行してください。投稿が二重に送信されることはありません。
posts-failed-ask = 問題が解決したら、キーの作成者または管理者が再試行できます。
posts-uncertain-help = アカウントを確認してください。投稿がない場合は、アシスタントにもう一度作成を依頼してください。
posts-publishing-help = 公開しています。まもなくこのページに結果が表示されます。
posts-withdrawing-help = 取り下げています。まもなくこのページに結果が表示されます。
posts-not-withdrawn-help = まだ公開されています。もう一度取り下げるか、アカウントで手動で削除してください。
posts-changed = その間に投稿が変更されました
posts-changed-read = 指示した操作は何も実行されていません。現在の投稿を下に表示しています。確認してから、もう一度判断してください。
posts-changed-help = まだ何も保存されていません。入力内容は保持されています。変更された内容は次のとおりです:
posts-changed-by-both = あなたもこの項目を変更しています。保存すると、あなたの内容で置き換えられます。
posts-nothing-done = 何も変更されていません。
posts-outcome-unknown = 届いたかどうかわかりません。もう一度試しても問題ありません。
posts-back = 戻る

posts-edit = 編集…
posts-edit-title = 投稿の編集
posts-save = 保存
posts-save-anyway = 自分の変更を保存
posts-saved = 投稿を保存しました。
posts-field-text = 本文
posts-field-title = タイトル
posts-field-link = リンク
posts-field-media = 画像
posts-field-channels = チャンネル
posts-field-time = 日時
posts-title-hint = タイトルを表示するチャンネル用です。
posts-time-hint = お使いのタイムゾーン: { $zone }
posts-time-of-draft = お使いのタイムゾーン: { $zone }。下書きは、この日時になっても自動的には公開されません。
posts-channels-of-member = 別のチャンネルを追加するには、管理者に依頼してください。
posts-picture = 画像{ $number }
posts-picture-address = 画像のアドレス
posts-picture-alt = 画像の説明
posts-picture-add = 画像を追加
posts-picture-remove = 削除
posts-picture-remove-one = 画像{ $number }を削除

posts-publish = 公開…
posts-publish-title = この投稿を公開しますか?
posts-publish-help = 次のチャンネルで誰でも読めるようになります: { $channels }
posts-publish-when = 日時
posts-publish-now = 今すぐ
posts-publish-later = 日時を指定
posts-publish-order = 今すぐ公開
posts-schedule-order = 予約
posts-publishing = 投稿を公開しています。
posts-scheduled = 投稿を予約しました。
posts-retry = 再試行
posts-retrying = 失敗したチャンネルを再試行しています。

posts-stop = 中止…
posts-stop-title = この投稿を中止しますか?
posts-stop-help = 次のチャンネルでは公開されません: { $channels }。中止した投稿をもう一度予約することはできません。
posts-stop-published = すでに公開されているチャンネルではそのまま残ります。そこでは取り下げることができます。
posts-stop-order = 投稿を中止
posts-stopped = 投稿を中止しました。
posts-withdraw = 取り下げ…
posts-withdraw-title = この投稿を取り下げますか?
posts-withdraw-help = 次のチャンネルで公開されています。取り下げた投稿をもう一度公開することはできません。
posts-withdraw-from = { $kind ->
    [feed] すぐにフィードから削除され、投稿のページには削除済みと表示されます。
    [mastodon] Mastodonに削除を依頼します。他のサーバーにコピーが残ることがあります。
    [bluesky] Blueskyに削除を依頼します。
    [webhook] 受信側に取り下げの通知が届きます。その後の処理は受信側の判断によります。
   *[other] チャンネルに取り下げを依頼します。取り下げられない場合、投稿は公開されたままになり、状態に理由が表示されます。
}
posts-withdraw-order = { $count }件のチャンネルから取り下げ
posts-withdrawing = 投稿を取り下げています。
posts-delete = 削除…
posts-delete-title = この投稿を削除しますか?
posts-delete-help = この本文は完全に削除されます。元に戻すことはできません。
posts-delete-order = 投稿を削除
posts-deleted = 投稿を削除しました。
