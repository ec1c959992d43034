import { capitalized } from '../../contract/local-text.ts';
import type { LocalizedText } from '../../contract/messages.ts';

type Code<Name> = { code: number; name: Name; source: string };

const ANNEX = 'Наредба Н-18, Приложение № 38';

/** How a payment type is written in the audit file (`paym`), and in words on a document. */
export const paymentCodes: Readonly<Record<string, Code<LocalizedText>>> = {
  BANK_TRANSFER: { code: 1, name: { en: 'bank transfer', bg: 'банков превод' }, source: `${ANNEX}: освободено по чл. 3 плащане без ППП` },
  VIRTUAL_POS: { code: 2, name: { en: 'card, virtual POS terminal', bg: 'карта, виртуален ПОС терминал' }, source: `${ANNEX}: виртуален ПОС терминал` },
  POSTAL_PAYMENT: {
    code: 3,
    name: { en: 'cash on delivery by postal money order', bg: 'наложен платеж с пощенски паричен превод' },
    source: `${ANNEX}: наложен платеж с ППП`,
  },
  PAYMENT_PROCESSOR: {
    code: 4,
    name: { en: 'payment service provider', bg: 'доставчик на платежни услуги' },
    source: `${ANNEX}: доставчик на платежни услуги`,
  },
  OTHER: { code: 5, name: { en: 'other', bg: 'друг вид плащане' }, source: `${ANNEX}: друг вид плащане, неизискващо отразяване с фискален бон` },
  FISCAL_RECEIPT: { code: 6, name: { en: 'shown on a fiscal receipt', bg: 'отразено с фискален бон' }, source: `${ANNEX}: плащане, отразено с фискален бон` },
};

/** How a way of giving money back is written in the audit file (`r_paym`), and in words. */
export const returnCodes: Readonly<Record<string, Code<Pick<LocalizedText, 'bg'>>>> = {
  IBAN: { code: 1, name: { bg: 'по платежна сметка' }, source: ANNEX },
  CARD: { code: 2, name: { bg: 'по карта' }, source: ANNEX },
  CASH: { code: 3, name: { bg: 'в брой' }, source: ANNEX },
  OTHER: { code: 4, name: { bg: 'друг' }, source: ANNEX },
};

/**
 * Numbers of payment service providers, as `proc_id` of the audit file asks for: ЕИК, or of a foreign one its number in a register, and its name
 * (Наредба Н-18, Приложение № 38). Only those whose number was read in the source that is named; of the others the merchant must say it.
 */
const providers: readonly { names: RegExp; number: string; name: string; source: string }[] = [
  {
    names: /^(epay|epay\.bg|easypay|изипей)( ад)?$/iu,
    number: '131344648',
    name: 'Изипей АД',
    source: 'www.epay.bg, „Общи условия за ползване на Микросметка“, I.1: „Изипей“ АД, ЕИК 131344648',
  },
  {
    names: /^paypal$/i,
    number: 'B00000351',
    name: 'PayPal (Europe) S.à r.l. et Cie, S.C.A.',
    source: 'www.paypal.com, “Informative Sheet relating to a personal PayPal account”, 1: register of the CSSF, No. B00000351',
  },
  {
    names: /^stripe$/i,
    number: 'IE3206488LH',
    name: 'Stripe',
    source: 'generators of the audit file that Bulgarian shops published: proc_id IE3206488LH',
  },
];

/** `proc_id` of the audit file: what the merchant says; a known provider that is named alone, with its number. */
export function processorId(said: string): string {
  const known = providers.find(({ names }) => names.test(said.trim()));
  return known === undefined ? said : `${known.number} ${known.name}`;
}

const LEAST_DIGITS = 6;

/** Does a `proc_id` lack a number? Each word is looked at: names of providers have few digits, numbers many. */
export function lacksNumber(processor: string): boolean {
  return !processor.split(/[\s,;:/()]+/u).some((word) => word.replaceAll(/\D/g, '').length >= LEAST_DIGITS);
}

/** `e_shop_type` of the audit file (Наредба Н-18, Приложение № 38): 1, a domain of its own or rented alone; 2, a shop in an online platform. */
export type ShopType = 1 | 2;

/** Is it the address of a shop below a domain, rather than a domain? */
export function hasPath(domain: string): boolean {
  return /^(https?:\/\/)?[^/]+\/[^/]/i.test(domain);
}

/** What the merchant says; if they say nothing, a domain with a path is the address of a shop inside a platform. */
export function shopTypeOf(domain: string, said: ShopType | null): ShopType {
  return said ?? (hasPath(domain) ? 2 : 1);
}

/** A payment method (`paym`) in words; an unknown code stays a number. */
export function paymentWords(code: number): string {
  return wordsOf(paymentCodes, code);
}

/** A way of giving money back (`r_paym`) in words. */
export function returnWords(code: number): string {
  return wordsOf(returnCodes, code);
}

function wordsOf(codes: typeof returnCodes, code: number): string {
  const known = Object.values(codes).find((one) => one.code === code);
  return known === undefined ? `Код ${code}` : capitalized(known.name.bg);
}
