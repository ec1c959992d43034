import type { Router } from 'express';
import type { Dialect } from '../contract/dialect.ts';
import type { TiedCurrency } from '../contract/money.ts';
import type { MailBuilder } from '../platform/mail/outbox.ts';
import { type Pool, sealBy } from '../platform/postgres/postgres.ts';
import type { Sealer } from '../platform/seal.ts';
import { accountantMails, queueAccountantMails } from './audit/month/accountant-mails.ts';
import { dueMonths, monthsToRemindOf, purgeEntries } from './audit/month/due-months.ts';
import type { AuditDeps } from './audit/month/generate-month.ts';
import { createMonthActs, type MonthActs } from './audit/month/month-acts.ts';
import { type MonthMailDeps, monthMails } from './audit/month/month-mail.ts';
import { createMonthMaker } from './audit/month/month-maker.ts';
import type { MonthKey, OnFiled } from './audit/month/month-state.ts';
import { type BeforeFile, type MonthServed, remindOf, type ServeDeps, serveMonth } from './audit/month/serve-month.ts';
import { migrateService } from './database/service-tables.ts';
import { createFaultInjection, type FaultInjection, faultRouter } from './fault-injection.ts';
import { openApiRouter } from './interface/openapi-router.ts';
import { routerOf } from './interface/route.ts';
import { routes } from './interface/routes.ts';
import { type ApiKeys, createApiKeys } from './keys/api-keys.ts';
import { CODE_MAIL, codeMail, LINK_MAIL, linkMail, recipientMail } from './links/link-mail.ts';
import { type LinkDeps, linkUrl } from './links/month-link.ts';
import { askRecipients, RECIPIENT_MAIL } from './mail/recipients.ts';
import { dropOldMails } from './mail/shop-mails.ts';
import { createOrders } from './orders/orders.ts';
import { createOrdersByHand, type OrdersByHand } from './orders/orders-by-hand.ts';
import { portalRouter } from './portal/portal-router.ts';
import { forgetOldBuyers } from './privacy/forget-buyer.ts';
import { createAccountant } from './rates/accountant.ts';
import { type Refreshed, refreshRates } from './rates/fetch-rates.ts';
import { createRateLookup } from './rates/stored-rates.ts';
import { receiptMailBuilder } from './receipts/receipt-mail.ts';
import { finishWithdrawn, stornoMailBuilder } from './receipts/storno-notice.ts';
import { type ServiceAttention, serviceAttention } from './service-attention.ts';
import { monthNotMade } from './service-events.ts';
import { type ServiceLog, silentLog } from './service-log.ts';

type Options = {
  /** Its database may hold other things: everything here lives in the schema `compliance`. */
  pool: Pool;
  /** Encrypts API secrets and buyers at rest. */
  sealing: Sealer;
  /** The dialect of API keys that were created without one. */
  dialectDefaults: Dialect;
  /** Currency of all audit files; null or absent: BGN until 2025, EUR since 2026. */
  accountingCurrency?: TiedCurrency | null;
  /** For how long a month's file waits for the replacement of an order that was just deleted; 15 minutes if absent. */
  replacementWaitMs?: number;
  /** Where the pages behind the links in mails are published, without a trailing slash; null or absent: mails bear no links. */
  publicUrl?: string | null;
  /** How mails of months are written: where answers to them go, and how large they may be. */
  monthMail?: Pick<MonthMailDeps, 'replyTo' | 'sizes'>;
  log?: ServiceLog;
  /** In the transaction that marks a month as filed. */
  onFiled?: OnFiled;
  now?: () => Date;
};

const REPLACEMENT_WAIT_MS = 15 * 60_000;

export type ComplianceService = {
  /** Brings the database up to date; call it before the first request. */
  migrate(): Promise<void>;
  /** For /public-api/v1. It must see the raw body: mount it before any JSON middleware. */
  router: Router;
  /** For /service/v1: our extension. Like `router`, before any JSON middleware. */
  extensionRouter: Router;
  /** For /months: the pages behind the links in mails; null where mails bear none. Like `router`, before any middleware that reads bodies. */
  portalRouter: Router | null;
  /** For the root: /openapi.json, and /openapi as a page. */
  openApiRouter: Router;
  keys: ApiKeys;
  /** Orders that a person records and deletes. */
  byHand: OrdersByHand;
  /** The dependencies for making months' files and mailing them. */
  audit: AuditDeps;
  /** What people say of months. */
  months: MonthActs;
  /** Its background work; the caller schedules it. */
  work: ServiceWork;
  /** Counts of what needs attention. */
  attention(): Promise<ServiceAttention>;
  /** The kinds of mail that it puts into its outbox. */
  mails: Record<string, MailBuilder>;
  faultInjection: FaultInjection;
  /** For /faults, without authentication: mount it only to inject faults. */
  faultRouter: Router;
};

