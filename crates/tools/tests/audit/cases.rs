//! For every check, a site with the issue and one without it. Each is the sound site with one change.

use svc_mcp_tools::audit::{Code, fetch::FetchError};

use crate::fake_web::{FakeWeb, Sample, about, body, head, robots, sound, third};

pub(crate) struct Case {
    pub(crate) code: Code,
    pub(crate) with_issue: FakeWeb,
    /// Similar, but without the issue.
    pub(crate) without_issue: FakeWeb,
}

fn case(code: Code, with_issue: FakeWeb, without_issue: FakeWeb) -> Case {
    Case { code, with_issue, without_issue }
}

fn canonical(text: &str) -> FakeWeb {
    about(|page| page.canonical = Some(text.to_owned()))
}

fn alternates(codes: &[(&str, &str)]) -> String {
    let link = |(code, path): &(&str, &str)| {
        format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"https://brand.test{path}\">")
    };
    codes.iter().map(link).collect()
}

/// Two translations. The first has these entries.
fn translated(first: &[(&str, &str)]) -> FakeWeb {
    let all = [("en", "/about"), ("de", "/de"), ("x-default", "/about")];
    third(Sample::new("third"))
        .page("/about", Sample::new("about").links(&["/", "/de"]).set(|page| page.head = alternates(first)))
        .page("/de", Sample::new("de").links(&["/"]).set(|page| page.head = alternates(&all)))
}

fn http_cases() -> Vec<Case> {
    let linked = || sound().page("/about", Sample::new("about").links(&["/", "/old"]));
    vec![
        case(Code::Http4xx, linked(), linked().redirect("/old", "/")),
        case(Code::Http5xx, linked().with("/old", 500, &[], ""), linked().redirect("/old", "/")),
        case(
            Code::Timeout,
            linked().error("/old", FetchError::Timeout),
            linked().error("/old", FetchError::Refused),
        ),
        case(
            Code::RedirectLoop,
            linked().redirect("/old", "/older").redirect("/older", "/old"),
            linked().redirect("/old", "/older").redirect("/older", "/"),
        ),
        case(
            Code::RedirectChain,
            linked().redirect("/old", "/older").redirect("/older", "/"),
            linked().redirect("/old", "/"),
        ),
        case(
            Code::MetaRefresh,
            head("<meta http-equiv=\"refresh\" content=\"0; url=/\">"),
            head("<noscript><meta http-equiv=\"refresh\" content=\"0; url=/\"></noscript>"),
        ),
        case(Code::SlowTtfb, sound().slow("/about", 801), sound().slow("/about", 800)),
    ]
}

fn link_cases() -> Vec<Case> {
    let chain = |far: &[&str]| {
        sound()
            .page("/", Sample::new("home").links(&["/about", "/1"]).links(far))
            .page("/1", Sample::new("1").links(&["/2"]))
            .page("/2", Sample::new("2").links(&["/3"]))
            .page("/3", Sample::new("3").links(&["/4"]))
            .page("/4", Sample::new("4").links(&["/"]))
    };
    let abroad = || body("<a href=\"https://other.test/x\">Another site</a>");
    vec![
        case(
            Code::BrokenInternalLink,
            body("<a href=\"/moved\">Old</a>").redirect("/moved", "/gone"),
            body("<a href=\"/moved\">Old</a>").redirect("/moved", "/"),
        ),
        case(
            Code::ExternalLinkBroken,
            abroad().with("https://other.test/x", 404, &[], ""),
            abroad().with("https://other.test/x", 403, &[], ""),
        ),
        case(
            Code::InternalNofollow,
            body("<a href=\"/\" rel=\"nofollow\">Home</a>"),
            body("<a href=\"https://other.test/x\" rel=\"nofollow\">Advert</a>").with(
                "https://other.test/x",
                200,
                &[],
                "",
            ),
        ),
        case(
            Code::NondescriptiveAnchor,
            body("<a href=\"/\">Click here</a>"),
            body(
                "<a href=\"/\"><img src=\"/logo.png\" alt=\"To the start page\" width=\"1\" height=\"1\"></a>",
            ),
        ),
        case(Code::DeepPage, chain(&[]), chain(&["/4"])),
        case(
            Code::OrphanPage,
            sound().page("/alone", Sample::new("alone")).sitemap(&["/", "/about", "/alone"]),
            sound()
                .page(
                    "/alone",
                    Sample::new("alone").set(|page| {
                        "<meta name=\"robots\" content=\"noindex\">".clone_into(&mut page.head);
                    }),
                )
                .sitemap(&["/", "/about", "/alone"]),
        ),
    ]
}

