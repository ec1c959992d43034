import { z } from 'zod';
import { quoted, type Said } from '../../../contract/said.ts';
import type { OrderNews } from '../../order/facts/facts.ts';
import { Failure } from '../../order/facts/failure.ts';
import { trimZeros } from '../amounts.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { KeyWay, StoreGuide, StoreInspection, StoreOnboarding, StoreProblem, VerifiedCredentials } from '../onboarding.ts';
import { readAt } from '../read-at.ts';
import { unanswered } from '../store-failure.ts';
import { handOver } from './hand-over.ts';
import { inspectHomepage, statusProblem, storeVersion, tooOld } from './inspect-homepage.ts';
import { changedAt, isOwnStatus, newsOf } from './normalize.ts';
import { decodeEntities, wooCode, wooOrder, wooPlaced } from './payload.ts';
import { refundsOfAll } from './read-orders.ts';
import { isNoApi, isNotConsidered, type Rest, readAnswer, redirectOrigin, restOf, type Tried } from './rest.ts';

const steps: readonly Said[] = [
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
    consumerSecret: { en: 'Consumer secret (begins with cs_)', bg: 'Тайна – Consumer secret (започва с cs_)' },
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
        bg: 'Тайна (Secret): показаната по-долу, една и съща във всяко. Версия на API: „WP REST API Integration v3“.',
      },
    ];
  },
};

const newest = z.array(wooPlaced.pick({ id: true }).extend({ number: z.coerce.string().nullish() }));
const statuses = z.array(z.object({ slug: z.string(), name: z.string().transform(decodeEntities) }));
const taxes = z.array(z.object({ country: z.string(), rate: z.string(), name: z.string().transform(decodeEntities) }));
const gateways = z.array(z.object({ id: z.string(), title: z.string().transform(decodeEntities).catch(''), enabled: z.boolean() }));
const settings = z.array(z.object({ id: z.string(), value: z.unknown() }));

const system = z.object({
  environment: z.object({ version: z.string() }).optional(),
  settings: z.object({ currency: z.string().optional(), number_of_decimals: z.coerce.number().int().optional() }).optional(),
});

const items = z.array(z.unknown());
/** Only what is read: plugins put much more into an order. */
const FIELDS = Object.keys(wooOrder.shape).join(',');

/** Whole orders in one answer: 200 kB each would still fit into what is read of one. */
const AT_ONCE = 25;

/** A merchant connects his store by its address: the store hands its keys over, or he pastes them. */
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

/** How a merchant makes the webhooks by hand; what is wrong with the address comes first. */
export function connectSteps(address: string): readonly Said[] {
  return [
    ...problemsOf(address),
    {
      en: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook: four webhooks, one form each. In each form:',
      bg: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook: четири известия, всяко със свой формуляр. Във всеки формуляр:',
    },
    {
      en: '  Status: Active (the form begins with “Disabled”, and says nothing if it is left so)',
      bg: '  Status: Active (формулярът започва с „Disabled“ и не предупреждава, ако остане така)',
    },
    {
      en: `  Topic: ${TOPIC_NAMES}: one of them in each of the four`,
      bg: `  Topic: ${TOPIC_NAMES}: във всяко от четирите по една`,
    },
    quoted(`  Delivery URL: ${address}`),
    { en: '  Secret: the one that you gave here, the same in all four', bg: '  Secret: тайната, която дадохте тук, една и съща и в четирите' },
    { en: '  API version: “WP REST API Integration v3”, not a legacy one', bg: '  API version: „WP REST API Integration v3“, а не някоя от старите' },
    {
      en: '“Webhook updated successfully” does not mean that the secret is right: the first order shows it.',
      bg: '„Webhook updated successfully“ не означава, че тайната е вярна: показва го първата поръчка.',
    },
    {
      en: 'WooCommerce sends when a page of the shop is processed: a test order may take minutes until then.',
      bg: 'WooCommerce изпраща, когато някой отвори страница на магазина: дотогава пробна поръчка може да се забави с минути.',
    },
  ];
}

function problemsOf(address: string): Said[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const wrong: Said[] = [
    ...(PORTS.includes(url.port) ? [] : [wrongPort(url.port)]),
    ...(PRIVATE.test(url.hostname) ? [noPublicHost(url.hostname)] : []),
    ...(url.protocol === 'https:' ? [] : [NOT_HTTPS]),
  ];
  if (wrong.length === 0) return [];
  return [
    {
      en: `No store can use this address (PUBLIC_URL): ${wrong.map(({ en }) => en).join('; ')}.`,
      bg: `Никой магазин не може да използва този адрес (PUBLIC_URL): ${wrong.map(({ bg }) => bg).join('; ')}.`,
    },
  ];
}

