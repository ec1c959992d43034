import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ComplianceClient, Endpoint } from '../../bridge/client/port.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { addressesOf, keepTypedRecipients } from '../../service/mail/recipients.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import { merchantOf } from '../../service/shops/check-company.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { Refusal } from '../refusal.ts';
import { createShop, type RefusedShop, type ShopDeps, toAuditLog, updateShop } from '../service/shops.ts';
import { askForCompany, contestCompany, isTypedMailbox, mailboxOf, mailboxSaid } from './confirm-company.ts';
import { carryToShop, findNewest, type Onboarding } from './onboarding.ts';
import {
  COMPANY_FIELDS,
  type Company,
  type CompanyField,
  companyOf,
  plainNumber,
  type ShopFields,
  saveCompany,
  shopFieldsOf,
  type TypedCompany,
} from './own-company.ts';

export type MakeShopDeps = {
  pool: Pool;
  compliance: Pick<ComplianceAccess, 'destination' | 'endpoint'>;
  client: Pick<ComplianceClient, 'shop'>;
  now(): Date;
};

/**
 * wrong: fields that they must look at. waits: the company is not confirmed to be theirs. other-company: this way is for another one. refused: by the service, in its own words. down: it does not answer now, and they may press again. running: it is being
 * asked. unclear: whether it made the shop is not known, and asking again could make two: its operator must look.
 */
export type MadeShop =
  | { is: 'made' }
  | { is: 'wrong'; fields: readonly (CompanyField | 'mailTo')[] }
  | { is: 'other-company'; uic: string }
  | { is: 'refused'; fields: readonly CompanyField[]; words: string }
  | { is: 'waits' }
  | { is: 'down' | 'running' | 'unclear' };

/** `mailTo`: where they want mails, as they typed it; null: they were not asked. */
type Making = { typed: TypedCompany; mailTo: string | null; by: Actor };

const MAILBOX = ['mailTo'] as const;

/** So long a service is waited for that may not be asked twice. */
const RUNNING_MS = 90_000;

/**
 * Makes the merchant's shop at the compliance service, once: what is asked for is kept before it is asked, and every repeat asks for the same, under the
 * same key. What they changed meanwhile is changed at the shop then.
 */
export async function makeShop(deps: MakeShopDeps, { id, progress }: Pick<Onboarding, 'id' | 'progress'>, { typed, mailTo, by }: Making): Promise<MadeShop> {
  const isMailbox = mailTo === null || isTypedMailbox(mailTo);
  // Nothing that they typed is lost, whatever comes of it.
  await saveCompany(deps, id, (company, onboarding) => {
    refuseAnother(company, onboarding);
    return { company: { typed }, said: mailTo !== null && isMailbox ? mailboxSaid(onboarding, mailTo) : {} };
  });
  const { nraNumber: before } = companyOf({ progress }).typed;
  const checked = shopFieldsOf(typed, { sureOf: before === undefined ? null : plainNumber(before) });
  if (!checked.ok) return { is: 'wrong', fields: [...checked.wrong, ...(isMailbox ? [] : MAILBOX)] };
  if (!isMailbox) return { is: 'wrong', fields: MAILBOX };
  const barred = await mayMake(deps, id, { fields: checked.fields, by });
  if (barred !== null) return barred;
  const endpoint = await deps.compliance.endpoint(null);
  const asking = await journal(deps, { id, endpoint, fields: checked.fields });
  if (asking === 'running' || asking === 'unclear') return { is: asking };
  const at: ShopDeps = { client: deps.client, endpoint, by, tell: toAuditLog(deps.pool) };
  const answered = asking.shop === null ? await create(deps, at, { id, ...asking }) : asking.shop;
  // Pressed twice: the other press may have got the answer that this one did not.
  const made = typeof answered === 'string' || answered.is !== 'down' ? answered : (companyOf(await findNewest(deps, id)).shop ?? answered);
  if (typeof made !== 'string') return made;
  return isDeepStrictEqual(asking.sent, checked.fields) ? finish(deps, id) : change(deps, at, { id, shop: made, fields: checked.fields });
}

/** Null: a shop of this company may be made, or is. Another company than the one that was named, or for which the service was asked already, is none of this way's. */
async function mayMake(deps: MakeShopDeps, id: string, { fields, by }: { fields: ShopFields; by: Actor }): Promise<MadeShop | null> {
  const { named, sent } = companyOf(await findNewest(deps, id));
  const company = merchantOf(String(fields['companyUic']));
  const bound = sent === null ? named : String(sent['companyUic']);
  if (bound !== null && merchantOf(bound) !== company) return { is: 'other-company', uic: bound };
  return (await askForCompany(deps, id, { company, by, now: deps.now() })) === 'waits' ? { is: 'waits' } : null;
}

type Journal = { id: string; endpoint: Endpoint; fields: ShopFields };

/** `press`: which the service knows the request by, however often it is made. */
type Asking = { sent: ShopFields; press: string; shop: string | null };

