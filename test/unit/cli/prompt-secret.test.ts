import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readSecret } from '../../../src/cli/input/read-secret.ts';

function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  return { stdin, stderr: new PassThrough(), cwd: '/nowhere' };
}

test('finding 11: a secret that is asked for is not shown, and may be corrected while it is typed', async () => {
  const { stdin, stderr, cwd } = terminal();

  const asked = readSecret({ stdin, stderr, cwd }, '--secret', 'prompt');
  await once(stderr, 'data');
  stdin.write('hunter3');
  stdin.write('\x7f');
  stdin.write('2 \r');

  expect(await asked).toBe('hunter2 ');
  stderr.end();
  expect(await text(stderr)).not.toMatch(/hunter/);
});

test('two secrets are asked for one after the other', async () => {
  const { stdin, stderr, cwd } = terminal();

  const first = readSecret({ stdin, stderr, cwd }, '--consumer-key', 'prompt');
  stdin.write('one\r');
  await first;
  const second = readSecret({ stdin, stderr, cwd }, '--consumer-secret', 'prompt');
  stdin.write('two\r');

  expect([await first, await second]).toEqual(['one', 'two']);
});

test.for([
  ['Ctrl-C', '\x03', { exitCode: 130, message: 'cancelled; nothing was changed' }],
  ['Ctrl-D', '\x04', { exitCode: 1, message: '--secret was not given; nothing was changed' }],
  ['nothing', '\r', { exitCode: 1, message: expect.stringContaining('--secret is empty') }],
] as const)('%s changes nothing', async ([_what, typed, refusal]) => {
  const { stdin, stderr, cwd } = terminal();

  const asked = readSecret({ stdin, stderr, cwd }, '--secret', 'prompt');
  stdin.write(typed);

  await expect(asked).rejects.toMatchObject(refusal);
});

test('without a terminal nothing is asked', async () => {
  const { stderr, cwd } = terminal();

  await expect(readSecret({ stdin: new PassThrough(), stderr, cwd }, '--secret', 'prompt')).rejects.toThrow(/needs a terminal; give - .* or @FILE/);
});
