//! Charts as files: `.svg` or `.png`, by the name.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::hint::WithHint;
use crate::output::{self, Output};

/// Pixels for each unit of a chart: sharp in print.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

/// Refuses names that say nothing of how to draw, and files that must not be replaced, before any work is done.
pub fn check(paths: &[PathBuf], force: bool) -> anyhow::Result<()> {
    for path in paths {
        Form::of(path)?;
        output::place(path, force)?;
    }
    Ok(())
}

/// Writes a chart.
pub fn write(path: &Path, force: bool, svg: &str) -> anyhow::Result<()> {
    let bytes = match Form::of(path)? {
        Form::Svg => svg.as_bytes().to_vec(),
        #[cfg(feature = "png")]
        Form::Png => tamis_plot::png(svg, SCALE)?,
    };
    let mut output = Output::create(path, force)?;
    output.write_all(&bytes).with_context(|| format!("cannot write {}", path.display()))?;
    output.finish()
}

enum Form {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

impl Form {
    fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
            Some("svg") => Ok(Self::Svg),
            #[cfg(feature = "png")]
            Some("png") => Ok(Self::Png),
            #[cfg(not(feature = "png"))]
            Some("png") => Err(anyhow!("{}: this build of tamis draws no PNG", path.display()))
                .hint("name a file that ends in .svg, or build with the feature png"),
            _ => Err(anyhow!("{}: not an .svg or .png file", path.display()))
                .hint("write to a file such as chart.svg"),
        }
    }
}
