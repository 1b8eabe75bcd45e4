use std::net::SocketAddr;

use serde_json::json;
use svc_mcp_access::Secret;

use super::{print, serve};
use crate::{
    config::{ServeArgs, Switch, sources::Settings},
    demo,
    service::issuer,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one line of JSON when ready, for programs
    #[arg(long)]
    json: bool,

    /// Address of the sample site; another one is taken if it is in use
    #[arg(long, env = "SVC_DEMO_SITE_LISTEN", default_value = "127.0.0.1:8081", value_name = "ADDRESS")]
    site_listen: SocketAddr,

    #[command(flatten)]
    serve: ServeArgs,
}

impl Args {
    pub(super) fn into_serve_args(self) -> ServeArgs {
        let mut serve = self.serve;
        if serve.log.log == "info" {
            // A person reads the text below, so log lines at info would only be noise.
            serve.log.log = "warn".into();
        }
        serve.log.access_log.get_or_insert(Switch::Off);
        if serve.mail.smtp_url.is_none() {
            // Without a mail server, mails are written as files into the data directory.
            let mails = serve.store.data_dir.join("mail");
            serve.mail.smtp_url = Some(Secret::new(format!("file:{}", mails.display())));
        }
        serve
    }
}

pub(super) async fn run(args: Args, settings: Settings) -> anyhow::Result<()> {
    let (json, site_listen) = (args.json, args.site_listen);
    let mut serve_args = args.into_serve_args();
    let signals = serve::Signals::listen()?;
    let sites = demo::Sites::start(site_listen).await?;
    serve_args.outbound_allow.extend(sites.authorities());
    let started = serve::start(&serve_args, settings).await?;
    let app = &started.running.app;
    let issuer = issuer(&serve_args.jwt, &serve_args.store, &app.entropy)?;
    let brand = demo::prepare(app, &issuer, &sites).await?;
    if json {
        print(&as_json(&brand).to_string())?;
    } else {
        print(&as_text(&brand))?;
    }
    serve::until_stopped(started, signals).await;
    Ok(())
}

fn as_json(brand: &demo::Demo) -> serde_json::Value {
    json!({
        "url": brand.url,
        "settings_url": brand.settings_url(),
        "site_url": brand.site_url,
        "brand_id": brand.brand_id,
        "user_id": brand.user_id,
        "token": brand.token.expose(),
        "operator_token": brand.operator_token.expose(),
        "keys": {
            "read": brand.keys.read.expose(),
            "write": brand.keys.write.expose(),
            "full": brand.keys.full.expose(),
            "asks": brand.keys.asks.expose(),
        },
    })
}

fn as_text(brand: &demo::Demo) -> String {
    let url = &brand.url;
    let write_key = brand.keys.write.expose();
    format!(
        "svc-mcp {version} serves the brand \"{brand_id}\" on {url}\n\n\
         Settings → MCP, signed in for 12 hours:\n  {settings}\n\n\
         Try it:\n  curl -s {url}/mcp/v1/tools/call -H 'Authorization: Bearer {read_key}' \\\n    \
         -H 'Content-Type: application/json' -d '{{\"name\": \"get_brand\"}}'\n\n\
         Connect Cursor (or claude-desktop, claude-code, vscode, windsurf, codex, gemini-cli, zed):\n  \
         curl -fsSO {url}/bridge/svc_mcp_stdio.py \\\n    \
         && SVC_API_URL={url} SVC_MCP_KEY={write_key} python3 svc_mcp_stdio.py --install cursor\n\n\
         Keys: read {read_key}\n      write {write_key}\n      full {full_key}\n      \
         asks first {asks_key}\n\
         The key that asks first can write drafts, but what others would see waits until you approve it. One post waits now, in \
         Settings → MCP.\n\
         Also: API document {url}/docs · the brand's feed {url}/feeds/{brand_id}/atom.xml · its sample site {site}\n\
         Stop with Ctrl-C. The data stays in the data directory; start again and the keys still work.",
        version = env!("CARGO_PKG_VERSION"),
        brand_id = brand.brand_id,
        settings = brand.settings_url(),
        read_key = brand.keys.read.expose(),
        full_key = brand.keys.full.expose(),
        asks_key = brand.keys.asks.expose(),
        site = brand.site_url,
    )
}
