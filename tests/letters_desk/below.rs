//! What mail programs put below the text of an answer: the answered letter, introduced in many ways.

/// The names of the forms.
pub const INTRODUCTIONS: [&str; 9] = [
    "zoho",
    "french-spaced",
    "date-first",
    "from-and-sent",
    "from-and-subject",
    "date-and-address",
    "broken-mailto",
    "processed-by",
    "notes",
];

/// The text of an answer with what a program puts below it. `asking` is the answered letter.
pub fn with_below(text: &str, below: &str, asking: &str) -> String {
    let ours = "Ringmail g7 (yellow) <box@play.example>";
    let quoted: String = asking.lines().map(|line| format!("> {line}\n")).collect();
    match below {
        "none" => text.to_owned(),
        "gmail" => format!("{text}\nOn Tue, 24 Nov 2026 at 08:02, {ours} wrote:\n\n{quoted}"),
        // The answer is below the quotation, or on both sides.
        "bottom" => format!("{text}\nOn Tue, 24 Nov 2026 at 08:02, {ours} wrote:\n\n{quoted}"),
        "outlook" => {
            let head =
                format!("From: {ours}\nSent: Tuesday, November 24, 2026 8:02 AM\nTo: Anna\nSubject: [g7 #3] Your move");
            format!("{text}\n{head}\n\n{asking}")
        }
        // The writer left no blank line, and the quoted letter is somebody else's, without our first line.
        "outlook-adjacent" => {
            format!(
                "{text}\nFrom: Boris <boris@mordor.example>\nSent: Tuesday, November 24, 2026 8:02 AM\n\
                 To: Anna\n\nskip\n"
            )
        }
        "outlook-german" => {
            let head = format!(
                "Von: {ours}\nGesendet: Dienstag, 24. November 2026 08:02\nAn: Anna\nBetreff: [g7 #3] Your move"
            );
            format!("{text}\n{head}\n\n{asking}")
        }
        "outlook-french" => {
            let head =
                format!("De : {ours}\nEnvoyé : mardi 24 novembre 2026 08:02\nÀ : Anna\nObjet : [g7 #3] Your move");
            format!("{text}\n{head}\n\n{asking}")
        }
        // Our letter without its first lines.
        "trimmed" => {
            let start = asking.find("WHAT YOU MAY SAY").expect("it asks");
            format!("{text}\n\n{}", &asking[start..])
        }
        // Somebody else's letter, whose lines would be understood.
        introduced => format!(
            "{text}\n\n{}\n\nclaim nearest\nend turn\ncharacter die: move fellowship\n",
            introduction(introduced)
        ),
    }
}

fn introduction(form: &str) -> &'static str {
    match form {
        "zoho" => "---- On Tue, 24 Nov 2026 15:33:00 +0100 Boris <boris@mordor.example> wrote ---",
        "french-spaced" => "De : Boris\nA : Anna\nCopie à : Ringmail\nSujet : [g7] Votre coup",
        "date-first" => "Date : mardi 24 novembre 2026 15:33\nDe : Boris <boris@mordor.example>\nPour : Anna",
        "from-and-sent" => "From: Boris\nSent: Tuesday, November 24, 2026 8:02 AM",
        "from-and-subject" => "From: Boris <boris@mordor.example>\nSubject: What I would do",
        "date-and-address" => "2026-11-22 15:33 GMT+01:00 Boris <boris@mordor.example>",
        "broken-mailto" => {
            "On Tue, 24 Nov 2026 at 15:33, Boris of Mordor\n<boris@mordor.example\n\
             <mailto:boris@mordor.example>>\nwrote:"
        }
        "processed-by" => "--------- Original Message processed by Tobit InfoCenter ---------",
        "notes" => {
            "Boris of Mordor <boris@mordor.example>\n24.11.2026 15:33\n\n\
             To\t\"Anna\" <anna@shire.example>\ncc\t\nSubject\tWhat I would do"
        }
        other => panic!("no program introduces a letter by `{other}`"),
    }
}
