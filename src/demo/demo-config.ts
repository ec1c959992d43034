import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { SHORTEST_ADMIN_TOKEN } from '../config/usable-admin-token.ts';
import type { CliContext } from '../platform/terminal/context.ts';

const USUAL_PORT = 3000;

/** Embedded defaults on a scratch folder; of the environment only PORT, ADMIN_TOKEN (if it is long enough) and LOG_LEVEL count. If the default port is taken, a free one is used. */
export async function demoConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, dataDir: string): Promise<Config> {
  const demoEnv = {
    PORT: env['PORT'] ? env['PORT'] : String((await isFree(USUAL_PORT)) ? USUAL_PORT : 0),
    ADMIN_TOKEN: longEnough(env['ADMIN_TOKEN']) ?? randomBytes(18).toString('base64url'),
    LOG_LEVEL: env['LOG_LEVEL'] ? env['LOG_LEVEL'] : 'warn',
    DATA_DIR: dataDir,
    SETTLE_SECONDS: '1',
    SWEEP_SECONDS: '1',
    BNB_RATES_URL: 'off',
    // The demo's own store API is on this machine.
    ALLOW_PRIVATE_ADDRESSES: 'true',
  };
  return readConfig({ env: demoEnv, cwd }, 'all');
}

// The demo prints its password: one that would switch the dashboard off is replaced.
function longEnough(token: string | undefined): string | undefined {
  return token !== undefined && token.length >= SHORTEST_ADMIN_TOKEN ? token : undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
