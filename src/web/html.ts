import { Attributes, escaped, safeAddress } from './attributes.ts';
import { type TemplatePlace, templatePlaces } from './template-places.ts';

/** What can be interpolated. Not null, undefined or booleans: `nothing` stands for absent markup. */
type Piece = string | number | Html | readonly Html[] | Attributes | Css;

/** Markup that is safe in a page as it is. */
export class Html {
  readonly #markup: string;

  constructor(parts: TemplateStringsArray, pieces: readonly Piece[]) {
    const places = placesOf(parts);
    let markup = parts[0] ?? '';
    for (let i = 0; i < places.length; i += 1) markup += written(pieces[i], places[i]) + parts[i + 1];
    this.#markup = markup;
  }

  get markup(): string {
    return this.#markup;
  }
}

/** Markup; interpolated text is escaped for its place. Throws TypeError for a place or a piece that can't be made safe. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts, pieces);
}

// The parts of a template literal are always the same object, so each template is parsed once.
const known = new WeakMap<readonly string[], readonly TemplatePlace[]>();

function placesOf(parts: readonly string[]): readonly TemplatePlace[] {
  const before = known.get(parts);
  if (before !== undefined) return before;
  const places = templatePlaces(parts);
  known.set(parts, places);
  return places;
}

const plain: Readonly<Partial<Record<TemplatePlace, (text: string) => string>>> = {
  text: escaped,
  value: escaped,
  address: (text) => escaped(safeAddress(text)),
};

function written(piece: Piece | undefined, place: TemplatePlace = 'text'): string {
  if (typeof piece === 'string' || typeof piece === 'number') {
    const write = plain[place];
    if (write !== undefined) return write(String(piece));
  } else if (place === 'text') {
    if (piece instanceof Html) return piece.markup;
    if (isList(piece)) return piece.map((one) => written(one)).join('');
  } else if (piece instanceof Attributes && place === 'attributes') return piece.markup;
  else if (piece instanceof Css && place === 'style') return piece.text;
  throw new TypeError(`${nameOf(piece)} can not be put in as ${place} in a template`);
}

function isList(piece: Piece | undefined): piece is readonly Html[] {
  return Array.isArray(piece);
}

function nameOf(piece: unknown): string {
  return typeof piece === 'object' && piece !== null ? piece.constructor.name : piece === null ? 'null' : typeof piece;
}

/** Empty markup, for an absent part of a page. */
export const nothing = html``;

/** A style sheet from the source code: the only text that goes into a page unescaped. */
class Css {
  readonly #text: string;

  constructor(parts: TemplateStringsArray) {
    const [text = '', ...more] = parts;
    if (more.length > 0 || text.includes('</')) throw new TypeError('a style sheet takes no interpolation, and can not end its own element');
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** A style sheet. It takes no interpolation, so it has no foreign text. */
export function css(parts: TemplateStringsArray): Css {
  return new Css(parts);
}

/** Elements on a line each, so that the source of a page is readable. */
export function lines(elements: readonly Html[]): Html {
  return html`${elements.map((element) => html`${element}\n`)}`;
}
