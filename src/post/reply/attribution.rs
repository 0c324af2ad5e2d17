/*! How mail programs introduce an old letter: "On … wrote:" in many languages, Outlook's header block, forwards.

The tables are words of mail programs as they really stand in letters. What no table knows is caught by form: a line
that ends in a colon and holds a year together with a time or an address introduces somebody's words in any language.
*/

use crate::mail::letter::effort;
use std::iter;

/// Words for *wrote*, as they stand in lines that introduce a quotation.
const WROTE: [&str; 78] = [
    "wrote",
    "writes",
    "said",
    "schrieb",
    "schrieben",
    "geschrieben",
    "écrit",
    "ecrit",
    "escribió",
    "escribio",
    "escribe",
    "escreveu",
    "scritto",
    "scrive",
    "schreef",
    "geschreven",
    "skrev",
    "skreiv",
    "skrifaði",
    "kirjoitti",
    "napisał",
    "napisała",
    "napisał(a)",
    "pisze",
    "napsal",
    "napsala",
    "napsal(a)",
    "napísal",
    "napísal(a)",
    "írta",
    "writes:",
    "писал",
    "писала",
    "написал",
    "написала",
    "написал(а)",
    "пишет",
    "пише",
    "написав",
    "yazdı",
    "έγραψε",
    "scris",
    "写道",
    "寫道",
    "書きました",
    "작성",
    "viết",
    "escriure",
    "idatzi",
    "כתב",
    "كتب",
    "كتابة",
    "написа",
    "написао",
    "написао/ла",
    "napisao",
    "napisao/la",
    "napisala",
    "kirjutas",
    "rakstīja",
    "rašė",
    "parašė",
    "menulis",
    "เขียนว่า",
    "نوشت",
    "लिखा",
    // Horde puts its word for *quoting* in front.
    "quoting",
    "zitat",
    "citando",
    "citeren",
    "citerar",
    "citat",
    "siterer",
    "cytowanie",
    "cituji",
    "lainaus",
    "alıntı",
    "цитирование",
];

/// First words of such lines; with a digit behind they begin a wrapped one.
const BEGINS: [&str; 35] = [
    "on",
    "am",
    "le",
    "el",
    "em",
    "il",
    "op",
    "den",
    "dne",
    "dňa",
    "w",
    "в",
    "на",
    "em:",
    "a",
    "à",
    "at",
    "pe",
    "la",
    "το",
    "στις",
    "vào",
    "在",
    "於",
    "于",
    "בתאריך",
    "في",
    "dnia",
    "u",
    "data",
    "în",
    "missatge",
    "pada",
    "ในวันที่",
    "در",
];

/// What stands between dashes, or alone, above an old letter.
const ORIGINAL_LETTER: [&str; 31] = [
    "original message",
    "original-nachricht",
    "ursprüngliche nachricht",
    "originalnachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message original",
    "message transféré",
    "mensaje original",
    "mensaje reenviado",
    "mensagem original",
    "mensagem encaminhada",
    "messaggio originale",
    "messaggio inoltrato",
    "oorspronkelijk bericht",
    "doorgestuurd bericht",
    "originalmeddelande",
    "ursprungligt meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "wiadomość oryginalna",
    "původní zpráva",
    "исходное сообщение",
    "пересылаемое сообщение",
    "forwarded message",
    "begin forwarded message",
    "anfang der weitergeleiteten nachricht",
    "original mail",
    "原始邮件",
    "元のメッセージ",
];

/// Labels of the first line of an old letter's header.
const FROM: [&str; 27] = [
    "from",
    "von",
    "de",
    "da",
    "van",
    "från",
    "fra",
    "lähettäjä",
    "od",
    "от",
    "від",
    "kimden",
    "gönderen",
    "από",
    "de la",
    "feladó",
    "发件人",
    "寄件者",
    "寄件人",
    "差出人",
    "送信元",
    "보낸 사람",
    "보낸사람",
    "từ",
    "מאת",
    "من",
    "expéditeur",
];