fn text_cases() -> Vec<Case> {
    let titled = |title: &str| about(|page| title.clone_into(&mut page.title));
    let described = |text: &str| about(|page| text.clone_into(&mut page.description));
    let same_title = |head: &str| {
        third(Sample::new("third").set(|page| {
            "All that there is to know of ABOUT".clone_into(&mut page.title);
            head.clone_into(&mut page.head);
        }))
    };
    let same_description =
        Sample::new("third").set(|page| page.description = Sample::new("about").description);
    let noindex = "<meta name=\"robots\" content=\"noindex\">";
    vec![
        case(Code::TitleMissing, titled(" "), titled("One title that says what is here")),
        case(Code::TitleDuplicate, same_title(""), same_title(noindex)),
        case(Code::TitleShort, titled(&"t".repeat(29)), titled(&"t".repeat(30))),
        // An emoji of five code points counts as one character.
        case(Code::TitleLong, titled(&"t".repeat(61)), titled(&"👨‍👩‍👧".repeat(60))),
        case(
            Code::TitleMultiple,
            head("<title>A second title</title>"),
            body("<svg><title>A drawing's title</title></svg>"),
        ),
        case(Code::DescriptionMissing, described(""), described("It is there.")),
        case(
            Code::DescriptionDuplicate,
            third(same_description.clone()),
            third(same_description.set(|page| noindex.clone_into(&mut page.head))),
        ),
        case(Code::DescriptionLong, described(&"d".repeat(161)), described(&"d".repeat(160))),
        case(
            Code::H1Missing,
            about(|page| "<h1> </h1>".clone_into(&mut page.h1)),
            about(|page| {
                "<h1><img src=\"/i.png\" alt=\"About\" width=1 height=1></h1>".clone_into(&mut page.h1);
            }),
        ),
        case(Code::H1Multiple, body("<h1>Another</h1>"), body("<h2>Another</h2>")),
        case(
            Code::HeadingOrder,
            body("<h2>Two</h2><h4>Four</h4>"),
            body("<h2>Two</h2><h3>Three</h3><h4>Four</h4><h2>Two</h2>"),
        ),
        case(
            Code::ThinContent,
            about(|page| page.text = "word ".repeat(150)).page("/", Sample::new("home").links(&["/about"])),
            about(|page| page.text = "word ".repeat(197)),
        ),
        case(
            Code::DuplicateContent,
            // One of 260 words is different.
            third(Sample::new("third").links(&["/"]).set(|page| {
                let about = Sample::new("about");
                page.text = about.text.replacen("word", "term", 1);
                page.h1 = about.h1;
            })),
            third(Sample::new("third")),
        ),
        case(
            Code::LangMissing,
            about(|page| page.html_attributes.clear()),
            about(|page| "xml:lang=\"de\"".clone_into(&mut page.html_attributes)),
        ),
        case(
            Code::ViewportMissing,
            about(|page| page.viewport.clear()),
            about(|page| "<meta name=Viewport content='width=device-width'>".clone_into(&mut page.viewport)),
        ),
        case(
            Code::ImageAltMissing,
            body("<img src=\"/i.png\" width=\"1\" height=\"1\">"),
            body("<img src=\"/i.png\" width=\"1\" height=\"1\" alt=\"\">"),
        ),
        case(
            Code::ImageBroken,
            body("<img src=\"i.png\" alt=\"\" width=\"1\" height=\"1\">"),
            // It works, it is part of the page, it refuses crawlers, or it is on another site.
            body(
                "<img src=\"/good.png\" alt=\"\"><img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\" alt=\"\">\
                 <img src=\"/secret.png\" alt=\"\"><img src=\"https://cdn.test/i.png\" alt=\"\">",
            )
            .with("/good.png", 200, &[("content-type", "image/png")], "")
            .with("/secret.png", 403, &[], ""),
        ),
        case(
            Code::ImgNoDimensions,
            body("<img src=\"/i.png\" alt=\"\" width=\"10\">"),
            body("<img src=\"/i.png\" alt=\"\" style=\"aspect-ratio: 1\">"),
        ),
    ]
}

