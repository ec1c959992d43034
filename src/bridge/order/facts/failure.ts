import type { Lang, LocalizedText } from '../../../contract/messages.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { refusedRequests } from './refused-requests.ts';

/**
 * Every way in which work can fail, as one code in one table: how it is handled, and the words for users. Queue, HTTP edge, command line
 * and docs read only this table.
 */

/** reject: the sender gets an error. send to review: a person decides. tell: shown to a person. pause: the destination is paused, its orders wait. retry: retried later. */
export type Disposition = 'reject' | 'review' | 'tell' | 'pause' | 'retry';

/** `todo`: in English only where no page says it, which has words of its own for its code. `curedBySettings`, `curedByStoreAccess`: new settings, or a store's API that answers, may solve it, so they make these orders retried. */
type Entry = { disposition: Disposition; means: LocalizedText; todo: LocalizedText | string; curedBySettings?: true; curedByStoreAccess?: true };

export const failures = {
  ...refusedRequests,
  'payload.unreadable': {
    disposition: 'review',
    means: { en: 'The signature is right, but the body is not in a known format.', bg: 'Подписът е верен, но съдържанието не е в познат формат.' },
    todo: '`orderbridge delivery show DELIVERY --body` shows it; after an upgrade, `orderbridge replay DELIVERY`. If it isn’t about a sale, or you recorded its order by hand, `orderbridge delivery dismiss DELIVERY`.',
  },
  'delivery.unrecordable': {
    disposition: 'review',
    means: { en: 'For an hour this delivery could not be recorded, while others were.', bg: 'Един час това известие не можа да бъде прието, а други бяха.' },
    todo: 'The detail and the log say why; after an upgrade, `orderbridge replay DELIVERY`. If it isn’t about a sale, or you recorded its order by hand, `orderbridge delivery dismiss DELIVERY`.',
  },
  'amount.inexact': {
    disposition: 'review',
    means: { en: 'An amount has more decimals than its currency.', bg: 'Сума има повече десетични знаци от валутата си.' },
    todo: 'Set the store’s number of decimals to the currency’s, then save the order again.',
  },
  'total.mismatch': {
    disposition: 'review',
    means: { en: 'The lines do not add up to what the customer paid.', bg: 'Сборът на редовете не е платеното от клиента.' },
    todo: 'Compare the order in the store: plugins for gift cards or store credit may lower the total without a line. Correct it there, or record it by hand and `orderbridge resolve ORDER --recorded ID`.',
  },
  'vat.unmapped': {
    disposition: 'review',
    means: { en: 'A VAT rate has no group in the settings.', bg: 'За ставката на ДДС още не е избрана данъчна група.' },
    todo: 'Add the rate to `vatGroups`, or if the store calculates no taxes at all, set `pricesContainVat` (`orderbridge settings`); the order is then retried automatically.',
    curedBySettings: true,
  },
  'vat.unclear': {
    disposition: 'review',
    means: { en: 'The VAT rate of a line is not clear.', bg: 'Не е ясна ставката на ДДС на ред от поръчката.' },
    todo: 'Correct the taxes of the order in the store, or record it by hand and `orderbridge resolve ORDER --recorded ID`.',
  },
  'currency.ended': {
    disposition: 'review',
    means: {
      en: 'The order is in a currency that had ended when it was made, and the settings refuse such orders.',
      bg: 'Поръчката е във валута, която вече не е била в обращение, когато е направена, а настройките отказват такива поръчки.',
    },
    todo: 'Set the store’s currency to the one that buyers pay in. If the amounts are right, record it by hand in that currency and `orderbridge resolve ORDER --recorded ID`, or set `convertTo`, or `refuseEndedCurrencies` to false (`orderbridge settings`); the order is then retried automatically.',
    curedBySettings: true,
  },
  'payment.unmapped': {
    disposition: 'review',
    means: { en: 'A payment method has no type in the settings.', bg: 'За начина на плащане още не е избран вид.' },
    todo: 'Add the gateway to `payments` (`orderbridge settings`); the order is then retried automatically.',
    curedBySettings: true,
  },
  'payment.split': {
    disposition: 'review',
    means: { en: 'Two payment methods paid for one order.', bg: 'Една поръчка е платена по два начина.' },
    todo: 'Record it by hand and `orderbridge resolve ORDER --recorded ID`, or make the store keep one of them.',
  },
  'payment.outstanding': {
    disposition: 'review',
    means: { en: 'The order was paid, and now a part of it is unpaid.', bg: 'Поръчката беше платена, а сега част от нея не е.' },
    todo: 'Collect or settle the rest in the store; the order is then retried automatically. If its status means that it is paid, add it to `paidStatuses`.',
  },
  'payment.divided': {
    disposition: 'review',
    means: {
      en: 'One part was paid before recording began or while the store was disconnected, another one outside of that; or it is not known when all of it was paid.',
      bg: 'Една част е платена, преди да започне отчитането или докато магазинът не е бил свързан, а друга – не; или не се знае кога е платена цялата сума.',
    },
    todo: 'Look whether other software recorded it. If not, `orderbridge release ORDER --keep` records it whole. If it did, `orderbridge resolve ORDER --elsewhere`, and add there what was paid since.',
  },
  'refund.unattributed': {
    disposition: 'review',
    means: {
      en: 'A refund doesn’t say which items it covers, and the order has several VAT rates. What other refunds name is off the record already, if there is one.',
      bg: 'Върната сума не посочва редове, а поръчката има няколко ставки на ДДС. Каквото посочват другите върнати суми, вече е извадено от записа, ако има такъв.',
    },
    todo: 'Refund by lines in the store, or record by hand what is left (if the order is recorded already, delete that record first) and `orderbridge resolve ORDER --recorded ID`.',
  },
  'removal.unproven': {
    disposition: 'review',
    means: {
      en: 'A paid order was cancelled, trashed, deleted, set back to a draft or marked as a test, but its refunds were not seen, or not all of them.',
      bg: 'Платена поръчка е отказана, изхвърлена, изтрита, върната като чернова или отбелязана като пробна, а връщането на парите не се вижда или е само за част от тях.',
    },
    todo: 'Refund it in the store if the money went back, or restore it there. Or decide this one: `orderbridge release ORDER --keep` if it is still a sale, `orderbridge release ORDER --remove` if it is none. `removeWithoutRefund` and `codCancelled` decide all such orders.',
  },
  'refund.deleted': {
    disposition: 'review',
    means: {
      en: 'The store says that a refund was deleted, but not what the order is now.',
      bg: 'Магазинът съобщи, че връщане на пари е изтрито, но не и каква е поръчката сега.',
    },
    todo: 'Save the order in the store, which sends it again; with a key of the store’s API it is looked up.',
  },
  'gift-card.undecided': {
    disposition: 'review',
    means: {
      en: 'A gift card was sold, and the settings do not say whether that is a sale.',
      bg: 'Продаден е ваучер за подарък, а настройките не казват дали това е продажба.',
    },
    todo: 'Ask your accountant, and set `giftCards` (`orderbridge settings`); the order is then retried automatically.',
    curedBySettings: true,
  },
  'store.other': {
    disposition: 'review',
    means: {
      en: 'Deliveries name another host than the connected store’s, such as that of a copy of the site.',
      bg: 'Известия назовават друг адрес, а не този на свързания магазин, например на копие на сайта.',
    },
    todo: 'If the store moved there, `orderbridge reconnect CONNECTION --moved HOST`; if it is not this store, `--not-ours HOST`.',
  },
  'order.other': {
    disposition: 'review',
    means: {
      en: 'Another order came under the id of a known one, such as after a backup was restored. What is recorded of the known one stays.',
      bg: 'Друга поръчка дойде с идентификатора на позната, например след възстановяване от резервно копие. Записаното за познатата остава.',
    },
    todo: 'Compare both in the store; if they are two sales, `orderbridge release ORDER --other`; if they are one, `orderbridge release ORDER --same`.',
  },
  'resolution.changed': {
    disposition: 'review',
    means: {
      en: 'A person said that it is no sale, or is recorded elsewhere, and something new came of it.',
      bg: 'Човек каза, че не е продажба или е отчетена другаде, а после за нея дойде нещо ново.',
    },
    todo: 'Compare what was said with what is new. If it is still so, say it again: `orderbridge resolve ORDER --not-a-sale` or `--elsewhere`; if it should be recorded now, `orderbridge release ORDER`.',
  },
  'seller.other': {
    disposition: 'review',
    means: { en: 'The seller of this order is another party (marketplace).', bg: 'Продавачът по тази поръчка е друг (платформа с много търговци).' },
    todo: 'Check who owes the VAT. If it is the merchant, record it by hand and `orderbridge resolve ORDER --recorded ID`; if not, `orderbridge resolve ORDER --not-a-sale`.',
  },
  'order.inexpressible': {
    disposition: 'review',
    means: { en: 'The order contains something that a tax record can’t express.', bg: 'В поръчката има нещо, което данъчен запис не може да изрази.' },
    todo: 'Correct the order in the store, or record it by hand and `orderbridge resolve ORDER --recorded ID`.',
  },
  'compliance.refused': {
    disposition: 'review',
    means: { en: 'The compliance service refused the record.', bg: 'Услугата за отчитане отказа записа.' },
    todo: 'The service’s message says why; correct the settings (`orderbridge settings CONNECTION` shows them), which retries it, or the order or the shop, then `orderbridge release ORDER`.',
  },
  'compliance.conflict': {
    disposition: 'review',
    means: {
      en: 'The compliance service already has a record under this order’s id that was not made for it.',
      bg: 'Услугата за отчитане вече има запис с идентификатора на тази поръчка, който не е направен за нея.',
    },
    todo: 'Look whose sale it is; the detail says so if this ledger made it. Another order’s: leave it, and `orderbridge release ORDER --other`. This very sale, by other software: `orderbridge resolve ORDER --recorded ID` makes it ours, or delete it there and `orderbridge release ORDER`.',
  },
  'replacement.refused': {
    disposition: 'review',
    means: {
      en: 'The changed order was refused; the previous content was recorded again.',
      bg: 'Променената поръчка беше отказана; предишното съдържание е записано отново.',
    },
    todo: 'The service’s message says why; correct the order, then `orderbridge release ORDER`; or leave the previous record: `orderbridge resolve ORDER --recorded ID`.',
  },
  'record.doubled': {
    disposition: 'review',
    means: { en: 'A late reply shows that the order is recorded twice.', bg: 'Закъснял отговор показва, че поръчката е записана два пъти.' },
    todo: 'Look which of its records is right; `orderbridge delete-record ORDER` lists them, deletes the other one, and decides the order again.',
  },
  'receipt.refused': {
    disposition: 'tell',
    means: {
      en: 'The order is recorded, but the compliance service gives no receipt for it.',
      bg: 'Поръчката е записана, но услугата за отчитане не издава документ за продажбата.',
    },
    todo: 'The service’s message says why; issue the receipt there, or set `receipts` to false if that service has none.',
  },
  'compliance.unreachable': {
    disposition: 'pause',
    means: { en: 'The compliance service can’t be reached.', bg: 'Няма връзка с услугата за отчитане.' },
    todo: 'Nothing: one order at a time probes it until it answers. Check the address if it lasts.',
  },
  'compliance.throttled': {
    disposition: 'pause',
    means: {
      en: 'The compliance service answers that requests must wait (429, 503).',
      bg: 'Услугата за отчитане отговаря, че заявките трябва да почакат (429, 503).',
    },
    todo: 'Nothing: requests go on as soon as it allows them.',
  },
  'compliance.misconfigured': {
    disposition: 'pause',
    means: {
      en: 'The compliance service refuses the key or the shop, or does not know the shop or the address.',
      bg: 'Услугата за отчитане отказва ключа или обекта или не познава обекта или адреса.',
    },
    todo: 'Check the key, the secret, the address and the shop id (`orderbridge doctor`).',
  },
  'compliance.failing': {
    disposition: 'pause',
    means: { en: 'The compliance service fails for every order.', bg: 'Услугата за отчитане връща грешка за всяка поръчка.' },
    todo: 'Nothing: one order at a time probes it until it works.',
  },
  'compliance.insecure': {
    disposition: 'pause',
    means: {
      en: 'The address of the compliance service is http://, so that its key would be sent in the clear.',
      bg: 'Адресът на услугата за отчитане е http:// и ключът за нея би се изпратил открито.',
    },
    todo: 'Use https://, or name the host in TRUSTED_HTTP_HOSTS if the way to it is private.',
  },
  'storefront.unreachable': {
    disposition: 'review',
    means: {
      en: 'For six hours the store’s API did not return what the webhooks left out.',
      bg: 'Шест часа API на магазина не върна онова, което известията пропускат.',
    },
    todo: 'Check the store’s address (`orderbridge connections`), then `orderbridge release --code storefront.unreachable`; `orderbridge reconnect` with another address retries the order, too.',
    curedByStoreAccess: true,
  },
  'storefront.refused': {
    disposition: 'review',
    means: {
      en: 'For six hours the store refused its REST key, so what the webhooks left out can’t be fetched.',
      bg: 'Шест часа магазинът отказва ключа за своя API и онова, което известията пропускат, не може да бъде прочетено.',
    },
    todo: 'Make a key with read rights in the store, and give it to `orderbridge reconnect`; the order is then retried automatically, as soon as a key works.',
    curedByStoreAccess: true,
  },
  'internal.unexpected': {
    disposition: 'retry',
    means: { en: 'An unexpected error.', bg: 'Неочаквана грешка.' },
    todo: 'Report it with the log line.',
  },
} as const satisfies Record<string, Entry>;

