import type { ComplianceClient, Endpoint } from '../bridge/client/port.ts';
import type { ComplianceGateway } from '../bridge/delivery/compliance-gateway.ts';
import type { Destination } from '../bridge/ledger/destination-store.ts';
import { type Dialect, embeddedDialect } from '../contract/dialect.ts';
import { encodeOrder } from '../contract/encode-order.ts';
import { AnswerCache } from '../platform/answer-cache.ts';

export type GatewayDeps = {
  client: ComplianceClient;
  find(destinationId: string): Promise<Destination | null>;
  /** How the configured remote service speaks. */
  dialect: Dialect;
  /** Where the embedded service listens now. */
  embeddedUrl(): Promise<string>;
};

export type Endpoints = (destinationId: string) => Promise<Endpoint>;

const FRESH_MS = 10_000;
const MOST = 1_000;

/** Address, credentials and dialect of a destination; credentials are read again every 10 s. */
export function createEndpoints({ find, dialect, embeddedUrl }: Omit<GatewayDeps, 'client'>): Endpoints {
  const known = new AnswerCache<Endpoint>({ freshMs: () => FRESH_MS, size: MOST, now: Date.now });

  async function look(destinationId: string): Promise<Endpoint> {
    const destination = await find(destinationId);
    if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
    const { baseUrl, credentials } = destination;
    return baseUrl === null ? { baseUrl: await embeddedUrl(), ...credentials, dialect: embeddedDialect } : { baseUrl, ...credentials, dialect };
  }

  return (destinationId) => known.get(destinationId, () => look(destinationId));
}

/** Sends journaled steps to the destination that they name. */
export function createGateway(client: ComplianceClient, endpoints: Endpoints): ComplianceGateway {
  return {
    async honoursIdempotency(destinationId) {
      const { dialect } = await endpoints(destinationId);
      return dialect.idempotencyKey === 'supported';
    },
    async send(step, { shopId, customer }, signal) {
      const endpoint = await endpoints(step.destinationId);
      if (step.kind === 'delete') return client.deleteOrder(endpoint, step.complianceId, signal);
      if (step.kind === 'receipt') return client.createReceipt(endpoint, step.complianceId, signal);
      const body = encodeOrder({ record: step.record, customer, shopId, dialect: endpoint.dialect });
      return client.createOrder(endpoint, { body, idempotencyKey: step.idempotencyKey }, signal);
    },
  };
}
