import { onTestFinished } from 'vitest';
import { createComplianceClient } from '../../../src/bridge/client/compliance-client.ts';
import type { Reply } from '../../../src/bridge/order/decisions/answer.ts';
import type { Dialect } from '../../../src/contract/dialect.ts';
import { encodeOrder } from '../../../src/contract/order-dto.ts';
import type { TaxRecord } from '../../../src/contract/record.ts';
import { type Credentials, callerOf } from './compliance-caller.ts';

/** An answer as a caller reads it. `id`: of the order or receipt on success, `current`: of the recorded order that conflicts. */
export type Learned = { status: number; id: string | null; current: string | null; words: string };
/** A sale to be recorded; the record's amounts are decimal text with two decimals. */
export type Sale = { record: TaxRecord; shopId: string; key: string };

/** One way to call the order part of the interface, from its documentation alone. */
export type OrderCaller = {
  create(sale: Sale): Promise<Learned>;
  remove(id: string): Promise<Learned>;
  receipt(id: string): Promise<Learned>;
};

export type MakeOrderCaller = (baseUrl: string, credentials: Credentials, dialect: Dialect) => OrderCaller;

/** The bridge's own client. */
export const throughTheClient: MakeOrderCaller = (baseUrl, credentials, dialect) => {
  const client = createComplianceClient({ timeouts: { connectMs: 10_000, headersMs: 20_000, totalMs: 20_000 }, whyInsecure: () => null });
  onTestFinished(() => client[Symbol.asyncDispose]());
  const endpoint = { baseUrl, ...credentials, dialect };
  return {
    create: async ({ record, shopId, key }) =>
      learned(await client.createOrder(endpoint, { body: encodeOrder({ record, customer: null, shopId, dialect }), idempotencyKey: key })),
    remove: async (id) => learned(await client.deleteOrder(endpoint, id)),
    receipt: async (id) => learned(await client.createReceipt(endpoint, id)),
  };
};

function learned(reply: Reply): Learned {
  if (reply.kind !== 'answered') throw new Error(`the client got no answer: ${reply.error}`);
  return { status: reply.status, id: reply.id, current: reply.standingId, words: reply.detail };
}

/** Plain requests that share no code with the client but the signature. */
export const overRawHttp: MakeOrderCaller = (baseUrl, credentials, dialect) => {
  const call = callerOf(baseUrl, credentials);
  const omits = dialect.signatureEmptyBody === 'omit' ? { headers: { 'x-signature': undefined } } : {};
  const ask = async (...[method, path, sent]: Parameters<typeof call>): Promise<Learned> => {
    const { status, body } = await call(method, path, { dialect, ...sent });
    const id = typeof body['id'] === 'string' ? body['id'] : null;
    return { status, id: status === 200 ? id : null, current: status === 409 ? id : null, words: JSON.stringify(body) };
  };
  return {
    create: ({ record, shopId, key }) => ask('POST', '/order', { body: dtoOf(record, shopId, dialect), headers: { 'idempotency-key': key } }),
    remove: (id) => ask('DELETE', `/order/${id}`, omits),
    receipt: (id) => ask('POST', `/order/${id}/receipt`, omits),
  };
};

function dtoOf({ paymentProcessorName, transactionId, lineItems, ...record }: TaxRecord, shopId: string, { amounts, vatRate }: Dialect) {
  const amount = (text: string) => (amounts === 'minor' ? Math.round(Number(text) * 100) : Number(text));
  const rate = (text: string) => (vatRate === 'fraction' ? Number(text) / 100 : Number(text));
  return {
    ...record,
    ...(paymentProcessorName !== null && { paymentProcessorName }),
    ...(transactionId !== null && { transactionId }),
    lineItems: lineItems.map((line) => ({ ...line, price: amount(line.price), discount: amount(line.discount), vatRate: rate(line.vatRate) })),
    shopId,
  };
}
