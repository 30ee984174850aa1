//! A tweet with the tweets it repeats and quotes: what they name, it names too.

use std::collections::HashMap;

use super::json::{Entities, RawId, Status};
use super::links::Links;
use super::sink::{Facts, Sink};
use super::text_urls::text_urls;
use super::{BadId, OtherKind, Result, Role, Tweet, TweetId, time};

/// The most tweets whose links are counted as one tweet's. A repeated tweet that quotes makes three; a page of the API
/// that refers in circles would make endless ones.
const MAX_FAMILY: usize = 16;

/// The tweets that came along on a page, by id.
type Included<'a> = HashMap<TweetId, &'a Status>;

/// Gives all tweets of an object to the sink.
pub(super) fn give<F>(status: &Status, line: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    if let Some(tweet) = &status.tweet {
        return give_one(tweet, &Included::new(), line, sink);
    }
    let Some(data) = status.data.as_ref().filter(|data| !data.0.is_empty()) else {
        return give_one(status, &Included::new(), line, sink);
    };
    let tweets = status.includes.iter().flat_map(|includes| includes.tweets.iter().flatten());
    let included: Vec<&Status> = tweets.filter(|tweet| tweet.is_tweet()).collect();
    let by_id: Included<'_> =
        included.iter().filter_map(|tweet| Some((tweet.tweet_id()?.ok()?, *tweet))).collect();
    for status in &data.0 {
        give_one(status, &by_id, line, sink)?;
    }
    // What comes along with users are the tweets they have pinned: not what was collected, nor what it refers to.
    if !data.0.iter().any(Status::is_tweet) {
        return Ok(());
    }
    included.iter().try_for_each(|tweet| give_tweet(tweet, &by_id, Role::Referenced, line, sink))
}

fn give_one<F>(status: &Status, included: &Included<'_>, line: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    if status.is_tweet() {
        return give_tweet(status, included, Role::Collected, line, sink);
    }
    sink.report.add_other(OtherKind::of(status));
    Ok(())
}

/// Gives a tweet, and those inside of it.
fn give_tweet<F>(
    status: &Status,
    included: &Included<'_>,
    role: Role,
    line: u64,
    sink: &mut Sink<F>,
) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    match status.tweet_id() {
        Some(Ok(id)) => {
            let mut links = Links::default();
            let mut left = MAX_FAMILY;
            gather(status, included, &mut left, &mut links);
            let time = status.created_at.as_deref().and_then(time::parse);
            sink.tweet(&Facts { id, time, language: status.lang.as_deref(), role }, links)?;
        }
        Some(Err(error)) => sink.report.add_bad(line, error),
        None => sink.report.add_bad(line, "a tweet without an id"),
    }
    for (_, inner) in status.inner().filter(|(_, inner)| inner.is_tweet()) {
        give_tweet(inner, included, Role::Referenced, line, sink)?;
    }
    Ok(())
}

/// Adds the links of a tweet and of what it repeats and quotes. What it answers is another's word.
fn gather(status: &Status, included: &Included<'_>, left: &mut usize, links: &mut Links) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    status.own_links(links);
    for (relation, inner) in status.inner() {
        if relation == Relation::Repeats {
            let known = || included.get(&inner.tweet_id()?.ok()?).copied();
            let whole = if inner.is_tweet() { Some(inner) } else { known() };
            if let Some(whole) = whole {
                gather(whole, included, left, links);
            }
        }
    }
}

/// How a tweet refers to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// It shows the other, whole.
    Repeats,
    Answers,
}

impl Status {
    fn is_tweet(&self) -> bool {
        let has_links = |entities: &Entities| entities.urls.is_some() || entities.media.is_some();
        let has_content =
            self.text.is_some() || self.full_text.is_some() || self.entities.as_ref().is_some_and(has_links);
        has_content && self.username.is_none() && self.screen_name.is_none() && self.action.is_none()
    }

    /// The id, and the text of it before the number, which JavaScript rounds.
    fn tweet_id(&self) -> Option<Result<TweetId, BadId>> {
        Some(match self.id_str.as_ref().or(self.id.as_ref())? {
            RawId::Number(number) => Ok(TweetId(*number)),
            RawId::Text(text) => text.parse(),
            RawId::Float(number) => Err(BadId::Rounded(number.to_string())),
        })
    }

    /// The tweets that this one refers to; of some there may be no more than the id.
    fn inner(&self) -> impl Iterator<Item = (Relation, &Self)> {
        let nested = [&self.retweeted_status, &self.quoted_status].into_iter().flatten();
        let nested = nested.map(|status| (Relation::Repeats, &**status));
        let referenced = self.referenced_tweets.iter().flatten();
        nested.chain(referenced.map(|status| match status.r#type.as_deref() {
            Some("retweeted" | "quoted") => (Relation::Repeats, status),
            _ => (Relation::Answers, status),
        }))
    }

    /// The links in the text itself. A tweet is often cut, with the whole of it in another field.
    fn own_links(&self, links: &mut Links) {
        let parts = [Some(self), self.extended_tweet.as_deref(), self.note_tweet.as_deref()];
        let parts = parts.into_iter().flatten();
        let mut any_entities = false;
        for entities in parts.clone().filter_map(|part| part.entities.as_ref()) {
            any_entities = true;
            links.add_entities(entities);
        }
        if !any_entities {
            let texts = parts.filter_map(|part| part.full_text.as_ref().or(part.text.as_ref()));
            texts.flat_map(|text| text_urls(text)).for_each(|url| links.add(url));
        }
    }
}
