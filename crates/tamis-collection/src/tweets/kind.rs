//! What files of tweets hold beside tweets.

use std::fmt;

use super::json::Status;

/// A JSON object that is no tweet, told from its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OtherKind {
    /// A user.
    User,
    /// A list of users.
    List,
    /// The number of tweets in a span of time.
    Count,
    /// An entry of a compliance file: what was deleted, protected or suspended.
    Compliance,
    /// A notice of the streaming API: a deletion, a limit, a disconnection.
    Notice,
    /// An error message of the API.
    Error,
    /// A page without results.
    EmptyPage,
    /// Something else.
    Unknown,
}

impl OtherKind {
    pub(super) fn of(status: &Status) -> Self {
        let is_notice =
            [&status.delete, &status.limit, &status.status_withheld, &status.disconnect, &status.warning];
        if is_notice.iter().any(|field| field.is_some()) {
            Self::Notice
        } else if status.action.is_some() {
            Self::Compliance
        } else if status.tweet_count.is_some() {
            Self::Count
        } else if status.username.is_some() || status.screen_name.is_some() {
            Self::User
        } else if status.member_count.is_some() || status.owner_id.is_some() {
            Self::List
        } else if status.errors.is_some() {
            Self::Error
        } else if status.meta.is_some() || status.data.is_some() {
            Self::EmptyPage
        } else {
            Self::Unknown
        }
    }
}

impl fmt::Display for OtherKind {
    /// The kind in the plural, for a count before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::User => "users",
            Self::List => "lists of users",
            Self::Count => "counts of tweets",
            Self::Compliance => "compliance entries",
            Self::Notice => "notices of the stream",
            Self::Error => "error messages",
            Self::EmptyPage => "empty pages",
            Self::Unknown => "objects of other kinds",
        })
    }
}
