import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sealedPart } from '../../../src/bridge/ledger/invitations/sealed-parts.ts';
import type { Invitation } from '../../../src/operations/onboarding/invitations.ts';
import { openKeyProcess } from '../../support/keys/key-process.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

type Made = { id: string; link: string; mailed: boolean };

test('merchants are invited, listed, get new links and lose them by commands; each is an act, and no token and no mailbox is kept', {
  timeout: 180_000,
}, async () => {
  await using smtp = await startSmtp();
  await using world = await startCliWorld();
  const { program } = world;
  expect(await program.ok(['invitations', 'list'])).toContain('No merchant was invited yet');
  const plain = await program.run(['invite']);
  expect(plain.out).toMatch(/^The merchant connects a store here, within 14 days \(invitation [\w-]{36}\):\nhttp:\/\/localhost:\d+\/connect\/[\w-]{43}\n$/);

  const mailed = { SMTP_URL: smtp.url, PUBLIC_URL: 'https://bridge.example', MAIL_FROM: 'bridge@service.example' };
  const made = JSON.parse((await program.run(['invite', '--email', 'maria@shop.example', '--json'], { env: mailed })).out) as Made;
  expect(made).toMatchObject({ link: expect.stringMatching(/^https:\/\/bridge\.example\/connect\/[\w-]{43}$/), mailed: true });
  expect(smtp.taken).toMatchObject([{ to: ['maria@shop.example'] }]);
  expect(smtp.taken.map(plainTextOf).join()).toMatch(/свързвате електронния си магазин/);
  expect(smtp.taken.map(plainTextOf).join()).toContain(made.link);
  const unmailed = await program.run(['invite', '--email', 'john@shop.example', '--lang', 'en']);
  const [, file = ''] = /the mail is a file: (\S+\.eml)\. Send it to them yourself/.exec(unmailed.err) ?? [];
  expect(await readFile(file, 'utf8')).toContain('To: john@shop.example');
  const nowhere = await program.run(['invite', '--email', 'john@shop.example', '--json'], { env: { SMTP_URL: smtp.url } });
  expect(nowhere.err).toContain('It was not mailed: PUBLIC_URL is not set');
  expect(JSON.parse(nowhere.out)).toMatchObject({ mailed: false });

  expect((await program.run(['invite', '--json'], { env: { CONSOLE: 'off' } })).err).toContain('CONSOLE is off here');

  const listed = await program.json<Invitation[]>(['invitations', 'list']);
  expect(listed).toMatchObject([
    { email: null },
    { email: 'john@shop.example', lang: null, state: 'open' },
    { email: 'john@shop.example', lang: 'en', state: 'open', links: [{ scope: 'all' }] },
    { email: 'maria@shop.example', lang: null, state: 'open' },
    { email: null, state: 'open' },
  ]);
  const renewed = await program.json<Made>(['invitations', 'link', made.id]);
  expect(renewed.link).not.toContain(made.link.split('/').at(-1) ?? '');
  expect(await program.ok(['invitations', 'revoke', made.id, '--links', 'all'])).toContain('no longer work');
  expect(await program.ok(['invitations', 'revoke', made.id, '--why', 'another merchant'])).toContain('no longer work');
  expect(await program.ok(['invitations', 'list'])).toMatch(/maria@shop\.example +revoked/);

  const refusals: [string[], string][] = [
    [['invite', '--email', 'no address'], 'this is not an e-mail address'],
    [['invite', '--shop', 'corner'], 'a shop is named by its id'],
    [['invite', '--shop', randomUUID()], 'the compliance service has no shop'],
    [['invitations', 'link', made.id], 'this invitation was revoked; `orderbridge invite` makes another'],
    [['invitations', 'revoke', randomUUID()], 'there is no such invitation'],
    [['invitations', 'revoke', made.id, '--links', 'some'], 'It must be all, status, or step:NAME'],
    [['invitations', 'shop', made.id], 'say which with --is UUID, or --none'],
    [['invitations', 'shop', made.id, '--none'], 'no shop of this merchant is in doubt'],
  ];
  for (const [args, words] of refusals) {
    const { code, err } = await program.run(args);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
  }
  const acts = await program.json<{ act: string; why?: string }[]>(['activity']);
  expect(acts.flatMap(({ act }) => (act === 'key.created' ? [] : act)).reverse()).toEqual([
    ...Array<string>(5).fill('invitation.made'),
    'invitation.renewed',
    'link.ended',
    'invitation.revoked',
  ]);
  for (const kept of ['maria', made.link.split('/').at(-1) ?? '', renewed.link.split('/').at(-1) ?? '']) expect(JSON.stringify(acts)).not.toContain(kept);
});

test('S1: an invitation names its company; whose company waits is listed with who else has it, and confirmed or refused by command', {
  timeout: 180_000,
}, async () => {
  await using world = await startCliWorld();
  const { program, pool, databaseUrl } = world;
  const waitsAgain = async (id: string) => {
    const waits = { company: { waits: { company: '206770508', at: '2026-11-01T10:00:00Z' } } };
    await using keys = await openKeyProcess(databaseUrl, ENCRYPTION_KEYS);
    await pool.query('update onboardings set progress = $2 where id = $1', [
      id,
      sealedPart(keys.pool, { id, column: 'progress', plain: JSON.stringify(waits) }),
    ]);
  };
  const invite = async (...args: string[]) => JSON.parse((await program.run(['invite', '--json', ...args])).out) as Made;
  const first = await invite('--email', 'maria@shop.example', '--company', '206770508');
  expect(await program.json<Invitation[]>(['invitations', 'list'])).toMatchObject([{ id: first.id, company: '206770508', waits: null }]);
  expect(await program.run(['invite', '--company', '206770509'])).toMatchObject({ code: 1, err: expect.stringContaining('its check digit does not fit') });
  expect((await program.run(['invite', '--email', 'petar@shop.example', '--company', '206770508'])).err).toContain(
    'Others have this company, too, and share its document numbers: maria@shop.example.',
  );

  const waiting = await invite('--email', 'mallory@shop.example');
  await waitsAgain(waiting.id);
  expect((await program.ok(['invitations', 'list'])).replaceAll(/\s+/g, ' ')).toContain('206770508 maria@shop.example petar@shop.example');
  const decide = (...args: string[]) => program.run(['invitations', 'company', waiting.id, ...args]);
  expect(await decide()).toMatchObject({ code: 1, err: expect.stringContaining('--confirm or --refuse') });
  expect((await decide('--refuse', '--why', 'nobody knows them')).out).toContain('is not confirmed; no shop is made');
  expect(await decide('--confirm')).toMatchObject({ code: 1, err: expect.stringContaining('no company of this merchant waits') });
  await waitsAgain(waiting.id);
  const confirmed = await decide('--confirm');
  expect([confirmed.out, confirmed.err]).toEqual([
    expect.stringContaining('is confirmed; the merchant can go on'),
    expect.stringContaining('Others have this company'),
  ]);
  expect((await program.json<Invitation[]>(['invitations', 'list'])).find(({ id }) => id === waiting.id)).toMatchObject({ company: '206770508', waits: null });
});
