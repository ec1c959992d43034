import { z } from 'zod';
import { Failure } from '../../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { refusalOf } from '../status-words.ts';
import { accessToken, isGrant, tokensOfCall } from './access-token.ts';
import { answered, type Errors, failureOf, hidesBuyer, isThrottled, isTooDear } from './answer-errors.ts';
import { busy, type Cost, LONGEST_WAIT_MS, leftToOthers, NOTHING, pauseFor, remember, waitForHalf, waitForPoints } from './pace.ts';
import { Remembered } from './remembered.ts';

/** One query or mutation. `cost`: what it is expected to cost; absent: what it cost before. */
export type Ask<Data extends z.ZodType> = { query: string; variables?: Readonly<Record<string, unknown>>; data: Data; cost?: Cost };

/**
 * `cost`: null: the shop did not say it. `hidesBuyers`: fields of buyers are null because the app may not see
 * them.
 */
export type Asked<Data> = { data: Data; cost: Cost | null; hidesBuyers: boolean };

/**
 * Calls the Admin API of one shop. Half of the app's points there are left to others. Throws `Failure('storefront.unreachable')` or `storefront.refused`;
 * `LeftToOthers` if the app's own half does not come back in time.
 */
export type AdminClient = {
  /** The address of its shop. */
  shop: string;
  ask<Data extends z.ZodType>(ask: Ask<Data>): Promise<Asked<z.output<Data>>>;
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
        if (!isThrottled(errors)) return { data: dataOf({ ...answer, byApp: isGrant(access) }, shape), cost, hidesBuyers: hidesBuyer(errors) };
        otherwise = busy;
        await pauseFor(pointsMs(extensions), { signal, longestMs: waitsMs, otherwise });
      }
      throw busy();
    },
  };
}

type Sent = Pick<Ask<z.ZodType>, 'query' | 'variables'>;

/** Sends with a token of this access. renewed: the token was refused, and the next one is another. */
function sender(access: StoreAccess, means: StoreMeans): (sent: Sent) => Promise<Envelope | 'renewed'> {
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
  if (isTooDear(errors)) throw new TooDear();
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
