import type { AuditItem } from './audit-reader.ts';
import type { AuditValidator, SchemaProblem } from './audit-validator.ts';
import type { FindingList } from './finding-list.ts';
import type { Frame } from './frame.ts';
import { aroundItems } from './stand-ins.ts';

type Item = Pick<AuditItem, 'kind' | 'text' | 'line'> & { number: string | null };

/** Large enough that the frame around a block costs nothing, small enough for a few milliseconds. */
const BLOCK_CHARACTERS = 131_072;

/** Holds a file against the schema in blocks, each a small complete file, so that memory stays constant. Lines are those of the file. */
export class SchemaCheck {
  readonly #validator: AuditValidator;
  readonly #findings: FindingList;
  #block: Item[] = [];
  #characters = 0;

  constructor(validator: AuditValidator, findings: FindingList) {
    this.#validator = validator;
    this.#findings = findings;
  }

  item(item: AuditItem): void {
    if (this.#block.length > 0 && this.#block[0]?.kind !== item.kind) this.#flush();
    const { kind, text, line, fields } = item;
    this.#block.push({ kind, text, line, number: fields.get(kind === 'order' ? 'ord_n' : 'r_ord_n') ?? null });
    this.#characters += text.length;
    if (this.#characters >= BLOCK_CHARACTERS) this.#flush();
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
    // One item that is not well-formed hides what is wrong with the others.
    if (block.length > 1 && problems[0]?.wellFormed === false) for (const item of block) this.#check([item]);
    else for (const problem of problems) this.#place(problem, block);
  }

  /** Of what is not well-formed only the first place: the others follow from it. */
  #problems(xml: string): SchemaProblem[] {
    const problems = this.#validator.validate(xml);
    return problems[0]?.wellFormed === false ? problems.slice(0, 1) : problems;
  }

  #place(problem: SchemaProblem, block: readonly Item[]): void {
    let first = 2;
    for (const [index, { text, line, number }] of block.entries()) {
      const breaks = text.split('\n').length - 1;
      if (problem.line <= first + breaks || index === block.length - 1) {
        this.#add({ ...problem, line: line + Math.min(problem.line - first, breaks) }, number);
        return;
      }
      first += breaks + 1;
    }
  }

  #add({ line, words, advice, wellFormed }: SchemaProblem, order: string | null): void {
    if (wellFormed) this.#findings.add('schema.violation', { words, advice, line, order });
    else this.#findings.add('file.not-well-formed', { words, line, order });
  }
}
