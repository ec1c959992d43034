import { execute } from 'graphql';
import type { FetchJson } from '../../../../src/bridge/storefronts/contract.ts';
import { isJson } from './json.ts';
import { schema, validQuery } from './serve-admin.ts';
import { nodeOf } from './shop-root.ts';
import type { StoredOrder } from './to-graphql.ts';

/** An Admin API that has these orders, without a server around it. */
export function apiOf(orders: readonly StoredOrder[], { timeZone = 'Europe/Sofia' }: { timeZone?: string } = {}): FetchJson {
  const node = ({ id }: { id: string }) => nodeOf(orders, id);
  const rootValue = {
    shop: { ianaTimezone: timeZone },
    node,
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => node({ id })),
    orders: () => ({
      nodes: orders.map(({ body }) => node({ id: `gid://shopify/Order/${String(body['id'])}` })),
      pageInfo: { hasNextPage: false, endCursor: null },
    }),
  };
  return async ({ body }) => {
    if (!isJson(body) || !isJson(body['variables'])) throw new Error('not a query');
    const answer = await execute({ schema, document: validQuery(String(body['query'])), rootValue, variableValues: body['variables'] });
    return { status: 200, body: JSON.parse(JSON.stringify(answer)) };
  };
}
