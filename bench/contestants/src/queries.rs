//! The query of `list_posts` through the store, without HTTP, key and tool: one page of each brand in turn.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use svc_mcp_access::{BrandId, Entropy};
use svc_mcp_store::{Store, ToolRecords};
use svc_mcp_tools::{Records, posts::PostFilter};

use crate::{brand_name, location};

#[derive(clap::Args)]
pub struct QueryArgs {
    /// postgres://… or the path of a SQLite file
    #[arg(long)]
    database: String,
    #[arg(long)]
    brands: usize,
    #[arg(long)]
    limit: u32,
}

pub struct Queries {
    records: Arc<dyn Records>,
    brands: Box<[BrandId]>,
    limit: u32,
    begun: AtomicUsize,
}

impl Queries {
    pub async fn open(args: QueryArgs) -> Self {
        let store = Store::open(&location(&args.database), None).await.expect("a store");
        let entropy = Entropy::new(|_| unreachable!("reading needs no randomness"));
        Self {
            records: Arc::new(ToolRecords { store, entropy }),
            brands: (0..args.brands).map(|brand| brand_name(brand).parse().expect("a brand id")).collect(),
            limit: args.limit,
            begun: AtomicUsize::new(0),
        }
    }

    /// Runs the next query.
    pub async fn next(&self) {
        let brand = &self.brands[self.begun.fetch_add(1, Ordering::Relaxed) % self.brands.len()];
        let page = self.records.posts(brand, &PostFilter::default(), None, self.limit).await.expect("a page");
        assert_eq!(page.items.len(), self.limit as usize, "every brand has enough posts");
    }
}
