//! Whole inputs in the formats people have them in.

use super::*;

/// What a test compares: id, URLs, whether it was collected.
type Seen = (u64, Vec<String>, bool);

fn read_all(input: &[u8], options: ReadOptions) -> (Vec<Seen>, Report) {
    let mut seen = Vec::new();
    let report = read(input, options, |tweet| {
        seen.push((tweet.id.0, tweet.urls.to_vec(), tweet.role == Role::Collected));
        Ok(())
    });
    (seen, report.expect("the input has tweets"))
}

fn tweets(input: &str) -> (Vec<Seen>, Report) {
    read_all(input.as_bytes(), ReadOptions::default())
}

fn collected(id: u64, urls: &[&str]) -> Seen {
    (id, urls.iter().map(|&url| url.into()).collect(), true)
}

fn referenced(id: u64, urls: &[&str]) -> Seen {
    (id, urls.iter().map(|&url| url.into()).collect(), false)
}

const API_1: &str = concat!(
    r#"{"id":1201505319257403300,"id_str":"1201505319257403392","text":"look https://t.co/1","lang":"en","#,
    r#""created_at":"Mon Dec 02 14:16:05 +0000 2019","truncated":true,"#,
    r#""entities":{"urls":[{"url":"https://t.co/9","expanded_url":"https://twitter.com/i/web/status/1"}]},"#,
    r#""extended_tweet":{"full_text":"look","entities":{"urls":["#,
    r#"{"url":"https://t.co/1","expanded_url":"http://a.example/","unwound":{"url":"http://b.example/"}},"#,
    r#"{"url":"https://t.co/2","expanded_url":null}],"#,
    r#""media":[{"url":"https://t.co/3","expanded_url":"https://twitter.com/a/status/1/photo/1"}]}}}"#,
    "\n\n",
    r#"{"id_str":"5","full_text":"RT","entities":{"urls":[]},"retweeted_status":{"id_str":"4","full_text":"x","#,
    r#""entities":{"urls":[{"url":"https://t.co/4","expanded_url":"http://c.example/"}]},"#,
    r#""quoted_status":{"id_str":"3","text":"y","#,
    r#""entities":{"urls":[{"url":"https://t.co/5","expanded_url":"http://d.example/"}]}}}}"#,
    "\n",
    r#"{"delete":{"status":{"id":1,"id_str":"1"}}}"#,
);

#[test]
fn api_1_has_urls_in_many_places() {
    let (seen, report) = tweets(API_1);
    let expected = [
        collected(1_201_505_319_257_403_392, &["http://b.example/", "https://t.co/2"]),
        collected(5, &["http://c.example/", "http://d.example/"]),
        referenced(4, &["http://c.example/", "http://d.example/"]),
        referenced(3, &["http://d.example/"]),
    ];
    assert_eq!(seen, expected);
    assert_eq!((report.format, report.tweets, report.referenced), (Format::JsonLines, 2, 2));
    assert_eq!((report.urls, report.own_links, report.bad), (4, 2, 0));
    assert_eq!(
        report.to_string(),
        "2 tweets, 2 of them with URLs, 1 notices of the stream, 2 links to tweets and media"
    );
}

#[test]
fn own_links_come_along_where_wanted() {
    let options = ReadOptions { keep_own_links: true, ..ReadOptions::default() };
    let (seen, report) = read_all(API_1.as_bytes(), options);
    let expected = [
        "https://twitter.com/i/web/status/1",
        "http://b.example/",
        "https://t.co/2",
        "https://twitter.com/a/status/1/photo/1",
    ];
    assert_eq!(seen[0].1, expected);
    assert_eq!((report.urls, report.own_links), (4, 2));
}

#[test]
fn time_and_language_are_given() {
    let mut facts = Vec::new();
    let each = |tweet: &Tweet<'_>| {
        facts.push((tweet.time.map(|time| time.digits()), tweet.language.map(str::to_owned)));
        Ok(())
    };
    read(API_1.as_bytes(), ReadOptions::default(), each).expect("the input has tweets");
    assert_eq!(facts[..2], [(Some("20191202141605".into()), Some("en".into())), (None, None)]);
}

