import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService } from '../../../src/app/embedded-service.ts';
import type { Config } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/secret.ts';
import { addMonths, monthOf, sofiaDay } from '../../../src/service/law/calendar.ts';
import { longTest } from '../../support/long-test.ts';
import { drawn } from '../../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { Bridge } from '../../support/worlds/bridge.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { until } from '../../support/worlds/settled.ts';

const HOUR_MS = 3_600_000;

let postgres: TestPostgres;
let redis: TestRedis;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(() => Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]));

/** Role compliance with a shop whose day is the first of the month, and one order of last month. */
async function startShop(config: Partial<Config>, redisUrl?: string) {
  const databaseUrl = await postgres.createDatabase();
  const bridge = await Bridge.start({
    databaseUrl,
    role: 'compliance',
    config: { sweepSeconds: 0.2, ...config },
    ...(redisUrl === undefined ? {} : { redisUrl }),
  });
  const { core, url } = bridge.app;
  await using service = await openService(core);
  const call = callerOf(url, await service.keys.create({ multiShop: true }));
  const { body: shop } = await call('POST', '/shop', { body: shopDto({ auditGenerationDay: 1 }) });
  const { body: order } = await call('POST', '/order', { body: orderDto(String(shop['id'])) });
  // On the first of a month the files of the one before are made from six in the morning on.
  const last = addMonths(monthOf(sofiaDay(new Date(Date.now() - 6 * HOUR_MS).toISOString())), -1);
  return {
    bridge,
    call,
    orderId: String(order['id']),
    last,
    moveToLastMonth: () => core.pool.query('update compliance.orders set month = $1', [`${last}-01`]),
  };
}

describe.each(drawn([{ queue: 'Redis' }, { queue: 'PostgreSQL' }]))('role compliance, its queues on $queue', ({ queue }) => {
  test('mails a receipt and the file of an ended month', async () => {
    await using smtp = await startSmtp();
    const mail = { smtpUrl: new Secret(smtp.url), from: 'audit@service.example' };
    const { bridge, call, orderId, last, moveToLastMonth } = await startShop({ mail }, queue === 'Redis' ? redis.url : undefined);
    await using _ = bridge;

    await call('POST', `/order/${orderId}/receipt`);
    await moveToLastMonth();

    await until(async () => expect(smtp.taken.map(({ to }) => to.join()).toSorted()).toEqual(['ivan@buyer.example', 'shop@cups.example']), {
      what: 'receipt and audit file to be mailed',
    });
    expect(smtp.taken.find(({ to }) => to.includes('shop@cups.example'))?.text).toContain(`audit_RF0000123_${last}_v1.xml`);
  });
});

longTest('without a mail server the mails are files in the outbox', async () => {
  const { bridge, call, orderId } = await startShop({});
  await using _ = bridge;

  await call('POST', `/order/${orderId}/receipt`);

  const outbox = join(bridge.app.core.config.dataDir, 'outbox');
  await until(async () => expect((await readdir(outbox)).filter((name) => name.endsWith('.eml'))).toHaveLength(1), {
    what: 'the .eml file',
  });
});

test('what needs attention is in the metrics', async () => {
  const { bridge, call } = await startShop({});
  await using _ = bridge;
  const { body: shop } = await call('POST', '/shop', { body: shopDto() });
  await call('POST', '/order', { body: orderDto(String(shop['id']), { currency: 'USD' }) });

  const metrics = await (await fetch(`${bridge.app.url}/metrics`)).text();

  expect(metrics).toMatch(/^orderbridge_compliance_orders_without_rate 1$/m);
  expect(metrics).toMatch(/^orderbridge_compliance_mails\{state="failed"\} 0$/m);
});

longTest('orders are accepted while the queue is down', async () => {
  await using own = await startRedis();
  const { bridge, call } = await startShop({}, own.url);
  await using _ = bridge;
  const { body: shop } = await call('POST', '/shop', { body: shopDto() });

  await own.stop();
  const { status } = await call('POST', '/order', { body: orderDto(String(shop['id'])) });

  expect(status).toBe(200);
  expect((await fetch(`${bridge.app.url}/readyz`)).status).toBe(200);
});
