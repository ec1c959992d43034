import type { Sold } from './scenario-side.ts';

type Known = { sold: Sold; document: string };

/** What the shops of a scenario know: what stands, what is gone and may come again, and which document numbers were answered. */
export class ScenarioShops {
  readonly current = new Map<string, Known>();
  readonly gone = new Map<string, Sold>();
  /** The order that a document number was answered for. */
  readonly documents = new Map<string, string>();
  /** Everything that happened to it, in words. */
  readonly story: string[] = [];
  #sold = 0;
  #filled = 0;

  /** Orders that the steps of a scenario may touch. */
  ordinary(): Known[] {
    return [...this.current.values()].filter(({ sold }) => !this.isFiller(sold.id));
  }

  /** Sold so that a month has an order. */
  isFiller(id: string): boolean {
    return id.startsWith('fill');
  }

  nextId(): string {
    this.#sold += 1;
    return `o${this.#sold}`;
  }

  nextFiller(): string {
    this.#filled += 1;
    return `fill${this.#filled}`;
  }

  /** The number of an order that was sold some time ago, or of this one. */
  numberFor(pick: number): string {
    return `#${1 + (pick % this.#sold)}`;
  }

  /** Throws if the number is neither the order's own nor the next one. */
  created(sold: Sold, document: string): void {
    const owner = this.documents.get(document);
    if (owner === undefined && Number(document) !== this.documents.size + 1) throw new Error(`${sold.id} got ${document}, which leaves a gap or is an old one`);
    if (owner !== undefined && owner !== sold.id) throw new Error(`${sold.id} got ${document}, which is ${owner}'s`);
    this.documents.set(document, sold.id);
    this.current.set(sold.id, { sold, document });
    this.gone.delete(sold.id);
  }

  removed({ sold }: Known): void {
    this.current.delete(sold.id);
    this.gone.set(sold.id, sold);
  }
}
