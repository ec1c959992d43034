import { describe, expect, test } from 'vitest';
import { type Facts, noFacts } from '../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../src/bridge/order/facts/merge.ts';
import type { Normalized, Storefront } from '../../src/bridge/storefronts/contract.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import type { Sample, StorefrontSamples } from '../support/samples/storefront-samples.ts';

const FIRST = '2026-11-21T02:00:00.000Z';
const AGAIN = '2026-11-21T03:00:00.000Z';

const cases = await Promise.all(
  Object.entries<Storefront>(storefronts).map(async ([platform, storefront]) => {
    const { samples }: { samples: StorefrontSamples } = await import(`../fixtures/${platform}/battery.ts`);
    const bodies = [...samples.orders, ...(samples.others ?? [])];
    const topics = [...storefront.topics, ...(storefront.alsoTopics ?? []), ...bodies.map(({ topic }) => topic)];
    return { platform, storefront, bodies, topics: [...new Set(topics)] };
  }),
);

describe.each(cases)('finding 8: a captured webhook of $platform, sent again as any other topic', ({ storefront, bodies, topics }) => {
  test.each(bodies)('changes no order, closes nothing and erases nobody: $name', (sample) => {
    const own = normalize(storefront, sample);
    const known = own.kind === 'order' ? factsOf(own.news, FIRST) : noFacts;

    for (const topic of topics.filter((other) => other !== sample.topic)) {
      const again = normalize(storefront, { ...sample, topic });
      const facts = again.kind === 'order' ? merge(known, factsOf(again.news, AGAIN)) : known;
      expect({ topic, kind: again.kind, facts }).toEqual({ topic, kind: harmless(own, again), facts: orPaid(known, again) });
    }
  });

  test.each(bodies)('means something under its own topic: $name', (sample) => {
    const own = normalize(storefront, sample);

    expect(own.kind === 'unreadable' || (own.kind === 'warning' && own.isTopicMismatch === true)).toBe(false);
  });
});

/** Whole orders say the same under each topic of whole orders. */
function harmless(own: Normalized, again: Normalized): Normalized['kind'] {
  if (['warning', 'ignored', 'unreadable'].includes(again.kind)) return again.kind;
  return own.kind === 'order' && own.news.snapshot !== undefined ? 'order' : 'warning';
}

/** A topic may say that a paid order was paid by this very change: then it gives the moment of payment, and nothing else. */
function orPaid(known: Facts, again: Normalized): Facts {
  if (again.kind !== 'order') return known;
  const { paidAt, snapshot } = again.news;
  return snapshot?.payment === 'paid' && paidAt === snapshot.updatedAt ? { ...known, paidAt } : known;
}

function normalize(storefront: Storefront, { topic, body }: Pick<Sample, 'topic' | 'body'>): Normalized {
  return storefront.normalize({ topic, deliveryId: null, store: null }, body);
}
