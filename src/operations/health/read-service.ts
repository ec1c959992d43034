import { waitingCompanies } from '../../bridge/ledger/invitations/company-store.ts';
import { endedCurrencies, isTied, LEVA_PER_EURO } from '../../contract/money.ts';
import { counted } from '../../contract/plural.ts';
import { type FailedMonthMails, failedMonthMails } from '../../service/audit/month/month-outbox.ts';
import { type MonthAtRisk, monthsAtRisk } from '../../service/audit/month/months-at-risk.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { addDays, sofiaDay } from '../../service/law/calendar.ts';
import { documentNumberText, type RecentSkip, skippedSince } from '../../service/numbers/sequence.ts';
import { type EndedOrders, ordersInEndedCurrency } from '../../service/orders/doubtful-orders.ts';
import { allMissingRates, missedSheetDays } from '../../service/rates/missing-rates.ts';
import { listRates } from '../../service/rates/stored-rates.ts';
import { serviceAttention } from '../../service/service-attention.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import { fewOf } from './read-destinations.ts';
import type { Reader, Round } from './round.ts';

/** A sheet older than this is not for want of working days. */
const OLD_SHEET_DAYS = 7;

/** Months of our own service that are late, due or can't be made. */
export const monthReader: Reader = {
  codes: ['month.late', 'month.due', 'month.blocked', 'month.unmailed'],
  async read({ pool, now }) {
    if (!(await hasService(pool))) return [];
    return [...(await monthsAtRisk(pool, new Date(now))).map(ofMonth), ...ofMonthMails(await failedMonthMails(pool))];
  },
};

function ofMonthMails(all: readonly FailedMonthMails[]): FailedCheck[] {
  return [...Map.groupBy(all, ({ month }) => month)].map(([month, failed]) => {
    const shops = failed.map(({ shop, reached }) => (reached ? `${shop} (another address has them)` : shop));
    const words = `mails about ${month} did not arrive: ${fewOf(shops)}; give the shop its file, or correct its addresses and \`service mails retry ID\``;
    const count = failed.reduce((sum, { mails }) => sum + mails, 0);
    return failedCheck('month.unmailed', { subject: month, count, words, verb: 'service mails list --state failed' });
  });
}

const risks = {
  late: { code: 'month.late', words: 'was not marked as filed by the end of its term' },
  due: { code: 'month.due', words: 'is not marked as filed yet, and its term ends' },
  blocked: { code: 'month.blocked', words: 'is blocked: its file can’t be made; its term ends' },
} as const;

function ofMonth({ month, risk, shops, deadline }: MonthAtRisk): FailedCheck {
  const words = `${month} ${risks[risk].words} (${deadline}): ${fewOf(shops)}`;
  const since = risk === 'late' ? new Date(`${addDays(deadline, 1)}T00:00:00Z`).toISOString() : null;
  return failedCheck(risks[risk].code, { subject: month, count: shops.length, since, words, verb: `service audit show --month ${month} --shop SHOP` });
}

/** Mails and outstanding orders of our own service. */
export const serviceReader: Reader = {
  codes: ['mails.failed', 'orders.outstanding'],
  async read({ pool, now }) {
    if (!(await hasService(pool))) return [];
    const { mails, monthMailsFailed, outstanding } = await serviceAttention(pool, new Date(now));
    // Those about months are named by their month.
    return [...failedMails(mails.failed - monthMailsFailed), ...outstandingOrders(outstanding)];
  },
};

/** So long a skip of document numbers is said, whether or not it was meant. */
const SKIP_DAYS = 7;

/** Companies whose document numbers were skipped. */
export const companyReader: Reader = {
  codes: ['numbers.skipped'],
  async read({ pool, now }) {
    if (!(await hasService(pool))) return [];
    const skips = await skippedSince(pool, new Date(now - SKIP_DAYS * DAY_MS));
    return skips.map(ofSkip);
  },
};

const DAY_MS = 24 * 3_600_000;

