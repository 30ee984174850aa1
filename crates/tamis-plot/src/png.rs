//! Pictures in pixels.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb};

use super::lettering::FONT;

/// The most pixels a picture may have: 256 MB while it is drawn.
const MOST_PIXELS: f64 = 64e6;

/// Why a chart has no PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The text is not SVG.
    #[error("cannot read the SVG: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The scale is not a positive number.
    #[error("an image cannot be scaled by {0}")]
    Scale(f32),
    /// The picture would take too much memory.
    #[error("an image of {width} × {height} pixels is too large")]
    TooLarge {
        /// Pixels across.
        width: f64,
        /// Pixels down.
        height: f64,
    },
    /// The pixels could not be encoded.
    #[error("cannot write the PNG: {0}")]
    Encoding(String),
}

/// An SVG as PNG, with `scale` pixels for each of its units; 3 is enough for print.
///
/// Text is drawn in the bundled font only, and no other file is read, so that the picture depends on nothing but
/// its arguments.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    if !scale.is_finite() || scale <= 0.0 {
        return Err(PngError::Scale(scale));
    }
    let tree = Tree::from_str(svg, &options())?;
    let (width, height) = (pixels(tree.size().width(), scale), pixels(tree.size().height(), scale));
    let too_large = PngError::TooLarge { width, height };
    if width * height > MOST_PIXELS {
        return Err(too_large);
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}

fn pixels(units: f32, scale: f32) -> f64 {
    (f64::from(units) * f64::from(scale)).ceil().max(1.0)
}

/// How SVG is read: with our font, and without a look at other files.
pub(super) fn options() -> Options<'static> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    });
    Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "DejaVu Sans".to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bars;
    use super::*;

    fn square(side: u32) -> String {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"><rect width="{side}" height="{side}"/></svg>"#
        )
    }

    #[test]
    fn a_picture_has_the_pixels_asked_for() {
        for (scale, side) in [(1.0, 10_u32), (2.0, 20), (0.01, 1), (1.55, 16)] {
            let picture = png(&square(10), scale).expect("a picture");
            assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
            // The header: width and height come first.
            assert_eq!(picture[16..24], [side.to_be_bytes(), side.to_be_bytes()].concat(), "{scale}");
        }
    }

    #[test]
    fn letters_are_drawn_whatever_fonts_the_machine_has() {
        let drawn = |text: &str| {
            let bars = Bars { title: text.to_owned(), ..Bars::default() };
            png(&bars.svg(), 1.0).expect("a picture")
        };
        for text in ["✓", "✗", "−", "÷", "→", "é", "Ω", "Ж"] {
            assert_eq!(drawn(text), drawn(text));
            assert_ne!(drawn(text), drawn("\u{E000}"), "{text} is drawn as a box");
            assert_ne!(drawn(text), drawn(""), "{text} is not drawn");
        }
    }

    #[test]
    fn no_file_is_read_for_a_picture() {
        let svg = |inside: &str| {
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>"#)
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("inner.svg");
        std::fs::write(&path, square(9)).expect("a file");
        let linked = svg(&format!(r#"<image href="{}" width="9" height="9"/>"#, path.display()));
        assert_eq!(png(&linked, 1.0).expect("a picture"), png(&svg(""), 1.0).expect("a picture"));
    }

    #[test]
    fn what_cannot_be_drawn_is_an_error() {
        for (svg, scale, message) in [
            ("no picture".to_owned(), 1.0, "cannot read the SVG"),
            (String::new(), 1.0, "cannot read the SVG"),
            (square(10), 0.0, "cannot be scaled by 0"),
            (square(10), -1.0, "cannot be scaled by -1"),
            (square(10), f32::NAN, "cannot be scaled by NaN"),
            (square(10), 1e6, "10000000 × 10000000 pixels is too large"),
        ] {
            let error = png(&svg, scale).expect_err(message);
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
