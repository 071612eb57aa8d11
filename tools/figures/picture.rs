//! Pictures as SVG, and as PNG with the feature `png`; the colors that all of them use.

use std::path::Path;

use crate::ToolError;
use plotters::style::RGBColor;

/// Colors of series, from the Okabe-Ito palette, told apart by color-blind readers.
pub const COLORS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];

/// What plotters says.
pub type Plot<T> = Result<T, Box<dyn std::error::Error>>;

/// Writes `stem`.svg, and with the feature `png` `stem`.png.
///
/// # Errors
/// If a file cannot be written, or the machine has no fonts for the PNG's text.
pub fn write(stem: &Path, svg: &str) -> Result<(), ToolError> {
    let path = stem.with_extension("svg");
    std::fs::write(&path, svg).map_err(ToolError::write(&path))?;
    #[cfg(feature = "png")]
    write_png(&stem.with_extension("png"), svg)?;
    Ok(())
}

#[cfg(feature = "png")]
fn write_png(path: &Path, svg: &str) -> Result<(), ToolError> {
    use resvg::{tiny_skia, usvg};

    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let sans = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];
    let families = |name: &str| {
        options.fontdb.faces().any(|face| face.families.iter().any(|(family, _)| family == name))
    };
    let family = sans.iter().find(|name| families(name)).map(|name| (*name).to_owned());
    let family = family
        .or_else(|| options.fontdb.faces().next().and_then(|face| Some(face.families.first()?.0.clone())));
    let family = family.ok_or_else(|| ToolError::draw("no fonts on this machine for the PNG's text"))?;
    options.fontdb_mut().set_sans_serif_family(family);
    let tree = usvg::Tree::from_str(svg, &options).map_err(ToolError::draw)?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| ToolError::draw("the picture has no size"))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.save_png(path).map_err(|error| ToolError::draw(format!("{}: {error}", path.display())))
}
