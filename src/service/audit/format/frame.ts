import { headerColumns, itemXml, orderColumns, returnColumns, samples } from './audit-columns.ts';

const LARGEST = 8_000_000;
const LIST = /<r?order[\s>]/;

/** The parts of a file outside its orders and returns: small, and validated with a stand-in for each list. Maps its lines to those of the file. */
export class Frame {
  readonly #pieces: { text: string; line: number }[] = [];
  #length = 0;
  #stoodIn: keyof typeof standIns | null = null;

  get tooLarge(): boolean {
    return this.#length > LARGEST;
  }

  /** White space between orders is dropped: it is as long as the file. */
  add(text: string, line: number): void {
    if (this.tooLarge || (text.trim() === '' && this.#pieces.length > 0)) return;
    this.#length += text.length;
    if (LIST.test(text)) this.#stoodIn = null;
    this.#pieces.push({ text: Buffer.from(text).toString(), line });
  }

  /** Puts a stand-in for the first order or return of a list. */
  standIn(kind: keyof typeof standIns, line: number): void {
    if (this.#stoodIn === kind) return;
    this.#stoodIn = kind;
    this.#pieces.push({ text: `\n${standIns[kind]}\n`, line });
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join('');
  }

  /** The line of the file for a line of `text`. */
  lineOf(line: number): number {
    let first = 1;
    let last = 1;
    for (const piece of this.#pieces) {
      const breaks = piece.text.split('\n').length - 1;
      // The line after a break that ends a piece is the next one's.
      if (line <= first + breaks - (piece.text.endsWith('\n') ? 1 : 0)) return piece.line + line - first;
      first += breaks;
      last = piece.line + breaks;
    }
    return last;
  }
}

/** Valid items on one line, to complete a part of a large file. */
export const standIns = {
  order: itemXml('orderenum', samples(orderColumns)),
  return: itemXml('rorderenum', samples(returnColumns)),
} as const;

const HEADER = `<audit>${samples(headerColumns).join('')}`;

/** A small file around the XML of orders or returns, which begins on its second line. */
export function aroundItems(kind: keyof typeof standIns, xml: string): string {
  return kind === 'order' ? `${HEADER}<order>\n${xml}</order></audit>` : `${HEADER}<order>${standIns.order}</order><rorder>\n${xml}</rorder></audit>`;
}
