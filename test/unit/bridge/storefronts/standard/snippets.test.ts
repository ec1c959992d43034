import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../../../src/bridge/storefronts/contract.ts';
import { snippets, standard } from '../../../../../src/bridge/storefronts/standard/standard.ts';
import { scratchDir } from '../../../../support/servers/scratch-dir.ts';

const run = promisify(execFile);
const secret = `whsec_${Buffer.from('a key of 32 bytes, with a zero: \0').toString('base64')}`;
const given = { secret, id: '9000000001', now: Date.parse('2026-11-22T10:00:00Z') };
const programs: Record<string, string> = { PHP: 'php', Node: process.execPath, Shell: 'bash' };

async function receiver() {
  const received: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ headers, body: await buffer(request) });
    response.writeHead(200).end('{"accepted":"queued"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // An address with what each language must quote.
  return { received, address: `http://127.0.0.1:${port}/webhooks/it's$HOME\`x\`"`, [Symbol.asyncDispose]: async () => void server.close() };
}

async function isThere(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

test.each(['PHP', 'Node', 'Shell'])('the code in %s sends an order that is taken', async (language) => {
  await using at = await receiver();
  await using dir = await scratchDir();
  const snippet = snippets({ ...given, address: at.address }).find((each) => each.language === language);
  const program = programs[language] ?? '';
  if (snippet === undefined) throw new Error('there is none');
  // Where a language is not installed, its text is held against what the others compute.
  if (!(await isThere(program))) return expect(snippet.code).toContain(`base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true))`);
  const file = join(dir.path, snippet.fileName);
  writeFileSync(file, snippet.code);

  const { stdout } = await run(program, [file]);

  expect(stdout).toContain('200');
  const [delivery] = at.received;
  if (delivery === undefined) throw new Error('nothing came');
  expect(standard.verify(delivery, [secret], Date.now())).toEqual({ trusted: true });
  const read = standard.normalize(standard.envelope(delivery.headers), JSON.parse(delivery.body.toString()));
  expect(read).toMatchObject({ kind: 'order', news: { orderId: '9000000001', snapshot: { test: true, status: 'paid' } } });
});

test('each is a program of its own with address and secret in it, and none breaks out of its quotes', () => {
  const all = snippets({ ...given, address: "https://here.example/'\\\n" });

  expect(all.map(({ language, run: line, fileName }) => [language, line.endsWith(fileName)])).toEqual([
    ['PHP', true],
    ['Node', true],
    ['Shell', true],
  ]);
  for (const { code } of all) expect(code).toContain(secret);
  expect(all[0]?.code).toContain(`'https://here.example/\\'\\\\`);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(createHmac('sha256', key).update('msg_1.1.{}').digest('base64')).toHaveLength(44);
});

test('a connection code is the address, with the secret as its user', () => {
  const address = 'https://here.example/webhooks/standard/1';
  const code = new URL(standard.onboarding?.connectionCode?.({ address, secret }) ?? '');

  expect(decodeURIComponent(code.username)).toBe(secret);
  code.username = '';
  expect(code.href).toBe(address);
});
