//! Audits a local site for `bench/crawl`: a complete crawl through the guarded client, and all checks.
//!
//! `crawl URL CONCURRENCY FILE` writes one line of JSON for each page to the file and prints the measurements.

#![expect(clippy::print_stdout, reason = "the benchmark reads the measurements")]

use std::{
    collections::BTreeSet,
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    ops::ControlFlow,
    time::Instant,
};

use serde_json::json;
use svc_mcp_tools::{
    CpuPool,
    audit::{CrawlPlan, CrawlScope, OutboundFetch, Page, Score, crawl, examine},
    net::{Guard, Outbound},
};
use url::Url;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [start, concurrency, file] = arguments.as_slice() else {
        return Err("crawl URL CONCURRENCY FILE".into());
    };
    let url = Url::parse(start)?;
    let authority =
        format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
    let started = Instant::now();
    let outbound = Outbound::new(Guard::allowing([authority])?)?;
    let cpu = CpuPool::default().for_brand(&"bench".parse()?);
    let fetch = OutboundFetch::new(outbound, CrawlScope::new([start]), cpu);
    let plan = CrawlPlan {
        max_pages: 1000,
        include_sitemap: false,
        per_host: concurrency.parse()?,
        ..CrawlPlan::new(start)
    };
    let mut looks = 0_u32;
    let site = crawl(&plan, &fetch, &mut |_| {
        looks += 1;
        ControlFlow::Continue(())
    })
    .await?;
    let crawled = started.elapsed();
    let issues = examine(&site);
    let score = Score::of(&site, &issues);
    let mut out = BufWriter::new(File::create(file)?);
    for page in &site.pages {
        writeln!(out, "{}", facts(page))?;
    }
    out.flush()?;
    let measurements = json!({
        "pages": site.pages.len(),
        "looks": looks,
        "issues": issues.len(),
        "score": score.score,
        "crawl_seconds": crawled.as_secs_f64(),
        "seconds": started.elapsed().as_secs_f64(),
        "peak_memory_kb": peak_memory()?,
    });
    println!("{measurements}");
    Ok(())
}

/// The same facts that the other crawler extracts.
fn facts(page: &Page) -> serde_json::Value {
    let html = page.html.as_ref();
    let links: BTreeSet<&str> =
        html.iter().flat_map(|html| &html.links).map(|link| link.url.as_str()).collect();
    let headings: Vec<&str> =
        html.iter().flat_map(|html| &html.headings).map(|heading| heading.text.as_str()).collect();
    json!({
        "url": page.url,
        "status": page.status,
        "title": html.and_then(|html| html.titles.first()),
        "description": html.and_then(|html| html.descriptions.first()),
        "links": links,
        "headings": headings,
    })
}

/// The peak memory of this process in kB.
fn peak_memory() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
