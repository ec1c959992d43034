import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runCli } from '../../../src/cli/run-cli.ts';

/** What a command says on standard error where its configuration is not valid, so that it opens nothing. */
async function said(...args: string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCli({ args, env: { PORT: 'x' }, cwd: '/', stdin: new PassThrough(), stdout, stderr, signal: new AbortController().signal });
  return `${code} ${String(stderr.read())}`;
}

const RESOLVE = ['resolve', '1001', '--not-a-sale', '--why', 'w'];
const GENERATE = ['service', 'audit', 'generate', '--shop', 's', '--month', '2026-10'];

test.each([
  [[...RESOLVE, '--dry-run'], '--dry-run goes with --code'],
  [[...RESOLVE, '--yes'], '--yes goes with --code'],
  [[...RESOLVE, '--connection', 'Corner'], '--connection goes with --code'],
  [['release', '1001', '--connection', 'Corner'], '--connection goes with --code'],
  [['release', '1001', '--keep', '--why', 'w', '--connection', 'Corner'], '--connection goes with --code'],
  [['release', '1001', '--other', '--wait', '5'], '--wait goes with --code'],
  [['release', '1001', '--all-at-once'], '--all-at-once goes with --code'],
  [['tail', '--secret', 'whsec_x'], '--secret goes with --forward-to'],
  [['service', 'receipts', 'show', 'r', '--force'], '--force goes with --out'],
  [[...GENERATE, '--force'], '--force goes with --out'],
])('%j is refused, since it would be ignored', async (args, words) => {
  expect(await said(...args)).toBe(`1 orderbridge: ${words}\n`);
});

test.each([
  [RESOLVE],
  [['resolve', '--code', 'payment.unmapped', '--not-a-sale', '--why', 'w', '--dry-run', '--connection', 'Corner']],
  [['release', '1001']],
  [['release', '--code', 'payment.unmapped', '--connection', 'Corner', '--wait', '5']],
  [['tail', '--secret', 'whsec_x', '--forward-to', 'https://here.example']],
  [['service', 'receipts', 'show', 'r', '--force', '--out', 'r.html']],
  [[...GENERATE, '--force', '--out', 'october.xml']],
])('%j is done', async (args) => {
  expect(await said(...args)).toMatch(/^78 .*PORT must be/s);
});
