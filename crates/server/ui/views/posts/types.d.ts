// The answers of the routes for posts, only for the type checker: this file is not served.

type TargetStatus = "draft" | "scheduled" | "publishing" | "published" | "failed" | "uncertain" | "cancelled" | "withdrawing" | "withdrawn";

/** A post on one channel. */
interface PostTarget {
	channel: string;
	status: TargetStatus;
	/** The public address, once it is published. */
	url: string | null;
	error: string | null;
	attempts: number;
	next_attempt_at: string | null;
	published_at: string | null;
}

interface Post extends PostContent {
	post_id: string;
	/** The key that created it. */
	key_id: string;
	created_at: string;
	scheduled_at: string | null;
	version: number;
	targets: PostTarget[];
}

interface PostPage {
	posts: Post[];
	total: number;
	next_cursor: string | null;
}

/** A post as a person edits it. */
interface PostForm {
	text: string;
	title: string;
	link: string;
	media: Media[];
	channels: string[];
	/** Of a `datetime-local` field. */
	time: string;
}

/** What another person or an assistant has changed meanwhile. */
interface PostConflict {
	name: keyof PostForm;
	from: string;
	to: string;
	/** Whether the person who edits it has changed the same. */
	isMine: boolean;
}