/// Labels of its other lines.
const OTHER_LABELS: [&str; 96] = [
    "sent",
    "date",
    "to",
    "cc",
    "subject",
    "reply-to",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "kopie",
    "envoyé",
    "envoyé le",
    "à",
    "objet",
    "enviado",
    "enviado el",
    "enviada em",
    "enviado em",
    "fecha",
    "para",
    "asunto",
    "assunto",
    "data",
    "inviato",
    "a",
    "oggetto",
    "verzonden",
    "aan",
    "onderwerp",
    "skickat",
    "till",
    "ämne",
    "sendt",
    "til",
    "emne",
    "lähetetty",
    "vastaanottaja",
    "aihe",
    "wysłano",
    "do",
    "temat",
    "odesláno",
    "komu",
    "předmět",
    "отправлено",
    "дата",
    "кому",
    "тема",
    "gönderildi",
    "tarih",
    "kime",
    "konu",
    "στάλθηκε",
    "προς",
    "θέμα",
    "küldve",
    "címzett",
    "tárgy",
    "发送时间",
    "收件人",
    "主题",
    "送信日時",
    "宛先",
    "件名",
    "제목",
    "보낸 날짜",
    "받는 사람",
    "trimis",
    "către",
    "subiect",
    "надіслано",
    "изпратено",
    "до",
    "относно",
    "odoslané",
    "predmet",
    "poslano",
    "za",
    "zadeva",
    "enviat",
    "per a",
    "assumpte",
    "saadetud",
    "kellele",
    "teema",
    "đã gửi",
    "đến",
    "chủ đề",
    "تم الإرسال",
    "التاريخ",
    "إلى",
    "الموضوع",
    "נשלח",
    "אל",
    "נושא",
];

/// A line, or several that were one, as the words of mail programs are looked for in it: lower case, no marks of
/// direction, plain spaces and digits. Mail programs put all of these into such lines.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlainLine(String);

impl PlainLine {
    #[must_use]
    pub fn of(line: &str) -> PlainLine {
        let mut plain = PlainLine(String::with_capacity(line.len()));
        plain.go_on(line);
        plain
    }

