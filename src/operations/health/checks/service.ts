import { waitingCompanies } from '../../../bridge/ledger/invitations/company-store.ts';
import { refusedMailboxes } from '../../../bridge/ledger/invitations/onboarding-store.ts';
import { failures } from '../../../bridge/order/facts/failure.ts';
import { endedCurrencies, isTied, LEVA_PER_EURO } from '../../../contract/money.ts';
import { counted, form } from '../../../contract/plural.ts';
import { type FailedMonthMails, failedMonthMails } from '../../../service/audit/month/month-outbox.ts';
import { type MonthAtRisk, monthsAtRisk } from '../../../service/audit/month/months-at-risk.ts';
import { addDays, sofiaDay } from '../../../service/law/calendar.ts';
import { refusedShops } from '../../../service/mail/recipients.ts';
import { documentNumberText, type RecentSkip, skippedSince } from '../../../service/numbers/sequence.ts';
import { type EndedOrders, ordersInEndedCurrency } from '../../../service/orders/questionable-orders.ts';
import { allMissingRates, missedSheetDays } from '../../../service/rates/missing-rates.ts';
import { listRates } from '../../../service/rates/stored-rates.ts';
import { serviceAttention } from '../../../service/service-attention.ts';
import { sofiaMidnight } from '../../reconciliation/window.ts';
import { type Check, type Codes, type DoctorRemark, failedBy, month, ofMonth, orders } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import type { Round } from '../round.ts';
import { fewOf } from './destinations.ts';

export const codes = {
  'month.late': {
    level: 'failing',
    what: 'audit files',
    en: 'A month wasn’t marked as filed by its due date.',
    bg: 'Месец не е отбелязан като подаден до края на срока.',
    isWrong: false,
    bgOf: ofMonth('не е отбелязан като подаден до края на срока'),
    action: month,
  },
  'month.blocked': {
    level: 'attention',
    what: 'audit files',
    en: 'The file of a month can’t be made.',
    bg: 'Файлът за месец не може да бъде изготвен.',
    isWrong: true,
    bgOf: ofMonth('файлът не може да бъде изготвен'),
    action: month,
  },
  'month.unmailed': {
    level: 'attention',
    what: 'audit files',
    en: 'Mails about the audit file of a month did not reach an address of its shop.',
    bg: 'Писма за одиторския файл на месец не стигнаха до адрес на магазина.',
    isWrong: true,
    bgOf: ofMonth('писмата за файла не стигнаха до адрес на магазина'),
    action: month,
  },
  'month.due': {
    level: 'attention',
    what: 'audit files',
    en: 'A month is due soon, and its file is not marked as filed.',
    bg: 'Срокът за месец изтича скоро, а файлът не е отбелязан като подаден.',
    bgOf: ofMonth('срокът изтича скоро, а файлът не е отбелязан като подаден'),
    action: month,
  },
  'mails.failed': {
    level: 'attention',
    what: 'mail',
    en: 'Mails reached no recipient.',
    bg: 'Писма не стигнаха до никого.',
    isWrong: true,
    bgOf: ({ count }) => `${form.bg(count ?? 0, '1 писмо не стигна', `${count ?? 0} писма не стигнаха`)} до никого.`,
  },
  'orders.outstanding': {
    level: 'attention',
    what: 'paid orders',
    en: 'Paid orders were reported that are not recorded.',
    bg: 'Съобщени са платени поръчки, които не са записани.',
    bgOf: ({ count }) =>
      `Освен тези за проверка ${form.bg(count ?? 0, '1 платена поръчка липсва', `${count ?? 0} платени поръчки липсват`)} във файла за месеца си.`,
    action: () => month({ subject: null }),
  },
  'rates.missing': {
    level: 'attention',
    what: 'exchange rates',
    en: 'Recorded orders have no exchange rate, which blocks the files of their months.',
    bg: 'Записани поръчки нямат валутен курс и файловете на месеците им са спрени.',
    isWrong: true,
    bgOf: ({ count }) =>
      `${form.bg(count ?? 0, '1 записана поръчка няма', `${count ?? 0} записани поръчки нямат`)} валутен курс и файловете за месеците им са спрени.`,
  },
  'orders.ended-currency': {
    level: 'attention',
    what: 'exchange rates',
    en: 'Recorded orders are in a currency that had ended when they were made, such as leva.',
    bg: 'Записани поръчки са във валута, която вече не е била в обращение, например левове.',
    bgOf: ({ subject, count }) => {
      const [month = '', currency = ''] = (subject ?? '').split(' ');
      return `${month}: ${orders(count)} ${form.bg(count ?? 0, 'е', 'са')} в ${currency}, валута извън обращение: проверете дали цените не са в друга валута.`;
    },
    action: ({ subject }) => month({ subject: subject?.split(' ')[0] ?? null }),
  },
  'rates.old': {
    level: 'attention',
    what: 'exchange rates',
    en: 'No exchange rates were fetched for a week.',
    bg: 'От седмица не са изтегляни валутни курсове.',
  },
  'company.unconfirmed': {
    level: 'attention',
    what: 'companies',
    en: 'A merchant waits until you say whether the company that they named is theirs.',
    bg: 'Търговец чака да кажете дали посочената от него фирма е негова.',
  },
  'mails.refused': {
    level: 'attention',
    what: 'merchants’ mails',
    en: 'A mailbox that gets a shop’s mails says that the shop is not theirs. They stopped there; its orders are recorded as before.',
    bg: 'Получател на писмата за магазин казва, че магазинът не е негов. Писмата там спряха; поръчките се отчитат както досега.',
  },
  'numbers.skipped': {
    level: 'attention',
    what: 'companies',
    en: 'Document numbers of a company were skipped in the last seven days.',
    bg: 'През последните седем дни са пропуснати номера на документи на фирма.',
    bgOf: ({ subject, count }) => `Фирмата ${subject ?? ''} пропусна номера на документи (${count ?? 0}) през последните седем дни.`,
  },
} as const satisfies Codes;