const API_2_PAGE: &str = concat!(
    r#"{"data":[{"id":"10","text":"RT","referenced_tweets":[{"type":"retweeted","id":"8"}]},"#,
    r#"{"id":"11","text":"reply","edit_history_tweet_ids":["11"],"referenced_tweets":[{"type":"replied_to","id":"9"}]},"#,
    r#"{"id":"12","text":"no entities https://t.co/7"}],"#,
    r#""includes":{"users":[{"id":"1","username":"a"}],"tweets":["#,
    r#"{"id":"8","text":"x","referenced_tweets":[{"type":"quoted","id":"10"},{"type":"quoted","id":"8"}],"#,
    r#""entities":{"urls":[{"url":"https://t.co/1","expanded_url":"http://s.example/","unwound_url":"http://a.example/"}]}},"#,
    r#"{"id":"9","text":"y","note_tweet":{"text":"yy","#,
    r#""entities":{"urls":[{"expanded_url":"http://b.example/"}]}}}]},"#,
    r#""meta":{"result_count":3}}"#,
);

#[test]
fn pages_of_api_2_are_joined_with_what_they_include() {
    let (seen, report) = tweets(API_2_PAGE);
    let expected = [
        collected(10, &["http://a.example/"]),
        collected(11, &[]),
        collected(12, &["https://t.co/7"]),
        referenced(8, &["http://a.example/"]),
        referenced(9, &["http://b.example/"]),
    ];
    assert_eq!(seen, expected);
    assert!(report.others.is_empty(), "{report}");
}

#[test]
fn flat_tweets_of_api_2_have_the_others_inside() {
    let (seen, _) = tweets(concat!(
        r#"{"id":"10","text":"RT","referenced_tweets":[{"type":"quoted","id":"8","text":"x","#,
        r#""entities":{"urls":[{"expanded_url":"http://a.example/"}]}}],"#,
        r#""entities":{"mentions":[{"entities":{"url":{"urls":[{"expanded_url":"http://profile.example/"}]}}}]}}"#,
    ));
    assert_eq!(seen, [collected(10, &["http://a.example/"]), referenced(8, &["http://a.example/"])]);
}

#[test]
fn arrays_layouts_and_own_archives_are_read() {
    let one = r#"{"id":"1","text":"http://a.example/"}"#;
    for input in [
        format!("[{one},{one}]"),
        format!("[\n  {one},\n  {one}\n]\n"),
        format!("{{\n  \"data\":\n[{one},{one}]}}"),
        format!("window.YTD.tweets.part0 = [\n {{\"tweet\": {one}}},\n {{\"tweet\": {one}}}]"),
        format!("{one}\r\n{{\"data\":{one}}}\r\n"),
    ] {
        let (seen, report) = tweets(&input);
        assert_eq!(seen, vec![collected(1, &["http://a.example/"]); 2], "{input}");
        assert_eq!(report.bad, 0);
    }
}

