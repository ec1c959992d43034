import { z } from 'zod';
import type { StoreAnswer, StoreMeans } from '../contract.ts';
import type { LookProblem } from '../onboarding.ts';
import { decodeEntities } from './entities.ts';
import { homeIn } from './home-in.ts';
import type { Front, Unfit } from './look-front.ts';
import { statusProblem } from './look-problem.ts';
import { indexRequest } from './rest-request.ts';
import { onlyAddsSlash, redirectOrigin, type Way } from './rest-way.ts';
import { OLDEST } from './store-version.ts';

/** `base`: of all addresses of the API. */
export type FoundApi = { base: string; home: string; name: string | null; permalinks: Way['path'] };

type Place = { base: string; by: Way['path'] };
type Asked = Place & { sent: string; answer: StoreAnswer };

const index = z.object({ name: z.string().max(200).transform(decodeEntities).nullish().catch(null), namespaces: z.array(z.string()) });

const FIELDS = 'name,home,namespaces';
const NEEDED = 'wc/v3';

/** Where the REST API is: where the page's header says, else where it usually is. */
export async function findApi(front: Front, means: StoreMeans): Promise<FoundApi | Unfit> {
  const named = namedPlace(front);
  const asked: Asked[] = [];
  for (const place of named === null ? usualPlaces(front.address) : [named]) {
    const sent = indexRequest({ url: place.base }, place.by).url.replace('_fields=home', `_fields=${FIELDS}`);
    const answer = await means.fetchJson({ url: sent });
    const parsed = answer.status === 200 ? index.safeParse(answer.body) : null;
    if (parsed?.success === true) return judged(place, answer.body, parsed.data);
    asked.push({ ...place, sent, answer });
  }
  return { problem: problemOf(front, asked, named !== null) };
}

function judged({ base, by }: Place, body: unknown, { name, namespaces }: z.output<typeof index>): FoundApi | Unfit {
  if (namespaces.includes(NEEDED)) return { base, home: homeIn(body) ?? base, name: name ?? null, permalinks: by };
  const isOld = namespaces.some((each) => /^wc\/v\d$/.test(each));
  return { problem: isOld ? { code: 'shop.old', data: { needed: OLDEST } } : { code: 'shop.missing' } };
}

/** As WordPress says it of itself, on each of its pages. The page's own scheme and port count: WordPress behind a proxy may think it is called over http. */
function namedPlace({ address, answer }: Front): Place | null {
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
function problemOf({ answer: page }: Front, asked: readonly Asked[], isWordPress: boolean): LookProblem {
  const problems = [...asked.map(({ answer }) => answer), page].flatMap((answer) => statusProblem(answer) ?? []);
  const closed = problems.find(({ code }) => code === 'rest.closed') ?? problems[0] ?? redirected(asked);
  return closed ?? { code: isWordPress ? 'rest.html' : 'site.other' };
}

/** An API that is not where the page is: what is typed next is where it leads, and that is looked at like any other address. */
function redirected(asked: readonly Asked[]): LookProblem | null {
  const to = asked.filter(({ sent, answer }) => !onlyAddsSlash(sent, answer)).flatMap((one) => redirectOrigin(one) ?? [])[0];
  return to === undefined ? null : { code: 'redirects.api', data: { to } };
}
