//! Fills an empty database with a plan, brands, members, keys and posts, and writes clear keys to files.
//!
//! The service's own migrations make the tables, and its own code makes the keys. The random source is seeded, so every
//! database begins with the same keys.

use std::{
    fmt::Write as _,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::Parser;
use contestants::{brand_name, location};
use rand::{CryptoRng, SeedableRng, rngs::StdRng};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection, raw_sql};
use svc_mcp_access::{KeyId, key::KeyToken};
use svc_mcp_store::Store;

const KEYS_PER_BRAND: usize = 50;
const POSTS_PER_BRAND: usize = 40;
const MAX_ROWS_PER_INSERT: usize = 500;
const KEY_COLUMNS: &str = "keys (key_id, brand_id, created_by, label, scope, prefix, digest, created_at)";
/// Some time in 2025, in milliseconds.
const CREATED_AT: i64 = 1_750_000_000_000;

#[derive(Parser)]
struct Args {
    /// postgres://… or the path of a SQLite file
    #[arg(long)]
    database: String,
    #[arg(long)]
    keys: usize,
    /// How many brands have posts
    #[arg(long, default_value_t = 0)]
    brands_with_posts: usize,
    /// How many clear keys to write: to `keys.txt` (valid), `unknown.txt` (well-formed, but in no database) and
    /// `malformed.txt` (the valid ones with a wrong checksum)
    #[arg(long, default_value_t = 0)]
    clear: usize,
    /// The folder for those files
    #[arg(long, default_value = ".")]
    folder: PathBuf,
}

enum Database {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Database {
    async fn open(url: &str) -> Result<Self, sqlx::Error> {
        Ok(if url.starts_with("postgres://") {
            Self::Postgres(PgConnection::connect(url).await?)
        } else {
            Self::Sqlite(SqliteConnection::connect(url).await?)
        })
    }

    async fn execute(&mut self, sql: String) -> Result<(), sqlx::Error> {
        let query = raw_sql(AssertSqlSafe(sql));
        match self {
            Self::Sqlite(connection) => query.execute(connection).await.map(|_| ()),
            Self::Postgres(connection) => query.execute(connection).await.map(|_| ()),
        }
    }

    async fn close(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(connection) => connection.close().await,
            Self::Postgres(connection) => connection.close().await,
        }
    }

    /// Rows are SQL such as `'a', 1`.
    async fn insert(&mut self, into: &str, rows: &[String]) -> Result<(), sqlx::Error> {
        for rows in rows.chunks(MAX_ROWS_PER_INSERT) {
            self.execute(format!("INSERT INTO {into} VALUES ({})", rows.join("), ("))).await?;
        }
        Ok(())
    }

    fn bytes(&self, bytes: &[u8]) -> String {
        let mut hex = String::with_capacity(80);
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}");
        }
        match self {
            Self::Sqlite(_) => format!("X'{hex}'"),
            Self::Postgres(_) => format!("'\\x{hex}'"),
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    Store::open(&location(&args.database), None).await?.close().await;
    let mut database = Database::open(&args.database).await?;
    database.execute("BEGIN".into()).await?;
    database.insert("plans (plan_id, name, mcp_enabled)", &["'bench', 'Bench', 1".to_owned()]).await?;
    let good = keys(&mut database, &args).await?;
    posts(&mut database, args.brands_with_posts).await?;
    database.execute("COMMIT".into()).await?;
    // Otherwise PostgreSQL would do both while the service is measured. The service never analyzes SQLite's tables, so they
    // are not analyzed here either.
    if let Database::Postgres(_) = database {
        database.execute("VACUUM (FREEZE, ANALYZE)".into()).await?;
        database.execute("CHECKPOINT".into()).await?;
    }
    database.close().await?;
    if args.clear > 0 {
        write_clear(&args.folder, &good)?;
    }
    Ok(())
}

/// Inserts the keys, and returns those that are written to files.
async fn keys(database: &mut Database, args: &Args) -> Result<Vec<KeyToken>, sqlx::Error> {
    let random = &mut StdRng::seed_from_u64(1);
    let mut clear = Vec::with_capacity(args.clear);
    for brand in 0..args.keys.div_ceil(KEYS_PER_BRAND) {
        let name = brand_name(brand);
        let row = format!("'{name}', 'Brand {brand}', 'https://{name}.example', 'bench', '[]'");
        database.insert("brands (brand_id, name, website, plan_id, competitors)", &[row]).await?;
        database
            .insert("members (brand_id, user_id, role)", &[format!("'{name}', 'owner', 'admin'")])
            .await?;
        let numbers = brand * KEYS_PER_BRAND..args.keys.min((brand + 1) * KEYS_PER_BRAND);
        let mut rows = Vec::with_capacity(KEYS_PER_BRAND);
        for number in numbers {
            let token = KeyToken::generate(random);
            rows.push(key_row(database, &name, number, &token, random));
            if number < args.clear {
                clear.push(token);
            }
        }
        database.insert(KEY_COLUMNS, &rows).await?;
    }
    Ok(clear)
}

fn key_row(
    database: &Database,
    brand: &str,
    number: usize,
    token: &KeyToken,
    random: &mut impl CryptoRng,
) -> String {
    let (key_id, prefix) = (KeyId::fresh(random), token.shown_prefix());
    let digest = database.bytes(token.digest().as_bytes());
    format!("'{key_id}', '{brand}', 'owner', 'key {number}', 'write', '{prefix}', {digest}, {CREATED_AT}")
}

async fn posts(database: &mut Database, brands: usize) -> Result<(), sqlx::Error> {
    for brand in (0..brands).map(brand_name) {
        let numbers = || 0..POSTS_PER_BRAND;
        let text = "Fresh beans, roasted on Monday and in the shop on Tuesday. Come early, they rarely last.";
        let rows: Vec<String> = numbers()
            .map(|post| {
                let at = CREATED_AT + 60_000 * i64::try_from(post).unwrap_or(0);
                format!("'{brand}', 'post_{post:04}', '{text}', '[]', {at}, 'seed'")
            })
            .collect();
        database.insert("posts (brand_id, post_id, text, media, created_at, created_by_key)", &rows).await?;
        let rows: Vec<String> = numbers()
            .map(|post| format!("'{brand}', 'post_{post:04}', 'feed', 'published', 1, {CREATED_AT}"))
            .collect();
        database
            .insert("post_targets (brand_id, post_id, channel, status, attempts, published_at)", &rows)
            .await?;
    }
    Ok(())
}

fn write_clear(folder: &Path, good: &[KeyToken]) -> std::io::Result<()> {
    let file = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let (mut keys, mut malformed, mut unknown) =
        (file("keys.txt")?, file("malformed.txt")?, file("unknown.txt")?);
    let random = &mut StdRng::seed_from_u64(2);
    for token in good {
        let clear = token.expose();
        let wrong = if clear.ends_with('0') { '1' } else { '0' };
        writeln!(keys, "{clear}")?;
        writeln!(malformed, "{}{wrong}", &clear[..clear.len() - 1])?;
        // Three times as many, because an unknown key should be new when it is sent.
        for _ in 0..3 {
            writeln!(unknown, "{}", KeyToken::generate(random).expose())?;
        }
    }
    Ok(())
}
