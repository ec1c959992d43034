import type { Config } from '../config/config.ts';
import { describeEnvironment } from '../config/environment.ts';
import type { Keys } from './open-keys.ts';
import type { RunningServer } from './running-server.ts';

/** What concerns one process alone: where it listens, how it works and what it logs; and DATA_DIR, by which it was found. */
const OF_ONE_PROCESS =
  /^(PORT|HOST|OPS_PORT|CONSOLE|CONSOLE_PORT|CONNECT|TRUST_PROXY|DATA_DIR|ADMIN_TOKEN|LOG_\w+|CONCURRENCY|DATABASE_CONNECTIONS|DATABASE_DIRECT_URL|HEARTBEAT_URL|DIGEST_AT|OTEL_\w+|(LEASE|STALLED|SWEEP|RECONCILE|STOP_DELAY)_SECONDS)$/;
const KEY = 'ENCRYPTION_KEYS';

type SettingsSource = { config: Pick<Config, 'given'>; keys: Pick<Keys, 'masters'> };

/** By variable: a keyed digest of its value, the default one if it is unset. Nothing of a value can be read from it, secret or not. */
export function givenSettings({ config: { given = {} }, keys: { masters } }: SettingsSource): Record<string, string> {
  const shared = describeEnvironment().filter(({ name }) => name !== KEY && !OF_ONE_PROCESS.test(name));
  const digests = shared.map(({ name, default: usual }) => [name, masters[0]?.sealer.digest(`${name}=${given[name]?.reveal() ?? usual ?? ''}`) ?? '']);
  return { [KEY]: masters.map(({ id }) => id).join(' '), ...Object.fromEntries(digests) };
}

/** The names of the variables that a running server was given otherwise than this process. What only one of the two knows is left out. */
export function otherSettings(own: SettingsSource, { settings, publicUrl }: Pick<RunningServer, 'settings' | 'publicUrl'>): string[] {
  const ours = givenSettings(own);
  // With another newest key all digests differ.
  if (settings?.[KEY] !== undefined && settings[KEY] !== ours[KEY]) return [KEY];
  const names = Object.keys(ours).filter((name) => settings?.[name] !== undefined && settings[name] !== ours[name]);
  // The server's is used if there is no other.
  const isTaken = publicUrl !== null && own.config.given?.['PUBLIC_URL'] === undefined;
  return names.filter((name) => name !== 'PUBLIC_URL' || !isTaken);
}
