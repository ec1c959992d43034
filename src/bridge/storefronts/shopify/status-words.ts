import type { LocalizedText } from '../../../contract/messages.ts';
import type { Failure, FailureCode } from '../../order/facts/failure.ts';
import { type StoreDenial, StoreFailure } from '../store-failure.ts';

/** The shop answered that it can't be used, and by which status; 429 also for one that throttles within a 200. */
export class ShopAnswered extends StoreFailure {
  override readonly status: number;

  constructor(status: number, { code, words, denial }: { code: Extract<FailureCode, `storefront.${string}`>; words: string; denial: StoreDenial | null }) {
    super(code, words, denial);
    this.status = status;
  }
}

/** It takes only tokens that expire from this app, and this one does not. */
export class MustExpire extends ShopAnswered {}

/** Its app may not see what was queried, whatever its scopes. Anyone who has the app mends that: with a token that was typed in, the merchant. */
export class Denied extends StoreFailure {
  constructor(words: string, { byApp }: { byApp: boolean }) {
    super('storefront.refused', words, byApp ? null : 'key');
  }
}

/**
 * Why a shop did not do what was requested. `refused`: as long as nobody changes something there; else it may work later. `status`: what it answered, if that
 * says which it is; null: the words alone do. `denial`: who can mend it; null: the person who runs the service must look, or it passes.
 */
export type ApiRefusal = { status: number | null; refused: boolean; denial: StoreDenial | null; said: LocalizedText };

/** `byApp`: it was requested with a token that the merchant granted to an app, not with one that was typed in. */
type More = { body?: unknown; byApp?: boolean };

/** The failure that an answer with this status is, in words that say what to do. */
export function refusalOf(status: number, more: More = {}): Failure {
  const refusal = statusRefusal(status, more);
  if (!mustExpire(status, more)) return failureOf(refusal);
  return new MustExpire(status, { code: 'storefront.refused', words: refusal.said.en, denial: refusal.denial });
}

export function failureOf({ status, refused, denial, said }: ApiRefusal): Failure {
  const code = refused ? 'storefront.refused' : 'storefront.unreachable';
  return status === null ? new StoreFailure(code, said.en, denial) : new ShopAnswered(status, { code, words: said.en, denial });
}

/** The same for people, in both languages. */
export function statusRefusal(status: number, more: More = {}): ApiRefusal {
  const todo = refusing(status, more);
  const { en, bg } = todo ?? passing(status);
  const denial = denials.get(status) ?? null;
  return { status, refused: todo !== null, denial, said: { en: `the shop answered ${status}: ${en}`, bg: `магазинът отговори ${status}: ${bg}` } };
}

function refusing(status: number, more: More): LocalizedText | null {
  if (status === 401 && more.byApp === true) return APP_GONE;
  if (mustExpire(status, more)) return MUST_EXPIRE;
  return refusals.get(status) ?? null;
}

/** A scope that is missing was withdrawn: approving again, or a new key, gives it back. At another address there is nobody to ask. */
const denials: ReadonlyMap<number, StoreDenial> = new Map([
  [401, 'key'],
  [402, 'frozen'],
  [403, 'key'],
  [423, 'locked'],
]);

const RECONNECT = '`orderbridge reconnect CONNECTION --store-url`';

const APP_GONE: LocalizedText = {
  en: 'its token is refused, because the app was uninstalled or its access withdrawn; the merchant must approve the app again',
  bg: 'токенът не се приема, защото приложението е деинсталирано или достъпът му е отнет; търговецът трябва да одобри приложението отново',
};

/** What Shopify refuses of public apps: then the token is not wrong, but of the wrong kind. */
const MUST_EXPIRE: LocalizedText = {
  en: 'a public app may only use tokens that expire; the merchant must approve the app again, which makes one',
  bg: 'публичните приложения могат да ползват само токени със срок; търговецът трябва да одобри приложението отново и ще бъде издаден такъв',
};

const refusals: ReadonlyMap<number, LocalizedText> = new Map([
  [
    401,
    {
      en: 'its access token is refused, or the app was uninstalled; install the app again, and give its token with `orderbridge reconnect`',
      bg: 'токенът не се приема или приложението е деинсталирано; инсталирайте приложението отново и подайте токена му с `orderbridge reconnect`',
    },
  ],
  [402, { en: 'the shop is frozen until its bill is paid', bg: 'магазинът е замразен, докато сметката му към Shopify не бъде платена' }],
  [
    403,
    {
      en: 'the app may not use the Admin API of this shop; grant it the scope read_orders, and install it again',
      bg: 'приложението няма право на Admin API на този магазин; дайте му обхват read_orders и го инсталирайте отново',
    },
  ],
  [
    404,
    {
      en: `no shop is at this address; give the one that ends in .myshopify.com with ${RECONNECT}`,
      bg: `на този адрес няма магазин; подайте адреса, който завършва на .myshopify.com, с ${RECONNECT}`,
    },
  ],
  [
    423,
    {
      en: 'the shop is locked; its owner must ask the support of Shopify',
      bg: 'магазинът е заключен; собственикът му трябва да се обърне към поддръжката на Shopify',
    },
  ],
]);

const LATER: LocalizedText = { en: 'it is called again later', bg: 'ще бъде извикан отново по-късно' };

const passings: ReadonlyMap<number, LocalizedText> = new Map([
  [429, { en: `it throttles this app; ${LATER.en}`, bg: `ограничава това приложение; ${LATER.bg}` }],
  [
    430,
    {
      en: `it takes the calls for an attack; ${LATER.en}; if that lasts, its owner must ask the support of Shopify`,
      bg: `приема заявките за атака; ${LATER.bg}; ако продължи, собственикът му трябва да се обърне към поддръжката на Shopify`,
    },
  ],
]);

function passing(status: number): LocalizedText {
  if (status >= 300 && status < 400)
    return {
      en: `its address redirects; give the one that ends in .myshopify.com with ${RECONNECT}`,
      bg: `адресът пренасочва; подайте този, който завършва на .myshopify.com, с ${RECONNECT}`,
    };
  return passings.get(status) ?? LATER;
}

/** The words are Shopify's, and are not passed on. */
function mustExpire(status: number, { body }: More): boolean {
  if (status !== 403) return false;
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : null;
  return /non-?expiring/i.test(typeof errors === 'string' ? errors : JSON.stringify(errors));
}
