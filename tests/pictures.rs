/*! Pictures of the map: the drawing agrees with the rules, nothing covers anything else, letters are outlines and need
no font, and no picture tells a seat another's secret.
*/

use engine::chance::Practice;
use engine::chart::Crossing;
use engine::practice::Table;
use engine::seat::Seat;
use engine::slot::{Card, Faces};
use engine::title::{Setup, Title};
use record::file::reading::read_through;
use record::file::stream::Records;
use report::from_log;
use report::map::{atlas, of_question, picture, place};
use report::occasion::known_to;
use report::picture::lettering::{Face, Style, covers, definitions, references};
use report::picture::plane::{Box2, Point, is_inside};
use report::picture::png::png;
use report::picture::{Atlas, Plan, Wanted, plan};
use ringmail::titles;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use wotr::title::TITLE as WOTR;

const TITLES: [&str; 2] = ["risk", "wotr"];

fn map(title: &str) -> &'static Atlas {
    atlas(titles::ALL.by_id(title).unwrap()).unwrap()
}

fn spot([x, y]: [i32; 2]) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

/// A point, as the maps' keys use it.
fn key(point: &Point) -> (i64, i64) {
    ((point.x * 1000.0).round() as i64, (point.y * 1000.0).round() as i64)
}

#[test]
fn two_places_share_a_drawn_border_exactly_if_they_touch() {
    for title in TITLES {
        let Atlas { chart, land, .. } = map(title);
        let mut sides: BTreeMap<[(i64, i64); 2], Vec<u8>> = BTreeMap::new();
        for (place, cell) in (0_u8..).zip(&land.places) {
            for (index, from) in cell.outline.iter().enumerate() {
                let to = &cell.outline[(index + 1) % cell.outline.len()];
                let mut ends = [key(from), key(to)];
                ends.sort_unstable();
                sides.entry(ends).or_default().push(place);
            }
        }
        let mut drawn: BTreeSet<[u8; 2]> = BTreeSet::new();
        for places in sides.into_values() {
            match places[..] {
                [_] => {}
                [one, other] => {
                    drawn.insert([one.min(other), one.max(other)]);
                }
                _ => panic!("{title}: a piece of border belongs to {places:?}"),
            }
        }
        let touch: BTreeSet<[u8; 2]> = chart
            .contacts
            .iter()
            .map(|contact| [contact.ends[0].min(contact.ends[1]), contact.ends[0].max(contact.ends[1])])
            .collect();
        assert_eq!(touch.len(), chart.contacts.len(), "{title}: each contact once");
        assert_eq!(drawn, touch, "{title}");
    }
}

#[test]
fn the_chart_has_the_borders_of_the_rules() {
    let count = |title: &str, crossing: Crossing| {
        map(title).chart.contacts.iter().filter(|contact| contact.crossing == crossing).count()
    };
    assert_eq!((count("wotr", Crossing::Open), count("wotr", Crossing::Ridge)), (232, 50));
    assert_eq!((count("risk", Crossing::Open), count("risk", Crossing::Bridge)), (78, 18));
    for region in wotr::region::Region::all() {
        let chart = map("wotr").chart;
        let open = chart.contacts.iter().filter(|contact| contact.crossing.is_open());
        let next = open.filter(|contact| contact.ends.contains(&region.0)).count();
        assert_eq!(next, region.neighbours().len() as usize, "{}", region.id());
    }
}

#[test]
fn every_place_has_land_of_its_own_under_its_name() {
    for title in TITLES {
        let Atlas { chart, land, .. } = map(title);
        let at = |point: Point| -> Vec<&str> {
            let cells = land.places.iter().zip(&chart.places);
            let near = cells.filter(|(cell, _)| cell.bounds.overlaps(&Box2::at(point, 0.0, 0.0)));
            near.filter(|(cell, _)| is_inside(&cell.outline, point)).map(|(_, place)| place.name.id()).collect()
        };
        for place in &chart.places {
            assert_eq!(at(spot(place.at)), [place.name.id()], "{title}");
            assert_eq!(at(spot(place.label)), [place.name.id()], "{title}");
        }
        let (mut points, mut twice) = (0, 0);
        for row in 0..chart.height / 4 {
            for column in 0..chart.width / 4 {
                points += 1;
                twice += usize::from(at(spot([4 * column + 1, 4 * row + 1])).len() > 1);
            }
        }
        // If a shore is squeezed between two others, a few of its points may lie in both.
        assert!(twice * 2000 < points, "{title}: {twice} of {points} points lie in two places");
    }
}

