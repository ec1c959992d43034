import { lookUpRecord } from '../bridge/client/look-up-record.ts';
import type { ComplianceClient, Endpoint, RecordReader } from '../bridge/client/port.ts';
import type { ComplianceGateway, SentFor } from '../bridge/delivery/attempt-ports.ts';
import type { UnknownOrderAnswers, UnknownOrderAnswersDeps } from '../bridge/delivery/unknown-order-answers.ts';
import type { DestinationStore } from '../bridge/ledger/connections/destination-store.ts';
import { classify, type Reply, withOrigin } from '../bridge/order/decisions/answer.ts';
import type { Step } from '../bridge/order/decisions/step.ts';
import { embeddedDialect } from '../contract/dialect.ts';
import { encodeOrder } from '../contract/order-dto.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import { errorWords } from '../platform/error-words.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';
import { notFound } from '../service/http/http-problem.ts';
import type { Core } from './core.ts';

export type Endpoints = (destinationId: string) => Promise<Endpoint>;

const FRESH_MS = 10_000;
const MOST = 1_000;

/** Address, credentials and dialect of a destination; credentials are read again every 10 s. `embeddedUrl`: where the embedded service listens now. */
export function openEndpoints({ config: { compliance }, destinations }: Pick<Core, 'config' | 'destinations'>, embeddedUrl: () => Promise<string>): Endpoints {
  const dialect = compliance.kind === 'remote' ? compliance.dialect : embeddedDialect;
  const known = new AnswerCache<Endpoint>({ freshMs: () => FRESH_MS, size: MOST, now: Date.now });

  async function look(destinationId: string): Promise<Endpoint> {
    const destination = await destinations.find(destinationId);
    if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
    const { baseUrl, credentials } = destination;
    return baseUrl === null ? { baseUrl: await embeddedUrl(), ...credentials, dialect: embeddedDialect } : { baseUrl, ...credentials, dialect };
  }

  return (destinationId) => known.get(destinationId, () => look(destinationId));
}

const embeddedAnswer = Object.keys(notFound('order').toJSON()).toSorted();

/** How destinations say that they have no such order; the embedded service is part of this program, so that its words are known. */
export function unknownOrderLedger({
  find,
  unknownOrderAnswerOf,
  keepUnknownOrderAnswer,
}: Pick<DestinationStore, 'find' | 'unknownOrderAnswerOf' | 'keepUnknownOrderAnswer'>): UnknownOrderAnswersDeps['ledger'] {
  return {
    keepUnknownOrderAnswer,
    async unknownOrderAnswerOf(destinationId) {
      const destination = await find(destinationId);
      return destination?.baseUrl === null ? { keys: embeddedAnswer, seenAt: new Date().toISOString() } : unknownOrderAnswerOf(destinationId);
    },
  };
}

/** Where a destination is could not be looked up. */
class Unknown {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

export type GatewayOptions = {
  client: ComplianceClient & Pick<RecordReader, 'listRecords' | 'readRecord' | 'knowsShop'>;
  endpoints: Endpoints;
  unknownOrderAnswers: Pick<UnknownOrderAnswers, 'keysOf' | 'created'>;
  trustedHttpHosts: readonly string[];
  now(): number;
};

/** Sends journaled steps to the destination that they name. */
export function createGateway({ client, endpoints, unknownOrderAnswers, trustedHttpHosts, now }: GatewayOptions): ComplianceGateway {
  const workedAt = new Map<string, number>();

  async function request(step: Step, order: SentFor, signal?: AbortSignal): Promise<Reply> {
    const endpoint = await endpoints(step.destinationId).catch((thrown: unknown) => new Unknown(errorWords(thrown)));
    if (endpoint instanceof Unknown) return { kind: 'not-sent', error: `its address could not be looked up: ${endpoint.why}` };
    return call(endpoint, { step, order, signal });
  }

  function call(
    endpoint: Endpoint,
    { step, order: { shopId, customer }, signal }: { step: Step; order: SentFor; signal: AbortSignal | undefined },
  ): Promise<Reply> {
    if (step.kind === 'delete') return client.deleteOrder(endpoint, step.complianceId, signal);
    if (step.kind === 'receipt') return client.createReceipt(endpoint, step.complianceId, signal);
    // A repeat has the bytes of the first try, however the service is configured by now.
    const dialect = step.uncertain ? (step.encoding ?? embeddedDialect) : endpoint.dialect;
    const body = encodeOrder({ record: step.record, customer, shopId, dialect });
    return client.createOrder(endpoint, { body, idempotencyKey: step.idempotencyKey }, signal);
  }

  return {
    async honoursIdempotency(destinationId) {
      const { dialect } = await endpoints(destinationId);
      return dialect.idempotencyKey === 'supported';
    },
    async encodingOf(destinationId) {
      const { amounts, vatRate } = (await endpoints(destinationId)).dialect;
      return amounts === embeddedDialect.amounts && vatRate === embeddedDialect.vatRate ? null : { amounts, vatRate };
    },
    whyInsecure: async (destinationId) => insecureWords((await endpoints(destinationId)).baseUrl, trustedHttpHosts),
    workedAt: (destinationId) => workedAt.get(destinationId) ?? null,
    async send(step, order, signal) {
      const { kind, destinationId } = step;
      const reply = await request(step, order, signal);
      const outcome = classify(kind, reply);
      if (outcome === 'recorded' || outcome === 'deleted') workedAt.set(destinationId, now());
      if (kind === 'create') unknownOrderAnswers.created(destinationId, outcome === 'recorded');
      return outcome === 'disbelieved' ? withOrigin(reply, await unknownOrderAnswers.keysOf(destinationId).catch(() => null)) : reply;
    },
    async lookUp(step, shopId) {
      const endpoint = await endpoints(step.destinationId).catch(() => null);
      return endpoint === null ? { is: 'hidden' } : lookUpRecord(client, endpoint, { step, shopId });
    },
  };
}
