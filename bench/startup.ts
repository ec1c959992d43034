import { freePort } from '../test/support/servers/free-port.ts';
import { scratchDir } from '../test/support/servers/scratch-dir.ts';
import { asStarted } from './as-started.ts';
import { startProgram } from './child.ts';
import type { Stage } from './stage.ts';

export type Startup = { firstMs: number; againMs: number };

/** From the start of the process to `/readyz`, role all on embedded defaults: in an empty DATA_DIR, and again in the same one. */
export async function measureStartup(stage: Stage): Promise<Startup> {
  await using directory = await scratchDir();
  const start = async (): Promise<number> => {
    const options = { root: stage.options.root, port: await freePort(), env: { ...asStarted, DATA_DIR: directory.path }, logFile: stage.logFile('startup') };
    await using program = await startProgram('all', options);
    return program.readyMs;
  };
  return { firstMs: await start(), againMs: await start() };
}
