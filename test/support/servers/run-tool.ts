import { execFile } from 'node:child_process';
import { join } from 'node:path';

export type Ran = { code: number; output: string };

const tools = join(import.meta.dirname, '../../../node_modules/.bin');

/** Runs a program of node_modules/.bin, on the Node of the tests, to its end; its streams come back as one text. */
export function runTool(name: string, args: readonly string[], cwd: string): Promise<Ran> {
  // A run of tests inside a test is a short one that writes its own report, and no table of what it starts.
  const { TEST_REPORT: _report, TEST_STARTS: _starts, TEST_LONG: _long, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${tools}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    execFile(join(tools, name), args, { cwd, env, maxBuffer: 16_000_000 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else reject(error);
    });
  });
}
