import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';

/** The JSON in a file; errors name the file. */
export async function readJsonFile({ cwd }: Pick<CliContext, 'cwd'>, given: string): Promise<unknown> {
  const path = resolve(cwd, given);
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new CliError(`${path} can't be read: ${errorWords(thrown)}`);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw new CliError(`${path} is not JSON: ${errorWords(thrown)}`);
  }
}

/** A connection's settings in a file; every problem is reported. */
export async function readSettingsFile(context: Pick<CliContext, 'cwd'>, path: string): Promise<SettingsInput> {
  const { readSettings } = await import('../../bridge/connections/connection-settings.ts');
  const read = readSettings(await readJsonFile(context, path));
  if (read.ok) return read.settings;
  const problems = read.problems.map((problem) => `  ${problem.en}`).join('\n');
  throw new CliError(`the settings in ${path} are not right; nothing was changed:\n${problems}`);
}
