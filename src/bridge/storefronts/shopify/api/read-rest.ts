import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, type Part, restOf } from './queries.ts';
import { pageInfo } from './shapes.ts';

const AT_ONCE = 100;

type Page<Node> = { nodes: Node[]; pageInfo: z.output<typeof pageInfo> };

/** An order can't be read whole: it changed while its pages were read, or a part of it is not as expected. */
export class NotWhole extends Error {
  override readonly name = 'NotWhole';
}

/** `id`: of the order or refund, as the API names it. `updatedAt`: when its order had changed as the first page was read. */
type Rest<Node> = { part: Part; shape: z.ZodType<Node>; first: Page<Node>; id: string; updatedAt: string };

/** All nodes of a part that comes in pages, of which the first one is known. Throws `NotWhole`. */
export async function allNodes<Node>(client: AdminClient, { part, shape, first, id, updatedAt }: Rest<Node>): Promise<Node[]> {
  const list = z.array(shape);
  const page = z.object({ nodes: z.array(z.unknown()), pageInfo });
  const change = z.string().optional();
  const data = z.object({ node: z.object({ updatedAt: change, order: z.object({ updatedAt: change }).optional(), page }).nullable() });
  const nodes = [...first.nodes];
  let end = first.pageInfo;
  while (end.hasNextPage) {
    const after = end.endCursor;
    const ask = (first: number) => ({ query: restOf(part), variables: { id, after, first }, data });
    const { node } = (await askSized(client, { name: `rest of ${part}`, most: AT_ONCE, guess: COSTS.rest, ask })).data;
    const read = list.safeParse(node?.page.nodes);
    if (!read.success || node === null || (node.updatedAt ?? node.order?.updatedAt) !== updatedAt) throw new NotWhole('the order changed while it was read');
    nodes.push(...read.data);
    end = node.page.pageInfo;
  }
  return nodes;
}
