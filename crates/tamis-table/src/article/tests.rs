use tamis_page::article::{Article, Link, Place};
use tamis_page::{content, html, links};
use tamis_words::language::{Detect as _, Tamis};

use super::Source;

/// The markup of the example in the reference's document, and the text that it gives for it.
const HTML: &str = r#" <div class='post-body entry-content' id='post-body-6489500017357713536' itemprop='description articleBody'>When Megan moved into her 'big girl' bed I told her that I would make her a new quilt, with her choice of fabric. I set out a couple of fabric options and she immediately picked Out to Sea. Mermaids and Pirate Girls... who could resist!<br /> <br /> <center><a href="http://www.flickr.com/photos/37060810@N04/8633649686/" title="Out To Sea Quilt by {Karamat}, on Flickr"><img alt="Out To Sea Quilt" height="334" src="http://farm9.staticflickr.com/8539/8633649686_f11cc3dec8.jpg" width="500" /></a></center> <br /> I wanted a pattern with good size pieces so we wouldn't end up with a quilt full of headless pirates or octopus without tentacles. I ended up picking a free pattern from the Andover website. It uses only 2 blocks, with good size pieces (4" x 4" and 4" x 8"). And one of the blocks is pieced with partial seam construction... easy to do, and adds a little interest to the layout.<br /> <br /> <center><a href="http://www.flickr.com/photos/37060810@N04/8633649274/" title="Out To Sea Quilt by {Karamat}, on Flickr"><img alt="Out To Sea Quilt" height="334" src="http://farm9.staticflickr.com/8259/8633649274_293c10b086.jpg" width="500" /></a></center> <br /> The only thing I did different from the pattern was I left off one column... so rather than an 80" x 80" quilt, I ended up with a 64" x 80" quilt... much better to fit on her bed.<br /> <br /> <center><a href="http://www.flickr.com/photos/37060810@N04/8633648668/" title="Out To Sea Quilt by {Karamat}, on Flickr"><img alt="Out To Sea Quilt" height="334" src="http://farm9.staticflickr.com/8536/8633648668_82c4d07da0.jpg" width="500" /></a></center> <strong><br /> </strong> <strong><br /> </strong> <strong>Details</strong><br /> Fabric: Out to Sea by Sarah Jane for Michael Miller<br /> Backing: Essential Dots by Riley Blake<br /> Pattern: Frippery Quilt (available at Andover's website)<br /> Quilting: Russ @ <a href="http://thebackporchquilters.com/">The Back Porch Quilters</a></div>"#;
const TEXT: &str = "When Megan moved into her ` big girl ' bed I told her that I would make her a new quilt , with her choice of fabric . I set out a couple of fabric options and she immediately picked Out to Sea . Mermaids and Pirate Girls ... who could resist ! I wanted a pattern with good size pieces so we would n't end up with a quilt full of headless pirates or octopus without tentacles . I ended up picking a free pattern from the Andover website . It uses only 2 blocks , with good size pieces ( 4 '' x 4 '' and 4 '' x 8 '' ) . And one of the blocks is pieced with partial seam construction ... easy to do , and adds a little interest to the layout . The only thing I did different from the pattern was I left off one column ... so rather than an 80 '' x 80 '' quilt , I ended up with a 64 '' x 80 '' quilt ... much better to fit on her bed . Details Fabric : Out to Sea by Sarah Jane for Michael Miller Backing : Essential Dots by Riley Blake Pattern : Frippery Quilt ( available at Andover 's website ) Quilting : Russ @ The Back Porch Quilters";

fn article(markup: &str, title: &str, language: Option<&str>) -> Article {
    let tree = html::parse(markup);
    let text = content::read(&tree, true).full;
    let languages = Tamis::new().detect(&text.text);
    let source = Source {
        url: "http://www.karamatsews.com/2013/04/out-to-sea-quilt.html",
        date: Some("2013-04-09T02:26:00Z"),
        title,
        html: markup,
        text: &text,
        links: &links::read(&tree, None),
        language,
        languages: Some(&languages),
    };
    source.article()
}

#[test]
fn the_example_of_the_reference_is_reproduced() {
    let line = article(HTML, "Karamat: Out to Sea Quilt", Some("en")).to_string();
    let fields: Vec<&str> = line.split('\t').collect();
    let expected = [
        "U:http://www.karamatsews.com/2013/04/out-to-sea-quilt.html".to_owned(),
        "D:2013-04-09T02:26:00Z".to_owned(),
        "T:Karamat : Out to Sea Quilt".to_owned(),
        "F:Karamat: Out to Sea Quilt".to_owned(),
        format!("C:{TEXT}"),
        format!("H:{HTML}"),
        // The document names the field and has none in its example.
        fields[6].to_owned(),
        "L:244:0:http://www.flickr.com/photos/37060810@N04/8633649686/".to_owned(),
        // The document has `with` at the end of this one, which is not in its markup.
        "L:641:0:http://www.flickr.com/photos/37060810@N04/8633649274/".to_owned(),
        "L:833:0:http://www.flickr.com/photos/37060810@N04/8633648668/".to_owned(),
        "L:1013:23:http://thebackporchquilters.com/".to_owned(),
        "Q:28:8:big girl".to_owned(),
    ];
    assert_eq!(fields, expected);
    assert!(fields[6].starts_with("G:1.0000:T:en:"), "{}", fields[6]);
}

#[test]
fn a_line_is_read_as_it_was_written() {
    let mut first = article(HTML, "Two\nlines\tand a tab", Some("en"));
    first.links.push(Link { place: None, url: "http://snap.stanford.edu".to_owned() });
    let line = first.to_string();
    assert!(line.contains("\tL:::http://snap.stanford.edu\t"));
    let second = Article::parse(&line).expect("an article");
    assert_eq!(second.to_string(), line);
    assert_eq!((&second.text, &second.links, &second.quotes), (&first.text, &first.links, &first.quotes));
}

#[test]
fn places_are_those_of_the_tokens() {
    let made = article(
        "<p>„Grüße“, sagte er. Don't <a href=http://a.example/>say it's \"over\"</a>, http://b.example/c.</p>",
        "",
        Some("en"),
    );
    let characters: Vec<char> = made.text.chars().collect();
    let at = |place: Place| characters[place.start..place.start + place.length].iter().collect::<String>();
    let links: Vec<String> = made.links.iter().filter_map(|link| link.place).map(at).collect();
    assert_eq!(links, ["say it 's `` over ''", "http://b.example/c"]);
    for quote in &made.quotes {
        assert_eq!(at(quote.place), quote.text);
    }
    assert_eq!(made.quotes.len(), 2);
}
