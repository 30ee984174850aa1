"""The measures on texts made up for them: `python -m unittest` in this folder."""

import unittest
from pathlib import Path

import score
from sets import Page, visible_text


def page(**truth):
    return Page(Path("page.html"), "page", **truth)


class Measures(unittest.TestCase):
    def test_a_text_is_right_whatever_its_white_space(self):
        scores = score.score(page(text="one two three four five"), {"text": "one two\n\nthree  four five"})
        self.assertEqual(scores["main"], 1.0)

    def test_words_that_are_too_much_cost_precision_only(self):
        good, bad, missed = score.shingle_counts("a b c d e", "a b c d e f g", "")
        self.assertEqual((missed, good, bad), (0.0, 0.5, 0.5))

    def test_a_standfirst_may_be_there_or_not(self):
        self.assertEqual(score.shingle_counts("a b c d", "x y z w", "x y z w")[1], 0.0)

    def test_an_empty_answer_is_worth_nothing(self):
        self.assertEqual(score.score(page(text="a b c d"), {})["main"], 0.0)

    def test_a_known_start_judges_what_comes_before_and_not_what_follows(self):
        self.assertEqual(score.start("a b c d e", "a b c d e f g h"), (1.0, 1.0))
        precision, recall = score.start("a b c d e", "menu home a b c d e")
        self.assertEqual((precision, recall), (0.5, 1.0))

    def test_phrases_are_found_across_line_ends(self):
        counted = score.phrases(page(must=["one two", "three"], must_not=["four", "five"]), "one\ntwo four")
        self.assertEqual(counted, (1, 1, 1, 1))

    def test_names_are_people_in_no_order(self):
        cases = [
            (["Ann Lee", "Bo Day"], "By Bo Day and Ann Lee", score.RIGHT),
            (["Ann Lee"], "Ann Lee, Staff Writer", score.CLOSE),
            (["Ann Lee"], ["Cy Fox"], score.WRONG),
            (["Ann Lee"], None, score.MISSING),
            ([], "Ann Lee", score.INVENTED),
        ]
        for truth, found, outcome in cases:
            self.assertEqual(score.author(truth, found), outcome, found)

    def test_a_date_is_a_day_as_written(self):
        self.assertEqual(score.date("2025-05-21 23:30:00+02:00", "2025-05-21"), score.RIGHT)
        self.assertEqual(score.date("Sun Nov 23 16:00:00 EDT 2014", "2014-11-23T16:00:00"), score.RIGHT)
        self.assertEqual(score.date("2025-05-21", "2025-05-20"), score.WRONG)

    def test_a_title_with_the_site_behind_it_is_close(self):
        self.assertEqual(score.title("A “new” day", 'a "new" day'), score.RIGHT)
        self.assertEqual(score.title("A new day", "A new day | The Site"), score.CLOSE)

    def test_dates_are_counted_as_htmldate_does(self):
        scores = [{"date": outcome} for outcome in (score.RIGHT, score.RIGHT, score.WRONG, score.MISSING)]
        figures = score.metadata_figures(scores)
        self.assertAlmostEqual(figures["date.f1"], 4 / 6)

    def test_blocks_part_words_and_inline_elements_do_not(self):
        self.assertEqual(visible_text("<div>a<p>b</p>c<b>d</b>e</div><script>x</script>"), "a\nb\ncde")


if __name__ == "__main__":
    unittest.main()
