//! The name that was probably meant.

/// The candidate nearest to a mistyped name, if one is near enough to be meant: at most a third of it differs.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let distance = |candidate: &str| strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        for (name, expected) in [
            ("colour", Some("color")),
            ("Progress", Some("progress")),
            ("jbos", Some("jobs")),
            ("rolover", Some("rollover")),
            ("threads", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, ["color", "progress", "jobs", "rollover"]), expected, "{name}");
        }
    }
}
