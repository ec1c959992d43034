import { z } from 'zod';
import type { LocalizedText } from '../../../../contract/messages.ts';
import { Failure } from '../../../order/facts/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import type { HomepageInspection, KeyWay, StoreGuide, StoreOnboarding, VerifiedCredentials } from '../../onboarding.ts';
import { isGrant } from '../api/access-token.ts';
import { adminClient } from '../api/admin-client.ts';
import { PERSON_WAITS_MS } from '../api/pace.ts';
import { ONE_BUYER } from '../api/queries.ts';
import { shopAccess } from '../api/shop-access.ts';
import { mayReadOrders } from '../scopes.ts';
import { SHOP_LIKE, typedShopUrl } from '../shop-url.ts';
import { inspectStore } from './inspect-store.ts';
import { problemOf, scopeMissing, statusProblem } from './problem-of.ts';

/** What an administration made before 2026 goes on working. */
const oldApp: KeyWay = {
  id: 'old-app',
  title: { en: 'An app that was made in the store’s administration before 2026', bg: 'Приложение, създадено в администрацията на магазина преди 2026 г.' },
  steps: [
    {
      en: 'In the store’s administration, open Settings → Apps → Develop apps, and choose the app. Since 2026 no new ones can be made there.',
      bg: 'В администрацията на магазина отворете Settings → Apps → Develop apps и изберете приложението. От 2026 г. там не се създават нови.',
    },
    {
      en: 'Under Configuration, its Admin API scopes must include read_orders; save, and install the app again if you added it.',
      bg: 'Под Configuration сред правата (Admin API scopes) трябва да е read_orders; ако сте го добавили, запазете и инсталирайте приложението отново.',
    },
    {
      en: 'Under API credentials, copy the Admin API access token (the store showed it once) and the API secret key here.',
      bg: 'Под API credentials копирайте тук Admin API access token (магазинът го е показал веднъж) и API secret key.',
    },
  ],
  parts: ['accessToken', 'clientSecret'],
};

/** An app that the merchant's organisation makes for itself: the way that Shopify has left since 2026. */
const ownApp: KeyWay = {
  id: 'own-app',
  title: { en: 'An app of your own', bg: 'Собствено приложение' },
  steps: [
    {
      en: 'Open dev.shopify.com/dashboard with the account that owns the store, and create an app. Name: orderbridge.',
      bg: 'Отворете dev.shopify.com/dashboard с профила, който притежава магазина, и създайте приложение (Create app). Име: orderbridge.',
    },
    {
      en: 'In its version, add the scope read_orders under Access, and release the version. No other scope is needed.',
      bg: 'Във версията му добавете право (scope) read_orders под Access и публикувайте версията (Release). Други права не са нужни.',
    },
    {
      en: 'Press “Install app”, choose this store, and approve. The store must belong to the same organisation as the app.',
      bg: 'Натиснете „Install app“, изберете този магазин и одобрете. Магазинът трябва да е на същата организация като приложението.',
    },
    {
      en: 'Open Settings of the app, and copy Client ID and Client secret here.',
      bg: 'Отворете Settings на приложението и копирайте тук Client ID и Client secret.',
    },
  ],
  parts: ['clientId', 'clientSecret'],
};

/** How a merchant gets the keys of an app, and how they make the webhooks without one. */
export const guide: StoreGuide = {
  ways: [ownApp, oldApp],
  keyParts: {
    clientId: { en: 'Client ID', bg: 'Client ID' },
    clientSecret: { en: 'Client secret, or API secret key (often begins with shpss_)', bg: 'Client secret или API secret key (често започва с shpss_)' },
    accessToken: { en: 'Admin API access token (begins with shpat_)', bg: 'Admin API access token (започва с shpat_)' },
  },
  webhooks: ({ address, topics }) => byHand({ address, topics: topics.filter((topic) => topic in FORM_EVENTS) }),
};

const anything = z.object({ orders: z.unknown() });

/** What the shop's front page answers when nobody can use the shop; other refusals are meant for visitors alone. */
const CLOSED: ReadonlySet<number> = new Set([402, 404, 423]);

