import fc from 'fast-check';
import type { Connection } from '../../../src/bridge/connections/connection.ts';
import { connectionSettings } from '../../../src/bridge/connections/connection-settings.ts';
import type { AttemptDeps } from '../../../src/bridge/delivery/attempt-ports.ts';
import { processOrder } from '../../../src/bridge/delivery/process-order.ts';
import type { Facts } from '../../../src/bridge/order/facts/facts.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { facts, refund, snapshot } from '../samples/order-facts.ts';
import { sampleConnection } from '../samples/sample-claim.ts';
import { SimulatedLedger } from './simulated-ledger.ts';
import { type Fate, SimulatedService } from './simulated-service.ts';
import { NOW } from './situations.ts';
import { noKeys, storesAtHand } from './stores-at-hand.ts';

/** The fate of a request, of its worker while it waits for the answer, and the facts that are merged before that; null: none. */
export type Request = { fate: Fate; meanwhile: 'nothing' | 'the worker dies' | 'another worker processes'; facts: Version | null };

type Version = keyof typeof versions;

/** The events of an order, one after the other. */
export type LifeEvent =
  | { what: 'attempt'; requests: Request[] }
  | { what: 'facts'; version: Version }
  | { what: 'settings'; receipts: boolean; maps: boolean }
  | { what: 'release' }
  | { what: 'a night' }
  | { what: 'erase' }
  | { what: 'confirm' };

const versions = {
  paid: facts(),
  'with a buyer': facts({ customer: { kind: 'known', customer: { email: 'buyer@example.com' } } }),
  'with their phone': facts({ customer: { kind: 'known', customer: { email: 'buyer@example.com', phone: '+359888123456' } } }),
  edited: facts({ snapshot: snapshot({ updatedAt: '2026-11-20T10:05:00.000Z', number: '#1043' }) }),
  refunded: facts({ refunds: [refund()] }),
  unpaid: facts({ snapshot: snapshot({ payment: 'unpaid' }) }),
  unmapped: facts({ snapshot: snapshot({ gateways: ['unknownpay'] }) }),
} satisfies Record<string, Facts>;

const fates: Fate[] = [
  'answered',
  'answered',
  'answered',
  'lost',
  'dropped',
  'not-sent',
  'throttled',
  'refused',
  'malformed',
  'too-large',
  'taken',
  'failing',
  'elsewhere',
  'elsewhere',
  'shut-out',
];
const someVersion = fc.constantFrom(...(Object.keys(versions) as Version[]));
const requests = fc.record({
  fate: fc.constantFrom(...fates),
  meanwhile: fc.constantFrom<Request['meanwhile']>('nothing', 'nothing', 'nothing', 'the worker dies', 'another worker processes'),
  facts: fc.option(someVersion, { freq: 2 }),
});

export const lifeEvents: fc.Arbitrary<LifeEvent[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ what: fc.constant('attempt' as const), requests: fc.array(requests, { maxLength: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ what: fc.constant('facts' as const), version: someVersion }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('settings' as const), receipts: fc.boolean(), maps: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constantFrom<LifeEvent>({ what: 'release' }, { what: 'confirm' }, { what: 'a night' }, { what: 'erase' }) },
  ),
  { maxLength: 14 },
);

/** How a service differs from others: by whether it honours Idempotency-Keys, and whether it lists its records. */
export type ServiceOf = { honoursKeys: boolean; lists: boolean };

const A_NIGHT_MS = 8 * 3_600_000;

/** One order, its ledger, the service and a person, who answers truthfully. */
export class SimulatedLife {
  readonly ledger = new SimulatedLedger();
  readonly service: SimulatedService;
  readonly #honoursKeys: boolean;
  readonly #lists: boolean;
  #now = NOW;
  #connection: Connection = sampleConnection();
  /** As workers cache it: up to 10 s old. */
  #remembered = this.#connection;

  constructor({ honoursKeys, lists }: ServiceOf) {
    this.#honoursKeys = honoursKeys;
    this.#lists = lists;
    this.service = new SimulatedService(honoursKeys);
  }

  get connection(): Connection {
    return this.#connection;
  }

