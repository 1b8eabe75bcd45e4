# Texts of the posts view.

posts-title = Posts
posts-lead = What your assistants wrote: drafts, what is scheduled, and what is public.
posts-shape = Show as
posts-shape-calendar = Calendar
posts-shape-list = List
posts-calendar = Calendar
posts-list = All posts
posts-empty = No posts yet
posts-empty-help = Ask an assistant that can write to draft a post. It appears here, and you can edit, schedule and publish it.
posts-not-loaded = The posts could not be loaded.
posts-failed-count = { $count ->
    [one] { $count } post has failed on a channel
   *[other] { $count } posts have failed on a channel
}
posts-show-failed = Show why

# States
posts-state = { $status ->
    [draft] Draft
    [scheduled] Scheduled
    [publishing] Being published
    [published] Published
    [failed] Failed
    [uncertain] Uncertain
    [cancelled] Cancelled
    [withdrawing] Being withdrawn
   *[withdrawn] Withdrawn
}
posts-on-some = { $total ->
    [one] on { $count } of { $total } channel
   *[other] on { $count } of { $total } channels
}
posts-no-time = No time

# List
posts-all = All
posts-filter = State
posts-count = { $count ->
    [0] There are no posts.
    [one] { $count } post
   *[other] { $count } posts
}
posts-count-state = { $count ->
    [0] No post has this state.
    [one] { $count } post has this state on a channel.
   *[other] { $count } posts have this state on a channel.
}
posts-older = Show older posts
posts-older-not-loaded = The older posts could not be loaded.
posts-head-post = Post
posts-head-state = State
posts-head-when = Time
posts-head-channels = Channels
posts-head-key = Key

# Calendar
posts-month-before = Previous month
posts-month-after = Next month
posts-today = Today
posts-month-empty = No post in this month.
posts-zone = Times are in your time zone: { $zone }.
posts-move-help = Drag a planned post to another day, or select it and press Shift with an arrow key.
posts-written-before = Posts that were written more than three months before they went out are only in the list.
posts-cut = There are more posts in this time than the calendar shows. The list has all of them.
posts-more = { $count } more
posts-more-of-day = { $count ->
    [one] Show { $count } more post of { $day }
   *[other] Show { $count } more posts of { $day }
}
posts-moved = Moved to { $at }.
posts-undo = Undo
posts-not-moved = The post was not moved.

# One post
posts-open-public = Open the public post
posts-planned = Planned for
posts-person = Key created by
posts-created = Created
posts-version = Version
posts-version-words = { $changes ->
    [0] { $version }, never changed
    [one] { $version }, changed once
   *[other] { $version }, changed { $changes } times
}
posts-not-fresh = This may be out of date: the post could not be loaded again.
posts-not-yours = Only { $person } or an administrator can change this post.
posts-next-attempt = { $attempts ->
    [one] { $attempts } attempt was made. The next one is { $when }.
   *[other] { $attempts } attempts were made. The next one is { $when }.
}
posts-failed-help = Solve what is named above, then try again. The post is not sent twice.
posts-failed-ask = The person who created the key or an administrator can try again once this is solved.
posts-uncertain-help = Look at the account. If the post is not there, ask the assistant to write it again.
posts-publishing-help = It is being published now. This page shows the result in a moment.
posts-withdrawing-help = It is being withdrawn now. This page shows the result in a moment.
posts-not-withdrawn-help = It is still public. Try to withdraw it again, or delete it on the account by hand.
posts-changed = The post was changed meanwhile
posts-changed-read = Your change was not made. Below is the post as it is now. Read it, then decide again.
posts-changed-help = Nothing was saved, and what you have typed is kept. This is what was changed:
posts-changed-by-both = You have changed this, too. If you save, your version replaces it.
posts-nothing-done = Nothing was changed.
posts-outcome-unknown = It is not known whether this arrived. You can safely try again.
posts-back = Back

# Edit
posts-edit = Edit…
posts-edit-title = Edit the post
posts-save = Save
posts-save-anyway = Save my changes
posts-saved = The post was saved.
posts-field-text = Text
posts-field-title = Title
posts-field-link = Link
posts-field-media = Pictures
posts-field-channels = Channels
posts-field-time = Time
posts-title-hint = For channels that show one.
posts-time-hint = In your time zone: { $zone }.
posts-time-of-draft = In your time zone: { $zone }. A draft does not go out by itself, also not at this time.
posts-channels-of-member = To add another channel, ask an administrator.
posts-picture = Picture { $number }
posts-picture-address = Address of the picture
posts-picture-alt = What it shows
posts-picture-add = Add a picture
posts-picture-remove = Remove
posts-picture-remove-one = Remove picture { $number }

# Publish
posts-publish = Publish…
posts-publish-title = Publish this post?
posts-publish-help = { $count ->
    [one] Everybody can read it on this channel: { $channels }.
   *[other] Everybody can read it on these channels: { $channels }.
}
posts-publish-when = When
posts-publish-now = Now
posts-publish-later = At a time
posts-publish-order = Publish now
posts-schedule-order = Schedule
posts-publishing = The post is being published.
posts-scheduled = The post is scheduled.
posts-retry = Try again
posts-retrying = The failed channels are tried again.

# Stop, withdraw, delete
posts-stop = Stop…
posts-stop-title = Stop this post?
posts-stop-help = It will not go out on: { $channels }. A stopped post cannot be scheduled again.
posts-stop-published = Where it is public already, it stays. You can withdraw it there.
posts-stop-order = Stop it
posts-stopped = The post was stopped.
posts-withdraw = Withdraw…
posts-withdraw-title = Withdraw this post?
posts-withdraw-help = It is public on these channels. A withdrawn post cannot be published again.
posts-withdraw-from = { $kind ->
    [feed] It leaves the feeds at once, and its page says that it is gone.
    [mastodon] Mastodon is asked to delete it. Copies on other servers may stay.
    [bluesky] Bluesky is asked to delete it.
    [webhook] The receiver gets a message that it is withdrawn. What the receiver does is its own decision.
   *[other] The channel is asked to take it back. If it cannot, the post stays public and its state says why.
}
posts-withdraw-order = { $count ->
    [one] Withdraw from { $count } channel
   *[other] Withdraw from { $count } channels
}
posts-withdrawing = The post is being withdrawn.
posts-delete = Delete…
posts-delete-title = Delete this post?
posts-delete-help = This text is deleted for good. It cannot be brought back.
posts-delete-order = Delete the post
posts-deleted = The post was deleted.