/// The logs of the sample games.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("log.yaml"));
    let mut logs: Vec<PathBuf> = entries.filter(|log| log.exists()).collect();
    logs.sort();
    logs
}

/// Every how many entries the tests look at a view.
const STRIDES: [u64; 5] = [23, 60, 150, 200, 300];

/// What everybody sees of a game after some of its entries, with their numbers.
type Views = (&'static Atlas, Vec<(u64, Value)>);

/// The views of all sample games that some test looks at. Each game is read once for all tests.
fn views() -> &'static [Views] {
    static VIEWS: OnceLock<Vec<Views>> = OnceLock::new();
    let of = |log: PathBuf| {
        let mut views = Vec::new();
        let fold = read_through(Records::new(File::open(log).unwrap()), titles::ALL, None, |step| {
            if STRIDES.iter().any(|each| step.entry.seq % each == 5) {
                views.push((step.entry.seq, from_log::look(step.fold, None).view));
            }
            ControlFlow::Continue(())
        });
        (map(fold.unwrap().plan().title.id), views)
    };
    VIEWS.get_or_init(|| samples().into_iter().map(of).collect())
}

/// Shows every view number `each` of all sample games, with the one before it.
fn every_view(each: u64, mut show: impl FnMut(&'static Atlas, &Value, Option<&Value>)) {
    assert!(STRIDES.contains(&each));
    for (atlas, views) in views() {
        let mut before = None;
        for (_, view) in views.iter().filter(|(seq, _)| seq % each == 5) {
            show(atlas, view, before);
            before = Some(view);
        }
    }
}

/// Checks that nothing in the plan covers anything else or leaves the drawn part of the map.
#[track_caller]
fn is_tidy(atlas: &Atlas, plan: &Plan) {
    let mut boxes: Vec<(&str, Box2)> = plan.panel.boxes.iter().map(|area| ("the panel", *area)).collect();
    for (site, place) in plan.sites.iter().zip(&atlas.chart.places) {
        boxes.extend(site.iter().flat_map(|site| &site.taken).map(|area| (place.name.title(), *area)));
    }
    for (index, (one, area)) in boxes.iter().enumerate() {
        assert!(plan.sheet.contains(area), "{one} leaves the picture");
        for (other, other_area) in &boxes[index + 1..] {
            // Boxes set side by side may touch.
            assert!(!area.wider(-0.05).overlaps(other_area), "{one} and {other} overlap");
        }
    }
    for (text, at, style) in &plan.panel.texts {
        let area = Box2::new(at.x, at.y - style.size * 0.7, at.x + style.width(text), at.y + style.size * 0.2);
        assert!(plan.panel.area.contains(&area), "`{text}` leaves the panel");
    }
    for (piece, corner) in &plan.panel.pieces {
        assert!(plan.panel.area.contains(&Box2::at(*corner, piece.width, piece.height)), "a sign leaves the panel");
    }
}

#[test]
fn on_the_whole_map_every_place_has_room_and_nothing_covers_anything() {
    let mut seen = 0;
    every_view(60, |atlas, view, before| {
        let plan = plan(&Wanted { atlas, view, before, around: &[] });
        let lost: Vec<&str> = (plan.sites.iter().zip(&atlas.chart.places))
            .filter(|(site, _)| site.is_none())
            .map(|(_, place)| place.name.id())
            .collect();
        assert!(lost.is_empty(), "no room for {lost:?}");
        is_tidy(atlas, &plan);
        seen += 1;
    });
    assert!(seen > 40, "{seen}");
}

#[test]
fn round_a_question_the_places_it_is_about_are_seen() {
    let (mut seen, mut part) = (0, 0);
    every_view(23, |atlas, view, before| {
        let mut around = of_question(atlas, view);
        if around.is_empty() {
            // Any place, a different one each time.
            part = (part + 17) % atlas.chart.places.len();
            around.push(part);
        }
        let plan = plan(&Wanted { atlas, view, before, around: &around });
        for place in &around {
            assert!(plan.sites[*place].is_some(), "{} is not seen", atlas.chart.places[*place].name.id());
        }
        is_tidy(atlas, &plan);
        seen += 1;
    });
    assert!(seen > 100, "{seen}");
}

/// The texts of an SVG, by their labels.
fn texts(svg: &str) -> Vec<String> {
    let plain = |text: &str| text.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&amp;", "&");
    svg.split("<g aria-label=\"").skip(1).filter_map(|part| Some(plain(part.split_once('"')?.0))).collect()
}

/// The values of an attribute in an SVG, as it is written there.
fn values<'a>(svg: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    svg.split(attribute).skip(1).filter_map(|part| Some(part.split_once('"')?.0))
}

