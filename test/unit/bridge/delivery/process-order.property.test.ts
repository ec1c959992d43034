import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import { sameContent } from '../../../../src/bridge/order/money/same-content.ts';
import { lifeEvents, type ServiceOf, SimulatedLife } from '../../../support/attempts/simulated-life.ts';
import { runs } from '../../../support/run-size.ts';
import { sampleTerms } from '../../../support/samples/sample-claim.ts';

const CALM_ATTEMPTS = 12;
/** What a person must look at is left to the person. */
const askedFor = new Set(['review', 'unconfirmed']);

/** Lives through everything, then in calm weather, until nothing is left to do. */
async function live(service: ServiceOf, all: Parameters<SimulatedLife['live']>[0][]): Promise<SimulatedLife> {
  const life = new SimulatedLife(service);
  for (const lifeEvent of all) await life.live(lifeEvent);
  life.ledger.expire();
  life.refresh();
  for (let attempts = 0; attempts < CALM_ATTEMPTS; attempts += 1) {
    await life.attempt([]);
    life.confirm();
  }
  return life;
}

describe.each([
  ['honours Idempotency-Key', { honoursKeys: true, lists: false }],
  ['honours it and lists its records', { honoursKeys: true, lists: true }],
  ['ignores it', { honoursKeys: false, lists: false }],
])('whatever happens to an order, at a service that %s', (_what, kind) => {
  const some = { numRuns: runs(80, 500) };

  test('a create that is repeated under its key has the same content', async () => {
    await fc.assert(
      fc.asyncProperty(lifeEvents, async (all) => {
        const { service } = await live(kind, all);
        expect(service.changed).toEqual([]);
      }),
      some,
    );
  });

  test('two records of it never exist at once', async () => {
    await fc.assert(
      fc.asyncProperty(lifeEvents, async (all) => {
        const { service } = await live(kind, all);
        expect(service.most).toBeLessThanOrEqual(1);
      }),
      some,
    );
  });

  test('no create is sent that is not in the journal', async () => {
    await fc.assert(
      fc.asyncProperty(lifeEvents, async (all) => {
        const { service, ledger } = await live(kind, all);
        expect(service.keys.filter((key) => !ledger.journal.has(key))).toEqual([]);
      }),
      some,
    );
  });

  test('it comes to rest with the right record, or a person is asked', async () => {
    await fc.assert(
      fc.asyncProperty(lifeEvents, async (all) => {
        const { service, ledger, connection } = await live(kind, all);
        const { order } = ledger;
        const wanted = wantedOf(order, sampleTerms(connection));

        expect([ledger.isAtRest, order.state]).toEqual([true, expect.not.stringMatching('queued')]);
        expect([...service.records.keys()]).toEqual(order.current === null ? [] : [order.current.complianceId]);
        // Settings that came after a record do not undo it, even if it could not be decided by them.
        if (askedFor.has(order.state) || wanted.kind === 'problems') return;
        const stands = [...service.records.values()];
        expect(stands.length).toBe(wanted.kind === 'record' ? 1 : 0);
        if (wanted.kind === 'record') expect(stands.every((one) => sameContent(one, wanted.record))).toBe(true);
      }),
      some,
    );
  });
});

test('an order that is recorded twice stays in review, whatever happens to it, until a person has looked', async () => {
  await fc.assert(
    fc.asyncProperty(lifeEvents, async (all) => {
      const life = new SimulatedLife({ honoursKeys: true, lists: false });
      await life.double();
      for (const lifeEvent of all) if (lifeEvent.what !== 'release' && lifeEvent.what !== 'settings') await life.live(lifeEvent);

      expect(life.ledger.order).toMatchObject({ state: 'review', review: { code: 'record.doubled' } });
    }),
    { numRuns: runs(80, 500) },
  );
});
