const PATH_LENGTH = 200;

type Level = { names: Set<string> | null; name: string; index: number };

/** The path ("lineItems[0].price") of the first member that comes twice in its object; null if there is none. `json` must be valid JSON. */
export function repeatedMember(json: string): string | null {
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char !== '"') {
      move(levels, char);
      continue;
    }
    const end = endOfString(json, at);
    if (isName(json, end) && isRepeated(levels.at(-1), json.slice(at, end))) return pathOf(levels);
    at = end - 1;
  }
  return null;
}

function move(levels: Level[], char: string | undefined): void {
  if (char === '{') levels.push({ names: new Set(), name: '', index: 0 });
  else if (char === '[') levels.push({ names: null, name: '', index: 0 });
  else if (char === '}' || char === ']') levels.pop();
  else if (char === ',') next(levels.at(-1));
}

function next(level: Level | undefined): void {
  if (level !== undefined) level.index += 1;
}

/** Notes the name (as JSON) of a member of this object. */
function isRepeated(level: Level | undefined, name: string): boolean {
  if (level?.names == null) return false;
  level.name = String(JSON.parse(name));
  const size = level.names.size;
  return level.names.add(level.name).size === size;
}

/** The place after its closing quote. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let slashes = 0;
  while (json[quote - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

const SPACE = /\s*/y;

function isName(json: string, end: number): boolean {
  SPACE.lastIndex = end;
  SPACE.test(json);
  return json[SPACE.lastIndex] === ':';
}

function pathOf(levels: readonly Level[]): string {
  const path = levels.reduce((text, { names, name, index }) => (names === null ? `${text}[${index}]` : `${text}${text === '' ? '' : '.'}${name}`), '');
  return path.slice(-PATH_LENGTH);
}
