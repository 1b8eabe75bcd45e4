//! Where the links in mails lead. Opening one changes nothing: mail scanners open links. The button does.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use svc_mcp_access::BrandId;
use svc_mcp_tools::report::{LinkToken, Purpose};

use crate::{
    app::App,
    http::{feeds::escaped, problem::Problem},
};

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// What a page says.
struct Words {
    title: String,
    text: String,
    /// What its button says, where it has one.
    button: Option<&'static str>,
}

/// Where a recipient is asked whether they want the brand's reports
#[utoipa::path(get, path = "/confirm/{brand_id}/{token}", tag = "public", security(()),
    params(("brand_id" = String, Path), ("token" = String, Path)),
    responses((status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid")))]
pub(crate) async fn confirm_page(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = holder(&app, &link, Purpose::Confirmation).await? else {
        return Ok(invalid());
    };
    Ok(page(&Words {
        title: format!("Reports of {brand}"),
        text: format!("{brand} would like to send its reports to {masked}."),
        button: Some("I want the reports"),
    }))
}

/// They do
#[utoipa::path(post, path = "/confirm/{brand_id}/{token}", tag = "public", security(()),
    params(("brand_id" = String, Path), ("token" = String, Path)),
    responses((status = 200, description = "It is confirmed", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid")))]
pub(crate) async fn confirm(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = answer(&app, &link, Purpose::Confirmation).await? else {
        return Ok(invalid());
    };
    Ok(page(&Words {
        title: "Confirmed".into(),
        text: format!(
            "Reports of {brand} will be sent to {masked}. Every one of them has a link to stop them."
        ),
        button: None,
    }))
}

/// Where a recipient can stop the brand's reports
#[utoipa::path(get, path = "/unsubscribe/{brand_id}/{token}", tag = "public", security(()),
    params(("brand_id" = String, Path), ("token" = String, Path)),
    responses((status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid")))]
pub(crate) async fn unsubscribe_page(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = holder(&app, &link, Purpose::Report).await? else { return Ok(invalid()) };
    Ok(page(&Words {
        title: format!("Stop reports of {brand}?"),
        text: format!("{masked} will get no more reports of {brand}."),
        button: Some("Stop the reports"),
    }))
}

/// They stop them, here or with one click in their mail program (RFC 8058)
///
/// The body is of no matter: a mail program sends `List-Unsubscribe=One-Click`.
#[utoipa::path(post, path = "/unsubscribe/{brand_id}/{token}", tag = "public", security(()),
    params(("brand_id" = String, Path), ("token" = String, Path)),
    responses((status = 200, description = "No more reports", body = String, content_type = "text/html"),
        (status = 404, description = "The link is not valid")))]
pub(crate) async fn unsubscribe(
    State(app): State<Arc<App>>,
    Path(link): Path<(String, String)>,
) -> Result<Response, Problem> {
    let Some((brand, masked)) = answer(&app, &link, Purpose::Report).await? else { return Ok(invalid()) };
    Ok(page(&Words {
        title: "Stopped".into(),
        text: format!(
            "{masked} will get no more reports of {brand}. Should you want them again, the link by which you first \
             confirmed them still works."
        ),
        button: None,
    }))
}

/// The brand's name and the masked address of who got the mail with this link.
async fn holder(
    app: &App,
    link: &(String, String),
    purpose: Purpose,
) -> Result<Option<(String, String)>, Problem> {
    let Some((brand, token)) = read(link) else { return Ok(None) };
    match app.store.holder_of_link(&brand, purpose, &token.digest()).await? {
        Some(address) => named(app, &brand, address.masked()).await,
        None => Ok(None),
    }
}

/// The same, once what the link stands for is done.
async fn answer(
    app: &App,
    link: &(String, String),
    purpose: Purpose,
) -> Result<Option<(String, String)>, Problem> {
    let Some((brand, token)) = read(link) else { return Ok(None) };
    match app.store.answer_by_link(&brand, purpose, &token.digest(), app.clock.now()).await? {
        Some(address) => named(app, &brand, address.masked()).await,
        None => Ok(None),
    }
}

fn read((brand, token): &(String, String)) -> Option<(BrandId, LinkToken)> {
    Some((brand.parse().ok()?, LinkToken::parse(token)?))
}

async fn named(app: &App, brand: &BrandId, masked: String) -> Result<Option<(String, String)>, Problem> {
    Ok(app.store.brand(brand).await?.map(|(brand, _)| (brand.name, masked)))
}

fn invalid() -> Response {
    let words = Words {
        title: "This link is not valid".into(),
        text: "It may have been cut off on its way, or be very old. The link in a newer mail works.".into(),
        button: None,
    };
    (StatusCode::NOT_FOUND, page(&words)).into_response()
}

fn page(words: &Words) -> Response {
    let button = words.button.map_or(String::new(), |button| {
        format!("<form method=\"post\"><button type=\"submit\">{}</button></form>\n", escaped(button))
    });
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"/settings/assets/mail.css\">\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p>{text}</p>\n{button}</main>\n</body>\n</html>\n",
        title = escaped(&words.title),
        text = escaped(&words.text),
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, html).into_response()
}
