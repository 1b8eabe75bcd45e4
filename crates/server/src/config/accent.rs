//! The accent colour of the settings page, and the colour of text on it.

use std::{fmt, str::FromStr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accent([u8; 3]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a colour such as #2b59c3")]
pub struct AccentError;

impl FromStr for Accent {
    type Err = AccentError;

    fn from_str(text: &str) -> Result<Self, AccentError> {
        let digits = text.trim().strip_prefix('#').ok_or(AccentError)?;
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(AccentError);
        }
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| AccentError);
        Ok(Self([part(0)?, part(2)?, part(4)?]))
    }
}

impl fmt::Display for Accent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Accent {
    /// White or black, whichever has the higher contrast (WCAG 2). It is 4.5 or more for every colour.
    pub fn text_colour(self) -> &'static str {
        let luminance = self.luminance();
        let (with_white, with_black) = (1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05);
        if with_white >= with_black { "#ffffff" } else { "#000000" }
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_six_hexadecimal_digits() {
        for (text, shown) in [("#2b59c3", "#2b59c3"), (" #FFCC00 ", "#ffcc00")] {
            assert_eq!(text.parse::<Accent>().unwrap().to_string(), shown);
        }
        for text in ["", "2b59c3", "#2b5", "#2b59c3ff", "blue", "#gggggg", "#12345é"] {
            assert!(text.parse::<Accent>().is_err(), "{text}");
        }
    }

    #[test]
    fn text_on_every_colour_has_enough_contrast() {
        for (colour, text) in
            [("#000000", "#ffffff"), ("#2b59c3", "#ffffff"), ("#ffcc00", "#000000"), ("#ffffff", "#000000")]
        {
            assert_eq!(colour.parse::<Accent>().unwrap().text_colour(), text, "{colour}");
        }
        for gray in 0..=255 {
            let accent = Accent([gray; 3]);
            let luminance = accent.luminance();
            let contrast = match accent.text_colour() {
                "#ffffff" => 1.05 / (luminance + 0.05),
                _ => (luminance + 0.05) / 0.05,
            };
            assert!(contrast >= 4.5, "{accent}: {contrast}");
        }
    }
}
