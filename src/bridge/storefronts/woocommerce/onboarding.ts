import { z } from 'zod';
import type { LocalizedText } from '../../../contract/messages.ts';
import { Failure } from '../../order/facts/failure.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { KeyWay, StoreGuide, StoreOnboarding, StoreProblem, VerifiedCredentials } from '../onboarding.ts';
import { unanswered } from '../store-failure.ts';
import { handOver } from './hand-over.ts';
import { inspectHomepage, statusProblem, storeVersion, tooOld } from './inspect-homepage.ts';
import { inspectStore } from './inspect-store.ts';
import { wooCode, wooPlaced } from './payload.ts';
import { isNoApi, isNotConsidered, readAnswer, redirectOrigin, restOf, type TriedCall } from './rest.ts';

const steps: readonly LocalizedText[] = [
  {
    en: 'In the store’s administration, open WooCommerce → Settings → Advanced → REST API and press “Add key”.',
    bg: 'В администрацията на магазина отворете WooCommerce → Настройки → Разширени → REST API и натиснете „Добавяне на ключ“.',
  },
  {
    en: 'Description: orderbridge. User: you, or another shop manager. Permissions: Read/Write.',
    bg: 'Описание: orderbridge. Потребител: вие или друг управител на магазина. Права: Четене/писане (Read/Write).',
  },
  {
    en: 'Press “Generate API key”. Copy both values here: the store shows them only once.',
    bg: 'Натиснете „Генериране на API ключ“. Копирайте тук двете стойности: магазинът ги показва само веднъж.',
  },
];

const way: KeyWay = { id: 'rest-key', title: { en: 'A REST key', bg: 'REST ключ' }, steps, parts: ['consumerKey', 'consumerSecret'] };

/** How a merchant whose key may only read makes the webhooks; the form begins with a status that sends nothing. */
export const guide: StoreGuide = {
  ways: [way],
  keyParts: {
    consumerKey: { en: 'Consumer key (begins with ck_)', bg: 'Ключ – Consumer key (започва с ck_)' },
    consumerSecret: { en: 'Consumer secret (begins with cs_)', bg: 'Таен ключ – Consumer secret (започва с cs_)' },
  },
  webhooks({ address, topics }) {
    const named = topics.map((topic) => FORM_TOPICS[topic] ?? `Action: ${topic.replace(/^action\./, '')}`).join('; ');
    return [
      {
        en: `Open WooCommerce → Settings → Advanced → Webhooks and press “Add webhook”, once for each of ${topics.length} topics.`,
        bg: `Отворете WooCommerce → Настройки → Разширени → Webhooks и натиснете „Add webhook“, по веднъж за всяка от ${topics.length} теми.`,
      },
      { en: `Topic: ${named}: one of them in each.`, bg: `Тема (Topic): ${named}: по една във всяко известие.` },
      {
        en: 'Status: Active. The form begins with “Disabled”, and says nothing if it is left so.',
        bg: 'Състояние (Status): Active. Формата започва с „Disabled“ и не предупреждава, ако остане така.',
      },
      { en: `Delivery URL: ${address}`, bg: `Адрес (Delivery URL): ${address}` },
      {
        en: 'Secret: the one below, the same in each. API version: “WP REST API Integration v3”.',
        bg: 'Таен ключ (Secret): показаният по-долу, един и същ във всяко. Версия на API: „WP REST API Integration v3“.',
      },
    ];
  },
};

const newest = z.array(wooPlaced.pick({ id: true }).extend({ number: z.coerce.string().nullish() }));

/** A merchant connects their store by its address: the store hands its keys over, or they paste them. */
export const onboarding: StoreOnboarding = { title: 'WooCommerce', inspectHomepage, verifyCredentials, handOver, inspectStore, resave, guide };

/** The names that the form has for its own topics, those that every store needs, in its order. */
const FORM_TOPICS: Readonly<Record<string, string>> = {
  'order.created': 'Order created',
  'order.updated': 'Order updated',
  'order.deleted': 'Order deleted',
  'order.restored': 'Order restored',
};

const TOPIC_NAMES = Object.values(FORM_TOPICS).join('; ');

