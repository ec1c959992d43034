import type { ComplianceClient, Endpoint } from '../../bridge/client/port.ts';
import { Refusal } from '../refusal.ts';
import { type FieldWords, readRefusal, readWarnings } from './shop-answer.ts';

/** `endpoint` says at which service, and with which key. */
export type ShopDeps = { client: Pick<ComplianceClient, 'shop'>; endpoint: Endpoint };

type Answer = Record<string, unknown>;
type Answered<More = unknown> = { ok: true; answer: Answer; warnings: FieldWords[] } & More;

/** The service refused; `status` is its HTTP status. */
export type RefusedShop = { ok: false; status: number; words: string; fields: FieldWords[] };

/** Creates a shop at the compliance service. The service checks the fields. */
export async function createShop(deps: ShopDeps, fields: Answer): Promise<Answered<{ id: string }> | RefusedShop> {
  const answered = await send(deps, { method: 'POST', body: fields });
  if (!answered.ok) return answered;
  const id = answered.answer['id'];
  if (typeof id !== 'string') {
    throw new Refusal('conflict', 'the compliance service made the shop, but its answer has no id', { advice: 'look the shop up there' });
  }
  return { ...answered, id };
}

/** Changes the fields that are given; all others stay. */
export function updateShop(deps: ShopDeps, id: string, fields: Answer): Promise<Answered | RefusedShop> {
  return send(deps, { method: 'PUT', id, body: fields });
}

/** Deletes a shop with all its orders, for good. `name` is its exact name; `orders` counts those deleted with it, if the service reports it. */
export async function deleteShop(deps: ShopDeps, id: string, name: string): Promise<Answered<{ orders: number | null }> | RefusedShop> {
  const answered = await send(deps, { method: 'DELETE', id, body: { name } });
  if (!answered.ok) return answered;
  const orders = answered.answer['deletedOrders'];
  return { ...answered, orders: typeof orders === 'number' ? orders : null };
}

async function send({ client, endpoint }: ShopDeps, request: Parameters<ComplianceClient['shop']>[1]): Promise<Answered | RefusedShop> {
  const { status, body } = await client.shop(endpoint, request);
  if (status < 200 || status > 299) return { ok: false, status, ...readRefusal(body) };
  const answer = body !== null && typeof body === 'object' ? { ...body } : {};
  return { ok: true, answer, warnings: readWarnings(answer) };
}
