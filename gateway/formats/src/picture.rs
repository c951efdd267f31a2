//! Pictures of black rectangles: the bars of a boleto and QR codes, for SVG and PDF.

use std::fmt::Write as _;

/// A white picture with black rectangles. The unit is a module: the width of the narrowest bar, or a square of a QR
/// code. The quiet zone, which readers need around a code, is part of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub dark: Vec<Rectangle>,
}

/// The place of the upper left corner, and the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// An SVG element without a fixed size: it fills the box that shows it.
    pub fn to_svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let mut path = String::new();
        for Rectangle { x, y, width, height } in &self.dark {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{width}v{height}h-{width}z\"/>\
             <path d=\"{path}\"/></svg>"
        )
    }
}