/** What the service is asked to make: written down before it is asked, or already asked before. */
async function journal(deps: MakeShopDeps, { id, endpoint, fields }: Journal): Promise<Asking | 'running' | 'unclear'> {
  const now = deps.now();
  const own = randomUUID();
  const asked = (company: Company, onboarding: Onboarding) => {
    refuseAnother(company, onboarding);
    return company.sent === null ? { company: { sent: fields, sentAt: now.toISOString(), press: own, shop: null } } : null;
  };
  const { sent, sentAt, press, shop } = await saveCompany(deps, id, asked);
  if (sent === null || press === null) throw new Error('what was to be sent was not kept');
  if (press === own || shop !== null || endpoint.dialect.idempotencyKey === 'supported') return { sent, press, shop };
  return now.getTime() - Date.parse(sentAt ?? '') < RUNNING_MS ? 'running' : 'unclear';
}

/** The id of the shop; or why there is none. */
async function create(deps: MakeShopDeps, at: ShopDeps, { id, sent, press }: Asking & { id: string }): Promise<string | MadeShop> {
  const mayRepeat = at.endpoint.dialect.idempotencyKey === 'supported';
  const answered = await unlessDown(createShop(at, inOrder(sent), { idempotencyKey: `onboarding-${press}` }));
  if (answered === 'down' || (!answered.ok && answered.status >= 500)) return { is: mayRepeat ? 'down' : 'unclear' };
  if (!answered.ok && answered.type?.endsWith(CLAIMED) === true) {
    await contestCompany(deps, id, { company: merchantOf(String(sent['companyUic'])), by: at.by, now: deps.now() });
    return { is: 'waits' };
  }
  if (!answered.ok) {
    await saveCompany(deps, id, (company) => (company.press === press ? { company: { sent: null, sentAt: null, press: null } } : null));
    return refused(answered);
  }
  const destinationId = await deps.compliance.destination(null);
  const made = { company: { shop: answered.id }, said: { shopId: answered.id, destinationId } };
  await keepTyped(deps, id, { shopId: answered.id, fields: sent, known: [] });
  const { shop } = await saveCompany(deps, id, (_company, { shopId }) => (shopId === null ? made : null));
  return shop ?? refuseMade();
}

/** A way leads to one shop: who invites gave it, the merchant chose it, or it was made here. */
function refuseAnother({ shop }: Company, { shopId, connectionId }: Pick<Onboarding, 'shopId' | 'connectionId'>): void {
  if (shop === null && (shopId !== null || connectionId !== null)) refuseMade();
}

function refuseMade(): never {
  throw new Refusal('conflict', {
    en: 'this link has its shop already, which was given or chosen: another one is not made',
    bg: 'тази връзка вече има обект, който е посочен или избран: друг не се създава',
  });
}

/** A repeat has the same bytes: some services compare them. */
function inOrder(fields: ShopFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The company is another's at the service, which the merchant is not told. */
const CLAIMED = ':company-claimed';

/** What was typed since the shop was made, but for the first document number: it may be that numbers have begun. */
async function change(deps: MakeShopDeps, at: ShopDeps, { id, shop, fields: typed }: { id: string; shop: string; fields: ShopFields }): Promise<MadeShop> {
  const { receiptStartNumber: _first, ...fields } = typed;
  const now = (await hasService(deps.pool)) ? await readShop(deps.pool, { id: shop }) : null;
  await keepTyped(deps, id, { shopId: shop, fields, known: now === null ? [] : addressesOf(now) });
  const answered = await unlessDown(updateShop(at, shop, fields));
  if (answered === 'down') return { is: 'down' };
  if (!answered.ok) return refused(answered);
  await saveCompany(deps, id, ({ sent }) => ({ company: { sent: { ...sent, ...fields } } }));
  return finish(deps, id);
}

type Typed = { shopId: string; fields: ShopFields; known: readonly string[] };

/** Of our own service: nobody knows whether anyone who reads these mailboxes wants mails, but for those that said so, and (`known`) those of the shop until now. */
async function keepTyped({ pool }: MakeShopDeps, id: string, { shopId, fields, known }: Typed): Promise<void> {
  if (!(await hasService(pool))) return;
  await carryToShop(pool, { id, shopId });
  const addresses = addressesOf(mailboxes.parse(fields)).filter((address) => !known.includes(address));
  await keepTypedRecipients(pool, { shopId, addresses, asked: mailboxOf(await findNewest({ pool }, id)) });
}

const mailboxes = z.object({ customerEmail: z.string(), auditRecipientEmails: z.array(z.string()).default([]) });

async function finish(deps: MakeShopDeps, id: string): Promise<MadeShop> {
  await saveCompany(deps, id, () => ({ company: {}, done: true }));
  return { is: 'made' };
}

async function unlessDown<T>(asked: Promise<T>): Promise<T | 'down'> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'compliance.unreachable') return 'down';
    throw thrown;
  }
}

const KEY_REFUSED = new Set([401, 403, 429]);

function refused({ status, words, fields }: RefusedShop): MadeShop {
  if (KEY_REFUSED.has(status) || status >= 500) return { is: 'down' };
  const named = fields.map(({ path }) => (path === 'vatGroup' ? 'vat' : path.split('.')[0]));
  return { is: 'refused', fields: COMPANY_FIELDS.filter((field) => named.includes(field)), words };
}
