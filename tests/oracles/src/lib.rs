/*! What the comparison needs: a known difference, and letters altered at random in the same way in every run.
*/

use engine::chance::{Chance, Practice};

/// One input on which the two checks differ, with the reason for ours. The tests also check that they still differ: a
/// difference that no longer exists must be removed from the table.
pub struct Difference<T> {
    pub what: &'static str,
    pub why: &'static str,
    pub input: T,
    /// Whether our check accepts it; the other does the opposite.
    pub ours: bool,
}

/// Alters letters at random.
pub struct Alterations(Practice);

/// One way to alter a letter.
type Way = fn(&mut Alterations, &[u8]) -> Vec<u8>;

/// The ways, used in turn.
const WAYS: [Way; 14] = [
    Alterations::bit,
    Alterations::letter_of_ascii,
    Alterations::cut,
    Alterations::field_removed,
    Alterations::field_doubled,
    Alterations::fields_swapped,
    Alterations::field_on_top,
    Alterations::field_folded,
    Alterations::name_in_capitals,
    Alterations::line_removed,
    Alterations::line_doubled,
    Alterations::line_changed,
    Alterations::blanks_at_a_line_end,
    Alterations::blanks_squeezed_or_widened,
];

impl Alterations {
    #[must_use]
    pub fn of_seed(seed: u64) -> Alterations {
        Alterations(Practice::new(seed))
    }

    /// The letter, altered `count` times, each time from the original.
    pub fn of(&mut self, letter: &[u8], count: usize) -> Vec<Vec<u8>> {
        (0..count).map(|number| WAYS[number % WAYS.len()](self, letter)).collect()
    }

    /// A number below `bound`; 0 if there is none.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("a letter of less than 4 GiB");
        if bound == 0 { 0 } else { self.0.below(bound) as usize }
    }

    /// Flips one bit of the text.
    fn bit(&mut self, text: &[u8]) -> Vec<u8> {
        let mut altered = text.to_vec();
        let at = self.below(text.len());
        altered[at] ^= 1 << self.below(8);
        altered
    }

    /// Replaces one byte of the text by a printable one.
    fn letter_of_ascii(&mut self, text: &[u8]) -> Vec<u8> {
        let mut altered = text.to_vec();
        let at = self.below(text.len());
        altered[at] = u8::try_from(0x20 + self.below(0x5f)).expect("ASCII");
        altered
    }

    fn cut(&mut self, letter: &[u8]) -> Vec<u8> {
        letter[..self.below(letter.len())].to_vec()
    }

    fn field_removed(&mut self, letter: &[u8]) -> Vec<u8> {
        self.fields_changed(letter, |fields, at, _| drop(fields.remove(at)))
    }

    fn field_doubled(&mut self, letter: &[u8]) -> Vec<u8> {
        self.fields_changed(letter, |fields, at, other| fields.insert(other, fields[at].clone()))
    }

    fn fields_swapped(&mut self, letter: &[u8]) -> Vec<u8> {
        self.fields_changed(letter, |fields, at, other| fields.swap(at, other))
    }

    fn field_on_top(&mut self, letter: &[u8]) -> Vec<u8> {
        self.fields_changed(letter, |fields, at, _| {
            let field = fields.remove(at);
            fields.insert(0, field);
        })
    }

    /// A line break before a blank of one field: no change in the relaxed style.
    fn field_folded(&mut self, letter: &[u8]) -> Vec<u8> {
        let nth = self.below(1000);
        self.fields_changed(letter, |fields, at, _| {
            let field = &mut fields[at];
            let blanks: Vec<usize> = (1..field.len() - 2)
                .filter(|at| field[*at] == b' ' && field[*at - 1] > b' ' && field[*at + 1] > b' ')
                .collect();
            if !blanks.is_empty() {
                let blank = blanks[nth % blanks.len()];
                field.splice(blank..blank, *b"\r\n");
            }
        })
    }

    fn name_in_capitals(&mut self, letter: &[u8]) -> Vec<u8> {
        self.fields_changed(letter, |fields, at, _| {
            let colon = fields[at].iter().position(|byte| *byte == b':').unwrap_or(0);
            fields[at][..colon].make_ascii_uppercase();
        })
    }

    fn line_removed(&mut self, letter: &[u8]) -> Vec<u8> {
        self.lines_changed(letter, |lines, at| drop(lines.remove(at)))
    }

    fn line_doubled(&mut self, letter: &[u8]) -> Vec<u8> {
        self.lines_changed(letter, |lines, at| lines.insert(at, lines[at].clone()))
    }

    fn line_changed(&mut self, letter: &[u8]) -> Vec<u8> {
        self.lines_changed(letter, |lines, at| lines[at].insert(0, b'x'))
    }

    /// No change in the relaxed style.
    fn blanks_at_a_line_end(&mut self, letter: &[u8]) -> Vec<u8> {
        let blank = [b' ', b'\t'][self.below(2)];
        self.lines_changed(letter, |lines, at| {
            let end = lines[at].len().saturating_sub(2);
            lines[at].insert(end, blank);
        })
    }

    /// No change in the relaxed style, unless it removes the only blank.
    fn blanks_squeezed_or_widened(&mut self, letter: &[u8]) -> Vec<u8> {
        let is_blank = |at: &usize| matches!(letter[*at], b' ' | b'\t');
        let blanks: Vec<usize> = (0..letter.len()).filter(is_blank).collect();
        let at = blanks.get(self.below(blanks.len())).copied().unwrap_or(0);
        let mut altered = letter.to_vec();
        match self.below(2) {
            0 => altered.insert(at, b' '),
            _ => drop(altered.remove(at)),
        }
        altered
    }

    /// Changes the fields of the header; `change` gets two random ones.
    fn fields_changed(&mut self, letter: &[u8], change: impl Fn(&mut Vec<Vec<u8>>, usize, usize)) -> Vec<u8> {
        let (mut fields, body) = fields_and_body(letter);
        if fields.is_empty() {
            return letter.to_vec();
        }
        let (at, other) = (self.below(fields.len()), self.below(fields.len()));
        change(&mut fields, at, other);
        [fields.concat(), body].concat()
    }

    /// Changes the lines of the body; `change` gets a random one. The first line is the empty one that ends the header.
    fn lines_changed(&mut self, letter: &[u8], change: impl Fn(&mut Vec<Vec<u8>>, usize)) -> Vec<u8> {
        let (fields, body) = fields_and_body(letter);
        let mut lines: Vec<Vec<u8>> = body.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if lines.len() < 2 {
            return letter.to_vec();
        }
        let at = 1 + self.below(lines.len() - 1);
        change(&mut lines, at);
        [fields.concat(), lines.concat()].concat()
    }
}

/// The fields of the header, each with its line breaks, and what follows from the empty line on.
fn fields_and_body(letter: &[u8]) -> (Vec<Vec<u8>>, Vec<u8>) {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    let mut rest = letter;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n').filter(|end| *end > 1) {
        let (line, below) = rest.split_at(end + 1);
        match fields.last_mut().filter(|_| matches!(line[0], b' ' | b'\t')) {
            Some(field) => field.extend_from_slice(line),
            None => fields.push(line.to_vec()),
        }
        rest = below;
    }
    (fields, rest.to_vec())
}
