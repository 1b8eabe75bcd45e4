site-document-title = サイト · { $brand }
site-title = サイト
site-lead = { $brand }のウェブサイトが訪問者と検索エンジンにとってどの程度適切に機能しているか、何から修正すべきかを示します。
site-run = 今すぐ監査を実行
site-running = 監査を実行中です
site-queued = 監査が順番を待っています
site-started = 監査を開始しました。
site-not-started = 監査を開始できませんでした。
site-failed = 監査を読み込めませんでした。
site-done = 監査が完了しました。スコアは{ $score }です。
site-ended =
    { $status ->
        [cancelled] 監査はキャンセルされました。
       *[other] 監査は失敗しました。
    }
site-empty = 監査はまだありません
site-empty-next = 監査では、ウェブサイトのページを読み取り、壊れている箇所や不足している箇所を見つけ、何から修正すべきかを示します。今すぐ実行するか、毎週繰り返すように設定してください。
site-progress = 監査の進行状況
site-stage-none = まもなく開始します。
site-stage-pages = { $visited }ページを読み取りました。ほかに{ $waiting }ページが見つかっています。
site-stage-other_links = すべてのページを読み取りました。他のサイトへのリンクと画像を確認しています。

site-score = スコア
site-score-of = 100点満点。100点は、エラーのあるページがないことを示します。
site-score-words = { $count }件の監査のスコア。最も古い監査: { $first }、最新の監査: { $last }。
site-score-table = 監査のスコア
site-as-table = 表で表示
site-point = { $when }: { $score }
site-better = 前回の監査より{ $points }点向上
site-worse = 前回の監査より{ $points }点低下
site-same = 前回の監査と同じ
site-pages = ページ
site-errors = エラー
site-warnings = 警告

site-fixes = 修正すべき項目
site-fixes-newest = 最新の監査（{ $when }）の結果です。重要なものから順に表示しています。
site-fixes-older = 以前の監査（{ $when }）の結果です。
site-fixes-show-newest = 最新を表示
site-fixes-failed = 修正すべき項目を読み込めませんでした。
site-fixes-all = { $count }件の原因をすべて表示
site-fixes-cover = これらの原因は、{ $found }件の問題のうち{ $covered }件に該当します。それ以外の重要度は低めです。
site-no-fixes = 修正すべき項目は見つかりませんでした
site-partial = この監査ではサイト全体を読み取っていません
site-partial-next =
    { $count ->
        [0] スコアは、読み取ったページのみを対象としています。
       *[other] 見つかったページのうち{ $count }ページは読み取られませんでした。スコアは、読み取ったページのみを対象としています。
    }
site-partial-short = サイトの一部
site-severity-error = エラー
site-severity-warning = 警告
site-severity-notice = お知らせ
site-gain = スコアが{ $points }点上がります
site-fix-issues = { $count }件見つかりました。
site-fix-pages = { $count }ページに影響しています。
site-fix-show = 詳細を表示
site-fix-more = ほかに{ $count }ページあります（一覧には表示されません）。
site-fix-linked-from = リンク元:

site-audits = 最近の監査
site-when = 日時
site-state = 状態
site-found = 検出結果
site-by = 開始者
site-by-schedule = スケジュール
site-counts = ページ: { $pages }、エラー: { $errors }、警告: { $warnings }
site-status-queued = 待機中
site-status-running = 実行中
site-status-done = 完了
site-status-failed = 失敗
site-status-cancelled = キャンセル済み
site-show = 表示
    .label = { $when }の監査の修正すべき項目を表示
site-shown = 表示中
site-older = 以前の監査を表示

site-schedules = スケジュール
site-schedules-lead = 自動的に繰り返される監査とレポートです。
site-schedules-failed = スケジュールを読み込めませんでした。
site-schedules-none = 繰り返しはまだ設定されていません。スケジュールを追加すると、毎週または毎月、サイトの監査やレポートのメール送信を行えます。
site-schedules-none-member = 繰り返しはまだ設定されていません。管理者がスケジュールを追加できます。
site-schedule-add = スケジュールを追加
site-schedule-add-title = スケジュールの追加
site-schedule-save = 追加
site-schedule-kind = 繰り返す内容
site-schedule-audit = サイトの監査
    .hint = サイト全体を読み取ります（最大1,000ページ）。
site-schedule-report = メールでのレポート
    .hint = 前の週または月を対象に、確認済みのすべての受信者に送信します。
site-schedule-every = 頻度
site-every-week = 毎週
site-every-month = 毎月
site-schedule-weekday = 曜日
site-schedule-day = 日
    .hint = その日がない月は、月の最終日に実行します。
site-schedule-at = 時刻
    .hint = ブランドのタイムゾーン: { $zone }
site-monday = 月曜日
site-tuesday = 火曜日
site-wednesday = 水曜日
site-thursday = 木曜日
site-friday = 金曜日
site-saturday = 土曜日
site-sunday = 日曜日
site-schedule-week =
    { $weekday ->
        [monday] 毎週月曜日 { $at }（{ $zone }）
        [tuesday] 毎週火曜日 { $at }（{ $zone }）
        [wednesday] 毎週水曜日 { $at }（{ $zone }）
        [thursday] 毎週木曜日 { $at }（{ $zone }）
        [friday] 毎週金曜日 { $at }（{ $zone }）
        [saturday] 毎週土曜日 { $at }（{ $zone }）
       *[sunday] 毎週日曜日 { $at }（{ $zone }）
    }
site-schedule-month = 毎月{ $day }日 { $at }（{ $zone }）
site-schedule-name = { $kind }: { $when }
site-schedule-next = 次回: { $at }
site-schedule-last = 前回の実行: { $when }
site-schedule-failure = 前回の実行では何も開始されませんでした: { $reason }
site-schedule-key = キー「{ $key }」で作成されました。キーが失効すると終了します。
site-schedule-notes = ご注意
site-schedule-added = スケジュールを追加しました。
site-schedule-known = 同じスケジュールがすでにあります。
site-schedule-not-added = スケジュールを追加できませんでした。
site-schedule-remove = スケジュールを削除
site-schedule-remove-of = 削除: { $name }
site-schedule-remove-title = このスケジュールを削除しますか?
site-schedule-removed = スケジュールを削除しました。
site-schedule-not-removed = スケジュールを削除できませんでした。
site-schedule-loses-audit = { $at }以降の監査は実行されません。実行中の監査は続行され、過去の監査は残ります。
site-schedule-loses-report = { $at }以降のレポートは送信されません。待機中のメールは送信されます。
