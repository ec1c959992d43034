import { type CliContext, CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';
import type { Config, Role } from './config.ts';
import { loadConfig } from './load-config.ts';

/** The configuration of this environment; all its problems in one error, exit code 78. */
export function readConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, role: Role = 'all'): Config {
  const loaded = loadConfig(env, { role, cwd });
  if (loaded.ok) return loaded.config;
  throw new CliError(`the configuration is not valid:\n${loaded.problems.map((problem) => `  ${problem}`).join('\n')}`, EXIT_CONFIG);
}
