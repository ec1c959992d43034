import { readFileSync } from 'node:fs';
import { buildSchema, type DefinitionNode, type DocumentNode, execute, Kind, OperationTypeNode, parse, validate } from 'graphql';
import type { Bucket } from './grants.ts';
import { isJson, type Json } from './json.ts';
import { answerCost, queryCost } from './query-cost.ts';
import { rootOf } from './shop-root.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';
import { covers, type ShopifyApp } from './shopify-app.ts';
import { grantToken } from './token-endpoint.ts';

type Request = { path: string; token: string; body: Json };
type Answer = { status: number; body: Json };

/** An app that calls the API with a token that is good. `app`: absent for the shop's own one, which needs no approval. */
export type Caller = { clientId: string; scopes: readonly string[]; bucket: Bucket; app: ShopifyApp | undefined; hidesBuyers: boolean };

/** A cut of the schema that Shopify publishes for its Admin API 2026-10: what is queried of it. */
export const schema = buildSchema(readFileSync(new URL('./schema.sdl', import.meta.url), 'utf8'));
const MOST_FOR_ONE = 1000;
const PERSONAL = ['email', 'phone', 'billingAddress', 'shippingAddress'];

const valid = new Map<string, DocumentNode>();

/** Throws what is wrong with it by the schema: a query of ours is valid. */
export function validQuery(text: string): DocumentNode {
  const known = valid.get(text);
  if (known !== undefined) return known;
  const document = parse(text);
  const wrong = validate(schema, document);
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('; '));
  valid.set(text, document);
  return document;
}

/** What the shop answers. */
export async function serveAdmin(shop: ShopifyAdmin, { path, token, body }: Request): Promise<Answer> {
  if (path === '/admin/oauth/access_token') return grantToken(shop, body);
  if (path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: { errors: 'Not Found' } };
  const caller = callerOf(shop, token);
  if (caller === null) return { status: 401, body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' } };
  if (caller === 'must-expire')
    return { status: 403, body: { errors: 'Non-expiring access tokens are no longer accepted. Migrate to expiring offline access tokens.' } };
  return { status: 200, body: await runQuery(shop, caller, body) };
}

function callerOf({ state, tokens, grants, apps }: ShopifyAdmin, token: string): Caller | 'must-expire' | null {
  const { clientId, scopes, bucket, hidesBuyers, hasOwnApp } = state;
  if (hasOwnApp && (token === state.token || (tokens.get(token) ?? 0) > state.now())) return { clientId, scopes, bucket, app: undefined, hidesBuyers };
  const holder = grants.holderOf(token);
  if (holder === null) return null;
  const app = apps.get(holder.clientId);
  if (app?.mustExpire === true && holder.lasts) return 'must-expire';
  return { clientId: holder.clientId, scopes: holder.scopes, bucket: holder.bucket, app, hidesBuyers: hidesBuyers || app?.customerData !== 2 };
}

async function runQuery(shop: ShopifyAdmin, caller: Caller, { query, variables }: Json): Promise<Json> {
  const { bucket } = caller;
  const [text, values] = [String(query), isJson(variables) ? variables : {}];
  const document = validQuery(text);
  const cost = queryCost(document, values);
  shop.asked.push({ path: 'graphql', query: text, variables: values, cost });
  if (cost > MOST_FOR_ONE) return failed(`Query cost is ${cost}, which exceeds the single query max cost limit (1000).`, 'MAX_COST_EXCEEDED');
  refill(bucket);
  if (cost > bucket.currentlyAvailable) return { ...failed('Throttled', 'THROTTLED'), ...costOf(bucket, cost) };
  bucket.currentlyAvailable -= cost;
  const denied = deniedOf(text, caller);
  if (denied !== null) return { ...failed(denied, 'ACCESS_DENIED'), data: null, ...costOf(bucket, cost) };
  const result = await execute({ schema, document, rootValue: rootOf(shop, caller), variableValues: values });
  const { data, errors: own = [] } = JSON.parse(JSON.stringify(result));
  const errors = [...own, ...(caller.hidesBuyers ? hideBuyers(data, []) : [])];
  const actual = Math.max(1, document.definitions.some(isMutation) ? cost : Math.min(cost, answerCost(data) - 1));
  bucket.currentlyAvailable += cost - actual;
  shop.spent += actual;
  return { data, ...(errors.length === 0 ? {} : { errors }), ...costOf(bucket, cost, actual) };
}

function isMutation(definition: DefinitionNode): boolean {
  return definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION;
}

function deniedOf(text: string, { scopes, app }: Caller): string | null {
  if (!/\borders\b|Order\b/.test(text)) return null;
  if (!covers(scopes, ['read_orders'])) return 'Access denied for orders field. Required access: `read_orders` access scope.';
  return app?.customerData === 0 ? 'This app is not approved to access the Order object.' : null;
}

/** Makes the fields of buyers null, and says of each that it is denied. */
function hideBuyers(value: unknown, path: readonly (string | number)[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((item, nth) => hideBuyers(item, [...path, nth]));
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!PERSONAL.includes(name)) return hideBuyers(inner, [...path, name]);
    value[name] = null;
    return [{ message: `This app is not approved to use the ${name} field.`, path: [...path, name], extensions: { code: 'ACCESS_DENIED' } }];
  });
}

function failed(message: string, code: string): Json {
  return { errors: [{ message, extensions: { code, documentation: 'https://shopify.dev/api/usage/limits' } }] };
}

const refilledAt = new WeakMap<Bucket, number>();

// In real time: that is what a caller can wait for.
function refill(bucket: Bucket): void {
  const now = Date.now();
  const restored = ((now - (refilledAt.get(bucket) ?? now)) / 1000) * bucket.restoreRate;
  refilledAt.set(bucket, now);
  bucket.currentlyAvailable = Math.min(bucket.maximumAvailable, bucket.currentlyAvailable + restored);
}

function costOf(bucket: Bucket, requestedQueryCost: number, actualQueryCost: number | null = null): Json {
  return { extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus: { ...bucket } } } };
}
