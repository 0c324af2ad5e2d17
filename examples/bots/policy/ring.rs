//! The Free Peoples carry the Ring: every suitable die moves the Fellowship, or hides it if it is revealed.

/// The dice that can move the Fellowship, the least useful for other actions first.
const DICE: [&str; 2] = ["character die", "will die"];

/// The sentences that the plan wants for a question.
pub fn wanted(question: &str) -> Vec<String> {
    match question {
        "action" => {
            DICE.iter().flat_map(|die| ["move", "hide"].map(|deed| format!("{die}: {deed} fellowship"))).collect()
        }
        "fellowship" => ["enter mordor", "declare morannon", "declare minas-morgul"].map(str::to_string).to_vec(),
        _ => Vec::new(),
    }
}