/** The compliance service: the documented interface, receipts, and the audit file of each month. The faults to inject are its only state in memory. */
export function createComplianceService({
  pool,
  sealing,
  dialectDefaults,
  accountingCurrency = null,
  replacementWaitMs = REPLACEMENT_WAIT_MS,
  publicUrl = null,
  monthMail = {},
  log = silentLog,
  onFiled = async () => undefined,
  now = () => new Date(),
}: Options): ComplianceService {
  sealBy(pool, sealing);
  const keys = createApiKeys({ pool, sealing, dialectDefaults, now });
  const faultInjection = createFaultInjection();
  const rates = createRateLookup({ pool });
  const audit: AuditDeps = { pool, now, currency: accountingCurrency, replacementWaitMs, onFiled };
  const links: LinkDeps | null = publicUrl === null ? null : { pool, sealing, now, publicUrl };
  const ordersDeps = { pool, now, sealing, currency: accountingCurrency, accounting: createAccountant({ currency: accountingCurrency, rates }) };
  const orders = createOrders(ordersDeps);
  const months = createMonthActs(audit, createMonthMaker(audit, { onFailed: (err, key) => monthNotMade(log, err, key) }));
  const ofMonths: MonthMailDeps = { ...audit, ...(links === null ? {} : { linkOf: (about) => linkUrl(links, about) }), ...monthMail };
  const deps = { pool, now, orders, recording: ordersDeps, audit, months, keys, faultInjection, log };
  return {
    migrate: () => migrateService(pool),
    router: routerOf(routes, '/public-api/v1', deps),
    extensionRouter: routerOf(routes, '/service/v1', deps),
    portalRouter: links === null ? null : portalRouter({ audit, months, links, log }),
    openApiRouter: openApiRouter(),
    keys,
    byHand: createOrdersByHand(ordersDeps),
    audit,
    months,
    work: createServiceWork({ ...audit, together: links !== null }),
    attention: () => serviceAttention(pool, now()),
    mails: {
      ...monthMails(ofMonths),
      ...accountantMails(ofMonths),
      ...(links === null ? {} : linkMails({ ...links, replyTo: monthMail.replyTo ?? null })),
      receipt: receiptMailBuilder(pool),
      'receipt-storno': stornoMailBuilder(pool, sealing),
    },
    faultInjection,
    faultRouter: faultRouter(faultInjection),
  };
}

function linkMails(deps: Parameters<typeof linkMail>[0]): Record<string, MailBuilder> {
  return { [LINK_MAIL]: linkMail(deps), [CODE_MAIL]: codeMail(deps), [RECIPIENT_MAIL]: recipientMail(deps) };
}

/** The background work of the service. Each is safe to repeat and to run in several processes at once; the database says what is due. */
type ServiceWork = {
  /** Months whose file is due on their shop's day, missed ones included; of `only`, whether it is. */
  dueMonths(only?: MonthKey): Promise<MonthKey[]>;
  /** `before`: asked for the month before its file is made; absent: nobody here knows the store. */
  serveMonth(key: MonthKey, before?: BeforeFile): Promise<MonthServed>;
  /** Queues the reminders that are due as mails; returns how many. */
  remind(): Promise<number>;
  /** Queues the mails to accountants of several shops that wait for none of them any more. */
  mailAccountants(): Promise<void>;
  /** Queues mails to recipients whom somebody typed, and who are not known to want mails. */
  askRecipients(): Promise<void>;
  /** Queues notices to buyers whose document lost its order; returns how many. */
  noticeStornos(): Promise<number>;
  /** Removes rows of deleted sales that are no longer needed; returns how many. */
  purge(): Promise<number>;
  /** Forgets buyers, and drops mails that were sent or given up, after so many days. */
  dropOld(days: { buyers: number; outbox: number }): Promise<void>;
  /** Fetches the newest exchange rates, and those of missed days, and fills them in where orders wait for one. */
  refreshRates(url: string, dayUrl?: string | null): Promise<Refreshed>;
};

function createServiceWork(deps: ServeDeps): ServiceWork {
  const { pool, now } = deps;
  return {
    dueMonths: (only) => dueMonths(pool, now(), only),
    serveMonth: (key, before) => serveMonth(deps, key, before),
    async remind() {
      const months = await monthsToRemindOf(pool, now());
      for (const key of months) await remindOf(deps, key);
      return months.length;
    },
    mailAccountants: () => queueAccountantMails(pool, now()),
    askRecipients: async () => (deps.together ? askRecipients(pool, now()) : undefined),
    noticeStornos: () => finishWithdrawn(deps),
    purge: () => purgeEntries(pool, now()),
    async dropOld({ buyers, outbox }) {
      await forgetOldBuyers(pool, { days: buyers, now: now() });
      await dropOldMails(pool, { days: outbox, now: now() });
    },
    refreshRates: (url, dayUrl = null) => refreshRates(pool, { url, dayUrl, now }),
  };
}
