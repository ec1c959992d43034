import { type CliContext, CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';
import type { Config, Role } from './config.ts';
import { loadConfig } from './load-config.ts';
import { withSecretFiles } from './with-secret-files.ts';

/** The configuration of this environment and of the files that it names; all its problems in one error, exit code 78. */
export function readConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, role: Role = 'all'): Config {
  const files = withSecretFiles(env, cwd);
  const loaded = loadConfig(files.env, { role, cwd });
  if (loaded.ok && files.problems.size === 0) return loaded.config;
  // A variable whose file can't be read is not missing.
  const others = loaded.ok ? [] : loaded.problems.filter((problem) => ![...files.problems.keys()].some((name) => problem.startsWith(`${name} must be set`)));
  const problems = [...files.problems.values(), ...others];
  throw new CliError(`the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, EXIT_CONFIG);
}
