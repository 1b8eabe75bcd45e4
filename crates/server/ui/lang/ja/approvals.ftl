approvals-title = 承認
approvals-lead = { $count ->
    [0] 事前承認が必要なキーのアシスタントは、ここで人の判断を待ちます。
   *[other] { $count }件の操作が判断を待っています。まだ何も実行されていません。
}

approvals-waiting = 承認待ち
approvals-nothing-waits = 承認待ちの操作はありません
approvals-nothing-waits-help = アシスタントがあなたの判断を必要とする操作を行おうとすると、自動的にここに表示されます。
approvals-behind = 一覧を更新できませんでした。数秒後に再試行します。
approvals-asked-by = { $title }（依頼元: { $label }）
approvals-times = リクエスト: { $requested }、期限: { $expires }
approvals-open = 内容を確認して判断
    .aria-label = 内容を確認して判断: { $title }、依頼元: { $label }
approvals-open-only = 内容を確認
    .aria-label = 内容を確認: { $title }、依頼元: { $label }
approvals-older = 以前の操作を表示
approvals-older-not-loaded = 以前の操作を読み込めませんでした。
approvals-shortcuts = キーボードショートカットを使用
approvals-shortcuts-help = JとK、または一覧内の矢印キーで操作間を移動します。Enterで開きます。開いた操作では、Aで承認、Rで却下します。

approvals-not-loaded = 読み込めませんでした。
approvals-key = キー
approvals-person = キーの作成者
approvals-requested = リクエスト日時
approvals-expires = 期限
approvals-when = 日時
approvals-notes = 備考
approvals-stays-draft = 未定: 下書きのままです
approvals-at-once = 承認後すぐ
approvals-target = { $status ->
    [draft] { $channel }（承認後は下書き）
    [scheduled] { $channel }（承認後は予約済み）
    [publishing] { $channel }（承認後は公開）
    [published] { $channel }（承認後は公開）
    [withdrawing] { $channel }（承認後は取り下げ）
    [withdrawn] { $channel }（承認後は取り下げ）
    [cancelled] { $channel }（承認後はキャンセル）
    [failed] { $channel }（失敗）
   *[other] { $channel }
}
approvals-show-arguments = アシスタントが送信した内容を表示
approvals-arguments = 引数
approvals-none = なし
approvals-argument-text = 本文
approvals-argument-title = タイトル
approvals-argument-link = リンク
approvals-argument-media = メディア
approvals-argument-channels = チャンネル
approvals-argument-mode = モード
approvals-mode = { $mode ->
    [draft] 下書きとして保存
    [schedule] 指定日時に公開
   *[now] 今すぐ公開
}
approvals-argument-scheduled-at = 日時
approvals-argument-post-id = 投稿
approvals-argument-subject = 件名
approvals-argument-recipients = 受信者
approvals-only-admins = 判断できるのは管理者だけです。
approvals-only-creator = 判断できるのは{ $person }または管理者だけです。
approvals-would-fail = 今実行すると失敗します
approvals-would-fail-help = 問題を解決してから再確認するか、却下してください。
approvals-changed = 確認後に内容が変わりました
approvals-changed-help = まだ何も実行されていません。現在の実行内容を下に表示しています。確認してから、もう一度判断してください。

approvals-approve = 承認
approvals-approve-changed = 変更して承認
approvals-edit = 編集…
approvals-edit-title = 編集: { $title }
approvals-reject = 却下…
approvals-reject-now = 却下
approvals-reject-title = 却下: { $title }
approvals-look-again = 再確認
approvals-back = 戻る
approvals-note = メモ（任意）
approvals-note-hint = 承認すると、アシスタントに伝わります。
approvals-reason = 理由
approvals-reason-hint = アシスタントに伝わります。どう変えるべきかを書いてください。
approvals-reason-missing = アシスタントが改善できるように、理由を入力してください。
approvals-changes = あなたの変更
approvals-no-changes = まだ何も変更されていません。
approvals-with-changes = { $count }個の引数を変更しました
approvals-with-changes-help = プレビューはアシスタントの依頼内容を示しています。承認すると、あなたの変更を反映して実行されます。
approvals-your-zone = お使いのタイムゾーン: { $zone }
approvals-json = JSON形式で入力します。
approvals-not-json = 判断は行われませんでした。有効なJSONではない値があります。
approvals-approved = 「{ $title }」を承認し、実行しました。
approvals-rejected = 「{ $title }」を却下しました。理由はアシスタントに伝わります。
approvals-not-decided = 判断は行われませんでした。
approvals-outcome-unknown = 判断が届いたかどうかわかりません。もう一度試しても問題ありません。

approvals-decided = 判断済み
approvals-decided-not-loaded = 判断済みの操作を読み込めませんでした。
approvals-none-decided = 判断済みの操作はまだありません。
approvals-none-fits = この結果の操作はありません。
approvals-older-decided = 以前の判断を表示
approvals-filter = 結果
approvals-status-all = すべて
approvals-status = { $status ->
    [done] 承認済み
    [approved] 承認済み
    [failed] 失敗
    [rejected] 却下
    [expired] 期限切れ
    [cancelled] キャンセル済み
   *[other] 承認待ち
}
approvals-head-what = 操作
approvals-head-result = 結果
approvals-head-by = 判断者
approvals-head-at = 日時
approvals-end = { $status ->
    [done] { $who ->
        [me] あなたが承認し、実行されました
       *[other] { $person }が承認し、実行されました
    }
    [failed] { $who ->
        [me] あなたが承認しましたが、失敗しました
       *[other] { $person }が承認しましたが、失敗しました
    }
    [rejected] { $who ->
        [me] あなたが却下したため、実行されませんでした
       *[other] { $person }が却下したため、実行されませんでした
    }
    [cancelled] { $who ->
        [me] あなたがキーのアクセス権を取り消したため、実行されませんでした
       *[other] { $person }がキーのアクセス権を取り消したため、実行されませんでした
    }
   *[expired] 期限が切れたため、実行されませんでした
}
approvals-with-reason = 理由: { $reason }
approvals-with-note = メモ: { $note }
approvals-changes-made = 承認者による変更

approvals-settings = キーの事前承認
approvals-settings-help = 事前承認が必要なキーは、人が承認するまで待機します。72時間以内に判断がない場合、何も実行されません。
approvals-emails = 自分の承認待ちがあるときにメールで通知
approvals-minimum = すべてのキーの事前承認
approvals-rule = { $rule ->
    [none] なし
    [outward] 外部に出る操作の前
   *[all] すべての変更の前
}
approvals-approvers = 判断する人
approvals-approver = { $who ->
    [admins] 管理者のみ
   *[members] キーの作成者と管理者
}
approvals-saved = 保存しました。
approvals-not-saved = 保存されませんでした。