  async live(lifeEvent: LifeEvent): Promise<void> {
    switch (lifeEvent.what) {
      case 'attempt':
        return this.attempt(lifeEvent.requests);
      case 'facts':
        return this.#merge(versions[lifeEvent.version]);
      case 'settings':
        this.#change(lifeEvent);
        return this.ledger.releaseFromReview();
      case 'a night':
        this.#now += A_NIGHT_MS;
        return;
      case 'erase':
        return this.ledger.erase();
      case 'release':
        return this.ledger.releaseFromReview();
      case 'confirm':
        return this.confirm();
    }
  }

  /** The person looks at the service: the record of a lost create, or of a delete in doubt, is there, or not. */
  confirm(): void {
    const { openStep } = this.ledger.order;
    if (openStep?.kind === 'delete') return this.ledger.confirm(this.service.records.has(openStep.complianceId) ? openStep.complianceId : null);
    const known = this.ledger.order.current?.complianceId;
    this.ledger.confirm([...this.service.records.keys()].find((id) => id !== known) ?? null);
  }

  /** It is recorded, its receipt is due, and the reply to another create of it comes late. */
  async double(): Promise<void> {
    this.#change({ receipts: true, maps: true });
    this.refresh();
    this.#merge(versions.unmapped);
    await this.attempt([]);
    const { current, stepSeq } = this.ledger.order;
    if (current === null || this.ledger.isAtRest) throw new Error('it has no record, or no receipt of it is due');
    const { record, destinationId } = current;
    const step = { kind: 'create', seq: stepSeq - 1, record, idempotencyKey: 'late', destinationId, uncertain: true, receipt: true } as const;
    await this.ledger.recordLateReply({ step, end: { seq: step.seq, outcome: 'recorded', status: 200, detail: null, complianceId: 'late' }, recorded: 'yes' });
  }

  /** A while later: caches have expired. */
  refresh(): void {
    this.#remembered = this.#connection;
  }

  async attempt(coming: Request[]): Promise<void> {
    const left = [...coming];
    await processOrder(this.#deps(left), { orderId: 7 }).catch((thrown: unknown) => {
      if (!(thrown instanceof Died)) throw thrown;
    });
  }

  // News of somebody who asked to be erased have no buyer.
  #merge(news: Facts): void {
    const { customer } = this.ledger.order.facts;
    this.ledger.merge(customer.kind === 'erased' || news.customer.kind === 'none' ? { ...news, customer } : news);
  }

  #change({ receipts, maps }: { receipts: boolean; maps: boolean }): void {
    const payments = maps ? { payments: { unknownpay: { paymentType: 'VIRTUAL_POS' } } } : {};
    this.#connection = sampleConnection({ settings: connectionSettings.parse({ receipts, ...payments }) });
  }

  #deps(left: Request[]): AttemptDeps {
    const { ledger } = this;
    return {
      ledger,
      connection: async (_id, options) => {
        if (options?.fresh) this.refresh();
        return this.#remembered;
      },
      compliance: {
        honoursIdempotency: async () => this.#honoursKeys,
        // Orders of other shops are recorded all the time.
        encodingOf: async () => null,
        lookUp: async (step) => (this.#lists ? this.service.lookUp(step) : { is: 'hidden' }),
        whyInsecure: async () => null,
        workedAt: () => this.#now,
        send: async (step, { customer }) => {
          const { fate, meanwhile, facts: version } = left.shift() ?? { fate: 'answered', meanwhile: 'nothing', facts: null };
          const reply = this.service.send(step, customer, fate);
          if (version !== null) this.#merge(versions[version]);
          if (meanwhile === 'nothing') return reply;
          ledger.expire();
          if (meanwhile === 'the worker dies') throw new Died();
          await this.attempt([]);
          return reply;
        },
      },
      pauses: { some: async () => false, paused: async () => null, pause: async () => undefined, doubt: async () => undefined, works: async () => undefined },
      storefronts,
      stores: storesAtHand(Failure),
      ...noKeys,
      noteStoreApi: async () => undefined,
      now: () => this.#now,
      random: () => 0,
      onVatDifference: () => undefined,
      onStep: () => undefined,
    };
  }
}

/** The process ended here: its pending writes are lost. */
class Died extends Error {}
