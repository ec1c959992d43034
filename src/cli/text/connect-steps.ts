import type { Connection } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { en } from '../words/en.ts';

/** What a person does after `connect`, for this platform. */
export function connectSteps({ id, platform, recordFrom, trialSince, access }: Connection, address: string): string[] {
  const { topics, alsoTopics = [], connectSteps: ofPlatform, api } = storefrontOf(storefronts, platform);
  const canHeal = access !== null && api?.subscriptions !== undefined;
  const { connect: say } = en.stores;
  return [
    say.next,
    say.topics(topics.join(', ')),
    ...(alsoTopics.length === 0 ? [] : [say.also(alsoTopics.join(', '))]),
    ...(canHeal ? [say.heal(id)] : []),
    ...(ofPlatform?.(address) ?? []).map((line) => `   ${line.en}`),
    trialSince === null ? say.test(localTime(recordFrom), id) : say.testOnTrial(id),
    say.look(id),
  ];
}
