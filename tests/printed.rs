//! The data files of both titles read the same as with a full YAML reader, and so does everything in the simple part
//! of the language that they use.

use engine::printed;
use serde_json::Value;

#[track_caller]
fn case(text: &str) {
    let whole: Value = serde_yaml::from_str(text).unwrap();
    assert_eq!(printed::value(text), whole);
}

#[test]
fn the_data_files_are_read_as_they_stand() {
    case(include_str!("../src/wotr/data/cards.yaml"));
    case(include_str!("../src/wotr/data/characters.yaml"));
    case(include_str!("../src/wotr/data/map.yaml"));
    case(include_str!("../src/wotr/data/setup.yaml"));
    case(include_str!("../src/risk/data/cards.yaml"));
    case(include_str!("../src/risk/data/map.yaml"));
}

#[test]
fn the_plain_part_of_the_language_is_read() {
    case("# who\n- id: a-b\n  name: \"A: B, [c]\"\n\n  at: [1, -2]\n- id: 'it is: ''so'''\n");
    case("armies:\n- {region: x y, some: [a b, \"c, d\"], none: {}}\nmore:\n  - [[a, b], []]\n  - true\n  - x, y\n");
    case("a:\n  b:\n    - c: d - e, f\n      g: 007x\n  h: false\ni: Rhûn#1\n");
}
