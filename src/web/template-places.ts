import { holdsProgram, isAddress } from './attributes.ts';

/**
 * The places of interpolations: text between tags, a quoted attribute or a part of one, the beginning of an address in one, attributes within a tag,
 * or the content of a style element. Anywhere else escaping does not protect.
 */
export type TemplatePlace = 'text' | 'value' | 'address' | 'attributes' | 'style';

/**
 * The place of each interpolation of a template. Parses only a subset of HTML: each element closed, each value in double quotes. Throws TypeError for
 * anything else, so that nothing passes for safe that was not understood.
 */
export function templatePlaces(parts: readonly string[]): readonly TemplatePlace[] {
  return new TemplateReader(parts).read();
}

/** The placeholder of an interpolation, also in the expressions below; a private-use character, which templates do not contain. */
const HOLE = '\ue000';
const TEXT = /[^<\ue000]+|<!--[^\ue000]*?-->|<!doctype html>/iy;
const PIECE = /\ue000/y;
const OPENING = /<([a-z][\w-]*)/iy;
const ATTRIBUTE = /\s+([^\s"'<>/=\ue000]+)(?:="([^"]*)")?|\s*\ue000/y;
const TAG_END = /\s*(\/?)>/y;
const CLOSING = /<\/([a-z][\w-]*)\s*>/iy;

const NEVER_CLOSED = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** How an address must begin, so that no interpolation can give it another scheme. */
const ADDRESS = /^(?:\ue000(?:$|[/?#])|(?:https?|mailto|tel|cid):|[^:\ue000]*[/?#])/i;

class TemplateReader {
  readonly #template: string;
  readonly #holes: number;
  readonly #places: TemplatePlace[] = [];
  readonly #open: string[] = [];
  #at = 0;

  constructor(parts: readonly string[]) {
    this.#template = parts.join(HOLE);
    this.#holes = parts.length - 1;
  }

  read(): readonly TemplatePlace[] {
    while (this.#at < this.#template.length) {
      const from = this.#at;
      const known = this.#take(TEXT) !== null || this.#readPiece() || this.#readClosing() || this.#readOpening();
      if (!known) throw this.#refusal(from, 'can not be read as HTML of closed elements, with values in double quotes');
    }
    if (this.#open.length > 0) throw this.#refusal(0, `leaves <${this.#open.at(-1)}> open`);
    if (this.#places.length !== this.#holes) throw this.#refusal(0, 'contains a character of private use');
    return this.#places;
  }

  #readPiece(): boolean {
    const parent = this.#open.at(-1);
    if (parent === 'script' || this.#take(PIECE) === null) return false;
    this.#places.push(parent === 'style' ? 'style' : 'text');
    return true;
  }

  #readClosing(): boolean {
    const closing = this.#take(CLOSING);
    return closing !== null && this.#open.pop() === closing[1]?.toLowerCase();
  }

  #readOpening(): boolean {
    const name = this.#take(OPENING)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    for (let attribute = this.#take(ATTRIBUTE); attribute !== null; attribute = this.#take(ATTRIBUTE)) {
      if (!this.#readAttribute(attribute)) return false;
    }
    const end = this.#take(TAG_END);
    // Only in SVG does a slash close an element.
    const closed = end?.[1] === '/' && this.#open.includes('svg');
    if (!(closed || NEVER_CLOSED.has(name))) this.#open.push(name);
    return end !== null && (closed || end[1] === '');
  }

  #readAttribute([, name, value = '']: RegExpExecArray): boolean {
    if (name === undefined) {
      this.#places.push('attributes');
      return true;
    }
    const holes = value.split(HOLE).length - 1;
    const address = isAddress(name);
    for (let i = 0; i < holes; i += 1) this.#places.push(address && i === 0 && value.startsWith(HOLE) ? 'address' : 'value');
    return !holdsProgram(name) && (holes === 0 || !address || ADDRESS.test(value));
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#template);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #refusal(from: number, why: string): TypeError {
    return new TypeError(`this template ${why}: ${this.#template.slice(from, from + 80).replaceAll(HOLE, '{…}')}`);
  }
}
