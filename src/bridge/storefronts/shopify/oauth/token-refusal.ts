import { z } from 'zod';
import type { LocalizedText } from '../../../../contract/messages.ts';
import type { Failure } from '../../../order/facts/failure.ts';
import type { StoreAnswer } from '../../contract.ts';
import { type StoreDenial, StoreFailure } from '../../store-failure.ts';
import { type ApiRefusal, failureOf, statusRefusal } from '../status-words.ts';

/** What was given for a token. */
export type GrantGiven = 'code' | 'refresh' | 'credentials';

/** `isFinal`: what was given is worth nothing any more, however often it is sent. */
export type TokenRefusal = ApiRefusal & { isFinal: boolean };

/** The shop will not take what was given again: only the merchant can give anew. */
export class GrantEnded extends StoreFailure {
  constructor(words: string) {
    super('storefront.refused', words, 'key');
  }
}

const errorAnswer = z.object({ error: z.string() });

const REFUSES_CREDENTIALS: ReadonlySet<number> = new Set([400, 401, 403]);
const GIVES_NO_MORE: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request']);
const NAMES_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'application_cannot_be_found']);

/** Why the shop gave no token. What its answer says in words is not passed on: it may repeat what was sent. */
export function tokenRefusal(given: GrantGiven, { status, body }: Pick<StoreAnswer, 'status' | 'body'>): TokenRefusal {
  const error = status === 400 || status === 401 ? (errorAnswer.safeParse(body).data?.error ?? '') : '';
  if (given === 'credentials' && REFUSES_CREDENTIALS.has(status)) return refusing('key', credentialsRefused(status));
  if (given !== 'credentials' && GIVES_NO_MORE.has(error)) return { ...refusing('key', ended[given]), isFinal: true };
  if (NAMES_CLIENT.has(error)) return refusing('app', clientRefused);
  return { isFinal: false, ...statusRefusal(status, { body, byApp: true }) };
}

/** What the merchant reads whose approval led to it: what is not theirs to mend is said so, and no command is named. */
export function forMerchant({ denial, status, said }: TokenRefusal): LocalizedText {
  if (denial === 'app') return appNotSetUp;
  return status === 404 || (status !== null && status >= 300 && status < 400) ? otherAddress : said;
}

function refusing(denial: StoreDenial, said: LocalizedText): TokenRefusal {
  return { isFinal: false, status: null, refused: true, denial, said };
}

export function failureOfRefusal(refusal: TokenRefusal): Failure {
  return refusal.isFinal ? new GrantEnded(refusal.said.en) : failureOf(refusal);
}

/** An answer that is Shopify's by its status, and has no token. */
export const noToken: LocalizedText = {
  en: 'the shop’s answer has no access token; it is called again later',
  bg: 'в отговора на магазина няма токен; ще бъде извикан отново по-късно',
};

const ended: Readonly<Record<Exclude<GrantGiven, 'credentials'>, LocalizedText>> = {
  code: {
    en: 'the approval was used already, or is too old; begin again with the install link',
    bg: 'одобрението вече е използвано или е твърде старо; започнете отново от връзката за инсталиране',
  },
  refresh: {
    en: 'the shop no longer lets the app in: the app was uninstalled, its access was withdrawn, or it was not used for 90 days; the merchant must approve the app again',
    bg: 'магазинът вече не допуска приложението: деинсталирано е, достъпът му е отнет или не е ползван 90 дни; търговецът трябва да одобри приложението отново',
  },
};

const clientRefused: LocalizedText = {
  en: 'the shop does not take the app’s client id and secret; compare both with the app’s page in the Dev Dashboard, and give the newest secret',
  bg: 'магазинът не приема client id и secret на приложението; сравнете ги със страницата му в Dev Dashboard и подайте най-новия secret',
};

const appNotSetUp: LocalizedText = {
  en: 'The app is not set up right on our side, so the shop gave us no access. The person who runs this service must mend that; there is nothing for you to do in the shop. Begin again once they have.',
  bg: 'Приложението не е настроено правилно при нас и магазинът не ни даде достъп. Трябва да го поправи този, който поддържа услугата; в магазина не е нужно да правите нищо. Започнете отново след това.',
};

const otherAddress: LocalizedText = {
  en: 'No shop answers at this address. Begin again with the name that ends in .myshopify.com.',
  bg: 'На този адрес не отговаря магазин. Започнете отново с името, което завършва на .myshopify.com.',
};

function credentialsRefused(status: number): LocalizedText {
  return {
    en:
      `the shop answered ${status} to the app’s client id and secret; check them in the Dev Dashboard, and that the app is installed in this shop and belongs to the shop’s own ` +
      'organisation; then give both with `orderbridge reconnect`',
    bg:
      `магазинът отговори ${status} на client id и secret на приложението; проверете ги в Dev Dashboard, както и че приложението е инсталирано в този магазин и е на собствената му ` +
      'организация; после подайте и двете с `orderbridge reconnect`',
  };
}