export type FailureCode = keyof typeof failures;

export const curedByStoreAccess = Object.entries(failures).flatMap(([code, entry]) => ('curedByStoreAccess' in entry ? [code] : []));

export const curedBySettings = Object.entries(failures).flatMap(([code, entry]) => ('curedBySettings' in entry ? [code] : []));

/** A code of a later release, which may run beside this one: kept and shown as it is. */
type LaterCode = string & { readonly isLater: true };

/** A code as the ledger holds it. */
export type StoredCode = FailureCode | LaterCode;

/** A reason in words for one order: the code says which kind, the detail which line, rate or sum. Never personal data. */
export type Problem = { code: StoredCode; detail: string };

const later = {
  means: { en: 'This code is of a later release; the detail says more.', bg: 'Този код е от по-нова версия; подробностите казват повече.' },
  todo: 'This code is of a later release: look at the order with that release, or upgrade this one.',
};

export function failureWords(code: string, lang: Lang = 'en'): { means: string; todo: string } {
  const { means, todo } = ownValue<Pick<Entry, 'means' | 'todo'>>(failures, code) ?? later;
  return { means: means[lang], todo: typeof todo === 'string' ? todo : todo[lang] };
}

/** A broken unit of work. Expected outcomes are values, not this. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: FailureCode, detail: string, { cause, retryAfterMs }: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Unknown errors are bugs or outages: both are retried, with the original as the cause. */
export function asFailure(thrown: unknown): Failure {
  return thrown instanceof Failure ? thrown : new Failure('internal.unexpected', 'unclassified error', { cause: thrown });
}

