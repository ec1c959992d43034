import { z } from 'zod';
import { Failure } from '../../../order/facts/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { StoreFailure } from '../../store-failure.ts';
import { Denied, refusalOf } from '../status-words.ts';
import { accessToken, isGrant, tokensOfCall } from './access-token.ts';
import { busy, type Cost, LONGEST_WAIT_MS, leftToOthers, NOTHING, pauseFor, Remembered, remember, waitForHalf, waitForPoints } from './pace.ts';

/** One query or mutation. `cost`: what it is expected to cost; absent: what it cost before. */
export type Ask<Data extends z.ZodType> = { query: string; variables?: Readonly<Record<string, unknown>>; data: Data; cost?: Cost };

/**
 * `cost`: null: the shop did not say it. `hidesBuyers`: fields of buyers are null because the app may not see
 * them.
 */
export type QueryResult<Data> = { data: Data; cost: Cost | null; hidesBuyers: boolean };

/**
 * Calls the Admin API of one shop. Half of the app's points there are left to others. Throws `Failure('storefront.unreachable')` or `storefront.refused`;
 * `LeftToOthers` if the app's own half does not come back in time.
 */
export type AdminClient = {
  /** The address of its shop. */
  shop: string;
  ask<Data extends z.ZodType>(ask: Ask<Data>): Promise<QueryResult<z.output<Data>>>;
};

/** A query that costs more than the shop allows for one. */
export class TooDear extends Failure {
  constructor() {
    super('storefront.unreachable', 'the shop refuses the query because it costs too much; report it');
  }
}

export const VERSION = '2026-10';
/** Throttled more often than this, it is somebody else who uses up the points. */
const ATTEMPTS = 6;
/** What queries cost the last time, whichever shop answered. */
const costs = new Remembered<Cost>(100);

/** The errors of an answer whose status is 200. What they say in words is not passed on: it is the shop's text, and may repeat what was sent. */
const answered = z
  .array(
    z.object({
      path: z.array(z.union([z.string(), z.number()])).nullish(),
      extensions: z.object({ code: z.string().nullish(), typeName: z.unknown().optional(), fieldName: z.unknown().optional() }).nullish(),
    }),
  )
  .nullish()
  .transform((errors) =>
    (errors ?? []).map(({ path, extensions }) => ({ path: path ?? [], code: extensions?.code ?? '', named: [extensions?.typeName, extensions?.fieldName] })),
  );

const envelope = z.object({
  data: z.unknown().optional(),
  errors: answered,
  extensions: z
    .object({
      cost: z.object({
        requestedQueryCost: z.number(),
        actualQueryCost: z.number().nullish(),
        throttleStatus: z.object({ maximumAvailable: z.number(), currentlyAvailable: z.number(), restoreRate: z.number() }),
      }),
    })
    .optional()
    .catch(undefined),
});
type Envelope = z.output<typeof envelope>;

/** `waitsMs`: for so long each call waits for points. */
export function adminClient(access: StoreAccess, means: StoreMeans, { waitsMs = LONGEST_WAIT_MS }: { waitsMs?: number } = {}): AdminClient {
  const shop = access.url;
  const { signal } = means;
  const send = sender(access, means);
  return {
    shop,
    async ask({ data: shape, cost: known, ...ask }) {
      const expected = known ?? costs.get(ask.query) ?? NOTHING;
      let otherwise: () => Failure = leftToOthers;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        await pauseFor(waitForHalf(shop, expected), { signal, longestMs: waitsMs, otherwise });
        const answer = await send(ask);
        if (answer === 'renewed') continue;
        const { extensions, errors } = answer;
        const cost = costOf(answer, { shop, query: ask.query });
        if (!errors.some(({ code }) => code === 'THROTTLED'))
          return { data: dataOf({ ...answer, byApp: isGrant(access) }, shape), cost, hidesBuyers: hidesBuyer(errors) };
        otherwise = busy;
        await pauseFor(pointsMs(extensions), { signal, longestMs: waitsMs, otherwise });
      }
      throw busy();
    },
  };
}

