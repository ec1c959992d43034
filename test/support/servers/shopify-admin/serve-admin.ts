import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema, type DocumentNode, execute, parse, validate } from 'graphql';
import { queryCost } from './query-cost.ts';
import { rootOf } from './shop-root.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';
import { isJson, type Json } from './to-graphql.ts';

type Request = { path: string; token: string; body: Json };
type Answer = { status: number; body: Json };

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
  if (path === '/admin/oauth/access_token') return makeToken(shop, body);
  if (path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: { errors: 'Not Found' } };
  if (!isGood(shop, token)) return { status: 401, body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' } };
  return { status: 200, body: await runQuery(shop, body) };
}

function isGood({ state, tokens }: ShopifyAdmin, token: string): boolean {
  return token === state.token || (tokens.get(token) ?? 0) > state.now();
}

function makeToken(shop: ShopifyAdmin, body: Json): Answer {
  const { state, tokens } = shop;
  shop.asked.push({ path: '/admin/oauth/access_token', query: '', variables: {}, cost: 0 });
  const isRight = body['grant_type'] === 'client_credentials' && body['client_id'] === state.clientId && body['client_secret'] === state.clientSecret;
  if (!isRight)
    return { status: 400, body: { error: 'invalid_client', error_description: `Client authentication failed for ${String(body['client_secret'])}` } };
  const token = `shpat_${randomBytes(12).toString('hex')}`;
  tokens.set(token, state.now() + state.tokenSeconds * 1000);
  return { status: 200, body: { access_token: token, scope: state.scopes.join(','), expires_in: state.tokenSeconds } };
}

async function runQuery(shop: ShopifyAdmin, { query, variables }: Json): Promise<Json> {
  const { state } = shop;
  const [text, values] = [String(query), isJson(variables) ? variables : {}];
  const document = validQuery(text);
  const cost = queryCost(document, values);
  shop.asked.push({ path: 'graphql', query: text, variables: values, cost });
  if (cost > MOST_FOR_ONE) return failed(`Query cost is ${cost}, which exceeds the single query max cost limit (1000).`, 'MAX_COST_EXCEEDED');
  refill(shop);
  if (cost > state.bucket.currentlyAvailable) return { ...failed('Throttled', 'THROTTLED'), ...costOf(shop, cost) };
  state.bucket.currentlyAvailable -= cost;
  if (/\borders\b|Order\b/.test(text) && !state.scopes.some((scope) => scope.endsWith('_orders')))
    return { ...failed('Access denied for orders field. Required access: `read_orders` access scope.', 'ACCESS_DENIED'), data: null, ...costOf(shop, cost) };
  const result = await execute({ schema, document, rootValue: rootOf(shop), variableValues: values });
  const { data, errors = [] } = JSON.parse(JSON.stringify(result));
  const denied = state.hidesBuyers
    ? PERSONAL.map((field) => ({
        message: `This app is not approved to use the ${field} field.`,
        path: ['nodes', 0, field],
        extensions: { code: 'ACCESS_DENIED' },
      }))
    : [];
  return { data, ...(errors.length + denied.length === 0 ? {} : { errors: [...errors, ...denied] }), ...costOf(shop, cost) };
}

function failed(message: string, code: string): Json {
  return { errors: [{ message, extensions: { code, documentation: 'https://shopify.dev/api/usage/limits' } }] };
}

const refilledAt = new WeakMap<ShopifyAdmin, number>();

// In real time: that is what a caller can wait for.
function refill(shop: ShopifyAdmin): void {
  const { bucket } = shop.state;
  const now = Date.now();
  const restored = ((now - (refilledAt.get(shop) ?? now)) / 1000) * bucket.restoreRate;
  refilledAt.set(shop, now);
  bucket.currentlyAvailable = Math.min(bucket.maximumAvailable, bucket.currentlyAvailable + restored);
}

function costOf({ state }: ShopifyAdmin, requestedQueryCost: number): Json {
  return { extensions: { cost: { requestedQueryCost, actualQueryCost: requestedQueryCost, throttleStatus: { ...state.bucket } } } };
}
