//! The form of user ids. They belong to the host application: `auth0|4f2a`, a mail address, a URN, or plain letters.

use crate::key::mentions_key;

/// Counted in characters, not in bytes.
pub const MAX_USER_ID_CHARS: usize = 255;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 255 visible characters, without spaces, and not `.` or `..`")]
pub struct InvalidUserId;

/// Ids are compared character by character: they are not normalized, and case counts.
pub(crate) fn check_user_id(text: &str) -> Result<(), InvalidUserId> {
    // Clients remove `.` and `..` from a path, also where they are percent-encoded.
    let fits = !matches!(text, "" | "." | "..")
        && text.chars().count() <= MAX_USER_ID_CHARS
        && text.chars().all(is_visible)
        && !mentions_key(text);
    if fits { Ok(()) } else { Err(InvalidUserId) }
}

/// Ids are shown to people, logged and printed. A character that shows nothing, or that changes the order of the text
/// around it, could make one id look like another one.
fn is_visible(character: char) -> bool {
    !character.is_control() && !character.is_whitespace() && !is_invisible(character)
}

/// The default-ignorable code points of Unicode, blank symbols, private use and noncharacters.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{E000}'..='\u{F8FF}'
            | '\u{FDD0}'..='\u{FDEF}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{10FFFF}'
    ) || u32::from(character) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::StdRng};

    use crate::{UserId, key::KeyToken};

    fn is_user_id(text: &str) -> bool {
        text.parse::<UserId>().is_ok()
    }

    #[test]
    fn ids_of_other_systems_are_accepted() {
        for good in [
            "a",
            "ada",
            "auth0|507f1f77bcf86cd799439020",
            "ada.lovelace+mcp@example.com",
            "urn:example:user:1?x=1#y",
            "https://id.example/users/1",
            "../../etc/passwd",
            "<img/src=x/onerror=alert(1)>",
            "Jürgen",
            "नमस्ते",
            "李雷",
            "🦊",
            "...",
            "%2e",
            "';--",
            &"x".repeat(255),
            &"é".repeat(255),
        ] {
            assert!(is_user_id(good), "{good}");
        }
    }

    #[test]
    fn invisible_characters_are_refused() {
        for bad in [
            "",
            ".",
            "..",
            " ",
            "a b",
            " ada",
            "ada\n",
            "a\u{0}",
            "a\u{7f}",
            "a\u{85}b",
            "a\u{a0}b",
            "a\u{200b}b",
            "a\u{202e}b",
            "a\u{2028}b",
            "a\u{feff}",
            "a\u{fe0f}",
            "a\u{e001}",
            "a\u{ffff}",
            "a\u{10ffff}",
            "\u{3164}",
            "\u{1b}[31mada",
            &"x".repeat(256),
            &"é".repeat(256),
        ] {
            assert!(!is_user_id(bad), "{bad:?}");
        }
    }

    #[test]
    fn key_is_not_a_user_id() {
        let key = KeyToken::generate(&mut StdRng::seed_from_u64(1));
        assert!(!is_user_id(key.expose()));
        assert!(!is_user_id(&format!("auth0|{}", key.expose())));
    }

    proptest! {
        #[test]
        fn accepted_ids_fit_into_one_line_and_come_back_as_they_were(text in "\\PC{1,300}") {
            if let Ok(id) = text.parse::<UserId>() {
                prop_assert_eq!(id.as_str(), &text);
                prop_assert!((1..=255).contains(&text.chars().count()));
                prop_assert!(!text.chars().any(|character| character.is_control() || character.is_whitespace()));
                let json = serde_json::to_string(&id).expect("JSON");
                prop_assert_eq!(serde_json::from_str::<UserId>(&json).expect("a user id"), id);
            }
        }

        #[test]
        fn any_text_is_accepted_or_refused(text in any::<String>()) {
            prop_assert_eq!(text.parse::<UserId>().is_ok(), UserId::try_from(text.clone()).is_ok());
        }
    }
}
