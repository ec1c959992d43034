import { z } from 'zod';
import { Failure } from '../../order/facts/failure.ts';
import type { StoreAnswer, StoreMeans } from '../contract.ts';
import type { HomepageInspection, StoreHint, StoreProblem } from '../onboarding.ts';
import { NoStoreAnswer, unanswered } from '../store-failure.ts';
import { takesHandOver } from './hand-over.ts';
import { decodeEntities, wooCode } from './payload.ts';
import { homeIn, indexRequest, isRedirect, onlyAddsSlash, type Rest, type RestAddress, redirectOrigin } from './rest.ts';

/** Where the store is, whether its REST API is open, and whether it can hand keys over: by what anybody may ask, without a key. */
export async function inspectHomepage(typed: string, means: StoreMeans): Promise<HomepageInspection> {
  const address = typedAddress(typed);
  if (address === null) return { ok: false, problem: { code: 'address.invalid' } };
  try {
    return await inspectAddress(address, means);
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: unanswered(thrown) };
    throw thrown;
  }
}

async function inspectAddress(typed: URL, means: StoreMeans): Promise<HomepageInspection> {
  const homepage = await readHomepage(typed, means);
  if ('problem' in homepage) return { ok: false, ...homepage };
  const api = await findApi(homepage, means);
  if ('problem' in api) return { ok: false, ...api };
  const { base: url, home, name, permalinks } = api;
  const canHandOver = permalinks !== 'plain' && (await takesHandOver(url, means));
  return { ok: true, url, home, name, permalinks, canHandOver, notes: notesOf({ typed, url, permalinks, canHandOver }) };
}

type Noted = { typed: URL; url: string; permalinks: 'pretty' | 'index' | 'plain'; canHandOver: boolean };

function notesOf({ typed, url, permalinks, canHandOver }: Noted): StoreProblem<StoreHint>[] {
  const { host, origin, protocol } = new URL(url);
  return [
    ...(host === typed.host ? [] : [{ code: 'redirected' as const, data: { to: origin } }]),
    ...(protocol === 'https:' ? [] : [{ code: 'http' as const }]),
    ...(permalinks === 'plain' ? [{ code: 'permalinks.plain' as const }] : []),
    ...(canHandOver || permalinks === 'plain' ? [] : [{ code: 'handover.blocked' as const }]),
  ];
}

/** `base`: of all addresses of the API. */
type FoundApi = { base: string; home: string; name: string | null; permalinks: RestAddress['path'] };

type Place = { base: string; by: RestAddress['path'] };
type HomepageAnswer = Place & { sent: string; answer: StoreAnswer };

const index = z.object({ name: z.string().max(200).transform(decodeEntities).nullish().catch(null), namespaces: z.array(z.string()) });

const FIELDS = 'name,home,namespaces';
const NEEDED = 'wc/v3';

/** Where the REST API is: where the page's header says, else where it usually is. */
async function findApi(homepage: Homepage, means: StoreMeans): Promise<FoundApi | Unfit> {
  const named = namedPlace(homepage);
  const asked: HomepageAnswer[] = [];
  for (const place of named === null ? usualPlaces(homepage.address) : [named]) {
    const sent = indexRequest({ url: place.base }, place.by).url.replace('_fields=home', `_fields=${FIELDS}`);
    const answer = await means.fetchJson({ url: sent });
    const parsed = answer.status === 200 ? index.safeParse(answer.body) : null;
    if (parsed?.success === true) return judged(place, answer.body, parsed.data);
    asked.push({ ...place, sent, answer });
  }
  return { problem: problemOf(homepage, asked, named !== null) };
}

function judged({ base, by }: Place, body: unknown, { name, namespaces }: z.output<typeof index>): FoundApi | Unfit {
  if (namespaces.includes(NEEDED)) return { base, home: homeIn(body) ?? base, name: name ?? null, permalinks: by };
  const isOld = namespaces.some((each) => /^wc\/v\d$/.test(each));
  return { problem: isOld ? { code: 'shop.old', data: { needed: OLDEST } } : { code: 'shop.missing' } };
}

/** As WordPress says it of itself, on each of its pages. The page's own scheme and port count: WordPress behind a proxy may think it is called over http. */
function namedPlace({ address, answer }: Homepage): Place | null {
  const [, given] = /<([^<>]+)>; ?rel="https:\/\/api\.w\.org\/"/.exec(answer.link ?? '') ?? [];
  const root = given === undefined ? null : URL.parse(given, address.href);
  if (root === null) return null;
  const origin = root.hostname === address.hostname ? address.origin : `${address.protocol}//${root.host}`;
  if (root.searchParams.has('rest_route')) return { base: origin + root.pathname.replace(/\/(index\.php)?$/, ''), by: 'plain' };
  const [, folder, isIndex] = /^(.*?)(\/index\.php)?\/wp-json\/?$/.exec(root.pathname) ?? [];
  return folder === undefined ? null : { base: origin + folder, by: isIndex === undefined ? 'pretty' : 'index' };
}

function usualPlaces({ origin, pathname }: URL): Place[] {
  const bases = [...new Set([origin + pathname.replace(/\/[^/]*$/, ''), origin])];
  return bases.flatMap((base) => (['pretty', 'index', 'plain'] as const).map((by) => ({ base, by })));
}

