use super::*;

#[track_caller]
fn divided(body: &str, expected: Option<&str>) {
    assert_eq!(boundary(body.replace('\n', "\r\n").as_bytes()).as_deref(), expected, "{body}");
}

#[test]
fn a_text_says_by_itself_how_it_is_divided() {
    divided("--b1\nContent-Type: text/plain\n\nroll 2\n--b1--\n", Some("b1"));
    divided("This is a letter in parts.\n--b1 \ncontent-type: text/plain\n\nroll 2\n--b1--\n", Some("b1"));
    // A signature, and a letter that is quoted below a rule.
    divided("roll 2\n-- \nBilbo\n", None);
    divided("roll 2\n-----Original Message-----\nFrom: x\n", None);
    divided("roll 2\n", None);
    divided("--\nContent-Type: text/plain\n", None);
    divided("--a\"b\nContent-Type: text/plain\n", None);
    divided(&format!("--{}\nContent-Type: text/plain\n", "a".repeat(71)), None);
}

#[test]
fn only_signed_fields_are_left_of_a_letter() {
    let raw = b"Subject: put on top\r\nX-A: b\r\nSubject: signed\r\nFrom: a@b.example\r\n\r\nroll 2\r\n";
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let whole = String::from_utf8(rebuilt(raw, &names(&["from", "subject"]))).unwrap();
    let kind = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n";
    assert_eq!(whole, format!("Subject: signed\r\nFrom: a@b.example\r\n{kind}\r\nroll 2\r\n"));
    let both = String::from_utf8(rebuilt(raw, &names(&["subject", "subject"]))).unwrap();
    assert!(both.starts_with("Subject: put on top\r\nSubject: signed\r\n"), "{both}");
}

#[test]
fn what_ties_a_letter_must_be_there_once_and_signed() {
    #[track_caller]
    fn case(header: &str, fields: &str, expected: Option<&str>) {
        let raw = format!("{}\r\n\r\nroll 2\r\n", header.replace('\n', "\r\n"));
        let letter = Letter::split(raw.as_bytes());
        let fields: Vec<String> = fields.split(':').map(str::to_owned).collect();
        let judged = is_bound(&letter, &fields);
        assert_eq!(judged.err().as_deref(), expected, "{header}");
    }
    let whole = "From: a\nDate: b\nSubject: c";
    case(whole, "from:date:subject", None);
    // More names than there are fields: then nobody can add one.
    case(whole, "from:from:date:date:subject:subject:in-reply-to", None);
    case(whole, "from:subject", Some("it does not cover Date"));
    case("From: a\nSubject: c", "from:date:subject", Some("the letter has no Date"));
    case(&format!("Subject: d\n{whole}"), "from:date:subject", Some("the letter has Subject 2 times"));
    case(&format!("From: d\n{whole}"), "from:from:date:subject", Some("the letter has From 2 times"));
    case(
        &format!("In-Reply-To: d\nIn-Reply-To: e\n{whole}"),
        "from:date:subject",
        Some("the letter has In-Reply-To 2 times"),
    );
}

#[test]
fn a_date_lies_between_the_times_of_the_game() {
    let stamp = |text| Stamp::parse(text).unwrap();
    let (from, to) = (stamp("2026-11-20T10:00:00Z"), stamp("2026-11-24T10:00:00Z"));
    let case = |date: &str| {
        let raw = format!("From: a@b.example\r\nDate: {date}\r\nSubject: c\r\n\r\nroll 2\r\n");
        let letter = Opened::open(raw.as_bytes(), &Limits::ORDINARY);
        let key = dkim::KeyRecord { name: String::new(), text: String::new() };
        let signed = Signed { domain: String::new(), key, fields: Vec::new(), body_hash: Vec::new() };
        SignedPart { signed, letter }.is_dated(from, to).is_ok()
    };
    assert!(case("Fri, 20 Nov 2026 11:00:00 +0100"));
    assert!(case("Thu, 19 Nov 2026 10:00:00 -0800 (PST)"));
    assert!(case("Wed, 25 Nov 2026 10:00:00 +0000"));
    assert!(!case("Tue, 17 Nov 2026 10:00:00 +0000"));
    assert!(!case("Sat, 28 Nov 2026 10:00:00 +0000"));
    assert!(!case("yesterday"));
}
