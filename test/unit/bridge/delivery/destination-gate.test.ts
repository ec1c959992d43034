import { describe, expect, test } from 'vitest';
import type { Lane, Pause } from '../../../../src/bridge/delivery/compliance-gateway.ts';
import { createGate, type PauseLedger } from '../../../../src/bridge/delivery/destination-gate.ts';

const START = Date.parse('2026-11-21T10:00:00Z');

/** A gate over pauses that are kept in memory, at a time that the test moves. */
function gateAt(pauses: Pause[] = []) {
  const seen = { now: START, probes: [] as number[], resumed: 0, asked: 0 };
  const ledger: PauseLedger = {
    async pauses() {
      seen.asked += 1;
      return [...pauses];
    },
    async pause(what, waitMs) {
      const made = { ...what, failures: 1, since: new Date(seen.now).toISOString(), until: new Date(seen.now + waitMs(1)).toISOString() };
      pauses.push(made);
      return made;
    },
    async resume({ destinationId, shopId, lane }) {
      const at = pauses.findIndex((one) => one.destinationId === destinationId && one.shopId === shopId && one.lane === lane);
      return at >= 0 && pauses.splice(at, 1).length === 1;
    },
  };
  const gate = createGate({
    ledger,
    now: () => seen.now,
    random: () => 0,
    probeAt: async (_scope, at) => void seen.probes.push(at - START),
    resumed: async () => {
      seen.resumed += 1;
    },
    onPause: () => undefined,
  });
  return { gate, seen, pauses };
}

const doubt = { detail: '500' };
const RECORDS = { destinationId: 'd', lane: 'records' } as const;
const RECEIPTS = { destinationId: 'd', lane: 'receipts' } as const;
const called = (shopId: string, lane: Lane = 'records') => ({ destinationId: 'd', shopId, lane });

describe('a gate', () => {
  test('is not closed by one order that fails again and again', async () => {
    const { gate, pauses } = gateAt();

    for (let times = 0; times < 10; times += 1) await gate.doubt(RECORDS, { orderId: 1, ...doubt });

    expect(pauses).toEqual([]);
  });

  test('is closed when several orders fail in a row, and not when one succeeds between them', async () => {
    const { gate, pauses } = gateAt();

    for (const orderId of [1, 2]) await gate.doubt(RECORDS, { orderId, ...doubt });
    await gate.passed(called('s'));
    for (const orderId of [3, 4]) await gate.doubt(RECORDS, { orderId, ...doubt });
    expect(pauses).toEqual([]);
    await gate.doubt(RECORDS, { orderId: 5, ...doubt });

    expect(pauses).toMatchObject([{ destinationId: 'd', shopId: null, code: 'compliance.failing' }]);
    expect(await gate.closed(called('s'))).toMatchObject({ code: 'compliance.failing' });
  });

  test('waits a little for a service that asks to wait for no time', async () => {
    const { gate, seen } = gateAt();

    await gate.hold({ ...RECORDS, shopId: null }, { code: 'compliance.throttled', detail: '429', retryAfterMs: 0 });

    expect(seen.probes).toEqual([500]);
  });

  test('that another process opened holds nobody up for long', async () => {
    const { gate, seen, pauses } = gateAt();
    await gate.hold({ ...RECORDS, shopId: null }, { code: 'compliance.throttled', detail: '429', retryAfterMs: 60_000 });
    expect(await gate.closed(called('s'))).not.toBeNull();

    pauses.length = 0;
    seen.now += 150;

    expect(await gate.closed(called('s'))).toBeNull();
  });

  test('of one shop is not the gate of another, and both scopes end with a success', async () => {
    const { gate, seen, pauses } = gateAt();
    const reason = { code: 'compliance.misconfigured', detail: '404', retryAfterMs: null } as const;
    await gate.hold({ ...RECORDS, shopId: 's' }, reason);

    expect(await gate.closed(called('other'))).toBeNull();
    expect(await gate.closed(called('s'))).not.toBeNull();

    await gate.hold({ ...RECORDS, shopId: null }, reason);
    await gate.passed(called('s'));
    expect([pauses, seen.resumed]).toEqual([[], 1]);
  });

  test('that is open asks the ledger once a second at most', async () => {
    const { gate, seen } = gateAt();

    for (let times = 0; times < 100; times += 1) await gate.closed(called('s'));

    expect(seen.asked).toBe(1);
  });
});

describe('a gate that receipts closed', () => {
  const reason = { code: 'compliance.misconfigured', detail: '403', retryAfterMs: null } as const;

  test('is open for records, and a record that passes does not open it for receipts', async () => {
    const { gate, pauses } = gateAt();
    await gate.hold({ ...RECEIPTS, shopId: null }, reason);

    expect(await gate.closed(called('s'))).toBeNull();
    expect(await gate.closed(called('s', 'receipts'))).toMatchObject({ code: 'compliance.misconfigured' });
    await gate.passed(called('s'));
    expect(pauses).toHaveLength(1);
    await gate.passed(called('s', 'receipts'));
    expect(pauses).toEqual([]);
  });

  test('by answers of unknown meaning is so after those to several orders, whatever records come to between them', async () => {
    const { gate, pauses } = gateAt();

    for (const orderId of [1, 2, 3]) {
      await gate.passed(called('s'));
      await gate.doubt(RECEIPTS, { orderId, ...doubt });
    }

    expect(pauses).toMatchObject([{ lane: 'receipts', code: 'compliance.failing' }]);
  });

  test('a gate that records closed is closed for receipts', async () => {
    const { gate } = gateAt();

    await gate.hold({ ...RECORDS, shopId: null }, reason);

    expect(await gate.closed(called('s', 'receipts'))).not.toBeNull();
  });
});
