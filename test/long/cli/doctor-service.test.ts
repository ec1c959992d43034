import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { Program } from '../../support/servers/program.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { keepRunning } from '../../support/worlds/cli-world.ts';

let program: Program;
let postgres: AsyncDisposable;
beforeAll(async () => {
  program = await Program.prepare();
  postgres = await keepRunning(program);
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

test('doctor says where mails go without a mail server', async () => {
  const { code, out } = await program.run(['doctor']);

  expect(code).toBe(0);
  expect(out).toMatch(/^note +mail +mails are put as \.eml files into .+outbox, because SMTP_URL is unset$/m);
  expect(out).toMatch(/^note +exchange rates +none is stored; they are not fetched, because BNB_RATES_URL is off/m);
  expect(out).toMatch(/^ok +audit files +none is blocked/m);
});

test('doctor connects to the mail server', async () => {
  await using smtp = await startSmtp();

  expect(await program.run(['doctor'], { env: { SMTP_URL: smtp.url } })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok +mail +the mail server answers/m),
  });
});

test('doctor reports a mail server that is down or refuses the password, without showing it', async () => {
  const absent = await program.run(['doctor'], { env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } });
  expect(absent).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +mail +the connection to the mail server/m) });

  await using smtp = await startSmtp({ options: { authOptional: false, onAuth: (_auth, _session, callback) => callback(new Error('no')) } });
  const refused = await program.run(['doctor'], { env: { SMTP_URL: smtp.url.replace('//', '//shop:hunter2@') } });
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +mail +the mail server refused the user or password/m) });
  expect(refused.out + refused.err).not.toContain('hunter2');
});

test('doctor checks the identity provider, and half of one is no configuration', async () => {
  const oidc = {
    PUBLIC_URL: 'https://orders.example',
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OIDC_CLIENT_ID: 'orderbridge',
    OIDC_ROLES: 'owner=ops',
  };
  const { code, out } = await program.run(['doctor'], { env: { ...oidc, OIDC_CLIENT_SECRET: 'hunter2' } });
  expect([code, out]).toEqual([1, expect.stringMatching(/^WRONG +sign-in +the identity provider 127\.0\.0\.1:\d+ does not answer/m)]);

  const half = await program.run(['doctor'], { env: oidc });
  expect(half).toMatchObject({ code: 78, err: expect.stringContaining('OIDC_CLIENT_SECRET must be set with OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_ROLES') });
});
