operator-brands-title = ブランド
operator-brands-lead = 顧客に属するすべてのものです。
operator-brands-filters = ブランドを検索・絞り込む
operator-brands-search = IDまたは名前の先頭で検索
operator-brands-plan = プラン
operator-brands-website = ウェブサイト
operator-brands-empty = ブランドはまだありません
operator-brands-empty-hint = アプリケーションがオペレーター用APIでブランドを作成すると、ここに表示されます。
operator-brands-back = すべてのブランド
operator-brands-not-loaded = このブランドを読み込めませんでした。
operator-brands-facts = ブランドの情報
operator-brands-competitors = 競合
operator-brands-language = 言語
operator-brands-time-zone = タイムゾーン
operator-brands-elsewhere = このブランドの関連項目
operator-brands-parts = ブランドの構成
operator-brands-part-members = メンバー
operator-brands-part-keys = キー
operator-brands-part-posts = 投稿

operator-brands-person = ユーザー
operator-brands-email = メール
operator-brands-role = ロール
operator-brands-role-admin = 管理者
operator-brands-role-member = メンバー
operator-brands-no-members = メンバーはいません
operator-brands-no-members-hint = アプリケーションがメンバーを追加するまで、ブランドのキーは使用できません。

operator-brands-suspend = 利用停止…
operator-brands-resume = 利用再開…
operator-brands-revoke = すべてのキーを失効…
operator-brands-export = エクスポート…
operator-brands-erase = 消去…

operator-brands-is-suspended = このブランドは利用停止中です
operator-brands-suspended-means = エージェントは拒否され、待機中の作業は保留されます（予定時刻の24時間後にキャンセル）。フィードは404を返し、新しいキーは作成できません。サインインと閲覧は引き続き可能です。
operator-brands-suspended-at = 停止日時
operator-brands-suspended-by = 停止した人
operator-brands-reason = 理由
operator-brands-reason-hint = オペレーターにのみ表示されます。
operator-brands-suspend-title = このブランドを利用停止にしますか?
operator-brands-suspend-undo = ブランドの利用はいつでも再開できます。
operator-brands-suspend-action = ブランドを利用停止
operator-brands-suspend-failed = ブランドは利用停止になりませんでした。
operator-brands-was-suspended = { $name }を利用停止にしました。
operator-brands-resume-title = このブランドの利用を再開しますか?
operator-brands-resume-means = 次のリクエストからキーが再び使用でき、フィードは再び公開され、保留中の作業は続行されます。
operator-brands-resume-action = ブランドの利用を再開
operator-brands-resume-failed = ブランドの利用は再開されませんでした。
operator-brands-was-resumed = { $name }は再び有効になりました。

operator-brands-revoke-title = このブランドのすべてのキーを失効させますか?
operator-brands-revoke-means = 次のリクエストから、ブランドのすべてのキーが拒否され、待機中の作業はキャンセルされます。元に戻すことはできません。メンバーは新しいキーを作成できます。
operator-brands-revoke-action = すべてのキーを失効
operator-brands-revoke-failed = 一部のキーが失効していません。
operator-brands-revoked = { $count ->
    [0] 失効させるキーはありませんでした
   *[other] { $count }件のキーを失効させました
}

operator-brands-export-title = このブランドのすべての行をエクスポート
operator-brands-export-means = ファイルには1行に1つのJSONオブジェクトが含まれます。キーはダイジェストで、他のシークレットも暗号化されたままですが、個人の名前とアドレスが含まれるため、安全に保管してください。
operator-brands-export-exact = 正確なコピーが必要な場合は、先にブランドを利用停止にしてください。
operator-brands-export-action = ダウンロード
operator-brands-export-progress = 読み取り中… 現在{ $size } KiB。
operator-brands-export-done = { $count }行をエクスポートしました
operator-brands-export-file = ファイル{ $file }が完成しました。
operator-brands-export-failed = エクスポートは保存されませんでした。
operator-brands-export-lost = エクスポートが途中で中断されました。接続を確認してから、もう一度お試しください。

operator-brands-erase-title = このブランドを消去しますか?
operator-brands-erase-final = 元に戻すことはできません
operator-brands-erase-export = データがまだ必要になる可能性がある場合は、先にブランドをエクスポートしてください。
operator-brands-erase-means = すぐに、キーは拒否され、待機中の作業はなくなり、フィードは404を返し、メンバーにはブランドが表示されなくなります。その後、ブランドのすべての行（キー、投稿、監査、分析、チャンネル、メンバー、アクティビティ）が削除されます。IDを再び使用することはできません。
operator-brands-erase-action = ブランドを消去
operator-brands-erase-failed = ブランドは消去されませんでした。

operator-brands-post = 投稿
operator-brands-channels = チャンネル
operator-brands-post-scheduled = 予約日時
operator-brands-post-created = 作成日時
operator-brands-post-filters = 投稿を絞り込む
operator-brands-no-posts = 投稿はまだありません
operator-brands-no-posts-hint = ブランドのエージェントや担当者が作成した投稿がここに表示されます。
operator-brands-post-failed = 投稿は変更されませんでした。
operator-brands-post-partly = 一部のチャンネルを停止できませんでした
operator-brands-post-cancel = キャンセル…
operator-brands-post-cancel-of = { $name }をキャンセル
operator-brands-post-cancel-title = この投稿をキャンセルしますか?
operator-brands-post-cancel-means = まだ公開されていないものは、今後公開されません。下書きは削除されます。
operator-brands-post-cancel-action = 投稿をキャンセル
operator-brands-post-cancel-done = 投稿をキャンセルしました
operator-brands-post-withdraw = 取り下げ…
operator-brands-post-withdraw-of = { $name }を取り下げ
operator-brands-post-withdraw-title = この投稿を取り下げますか?
operator-brands-post-withdraw-means = 公開されているすべてのチャンネルから投稿を取り下げます。取り下げられないチャンネルには、その旨が表示されます。元に戻すことはできません。
operator-brands-post-withdraw-action = 投稿を取り下げ
operator-brands-post-withdraw-done = 投稿を取り下げています
operator-brands-post-retry = 再試行…
operator-brands-post-retry-of = { $name }を再試行
operator-brands-post-retry-title = この投稿をもう一度公開しますか?
operator-brands-post-retry-means = 失敗したチャンネルを今すぐ再試行します。二重に送信されることはありません。
operator-brands-post-retry-action = もう一度公開
operator-brands-post-retry-done = 投稿をもう一度公開しています