/** A merchant connects their shop by its myshopify.com address and the keys of an app: one of their own organisation, or one that was made in the admin before 2026. */
export const onboarding: StoreOnboarding = {
  title: 'Shopify',
  addressHint: {
    en: 'The address that ends in .myshopify.com; the administration shows it under Settings → Domains.',
    bg: 'Адресът, който завършва на .myshopify.com; администрацията го показва под Settings → Domains.',
  },
  inspectHomepage,
  verifyCredentials,
  secretIn: ({ clientSecret }) => clientSecret ?? null,
  inspectStore,
  inspectionDays: 60,
  guide,
};

/** The names that the store's own form has. Others can be subscribed by an app alone. */
const FORM_EVENTS: Readonly<Record<string, string>> = {
  'orders/paid': 'Order payment',
  'orders/updated': 'Order update',
  'orders/cancelled': 'Order cancellation',
  'orders/delete': 'Order deletion',
  'refunds/create': 'Refund create',
  'order_transactions/create': 'Order transaction create',
};

function byHand({ address, topics }: { address: string; topics: readonly string[] }): LocalizedText[] {
  const events = topics.map((topic) => FORM_EVENTS[topic]).join('; ');
  return [
    {
      en: `Open Settings → Notifications → Webhooks and press “Create webhook”, once for each of ${topics.length} events.`,
      bg: `Отворете Settings → Notifications → Webhooks и натиснете „Create webhook“, по веднъж за всяко от ${topics.length} събития.`,
    },
    { en: `Event: ${events}: one of them in each.`, bg: `Събитие (Event): ${events}: по едно във всяко известие.` },
    { en: `Format: JSON. URL: ${address}`, bg: `Формат (Format): JSON. Адрес (URL): ${address}` },
    {
      en: 'Webhook API version: the newest that is not called “release candidate” or “unstable”.',
      bg: 'Версия (Webhook API version): най-новата, която не е „release candidate“ или „unstable“.',
    },
    {
      en: 'The page shows with which secret it signs them: give that one to the person who sent you the link.',
      bg: 'Страницата показва с кой таен ключ се подписват: дайте го на този, който ви изпрати връзката.',
    },
  ];
}

/** Whether there is a shop of this name that is open to programs. Custom domains are not called: what answers there proves nothing of the shop. */
export async function inspectHomepage(typed: string, means: StoreMeans): Promise<HomepageInspection> {
  const url = typedShopUrl(typed);
  if (url === null) return { ok: false, problem: { code: 'address.other', data: { to: SHOP_LIKE } } };
  try {
    const { status } = await means.fetchJson({ url: `${url}/`, method: 'HEAD' });
    const problem = CLOSED.has(status) || status >= 500 ? statusProblem(status) : null;
    if (problem !== null) return { ok: false, problem };
    return { ok: true, url, home: url, name: null, permalinks: 'pretty', canHandOver: false, notes: [] };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: problemOf(thrown) };
    throw thrown;
  }
}

/**
 * Asks the shop who it is, what its app may do, and for one order with its buyer. Every app that reads orders may make webhooks; they can be verified if the
 * app's secret is known.
 */
export async function verifyCredentials(access: StoreAccess, means: StoreMeans): Promise<VerifiedCredentials> {
  try {
    const client = adminClient(access, means, { waitsMs: PERSON_WAITS_MS });
    const { domain, scopes } = await shopAccess(client);
    const own = `https://${domain}`;
    if (own !== access.url) return { ok: false, problem: { code: 'redirects.api', data: { to: own } } };
    if (!mayReadOrders(scopes)) return { ok: false, problem: scopeMissing };
    const { hidesBuyers } = await client.ask({ query: ONE_BUYER, data: anything });
    const notes = hidesBuyers ? [{ code: 'buyers.hidden' as const }] : [];
    return { ok: true, mayWrite: isSigned(access, means), version: null, notes };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: problemOf(thrown, { byApp: isGrant(access) }) };
    throw thrown;
  }
}

/** Is the secret known that the shop signs webhooks with which its app makes? */
function isSigned(access: StoreAccess, { app, secret }: StoreMeans): boolean {
  return isGrant(access) ? app !== undefined : access['clientSecret'] !== undefined || secret !== undefined;
}
