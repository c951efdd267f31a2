//! An A4 page that is drawn in micrometers from its upper left corner.

use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::font::{Font, win_ansi};
use crate::picture::Picture;

/// Micrometers of an A4 page.
const HEIGHT: i32 = 297_000;
/// A4 in points, the unit of PDF.
const MEDIA: Rect = Rect {
    x1: 0.0,
    y1: 0.0,
    x2: 595.28,
    y2: 841.89,
};
/// Points in a micrometer: 72 / 25,400. All places on the page are integers, which the PDF's reader scales.
const SCALE: f32 = 0.002_834_645_7;

/// The margins of the documents.
pub const LEFT: i32 = 15_000;
pub const RIGHT: i32 = 195_000;

/// The width of a thin line.
pub const THIN: i32 = 120;

const REGULAR: Name<'_> = Name(b"F1");
const BOLD: Name<'_> = Name(b"F2");

pub struct Page {
    content: Content,
}

/// The size of letters and the font.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub font: Font,
    /// Micrometers.
    pub size: i32,
}

impl Style {
    pub const fn regular(tenths_of_point: i32) -> Self {
        Self {
            font: Font::Regular,
            size: micrometers(tenths_of_point),
        }
    }

    pub const fn bold(tenths_of_point: i32) -> Self {
        Self {
            font: Font::Bold,
            size: micrometers(tenths_of_point),
        }
    }
}

/// A point is 352.78 µm.
const fn micrometers(tenths_of_point: i32) -> i32 {
    tenths_of_point * 35_278 / 1000
}

/// Exact: all values are far below 2^24, up to which an `f32` holds every integer.
fn number(micrometers: i32) -> f32 {
    micrometers as f32
}

impl Page {
    pub fn new() -> Self {
        let mut content = Content::new();
        content.transform([SCALE, 0.0, 0.0, SCALE, 0.0, 0.0]);
        Self { content }
    }

    /// `x` and `y` are the left end of the baseline.
    pub fn text(&mut self, x: i32, y: i32, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        let font = match style.font {
            Font::Regular => REGULAR,
            Font::Bold => BOLD,
        };
        self.content
            .begin_text()
            .set_font(font, number(style.size))
            .set_text_matrix([1.0, 0.0, 0.0, 1.0, number(x), number(HEIGHT - y)])
            .show(Str(&win_ansi(text)))
            .end_text();
    }

    /// The text ends at `x`.
    pub fn text_right(&mut self, x: i32, y: i32, style: Style, text: &str) {
        self.text(x - style.font.width(text, style.size), y, style, text);
    }

    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), width: i32) {
        self.content
            .set_line_width(number(width))
            .set_line_cap(LineCapStyle::ProjectingSquareCap)
            .move_to(number(from.0), number(HEIGHT - from.1))
            .line_to(number(to.0), number(HEIGHT - to.1))
            .stroke();
    }

    pub fn dashed_line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.content
            .save_state()
            .set_dash_pattern([1_000.0, 1_000.0], 0.0);
        self.line(from, to, THIN);
        self.content.restore_state();
    }

    /// `module` is the size of a module in micrometers.
    pub fn picture(&mut self, x: i32, y: i32, module: i32, picture: &Picture) {
        self.content.save_state().transform([
            number(module),
            0.0,
            0.0,
            number(-module),
            number(x),
            number(HEIGHT - y),
        ]);
        for dark in &picture.dark {
            // Exact: places and sizes are at most a few hundred modules.
            let [x, y, width, height] = [dark.x, dark.y, dark.width, dark.height].map(|size| size as f32);
            self.content.rect(x, y, width, height);
        }
        self.content.fill_nonzero().restore_state();
    }

    pub fn finish(self, title: &str) -> Vec<u8> {
        let [catalog, pages, page, content, regular, bold, info] = [1, 2, 3, 4, 5, 6, 7].map(Ref::new);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages).lang(TextStr("pt-BR"));
        pdf.pages(pages).kids([page]).count(1);
        let mut leaf = pdf.page(page);
        leaf.parent(pages).media_box(MEDIA).contents(content);
        leaf.resources().fonts().pair(REGULAR, regular).pair(BOLD, bold);
        leaf.finish();
        for (id, name) in [(regular, &b"Helvetica"[..]), (bold, b"Helvetica-Bold")] {
            pdf.type1_font(id)
                .base_font(Name(name))
                .encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        pdf.stream(content, &self.content.finish());
        pdf.document_info(info).title(TextStr(title));
        pdf.finish()
    }
}
