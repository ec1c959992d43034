import { createHash } from 'node:crypto';
import type pg from 'pg';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { type LinkDeps, linkUrl } from '../../../src/service/links/month-link.ts';
import { type AuditWorld, startAuditWorld, type WorldOptions } from './audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from './october.ts';

/** The address of the shop, which gets its months. */
export const OWNER = 'shop@cups.example';

/** A compliance service with its pages, and links to them as mails bear them. */
export type PortalWorld = AuditWorld & {
  links: LinkDeps;
  /** The link of a recipient, October's of the first shop if nothing else is named. */
  link(wanted?: { shopId?: string; month?: string; address?: string }): Promise<string>;
  /** A link, and the address of October's page behind it. */
  linked(): Promise<{ url: string; month: string }>;
  /** Makes October's file. */
  make(): Promise<void>;
  /** All that the service keeps, as one hash. */
  everything(): Promise<string>;
  open(url: string, headers?: Record<string, string>): Promise<Page>;
  /** Sends a form of the page at `url` as a browser does; `fields` are those that a person fills in. */
  send(url: string, act: string, sent?: Sent): Promise<Page>;
};

export type Page = { status: number; headers: Headers; text: string };
type Sent = { fields?: Record<string, string>; headers?: Record<string, string>; form?: string | null };

/** In the term of October, which has orders. */
export async function startPortalWorld(
  databaseUrl: string,
  { orders = 2, ...options }: { orders?: number } & Omit<WorldOptions, 'withPages'> = {},
): Promise<PortalWorld> {
  const world = await startAuditWorld(databaseUrl, OCTOBER, { ...options, withPages: true });
  for (let i = 1; i <= orders; i += 1) await world.create(october(i));
  world.setClock(NOVEMBER_IN_TERM);
  const { pool, sealing, baseUrl } = world.server;
  const links: LinkDeps = { pool, sealing, now: world.now, publicUrl: baseUrl };
  const open = async (url: string, headers: Record<string, string> = {}) => pageOf(await fetch(url, { headers, redirect: 'manual' }));
  const link: PortalWorld['link'] = async ({ shopId = world.shopId, month = '2026-10', address = OWNER } = {}) => {
    const url = await linkUrl(links, { shopId, month, address });
    if (url === null) throw new Error('there is no such shop');
    return url;
  };
  return {
    ...world,
    links,
    link,
    async linked() {
      const url = await link();
      return { url, month: `${url}/${world.shopId}/2026-10` };
    },
    async make() {
      const { kind } = await generateMonth(auditDeps(world), { shopId: world.shopId, month: '2026-10' });
      if (kind !== 'generated') throw new Error(`the month is ${kind}`);
    },
    everything: () => hashOfTables(pool),
    open,
    async send(url, act, { fields = {}, headers = { 'sec-fetch-site': 'same-origin' }, form } = {}) {
      const token = form === undefined ? (/name="form" value="([^"]+)"/.exec((await open(url)).text)?.[1] ?? '') : form;
      const body = new URLSearchParams({ ...fields, ...(token === null ? {} : { form: token }) });
      return pageOf(await fetch(act, { method: 'POST', body, headers, redirect: 'manual' }));
    },
  };
}

async function pageOf(response: Response): Promise<Page> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function hashOfTables(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query(`select table_name as name from information_schema.tables where table_schema = 'compliance' order by 1`);
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const { rows } = await pool.query(`select coalesce(string_agg(t::text, '|' order by t::text), '') as rows from compliance.${name} t`);
    hash.update(`${name}:${rows[0].rows}\n`);
  }
  return hash.digest('hex');
}