const QUOTES = /^(compliance|replacement|storefront)\./;

/** Do the words of a problem with this code quote a service or a store, which may have repeated a buyer? */
export function containsPersonalData(code: string): boolean {
  return QUOTES.test(code);
}

/** A setting that an order lacks: the type of a payment method, the group of a VAT rate, what a gift card is, or which VAT is in prices without taxes. */
export type MissingSetting = { of: 'payment'; gateway: string } | { of: 'vat'; rate: string } | { of: 'contained-vat' } | { of: 'gift-cards' };

const PAYMENT = /The payment method “([^”]*)” has no type\./g;
const RATE = /(T|t)he VAT rate ([0-9.]+) % has no group\./g;

/** The settings that an order in review lacks, as the words of its problem (`desired`) name them. */
export function missingSettings(code: string, words: string): MissingSetting[] {
  if (code === 'gift-card.undecided') return [{ of: 'gift-cards' }];
  if (code !== 'payment.unmapped' && code !== 'vat.unmapped') return [];
  const payments = [...words.matchAll(PAYMENT)].map(([, gateway = '']) => ({ of: 'payment' as const, gateway }));
  // In the middle of a sentence: nothing in the order bears a tax.
  const rates = [...words.matchAll(RATE)].map(([, first, rate = '']) => (first === 't' ? { of: 'contained-vat' as const } : { of: 'vat' as const, rate }));
  return [...payments, ...rates];
}
