import type { Reply } from '../../../src/bridge/order/outcome.ts';
import type { Step } from '../../../src/bridge/order/step.ts';
import type { TaxRecord } from '../../../src/contract/record.ts';

/**
 * The fate of one request. lost: it is done, and its reply is lost. dropped: it is not done, and there is no reply. elsewhere: an ingress answers
 * 404. shut-out: 403.
 */
export type Fate = 'answered' | 'lost' | 'dropped' | 'not-sent' | 'throttled' | 'refused' | 'failing' | 'elsewhere' | 'shut-out';

const failures: Partial<Record<Fate, Reply>> = {
  dropped: { kind: 'lost', error: 'time-out' },
  'not-sent': { kind: 'not-sent', error: 'ECONNREFUSED' },
  throttled: answered(429),
  refused: answered(422),
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
  readonly #made = new Map<string, string>();
  readonly #honoursKeys: boolean;

  constructor(honoursKeys: boolean) {
    this.#honoursKeys = honoursKeys;
  }

  send(step: Step, fate: Fate): Reply {
    const failure = failures[fate];
    if (failure !== undefined && !this.#answersAgain(step, fate)) return failure;
    const reply = this.#do(step);
    this.most = Math.max(this.most, this.records.size);
    return fate === 'lost' ? { kind: 'lost', error: 'time-out' } : reply;
  }

  /** A repeated request is answered as the first was, even if it would fail by now. */
  #answersAgain(step: Step, fate: Fate): boolean {
    if (fate !== 'refused' || step.kind === 'receipt') return false;
    return step.kind === 'create' ? this.#honoursKeys && this.#made.has(step.idempotencyKey) : !this.records.has(step.complianceId);
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