fn canonical_cases() -> Vec<Case> {
    let named =
        |path: &str| canonical(&format!("<link rel=\"canonical\" href=\"https://brand.test{path}\">"));
    let hidden = Sample::new("hidden").set(|page| {
        "<meta name=\"robots\" content=\"noindex\">".clone_into(&mut page.head);
    });
    let header = |url: &str| sound().header("/about", "link", Some(&format!("<{url}>; rel=\"canonical\"")));
    vec![
        case(Code::CanonicalToError, named("/gone"), named("/")),
        case(Code::CanonicalToRedirect, named("/moved").redirect("/moved", "/"), named("/")),
        case(Code::CanonicalToNoindex, named("/hidden").page("/hidden", hidden), named("/")),
        case(
            Code::CanonicalMultiple,
            head("<link rel=\"canonical\" href=\"https://brand.test/\">"),
            // A canonical in the body does not count.
            body("<link rel=\"canonical\" href=\"https://brand.test/\">"),
        ),
        case(
            Code::CanonicalRelative,
            canonical("<link rel=\"canonical\" href=\"//brand.test/about\">"),
            canonical("<link rel=\"canonical\" href=\"HTTPS://brand.test/about\">"),
        ),
        case(
            Code::CanonicalHeaderMismatch,
            header("https://brand.test/"),
            header("https://brand.test:443/about"),
        ),
    ]
}

fn hreflang_cases() -> Vec<Case> {
    let all = [("en", "/about"), ("de", "/de"), ("x-default", "/about")];
    let with = |more: &[(&'static str, &'static str)]| translated(&[&all, more].concat());
    vec![
        case(Code::HreflangToError, with(&[("fr", "/fr")]), translated(&all)),
        case(Code::HreflangNoReturn, with(&[("fr", "/third")]), translated(&all)),
        case(Code::HreflangNoSelf, translated(&[("de", "/de"), ("x-default", "/de")]), translated(&all)),
        case(Code::HreflangBadCode, with(&[("en-UK", "/about")]), with(&[("en-GB", "/about")])),
        case(Code::HreflangNoXdefault, translated(&all[..2]), translated(&all)),
    ]
}

fn data_cases() -> Vec<Case> {
    let json = |text: &str| about(|page| text.clone_into(&mut page.json_ld));
    let social = |text: &str| about(|page| text.clone_into(&mut page.social));
    let og =
        "<meta property=og:title content=a><meta property=og:type content=b><meta property=og:url content=c>";
    vec![
        case(
            Code::JsonldInvalid,
            json("{\"@context\": \"https://schema.org\", \"@type\": \"Shop\",}"),
            json("[{\"@context\": \"https://schema.org\", \"@graph\": []}]"),
        ),
        case(
            Code::JsonldMissing,
            json(""),
            json("").page("/about", {
                let page = Sample::new("about").links(&["/"]).set(|page| page.json_ld.clear());
                page.set(|page| {
                    page.body.push_str("<div itemscope itemtype=\"https://schema.org/Shop\"></div>");
                })
            }),
        ),
        case(
            Code::OgMissing,
            social(&format!("{og}<meta name=twitter:card content=a>")),
            social(&format!("{og}<meta name=og:image content=d><meta name=twitter:card content=a>")),
        ),
        case(
            Code::TwitterCardMissing,
            social(&format!("{og}<meta property=og:image content=d>")),
            social(&format!("{og}<meta property=og:image content=d><meta property=twitter:card content=a>")),
        ),
    ]
}

