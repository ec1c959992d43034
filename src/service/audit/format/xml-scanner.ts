/**
 * A piece of markup at `from`–`to` of the window. `name` is as written; `line` counts from 1. `text` is a CDATA section, `declaration` the XML
 * declaration at the very beginning, `type` a DOCTYPE, `other` a comment or a processing instruction.
 */
export type Markup = { kind: 'open' | 'close' | 'empty' | 'text' | 'declaration' | 'type' | 'other'; name: string; from: number; to: number; line: number };

/** Called for each piece of markup in turn; character data from `textFrom` precedes it. */
export type Scanned = (markup: Markup, textFrom: number) => void;

const SPACE = /\s/;
const EXCLAMATION = 33;
const QUESTION = 63;
const SLASH = 47;
const BOUNDED = [
  { opening: '<!--', closing: '-->', kind: 'other' },
  { opening: '<![CDATA[', closing: ']]>', kind: 'text' },
  { opening: '<?', closing: '?>', kind: 'other' },
] as const;

/** A longer comment, or other markup, is cut here. */
const LONGEST_MARKUP = 1_000_000;

/**
 * Finds the markup in streamed text, in constant memory and linear time, and never fails: libxml2 checks whether the text is well-formed. A tag ends
 * at its first ">": the audit file has no attributes. `window` is the text in memory; `release` drops its beginning.
 */
export class XmlScanner {
  readonly #scanned: Scanned;
  window = '';
  /** The start of the current character data. */
  textFrom = 0;
  #at = 0;
  #line = 1;
  // Each part of the window is searched once for line breaks and for ends of tags.
  #counted = 0;
  #nextBreak = -1;
  #nextEnd = -1;
  #nextOpening = -1;
  #begun = false;

  constructor(scanned: Scanned) {
    this.#scanned = scanned;
  }

  /** Continues scanning; `last`: nothing will follow. */
  push(text: string, last = false): void {
    this.window += text;
    this.#forgetSearches();
    for (;;) {
      const from = this.#openingFrom(this.#at);
      this.#at = Math.min(from, this.window.length);
      if (from === Infinity || !this.#markup(from, last || this.window.length - from > LONGEST_MARKUP)) return;
    }
  }

  /** Drops the window before `position`, which has been scanned. */
  release(position: number): void {
    this.lineAt(position);
    this.window = this.window.slice(position);
    this.#at -= position;
    this.textFrom -= position;
    this.#counted -= position;
    this.#forgetSearches();
  }

  /** Drops very long character data, up to the scanned position. */
  skipText(): void {
    this.textFrom = this.#at;
  }

  /** The line at a position; positions must not go back. */
  lineAt(position: number): number {
    while (this.#counted < position) {
      if (this.#nextBreak < this.#counted) this.#nextBreak = orEnd(this.window.indexOf('\n', this.#counted));
      if (this.#nextBreak >= position) this.#counted = position;
      else {
        this.#counted = this.#nextBreak + 1;
        this.#line += 1;
      }
    }
    return this.#line;
  }

  #forgetSearches(): void {
    this.#nextBreak = this.#nextEnd = this.#nextOpening = -1;
  }

  #openingFrom(position: number): number {
    if (this.#nextOpening < position) this.#nextOpening = orEnd(this.window.indexOf('<', position));
    return this.#nextOpening;
  }

  /** Scans one piece of markup; false if its end has not come yet. */
  #markup(from: number, last: boolean): boolean {
    const { window } = this;
    if (from + 1 >= window.length && !last) return false;
    const second = window.charCodeAt(from + 1);
    if (second !== EXCLAMATION && second !== QUESTION) return this.#tag(from, last);
    if (from + '<![CDATA['.length > window.length && !last) return false;
    const bounded = BOUNDED.find(({ opening }) => window.startsWith(opening, from));
    const end = bounded === undefined ? typeEnd(window, from) : after(window.indexOf(bounded.closing, from + bounded.opening.length), bounded.closing);
    if (end < 0 && !last) return false;
    const declaration = !this.#begun && from === this.textFrom && /^<\?xml\s/.test(window.slice(from, from + 6));
    this.#emit(declaration ? 'declaration' : (bounded?.kind ?? 'type'), '', end < 0 ? window.length : end);
    return true;
  }

  #tag(from: number, last: boolean): boolean {
    const { window } = this;
    if (this.#nextEnd < from) this.#nextEnd = orEnd(window.indexOf('>', from));
    const end = this.#nextEnd;
    const next = this.#openingFrom(from + 1);
    if (end === Infinity && next === Infinity && !last) return false;
    const closing = window.charCodeAt(from + 1) === SLASH;
    const empty = window.charCodeAt(end - 1) === SLASH;
    const name = end < next ? nameIn(window.slice(from + (closing ? 2 : 1), empty ? end - 1 : end)) : '';
    // "<" that begins no tag stays in the text, where libxml2 reports it.
    if (name === '') this.#at = from + 1;
    else this.#emit(closing ? 'close' : empty ? 'empty' : 'open', name, end + 1);
    return true;
  }

  #emit(kind: Markup['kind'], name: string, to: number): void {
    this.#begun = true;
    this.#scanned({ kind, name, from: this.#at, to, line: this.lineAt(this.#at) }, this.textFrom);
    this.#at = this.textFrom = to;
  }
}

function nameIn(tag: string): string {
  return SPACE.test(tag) ? tag.slice(0, tag.search(SPACE)) : tag;
}

function orEnd(found: number): number {
  return found < 0 ? Infinity : found;
}

function after(found: number, closing: string): number {
  return found < 0 ? -1 : found + closing.length;
}

/** Where a document type ends, its internal subset included; -1 if that has not come yet. */
function typeEnd(window: string, from: number): number {
  const mark = /["'[\]>]/g;
  mark.lastIndex = from;
  let depth = 0;
  for (let found = mark.exec(window); found !== null; found = mark.exec(window)) {
    const [character] = found;
    if (character === '>' && depth <= 0) return mark.lastIndex;
    if (character === '[' || character === ']') depth += character === '[' ? 1 : -1;
    if (character !== '"' && character !== "'") continue;
    const closing = window.indexOf(character, mark.lastIndex);
    if (closing < 0) return -1;
    mark.lastIndex = closing + 1;
  }
  return -1;
}
