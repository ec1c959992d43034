import { subscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

/** What this process has started so far; `servers` listen within it. */
export const starts = { databases: 0, servers: 0, programs: 0, redis: 0, browsers: 0 };

const programs = { node: 'programs', 'redis-server': 'redis', chromium: 'browsers' } as const;

subscribe('tracing:net.server.listen:asyncStart', () => {
  starts.servers += 1;
});
subscribe('child_process', (message) => {
  const { process: child } = message as { process: { spawnfile?: string } };
  // Its file is named a moment later.
  queueMicrotask(() => {
    const name = basename(child.spawnfile ?? '');
    if (name in programs) starts[programs[name as keyof typeof programs]] += 1;
  });
});