    /// Takes in the line below, which a mail program has broken off.
    pub fn go_on(&mut self, line: &str) {
        effort::step(line.len() + 1);
        let mut is_behind_space = true;
        for c in line.chars().filter(|c| !is_mark(*c)) {
            if c.is_whitespace() {
                is_behind_space = true;
                continue;
            }
            if is_behind_space && !self.0.is_empty() {
                self.0.push(' ');
            }
            is_behind_space = false;
            if c.is_ascii() {
                self.0.push(c.to_ascii_lowercase());
            } else {
                self.0.extend(plain_character(c).to_lowercase());
            }
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a line introduces a quotation: "On 20 November Gandalf wrote:".
#[must_use]
pub fn introduces(line: &PlainLine) -> bool {
    let Some(text) = line.0.strip_suffix([':', '\u{ff1a}']).map(str::trim_end) else {
        return false;
    };
    if text.chars().count() > 400 {
        return false;
    }
    let ends_in_verb = WROTE.iter().any(|verb| text.ends_with(verb) && is_word_before(text, verb));
    let has_digit = text.chars().any(char::is_numeric);
    ends_in_verb
        || (has_verb(text) && (has_digit || text.contains('@')))
        || (has_year(text) && (has_time(text) || text.contains('@')))
}

/// Whether a line can be the first of a wrapped introduction.
#[must_use]
pub fn begins(line: &PlainLine) -> bool {
    let line = line.as_str();
    let first = line.split([' ', ',']).next().unwrap_or("");
    (BEGINS.contains(&first) && line.contains(char::is_numeric))
        || (has_year(line) && has_time(line))
        || (line.contains(['@', '"']) && has_verb(line))
        || line.ends_with(" wrote in")
}

/// Whether a line introduces a quotation and goes on with it at once, as AOL and Yahoo write it on phones.
#[must_use]
pub fn introduces_in_line(line: &PlainLine) -> bool {
    let line = line.as_str();
    let Some(start) = line.find('@').filter(|_| has_year(line) && has_time(line)) else { return false };
    line[start..].match_indices(": ").any(|(colon, _)| {
        let introduction = &line[..=start + colon];
        introduction.len() < line.len() && has_verb(introduction.trim_end_matches(':'))
    })
}

/// Whether a line announces that an old letter follows: `-----Original Message-----`.
#[must_use]
pub fn announces_old_letter(line: &PlainLine) -> bool {
    let line = line.as_str();
    let inside = line.trim_matches(['-', '_', '=', '*', ' ', ':', '\u{2014}', '\u{2500}']);
    let is_framed = inside.len() < line.len();
    is_framed && ORIGINAL_LETTER.contains(&inside)
}

/// Whether a header of an old letter starts here: a From line and two of its fellows among the next five, in whatever
/// order; or, in a language that no table knows, three such lines that hold an address and a time between them.
#[must_use]
pub fn is_header_block<'a>(first: &PlainLine, below: impl Iterator<Item = &'a str>) -> bool {
    // Nearly no line belongs to a header: the lines below are looked at only if this one may.
    let Some(first_label) = label(first) else { return false };
    let below: Vec<PlainLine> = below.take(6).map(PlainLine::of).collect();
    let fields = || iter::once(first).chain(&below);
    let labels: Vec<&str> = fields().map(|line| label(line).unwrap_or_default()).collect();
    let is_known = |label: &&str| FROM.contains(label) || OTHER_LABELS.contains(label);
    if is_known(&first_label) {
        let names_sender = labels.iter().any(|label| FROM.contains(label));
        return names_sender && labels.iter().filter(|label| is_known(label)).count() >= 3;
    }
    let labelled = labels.iter().take_while(|label| !label.is_empty() && !label.contains(char::is_numeric)).count();
    labelled >= 3
        && fields().take(labelled).any(|field| field.0.contains('@'))
        && fields().take(labelled).any(|field| has_year(&field.0) && has_time(&field.0))
}

/// A line of the header of an old letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    From,
    Other,
}

/// Which line of such a header this is, by the words of mail programs.
#[must_use]
pub fn field(line: &PlainLine) -> Option<Field> {
    let label = label(line)?;
    let is_other = OTHER_LABELS.contains(&label).then_some(Field::Other);
    is_other.or_else(|| FROM.contains(&label).then_some(Field::From))
}

/// The word before the colon, bold signs of Outlook and Gmail taken off.
fn label(line: &PlainLine) -> Option<&str> {
    let (label, _) = line.0.split_once([':', '\u{ff1a}'])?;
    let label = label.trim_matches(['*', '_', ' ']);
    (label.chars().count() <= 20).then_some(label)
}

/// Zero width, and marks of direction.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Arabic, Persian and Devanagari digits as ours, and the apostrophe.
fn plain_character(c: char) -> char {
    let zero = match c {
        '\u{2019}' => return '\'',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{966}'..='\u{96f}' => '\u{966}',
        _ => return c,
    };
    char::from_digit(u32::from(c) - u32::from(zero), 10).unwrap_or(c)
}

fn has_verb(text: &str) -> bool {
    text.split([' ', '(', ')', ',', '\u{b7}']).any(|word| WROTE.contains(&word))
        || ["写道", "寫道", "書きました", "작성"].iter().any(|verb| text.contains(verb))
}

/// In scripts that write no spaces the verb may stand anywhere; in the others it is a word of its own.
fn is_word_before(text: &str, verb: &str) -> bool {
    let before = text[..text.len() - verb.len()].chars().next_back();
    !verb.is_ascii() || before.is_none_or(|c| c.is_whitespace())
}

/// A year of four digits, as we count or as the Thai do, 543 years ahead.
fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| number.len() == 4 && ["19", "20", "256", "257"].iter().any(|start| number.starts_with(start)))
}