/// The letters of a picture are defined in it, each once; no font is asked for.
#[track_caller]
fn brings_its_letters(svg: &str) {
    let ids: Vec<&str> = values(svg, " id=\"").collect();
    let defined: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(defined.len(), ids.len(), "{ids:?}");
    let used: BTreeSet<&str> = values(svg, " href=\"#").collect();
    assert_eq!(used, defined);
    assert!(!svg.contains("<text") && !svg.contains("font"), "a font is asked for");
}

#[test]
fn every_letter_has_an_outline_and_a_picture_is_always_the_same() {
    let mut seen = 0;
    every_view(150, |atlas, view, before| {
        let drawn = picture(atlas, view, before, &[], None);
        let texts = texts(&drawn.svg);
        assert!(texts.len() > 80, "{}", texts.len());
        for text in texts {
            for face in [Face::Medium, Face::Bold, Face::Italic] {
                assert!(covers(face, &text), "{text}");
            }
        }
        brings_its_letters(&drawn.svg);
        brings_its_letters(&picture(atlas, view, before, &[40], None).svg);
        assert!(!drawn.svg.contains("NaN") && !drawn.svg.contains("inf"), "a length is no number");
        let again = Atlas::of(TITLES.into_iter().find(|title| std::ptr::eq(map(title), atlas)).unwrap(), atlas.chart);
        assert_eq!(picture(&again.unwrap(), view, before, &[], None), drawn);
        seen += 1;
    });
    assert!(seen > 15, "{seen}");
}

/// How long a text is, and where its letters stand.
fn set(text: &str) -> (f64, String) {
    let style = Style::new(Face::Medium, 1000.0);
    (style.width(text), references(style.face, text))
}

#[test]
fn letters_of_all_our_languages_have_outlines_and_others_a_box() {
    for face in [Face::Medium, Face::Bold, Face::Italic] {
        for letter in ('\u{a0}'..='\u{17f}').filter(|letter| !"\u{ad}\u{149}\u{17f}".contains(*letter)) {
            assert!(covers(face, &letter.to_string()), "{letter}");
        }
        let defined = definitions([references(face, "Çelik Łódź 李").as_str()]);
        assert_eq!(values(&defined, " id=\"").count(), 10, "{defined}");
    }
    let (box_wide, drawn) = set("李");
    assert_eq!((box_wide, drawn.as_str()), (500.0, "<use href=\"#m25a1\"/>"));
    // An accent that is a character of its own is left out.
    assert_eq!(set("Jose\u{301}"), set("Jose"));
    // A letter with an accent is kerned like the one without.
    assert!(set("To").0 < set("T").0 + set("o").0);
    assert_eq!(set("To").0 - set("o").0, set("T\u{f3}").0 - set("\u{f3}").0);
    assert_eq!(set("Mi").1, "<use href=\"#mM\"/><use href=\"#mi\" x=\"792\"/>");
}

/// The faces with every card that the reader may not see replaced by another one.
fn otherwise(table: &Table, reader: Seat, other: impl Fn(u8) -> Card) -> Faces {
    let own = table.game.hand(reader);
    let mut faces = Faces::default();
    for (slot, card) in table.faces.iter() {
        faces.learn(slot, if own.contains(&slot) { card } else { other(slot.deck.0) });
    }
    faces
}

#[test]
fn another_hand_gives_the_same_picture() {
    let of_war = |deck: u8| Card(u16::from(deck) * 24 + 23);
    let of_risk = |deck: u8| if deck == 0 { Card(65) } else { Card(67) };
    draws_alike(&WOTR, of_war);
    draws_alike(&risk::title::TITLE, of_risk);
}

/// Plays a random game, and draws it for each seat as it is, and as it would be with other hidden cards.
fn draws_alike(title: &Title, other: impl Fn(u8) -> Card) {
    let seats = title.seats(2).unwrap().into_iter().map(str::to_string).collect();
    let setup = Setup { edition: title.editions[0].to_string(), seats, options: Vec::new() };
    let mut chance = Practice::new(5);
    let mut table = Table::new(title, &setup, &mut chance).unwrap();
    let atlas = map(title.id);
    for round in 0..300_usize {
        if round % 29 == 0 {
            let (reader, game) = (Seat::at(round / 29 % 2), &*table.game);
            let drawn = |faces: &Faces| {
                let view = game.view(Some(reader), &known_to(Some(reader), game, faces));
                let around = of_question(atlas, &view);
                [&[][..], &around].map(|around| picture(atlas, &view, None, around, None))
            };
            let known = drawn(&table.faces);
            assert_eq!(known, drawn(&otherwise(&table, reader, &other)), "a secret is drawn");
            // The reader's own hand is not in it, either: everybody sees the same map.
            let public = game.view(None, &Faces::default());
            assert_eq!(known[0], picture(atlas, &public, None, &[], None));
        }
        if table.play_anything(&mut chance).is_none() {
            break;
        }
    }
}

