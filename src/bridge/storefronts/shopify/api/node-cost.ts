import type { z } from 'zod';
import { type AdminClient, type Ask, type Asked, TooDear } from './admin-client.ts';
import { halfOf } from './pace.ts';

/** One query may cost so much, and no more than the half of the points that is not left to others. */
const MOST_POINTS = 1000;
/** Before it is known what a plan has. */
const USUAL_HALF = 500;

/** What one node of a query costs, by the name of the query: the same in all shops. */
const costs = new Map<string, number>();

type Sized<Data extends z.ZodType> = { name: string; most: number; ask(size: number): Ask<Data> };

/** Sends a query for as many nodes as its cost allows: fewer, if those are too many. `size`: how many nodes were requested. */
export async function askSized<Data extends z.ZodType>(
  client: AdminClient,
  { name, most, ask }: Sized<Data>,
): Promise<Asked<z.output<Data>> & { size: number }> {
  let size = sizeFor(name, most, client.shop);
  while (true) {
    try {
      const asked = await client.ask({ ...ask(size), points: (costs.get(name) ?? 0) * size });
      if (asked.points !== null) costs.set(name, asked.points / size);
      return { ...asked, size };
    } catch (thrown) {
      if (!(thrown instanceof TooDear) || size === 1) throw thrown;
      size = Math.max(1, Math.floor(size / 2));
      costs.set(name, Math.min(MOST_POINTS, halfOf(client.shop) ?? USUAL_HALF) / size);
    }
  }
}

/** How many nodes fit into the points that one query may cost. */
function sizeFor(name: string, most: number, shop: string): number {
  const cost = costs.get(name);
  if (cost === undefined || cost === 0) return most;
  return Math.max(1, Math.min(most, Math.floor(Math.min(MOST_POINTS, halfOf(shop) ?? USUAL_HALF) / cost)));
}
