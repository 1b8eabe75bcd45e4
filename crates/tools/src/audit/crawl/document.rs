use super::super::{
    CrawlScope, PageUrl,
    fetch::{Fetch, FetchError, FetchRequest, FetchResponse, Method},
};

/// RFC 9309 §2.3.1.2
const MAX_REDIRECTS: usize = 5;

/// Gets a document, and follows redirects that stay on the site.
pub(super) async fn fetch_document(
    fetch: &dyn Fetch,
    scope: &CrawlScope,
    url: &PageUrl,
    max_body_bytes: usize,
) -> Result<FetchResponse, FetchError> {
    let mut url = url.clone();
    let mut redirects = 0;
    loop {
        let request = FetchRequest { url: url.clone(), method: Method::Get, max_body_bytes };
        let response = fetch.fetch(request).await?;
        let is_redirect = (300..400).contains(&response.status) && redirects < MAX_REDIRECTS;
        let target = response.header("location").filter(|_| is_redirect).and_then(|to| url.join(to));
        match target.filter(|target| scope.contains(target)) {
            Some(target) => url = target,
            None => return Ok(response),
        }
        redirects += 1;
    }
}
