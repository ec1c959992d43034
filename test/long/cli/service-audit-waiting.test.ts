import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type AuditCli, juneOrder, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();

const generate = ({ service, of }: AuditCli, ...more: string[]) => service(['audit', 'generate', ...of, ...more]);

async function versions({ server, shopId }: AuditCli): Promise<number> {
  const { rows } = await server.pool.query<{ n: number }>('select count(*)::int as n from compliance.audit_files where shop_id = $1', [shopId]);
  return rows[0]?.n ?? 0;
}

describe('a replacement that may be on its way', () => {
  const WAIT_MS = 15 * 60_000;

  /** One order is recorded, another was deleted; the wait ends so many milliseconds from now. */
  async function deletedBefore(cli: AuditCli, left: number): Promise<void> {
    await cli.create(juneOrder(1));
    await cli.remove((await cli.create(juneOrder(2))).id);
    const deletedAt = new Date(Date.now() - WAIT_MS + left);
    await cli.server.pool.query('update compliance.deleted_orders set deleted_at = $1 where shop_id = $2', [deletedAt, cli.shopId]);
  }

  test('is waited for, and the output says until when', async () => {
    await using cli = await startCli();
    await deletedBefore(cli, 4_000);
    const started = Date.now();

    const { code, err } = await generate(cli);

    expect(code).toBe(0);
    expect(err).toMatch(/^An order .* was just deleted.*: waiting until 20.*Z\. With --now it does not wait\.\n$/);
    const [, until = ''] = /until (\S+)\. /.exec(err) ?? [];
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
    expect(Date.parse(until)).toBeGreaterThan(started);
  });

  test('is not waited for once it has come', async () => {
    await using cli = await startCli();
    await deletedBefore(cli, WAIT_MS);
    let coming: Promise<unknown> = Promise.resolve();
    const onNote = () => {
      coming = cli.create(juneOrder(2));
    };

    const { code, out } = await cli.service(['audit', 'generate', ...cli.of, '--json'], { onNote });

    await coming;
    expect([code, JSON.parse(out)]).toMatchObject([0, { file: { sums: { orders: 2 } } }]);
  });

  test('is not waited for with --now', async () => {
    await using cli = await startCli();
    await deletedBefore(cli, WAIT_MS);

    expect(await generate(cli, '--now')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 order, ') });
  });

  test('is waited for until an interrupt', async () => {
    await using cli = await startCli();
    await deletedBefore(cli, WAIT_MS);
    const stop = new AbortController();

    const { code, err } = await cli.service(['audit', 'generate', ...cli.of], { signal: stop.signal, onNote: () => stop.abort() });

    expect([code, err]).toEqual([1, expect.stringContaining('orderbridge: interrupted; no file was made')]);
    expect(await versions(cli)).toBe(0);
  });
});

describe('on a terminal', () => {
  test('a bar shows how many orders are done, and disappears', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    const { err, out } = await cli.service(['audit', 'generate', ...cli.of], { terminal: true });

    expect(err).toMatch(/█+ 100 % {2}1 of 1 orders/);
    expect(out).not.toContain('█');
  });

  test('an interruption while it is made leaves nothing', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    const { code, err } = await cli.service(['audit', 'generate', ...cli.of, '--out', 'june.xml'], { signal: AbortSignal.abort() });

    expect([code, err]).toEqual([1, 'orderbridge: interrupted; no file was made\n']);
    expect([await versions(cli), await readdir(cli.directory)]).toEqual([0, []]);
  });
});
