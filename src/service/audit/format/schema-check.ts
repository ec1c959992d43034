import type { AuditItem } from './audit-reader.ts';
import type { AuditValidator, SchemaProblem } from './audit-validator.ts';
import type { FindingList } from './finding-list.ts';
import type { Frame } from './frame.ts';
import { aroundItems } from './stand-ins.ts';

type Item = Pick<AuditItem, 'kind' | 'text' | 'line'> & { number: string | null };

/** Large enough that the frame around a block costs nothing, small enough for a few milliseconds. */
const BLOCK_CHARACTERS = 131_072;
const BLOCK_ITEMS = 500;
/** After so many items that are not well-formed, blocks are no longer split. */
const MOST_BROKEN = 1_000;

/** Validates a file in blocks, each a small complete file, so that memory stays constant. Lines are those of the file. */
export class SchemaCheck {
  readonly #validator: AuditValidator;
  readonly #findings: FindingList;
  #block: Item[] = [];
  #characters = 0;
  #broken = 0;

  constructor(validator: AuditValidator, findings: FindingList) {
    this.#validator = validator;
    this.#findings = findings;
  }

  item(item: AuditItem): void {
    if (this.#block.length > 0 && this.#block[0]?.kind !== item.kind) this.#flush();
    const { kind, text, line, fields } = item;
    this.#block.push({ kind, text, line, number: fields.get(kind === 'order' ? 'ord_n' : 'r_ord_n') ?? null });
    this.#characters += text.length;
    if (this.#characters >= BLOCK_CHARACTERS || this.#block.length >= BLOCK_ITEMS) this.#flush();
  }

  end(frame: Frame): void {
    this.#flush();
    if (frame.tooLarge) return;
    for (const { line, ...problem } of this.#problems(frame.text)) this.#add({ ...problem, line: frame.lineOf(line) }, null);
  }

  #flush(): void {
    const block = this.#block;
    this.#block = [];
    this.#characters = 0;
    this.#check(block);
  }

  #check(block: readonly Item[]): void {
    const [first] = block;
    if (first === undefined) return;
    const problems = this.#problems(aroundItems(first.kind, block.map(({ text }) => `${text}\n`).join('')));
    const broken = problems[0]?.wellFormed === false;
    if (broken) this.#broken += 1;
    // One item that is not well-formed hides the problems of the others.
    if (broken && block.length > 1 && this.#broken <= MOST_BROKEN) for (const item of block) this.#check([item]);
    else this.#place(problems, block);
  }

  /** Only the first problem if the XML is not well-formed: the others follow from it. */
  #problems(xml: string): SchemaProblem[] {
    const problems = this.#validator.validate(xml);
    return problems[0]?.wellFormed === false ? problems.slice(0, 1) : problems;
  }

  #place(problems: readonly SchemaProblem[], block: readonly Item[]): void {
    if (problems.length === 0) return;
    const owners = block.flatMap(({ text, line, number }) => text.split('\n').map((_, breaks) => ({ line: line + breaks, number })));
    const last = owners.at(-1);
    for (const problem of problems) {
      // Items begin on the second line; a problem after the last one belongs to it.
      const owner = owners[problem.line - 2] ?? last;
      if (owner !== undefined) this.#add({ ...problem, line: owner.line }, owner.number);
    }
  }

  #add({ line, words, advice, wellFormed }: SchemaProblem, order: string | null): void {
    if (wellFormed) this.#findings.add('schema.violation', { words, advice, line, order });
    else this.#findings.add('file.not-well-formed', { words, line, order });
  }
}