/** Merchants whose company only the operator can confirm: it is another's, or no mail can be sent to them. */
export const waitingCompanyReader: Reader = {
  codes: ['company.unconfirmed'],
  async read({ pool, config }) {
    const canMail = config.mail.smtpUrl !== null && config.publicUrl !== null;
    const waiting = (await waitingCompanies(pool)).filter(({ isContested, hasMailbox }) => isContested || !hasMailbox || !canMail);
    return waiting.map(({ id, company, at, isContested }) => {
      const why = isContested ? ', which another has' : '';
      const words = `the merchant of the invitation ${id} named the company ${company}${why}; \`orderbridge invitations list\` says more`;
      return failedCheck('company.unconfirmed', { subject: id, since: at, words, verb: `invitations company ${id}` });
    });
  },
};

function ofSkip({ merchant, count, first, last, who, at }: RecentSkip): FailedCheck {
  const words = `the company ${merchant} skipped the document numbers ${documentNumberText(first)} to ${documentNumberText(last)} (${who}); if that was a mistake, take it back before a number above them is given`;
  return failedCheck('numbers.skipped', { subject: merchant, count, since: at, words, verb: `service numbers take-back ${merchant}` });
}

export const rateReader: Reader = {
  codes: ['orders.ended-currency', 'rates.missing', 'rates.old'],
  async read(round) {
    const { pool, now } = round;
    if (!(await hasService(pool))) return [];
    const ended = await ordersInEndedCurrency(pool, new Date(now));
    return [...ended.map(inEndedCurrency), ...(await ofRates(round, (await serviceAttention(pool, new Date(now))).ordersWithoutRate))];
  },
};

function inEndedCurrency({ month, currency, orders }: EndedOrders): FailedCheck {
  const many = counted.en(orders, `order of ${month} is`, `orders of ${month} are`);
  const then = isTied(currency) ? `declared at ${LEVA_PER_EURO}` : 'no rate will ever come';
  const words = `${many} in ${currency}, which ended on ${endedCurrencies[currency]}; ${then}: see which currency was paid`;
  return failedCheck('orders.ended-currency', {
    subject: `${month} ${currency}`,
    count: orders,
    words,
    verb: `service audit show --month ${month} --shop SHOP`,
  });
}

function failedMails(count: number): FailedCheck[] {
  const words = `${counted.en(count, 'mail', 'mails')} reached no recipient`;
  return count === 0 ? [] : [failedCheck('mails.failed', { count, words, verb: 'service mails list --state failed' })];
}

function outstandingOrders(count: number): FailedCheck[] {
  const words = `${counted.en(count, 'is', 'are')} not recorded, and the files of their months are incomplete`;
  return count === 0 ? [] : [failedCheck('orders.outstanding', { count, words, verb: 'review' })];
}

async function ofRates({ pool, config, now }: Round, waiting: number): Promise<FailedCheck[]> {
  const sheet = await newestSheet(pool);
  const known = sheet === null ? 'none is stored' : `the newest are of ${sheet}`;
  if (waiting > 0) {
    const missed = await missedSheetDays(pool, new Date(now));
    const days = missed.length === 0 ? '' : `; the sheet of ${fewOf(missed)} was missed`;
    const never = [...new Set((await allMissingRates(pool)).flatMap((one) => (one.never === true ? [one.currency] : [])))];
    const noRate =
      never.length === 0 ? '' : `; the bank has none of ${fewOf(never)} for their days, so delete these, and create them in the currency that was paid`;
    const words = `${counted.en(waiting, 'order has', 'orders have')} no rate, which blocks the files of their months (${known}${days}); \`orderbridge service rates fetch\` or \`import\` gives them one${noRate}`;
    return [failedCheck('rates.missing', { count: waiting, words, verb: 'service rates fetch' })];
  }
  const isOld = config.bnbRatesUrl !== null && sheet !== null && sheet < addDays(sofiaDay(new Date(now).toISOString()), -OLD_SHEET_DAYS);
  if (!isOld) return [];
  return [
    failedCheck('rates.old', {
      since: new Date(`${sheet}T00:00:00Z`).toISOString(),
      words: `${known}, although they are fetched daily after 18:00`,
      verb: 'service rates fetch',
    }),
  ];
}

/** The day of the newest stored rates. */
export async function newestSheet(pool: Round['pool']): Promise<string | null> {
  const days = (await listRates(pool, {})).map(({ publishedOn }) => publishedOn);
  return days.toSorted().at(-1) ?? null;
}