#[test]
fn what_has_changed_is_marked_and_what_has_left_is_remembered() {
    let marks = |svg: &str| svg.matches("#ffd23f").count();
    let mut seen = 0;
    every_view(200, |atlas, view, before| {
        let (plain, same) = (picture(atlas, view, None, &[], None), picture(atlas, view, Some(view), &[], None));
        assert_eq!(marks(&plain.svg), 0);
        // Only the key.
        assert_eq!(marks(&same.svg), 1);
        if let Some(before) = before.filter(|before| *before != view) {
            assert!(marks(&picture(atlas, view, Some(before), &[], None).svg) > 1);
            seen += 1;
        }
    });
    assert!(seen > 5, "{seen}");
}

/// A letter marks what is new since the last one: for that the game is reconstructed as it was then.
#[test]
fn what_a_reader_saw_when_he_was_last_told_is_known() {
    let (mut seen, mut too_old) = (0, 0);
    for log in samples() {
        let mut lately: Vec<(u64, Value)> = Vec::new();
        read_through(Records::new(File::open(&log).unwrap()), titles::ALL, None, |step| {
            let seq = step.entry.seq;
            if seq % 11 == 0 {
                lately.push((seq, from_log::look(step.fold, None).view));
                lately.drain(..lately.len().saturating_sub(5));
            }
            if seq % 37 == 5 {
                for (then, view) in &lately {
                    match step.fold.game_after(*then).map(|game| from_log::view_of(step.fold, &*game, None)) {
                        Some(found) => assert_eq!(&found, view, "{} #{then} at #{seq}", log.display()),
                        None => too_old += 1,
                    }
                    seen += 1;
                }
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    }
    assert!(seen > 200 && too_old * 4 < seen, "{too_old} of {seen}");
}

#[test]
fn a_place_is_found_by_any_spelling() {
    let found = |title: &str, text: &str| place(map(title), text).map(|place| map(title).chart.places[place].name.id());
    assert_eq!(found("wotr", "MINAS tirith"), Ok("minas-tirith"));
    assert_eq!(found("wotr", "lorien"), Ok("lorien"));
    assert_eq!(found("wotr", "osgil"), Ok("osgiliath"));
    assert_eq!(found("risk", "rivendell"), Ok("rhudaur"));
    assert_eq!(found("wotr", "minas"), Err(vec!["Minas Morgul", "Minas Tirith"]));
    assert_eq!(found("wotr", "osgilaith"), Err(vec!["Osgiliath"]));
    assert_eq!(found("risk", "london"), Err(Vec::new()));
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_part_of_the_map_is_a_small_png() {
    let mut largest = 0;
    every_view(300, |atlas, view, before| {
        let drawn = picture(atlas, view, before, &[40], None);
        let bytes = png(&drawn);
        assert_eq!(size(&bytes), (drawn.width, drawn.height));
        assert_eq!(drawn.width, 780);
        largest = largest.max(bytes.len());
    });
    assert!((20_000..100_000).contains(&largest), "{largest}");
}

#[test]
fn ringmail_map_draws_to_a_file_and_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/two-towers/log.yaml");
    let run = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        program.current_dir(folder.path()).arg("map").arg(&log).args(words).output().unwrap()
    };
    let piped = run(&["--as", "yellow", "--at", "100", "--since", "80"]);
    assert_eq!(piped.status.code(), Some(0), "{}", String::from_utf8_lossy(&piped.stderr));
    let svg = String::from_utf8(piped.stdout).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("Risk: The Lord of the Rings, turn"));
    let words = ["--at", "100", "--around", "moria", "--width", "390", "--out", "moria.png"];
    assert_eq!(run(&words).status.code(), Some(0));
    assert_eq!(size(&fs::read(folder.path().join("moria.png")).unwrap()).0, 390);
    for (words, says) in [
        (&["--around", "london"][..], "`london` is no place on this map."),
        (&["--around", "mordr"], "Did you mean Moria?"),
        (&["--since", "90", "--at", "80"], "There is no entry 90 up to the one that is drawn, 80."),
        (&["--at", "9999"], "There is no entry 9999"),
        (&["--as", "purple"], "There is no seat `purple`"),
    ] {
        let ran = run(words);
        assert_eq!(ran.status.code(), Some(2), "{words:?}");
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(told.contains(says), "{told}");
    }
}
