import type { Config, Role } from '../config/config.ts';
import { readEnvFile, withEnvFile } from '../config/env-file.ts';
import { readConfig } from '../config/load-config.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';

/** The configuration of the server and of the commands beside it: the environment, then the file `.env` of the working directory. */
export function serverConfig(context: CliContext, role: Role = 'all'): Config {
  const { env, cwd } = context;
  const file = readEnvFile(cwd);
  if (file?.warning != null) note(context, file.warning);
  const config = readConfig({ env: withEnvFile(env, file), cwd }, role);
  const keyNames = ['ENCRYPTION_KEYS', 'ENCRYPTION_KEYS_FILE'];
  return { ...config, encryptionKeysOfEnvFile: keyNames.every((name) => env[name] === undefined) };
}

/** What the configuration is read from: the environment, and the file `.env` of the working directory. */
export function serverEnv({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>): CliContext['env'] {
  return withEnvFile(env, readEnvFile(cwd));
}
