// The log: its records as bytes, and as keys and values. Format 2, as the document of the format says; numbers in
// brackets are its paragraphs.

/** Something of the log that is not as it should be. */
class Fault extends Error {}

function need(condition, why) {
  if (!condition) throw new Fault(why);
}

/** The records of a log, as bytes [1.2]. */
function recordsOf(log) {
  const isEnd = (at) => [10, 46, 46, 46, 10].every((byte, place) => log[at + place] === byte);
  const records = [];
  let start = 0;
  for (let at = log.indexOf(10); at >= 0; at = log.indexOf(10, at + 1)) {
    if (!isEnd(at)) continue;
    records.push(log.subarray(start, at + 5));
    start = at + 5;
  }
  if (start < log.length) records.push(log.subarray(start));
  return records;
}

/** A record as keys and values [2]. It is read by its indentation alone, whatever its type is. */
function recordRead(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault("it is no text");
  }
  const lines = text.split("\n");
  need(lines[0] === "---" && lines.at(-2) === "..." && lines.at(-1) === "", "it does not begin or end as a record");
  let at = 1;

  const scalar = (written) => {
    try {
      return JSON.parse(written);
    } catch {
      throw new Fault(`line ${at + 1} of it cannot be read`);
    }
  };
  const mapping = (indent, depth) => {
    need(depth < 9, "it is nested too deep");
    const found = new Map();
    for (; at < lines.length - 2; ) {
      const line = lines[at];
      const isItem = found.size === 0 && indent > 0 && line.startsWith(`${" ".repeat(indent - 2)}- `);
      const [, blanks, key, , written] = /^( *)(?:- )?([a-z][a-z0-9_]*):( (.*))?$/s.exec(line) ?? [];
      if (key === undefined || !isItem && (blanks.length !== indent || line[indent] === "-")) break;
      need(!found.has(key), `\`${key}\` stands in it twice`);
      if (written === undefined) {
        at += 1;
        found.set(key, lines[at].startsWith(`${" ".repeat(indent + 2)}- `)
          ? items(indent + 4, depth + 1) : mapping(indent + 2, depth + 1));
      } else {
        found.set(key, scalar(written));
        at += 1;
      }
    }
    need(found.size > 0, `line ${at + 1} of it cannot be read`);
    return Object.fromEntries(found);
  };
  const items = (indent, depth) => {
    const found = [];
    while (lines[at].startsWith(`${" ".repeat(indent - 2)}- `)) found.push(mapping(indent, depth));
    return found;
  };

  const record = mapping(0, 0);
  need(at === lines.length - 2, `line ${at + 1} of it cannot be read`);
  return record;
}
