import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { type Config, SHORTEST_ADMIN_TOKEN } from '../config/config.ts';
import { readConfig } from '../config/load-config.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';

const USUAL_PORT = 3000;

/** Embedded defaults on a scratch folder; of the environment only PORT, ADMIN_TOKEN (if it is long enough) and LOG_LEVEL count. If the default port is taken, a free one is used. */
export async function demoConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, dataDir: string): Promise<Config> {
  const given = env['PORT'] ? env['PORT'] : null;
  // Said at once, not after everything was started.
  if (given !== null && /^[1-9]\d{0,4}$/.test(given) && !(await isFree(Number(given)))) throw taken(given);
  const demoEnv = {
    PORT: given ?? String((await isFree(USUAL_PORT)) ? USUAL_PORT : 0),
    ADMIN_TOKEN: longEnough(env['ADMIN_TOKEN']) ?? randomBytes(18).toString('base64url'),
    LOG_LEVEL: env['LOG_LEVEL'] ? env['LOG_LEVEL'] : 'warn',
    DATA_DIR: dataDir,
    QUIET_SECONDS: '1',
    SWEEP_SECONDS: '1',
    BNB_RATES_URL: 'off',
    // The demo's own store API is on this machine.
    ALLOW_PRIVATE_ADDRESSES: 'true',
  };
  return readConfig({ env: demoEnv, cwd }, 'all');
}

function taken(port: string): CliError {
  return new CliError(`port ${port} is taken, perhaps by another demo; set PORT to a free one, or leave it out`);
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
