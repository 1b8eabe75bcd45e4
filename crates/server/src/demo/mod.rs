//! A brand to try everything with: its plans, people, keys, posts and a small site of its own.

mod site;

use std::time::Duration;

use svc_mcp_access::{
    Brand, BrandId, KeyId, Member, Plan, Role, Scope, Secret, UserId, id,
    key::{Key, KeyToken, NewKey},
};
use svc_mcp_store::{EventKind, EventOutcome, KeyFilter, NewEvent};
use svc_mcp_tools::{
    Change,
    keywords::{KeywordImport, NewKeywordImport, import},
    posts::{FEED, Post, PostFilter, Target, TargetStatus},
    report::{Address, Purpose, ReportChange},
};

pub(crate) use site::Sites;

use crate::{
    app::App,
    http::sha_256,
    jwt::{Issuer, NewToken},
};

const BRAND: &str = "acme";
const USER: &str = "ada";
const SIGNED_IN_FOR: Duration = Duration::from_hours(12);
/// A list as Semrush exports it, with what people search for around coffee.
const KEYWORDS: &[u8] = include_bytes!("keywords.csv");
const DAY: Duration = Duration::from_hours(24);

/// What a person needs to try it.
pub(crate) struct Ready {
    pub(crate) url: String,
    pub(crate) site_url: String,
    pub(crate) brand_id: BrandId,
    pub(crate) user_id: UserId,
    pub(crate) token: Secret,
    pub(crate) operator_token: Secret,
    pub(crate) keys: DemoKeys,
}

/// One key of each scope.
pub(crate) struct DemoKeys {
    pub(crate) read: KeyToken,
    pub(crate) write: KeyToken,
    pub(crate) full: KeyToken,
}

impl Ready {
    pub(crate) fn settings_url(&self) -> String {
        format!("{}/settings/mcp#token={}", self.url, self.token.expose())
    }
}

/// Makes what is not there yet, and leaves alone what is: a second start keeps its data.
pub(crate) async fn prepare(app: &App, issuer: &Issuer, sites: &Sites) -> Result<Ready, String> {
    let brand_id: BrandId = BRAND.parse().expect("a plain id");
    let user_id: UserId = USER.parse().expect("a plain id");
    set_up_brand(app, &brand_id, &user_id, sites).await.map_err(|_| "the store does not answer")?;
    let mut keys = Vec::new();
    for scope in [Scope::Read, Scope::Write, Scope::Full] {
        keys.push(demo_key(app, &brand_id, &user_id, scope).await?);
    }
    let [read, write, full] = <[KeyToken; 3]>::try_from(keys).map_err(|_| "three scopes make three keys")?;
    let token = |operator| {
        let token = NewToken { user_id: user_id.clone(), operator, valid_for: SIGNED_IN_FOR };
        issuer.issue(&token, app.clock.now())
    };
    Ok(Ready {
        url: app.public_url.to_string(),
        site_url: sites.own(),
        token: token(false),
        operator_token: token(true),
        keys: DemoKeys { read, write, full },
        brand_id,
        user_id,
    })
}

async fn set_up_brand(
    app: &App,
    brand_id: &BrandId,
    user_id: &UserId,
    sites: &Sites,
) -> Result<(), svc_mcp_access::decision::Unavailable> {
    let known = app.store.brand(brand_id).await?;
    if known.is_none() {
        for (plan, name, mcp_enabled) in [("business", "Business", true), ("starter", "Starter", false)] {
            let plan_id = plan.parse().expect("a plain id");
            app.store.put_plan(&Plan { plan_id, name: name.into(), mcp_enabled }).await?;
        }
    }
    // The sites may be on another port than last time; the plan and the rest are the user's to change.
    let brand = known.map_or_else(
        || Brand {
            brand_id: brand_id.clone(),
            name: "Acme Coffee".into(),
            website: String::new(),
            plan_id: "business".parse().expect("a plain id"),
            competitors: Vec::new(),
        },
        |(brand, _)| brand,
    );
    app.store.put_brand(&Brand { website: sites.own(), competitors: sites.competitors(), ..brand }).await?;
    if app.store.membership(brand_id, user_id).await?.is_none() {
        let member = Member {
            brand_id: brand_id.clone(),
            user_id: user_id.clone(),
            role: Role::Admin,
            email: Some("ada@acme.example".into()),
            name: Some("Ada".into()),
        };
        app.store.put_member(&member).await?;
    }
    if app.means.records.posts(brand_id, &PostFilter::default(), None, 1).await?.total == 0 {
        let posts: Vec<Change> = sample_posts(app, brand_id).into_iter().map(Change::AddPost).collect();
        app.means
            .records
            .commit(brand_id, &posts, None, app.clock.now())
            .await
            .map_err(|_| svc_mcp_access::decision::Unavailable)?;
    }
    if app.means.records.report_recipients(brand_id).await?.is_empty() {
        add_recipient(app, brand_id).await?;
    }
    if app.store.keyword_imports(brand_id).await?.is_empty() {
        let sample = import::read(KEYWORDS).expect("the sample is a list that is known");
        // A brand without lists has room for one.
        let _ = app.store.import_keywords(brand_id, &sample_import(app, user_id, sample)).await?;
    }
    Ok(())
}

