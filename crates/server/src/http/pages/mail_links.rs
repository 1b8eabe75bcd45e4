//! The pages behind the links in mails. Opening a link changes nothing, because mail scanners open links. The button on
//! the page does.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use svc_mcp_access::BrandId;
use svc_mcp_tools::report::{EmailPurpose, LinkToken};

use crate::{
    app::App,
    http::{
        markup::escaped,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

struct MailPage {
    title: String,
    text: String,
    /// The text of its button, if it has one.
    button: Option<&'static str>,
}

const CONFIRM: &str = "/confirm/{brand_id}/{token}";
const UNSUBSCRIBE: &str = "/unsubscribe/{brand_id}/{token}";

pub(crate) fn operations() -> [Operation; 4] {
    let page = |operation: Operation, id, summary, description| {
        operation
            .describe(Tag::Public, id, summary)
            .text("text/html", description)
            .empty(404, "The link is not valid")
    };
    [
        page(
            Operation::get(CONFIRM, confirm_page),
            "confirm_page",
            "The page that asks a recipient whether they want the brand's reports",
            "The page",
        ),
        page(Operation::post(CONFIRM, confirm), "confirm", "Confirm that they do", "It is confirmed"),
        page(
            Operation::get(UNSUBSCRIBE, unsubscribe_page),
            "unsubscribe_page",
            "The page where a recipient can stop the brand's reports",
            "The page",
        ),
        page(
            Operation::post(UNSUBSCRIBE, unsubscribe),
            "unsubscribe",
            "Stop the reports, here or with one click in a mail program (RFC 8058)",
            "No more reports",
        )
        .details("The body is ignored: a mail program sends `List-Unsubscribe=One-Click`."),
    ]
}

async fn confirm_page(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = link_owner(&app, &link, EmailPurpose::Confirmation).await? else {
        return Ok(invalid());
    };
    Ok(page(&MailPage {
        title: format!("Reports of {brand}"),
        text: format!("{brand} would like to send its reports to {masked}."),
        button: Some("I want the reports"),
    }))
}

async fn confirm(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = follow_link(&app, &link, EmailPurpose::Confirmation).await? else {
        return Ok(invalid());
    };
    Ok(page(&MailPage {
        title: "Confirmed".into(),
        text: format!("Reports of {brand} will be sent to {masked}. Each report has a link to stop them."),
        button: None,
    }))
}

async fn unsubscribe_page(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = link_owner(&app, &link, EmailPurpose::Report).await? else {
        return Ok(invalid());
    };
    Ok(page(&MailPage {
        title: format!("Stop reports of {brand}?"),
        text: format!("{masked} will get no more reports of {brand}."),
        button: Some("Stop the reports"),
    }))
}

async fn unsubscribe(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = follow_link(&app, &link, EmailPurpose::Report).await? else {
        return Ok(invalid());
    };
    Ok(page(&MailPage {
        title: "Stopped".into(),
        text: format!(
            "{masked} will get no more reports of {brand}. If you want them again, use the link with which you first \
             confirmed them: it still works."
        ),
        button: None,
    }))
}

/// The brand's name and the masked address that the mail with this link went to.
async fn link_owner(
    app: &App,
    link: &(String, String),
    purpose: EmailPurpose,
) -> Result<Option<(String, String)>, Problem> {
    let Some((brand, token)) = parse(link) else { return Ok(None) };
    match app.store.holder_of_link(&brand, purpose, &token.digest()).await? {
        Some(address) => with_brand_name(app, &brand, address.masked()).await,
        None => Ok(None),
    }
}

/// The same, after the link has taken effect.
async fn follow_link(
    app: &App,
    link: &(String, String),
    purpose: EmailPurpose,
) -> Result<Option<(String, String)>, Problem> {
    let Some((brand, token)) = parse(link) else { return Ok(None) };
    match app.store.answer_by_link(&brand, purpose, &token.digest(), app.clock.now()).await? {
        Some(address) => with_brand_name(app, &brand, address.masked()).await,
        None => Ok(None),
    }
}

fn parse((brand, token): &(String, String)) -> Option<(BrandId, LinkToken)> {
    Some((brand.parse().ok()?, LinkToken::parse(token)?))
}

async fn with_brand_name(
    app: &App,
    brand: &BrandId,
    masked: String,
) -> Result<Option<(String, String)>, Problem> {
    Ok(app.store.brand(brand).await?.map(|(brand, _)| (brand.name, masked)))
}

fn invalid() -> Response {
    let content = MailPage {
        title: "This link is not valid".into(),
        text: "It may be incomplete or very old. Use the link in a newer mail.".into(),
        button: None,
    };
    (StatusCode::NOT_FOUND, page(&content)).into_response()
}

fn page(content: &MailPage) -> Response {
    let button = content.button.map_or(String::new(), |button| {
        format!("<form method=\"post\"><button type=\"submit\">{}</button></form>\n", escaped(button))
    });
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"/settings/assets/mail.css\">\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p>{text}</p>\n{button}</main>\n</body>\n</html>\n",
        title = escaped(&content.title),
        text = escaped(&content.text),
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, html).into_response()
}
