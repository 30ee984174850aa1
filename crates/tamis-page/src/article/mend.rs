//! Old articles, whose characters earlier software damaged.

use super::text::{CharacterRanges, usable};
use super::{Article, Place};
use crate::date::Date;
use crate::repair::{Diagnosis, repair};

impl Article {
    /// Mends the characters of the article, and moves the places of its links and quotes with the text. Says what was wrong
    /// with the text; the titles and the markup are mended each by itself. `day` is when it was collected.
    ///
    /// ```
    /// use tamis_page::article::Article;
    ///
    /// let line = "U:http://a.example/\tC:les rã©sultats de l'ã©tã© ici\tL:25:3:http://b.example/";
    /// let mut article = Article::parse(line).expect("a line");
    /// article.repair(None);
    /// assert_eq!(article.text, "les résultats de l'été ici");
    /// assert_eq!(article.links[0].place.map(|place| place.start), Some(22));
    /// ```
    pub fn repair(&mut self, day: Option<Date>) -> Diagnosis {
        for field in [&mut self.title, &mut self.original_title, &mut self.html] {
            let mended = repair(field, day);
            if mended.is_mended() {
                *field = mended.text.into_owned();
            }
        }
        let mended = repair(&self.text, day);
        let diagnosis = mended.diagnosis.clone();
        if mended.is_mended() {
            let moved = |place: Place| {
                let (start, length) = mended.map.new_range(place.start, place.length);
                Place { start, length }
            };
            for link in &mut self.links {
                link.place = link.place.map(moved);
            }
            for quote in &mut self.quotes {
                quote.place = moved(quote.place);
            }
            self.text = mended.text.into_owned();
            self.quote_again();
        }
        if let Some(quality) = &mut self.quality {
            quality.usable = usable(&self.text);
        }
        diagnosis
    }

    /// Takes the texts of the quotes from the text.
    fn quote_again(&mut self) {
        let mut cut = CharacterRanges::new(&self.text);
        for quote in &mut self.quotes {
            cut.next(quote.place.start, quote.place.length).clone_into(&mut quote.text);
        }
    }
}