/// `7:12`, `07.12`, `7h12`.
fn has_time(text: &str) -> bool {
    text.as_bytes().windows(4).any(|four| {
        matches!(four, [hour, b':' | b'.' | b'h', ten, one]
            if hour.is_ascii_digit() && ten.is_ascii_digit() && one.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str) {
        assert!(introduces(&PlainLine::of(line)), "{line}");
    }

    #[test]
    fn p6_introductions_in_many_languages() {
        case("On Fri, Nov 20, 2026 at 7:12 AM Ringmail <box+g7.free.abc@play.example> wrote:");
        case("Am Fr., 20. Nov. 2026 um 07:12 Uhr schrieb Ringmail <box@play.example>:");
        case("Am Freitag, 20. November 2026, 07:12:33 MEZ hat Ringmail <box@play.example> Folgendes geschrieben:");
        case("Le ven. 20 nov. 2026 à 07:12, Ringmail <box@play.example> a écrit\u{a0}:");
        case("El vie, 20 nov 2026 a las 7:12, Ringmail (<box@play.example>) escribió:");
        case("Em sex., 20 de nov. de 2026 às 07:12, Ringmail <box@play.example> escreveu:");
        case("Il giorno ven 20 nov 2026 alle ore 07:12 Ringmail <box@play.example> ha scritto:");
        case("Op vr 20 nov 2026 om 07:12 schreef Ringmail <box@play.example>:");
        case("Den fre 20 nov. 2026 kl 07:12 skrev Ringmail <box@play.example>:");
        case("pe 20. marrask. 2026 klo 7.12 Ringmail (box@play.example) kirjoitti:");
        case("pt., 20 lis 2026 o 07:12 Ringmail <box@play.example> napisał(a):");
        case("pá 20. 11. 2026 v 7:12 odesílatel Ringmail <box@play.example> napsal:");
        case("пт, 20 нояб. 2026 г. в 07:12, Ringmail <box@play.example>:");
        case("20.11.2026 07:12, Ringmail пишет:");
        case("Ringmail <box@play.example>, 20 Kas 2026 Cum, 07:12 tarihinde şunu yazdı:");
        case("Στις Παρ 20 Νοε 2026 στις 7:12 π.μ., ο χρήστης Ringmail <box@play.example> έγραψε:");
        case("Ringmail <box@play.example> ezt írta (időpont: 2026. nov. 20., P, 7:12):");
        case("2026年11月20日(金) 16:12 Ringmail <box@play.example>:");
        case("Ringmail <box@play.example> 于2026年11月20日周五 15:12写道：");
        case("2026년 11월 20일 (금) 오후 4:12, Ringmail <box@play.example>님이 작성:");
        case(
            "\u{202b}בתאריך יום ו׳, 20 בנוב׳ 2026 ב-7:12 מאת \u{202a}Ringmail\u{202c}\u{200f} \
             <\u{202a}box@play.example\u{202c}\u{200f}>:\u{202c}",
        );
        case("Gandalf wrote:");
    }

    #[test]
    fn sentences_introduce_nothing() {
        for line in
            ["attack mordor from gondor", "place 3 the-shire:", "rewrote:", "when asked violent-storms say pass", ""]
        {
            assert!(!introduces(&PlainLine::of(line)), "{line}");
        }
    }

    fn is_header(lines: &[&str]) -> bool {
        is_header_block(&PlainLine::of(lines[0]), lines[1..].iter().copied())
    }

    fn announces(line: &str) -> bool {
        announces_old_letter(&PlainLine::of(line))
    }

    #[test]
    fn p6_headers_of_old_letters() {
        assert!(is_header(&["*From:* Ringmail", "*Sent:* Friday", "*To:* Frodo", "*Subject:* [g7]"]));
        assert!(is_header(&["Von: Ringmail", "Gesendet: Freitag", "An: Frodo", "Betreff: [g7]"]));
        assert!(!is_header(&["from: gondor", "attack mordor"]));
        assert!(announces("-----Original Message-----"));
        assert!(announces("---------- Forwarded message ---------"));
        assert!(announces("Begin forwarded message:"));
        assert!(!announces("original message"));
    }

    #[test]
    fn marks_of_direction_and_doubled_spaces_are_no_part_of_a_line() {
        let mut line = PlainLine::of("\u{200e} On \u{202a} Freitag\u{a0} ");
        line.go_on("\u{feff}");
        line.go_on("  ١٢ It\u{2019}s\t");
        assert_eq!(line.as_str(), "on freitag 12 it's");
    }
}
