import { statfs } from 'node:fs/promises';
import type { HealthStatus } from '../operations/health/health-status.ts';
import { readHealth } from '../operations/health/read-health.ts';
import type { HealthDeps, Space, WatchedQueues } from '../operations/health/round.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import { embeddedRestarts } from '../platform/postgres/embedded-postgres.ts';
import type { Core } from './core.ts';

/** The health status of a server. `read`: as of the last seconds, however often it is wanted. `now`: read anew. */
export type HealthReader = { read(): Promise<HealthStatus>; now(): Promise<HealthStatus> };

export type HealthReaderOptions = {
  core: Core;
  queues: WatchedQueues;
  /** How old a health status may be. */
  freshMs: number;
  /** Undefined: that of DATA_DIR. */
  disk: HealthDeps['disk'] | undefined;
};

/** How a server comes to its health status. */
export function openHealthReader({ core, queues, freshMs, disk }: HealthReaderOptions): HealthReader {
  const kept = new AnswerCache<HealthStatus>({ size: 1, now: () => performance.now(), freshMs: () => freshMs });
  const deps = healthDeps(core, queues, disk);
  const now = () => readHealth(deps);
  return { read: () => kept.get('', now), now };
}

/** What a health status is read from. */
export function healthDeps(core: Core, queues: WatchedQueues, disk = () => spaceOf(core.config.dataDir)): HealthDeps {
  const { pool, config, connections, apps, destinations } = core;
  return { pool, config, connections, apps, destinations, queues, disk, restarts: () => embeddedRestarts(config.dataDir) };
}

async function spaceOf(dataDir: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { free: bavail * bsize, size: blocks * bsize };
}
