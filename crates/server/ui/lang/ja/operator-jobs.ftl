operator-jobs-title = ジョブ
operator-jobs-lead = すべてのブランドのバックグラウンド作業を新しい順に表示します。
operator-jobs-filters = ジョブを絞り込む
operator-jobs-job = ジョブ
operator-jobs-kind = 種類
operator-jobs-kind-audit = 監査
operator-jobs-kind-analysis = 分析
operator-jobs-kind-publish = 投稿の公開
operator-jobs-kind-withdraw = 投稿の取り下げ
operator-jobs-kind-report_email = レポートメール
operator-jobs-kind-approval_notice = 承認の通知
operator-jobs-kind-schedule = スケジュール
operator-jobs-reason = 理由
operator-jobs-attempts = 試行回数
operator-jobs-when = 日時
operator-jobs-ended = 終了: { $when }
operator-jobs-due = 予定: { $when }
operator-jobs-held-one = 保留中: キーまたはブランドは現在操作できません
operator-jobs-empty = ジョブはありません
operator-jobs-empty-hint = エージェントや担当者が依頼した投稿、監査、分析、メール、スケジュールがここに表示されます。

operator-jobs-retry = 再試行…
operator-jobs-retry-of = { $subject }のジョブを再試行
operator-jobs-retry-title = このジョブを再試行しますか?
operator-jobs-retry-means = すぐに実行されます。対象がすでに失敗の状態でない場合や、送信済みの可能性がある場合は拒否されます。二重に送信されることはありません。
operator-jobs-retry-action = 今すぐ再試行
operator-jobs-retry-done = ジョブを再試行します。
operator-jobs-cancel = キャンセル…
operator-jobs-cancel-of = { $subject }のジョブをキャンセル
operator-jobs-cancel-title = このジョブをキャンセルしますか?
operator-jobs-cancel-means = 対象の投稿、メール、監査、分析もキャンセルされます。スケジュールのジョブをキャンセルすると、スケジュールが削除されます。元に戻すことはできません。
operator-jobs-cancel-action = ジョブをキャンセル
operator-jobs-cancel-done = ジョブをキャンセルしました。
operator-jobs-change-failed = ジョブは変更されませんでした。

operator-jobs-hold = すべてのジョブを保留…
operator-jobs-hold-title = すべてのブランドのすべてのジョブを保留しますか?
operator-jobs-hold-means = どのインスタンスも新しいジョブを開始しません。開始済みのものは自然に終了し、依頼されたものは待機します。
operator-jobs-hold-undo = すべてのジョブはいつでも再開できます。その時点で24時間を超えて遅れている作業はキャンセルされます。
operator-jobs-hold-action = すべてのジョブを保留
operator-jobs-hold-failed = ジョブは保留されていません。
operator-jobs-hold-done = { $count ->
    [0] すべてのジョブを保留しました。実行中のジョブはありませんでした。
   *[other] すべてのジョブを保留しました。開始済みの{ $count }件のジョブは自然に終了します。
}
operator-jobs-held = すべてのジョブが保留中です
operator-jobs-held-operator = オペレーターが保留しています（開始: { $since }）。再開するまで、公開、送信、監査は行われません。
operator-jobs-held-restore = データベースがバックアップから復元されたため、すべてのジョブが保留されています（開始: { $since }）。再開するまで、公開、送信、監査は行われません。
operator-jobs-held-backup = バックアップの作成日時: { $at }
operator-jobs-resume = すべてのジョブを再開…
operator-jobs-resume-title = すべてのジョブを再開しますか?
operator-jobs-resume-means = すべてのブランドのジョブが再び実行されます。予定から24時間を超えて遅れているものはキャンセルされます。
operator-jobs-resume-cancel = 保留の開始前に予定されていたものもすべてキャンセルする
operator-jobs-resume-cancel-hint = 復元後は、そのような作業がすでに送信済みの可能性があります。
operator-jobs-resume-action = すべてのジョブを再開
operator-jobs-resume-failed = ジョブはまだ保留中です。
operator-jobs-resume-done = { $count ->
    [0] すべてのジョブを再開しました。遅れすぎたジョブはありませんでした。
   *[other] すべてのジョブを再開しました。遅れすぎた{ $count }件のジョブをキャンセルしました。
}
