import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../../../order/facts/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import type { Narrowed, Subscription, Subscriptions, WantedSubscription } from '../../store-reader.ts';
import { apiName, apiTopics } from '../payload.ts';
import { adminClient, VERSION } from './admin-client.ts';
import { CREATE_WEBHOOK, DELETE_WEBHOOK, WEBHOOKS } from './queries.ts';
import { pageInfo } from './shapes.ts';

const webhook = z.object({
  ...{ id: z.string(), topic: z.string(), uri: z.string(), format: z.string() },
  filter: z.string().nullable(),
  includeFields: z.array(z.string()),
  apiVersion: z.object({ handle: z.string(), supported: z.boolean() }),
});
const userErrors = z.array(z.object({ message: z.string() }));
const listed = z.object({ webhookSubscriptions: z.object({ nodes: z.array(webhook), pageInfo }) });
const created = z.object({ webhookSubscriptionCreate: z.object({ webhookSubscription: webhook.nullable(), userErrors }) });
const deleted = z.object({ webhookSubscriptionDelete: z.object({ deletedWebhookSubscriptionId: z.string().nullable(), userErrors }) });

/**
 * The webhooks that the app made by the API in this shop: those of its configuration file, and those typed in by a person, are in no list. Shopify
 * deletes one that failed eight times in a row.
 */
export const subscriptions: Subscriptions = {
  list,
  create,
  remove,
  hasSecrets: false,
  newSecret: () => randomBytes(32).toString('hex'),
  steps: ({ topic, address }) =>
    `In the app’s configuration file (shopify.app.toml), add the topic ${topic} with the uri ${address} under [[webhooks.subscriptions]], and run \`shopify app deploy\`. ` +
    'Without an app: in the shop’s admin under Settings > Notifications > Webhooks, create one of this topic with this address, in the format JSON.',
  topics: apiTopics,
  hidesOthers: true,
  showsAccess: true,
};

async function list(access: StoreAccess, means: StoreMeans): Promise<Subscription[]> {
  const client = adminClient(access, means);
  const found: Subscription[] = [];
  let after: string | null = null;
  do {
    const page: z.output<typeof listed> = (await client.ask({ query: WEBHOOKS, variables: { after }, data: listed })).data;
    const { nodes, pageInfo: end } = page.webhookSubscriptions;
    found.push(...nodes.map(toSubscription));
    after = end.hasNextPage ? end.endCursor : null;
  } while (after !== null);
  return found;
}

async function create(access: StoreAccess, { topic, address }: WantedSubscription, means: StoreMeans): Promise<Subscription> {
  if (!apiTopics.includes(topic)) throw new Failure('storefront.refused', `the topic ${topic} is set in the app’s configuration alone, not by its API`);
  refuseOtherSecret(access, means);
  const make = () => made(access, { topic, address }, means);
  const first = await make();
  if (first !== null) return first;
  // One with this topic and address may have been made a moment ago.
  const taken = (await list(access, means)).filter((one) => one.topic === topic && one.address === address);
  const right = taken.find(({ narrowed }) => narrowed === undefined);
  if (right !== undefined) return right;
  // One that does not bring all keeps the shop from making one that does.
  for (const { id } of taken) await remove(access, id, means);
  const second = taken.length === 0 ? null : await make();
  if (second !== null) return second;
  throw new Failure('storefront.refused', `the shop does not make a webhook for ${topic}; its address must be https, and the app needs the scope read_orders`);
}

/** Null: the shop does not make it. All fields of all events, as JSON. */
async function made(access: StoreAccess, { topic, address }: Pick<WantedSubscription, 'topic' | 'address'>, means: StoreMeans): Promise<Subscription | null> {
  const variables = { topic: apiName(topic), webhook: { uri: address, format: 'JSON' } };
  const asked = await adminClient(access, means).ask({ query: CREATE_WEBHOOK, variables, data: created });
  const { webhookSubscription } = asked.data.webhookSubscriptionCreate;
  return webhookSubscription === null ? null : toSubscription(webhookSubscription);
}

// What the API makes is signed with the app's secret: its deliveries would be refused.
function refuseOtherSecret(access: StoreAccess, { secret }: StoreMeans): void {
  const own = access['clientSecret'];
  if (own === undefined || secret === undefined || own === secret) return;
  throw new Failure(
    'storefront.refused',
    'webhooks that the app makes are signed with its client secret, which is not the secret of this connection; give it with `orderbridge rotate-secret`',
  );
}

async function remove(access: StoreAccess, id: string, means: StoreMeans): Promise<void> {
  // What it says against that is that there is no such webhook.
  await adminClient(access, means).ask({ query: DELETE_WEBHOOK, variables: { id }, data: deleted });
}

function toSubscription(listed: z.output<typeof webhook>): Subscription {
  const { id, topic, uri, apiVersion } = listed;
  const narrowed = narrowedBy(listed);
  return {
    ...{ id, topic: apiTopics.find((one) => apiName(one) === topic) ?? topic.toLowerCase(), address: uri, state: 'active', attemptedAt: null },
    ...(narrowed === null ? {} : { narrowed }),
    ...(apiVersion.handle === VERSION ? {} : { remark: otherVersion(apiVersion) }),
  };
}

// Metafields come beside all else, and narrow nothing.
function narrowedBy({ format, filter, includeFields }: z.output<typeof webhook>): Narrowed | null {
  if (format !== 'JSON') return 'format';
  if ((filter ?? '') !== '') return 'filter';
  return includeFields.length > 0 ? 'fields' : null;
}

/** A webhook has the version of its app: making it anew changes nothing. */
function otherVersion({ handle, supported }: { handle: string; supported: boolean }): string {
  return (
    `the app’s webhooks come in the API version ${handle}${supported ? '' : ', which the platform no longer supports'}, and ${VERSION} is what is read here: ` +
    `set ${VERSION} as the webhooks’ API version in the app’s configuration, and release it`
  );
}
