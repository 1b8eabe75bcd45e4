// @ts-check

/** What the audit log records, as the service names it. */
export const ACTIONS = [
	"approval.approve", "approval.reject", "approval_emails.update", "approval_settings.update", "audit.run", "brand.erase", "brand.export",
	"brand.import", "brand.put", "brand.resume", "brand.suspend", "brand.update", "channel.delete", "channel.put", "channel.rewrap", "channel.test",
	"event_delivery.resend", "event_endpoint.delete", "event_endpoint.put", "event_endpoint.rewrap", "event_endpoint.test", "job.cancel", "job.retry",
	"jobs.hold", "jobs.resume", "key.create", "key.finish_rotation", "key.reveal", "key.revoke", "key.rewrap", "key.rotate", "key.update",
	"keyword_import.create", "keyword_import.delete", "member.put", "member.remove", "plan.delete", "plan.put", "post.cancel", "post.delete",
	"post.publish", "post.retry", "post.update", "post.withdraw", "report_recipients.put", "report_recipients.test", "schedule.create",
	"schedule.delete", "sessions.end", "user.erase",
];