/** WordPress sends to no other port. */
const PORTS = ['', '80', '443', '8080'];
const PRIVATE =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|\[(::1?|f[cde].*)\]|[^.[]*|(127|10|0)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/;

/** How a merchant makes the webhooks by hand, for the command line; what is wrong with the address comes first. */
export function connectSteps(address: string): readonly string[] {
  return [
    ...problemsOf(address),
    'WooCommerce → Settings → Advanced → Webhooks → Add webhook: four webhooks, one form each. In each form:',
    '  Status: Active (the form begins with “Disabled”, and says nothing if it is left so)',
    `  Topic: ${TOPIC_NAMES}: one of them in each of the four`,
    `  Delivery URL: ${address}`,
    '  Secret: the one that you gave here, the same in all four',
    '  API version: “WP REST API Integration v3”, not a legacy one',
    '“Webhook updated successfully” does not mean that the secret is right: the first order shows it.',
    'WooCommerce sends when a page of the shop is processed: a test order may take minutes until then.',
  ];
}

function problemsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const wrong = [
    ...(PORTS.includes(url.port) ? [] : [`its port is ${url.port}: WordPress sends to 443, 80 and 8080 alone`]),
    ...(PRIVATE.test(url.hostname) ? [`${url.hostname} is no public host: WordPress refuses it (“A valid URL was not provided”), and sends nothing`] : []),
    ...(url.protocol === 'https:' ? [] : ['it is not https: everybody on the way could read the orders']),
  ];
  return wrong.length === 0 ? [] : [`No store can use this address (PUBLIC_URL): ${wrong.join('; ')}.`];
}

/** Reads one order and the version with the key, and tries whether it may write, by a webhook without topic and address, which no store takes. */
export async function verifyCredentials(access: StoreAccess, means: StoreMeans): Promise<VerifiedCredentials> {
  try {
    const rest = restOf(access, means);
    const tried = await rest.call({ path: `orders?per_page=1&_fields=id&${rest.uncached}` });
    const { status, body } = tried.answer;
    if (status !== 200 || !Array.isArray(body)) return { ok: false, problem: problemOf(tried) };
    const version = await storeVersion(rest);
    const old = tooOld(version);
    if (old !== null) return { ok: false, problem: old };
    const written = (await rest.call({ path: 'webhooks', method: 'POST', body: {} })).answer;
    const notes = tried.way.auth === 'query' ? [{ code: 'header.stripped' as const }] : tried.way.auth === 'oauth' ? [{ code: 'http' as const }] : [];
    // A guard that refuses to take it is as good as a key that may only read: the webhooks are made by hand.
    return { ok: true, mayWrite: written.status !== 401 && written.status !== 403, version: version?.words ?? null, notes };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: thrown.code === 'storefront.refused' ? { code: 'keys.refused' } : unanswered(thrown) };
    throw thrown;
  }
}

function problemOf({ sent, answer }: TriedCall): StoreProblem {
  const { status, body } = answer;
  const code = wooCode(body) ?? '';
  if (isNotConsidered(answer)) return { code: 'keys.unseen' };
  if (code.startsWith('woocommerce_rest_')) return { code: status === 403 ? 'keys.user' : 'keys.refused' };
  const to = redirectOrigin({ sent, answer });
  if (to !== null) return { code: 'redirects.api', data: { to } };
  const stranger: StoreProblem = isNoApi({ sent, answer }) ? { code: 'rest.html' } : { code: 'broken', data: { status: String(status) } };
  return statusProblem(answer) ?? stranger;
}

/** Any save of an order sends its webhooks, one that changes nothing, too. */
export async function resave(access: StoreAccess, means: StoreMeans): Promise<string | null> {
  const rest = restOf(access, means);
  const [order] = readAnswer(newest, await rest.get(`orders?per_page=1&orderby=date&order=desc&_fields=id,number&${rest.uncached}`));
  if (order === undefined) return null;
  const { found } = await rest.find({ path: `orders/${order.id}`, method: 'PUT', body: {} });
  return found ? (order.number ?? order.id) : null;
}
