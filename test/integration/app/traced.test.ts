import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliveriesOfOrder } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Traces } from '../../../src/platform/traces.ts';
import { type Collector, startCollector } from '../../support/servers/collector.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { edited, totals, useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

function open({ url = 'http://127.0.0.1:1', share = 1, onProblem = () => undefined }: Partial<ConstructorParameters<typeof Traces>[0]> = {}): Traces {
  return new Traces({ url: `${url}/v1/traces`, share, service: 'test', onProblem });
}

/** Traces and a log; `attempts`: waits until so many are over. */
function logged(collector: Collector) {
  const traces = open(collector);
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', name: 'test', fields: traces.fields, destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const isOver = ({ event }: Record<string, unknown>) => event === 'order.processed';
  return {
    traces,
    log,
    lines,
    attempts: (count: number) => until(() => lines.filter(isOver).length >= count, { what: `${count} attempts` }),
  };
}

const named = (of: string, name = 'work') => ({ of, isFirst: false, name, kind: 'INTERNAL', attributes: {} }) as const;

test('an attempt at what several webhooks brought is in the trace of the newest one, and linked to the others; the log names both', async () => {
  await using collector = await startCollector();
  const { traces, log, lines, attempts } = logged(collector);
  await using it = await world({ log, traces, config: { quietSeconds: 3_600 } });
  const connected = await it.bridge.connect();
  expect(await it.bridge.send(connected, 'order.paid', { order: orderOf('1') })).toBe(200);
  await until(async () => (await it.bridge.order(connected, '1')) !== null, { what: 'the first webhook to be recorded' });
  expect(await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') })).toBe(200);
  await until(async () => (await it.bridge.order(connected, '1'))?.revision === 2, { what: 'the second webhook to be recorded' });
  await it.bridge.pool.query('update orders set due_at = now()');

  const order = await it.bridge.settled(connected, '1', 'recorded');
  await attempts(1);
  await traces[Symbol.asyncDispose]();

  expect(totals(it.service, '1')).toEqual(['30.00']);
  const [first, second] = (await deliveriesOfOrder(it.bridge.pool, order.id)).map(({ id }) => id.replaceAll('-', ''));
  const attempt = collector.spans.find(({ name }) => name === 'attempt');
  expect(attempt).toMatchObject({ traceId: second, parentSpanId: second?.slice(16), links: [{ traceId: first, spanId: first?.slice(16) }] });
  expect(attempt?.attributes).toEqual({ 'orderbridge.order': order.id, 'orderbridge.outcome': 'recorded' });
  expect(lines.filter(({ event }) => event === 'webhook').map(({ trace_id }) => trace_id)).toEqual([first, second]);
  expect(lines.find(({ event }) => event === 'order.processed')).toMatchObject({ trace_id: second, span_id: attempt?.spanId, trace_flags: '01' });
});

test('what begins without a delivery has a trace of its own', async () => {
  await using collector = await startCollector();
  const { traces, log, attempts } = logged(collector);
  await using it = await world({ log, traces });
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'barter', transactionId: null } }) });
  const order = await it.bridge.settled(connected, '1', 'review');
  await attempts(1);
  await it.bridge.pool.query("update orders set state = 'queued', review_revision = 0, dirty_since = now(), due_at = now() where id = $1", [order.id]);
  await attempts(2);
  await traces[Symbol.asyncDispose]();

  const [delivery] = await deliveriesOfOrder(it.bridge.pool, order.id);
  const spans = collector.spans.filter(({ name }) => name === 'attempt');
  expect(spans.map(({ traceId, parentSpanId }) => [traceId === delivery?.id.replaceAll('-', ''), parentSpanId === undefined])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('work of several traces is a span of each that is kept, and these are linked', async () => {
  await using collector = await startCollector();
  const traces = open({ ...collector, share: 0.5 });
  const ids = Array.from({ length: 40 }, () => randomUUIDv7());
  const kept = ids.filter(traces.keeps).map((id) => id.replaceAll('-', ''));
  expect(kept.length).toBeGreaterThan(3);
  expect(kept.length).toBeLessThan(37);

  await traces.spans(
    ids.map((id) => named(id)),
    async () => undefined,
  );
  await traces[Symbol.asyncDispose]();

  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(kept);
  const [first, ...others] = kept;
  expect(collector.spans.map(({ links }) => links.map(({ traceId }) => traceId))).toEqual([others, ...others.map(() => [first])]);
});

test('of a trace that is not kept no span is made, and servers are told so', async () => {
  await using collector = await startCollector();
  const traces = open({ ...collector, share: 0 });
  const id = randomUUIDv7();

  const headers = await traces.spans([named(id)], () => traces.below(named(id, 'call'), async (told) => told));
  await traces[Symbol.asyncDispose]();

  const traceId = id.replaceAll('-', '');
  expect(headers).toEqual({ traceparent: `00-${traceId}-${traceId.slice(16)}-00` });
  expect(collector.spans).toEqual([]);
});

test('every process keeps the same share of traces', async () => {
  await using one = open({ share: 0.1 });
  await using other = open({ share: 0.1 });
  const ids = Array.from({ length: 5_000 }, () => randomUUIDv7());
  const kept = ids.filter(one.keeps);

  expect(ids.filter(other.keeps)).toEqual(kept);
  expect(kept.length).toBeGreaterThan(350);
  expect(kept.length).toBeLessThan(650);
});

test('a span tells of an error its class or code, and nothing that its message says', async () => {
  await using collector = await startCollector();
  const traces = open(collector);

  await expect(traces.spans([named(randomUUIDv7())], () => Promise.reject(new TypeError('maria@example.invalid')))).rejects.toThrow('maria');
  await traces[Symbol.asyncDispose]();

  expect(collector.spans.map(({ status, attributes }) => [status.code, attributes])).toEqual([[2, { 'error.type': 'TypeError' }]]);
  expect(collector.bodies.join()).not.toContain('maria');
});

test('a collector that does not take spans is reported, and no work fails', async () => {
  await using collector = await startCollector();
  const problems: string[] = [];
  const traces = open({ url: `${collector.url}/elsewhere`, onProblem: (words) => problems.push(words) });

  expect(await traces.spans([named(randomUUIDv7())], async () => 'done')).toBe('done');
  await traces[Symbol.asyncDispose]();

  expect(problems.length).toBeGreaterThan(0);
});