/** The problem that says most, of all the answers. */
function problemOf({ answer: page }: Homepage, asked: readonly HomepageAnswer[], isWordPress: boolean): StoreProblem {
  const problems = [...asked.map(({ answer }) => answer), page].flatMap((answer) => statusProblem(answer) ?? []);
  const closed = problems.find(({ code }) => code === 'rest.closed') ?? problems[0] ?? redirected(asked);
  return closed ?? { code: isWordPress ? 'rest.html' : 'site.other' };
}

/** An API that is not where the page is: what is typed next is where it leads, and that is looked at like any other address. */
function redirected(asked: readonly HomepageAnswer[]): StoreProblem | null {
  const to = asked.filter(({ sent, answer }) => !onlyAddsSlash(sent, answer)).flatMap((one) => redirectOrigin(one) ?? [])[0];
  return to === undefined ? null : { code: 'redirects.api', data: { to } };
}

/** What is at the typed address, or where that leads. */
type Homepage = { address: URL; answer: StoreAnswer };
type Unfit = { problem: StoreProblem };

const MOST_REDIRECTS = 5;

/** Asks for the head of the page, https first whatever was typed. Each address on the way is checked as it is called. */
async function readHomepage(typed: URL, means: StoreMeans): Promise<Homepage | Unfit> {
  try {
    return await follow(withScheme(typed, 'https:'), means, MOST_REDIRECTS);
  } catch (thrown) {
    if (!(thrown instanceof NoStoreAnswer) || !(thrown.why === 'no-tls' || (thrown.why === 'refused' && typed.protocol === 'http:'))) throw thrown;
    return await overHttp(typed, means);
  }
}

/** Such a store is called only where nobody is on the way. */
async function overHttp(typed: URL, means: StoreMeans): Promise<Homepage | Unfit> {
  try {
    return await follow(withScheme(typed, 'http:'), means, MOST_REDIRECTS);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'storefront.refused') return { problem: { code: 'https.missing' } };
    throw thrown;
  }
}

async function follow(address: URL, means: StoreMeans, left: number): Promise<Homepage | Unfit> {
  const answer = await means.fetchJson({ url: address.href, method: 'HEAD' });
  if (!isRedirect(answer.status) || answer.location === undefined) return { address, answer };
  const to = URL.parse(answer.location, address.href);
  if (left === 0 || to === null || to.href === address.href) return { problem: { code: 'redirects.loop' } };
  return await follow(to, means, left - 1);
}

function withScheme(typed: URL, protocol: string): URL {
  const url = new URL(typed);
  url.protocol = protocol;
  return url;
}

/** Why an answer is no page of the shop and no word of its API; null: it may be one. */
export function statusProblem({ status, body, isChallenge, retryAfterMs }: StoreAnswer): StoreProblem | null {
  if (isChallenge === true) return { code: 'challenge' };
  if (status === 401 || status === 403) return { code: wooCode(body) !== null ? 'rest.closed' : status === 401 ? 'locked' : 'firewall' };
  if (status === 406 || status === 429) return { code: 'firewall' };
  if (status === 503 || (status === 500 && retryAfterMs !== undefined)) return { code: 'maintenance' };
  return status >= 500 ? { code: 'broken', data: { status: String(status) } } : null;
}

/** Pages of WordPress itself, and what follows them: people copy the address of the page that they are at. */
const OWN_PAGES = /\/(wp-(admin|json|content|includes|login\.php)|index\.php)(\/.*)?$/;

/** The address of a store as people type or copy it, over https unless a scheme is given; null: it is none. */
function typedAddress(typed: string): URL | null {
  const text = typed.trim();
  const url = /\s|@/.test(text) ? null : URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !isHost(url.hostname)) return null;
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(OWN_PAGES, '/');
  return url;
}

/** A name of the internet has a dot; this machine and literal addresses are for trying it out. */
function isHost(name: string): boolean {
  return /[^.]\.[^.]/.test(name) || name === 'localhost' || name.startsWith('[');
}

/**
 * The oldest WooCommerce whose orders can be read by when they changed: 5.8 brought `modified_after` and `dates_are_gmt`. An older one ignores both, and
 * would answer with every order that it ever had. The custom topics, `orderby=modified` and `_fields` are older; newer interfaces can be done without.
 */
const OLDEST = '5.8';

const system = z.object({ environment: z.object({ version: z.string().min(1).max(40), wp_version: z.string().max(40).catch('') }) });

/** `shop`: of WooCommerce, such as "10.5.0". `words`: with that of WordPress. */
type StoreVersion = { shop: string; words: string };

/** Null: the store does not say it, such as to a user who may see orders alone. */
export async function storeVersion(rest: Rest): Promise<StoreVersion | null> {
  const { status, body } = (await rest.call({ path: 'system_status?_fields=environment' })).answer;
  const said = status === 200 ? system.safeParse(body).data : undefined;
  if (said === undefined) return null;
  const { version: shop, wp_version: base } = said.environment;
  return { shop, words: [`WooCommerce ${shop}`, ...(base === '' ? [] : [`WordPress ${base}`])].join(', ') };
}

/** What to say of a version that is too old; null: it will do, or is not known. */
export function tooOld(version: StoreVersion | null): StoreProblem | null {
  if (version === null || !/^\d/.test(version.shop) || version.shop.localeCompare(OLDEST, 'en', { numeric: true }) >= 0) return null;
  return { code: 'shop.old', data: { needed: OLDEST, version: version.shop } };
}
