use super::*;

#[track_caller]
fn case(line: &str, expected: Request) {
    assert_eq!(read(&spelling::plain(line), line).unwrap().map(|asked| asked.request), Ok(expected));
}

#[test]
fn requests_are_read_as_people_write_them() {
    case("HELP", Request::Help { topic: None });
    case("Help me, please!", Request::Help { topic: None });
    case("help  Athelas?", Request::Help { topic: Some("athelas".to_owned()) });
    case("Status?", Request::Status);
    case("history", Request::History { from: None, to: None });
    case("History 3\u{2013}9", Request::History { from: Some(3), to: Some(9) });
    case("history from #3 to #9", Request::History { from: Some(3), to: Some(9) });
    case("why 57?", Request::Why { seq: 57 });
    case("map", Request::Map { at: None, around: None });
    case("show status?", Request::Status);
    case("Show me the map", Request::Map { at: None, around: None });
    case("show map minas tirith", Request::Map { at: None, around: Some("minas tirith".to_owned()) });
    case("show history 3 9", Request::History { from: Some(3), to: Some(9) });
    case("show #57", Request::Why { seq: 57 });
    case("map minas tirith", Request::Map { at: None, around: Some("minas tirith".to_owned()) });
    let text = "Bree was MINE, see #54".to_owned();
    case("Dispute 57: Bree was  MINE, see #54", Request::Dispute { about: 57, text: text.clone() });
    case("dispute #57 Bree was MINE, see #54", Request::Dispute { about: 57, text });
}

#[test]
fn letters_to_players_proposals_and_votes_are_read() {
    let press = |to: &[&str], sender, text: Option<&str>| {
        let to = to.iter().map(|word| (*word).to_owned()).collect();
        Request::Press(Press { to, sender, text: text.map(str::to_owned) })
    };
    case("press all: Hello, You!", press(&[], Sender::Named, Some("Hello, You!")));
    case("Press to red and black: at 9:15", press(&["red", "black"], Sender::Named, Some("at 9:15")));
    case("press anonymous all: Boo", press(&[], Sender::Anonymous, Some("Boo")));
    case("press red", press(&["red"], Sender::Named, None));
    case("press anonymous all:", press(&[], Sender::Anonymous, None));
    let propose = |what, text: Option<&str>| Proposed {
        what,
        to: None,
        of: None,
        key: None,
        rules: None,
        until: None,
        text: text.map(str::to_owned),
    };
    case("propose draw", Request::Propose(propose(Correcting::Draw, None)));
    case("propose draw: Tired", Request::Propose(propose(Correcting::Draw, Some("Tired"))));
    let later = Proposed { until: Some("3d".to_owned()), ..propose(Correcting::Deadline, Some("A wedding")) };
    case("propose deadline 3d: A wedding", Request::Propose(later));
    let undo = Proposed { to: Some(57), ..propose(Correcting::Undo, Some("A slip")) };
    case("Propose undo to #57: A slip", Request::Propose(undo));
    let seat = Proposed { of: Some("red".to_owned()), ..propose(Correcting::Seat, None) };
    case("propose replacement of red", Request::Propose(seat));
    case("vote yes 61", Request::Vote { motion: Some(61), says: Ballot::Yes });
    case("VOTE #61 No", Request::Vote { motion: Some(61), says: Ballot::No });
    case("concede: Well played", Request::Concede { text: Some("Well played".to_owned()) });
}

#[test]
fn a6_a_code_behind_a_request_confirms_it() {
    let asked = read("concede: enough confirm k7q2m4xa", "Concede: Enough confirm K7Q2M4XA").unwrap().unwrap();
    assert_eq!(asked.request, Request::Concede { text: Some("Enough".to_owned()) });
    assert_eq!((asked.words.as_str(), asked.code.as_deref()), ("concede: enough", Some("k7q2m4xa")));
    let asked = read("concede", "concede").unwrap().unwrap();
    assert_eq!(asked.code, None);
}

#[track_caller]
fn wrong(line: &str, expected: &str) {
    assert_eq!(read(&spelling::plain(line), line).unwrap().unwrap_err().to_string(), expected);
}

#[test]
fn what_goes_wrong_is_told_with_what_would_have_been_right() {
    wrong("why", "not understood: the number of the entry is missing. It is written `show why entry`");
    wrong("why not", "not understood: `not` is not the number of an entry. It is written `show why entry`");
    wrong("history 1 2 3", "not understood: `3` is one number too many. It is written `show history [from [to]]`");
    wrong("dispute 57", "not understood: the text is missing. It is written `dispute entry: text`");
    wrong("menu please", "not understood: `menu` takes no arguments; found `please`. It is written `show menu`");
    wrong("show", "not understood: it does not say what. It is written `show status | menu | map | history | why`");
    wrong(
        "show cards",
        "not understood: `cards` cannot be shown. It is written `show status | menu | map | history | why`",
    );
    assert_eq!(read("helping hand", "helping hand"), None);
    assert_eq!(read("", ""), None);
}

#[track_caller]
fn said(line: &str, expected: Result<&str, &str>) {
    let read = read(line, line).unwrap().map(|asked| asked.said).map_err(|misread| misread.why);
    assert_eq!(read.as_deref().map_err(String::as_str), expected);
}

#[test]
fn requests_about_time_are_read_as_people_write_them() {
    said("absence 2026-12-24", Ok("absence 2026-12-24"));
    said("absence from 2026-12-24 to 2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
    said("absence 2026-12-24..2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
    said("absence 2026-12-24 - 2027-01-02", Ok("absence 2026-12-24 to 2027-01-02"));
    said("absence", Err("the first and the last day are missing"));
    said("absence christmas", Err("`christmas` is no date such as 2026-12-24"));
    said("extend 2 days", Ok("extend 2d"));
    said("extend by 36h", Ok("extend 1d12h"));
    said("extend a bit", Err("`a bit` is no time such as 2d or 12h"));
    said("zone", Err("the time zone is missing"));
    said("zone europe/berlin", Ok("zone Europe/Berlin"));
    said("letters digest daily 7:00", Ok("letters digest daily 07:00"));
    said("digest daily 7:00", Ok("letters digest daily 07:00"));
    said("letters html", Ok("letters html"));
    said("letters pictures off", Ok("letters pictures off"));
    said("quiet off", Ok("letters quiet off"));
    said("night 22:00-07:00", Ok("letters night 22:00-07:00"));
}
