import type { z } from 'zod';
import { type AdminClient, type Ask, type QueryResult, TooDear } from './admin-client.ts';
import { type Cost, halfOf, Remembered } from './pace.ts';

/** One query may cost so much, and no more than the half of the points that is not left to others. */
const MOST_POINTS = 1000;

/** What one node of a query cost, by its shop and name: the orders of one shop have more lines than those of another. */
const costs = new Remembered<Cost>(1_000);

/** `guess`: what one node costs by Shopify's documented sums, until the shop says it. */
type Sized<Data extends z.ZodType> = { name: string; most: number; guess: number; ask(size: number): Ask<Data> };

/** Sends a query for as many nodes as its cost allows: fewer, if those are too many. `size`: how many nodes were requested. */
export async function askSized<Data extends z.ZodType>(
  client: AdminClient,
  { name, most, guess, ask }: Sized<Data>,
): Promise<QueryResult<z.output<Data>> & { size: number }> {
  const key = `${client.shop} ${name}`;
  const known = costs.get(key) ?? { requested: guess, actual: guess };
  let size = sizeFor(known.requested, most, client.shop);
  while (true) {
    try {
      const asked = await client.ask({ ...ask(size), cost: { requested: known.requested * size, actual: known.actual * size } });
      if (asked.cost !== null) costs.set(key, { requested: asked.cost.requested / size, actual: asked.cost.actual / size });
      return { ...asked, size };
    } catch (thrown) {
      if (!(thrown instanceof TooDear) || size === 1) throw thrown;
      size = Math.max(1, Math.floor(size / 2));
      const most = mostPoints(client.shop) / size;
      costs.set(key, { requested: most, actual: Math.min(known.actual, most) });
    }
  }
}

/** How many nodes fit into the points that one query may cost. */
function sizeFor(cost: number, most: number, shop: string): number {
  return Math.max(1, Math.min(most, Math.floor(mostPoints(shop) / cost)));
}

function mostPoints(shop: string): number {
  return Math.min(MOST_POINTS, halfOf(shop) ?? MOST_POINTS);
}
