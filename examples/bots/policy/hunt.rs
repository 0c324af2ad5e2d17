//! The Shadow hunts: it allots as many dice to the Hunt as the rules allow.

/// The most dice that the Shadow could ever allot.
const DICE_MAX: u32 = 12;

/// The sentences that the plan wants for a question.
pub fn wanted(question: &str) -> Vec<String> {
    match question {
        "hunt-allocation" => (0..=DICE_MAX).rev().map(|dice| format!("allot {dice}")).collect(),
        _ => Vec::new(),
    }
}
