use std::net::SocketAddr;

use serde_json::json;
use svc_mcp_access::Secret;

use super::{print, serve};
use crate::{
    config::{ServeArgs, Switch},
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

pub(super) async fn run(mut args: Args) -> anyhow::Result<()> {
    if args.serve.log.log == "info" {
        // A person reads the text below, so log lines at info would only be noise.
        args.serve.log.log = "warn".into();
    }
    args.serve.log.access_log.get_or_insert(Switch::Off);
    if args.serve.mail.smtp_url.is_none() {
        // Without a mail server, mails are written as files into the data directory.
        let mails = args.serve.store.data_dir.join("mail");
        args.serve.mail.smtp_url = Some(Secret::new(format!("file:{}", mails.display())));
    }
    let stop = serve::StopSignals::listen()?;
    let sites = demo::Sites::start(args.site_listen).await?;
    args.serve.outbound_allow.extend(sites.authorities());
    let (running, _log) = serve::start(&args.serve).await?;
    let issuer = issuer(&args.serve.jwt, &args.serve.store, &running.app.entropy)?;
    let brand = demo::prepare(&running.app, &issuer, &sites).await?;
    if args.json {
        print(&as_json(&brand).to_string())?;
    } else {
        print(&as_text(&brand))?;
    }
    serve::until_stopped(running, stop).await;
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
