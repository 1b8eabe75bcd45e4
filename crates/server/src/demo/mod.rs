//! The demo: a brand with plans, people, keys, posts and its own small site.

mod agent;
mod site;

use std::time::Duration;

use anyhow::Context;

use svc_mcp_access::{
    ApprovalRule, Brand, BrandId, KeyId, Member, Plan, Quotas, Role, Scope, Secret, StoreError, Timestamp,
    UserId, id,
    key::{KeySpec, KeyToken, NewKey, SealOwner},
    sha256,
};
use svc_mcp_store::{EventKind, EventOutcome, ImportKeywordsError, KeyFilter, NewEvent, PutBrandError};
use svc_mcp_tools::{
    Change,
    keywords::{KeywordImport, NewKeywordImport, import},
    posts::{BrandChannel, FEED, Post, PostEditor, PostFilter, PublishArguments, Target, TargetStatus},
    records::CommitError,
    report::EmailAddress,
};

pub(crate) use site::Sites;

use crate::{
    app::App,
    jwt::{Issuer, NewToken},
};

const BRAND: &str = "acme";
const USER: &str = "ada";
const SIGNED_IN_FOR: Duration = Duration::from_hours(12);
/// A keyword list in the format of Semrush.
const KEYWORDS: &[u8] = include_bytes!("keywords.csv");
const DAY: Duration = Duration::from_hours(24);

/// What `svc-mcp demo` prints.
pub(crate) struct Demo {
    pub(crate) url: String,
    pub(crate) site_url: String,
    pub(crate) brand_id: BrandId,
    pub(crate) user_id: UserId,
    pub(crate) token: Secret,
    pub(crate) operator_token: Secret,
    pub(crate) keys: DemoKeys,
}

/// One key of each scope, and one that asks first.
pub(crate) struct DemoKeys {
    pub(crate) read: KeyToken,
    pub(crate) write: KeyToken,
    pub(crate) full: KeyToken,
    /// Of scope `write`. What people outside would see waits for approval.
    pub(crate) asks: KeyToken,
}

impl Demo {
    pub(crate) fn settings_url(&self) -> String {
        format!("{}/settings/mcp#token={}", self.url, self.token.expose())
    }
}

/// Creates what does not exist yet. A second start keeps its data.
pub(crate) async fn prepare(app: &App, issuer: &Issuer, sites: &Sites) -> anyhow::Result<Demo> {
    let brand_id: BrandId = BRAND.parse().expect("a plain id");
    let user_id: UserId = USER.parse().expect("a plain id");
    set_up_brand(app, &brand_id, &user_id, sites).await?;
    let of_scope = async |scope: Scope| {
        let label = format!("Demo key ({scope})");
        demo_key(app, &brand_id, &user_id, (label, scope, ApprovalRule::None)).await
    };
    let asks = ("Agent that asks first".to_owned(), Scope::Write, ApprovalRule::Outward);
    let keys = DemoKeys {
        read: of_scope(Scope::Read).await?,
        write: of_scope(Scope::Write).await?,
        full: of_scope(Scope::Full).await?,
        asks: demo_key(app, &brand_id, &user_id, asks).await?,
    };
    agent::ask_for_approval(app, &keys.asks).await?;
    let token = |operator| {
        let token = NewToken { user_id: user_id.clone(), operator, valid_for: SIGNED_IN_FOR };
        issuer.issue(&token, app.clock.now())
    };
    Ok(Demo {
        url: app.public_url.to_string(),
        site_url: sites.own(),
        token: token(false),
        operator_token: token(true),
        keys,
        brand_id,
        user_id,
    })
}

async fn set_up_brand(
    app: &App,
    brand_id: &BrandId,
    user_id: &UserId,
    sites: &Sites,
) -> Result<(), CommitError> {
    let known = app.store.brand(brand_id).await?;
    if known.is_none() {
        for (plan, name, mcp_enabled) in [("business", "Business", true), ("starter", "Starter", false)] {
            let plan_id = plan.parse().expect("a plain id");
            app.store
                .put_plan(&Plan { plan_id, name: name.into(), mcp_enabled, quotas: Quotas::default() })
                .await?;
        }
    }
    // The sites may be on another port than last time. Everything else stays as the user left it.
    let brand = known.map_or_else(
        || Brand {
            brand_id: brand_id.clone(),
            name: "Acme Coffee".into(),
            website: String::new(),
            plan_id: "business".parse().expect("a plain id"),
            competitors: Vec::new(),
            language: Some("en".into()),
            time_zone: "Europe/Berlin".into(),
        },
        |(brand, _)| brand,
    );
    let brand = Brand { website: sites.own(), competitors: sites.competitors(), ..brand };
    app.store.put_brand(&brand).await.map_err(|error| match error {
        // The demo brand was erased by hand; a new data directory starts again.
        PutBrandError::Erased => StoreError::Internal,
        PutBrandError::Store(error) => error,
    })?;
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
    if app.context.records.posts(brand_id, &PostFilter::default(), None, 1).await?.total == 0 {
        let posts: Vec<Change> = sample_posts(app, brand_id).into_iter().map(Change::AddPost).collect();
        app.context.records.commit(brand_id, &posts, None, app.clock.now()).await?;
        schedule_sample_post(app, brand_id).await?;
    }
    if app.context.records.report_recipients(brand_id).await?.is_empty() {
        let administrator: EmailAddress = "ada@acme.example".parse().expect("a plain address");
        app.store.add_confirmed_recipient(brand_id, &administrator, app.clock.now()).await?;
    }
    if app.store.keyword_imports(brand_id).await?.is_empty() {
        let sample = import::parse(KEYWORDS).expect("the sample is a list that is known");
        // A brand without lists cannot have reached the limit.
        if let Err(ImportKeywordsError::Store(error)) =
            app.store.import_keywords(brand_id, &sample_import(app, user_id, sample)).await
        {
            return Err(error.into());
        }
    }
    Ok(())
}

