//! Serves a site for `bench/crawl`: pages of usual size that link to each other, held in memory.
//!
//! `crawl_site PAGES` prints its URL and serves until its standard input ends.

#![expect(clippy::print_stdout, reason = "the benchmark reads the URL")]

use std::{collections::HashMap, io, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The texts consist of these words.
const WORDS: [&str; 40] = [
    "coffee", "roast", "harvest", "morning", "origin", "filter", "paper", "water", "grind", "kettle",
    "market", "guide", "season", "farmer", "valley", "river", "washed", "natural", "sweet", "bright", "cup",
    "taste", "price", "order", "delivery", "question", "answer", "story", "people", "careful", "slow",
    "fresh", "simple", "better", "always", "every", "between", "through", "without", "together",
];

type Responses = HashMap<String, Vec<u8>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let pages = std::env::args().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(1000);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    let responses = Arc::new(site(pages));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&responses)));
        }
    });
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await??;
    Ok(())
}

async fn serve(mut stream: TcpStream, responses: Arc<Responses>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut read = Vec::new();
    loop {
        while let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            read.drain(..end + 4);
            let path = head.split(' ').nth(1).unwrap_or_default();
            let missing = || response("404 Not Found", "text/plain", "nothing here");
            let answer = responses.get(path).map_or_else(missing, Clone::clone);
            stream.write_all(&answer).await?;
        }
        if stream.read_buf(&mut read).await? == 0 {
            return Ok(());
        }
    }
}

fn site(pages: usize) -> Responses {
    let mut responses: Responses = (0..pages)
        .map(|number| (path(number), response("200 OK", "text/html; charset=utf-8", &page(number, pages))))
        .collect();
    let robots = "User-agent: *\nDisallow: /private/\nDisallow: /*?sort=\n";
    responses.insert("/robots.txt".to_owned(), response("200 OK", "text/plain", robots));
    responses
}

fn response(status: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

fn path(number: usize) -> String {
    if number == 0 { "/".to_owned() } else { format!("/articles/{}/{number}.html", number % 17) }
}

/// About 25 KB: head, navigation, sections with links and images, footer.
fn page(number: usize, pages: usize) -> String {
    let link = |to: usize| format!("<a href=\"{}\">{} number {to}</a>", path(to % pages), words(to, 3));
    let list = |links: Vec<usize>| {
        links
            .into_iter()
            .map(|to| format!("<li class=\"item\">{}</li>\n", link(to)))
            .collect::<Vec<_>>()
            .concat()
    };
    let navigation = list((0..20).map(|at| at * pages / 20).collect());
    let sections: Vec<String> = (0..12)
        .map(|at| {
            let seed = number * 31 + at;
            format!(
                "<section id=\"s{at}\"><h2>{}</h2>\n<p class=\"lead\">{}.</p>\n<p>{}, {}.</p>\n\
                 <img src=\"/pictures/{seed}.jpg\" alt=\"{}\" width=\"640\" height=\"480\"></section>\n",
                words(seed, 5),
                words(seed + 1, 60),
                words(seed + 2, 80),
                link(number * 7 + at * 13 + 1),
                words(seed + 3, 6),
            )
        })
        .collect();
    let near = list((1..=10).map(|step| number + step).chain([number * 2 + 1, number * 2 + 2]).collect());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title} – article {number}</title>\n<meta name=\"description\" content=\"{description} ({number}).\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
         <script>window.settings = {{ page: {number} }};</script>\n</head>\n<body>\n\
         <header><nav><ul>\n{navigation}</ul></nav></header>\n<main>\n<h1>{title}</h1>\n{sections}</main>\n\
         <aside><h2>Read next</h2><ul>\n{near}</ul></aside>\n\
         <footer><p>{footer} <a href=\"/private/account\">account</a></p></footer>\n</body>\n</html>\n",
        title = words(number, 6),
        description = words(number + 5, 18),
        sections = sections.concat(),
        footer = words(3, 30),
    )
}

/// A reproducible sequence of words for each seed.
fn words(seed: usize, count: usize) -> String {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        WORDS[usize::try_from(state >> 32).unwrap_or_default() % WORDS.len()]
    };
    (0..count).map(|_| next()).collect::<Vec<_>>().join(" ")
}
