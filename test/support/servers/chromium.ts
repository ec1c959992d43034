import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const MISSING = 'these tests need Chromium: install it (apt-get install chromium), or name its program in CHROMIUM';

const QUIETLY = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Starts Chromium: the program that CHROMIUM names, else the one on PATH. Throws, in words that say what to do, if there is none: no test is skipped. `args`: more of its own. */
export async function startChromium({ args = [] }: { args?: readonly string[] } = {}): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? (await onPath());
  if (executablePath === undefined) throw new Error(MISSING);
  return chromium.launch({
    executablePath,
    args: [...QUIETLY, ...args],
    timeout: 120_000,
  });
}

let ofWorker: Promise<Browser> | undefined;

/** The one that the files of a worker share; it ends with the worker. */
export async function chromiumOfWorker(): Promise<Browser> {
  if ((await ofWorker)?.isConnected() === false) ofWorker = undefined;
  ofWorker ??= startChromium();
  return ofWorker;
}

async function onPath(): Promise<string | undefined> {
  const places = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  for (const path of places.flatMap((directory) => NAMES.map((name) => join(directory, name)))) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return path;
  }
  return undefined;
}
