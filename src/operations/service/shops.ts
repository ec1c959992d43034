import { z } from 'zod';
import type { ComplianceClient, Endpoint } from '../../bridge/client/port.ts';
import { type BridgeAct, writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { isUuid } from '../../contract/uuid.ts';
import { type Act, type Actor, type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import type { ReadShopDto } from '../../service/shops/shop-dto.ts';
import { Refusal } from '../refusal.ts';

/** `endpoint` says at which service, and with which key. `tell` writes to the audit log. */
export type ShopDeps = { client: Pick<ComplianceClient, 'shop'>; endpoint: Endpoint; by: Actor; tell(act: Act<BridgeAct>): Promise<void> };

export function toAuditLog(pool: Pool): ShopDeps['tell'] {
  return (act) => writeBridgeActs(pool, [act]);
}

type Answer = Record<string, unknown>;
type Answered<More = unknown> = { ok: true; answer: Answer; warnings: FieldWords[] } & More;

/** The service refused; `status` is its HTTP status, `type` that of the problem. */
export type RefusedShop = { ok: false; status: number; type: string | null; words: string; fields: FieldWords[] };

/** Creates a shop at the compliance service. The service checks the fields. `once`: a repeat under the same key finds the shop of the first, if the service honours it. */
export async function createShop(deps: ShopDeps, fields: Answer, once?: { idempotencyKey: string }): Promise<Answered<{ id: string }> | RefusedShop> {
  const answered = await send(deps, { method: 'POST', body: fields, ...once }, actOf('shop.create', { by: deps.by }, { after: shownOf(fields) }));
  if (!answered.ok) return answered;
  const id = answered.answer['id'];
  if (typeof id !== 'string') {
    throw new Refusal('conflict', {
      en: 'the compliance service made the shop, but its answer has no id',
      bg: 'услугата за отчитане създаде обекта, но отговорът ѝ е без идентификатор',
      advice: { en: 'look the shop up there', bg: 'намерете обекта там' },
    });
  }
  return { ...answered, id };
}

/** Changes the fields that are given; all others stay. */
export function updateShop(deps: ShopDeps, id: string, fields: Answer): Promise<Answered | RefusedShop> {
  return send(deps, { method: 'PUT', id, body: fields }, actOf('shop.update', { by: deps.by }, { subject: id, after: shownOf(fields) }));
}

type Deletion = { id: string; name: string; why?: string | undefined };

/** Deletes a shop with all its orders, for good. `name` is its exact name; `orders` counts those deleted with it, if the service reports it. */
export async function deleteShop(deps: ShopDeps, { id, name, why }: Deletion): Promise<Answered<{ orders: number | null }> | RefusedShop> {
  const answered = await send(deps, { method: 'DELETE', id, body: { name } }, actOf('shop.delete', { by: deps.by, why }, { subject: id, before: { name } }));
  if (!answered.ok) return answered;
  const orders = answered.answer['deletedOrders'];
  return { ...answered, orders: typeof orders === 'number' ? orders : null };
}

type Request = Parameters<ComplianceClient['shop']>[1];

/** The service is not in this database: that it was asked is written first, then its answer. */
async function send({ client, endpoint, tell, by }: ShopDeps, request: Request, act: Act<BridgeAct>): Promise<Answered | RefusedShop> {
  await tell(act);
  const { status, body } = await client.shop(endpoint, request);
  const made = body !== null && typeof body === 'object' && 'id' in body && typeof body.id === 'string' ? body.id : undefined;
  const subject = act.subject ?? made;
  await tell({ who: by, act: 'shop.answered', ...(subject === undefined ? {} : { subject }), after: { status } });
  if (status < 200 || status > 299) return { ok: false, status, ...readRefusal(body) };
  const answer = body !== null && typeof body === 'object' ? { ...body } : {};
  return { ok: true, answer, warnings: readWarnings(answer) };
}

function actOf(act: BridgeAct, said: Authorship, parts: Pick<Act, 'subject' | 'before' | 'after'>): Act<BridgeAct> {
  return { ...authorOf(said), act, ...parts };
}

/** The audit log has no addresses of mailboxes and no telephone numbers: of those it has the names of the fields. */
function shownOf(fields: Answer): Answer {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, /email|phone/i.test(name) ? 'given' : value]));
}

const fieldErrors = z.array(z.object({ path: z.string(), message: z.string() })).catch([]);
const problem = z
  .object({ type: z.string().optional(), title: z.string().optional(), detail: z.string().optional(), message: z.string().optional(), errors: fieldErrors })
  .partial();
const warned = z.object({ warnings: fieldErrors });

/** A message of the service about one field, named as in its documentation. */
export type FieldWords = { path: string; message: string };

const MOST_TEXT = 500;

/** Why the compliance service refused, in its own words, field by field where it names them. `type`: of the problem, if it has one. */
function readRefusal(body: unknown): { type: string | null; words: string; fields: FieldWords[] } {
  const parsed = problem.safeParse(body);
  const { type = null, detail, message, title, errors = [] } = parsed.success ? parsed.data : {};
  const words = detail ?? message ?? title ?? (typeof body === 'string' && body !== '' ? body.slice(0, MOST_TEXT) : 'no reason given');
  return { type, words, fields: errors };
}

/** Fields that were accepted, but look wrong. */
function readWarnings(body: unknown): FieldWords[] {
  const parsed = warned.safeParse(body);
  return parsed.success ? parsed.data.warnings : [];
}

/** The shop of this id, whichever key made it; refuses if there is none. */
export async function knownShop({ pool }: { pool: Pool }, id: string): Promise<ReadShopDto> {
  const shop = isUuid(id) ? await readShop(pool, { id }) : null;
  if (shop === null)
    throw new Refusal('missing', {
      en: `there is no shop ${id}`,
      bg: `няма обект ${id}`,
      advice: '`orderbridge service shops list` shows them',
    });
  return shop;
}
