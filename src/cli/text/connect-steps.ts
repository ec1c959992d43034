import type { Connection } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { localTime } from '../../platform/terminal/local-time.ts';

/** What a person does after `connect`, for this platform. */
export function connectSteps({ id, platform, recordFrom, trialSince, access }: Connection, address: string): string[] {
  const { topics, alsoTopics = [], connectSteps: ofPlatform, api } = storefrontOf(storefronts, platform);
  const canHeal = access !== null && api?.subscriptions !== undefined;
  return [
    'What to do next:',
    `1. In the store, send these topics to the webhookUrl, signed with the secret that you gave:\n   ${topics.join(', ')}`,
    ...(alsoTopics.length === 0 ? [] : [`   also: ${alsoTopics.join(', ')}`]),
    ...(canHeal ? [`   If the key may write, \`orderbridge subscriptions ${id} --heal\` makes the webhooks, and nothing is to be typed in the store.`] : []),
    ...(ofPlatform?.(address) ?? []).map((line) => `   ${line.en}`),
    trialSince === null
      ? `2. Place a test order there. Orders paid before ${localTime(recordFrom)} are ignored, also if they are saved again; \`orderbridge backfill ${id}\` takes them in where the store can be read, \`recordFrom\` in its settings changes the time.`
      : `2. Place a test order there. Nothing is submitted on trial: \`orderbridge start-recording ${id} --from now\` ends it.`,
    `3. Look at it with \`orderbridge orders --connection ${id}\`, and at what waits for you with \`orderbridge review\`.`,
  ];
}
