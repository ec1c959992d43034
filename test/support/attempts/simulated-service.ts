import type { LookUpResult, Reply } from '../../../src/bridge/order/decisions/answer.ts';
import type { OpenStep, Step } from '../../../src/bridge/order/decisions/step.ts';
import { canonicalText } from '../../../src/bridge/order/facts/canonical-text.ts';
import type { Customer, TaxRecord } from '../../../src/contract/record.ts';

/**
 * The fate of one request. lost: it is done, and its reply is lost. dropped: it is not done, and there is no reply. elsewhere: an ingress answers
 * 404. shut-out: 403. taken: 409 that names no record. malformed: 400. too-large: 413. A repeat may be refused although its first try was done.
 */
export type Fate = 'answered' | 'lost' | 'dropped' | 'not-sent' | 'throttled' | keyof typeof refusals | 'failing' | 'elsewhere' | 'shut-out';

const refusals = { refused: answered(422), malformed: answered(400), 'too-large': answered(413), taken: answered(409) };

const failures: Partial<Record<Fate, Reply>> = {
  dropped: { kind: 'lost', error: 'time-out' },
  'not-sent': { kind: 'not-sent', error: 'ECONNREFUSED' },
  throttled: answered(429),
  ...refusals,
  failing: answered(500),
  elsewhere: answered(404),
  'shut-out': answered(403),
};

/** A compliance service that records everything it is sent; a second record of the order, too, which the bridge must never send. */
export class SimulatedService {
  readonly records = new Map<string, TaxRecord>();
  /** The idempotency keys of all creates that came in. */
  readonly keys: string[] = [];
  most = 0;
  /** Keys that came again with another content. */
  readonly changed: string[] = [];
  readonly #contents = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #honoursKeys: boolean;

  constructor(honoursKeys: boolean) {
    this.#honoursKeys = honoursKeys;
  }

  send(step: Step, customer: Customer | null, fate: Fate): Reply {
    if (step.kind === 'create' && fate !== 'not-sent') this.#compare(step.idempotencyKey, canonicalText([step.record, customer]));
    const failure = failures[fate];
    if (failure !== undefined) return failure;
    const reply = this.#do(step);
    this.most = Math.max(this.most, this.records.size);
    return fate === 'lost' ? { kind: 'lost', error: 'time-out' } : reply;
  }

  #compare(key: string, content: string): void {
    if ((this.#contents.get(key) ?? content) !== content) this.changed.push(key);
    this.#contents.set(key, content);
  }

  /** As a service that lists its records. */
  lookUp(step: OpenStep): LookUpResult {
    const complianceId = step.kind === 'delete' ? step.complianceId : [...this.records.keys()][0];
    return complianceId !== undefined && this.records.has(complianceId) ? { is: 'there', complianceId } : { is: 'not-there' };
  }

  #do(step: Step): Reply {
    if (step.kind === 'receipt') return answered(201, 'receipt');
    if (step.kind === 'delete') return this.records.delete(step.complianceId) ? answered(204) : { ...answered(404), isOwn: true };
    this.keys.push(step.idempotencyKey);
    const known = this.#honoursKeys ? this.#made.get(step.idempotencyKey) : undefined;
    if (known !== undefined) return answered(200, known);
    const id = `c-${this.#made.size + 1}-${step.seq}-${this.keys.length}`;
    this.#made.set(step.idempotencyKey, id);
    this.records.set(id, structuredClone(step.record));
    return answered(201, id);
  }
}

function answered(status: number, id: string | null = null): Extract<Reply, { kind: 'answered' }> {
  return { kind: 'answered', status, id, standingId: null, detail: '', retryAfterMs: null };
}
