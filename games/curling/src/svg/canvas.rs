//! SVG as text: shapes with fixed decimals, so that the same picture is the same bytes.

use std::fmt::Write;

/// A colour without transparency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Everything behind the pictures: light, whatever the viewer's own colour is.
    pub(super) const PAPER: Self = Self(0xfb, 0xfc, 0xfd);
    pub(super) const ICE: Self = Self(0xf1, 0xf6, 0xfa);
    pub(super) const INK: Self = Self(0x1f, 0x29, 0x33);
    pub(super) const FAINT: Self = Self(0x7b, 0x87, 0x94);
    pub(super) const LINE: Self = Self(0xb4, 0xc0, 0xcc);

    fn text(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// How light it is, 0 to 1 (ITU-R BT.601).
    pub(super) fn lightness(self) -> f64 {
        (0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2)) / 255.0
    }

    /// Black or white, whichever is easier to read on it.
    pub(super) fn ink(self) -> Self {
        if self.lightness() > 0.55 {
            Self::INK
        } else {
            Self(0xff, 0xff, 0xff)
        }
    }
}

/// How a shape is painted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<(Colour, f64)>,
    /// Transparency of the whole shape: 0 is solid.
    pub fade: f64,
    pub dashed: bool,
}

impl Paint {
    pub(super) fn fill(colour: Colour) -> Self {
        Self {
            fill: Some(colour),
            ..Self::default()
        }
    }

    pub(super) fn stroke(colour: Colour, width: f64) -> Self {
        Self {
            stroke: Some((colour, width)),
            ..Self::default()
        }
    }

    pub(super) fn with_stroke(self, colour: Colour, width: f64) -> Self {
        Self {
            stroke: Some((colour, width)),
            ..self
        }
    }

    pub(super) fn faded(self, fade: f64) -> Self {
        Self { fade, ..self }
    }

    pub(super) fn dashed(self) -> Self {
        Self {
            dashed: true,
            ..self
        }
    }

    fn attributes(&self) -> String {
        let fill = self.fill.map_or("none".into(), Colour::text);
        let mut text = format!(" fill=\"{fill}\"");
        if let Some((colour, width)) = self.stroke {
            text += &format!(
                " stroke=\"{}\" stroke-width=\"{}\"",
                colour.text(),
                number(width)
            );
        }
        if self.fade > 0.0 {
            text += &format!(" opacity=\"{}\"", number(1.0 - self.fade));
        }
        if self.dashed {
            text += " stroke-dasharray=\"4 3\"";
        }
        text
    }
}

/// How a line of text stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The look of a line of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type {
    pub size: f64,
    pub anchor: Anchor,
    pub colour: Colour,
    pub bold: bool,
}

impl Type {
    pub(super) fn new(size: f64) -> Self {
        Self {
            size,
            anchor: Anchor::Start,
            colour: Colour::INK,
            bold: false,
        }
    }

    pub(super) fn at(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// About how wide a text is: rather too much than too little.
    pub(super) fn width(&self, text: &str) -> f64 {
        let em = if self.bold { 0.64 } else { 0.6 };
        em * self.size * text.chars().count() as f64
    }

    /// The text, cut to about this width.
    pub(super) fn fit(&self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.into();
        }
        let most = (width / self.width("m")).max(1.0) as usize;
        let kept: String = text.chars().take(most.saturating_sub(1)).collect();
        format!("{}…", kept.trim_end())
    }
}