fn sample_import(app: &App, user: &UserId, sample: import::ParsedExport) -> NewKeywordImport {
    let import = KeywordImport {
        import_id: id::fresh("import", &mut app.entropy.clone()),
        tool: sample.tool,
        rows: sample.rows.len() as u64,
        skipped: sample.skipped as u64,
        imported_at: app.clock.now(),
        imported_by: user.to_string(),
    };
    NewKeywordImport { import, digest: sha256(KEYWORDS), rows: sample.rows }
}

/// The demo's key with this label. A new one is created if there is none that can be revealed.
async fn demo_key(
    app: &App,
    brand: &BrandId,
    user: &UserId,
    (label, scope, approval): (String, Scope, ApprovalRule),
) -> anyhow::Result<KeyToken> {
    let filter = KeyFilter { limit: 100, ..KeyFilter::default() };
    let (keys, _) = app.store.keys(brand, &filter).await?;
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
        (&app.sealing, keys.iter().find(|key| key.label == label && key.can_reveal && key.pause.is_none()))
    {
        let revealed = event(EventKind::Revealed, &key.key_id);
        let sealed = app.store.sealed_key(brand, &key.key_id, &revealed).await?;
        let owner = SealOwner::key(brand, &key.key_id);
        let clear = sealed.and_then(|sealed| sealing.open(&sealed, owner).ok());
        if let Some(token) = clear.and_then(|clear| KeyToken::from_clear(clear).ok()) {
            return Ok(token);
        }
    }
    let spec = KeySpec {
        brand_id: brand.clone(),
        created_by: user.clone(),
        label,
        scope,
        expires_at: None,
        tools: None,
        approval,
        allowed_networks: None,
    };
    let (new, token) = NewKey::generate(spec, app.sealing.as_deref(), now, &mut random);
    let created = event(EventKind::Created, &new.key.key_id);
    app.store.create_key(brand, &new, &created).await.context(
        "the demo's key cannot be created; revoke one of the brand's keys or use another --data-dir",
    )?;
    Ok(token)
}

/// Adds one draft, and one post that is published in a week.
async fn schedule_sample_post(app: &App, brand: &BrandId) -> Result<(), CommitError> {
    const TEXTS: [(&str, &str); 2] = [
        (
            "Spring menu",
            "Cold brew with orange, and a cake that goes with it. Which one should we start with?",
        ),
        (
            "Roasting course",
            "Roast your own beans on the last Saturday of the month. Eight places, book at the counter.",
        ),
    ];
    let now = app.clock.now();
    let [draft, scheduled] =
        TEXTS.map(|text| sample_post(app, text, now, Target::new(FEED.into(), TargetStatus::Draft)));
    let changes = [Change::AddPost(draft), Change::AddPost(scheduled.clone())];
    app.context.records.commit(brand, &changes, None, now).await?;
    let editor = PostEditor {
        brand_id: brand,
        channels: &[BrandChannel::feed()],
        public_url: &app.public_url,
        time_zone: "UTC",
        now,
        entropy: app.entropy.clone(),
    };
    let post_id = scheduled.post_id.clone();
    let in_a_week = now.plus(DAY * 7).to_string();
    let arguments = PublishArguments { post_id, scheduled_at: Some(in_a_week), expected_version: None };
    let planned = editor.publish(scheduled, &arguments).map_err(CommitError::Refused)?;
    app.context.records.commit(brand, &planned.changes, None, now).await
}

fn sample_post(app: &App, (title, text): (&str, &str), at: Timestamp, target: Target) -> Post {
    Post {
        post_id: id::fresh("post", &mut app.entropy.clone()),
        text: text.into(),
        title: Some(title.into()),
        link: None,
        media: Vec::new(),
        created_at: at,
        created_by_key: "key_demo".parse().expect("a plain id"),
        scheduled_at: None,
        version: 1,
        targets: vec![target],
    }
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
    let ages = (1u32..).map(|number| now.minus(DAY * 3 * number));
    TEXTS
        .into_iter()
        .zip(ages)
        .map(|(text, at)| {
            let mut target = Target::new(FEED.into(), TargetStatus::Published);
            (target.attempts, target.published_at) = (1, Some(at));
            let mut post = sample_post(app, text, at, target);
            post.targets[0].url = Some(format!("{}/feeds/{brand}/posts/{}", app.public_url, post.post_id));
            post
        })
        .collect()
}
