import type { Request } from 'express';
import { z } from 'zod';
import { limits } from '../../contract/limits.ts';
import { incomingNumber } from '../../contract/month-dto.ts';
import { text } from '../../contract/text.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { TokenBuckets } from '../../platform/rate-limit.ts';
import { storedContent } from '../audit/file/stored-content.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import { listMonths } from '../audit/month/list-months.ts';
import { type Filed, type MonthActs, type Rejected, refusalOfMaking } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-state.ts';
import { readSummaryOfVersion } from '../audit/month/read-summary.ts';
import { fileName, readVersion, type StoredVersion } from '../audit/month/read-versions.ts';
import type { ActRefusal, FormField } from '../audit/summary/month-messages.ts';
import { renderSummary } from '../audit/summary/render-summary.ts';
import type { ContentAnswer } from '../http/send.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { renewLink, requestCode, takeCode } from '../links/link-mail.ts';
import { formToken, type LinkDeps, MOST_SHOPS, shopOfRecipient, shopsOfAddress } from '../links/month-link.ts';
import { readMonthView } from '../reading/month-view.ts';
import { expiredLink, keptCookie, unknownLink, type Visitor } from './enter.ts';
import { type CodeStep, listPage } from './list-page.ts';
import { ACTS, type ActName } from './messages.ts';
import { monthPage, type PortalActTried } from './month-page.ts';
import { type PortalReply, plainPage } from './page-document.ts';
import { FILE_KINDS, type FileKind, portalPaths } from './portal-paths.ts';

/** `made`: how often files are made by hand, by shop. */
export type PortalDeps = { audit: AuditDeps; months: MonthActs; links: LinkDeps; made: TokenBuckets };

const MADE_A_SECOND = 1 / 60;
const FIRST_MONTH = '2019-01';
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The page of the month that the link was mailed for. */
export function linkReply(deps: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  return ofMonth(deps, visitor, { named: visitor.link, answer: (key) => shownMonth(deps, visitor, { key, tried: null }) });
}

export function monthReply(deps: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer: (key) => shownMonth(deps, visitor, { key, tried: null }) });
}

/** The months of the link's company; of all companies of its recipient once they gave a code, which is asked for below the list. */
export async function listReply(deps: PortalDeps, visitor: Visitor, wrong?: 'wrong'): Promise<PortalReply> {
  const { links, audit } = deps;
  const { words, paths, link, req } = visitor;
  if (visitor.isExpired) return expiredLink(visitor, links);
  const reached = await shopOfRecipient(links, link, link.shopId);
  if (reached === null) return unknownLink(words);
  const shops = [];
  for (const { id, details } of await shopsOfAddress(audit.pool, { address: reached.address, shopId: link.isOpened ? null : link.shopId })) {
    shops.push({ id, name: details.name, companyName: details.companyName, months: await listMonths(audit, id) });
  }
  const step: CodeStep = link.isOpened ? 'opened' : (wrong ?? (req.query['sent'] === '1' ? 'sent' : 'first'));
  const forms = { words, paths, step, token: formToken(links.sealing, link.id) };
  const page = listPage({ ...forms, shops, isCut: shops.length === MOST_SHOPS, other: otherPaths(deps, visitor).all });
  return { status: wrong === undefined ? 200 : 422, page, headers: { 'set-cookie': keptCookie(visitor, links) } };
}

/** A code is mailed, or one that was typed opens all companies in this browser. */
export async function codeReply(deps: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  const { links } = deps;
  const { kept: browser, link, paths } = visitor;
  if (!isOwnForm(visitor, links)) return foreignForm(visitor);
  if (visitor.isExpired || browser === null) return { goTo: paths.all };
  const { code: typed } = formOf(visitor);
  if (typed !== undefined) return (await takeCode(links, link, { browser, typed })) ? { goTo: paths.all } : listReply(deps, visitor, 'wrong');
  await requestCode(links, link, browser);
  return { goTo: `${paths.all}&sent=1` };
}

export async function renewReply({ links }: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  if (!isOwnForm(visitor, links)) return foreignForm(visitor);
  if (visitor.isExpired) await renewLink(links, visitor.link);
  return { status: 200, page: plainPage(visitor.words, visitor.words.pages.renewed) };
}

export function actReply(deps: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  const act = ACTS.find((one) => one === visitor.req.params['act']);
  if (act === undefined) return Promise.resolve(unknownLink(visitor.words));
  const answer = async (key: MonthKey): Promise<PortalReply> => {
    if (!isOwnForm(visitor, deps.links)) return foreignForm(visitor);
    const values = formOf(visitor);
    const refusal = await acted(deps, visitor, { act, key, values });
    if (refusal === null) return { goTo: `${visitor.paths.month(key)}&done=${act}` };
    return shownMonth(deps, visitor, { key, tried: { act, values, refusal } });
  };
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer });
}

export function fileReply(deps: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  const [, version, kind] = /^([1-9]\d{0,5})\.([a-z]+)$/.exec(String(visitor.req.params['file'])) ?? [];
  const answer = async (key: MonthKey): Promise<PortalReply> => {
    const file = isKind(kind) ? await readVersion(deps.audit.pool, key, Number(version)) : null;
    const content = file === null || !isKind(kind) ? null : await versionFile(deps.audit, file, kind);
    return content ?? unknownLink(visitor.words);
  };
  return ofMonth(deps, visitor, { named: namedMonth(visitor), answer });
}

