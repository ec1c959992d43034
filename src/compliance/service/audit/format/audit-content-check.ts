import type { AuditHeader, AuditOrder, AuditReturn, Finding } from '../audit-file.ts';
import { AuditTally } from './audit-tally.ts';
import { AuditValidator, validateBlock } from './audit-validator.ts';
import { FindingList } from './finding-list.ts';
import { type OutsideKnowledge, RuleCheck } from './rule-check.ts';

const BLOCK_ORDERS = 128;

/** Quantities as they were recorded, where the file rounds them. */
export type RecordedQuantities = (order: AuditOrder) => readonly string[];

/**
 * Holds what is going to be written against schema and rules while it passes by on its way to `writeAuditFile`; costs half of verifying the written
 * bytes. Findings name orders, not lines. Dispose of it, whether it came to its end or not.
 */
export class AuditContentCheck implements Disposable {
  readonly #findings = new FindingList();
  readonly #validator = new AuditValidator();
  readonly #tally = new AuditTally();
  readonly #header: AuditHeader;
  readonly #rules: RuleCheck;
  #block: AuditOrder[] = [];

  constructor(header: AuditHeader, knowledge: OutsideKnowledge = {}) {
    this.#header = header;
    this.#rules = new RuleCheck(this.#findings, knowledge);
    this.#rules.header(header);
  }

  /** The same orders, seen. */
  async *watch(orders: AsyncIterable<AuditOrder> | Iterable<AuditOrder>, recorded?: RecordedQuantities): AsyncGenerator<AuditOrder, void> {
    for await (const order of orders) {
      this.#rules.order(order, recorded === undefined ? {} : { recordedQuantities: recorded(order) });
      this.#block.push(order);
      if (this.#block.length >= BLOCK_ORDERS) this.#validate([]);
      yield order;
    }
  }

  /** To be called when all orders have passed. */
  end(returns: readonly AuditReturn[]): Finding[] {
    for (const one of returns) {
      this.#tally.return(one);
      this.#rules.return(one);
    }
    this.#validate(returns);
    const { returns: count, returned } = this.#tally.sums();
    this.#rules.end({ count, total: returned });
    return this.#findings.all();
  }

  // The schema has no file without orders; that there are none is a finding of the rules.
  #validate(returns: readonly AuditReturn[]): void {
    const orders = this.#block;
    this.#block = [];
    if (orders.length === 0 && returns.length === 0) return;
    for (const { words, advice, order } of validateBlock(this.#validator, { header: this.#header, orders, returns }))
      this.#findings.add('schema.violation', { words, advice, order });
  }

  [Symbol.dispose](): void {
    this.#validator[Symbol.dispose]();
  }
}