const failed = failedBy(codes);

/** A sheet older than this is not for want of working days. */
const OLD_SHEET_DAYS = 7;

/** Months of our own service that are late, due or can't be made. */
export const monthCheck: Check = {
  name: 'months',
  codes: ['month.late', 'month.due', 'month.blocked', 'month.unmailed'],
  async read({ pool, now, hasService }) {
    if (!(await hasService())) return [];
    return [...(await monthsAtRisk(pool, new Date(now))).map(atRisk), ...ofMonthMails(await failedMonthMails(pool))];
  },
  remarks: async ({ config }) => (config.compliance.kind === 'embedded' ? [{ what: 'audit files', words: 'none is blocked, and none is late' }] : []),
};

function ofMonthMails(all: readonly FailedMonthMails[]): FailedCheck[] {
  return [...Map.groupBy(all, ({ month }) => month)].map(([month, mails]) => {
    const shops = mails.map(({ shop, reached }) => (reached ? `${shop} (another address has them)` : shop));
    const words = `mails about ${month} did not arrive: ${fewOf(shops)}; give the shop its file, or correct its addresses and \`orderbridge service mails retry ID\``;
    const count = mails.reduce((sum, one) => sum + one.mails, 0);
    return failed('month.unmailed', { subject: month, count, words, verb: 'service mails list --state failed' });
  });
}

const risks = {
  late: { code: 'month.late', words: 'was not marked as filed by its due date' },
  due: { code: 'month.due', words: 'is not marked as filed yet, and its term ends' },
  blocked: { code: 'month.blocked', words: 'is blocked, as its file can’t be made, and its term ends' },
} as const;

function atRisk({ month, risk, shops, deadline }: MonthAtRisk): FailedCheck {
  const words = `${month} ${risks[risk].words} (${deadline}): ${fewOf(shops)}`;
  const since = risk === 'late' ? sofiaMidnight(addDays(deadline, 1)) : null;
  return failed(risks[risk].code, { subject: month, count: shops.length, since, words, verb: `service audit show --month ${month} --shop SHOP` });
}

/** Mails and outstanding orders of our own service. */
export const serviceCheck: Check = {
  name: 'mails and paid orders',
  codes: ['mails.failed', 'orders.outstanding'],
  async read({ pool, now, all, hasService }) {
    if (!(await hasService())) return [];
    // Our own orders that wait for a person, or for the end of a pause, have checks of their own.
    const said = { shops: (await all()).map(({ shopId }) => shopId), codes: ['unconfirmed', ...Object.keys(failures)] };
    const { mails, monthMailsFailed, outstanding } = await serviceAttention(pool, new Date(now), said);
    // Those about months are named by their month.
    return [...failedMails(mails.failed - monthMailsFailed), ...outstandingOrders(outstanding)];
  },
};

/** So long a skip of document numbers is said, whether or not it was meant. */
const SKIP_DAYS = 7;

/** Companies whose document numbers were skipped. */
export const companyCheck: Check = {
  name: 'companies',
  codes: ['numbers.skipped'],
  async read({ pool, now, hasService }) {
    if (!(await hasService())) return [];
    const skips = await skippedSince(pool, new Date(now - SKIP_DAYS * DAY_MS));
    return skips.map(ofSkip);
  },
};

const DAY_MS = 24 * 3_600_000;

/** Merchants whose company only the operator can confirm: it is another's, or no mail can be sent to them. */
export const waitingCompanyCheck: Check = {
  name: 'companies of merchants',
  codes: ['company.unconfirmed'],
  async read({ pool, config }) {
    const canMail = config.mail.smtpUrl !== null && config.publicUrl !== null;
    const waiting = (await waitingCompanies(pool)).filter(({ isContested, hasMailbox }) => isContested || !hasMailbox || !canMail);
    return waiting.map(({ id, company, at, isContested }) => {
      const why = isContested ? ', which another has' : '';
      const words = `the merchant of the invitation ${id} named the company ${company}${why}; \`orderbridge invitations list\` says more`;
      return failed('company.unconfirmed', { subject: id, since: at, words, verb: `invitations company ${id}` });
    });
  },
};

