//! The email that lists the calls that wait for a person. It links to the page where people decide, and never to a decision:
//! mail scanners open links.

use askama::Template;
use svc_mcp_access::Brand;

use super::notice::{WaitingApproval, WaitingApprovals};
use crate::report::{
    compose::ComposedEmail,
    format::{date_and_time, group_digits, humanize, one_line},
};

const MAX_NAME_CHARS: usize = 100;

#[derive(Template)]
#[template(path = "approvals.html")]
struct Html<'a> {
    view: &'a View,
}

#[derive(Template)]
#[template(path = "approvals.txt")]
struct Text<'a> {
    view: &'a View,
}

/// Everything that both parts show. Foreign text is one plain line each; the templates escape it.
#[derive(Debug)]
struct View {
    subject: String,
    actions: Vec<Action>,
    /// How many actions are not listed.
    more: Option<String>,
    /// The page where people decide.
    link: String,
    /// The path with which a person stops these emails.
    settings: String,
}

#[derive(Debug)]
struct Action {
    name: String,
    key: String,
    requested: String,
    expires: String,
}

/// `public_url` is the address of the service, without a trailing slash.
pub(crate) fn approvals_email(brand: &Brand, waiting: &WaitingApprovals, public_url: &str) -> ComposedEmail {
    let view = View::new(brand, waiting, public_url);
    let html = Html { view: &view }.render().expect("writing to a string does not fail");
    let text = Text { view: &view }.render().expect("writing to a string does not fail");
    let summary = view.actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(" · ");
    ComposedEmail { subject: view.subject, summary, html, text }
}

impl View {
    fn new(brand: &Brand, waiting: &WaitingApprovals, public_url: &str) -> Self {
        let name = one_line(&brand.name, MAX_NAME_CHARS);
        let subject = match waiting.total {
            1 => format!("1 action of {name} waits for your approval"),
            total => format!("{} actions of {name} wait for your approval", group_digits(total)),
        };
        let listed = u64::try_from(waiting.listed.len()).unwrap_or(u64::MAX);
        let more = waiting.total.saturating_sub(listed);
        Self {
            subject,
            actions: waiting.listed.iter().map(Action::from).collect(),
            more: (more > 0).then(|| format!("and {} more", group_digits(more))),
            link: format!("{public_url}/settings/mcp"),
            settings: format!("/api/brands/{}/approval-settings/emails", brand.brand_id),
        }
    }
}

impl From<&WaitingApproval> for Action {
    fn from(waiting: &WaitingApproval) -> Self {
        Self {
            name: humanize(&one_line(&waiting.tool, MAX_NAME_CHARS)),
            key: one_line(&waiting.key_label, MAX_NAME_CHARS),
            requested: date_and_time(waiting.requested_at),
            expires: date_and_time(waiting.expires_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand(name: &str) -> Brand {
        Brand {
            brand_id: "acme".parse().unwrap(),
            name: name.to_owned(),
            website: "https://acme.example".into(),
            plan_id: "pro".parse().unwrap(),
            competitors: Vec::new(),
            language: None,
            time_zone: "UTC".into(),
        }
    }

    fn waiting(label: &str) -> WaitingApproval {
        WaitingApproval {
            tool: "create_post".into(),
            key_label: label.to_owned(),
            requested_at: "2026-11-15T09:30:00Z".parse().unwrap(),
            expires_at: "2026-11-18T09:30:00Z".parse().unwrap(),
        }
    }

    fn email(name: &str, listed: Vec<WaitingApproval>, total: u64) -> ComposedEmail {
        approvals_email(&brand(name), &WaitingApprovals { listed, total }, "https://svc.example")
    }

    #[test]
    fn subject_counts_the_actions() {
        for (total, subject) in [
            (1, "1 action of Acme waits for your approval"),
            (2, "2 actions of Acme wait for your approval"),
            (1_200, "1,200 actions of Acme wait for your approval"),
        ] {
            assert_eq!(email("Acme", vec![waiting("Claude")], total).subject, subject);
        }
    }

    #[test]
    fn text_lists_each_action_with_its_key_and_times() {
        let email = email("Acme", vec![waiting("Claude"), waiting("Editor")], 2);
        assert_eq!(
            email.text.trim_end(),
            "2 actions of Acme wait for your approval:\n\
             \n\
             - Create post, key “Claude”\n\
             \x20 requested 15 November 2026, 09:30 UTC, expires 18 November 2026, 09:30 UTC\n\
             - Create post, key “Editor”\n\
             \x20 requested 15 November 2026, 09:30 UTC, expires 18 November 2026, 09:30 UTC\n\
             \n\
             Read and decide them in Settings → MCP:\n\
             https://svc.example/settings/mcp\n\
             \n\
             You get these emails because you asked for them. To stop them, switch them off in Settings → MCP, or with\n\
             PUT /api/brands/acme/approval-settings/emails."
        );
        assert_eq!(email.summary, "Create post · Create post");
    }

    #[test]
    fn actions_that_are_not_listed_are_counted() {
        let listed: Vec<WaitingApproval> = (0..20).map(|number| waiting(&format!("key {number}"))).collect();
        let email = email("Acme", listed, 1_025);
        for part in [&email.text, &email.html] {
            assert!(part.contains("key 19") && part.contains("and 1,005 more"), "{part}");
        }
    }

    #[test]
    fn only_link_is_the_settings_page() {
        let email = email("Acme", vec![waiting("Claude")], 1);
        assert_eq!(email.html.matches("href=").count(), 1, "{}", email.html);
        assert!(email.html.contains("href=\"https://svc.example/settings/mcp\""), "{}", email.html);
        assert_eq!(email.text.matches("https://").count(), 1, "{}", email.text);
        for part in [&email.text, &email.html] {
            assert!(!part.contains("/approve"), "{part}");
        }
    }

    #[test]
    fn foreign_text_is_escaped_and_on_one_line() {
        let email = email("A <b>&</b>\r\nBcc: x", vec![waiting("<script>\nalert(1)</script>\u{202e}")], 1);
        assert_eq!(email.subject, "1 action of A <b>&</b> Bcc: x waits for your approval");
        assert!(!email.html.contains("<script>") && !email.html.contains("<b>&</b>"), "{}", email.html);
        assert!(email.html.contains("&#60;script&#62; alert(1)"), "{}", email.html);
        assert!(email.text.contains("“<script> alert(1)</script>”"), "{}", email.text);
    }
}
