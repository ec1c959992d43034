import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeEnvironment } from '../../../src/config/environment.ts';
import { readConfig } from '../../../src/config/load-config.ts';
import { CliError, EXIT_CONFIG } from '../../../src/platform/terminal/context.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';

const KEY = 'ab'.repeat(32);
const DATABASE_URL = 'postgres://orderbridge@localhost/orderbridge';

async function folder(files: Record<string, string> = {}): Promise<string> {
  const dir = await scratchDir();
  onTestFinished(() => dir[Symbol.asyncDispose]());
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(dir.path, name), content)));
  return dir.path;
}

function refusal(env: Record<string, string>, cwd: string): string {
  try {
    readConfig({ env, cwd });
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    expect(thrown.exitCode).toBe(EXIT_CONFIG);
    return thrown.message;
  }
  return expect.fail('the configuration is valid');
}

/** What belongs to the secret of an identity provider's client. */
const PROVIDER = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'orderbridge', OIDC_ROLES: 'owner=ops', PUBLIC_URL: 'https://bridge.example' };
let secretNames: string[];
beforeAll(() => {
  secretNames = describeEnvironment().flatMap(({ name, secret }) => (secret ? [name] : []));
});

test('finding 11: every secret variable may be a file, beside the working directory or elsewhere; one line end at its end is left out', async () => {
  const values: Record<string, string> = {
    DATABASE_URL,
    DATABASE_DIRECT_URL: 'postgres://localhost/direct',
    REDIS_URL: 'redis://localhost',
    REDIS_CA: rootCertificates[0] ?? '',
    ENCRYPTION_KEYS: KEY,
    COMPLIANCE_API_KEY: 'ck_1',
    COMPLIANCE_API_SECRET: 'cs_1 ',
    SMTP_URL: 'smtp://localhost',
    SHOPIFY_APP_SECRET: 'shpss_1',
    ADMIN_TOKEN: 'a long enough token',
    ALERT_SLACK_URL: 'https://hooks.slack.com/services/T/B/x',
    ALERT_WEBHOOK_URL: 'https://n8n.example/webhook',
    ALERT_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
    HEARTBEAT_URL: 'https://hc.example/ping',
    OIDC_CLIENT_SECRET: 'of-the-client',
  };
  expect(Object.keys(values).toSorted()).toEqual(secretNames.toSorted());
  const cwd = await folder(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}\n`])));
  const files = Object.fromEntries(secretNames.map((name, i) => [`${name}_FILE`, i % 2 === 0 ? name : join(cwd, name)]));
  const remote = { COMPLIANCE_API_URL: 'https://api.example', COMPLIANCE_AMOUNTS: 'minor', ...PROVIDER };

  const config = readConfig({ env: { ...remote, ...files }, cwd });

  expect(config).toEqual(readConfig({ env: { ...remote, ...values }, cwd }));
  expect(config.compliance.kind === 'remote' && config.compliance.apiSecret?.reveal()).toBe('cs_1 ');
  expect(config.encryptionKeys?.reveal()).toBe(KEY);
  expect(config.appSecrets['SHOPIFY_APP_SECRET']?.reveal()).toBe('shpss_1');
});

test('a file that can’t be a secret is named, with exit code 78, and nothing of it is shown', async () => {
  const cwd = await folder({ empty: '\r\n', large: 'hunter2'.repeat(3_000), key: 'hunter2' });
  await mkdir(join(cwd, 'directory'));

  const words = refusal({ DATABASE_URL_FILE: 'nowhere', ENCRYPTION_KEYS_FILE: 'directory', ADMIN_TOKEN_FILE: 'empty', SMTP_URL_FILE: 'large' }, cwd);

  expect(words.split('\n').slice(1).toSorted()).toEqual(
    [
      `  DATABASE_URL_FILE names ${join(cwd, 'nowhere')}, which can’t be read (ENOENT)`,
      `  ENCRYPTION_KEYS_FILE names ${join(cwd, 'directory')}, which can’t be read (EISDIR)`,
      `  ADMIN_TOKEN_FILE names ${join(cwd, 'empty')}, which is empty`,
      `  SMTP_URL_FILE names ${join(cwd, 'large')}, which has more than 16384 bytes: it is no secret`,
    ].toSorted(),
  );
  expect(refusal({ ENCRYPTION_KEYS_FILE: 'key' }, cwd)).toMatch(/ENCRYPTION_KEYS must be keys of 32 bytes(?!.*hunter2)/s);
});

test('a variable and its file are not both taken, and one whose file is missing is not called missing itself', async () => {
  const cwd = await folder({ key: KEY });

  expect(refusal({ DATABASE_URL, ENCRYPTION_KEYS: KEY, ENCRYPTION_KEYS_FILE: 'key' }, cwd)).toContain('ENCRYPTION_KEYS_FILE and ENCRYPTION_KEYS are both set');
  expect(refusal({ DATABASE_URL, ENCRYPTION_KEYS_FILE: 'nowhere' }, cwd)).not.toContain('ENCRYPTION_KEYS must be set');
  expect(readConfig({ env: { DATABASE_URL, ENCRYPTION_KEYS: KEY, ENCRYPTION_KEYS_FILE: ' ' }, cwd }).encryptionKeys?.reveal()).toBe(KEY);
  expect(readConfig({ env: { DATABASE_URL, ENCRYPTION_KEYS: '', ENCRYPTION_KEYS_FILE: 'key' }, cwd }).encryptionKeys?.reveal()).toBe(KEY);
});
