//! Shows the map on a terminal that can show pictures, otherwise writes it into a file.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use data_encoding::BASE64;
use ground::disk::place::write_over;
use std::env;
use std::path::Path;

/// How a terminal shows pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pictures {
    /// The graphics protocol of kitty; other terminals speak it, too.
    Kitty,
    /// The inline images of iTerm2.
    Inline,
    None,
}

/// The most bytes of text in one command of the graphics protocol.
const CHUNK: usize = 4096;

/// Shows a PNG, or writes it into a file and prints its name.
pub fn show(png: &[u8], file: &Path) -> Done {
    let said = |name: &str| env::var(name).unwrap_or_default();
    let known = if paper::is_terminal() {
        by_words(&said("TERM"), &said("TERM_PROGRAM"), !said("KITTY_WINDOW_ID").is_empty())
    } else {
        Pictures::None
    };
    match known {
        Pictures::Kitty => paper::bytes(kitty(png).as_bytes()),
        Pictures::Inline => {
            let size = png.len();
            let picture = BASE64.encode(png);
            paper::bytes(format!("\x1b]1337;File=inline=1;width=100%;size={size}:{picture}\x07\n").as_bytes())
        }
        Pictures::None => {
            write_over(file, png)
                .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))?;
            paper::line(&format!("The map is in {}.", file.display()))
        }
    }
}

/// What a terminal supports, judged by the environment.
fn by_words(term: &str, program: &str, has_kitty_window: bool) -> Pictures {
    match program {
        "WezTerm" | "ghostty" => Pictures::Kitty,
        "iTerm.app" | "vscode" | "mintty" => Pictures::Inline,
        _ if has_kitty_window || term.contains("kitty") || term.contains("ghostty") => Pictures::Kitty,
        _ => Pictures::None,
    }
}

/// The commands of the graphics protocol that draw a picture; all but the last announce another one.
fn kitty(png: &[u8]) -> String {
    let picture = BASE64.encode(png);
    let mut commands = String::new();
    let mut rest = picture.as_str();
    let mut keys = "a=T,f=100,";
    while !rest.is_empty() {
        let (chunk, more) = rest.split_at(rest.len().min(CHUNK));
        let follows = u8::from(!more.is_empty());
        commands.push_str(&format!("\x1b_G{keys}m={follows};{chunk}\x1b\\"));
        (rest, keys) = (more, "");
    }
    commands.push('\n');
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_known_by_what_it_says() {
        assert_eq!(by_words("xterm-kitty", "", false), Pictures::Kitty);
        assert_eq!(by_words("xterm-256color", "WezTerm", false), Pictures::Kitty);
        assert_eq!(by_words("xterm-256color", "iTerm.app", false), Pictures::Inline);
        assert_eq!(by_words("xterm-256color", "Apple_Terminal", false), Pictures::None);
    }

    #[test]
    fn a_picture_is_sent_in_pieces() {
        let commands = kitty(&[7; 4000]);
        assert_eq!(commands.matches("\x1b_G").count(), 2);
        assert!(commands.starts_with("\x1b_Ga=T,f=100,m=1;BwcH") && commands.contains("\x1b_Gm=0;"));
        let pieces = commands.split("\x1b\\").filter_map(|command| Some(command.split_once(';')?.1));
        let picture: String = pieces.collect();
        assert_eq!(BASE64.decode(picture.as_bytes()).unwrap(), [7; 4000]);
    }
}