#[test]
fn files_without_tweets_say_what_they_hold() {
    for (input, expected) in [
        ("", "no tweets"),
        (r#"{"data":[{"start":"a","end":"b","tweet_count":3}]}"#, "no tweets, 1 counts of tweets"),
        (r#"{"id":"1","action":"delete","reason":"protected"}"#, "no tweets, 1 compliance entries"),
        (r#"{"data":[{"id":"1","name":"a","owner_id":"2"}]}"#, "no tweets, 1 lists of users"),
        (r#"{"meta":{"result_count":0}}"#, "no tweets, 1 empty pages"),
        (r#"{"errors":[{"title":"x"}]}"#, "no tweets, 1 error messages"),
        (r#"{"a":1}"#, "no tweets, 1 objects of other kinds"),
        (
            r#"{"data":[{"id":"1","username":"a"},{"id":"2","username":"b"}],"includes":{"tweets":[{"id":"3","text":"x"}]}}"#,
            "no tweets, 2 users",
        ),
    ] {
        let (seen, report) = tweets(input);
        assert_eq!((seen, report.bad), (vec![], 0), "{input}");
        assert_eq!(report.to_string(), expected);
    }
}

#[test]
fn bad_lines_are_reported_and_the_rest_goes_on() {
    let bad = ["{", "x", r#"{"text":"no id"}"#, r#"{"id":1.5e18,"text":"x"}"#, r#"{"id":"a","text":"x"}"#];
    let input = format!("{{\"id\":1,\"text\":\"x\"}}\n{}\n{{\"id\":2,\"text\":\"x\"}}\n", bad.join("\n"));
    let (seen, report) = tweets(&input);
    assert_eq!(seen, [collected(1, &[]), collected(2, &[])]);
    let reasons: Vec<String> = report.first_bad.iter().map(ToString::to_string).collect();
    let expected = [
        "line 2: column 1: EOF while parsing an object",
        "line 3: column 1: expected value",
        "line 4: a tweet without an id",
        "line 5: the id \"1500000000000000000\" was rounded: it was stored as a float",
        "line 6: \"a\" is not a tweet id",
    ];
    assert_eq!(reasons, expected);
    let many = format!("{{}}\n{}", "x\n".repeat(25));
    let (_, report) = tweets(&many);
    assert_eq!((report.bad, report.first_bad.len()), (25, 10));
}

#[test]
fn tables_of_the_exporters_are_read() {
    let urls = r#""[{""url"": ""https://t.co/1"", ""expanded_url"": ""http://a.example/""}]""#;
    let a = &["http://a.example/"][..];
    for (input, expected) in [
        ("id,url\n1,http://a.example/\n".to_owned(), collected(1, a)),
        ("\u{feff}id;url\n1;http://a.example/\n".to_owned(), collected(1, a)),
        ("tweet_id\texpanded_url\r\n1\thttp://a.example/\r\n".to_owned(), collected(1, a)),
        (format!("id,created_at,text,entities.urls\n1,,\"a\nb\",{urls}\n"), collected(1, a)),
        ("id,text\n1,\"see, http://a.example/.\"\n".to_owned(), collected(1, a)),
        ("id,urls,text\n1,,https://t.co/1\n".to_owned(), collected(1, &[])),
        (
            "url,id,content\nhttps://twitter.com/a/status/1,1,see http://a.example/\n".to_owned(),
            collected(1, a),
        ),
        ("tweet_url,text\nhttps://twitter.com/a/status/1,http://a.example/\n".to_owned(), collected(1, a)),
        ("12345678901,http://a.example/\n".to_owned(), collected(12_345_678_901, a)),
        ("id,id_str,url\n1.2E+18,x12,http://a.example/\n".to_owned(), collected(12, a)),
    ] {
        let (seen, report) = tweets(&input);
        assert_eq!((seen, report.bad, report.format), (vec![expected], 0, Format::Csv), "{input}");
    }
}

#[test]
fn bad_rows_are_reported_and_the_rest_goes_on() {
    let (seen, report) =
        tweets("id,url\n1.2E+18,http://a.example/\n\n,\n7,\"http://b.example/\n8,http://c.example/\n");
    assert_eq!(seen, [collected(8, &["http://c.example/"])]);
    let lines: Vec<u64> = report.first_bad.iter().map(|bad| bad.line).collect();
    assert_eq!(lines, [2, 4, 5]);
}

#[test]
fn a_table_without_the_columns_says_which() {
    for (input, expected) in [
        (
            "name,age\na,1\n",
            "no column of tweet ids among: name, age\nhint: the first line must name the columns",
        ),
        (
            "id,age\n1,1\n",
            "no column of URLs or texts among: id, age\nhint: the first line must name the columns",
        ),
    ] {
        let error = read(input.as_bytes(), ReadOptions::default(), |_| Ok(())).expect_err("no columns");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
fn a_circle_of_references_ends() {
    let tweet = |id: u32| {
        let refers: Vec<String> =
            (0..40).map(|id| format!("{{\"type\":\"quoted\",\"id\":\"{id}\"}}")).collect();
        format!("{{\"id\":\"{id}\",\"text\":\"\",\"referenced_tweets\":[{}]}}", refers.join(","))
    };
    let all = (0..40).map(tweet).collect::<Vec<_>>().join(",");
    let (seen, _) = tweets(&format!("{{\"data\":[{all}],\"includes\":{{\"tweets\":[{all}]}}}}"));
    assert_eq!(seen.len(), 80);
}

#[test]
fn an_error_of_the_reader_ends_the_reading() {
    let mut count = 0;
    let result = read(API_1.as_bytes(), ReadOptions::default(), |_| {
        count += 1;
        Err(Error::Io(io::Error::other("enough")))
    });
    assert_eq!((result.is_err(), count), (true, 1));
}

#[test]
fn no_cut_and_no_changed_byte_makes_a_panic() {
    let csv = "id,url,text\n1,\"http://a.example/\",\"x \"\"y\"\"\nz\"\r\n2,['http://b.example/'],https://t.co/é…\n";
    for input in [API_1, API_2_PAGE, csv] {
        for format in [None, Some(Format::Csv), Some(Format::Json), Some(Format::JsonLines)] {
            let options = ReadOptions { format, keep_own_links: true };
            for end in 0..input.len() {
                let _ = read(&input.as_bytes()[..end], options, |_| Ok(()));
                let mut bytes = input.as_bytes().to_vec();
                bytes[end] = b"\"{[,\n\xff:/\\}"[end % 10];
                let _ = read(&bytes[..], options, |_| Ok(()));
            }
        }
    }
}
