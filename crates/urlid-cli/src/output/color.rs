//! Colour: on a terminal, unless the environment or `--color` disables it.

use std::io;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Color, Style};
use clap::builder::Styles;

// A text colour by itself is not legible on white, black and Solarized terminals. Each colour here has its
// own background, from the cube of 256 colours, which themes leave unchanged.

/// White text on a dark background.
const fn dark(background: u8) -> Style {
    pair(231, background)
}

/// Black text on a light background.
const fn light(background: u8) -> Style {
    pair(16, background)
}

const fn pair(text: u8, background: u8) -> Style {
    Style::new()
        .fg_color(Some(Color::Ansi256(Ansi256Color(text))))
        .bg_color(Some(Color::Ansi256(Ansi256Color(background))))
}

pub(crate) const RED: Style = dark(124);
pub(crate) const GREEN: Style = dark(22);
pub(crate) const YELLOW: Style = light(221);
pub(crate) const BLUE: Style = dark(25);
pub(crate) const MAGENTA: Style = dark(90);
pub(crate) const CYAN: Style = light(116);
pub(crate) const BOLD: Style = Style::new().bold();
/// Less important text. Dimmed text is too pale on most terminals.
pub(crate) const ASIDE: Style = Style::new().italic();
pub(crate) const HEADING: Style = Style::new().bold().underline();

/// The styles of the help and of errors in the command line.
pub(crate) const HELP: Styles =
    Styles::plain().header(HEADING).usage(HEADING).literal(BOLD).error(RED).valid(BOLD).invalid(HEADING);

/// Returns `text` in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

/// Returns a styled text as standard output should have it, by `--color` and the environment.
pub(crate) fn for_stdout(text: String) -> String {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => strip_str(&text).to_string(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rgb = [u8; 3];

    /// Terminals: their text and their background.
    const TERMINALS: [(&str, Rgb, Rgb); 4] = [
        ("white", [0, 0, 0], [255, 255, 255]),
        ("black", [255, 255, 255], [0, 0, 0]),
        ("Solarized light", [0x65, 0x7b, 0x83], [0xfd, 0xf6, 0xe3]),
        ("Solarized dark", [0x83, 0x94, 0x96], [0x00, 0x2b, 0x36]),
    ];

    /// Returns a colour of the cube of 6 × 6 × 6 colours, or of the greys after it. Themes change the first
    /// 16 alone.
    fn rgb(color: Color) -> Rgb {
        let Color::Ansi256(Ansi256Color(index)) = color else { panic!("{color:?} differs between themes") };
        let level = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
        match index {
            0..16 => panic!("colour {index} differs between themes"),
            16..232 => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level),
            232.. => [8 + 10 * (index - 232); 3],
        }
    }

    /// Returns the contrast of two colours, from 1 to 21 (WCAG 2).
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let luminance = |color: Rgb| {
            let [red, green, blue] = color.map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn colours_are_legible_on_every_terminal() {
        for (terminal, own_text, own_background) in TERMINALS {
            for style in [RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, *HELP.get_error()] {
                let text = style.get_fg_color().map_or(own_text, rgb);
                let background = style.get_bg_color().map_or(own_background, rgb);
                let contrast = contrast(text, background);
                assert!(contrast >= 4.5, "{style:?} on {terminal}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn other_styles_leave_the_colours_of_the_terminal() {
        for style in [BOLD, ASIDE, HEADING, *HELP.get_literal(), *HELP.get_valid(), *HELP.get_invalid()] {
            assert!(style.get_fg_color().is_none() && style.get_bg_color().is_none(), "{style:?}");
            assert!(!style.get_effects().contains(anstyle::Effects::DIMMED), "{style:?}");
        }
    }

    #[test]
    fn contrast_meets_the_guidelines() {
        assert_eq!(format!("{:.1}", contrast([0; 3], [255; 3])), "21.0");
        // Yellow of xterm on white.
        assert_eq!(format!("{:.1}", contrast([205, 205, 0], [255; 3])), "1.7");
    }
}
