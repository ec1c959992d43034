import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inviteMerchant, type Merchant, reachable } from '../../support/connect/store-merchant.ts';
import { unescaped } from '../../support/console/form-of.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { isInstalled } from '../../support/servers/is-installed.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const run = promisify(execFile);
const languages = [
  { language: 'PHP', program: 'php' },
  { language: 'Node', program: process.execPath },
  { language: 'Shell', program: 'bash' },
];

let it: World;
beforeAll(async () => {
  it = await world({ config: await reachable() });
});
afterAll(async () => {
  await it?.[Symbol.asyncDispose]();
});

/** A merchant whose own shop has its address and secret, and what the page shows with them. */
async function withCode(): Promise<{ merchant: Merchant; code(language: string): { fileName: string; text: string } }> {
  const merchant = await inviteMerchant(it);
  await merchant.post('/store', { kind: 'own', platform: 'standard', name: 'Чаши' });
  await merchant.chooseCompany();
  const { text: page } = await merchant.post('/webhooks', { act: 'make' });
  return {
    merchant,
    code(language) {
      const [, fileName = '', shown = ''] = new RegExp(`<summary>${language}: ([^<]+)</summary>[\\s\\S]*?<code>([\\s\\S]*?)</code>`).exec(page) ?? [];
      return { fileName, text: unescaped(shown) };
    },
  };
}

type Program = { program: string; fileName: string; text: string };

/** As the merchant's programmer saves and runs it; a program that fails has its words, too. */
async function started({ program, fileName, text }: Program): Promise<{ ok: boolean; said: string }> {
  await using dir = await scratchDir();
  writeFileSync(join(dir.path, fileName), text);
  return await run(program, [fileName], { cwd: dir.path }).then(
    ({ stdout, stderr }) => ({ ok: true, said: stdout + stderr }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, said: stdout + stderr }),
  );
}

describe.each(languages)('the code that the page shows in $language', ({ language, program }) => {
  beforeEach(({ skip }) => skip(!isInstalled(program), `${program} is not on the PATH`));

  test('sends an order that the receiver takes, and the box turns green', async () => {
    const { merchant, code } = await withCode();

    const { ok, said } = await started({ program, ...code(language) });

    expect([ok, said]).toEqual([true, expect.stringContaining('200')]);
    expect(said).not.toMatch(/warning|deprecated|notice/i);
    await until(async () => (await merchant.get('/webhooks')).text.includes('A signed message came'), { what: 'the first good request to be shown' });
    expect((await merchant.get('/webhooks')).text).not.toContain('The last request was not accepted');
    expect(it.service.requests('POST')).toEqual([]);
  });

  test('shows a refusal, which the page explains', async () => {
    const { merchant, code } = await withCode();
    const { text, fileName } = code(language);

    const { said } = await started({ program, fileName, text: text.replace(/whsec_[^'"]{6}/, 'whsec_AAAAAA') });

    expect(said).toContain('401');
    await until(async () => (await merchant.get('/webhooks')).text.includes('The signature does not match.'), { what: 'the refusal to be explained' });
  });

  test('fails where nothing answers', async () => {
    const { code } = await withCode();
    const { text, fileName } = code(language);
    const nobody = `http://127.0.0.1:${await freePort()}/webhooks`;

    const { ok } = await started({ program, fileName, text: text.replaceAll(/http:\/\/127[^'"]+/g, nobody) });

    expect(ok).toBe(false);
  });
});