function wrongPort(port: string): Said {
  return { en: `its port is ${port}: WordPress sends to 443, 80 and 8080 alone`, bg: `портът му е ${port}, а WordPress изпраща само до 443, 80 и 8080` };
}

function noPublicHost(host: string): Said {
  return {
    en: `${host} is no public host: WordPress refuses it (“A valid URL was not provided”), and sends nothing`,
    bg: `${host} не е публичен хост: WordPress го отказва („A valid URL was not provided“) и не изпраща нищо`,
  };
}

const NOT_HTTPS: Said = { en: 'it is not https: everybody on the way could read the orders', bg: 'не е https: всеки по пътя би могъл да прочете поръчките' };

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

function problemOf({ sent, answer }: Tried): StoreProblem {
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

/**
 * What the store knows of its taxes and payment methods, and its newest orders, placed since then, as webhooks would have them. One that can't be read
 * has no snapshot.
 */
export async function inspectStore(access: StoreAccess, means: StoreMeans, { since, most }: { since: string; most: number }): Promise<StoreInspection> {
  const rest = restOf(access, means);
  // First: whatever is wrong with address or key shows here, and is thrown.
  const orders: OrderNews[] = [];
  for (let page = 1, isLast = false; !isLast && orders.length < most; page += 1) {
    const read = await ordersOf(access, rest, { since, page, now: means.now });
    orders.push(...read.orders);
    isLast = read.isLast;
  }
  return { ...(await settingsOf(rest)), orders: orders.slice(0, most) };
}

type Page = { since: string; page: number; now: number };

// What was placed since then changed since then, too; later pages have older orders.
async function ordersOf(access: StoreAccess, rest: Rest, { since, page, now }: Page): Promise<{ orders: OrderNews[]; isLast: boolean }> {
  const from = since.slice(0, 19);
  const order = 'dates_are_gmt=true&orderby=date&order=desc';
  const path = `orders?status=any&modified_after=${from}&${order}&per_page=${AT_ONCE}&page=${page}&_fields=${FIELDS}&${rest.uncached}`;
  const { body, pages } = await rest.list(path);
  const all = readAnswer(items, body);
  const placed = all.map((item) => ({ at: readAnswer(wooPlaced, item), order: wooOrder.safeParse(item).data ?? null }));
  const listed = placed.filter(({ at }) => at.date_created_gmt >= from).map(({ at, order: whole }) => ({ id: at.id, order: whole }));
  const refunds = await refundsOfAll(
    access,
    rest,
    listed.flatMap(({ order: whole }) => whole ?? []),
  );
  const orders = listed.map(({ id, order: whole }): OrderNews => {
    if (whole === null) return { orderId: id };
    const lines = refunds.get(id);
    return { ...newsOf(whole, readAt(changedAt(whole), now)), ...(lines === undefined ? {} : { refunds: lines }) };
  });
  // A plugin may take orders out of a page: that one has few does not make it the last.
  const isEnd = pages === undefined ? all.length < AT_ONCE : page >= pages;
  return { orders, isLast: isEnd || listed.length < placed.length };
}

// What a store does not say, such as an older release or to this key, is no reason to stop.
async function settingsOf(rest: Rest): Promise<Omit<StoreInspection, 'orders'>> {
  const said = async <Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | null> => {
    const { status, body } = (await rest.call({ path })).answer;
    return status === 200 ? (schema.safeParse(body).data ?? null) : null;
  };
  const shop = await said(system, 'system_status?_fields=environment,settings');
  const ofTax = (await said(settings, 'settings/tax?_fields=id,value')) ?? [];
  const isOn = (id: string) => ofTax.filter((one) => one.id === id).map(({ value }) => value === 'yes')[0] ?? null;
  // Without `_fields` the answer has the gateways' own settings, and secrets among them.
  const paidBy = (await said(gateways, 'payment_gateways?_fields=id,title,enabled')) ?? [];
  const rates = (await said(taxes, 'taxes?per_page=100&_fields=country,rate,name')) ?? [];
  const known = (await said(statuses, 'orders/statuses')) ?? [];
  return {
    store: {
      name: null,
      currency: shop?.settings?.currency ?? null,
      decimals: shop?.settings?.number_of_decimals ?? null,
      pricesIncludeTax: isOn('woocommerce_prices_include_tax'),
      roundAtSubtotal: isOn('woocommerce_tax_round_at_subtotal'),
      version: shop?.environment?.version ?? null,
    },
    rates: rates.map(({ rate, ...one }) => ({ ...one, rate: trimZeros(rate) })),
    gateways: paidBy,
    statuses: known.map(({ slug, name }) => ({ id: slug, name })).filter(({ id }) => !isOwnStatus(id)),
  };
}
