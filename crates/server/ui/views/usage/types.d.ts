// The answer of the route of the quotas. Only for the type checker: this file is not served.

interface BrandQuota {
	name: string;
	limit: number;
	/** More than the limit, if the limit was lowered. */
	used: number;
	/** When some of it becomes free by itself. Null: that is not known, or only people can free it. */
	frees_at: string | null;
}
