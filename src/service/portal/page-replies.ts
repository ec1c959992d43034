import { isUuid } from '../../contract/uuid.ts';
import type { TokenBuckets } from '../../platform/token-buckets.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import { listMonths } from '../audit/month/list-months.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import { readVersion } from '../audit/month/read-versions.ts';
import { monthOf } from '../law/months.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { MOST_SHOPS, shopOfRecipient, shopsOfAddress } from '../links/link-recipients.ts';
import { formToken } from '../links/link-token.ts';
import type { LinkDeps } from '../links/month-link.ts';
import { renewLink } from '../links/renew-link.ts';
import { doAct } from './do-act.ts';
import { expiredLink, unknownLink, type Visitor } from './enter.ts';
import { listPage } from './list-page.ts';
import type { Tried } from './month-forms.ts';
import { monthPage } from './month-page.ts';
import { readMonthView } from './month-view.ts';
import { plainPage } from './plain-page.ts';
import { FILE_KINDS, type FileKind, portalPaths } from './portal-paths.ts';
import { ACTS, type ActName, type ActRefusal } from './portal-words.ts';
import type { Reply } from './reply.ts';
import { isSameSite } from './same-site.ts';
import { versionFile } from './version-file.ts';

/** `made`: how often files are made by hand, by shop. */
export type PortalDeps = { audit: AuditDeps; months: MonthActs; links: LinkDeps; made: TokenBuckets };

const MADE_A_SECOND = 1 / 60;
const FIRST_MONTH = '2019-01';
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The page of the month that the link was mailed for. */
export function linkReply(deps: PortalDeps, visitor: Visitor): Promise<Reply> {
  return ofMonth(deps, visitor, { named: visitor.link, answer: (key) => shownMonth(deps, visitor, { key, tried: null }) });
}

export function monthReply(deps: PortalDeps, visitor: Visitor): Promise<Reply> {
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer: (key) => shownMonth(deps, visitor, { key, tried: null }) });
}

export async function listReply(deps: PortalDeps, visitor: Visitor): Promise<Reply> {
  const { links, audit } = deps;
  if (visitor.isExpired) return expiredLink(visitor, links);
  const reached = await shopOfRecipient(links, visitor.link, visitor.link.shopId);
  if (reached === null) return unknownLink(visitor.words);
  const shops = [];
  for (const { id, details } of await shopsOfAddress(audit.pool, reached.address)) {
    shops.push({ id, name: details.name, companyName: details.companyName, months: await listMonths(audit, id) });
  }
  const { words, paths } = visitor;
  return { status: 200, page: listPage({ shops, isCut: shops.length === MOST_SHOPS, words, paths, other: otherPaths(deps, visitor).all }) };
}

export async function renewReply({ links }: PortalDeps, visitor: Visitor): Promise<Reply> {
  if (!isOwnForm(visitor, links)) return foreignForm(visitor);
  if (visitor.isExpired) await renewLink(links, visitor.link);
  return { status: 200, page: plainPage(visitor.words, visitor.words.pages.renewed) };
}

export function actReply(deps: PortalDeps, visitor: Visitor): Promise<Reply> {
  const act = ACTS.find((one) => one === visitor.req.params['act']);
  if (act === undefined) return Promise.resolve(unknownLink(visitor.words));
  const answer = async (key: MonthKey): Promise<Reply> => {
    if (!isOwnForm(visitor, deps.links)) return foreignForm(visitor);
    const values = formOf(visitor);
    const refusal = await acted(deps, visitor, { act, key, values });
    if (refusal === null) return { goTo: `${visitor.paths.month(key)}&done=${act}` };
    return shownMonth(deps, visitor, { key, tried: { act, values, refusal } });
  };
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer });
}

export function fileReply(deps: PortalDeps, visitor: Visitor): Promise<Reply> {
  const [, version, kind] = /^([1-9]\d{0,5})\.([a-z]+)$/.exec(String(visitor.req.params['file'])) ?? [];
  const answer = async (key: MonthKey): Promise<Reply> => {
    const file = isKind(kind) ? await readVersion(deps.audit.pool, key, Number(version)) : null;
    const content = file === null || !isKind(kind) ? null : await versionFile(deps.audit, file, kind);
    return content ?? unknownLink(visitor.words);
  };
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer });
}

type Opened = { named: MonthKey | null; answer: (key: MonthKey) => Promise<Reply> };

/** Answers for a month that the link opens: while it lasts, of a shop that names its recipient now. */
async function ofMonth({ links, audit }: PortalDeps, visitor: Visitor, { named, answer }: Opened): Promise<Reply> {
  if (visitor.isExpired) return expiredLink(visitor, links);
  const isMonth = named !== null && named.month >= FIRST_MONTH && named.month <= monthOf(sofiaDay(audit.now().toISOString()));
  const reached = isMonth ? await shopOfRecipient(links, visitor.link, named.shopId) : null;
  if (named === null || reached === null) return unknownLink(visitor.words);
  return answer({ shopId: named.shopId, month: named.month });
}

function namedMonth({ req }: Visitor): MonthKey | null {
  const shopId = String(req.params['shop']);
  const month = String(req.params['month']);
  return isUuid(shopId) && MONTH.test(month) ? { shopId: shopId.toLowerCase(), month } : null;
}

async function shownMonth(deps: PortalDeps, visitor: Visitor, { key, tried }: { key: MonthKey; tried: Tried | null }): Promise<Reply> {
  const view = await readMonthView(deps.audit, key);
  if (view === null) return unknownLink(visitor.words);
  const { words, paths, req, link } = visitor;
  const done = tried === null ? (ACTS.find((one) => one === req.query['done']) ?? null) : null;
  const shown = { words, paths, tried, done, token: formToken(deps.links.sealing, link.id), other: otherPaths(deps, visitor).month(key) };
  return { status: tried === null ? 200 : 409, page: monthPage(view, shown) };
}

type Acting = { act: ActName; key: MonthKey; values: Record<string, string> };

async function acted({ months, made }: PortalDeps, { link }: Visitor, acting: Acting): Promise<ActRefusal | null> {
  if (acting.act === 'again' && made.take(acting.key.shopId, MADE_A_SECOND) > 0) return { why: 'too-often' };
  return doAct(months, { ...acting, by: `link:${link.id}` });
}

function otherPaths({ links }: PortalDeps, { req, words }: Visitor) {
  return portalPaths(links.publicUrl, String(req.params['token']), words.lang === 'bg' ? 'en' : 'bg');
}

function isOwnForm(visitor: Visitor, { sealing, publicUrl }: LinkDeps): boolean {
  return isSameSite(visitor.req, publicUrl) && formOf(visitor)['form'] === formToken(sealing, visitor.link.id);
}

function foreignForm({ words }: Visitor): Reply {
  return { status: 403, page: plainPage(words, words.pages.foreignForm) };
}

/** The fields of a form; one that is there twice is not read. */
function formOf({ req }: Visitor): Record<string, string> {
  const body: unknown = req.body;
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.replace(/\r\n/g, '\n')]] : [])));
}

function isKind(kind: string | undefined): kind is FileKind {
  return FILE_KINDS.some((one) => one === kind);
}