/** Shops that somebody who gets their mails says are not theirs, until another mailbox is named, or they say otherwise. */
export const refusedMailCheck: Check = {
  name: 'mails of merchants',
  codes: ['mails.refused'],
  async read({ pool, hasService }) {
    const todo = 'see whether the shop is real, and give it another mailbox; mails there stopped, and its orders are recorded as before';
    const shops = (await hasService()) ? await refusedShops(pool) : [];
    const ways = (await refusedMailboxes(pool)).filter(({ shopId }) => shops.every((shop) => shop.shopId !== shopId));
    return [
      ...shops.map(({ shopId, name, since }) =>
        failed('mails.refused', {
          subject: shopId,
          since,
          words: `${name} (shop ${shopId}): a recipient of its mails says that it is not theirs: ${todo}`,
          verb: 'service shops list',
        }),
      ),
      ...ways.map(({ onboarding, since }) =>
        failed('mails.refused', {
          subject: onboarding,
          since,
          words: `the mailbox of the invitation ${onboarding} says that its store is not theirs: ${todo}`,
          verb: 'invitations list',
        }),
      ),
    ];
  },
};

function ofSkip({ merchant, count, first, last, who, at }: RecentSkip): FailedCheck {
  const words = `the company ${merchant} skipped the document numbers ${documentNumberText(first)} to ${documentNumberText(last)} (${who}); if that was a mistake, take it back before a number above them is given`;
  return failed('numbers.skipped', { subject: merchant, count, since: at, words, verb: `service numbers take-back ${merchant}` });
}

export const rateCheck: Check = {
  name: 'exchange rates',
  codes: ['orders.ended-currency', 'rates.missing', 'rates.old'],
  async read(round) {
    const { pool, now, hasService } = round;
    if (!(await hasService())) return [];
    const ended = await ordersInEndedCurrency(pool, new Date(now));
    return [...ended.map(inEndedCurrency), ...(await ofRates(round, (await serviceAttention(pool, new Date(now))).ordersWithoutRate))];
  },
  remarks: rateRemarks,
};

async function rateRemarks({ pool, config: { bnbRatesUrl, compliance } }: Round): Promise<DoctorRemark[]> {
  if (compliance.kind === 'remote') return [];
  const sheet = await newestSheet(pool);
  const known = sheet === null ? 'none is stored' : `the newest are of ${sheet}`;
  const source = bnbRatesUrl === null ? 'they are not fetched, because BNB_RATES_URL is off' : 'they are fetched daily after 18:00';
  const inTheClear = bnbRatesUrl?.startsWith('http://') === true ? '; over http://, where they could be changed on the way' : '';
  const isSure = sheet !== null && bnbRatesUrl !== null && inTheClear === '';
  return [{ what: 'exchange rates', words: `${known}; ${source}${inTheClear}. Orders in EUR and BGN need none`, isNote: !isSure }];
}

function inEndedCurrency({ month, currency, orders }: EndedOrders): FailedCheck {
  const many = counted.en(orders, `order of ${month} is`, `orders of ${month} are`);
  const then = isTied(currency) ? `declared at ${LEVA_PER_EURO}` : 'no rate will ever come';
  const words = `${many} in ${currency}, which ended on ${endedCurrencies[currency]}; ${then}: see which currency was paid`;
  return failed('orders.ended-currency', {
    subject: `${month} ${currency}`,
    count: orders,
    words,
    verb: `service audit show --month ${month} --shop SHOP`,
  });
}

function failedMails(count: number): FailedCheck[] {
  const words = `${counted.en(count, 'mail', 'mails')} reached no recipient`;
  return count === 0 ? [] : [failed('mails.failed', { count, words, verb: 'service mails list --state failed' })];
}

function outstandingOrders(count: number): FailedCheck[] {
  const words = `${counted.en(count, 'paid order', 'paid orders')}, beside those in review, ${form.en(count, 'is', 'are')} missing from their month’s file`;
  return count === 0 ? [] : [failed('orders.outstanding', { count, words, verb: 'orders --state queued' })];
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
    return [failed('rates.missing', { count: waiting, words, verb: 'service rates fetch' })];
  }
  const isOld = config.bnbRatesUrl !== null && sheet !== null && sheet < addDays(sofiaDay(new Date(now).toISOString()), -OLD_SHEET_DAYS);
  if (!isOld) return [];
  return [
    failed('rates.old', {
      since: sofiaMidnight(sheet),
      words: `${known}, although they are fetched daily after 18:00`,
      verb: 'service rates fetch',
    }),
  ];
}

/** The day of the newest stored rates. */
async function newestSheet(pool: Round['pool']): Promise<string | null> {
  const days = (await listRates(pool, {})).map(({ publishedOn }) => publishedOn);
  return days.toSorted().at(-1) ?? null;
}