fn sitemap_cases() -> Vec<Case> {
    let listed = || sound().sitemap(&["/", "/about", "/x"]);
    let hidden =
        |value: &str| listed().page("/x", Sample::new("x")).header("/x", "x-robots-tag", Some(value));
    vec![
        case(Code::SitemapUrlError, listed(), listed().redirect("/x", "/")),
        case(Code::SitemapUrlNoindex, hidden("noindex"), hidden("otherbot: noindex")),
        case(
            Code::SitemapMissing,
            sound().text("/robots.txt", "User-agent: *\nAllow: /").html("/sitemap.xml", "<html>Not found"),
            sound()
                .text("/robots.txt", "User-agent: *\nAllow: /")
                .without("/sitemap.xml")
                .text("/sitemap_index.xml", "<sitemapindex></sitemapindex>"),
        ),
        case(
            Code::SitemapUrlBlocked,
            robots("User-agent: Googlebot\nDisallow: /about"),
            robots("User-agent: Googlebot\nDisallow: /about/"),
        ),
        case(
            Code::RobotsBlocksSite,
            robots("User-agent: *\nAllow: /about\nUser-agent: Googlebot\nDisallow: /"),
            robots("User-agent: *\nDisallow: /private\nUser-agent: otherbot\nDisallow: /"),
        ),
        case(Code::RobotsTxtMissing, sound().without("/robots.txt"), sound().text("/robots.txt", "")),
        case(
            Code::AiSearchBotBlocked,
            robots("User-agent: OAI-SearchBot\nDisallow: /"),
            robots("User-agent: OAI-SearchBot\nDisallow: /private"),
        ),
        case(
            Code::AiTrainingBotBlocked,
            robots("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /"),
            robots("User-agent: GPTBot\nDisallow: /\nAllow: /$"),
        ),
        case(
            Code::LlmsTxtMalformed,
            sound().text("/llms.txt", "# Brand\n\n> What we do\n\n## Pages\n\n- About us\n"),
            sound().text(
                "/llms.txt",
                "# Brand\n\n> What we do\n\n- a note\n\n## Pages\n\n- [About](/about): us\n",
            ),
        ),
    ]
}

fn security_cases() -> Vec<Case> {
    let without = |name: &str| sound().header("/about", name, None);
    let plain = Sample::new("plain");
    let addressed = |path: &str| {
        sound().page("/", Sample::new("home").links(&["/about", path])).page(path, Sample::new("third"))
    };
    vec![
        case(
            Code::MixedContent,
            body("<script src=\"http://cdn.test/a.js\"></script>"),
            body(
                "<script src=\"//cdn.test/a.js\"></script><a href=\"http://cdn.test/\">A link loads nothing</a>",
            ),
        ),
        case(
            Code::HttpScheme,
            body("<a href=\"http://brand.test/plain\">Plain</a>").page("http://brand.test/plain", plain),
            body("<a href=\"http://brand.test/plain\">Plain</a>").redirect("http://brand.test/plain", "/"),
        ),
        case(
            Code::InsecureForm,
            body("<form action=\"http://brand.test/send\"></form>"),
            body("<form action=\"/send\"></form>"),
        ),
        case(Code::HstsMissing, without("strict-transport-security"), sound()),
        case(
            Code::CspMissing,
            without("content-security-policy"),
            head("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'\">").header(
                "/about",
                "content-security-policy",
                None,
            ),
        ),
        case(
            Code::NosniffMissing,
            without("x-content-type-options"),
            sound().header("/about", "x-content-type-options", Some("NoSniff")),
        ),
        case(Code::UrlUnderscore, addressed("/a_b"), addressed("/a-b?c_d")),
        case(Code::UrlUppercase, addressed("/A-b"), addressed("/%C3%BCber")),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    [
        http_cases(),
        link_cases(),
        text_cases(),
        canonical_cases(),
        hreflang_cases(),
        data_cases(),
        sitemap_cases(),
        security_cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