/// A picture in the making; pixels, y downwards.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    body: String,
    clips: u32,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Self {
        let mut canvas = Self {
            width,
            height,
            body: String::new(),
            clips: 0,
        };
        canvas.rect([0.0, 0.0, width, height], 0.0, Paint::fill(Colour::PAPER));
        canvas
    }

    fn element(&mut self, name: &str, numbers: &[(&str, f64)], paint: &Paint) {
        self.body.push('<');
        self.body.push_str(name);
        for (key, value) in numbers {
            self.attribute(key, &number(*value));
        }
        self.body.push_str(&paint.attributes());
        self.body.push_str("/>\n");
    }

    fn attribute(&mut self, key: &str, value: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.body, " {key}=\"{value}\"");
    }

    /// x, y, width, height, and how round the corners are.
    pub(super) fn rect(&mut self, [x, y, w, h]: [f64; 4], round: f64, paint: Paint) {
        let mut numbers = vec![("x", x), ("y", y), ("width", w), ("height", h)];
        if round > 0.0 {
            numbers.push(("rx", round));
        }
        self.element("rect", &numbers, &paint);
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], r: f64, paint: Paint) {
        self.element("circle", &[("cx", x), ("cy", y), ("r", r)], &paint);
    }

    /// Half axes, and degrees by which the first is turned (clockwise, as y points down).
    pub(super) fn ellipse(&mut self, [x, y]: [f64; 2], r: [f64; 2], turn: f64, paint: Paint) {
        let place = format!(
            "<g transform=\"rotate({} {} {})\">",
            number(turn),
            number(x),
            number(y)
        );
        self.body.push_str(&place);
        let numbers = [("cx", x), ("cy", y), ("rx", r[0]), ("ry", r[1])];
        self.element("ellipse", &numbers, &paint);
        self.body.push_str("</g>\n");
    }

    pub(super) fn line(&mut self, a: [f64; 2], b: [f64; 2], paint: Paint) {
        let numbers = [("x1", a[0]), ("y1", a[1]), ("x2", b[0]), ("y2", b[1])];
        self.element("line", &numbers, &paint);
    }

    pub(super) fn polyline(&mut self, points: &[[f64; 2]], paint: Paint) {
        let text: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", number(p[0]), number(p[1])))
            .collect();
        self.body.push_str("<polyline");
        self.attribute("points", &text.join(" "));
        self.body
            .push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        self.body.push_str(&paint.attributes());
        self.body.push_str("/>\n");
    }

    /// A cross of this half width.
    pub(super) fn cross(&mut self, [x, y]: [f64; 2], half: f64, colour: Colour) {
        for side in [-half, half] {
            let (a, b) = ([x - half, y - side], [x + half, y + side]);
            self.line(a, b, Paint::stroke(colour, 2.0));
        }
    }

    /// A line of text; y is its base line.
    pub(super) fn text(&mut self, [x, y]: [f64; 2], look: Type, text: &str) {
        self.body.push_str("<text");
        self.attribute("x", &number(x));
        self.attribute("y", &number(y));
        self.attribute("font-size", &number(look.size));
        self.attribute("fill", &look.colour.text());
        match look.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.attribute("text-anchor", "middle"),
            Anchor::End => self.attribute("text-anchor", "end"),
        }
        if look.bold {
            self.attribute("font-weight", "bold");
        }
        self.body.push('>');
        self.body.push_str(&escaped(text));
        self.body.push_str("</text>\n");
    }

    /// A shape that says what it is when the mouse rests on it.
    pub(super) fn explained(&mut self, about: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g><title>{}</title>\n", escaped(about));
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// Draws with everything outside a rectangle cut off.
    pub(super) fn clipped(&mut self, area: [f64; 4], draw: impl FnOnce(&mut Self)) {
        self.clips += 1;
        let id = self.clips;
        let _ = write!(self.body, "<clipPath id=\"clip{id}\">");
        self.rect(area, 0.0, Paint::default());
        let _ = write!(self.body, "</clipPath>\n<g clip-path=\"url(#clip{id})\">\n");
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// The whole document.
    pub(super) fn finish(self, title: &str) -> String {
        let (w, h) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<title>{}</title>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

/// Two decimals; no negative zero, and nothing that is not a number.
pub(super) fn number(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.2}");
    if text == "-0.00" { "0.00".into() } else { text }
}

/// Text as XML holds it; control characters, which it cannot hold, become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_fixed() {
        assert_eq!(number(1.0 / 3.0), "0.33");
        assert_eq!(number(-0.001), "0.00");
        assert_eq!(number(f64::NAN), "0.00");
    }

    #[test]
    fn any_text_is_well_formed() {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.text([1.0, 2.0], Type::new(9.0), "a < b & \"c\" > d\u{0}\u{7}");
        canvas.explained("<&>", |c| c.cross([1.0, 1.0], 2.0, Colour::INK));
        let text = canvas.finish("<t>");
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let shown = parsed.descendants().find(|n| n.has_tag_name("text"));
        assert_eq!(shown.unwrap().text(), Some("a < b & \"c\" > d  "));
    }

    #[test]
    fn long_texts_are_cut() {
        let look = Type::new(10.0);
        let long = "a very long name of a shot";
        let cut = look.fit(long, 60.0);
        assert!(look.width(&cut) <= 60.0 && cut.ends_with('…'), "{cut}");
        assert_eq!(look.fit("short", 60.0), "short");
    }
}