type Opened = { named: MonthKey | null; answer: (key: MonthKey) => Promise<PortalReply> };

/** Answers for a month that the link opens: while it lasts, of a shop that names its recipient now. */
async function ofMonth({ links, audit }: PortalDeps, visitor: Visitor, { named, answer }: Opened): Promise<PortalReply> {
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

async function shownMonth(deps: PortalDeps, visitor: Visitor, { key, tried }: { key: MonthKey; tried: PortalActTried | null }): Promise<PortalReply> {
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

export function isOwnForm(visitor: Visitor, { sealing, publicUrl }: LinkDeps): boolean {
  return isSameSite(visitor.req, publicUrl) && formOf(visitor)['form'] === formToken(sealing, visitor.link.id);
}

export function foreignForm({ words }: Visitor): PortalReply {
  return { status: 403, page: plainPage(words, words.pages.foreignForm) };
}

/** The fields of a form; one that is there twice is not read. */
export function formOf({ req }: Visitor): Record<string, string> {
  const body: unknown = req.body;
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.replace(/\r\n/g, '\n')]] : [])));
}

function isKind(kind: string | undefined): kind is FileKind {
  return FILE_KINDS.some((one) => one === kind);
}

/** `by`: the link through which it is said, for the audit log. */
type PageAct = { act: ActName; key: MonthKey; values: Readonly<Record<string, string>>; by: string };

const ticked = z.literal('yes').optional();
const trimmed = z.string().trim();

const filedForm = z.object({
  version: z.coerce.number().pipe(z.int().min(1)),
  incomingNumber: trimmed.pipe(z.union([z.literal(''), incomingNumber])).default(''),
  filedOn: z.iso.date(),
  withoutOutstanding: ticked,
  asIs: ticked,
});
const rejectedForm = z.object({ words: trimmed.pipe(text(limits.rejectedWords)) });
const nothingForm = z.object({ note: trimmed.pipe(text(limits.nothingNote)), withReturns: ticked });

type Outcome = ActRefusal | null;

/** Does what a form asks for; null if it is done, else why not. */
function doAct(months: MonthActs, asked: PageAct): Promise<Outcome> {
  return acts[asked.act](months, asked);
}

const acts: Readonly<Record<ActName, (months: MonthActs, asked: PageAct) => Promise<Outcome>>> = {
  async filed(months, { key, values, by }) {
    const form = filedForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    const { version, incomingNumber: typed, filedOn, withoutOutstanding, asIs } = form.data;
    const boxes = { withoutOutstanding: withoutOutstanding === 'yes', asIs: asIs === 'yes' };
    const number = typed === '' ? {} : { incomingNumber: typed };
    return refusalOf(await months.filed({ ...key, version, filedOn, ...number, ...boxes, said: { by } }));
  },
  async rejected(months, { key, values, by }) {
    const form = rejectedForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    return refusalOf(await months.rejected({ ...key, words: form.data.words, said: { by } }));
  },
  async again(months, { key, by }) {
    return refusalOfMaking(await months.generate({ ...key, said: { by } }));
  },
  async nothing(months, { key, values, by }) {
    const form = nothingForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    const marked = await months.nothingToFile({ ...key, note: form.data.note, withReturns: form.data.withReturns === 'yes', said: { by } });
    return marked.ok ? null : { why: marked.why };
  },
};

const fields = new Set<unknown>(['version', 'incomingNumber', 'filedOn', 'words', 'note'] satisfies FormField[]);

function unreadable({ issues }: z.ZodError): ActRefusal {
  const field = issues.map(({ path }) => path[0]).find(isField);
  return { why: 'unreadable', field: field ?? 'version' };
}

function isField(name: unknown): name is FormField {
  return fields.has(name);
}

function refusalOf(marked: Filed | Rejected): Outcome {
  return marked.ok ? null : marked;
}

/** A version to be downloaded; null if its shop is gone. */
async function versionFile(audit: AuditDeps, file: StoredVersion, kind: FileKind): Promise<ContentAnswer | null> {
  const xml = fileName(file);
  switch (kind) {
    case 'xml': {
      const content = storedContent(audit.pool, 'audit_file_chunks', { id: file.id, bytes: file.bytes });
      return { status: 200, content, type: 'application/xml; charset=windows-1251', bytes: file.bytes, headers: saved(xml) };
    }
    case 'csv': {
      const content = storedContent(audit.pool, 'audit_csv_chunks', { id: file.id, bytes: null });
      return { status: 200, content, type: 'text/csv; charset=utf-8', headers: saved(xml.replace(/xml$/, 'csv')) };
    }
    case 'html': {
      const summary = await readSummaryOfVersion(audit, file);
      if (summary === null) return null;
      return {
        status: 200,
        content: renderSummary(summary, { kind: 'elsewhere' }),
        type: 'text/html; charset=utf-8',
        headers: saved(`spravka_${file.month}_v${file.version}.html`),
      };
    }
  }
}

function saved(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name}"` };
}

/**
 * False if another site sent the request. Browsers say so in `Sec-Fetch-Site`; older ones in `Origin`, which is "null" for pages like ours that send no
 * referrer. Who says neither is judged by the form's token alone.
 */
function isSameSite(req: Request, publicUrl: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = req.get('origin');
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin;
}
