import { expect, test } from 'vitest';
import { monthOf, sofiaDay } from '../../../src/service/law/calendar.ts';
import { type AuditCli, juneOrder, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();

/** A file of a month that is in its term today, with two paid orders that are not recorded. */
async function incomplete(): Promise<AuditCli & { month: string }> {
  const cli = await startCli();
  await cli.create(juneOrder(1));
  await cli.service(['audit', 'generate', ...cli.of]);
  const month = monthOf(sofiaDay(new Date().toISOString()));
  for (const table of ['orders', 'audit_files', 'audit_months'])
    await cli.server.pool.query(`update compliance.${table} set month = to_date($1, 'YYYY-MM') where shop_id = $2`, [month, cli.shopId]);
  const left = { month, orders: 2, total: '24.00', currency: 'EUR', oldest: new Date().toISOString(), codes: { 'payment.unmapped': 2 } };
  await cli.server.pool.query('insert into compliance.outstanding (shop_id, at, months) values ($1, now(), $2)', [cli.shopId, JSON.stringify([left])]);
  return { ...cli, month, of: ['--shop', cli.shopId, '--month', month] };
}

test('mark-filed refuses, says what is missing and what to do, and takes --without-outstanding', async () => {
  await using cli = await incomplete();

  const refused = await cli.service(['audit', 'mark-filed', ...cli.of]);
  const filed = await cli.service(['audit', 'mark-filed', ...cli.of, '--without-outstanding']);

  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(`2 paid orders (24.00 EUR; payment.unmapped: 2) of ${cli.month} are not recorded (as of 20`);
  expect(refused.err).toMatch(/`orderbridge review`.*audit generate.*--without-outstanding/);
  expect(filed.code).toBe(0);
  expect(filed.out).toMatch(/^Filed without 2 paid orders \(24\.00 EUR; payment\.unmapped: 2\) that are not recorded: later files list them\.\nVersion 1 /);
});

test('the list of months and the page say it, and what a month was filed without', async () => {
  await using cli = await incomplete();
  const list = async () => (await cli.service(['audit', 'list', '--shop', cli.shopId])).out;
  const json = async () => JSON.parse((await cli.service(['audit', 'list', '--shop', cli.shopId, '--json'])).out);

  expect(await list()).toMatch(/due by +paid, not recorded\n.* 2 \(24\.00 EUR\)\n$/);
  expect((await json())[0]).toMatchObject({ month: cli.month, outstanding: { orders: 2, totals: [{ currency: 'EUR', total: '24.00' }] } });
  expect((await cli.service(['audit', 'show', ...cli.of])).out).toContain('ГОТОВ, НО НЕПЪЛЕН');

  await cli.service(['audit', 'mark-filed', ...cli.of, '--without-outstanding']);

  expect((await json()).find(({ month }: { month: string }) => month === cli.month)).toMatchObject({ state: 'filed', filedWithout: { orders: 2 } });
  expect((await cli.service(['audit', 'show', ...cli.of])).out).toContain('Тогава не бяха записани');
});
