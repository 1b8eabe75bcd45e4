//! The known name that somebody probably meant.

/// Names that are less similar have nothing to do with each other.
const MIN_SIMILARITY: f64 = 0.8;

/// The known name that is most similar to this one.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let similar = known.map(|candidate| (strsim::jaro_winkler(name, candidate), candidate));
    let best = similar.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= MIN_SIMILARITY).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_similar_name_is_found() {
        let known = ["redis_url", "redis_ca_file", "database_url", "listen", "log"];
        for (name, expected) in [
            ("redis_ulr", Some("redis_url")),
            ("redisurl", Some("redis_url")),
            ("databse_url", Some("database_url")),
            ("listn", Some("listen")),
            ("db_url", None),
            ("zzz", None),
        ] {
            assert_eq!(nearest(name, known.into_iter()), expected, "{name}");
        }
    }
}
