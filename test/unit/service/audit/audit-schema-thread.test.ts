import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AuditValidator, validateBlock } from '../../../../src/service/audit/format/audit-validator.ts';
import { withSchemaCheck } from '../../../../src/service/audit/format/with-schema-check.ts';
import { firstOrder, header, oneReturn, secondOrder } from './audit-samples.ts';

const many = { orders: 1, few: 0 };
const questionable = new URL('../../../support/worlds/dying-schema-thread.ts', import.meta.url).href;
const block = { header, orders: [firstOrder, { ...secondOrder, payment: 9 }], returns: [oneReturn] };
const of = (domain: string) => ({ ...block, header: { ...header, domain } });

/** How many threads this one has started that still run. */
const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length;

test('the thread finds what is found without it, in the order of the blocks', async () => {
  using validator = new AuditValidator();
  const blocks = [block, { ...block, orders: [firstOrder] }, { ...block, orders: [] }, block];
  const onThread = await withSchemaCheck(many, (check) => Promise.all(blocks.map(check)));
  expect(onThread).toEqual(blocks.map((one) => validateBlock(validator, one)));
  expect(onThread.map(({ length }) => length)).toEqual([1, 0, 0, 1]);
});

test('few orders are checked without a thread', async () => {
  const work = withSchemaCheck({ orders: 1, file: 'file:///nowhere.ts' }, (check) => check(block));
  expect(await work).toMatchObject([{ rule: 'schema.violation', order: '#1002' }]);
});

test.each([
  ['ends', 'dies.example'],
  ['computes for ever', 'busy.example'],
  ['never answers', 'hangs.example'],
])('a thread that %s fails its block and those after it, and nothing is left of it', async (_how, domain) => {
  const before = threads();
  const later: PromiseSettledResult<unknown>[] = [];
  const work = withSchemaCheck({ ...many, file: questionable, withinMs: 6_000 }, async (check) => {
    await check(of('well.example'));
    const all = [check(of(domain)), check(of('well.example')), check(of('well.example'))];
    later.push(...(await Promise.allSettled(all)));
    await Promise.all(all);
  });
  await expect(work).rejects.toThrow();
  expect(later.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect.poll(threads).toBe(before);
});

test('work that fails ends the thread', async () => {
  const before = threads();
  const during: number[] = [];
  const work = withSchemaCheck({ ...many, file: questionable }, async (check) => {
    await check(of('well.example'));
    check(of('busy.example')).catch(() => undefined);
    await turn();
    during.push(threads());
    throw new Error('no money');
  });
  await expect(work).rejects.toThrow('no money');
  expect(during).toEqual([before + 1]);
  expect(threads()).toBe(before);
});
