# The operator's console: brands.

operator-brands-title = Brands
operator-brands-lead = Everything that belongs to a customer.
operator-brands-filters = Search and filter the brands
operator-brands-search = Search by the beginning of the id or name
operator-brands-plan = Plan
operator-brands-website = Website
operator-brands-empty = No brands yet
operator-brands-empty-hint = Your application creates brands with the operator's API. They are listed here.
operator-brands-back = All brands
operator-brands-not-loaded = This brand could not be loaded.
operator-brands-facts = About the brand
operator-brands-competitors = Competitors
operator-brands-language = Language
operator-brands-time-zone = Time zone
operator-brands-elsewhere = Of this brand
operator-brands-parts = Parts of the brand
operator-brands-part-members = Members
operator-brands-part-keys = Keys
operator-brands-part-posts = Posts

operator-brands-person = Person
operator-brands-email = Email
operator-brands-role = Role
operator-brands-role-admin = Administrator
operator-brands-role-member = Member
operator-brands-no-members = No members
operator-brands-no-members-hint = Nothing can use the brand's keys until your application adds a member.

operator-brands-suspend = Suspend…
operator-brands-resume = Resume…
operator-brands-revoke = Revoke all keys…
operator-brands-export = Export…
operator-brands-erase = Erase…

operator-brands-is-suspended = This brand is suspended
operator-brands-suspended-means = Agents are refused, queued work is held (and cancelled 24 hours after its time), the feed answers 404, and new keys cannot be created. People can still sign in and read.
operator-brands-suspended-at = Since
operator-brands-suspended-by = Suspended by
operator-brands-reason = Reason
operator-brands-reason-hint = Only operators see it.
operator-brands-suspend-title = Suspend this brand?
operator-brands-suspend-undo = You can resume the brand at any time.
operator-brands-suspend-action = Suspend brand
operator-brands-suspend-failed = The brand was not suspended.
operator-brands-was-suspended = { $name } is suspended.
operator-brands-resume-title = Resume this brand?
operator-brands-resume-means = Its keys work again from the next request on, its feed is public again, and the work that is held goes on.
operator-brands-resume-action = Resume brand
operator-brands-resume-failed = The brand was not resumed.
operator-brands-was-resumed = { $name } is active again.

operator-brands-revoke-title = Revoke all keys of this brand?
operator-brands-revoke-means = From the next request on every key of the brand is refused, and the work that they have queued is cancelled. This cannot be undone. Members can create new keys.
operator-brands-revoke-action = Revoke all keys
operator-brands-revoke-failed = Not all keys were revoked.
operator-brands-revoked = { $count ->
    [0] No key had to be revoked
    [one] One key was revoked
   *[other] { $count } keys were revoked
}

operator-brands-export-title = Export all rows of this brand
operator-brands-export-means = The file has one JSON object in each line. Keys are digests and other secrets stay sealed, but it holds names and addresses of people: keep it safe.
operator-brands-export-exact = Suspend the brand first if the copy must be exact.
operator-brands-export-action = Download
operator-brands-export-progress = Reading… { $size } KiB so far.
operator-brands-export-done = { $count ->
    [one] One row was exported
   *[other] { $count } rows were exported
}
operator-brands-export-file = The file { $file } is complete.
operator-brands-export-failed = The export was not saved.
operator-brands-export-lost = The export broke off before its end. Check your connection, then try again.

operator-brands-erase-title = Erase this brand?
operator-brands-erase-final = This cannot be undone
operator-brands-erase-export = Export the brand first if its data may still be needed.
operator-brands-erase-means = At once its keys are refused, its queued work is gone, its feed answers 404 and its members do not see it any more. Then all rows of the brand are deleted: keys, posts, audits, analyses, channels, members and activity. The id cannot be used again.
operator-brands-erase-action = Erase brand
operator-brands-erase-failed = The brand was not erased.

operator-brands-post = Post
operator-brands-channels = Channels
operator-brands-post-scheduled = Scheduled for
operator-brands-post-created = Created
operator-brands-post-filters = Filter the posts
operator-brands-no-posts = No posts yet
operator-brands-no-posts-hint = The posts that agents and people of the brand write are listed here.
operator-brands-post-failed = The post was not changed.
operator-brands-post-partly = Not every channel could be stopped
operator-brands-post-cancel = Cancel…
operator-brands-post-cancel-of = Cancel { $name }
operator-brands-post-cancel-title = Cancel this post?
operator-brands-post-cancel-means = What has not gone out yet does not go out any more. A draft is deleted.
operator-brands-post-cancel-action = Cancel post
operator-brands-post-cancel-done = The post is cancelled
operator-brands-post-withdraw = Withdraw…
operator-brands-post-withdraw-of = Withdraw { $name }
operator-brands-post-withdraw-title = Withdraw this post?
operator-brands-post-withdraw-means = The post is taken back from every channel where it is public. A channel that cannot take it back says so. This cannot be undone.
operator-brands-post-withdraw-action = Withdraw post
operator-brands-post-withdraw-done = The post is being withdrawn
operator-brands-post-retry = Retry…
operator-brands-post-retry-of = Retry { $name }
operator-brands-post-retry-title = Publish this post again?
operator-brands-post-retry-means = The channels where it failed are tried again now. Nothing is sent twice.
operator-brands-post-retry-action = Publish again
operator-brands-post-retry-done = The post is being published again
