operator-people-title = ユーザー
operator-people-lead = すべてのブランドのメンバーです。
operator-people-filters = ユーザーを検索
operator-people-search = ユーザーIDまたはメールの先頭で検索
operator-people-person = ユーザー
operator-people-email = メール
operator-people-brands = ブランド
operator-people-empty = ユーザーはまだいません
operator-people-empty-hint = アプリケーションがブランドに追加したユーザーがここに表示されます。
operator-people-back = すべてのユーザー
operator-people-audit = このユーザーによる変更
operator-people-no-brands = このユーザーはどのブランドにも属していません
operator-people-no-brands-hint = すでにメンバーではないか、ユーザーIDが存在しません。
operator-people-no-keys = このユーザーが作成したキーはありません
operator-people-no-keys-hint = このユーザーが作成したキーがここに表示されます。

operator-people-sessions = すべてサインアウト…
operator-people-sessions-title = このユーザーをすべてのブラウザーからサインアウトさせますか?
operator-people-sessions-means = セッションとサインインリンクはすぐに無効になります。ユーザーはもう一度サインインできるため、先にアプリケーションまたはIDプロバイダーでアクセス権を取り消してください。
operator-people-sessions-action = すべてサインアウト
operator-people-sessions-failed = ユーザーはサインアウトされませんでした。
operator-people-sessions-done = { $count ->
    [0] 開いているセッションはありませんでした。
   *[other] { $count }件のセッションを終了しました。
}
operator-people-revoke = すべてのキーを失効…
operator-people-revoke-title = このユーザーのすべてのキーを失効させますか?
operator-people-revoke-means = 次のリクエストから、すべてのブランドでこのユーザーのキーが拒否され、待機中の作業はキャンセルされます。元に戻すことはできません。メンバーである間は、新しいキーを作成できます。
operator-people-revoke-action = すべてのキーを失効
operator-people-revoke-failed = 一部のキーが失効していません。
operator-people-revoked = { $count ->
    [0] 失効させるキーはありませんでした
   *[other] { $count }件のキーを失効させました
}

operator-people-erase = 消去…
operator-people-erase-title = このユーザーを消去しますか?
operator-people-erase-final = 元に戻すことはできません
operator-people-erase-order = アドレスはメンバーシップをもとに検索されます。メンバーシップを削除する前に、ユーザーを消去してください。
operator-people-erase-means = すぐに、どのブランドのメンバーでもなくなり、キーは失効し、待機中の作業はキャンセルされます。その後、名前とアドレスがすべての場所から削除され、履歴のIDはランダムな仮名に置き換えられます。
operator-people-erase-action = ユーザーを消去
operator-people-erase-failed = ユーザーは消去されませんでした。
