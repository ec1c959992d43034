import { z } from 'zod';
import { Failure } from '../../../order/failure.ts';
import type { StoreAccess, StoreAnswer, StoreMeans } from '../../contract.ts';
import { refusalOf } from '../status-words.ts';
import { accessToken, isGrant, type Token, tokensOfCall } from './access-token.ts';
import { answered, type Errors, failureOf, hidesBuyer, isThrottled, isTooDear } from './answer-errors.ts';
import { busy, pauseFor, remember, waitForHalf, waitForPoints } from './pace.ts';

/** One query or mutation. `points`: what it is expected to cost; 0: not known. */
export type Ask<Data extends z.ZodType> = { query: string; variables?: Readonly<Record<string, unknown>>; data: Data; points?: number };

/**
 * `points`: what the query cost by what it requested; null: the shop did not say it. `hidesBuyers`: fields of buyers are null because the app may not see
 * them.
 */
export type Asked<Data> = { data: Data; points: number | null; hidesBuyers: boolean };

/** Calls the Admin API of one shop. Throws `Failure('storefront.unreachable')` or `storefront.refused`. */
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

const envelope = z.object({
  data: z.unknown().optional(),
  errors: answered,
  extensions: z
    .object({
      cost: z.object({
        requestedQueryCost: z.number(),
        throttleStatus: z.object({ maximumAvailable: z.number(), currentlyAvailable: z.number(), restoreRate: z.number() }),
      }),
    })
    .optional()
    .catch(undefined),
});
type Envelope = z.output<typeof envelope>;

/** `leavesHalf`: half of the shop's points are left to others, as by what may take its time. */
export function adminClient(access: StoreAccess, means: StoreMeans, { leavesHalf }: { leavesHalf: boolean }): AdminClient {
  const shop = access.url;
  const { signal } = means;
  const tokens = means.tokens ?? tokensOfCall();
  let refused: string | undefined;

  async function send({ query, variables = {} }: Pick<Ask<z.ZodType>, 'query' | 'variables'>): Promise<StoreAnswer & { token: Token }> {
    const token = await accessToken(access, { ...means, tokens }, refused);
    const url = `${access.url}/admin/api/${VERSION}/graphql.json`;
    const answer = await means.fetchJson({ url, method: 'POST', headers: { 'x-shopify-access-token': token.text }, body: { query, variables } });
    return { ...answer, token };
  }

  /** Null: it is to be sent again. */
  async function read(answer: StoreAnswer & { token: Token }): Promise<Envelope | null> {
    const { status, body, token } = answer;
    if (status === 401 && !token.isFixed && refused === undefined) {
      refused = token.text;
      return null;
    }
    if (status !== 200) throw refusalOf(status, { body, byApp: isGrant(access) });
    const parsed = envelope.safeParse(body);
    if (!parsed.success || (parsed.data.data === undefined && parsed.data.errors.length === 0)) throw notShopify();
    const { extensions, errors } = parsed.data;
    if (extensions !== undefined) remember(shop, extensions.cost.throttleStatus);
    if (!isThrottled(errors)) return parsed.data;
    const cost = extensions?.cost;
    await pauseFor(cost === undefined ? 1000 : waitForPoints(cost.throttleStatus, cost.requestedQueryCost), signal);
    return null;
  }

  return {
    shop,
    async ask({ data: shape, points: expected = 0, ...ask }) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (leavesHalf) await pauseFor(waitForHalf(shop, expected), signal);
        const answer = await read(await send(ask));
        if (answer === null) continue;
        const points = answer.extensions?.cost.requestedQueryCost ?? null;
        return { data: dataOf(answer, shape), points, hidesBuyers: hidesBuyer(answer.errors) };
      }
      throw busy();
    },
  };
}

function dataOf<Data extends z.ZodType>({ data, errors }: { data?: unknown; errors: Errors }, shape: Data): z.output<Data> {
  if (isTooDear(errors)) throw new TooDear();
  const failure = failureOf(errors, data);
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