/// The brand's administrator gets its reports, and has said so.
async fn add_recipient(app: &App, brand: &BrandId) -> Result<(), svc_mcp_access::decision::Unavailable> {
    let address: Address = "ada@acme.example".parse().expect("a plain address");
    let list = ReportChange::List { addresses: vec![address.clone()], asks: Vec::new() };
    let now = app.clock.now();
    app.means
        .records
        .commit(brand, &[Change::Reports(list)], None, now)
        .await
        .map_err(|_| svc_mcp_access::decision::Unavailable)?;
    app.store.record_answer(brand, Purpose::Confirmation, &address, now).await
}

fn sample_import(app: &App, user: &UserId, sample: import::Import) -> NewKeywordImport {
    let import = KeywordImport {
        import_id: id::fresh("import", &mut app.entropy.clone()),
        tool: sample.tool,
        rows: sample.rows.len() as u64,
        skipped: sample.skipped as u64,
        imported_at: app.clock.now(),
        imported_by: user.to_string(),
    };
    NewKeywordImport { import, digest: sha_256(KEYWORDS), rows: sample.rows }
}

/// The demo's own key of this scope: the one there is, if it can still be shown, or a new one.
async fn demo_key(app: &App, brand: &BrandId, user: &UserId, scope: Scope) -> Result<KeyToken, String> {
    let unanswered = |_| "the store does not answer".to_owned();
    let label = format!("Demo key ({scope})");
    let filter = KeyFilter { limit: 100, ..KeyFilter::default() };
    let (keys, _) = app.store.keys(brand, &filter).await.map_err(unanswered)?;
    let mut random = app.entropy.clone();
    let now = app.clock.now();
    let event = |kind, key_id: &KeyId| NewEvent {
        event_id: app.fresh_event_id(),
        at: now,
        kind,
        key_id: key_id.clone(),
        actor: user.clone(),
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        latency_us: None,
    };
    if let (Some(sealing), Some(key)) =
        (&app.sealing, keys.iter().find(|key| key.label == label && key.can_reveal))
    {
        let revealed = event(EventKind::Revealed, &key.key_id);
        let sealed = app.store.sealed_key(brand, &key.key_id, &revealed).await.map_err(unanswered)?;
        let owner = [brand.as_str(), key.key_id.as_str()];
        let clear = sealed.and_then(|sealed| sealing.open(&sealed, &owner).ok());
        if let Some(token) = clear.and_then(|clear| KeyToken::from_clear(clear).ok()) {
            return Ok(token);
        }
    }
    let token = KeyToken::generate(&mut random);
    let key_id = KeyId::fresh(&mut random);
    let owner = [brand.as_str(), key_id.as_str()];
    let clear = Secret::new(token.expose().to_owned());
    let sealed = app.sealing.as_ref().map(|sealing| sealing.seal(&clear, &owner, &mut random));
    let key = Key {
        key_id: key_id.clone(),
        brand_id: brand.clone(),
        created_by: user.clone(),
        label,
        scope,
        prefix: token.shown_prefix().to_owned(),
        can_reveal: sealed.is_some(),
        created_at: now,
        last_used_at: None,
        expires_at: None,
        revoked_at: None,
        tools: None,
    };
    let new = NewKey { key, digest: token.digest(), sealed };
    let created =
        app.store.create_key(brand, &new, &event(EventKind::Created, &key_id)).await.map_err(unanswered)?;
    created.map_err(|_| "the demo brand has 50 active keys; revoke one, or start with another --data-dir")?;
    Ok(token)
}

fn sample_posts(app: &App, brand: &BrandId) -> Vec<Post> {
    const TEXTS: [(&str, &str); 4] = [
        (
            "New: the winter roast",
            "Dark chocolate, orange peel, a long finish. Our winter roast is here until February.",
        ),
        ("Opening hours over the holidays", "We are open every day from 8 to 18, and closed on 25 December."),
        (
            "How we choose our beans",
            "Every spring we visit the farms we buy from. This is what we look for, and why we pay more.",
        ),
        (
            "Meet us at the market",
            "Saturday, 9 to 13, at the market square: free tastings of three single origins.",
        ),
    ];
    let now = app.clock.now();
    let key: KeyId = "key_demo".parse().expect("a plain id");
    let ages = (1u32..).map(|number| now.minus(DAY * 3 * number));
    TEXTS
        .iter()
        .zip(ages)
        .map(|((title, text), at)| {
            let post_id = id::fresh("post", &mut app.entropy.clone());
            Post {
                targets: vec![Target {
                    channel: FEED.into(),
                    status: TargetStatus::Published,
                    url: Some(format!("{}/feeds/{brand}/posts/{post_id}", app.public_url)),
                    error: None,
                    attempts: 1,
                    next_attempt_at: None,
                    published_at: Some(at),
                }],
                post_id,
                text: (*text).into(),
                title: Some((*title).into()),
                link: None,
                media: Vec::new(),
                created_at: at,
                created_by_key: key.clone(),
                scheduled_at: None,
            }
        })
        .collect()
}