/** Sends with a token of this access. renewed: the token was refused, and the next one is another. */
function sender(access: StoreAccess, means: StoreMeans): (sent: Pick<Ask<z.ZodType>, 'query' | 'variables'>) => Promise<Envelope | 'renewed'> {
  const tokens = means.tokens ?? tokensOfCall();
  let refused: string | undefined;
  return async ({ query, variables = {} }) => {
    const token = await accessToken(access, { ...means, tokens }, refused);
    const url = `${access.url}/admin/api/${VERSION}/graphql.json`;
    const { status, body } = await means.fetchJson({ url, method: 'POST', headers: { 'x-shopify-access-token': token.text }, body: { query, variables } });
    if (status === 401 && !token.isFixed && refused === undefined) {
      refused = token.text;
      return 'renewed';
    }
    if (status !== 200) throw refusalOf(status, { body, byApp: isGrant(access) });
    const parsed = envelope.safeParse(body);
    if (!parsed.success || (parsed.data.data === undefined && parsed.data.errors.length === 0)) throw notShopify();
    return parsed.data;
  };
}

/** What the query costs, which is remembered with what is left at the shop; null: the shop does not say it. */
function costOf({ extensions }: Envelope, { shop, query }: { shop: string; query: string }): Cost | null {
  if (extensions === undefined) return null;
  const { requestedQueryCost: requested, actualQueryCost, throttleStatus } = extensions.cost;
  remember(shop, throttleStatus);
  // One that was throttled cost nothing yet.
  const cost = { requested, actual: actualQueryCost ?? requested };
  costs.set(query, cost);
  return cost;
}

/** Until what was throttled may be sent, ms; where the shop does not say it, a second. */
function pointsMs(extensions: Envelope['extensions']): number {
  return extensions === undefined ? 1000 : waitForPoints(extensions.cost.throttleStatus, extensions.cost.requestedQueryCost);
}

function dataOf<Data extends z.ZodType>({ data, errors, byApp }: { data?: unknown; errors: Errors; byApp: boolean }, shape: Data): z.output<Data> {
  if (errors.some(({ code }) => code === 'MAX_COST_EXCEEDED')) throw new TooDear();
  const failure = failureOf({ errors, data, byApp });
  if (failure !== null) throw failure;
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.map(String).join('.')).join(', ');
  throw new Failure(
    'storefront.unreachable',
    `the shop’s answer is not as the Admin API ${VERSION} describes it (${where.slice(0, 300)}); it is called again later`,
  );
}

function notShopify(): Failure {
  return new Failure('storefront.unreachable', 'the answer is not Shopify’s; check that the address is the shop’s own, which ends in .myshopify.com');
}

type Errors = z.output<typeof answered>;

/** Fields of the buyer, null for apps that may not see them. */
const PERSONAL: ReadonlySet<unknown> = new Set(['email', 'phone', 'firstName', 'lastName', 'billingAddress', 'shippingAddress']);

/** `byApp`: it was requested with a token that the merchant granted to an app, not with one that was typed in. */
type Answered = { errors: Errors; data: unknown; byApp: boolean };

/** What is wrong with an answer; null: nothing, or only that the app may not see the buyer. */
function failureOf({ errors: all, data, byApp }: Answered): Failure | null {
  const errors = all.filter((error) => !(data && isOfBuyer(error)));
  const [first] = errors;
  if (first === undefined) return null;
  if (errors.some(({ code }) => code === 'ACCESS_DENIED')) return new Denied(DENIED, { byApp });
  const outdated = errors.find(({ code }) => /^[a-z]+([A-Z][a-z]+)+$/.test(code));
  if (outdated !== undefined) return new StoreFailure('storefront.refused', outdatedWords(outdated), null);
  const code = /^[A-Z_]{1,40}$/.test(first.code) ? ` (${first.code})` : '';
  return new Failure('storefront.unreachable', `the shop could not answer the query${code}; it is called again later`);
}

/** Codes of this kind are of the API's schema: no later call ends them, only another release of this program. */
function outdatedWords({ code, named }: Errors[number]): string {
  const names = named.filter((name) => typeof name === 'string' && /^\w{1,60}$/.test(name));
  return `the shop’s API does not take the query (${[code, names.join('.')].filter((part) => part !== '').join(' ')}): its version is another one than this release was made for; upgrade orderbridge, and report it`;
}

/** Were fields of the buyer hidden from the app? */
function hidesBuyer(errors: Errors): boolean {
  return errors.some(isOfBuyer);
}

function isOfBuyer({ code, path }: Errors[number]): boolean {
  return code === 'ACCESS_DENIED' && path.some((step) => PERSONAL.has(step));
}

const DENIED =
  'the shop denies access to what was queried; grant the app the scope read_orders and, if it is a public one, access to protected customer data, and install it again';
