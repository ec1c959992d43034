import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { askOutside, type MailCheck } from '../operations/health/checks/network.ts';
import type { FailedCheck, HealthStatus } from '../operations/health/health-status.ts';
import { readHealth } from '../operations/health/read-health.ts';
import type { HealthDeps, Space, WatchedQueues } from '../operations/health/round.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import { embeddedRestarts } from '../platform/postgres/embedded-postgres.ts';
import type { Core } from './core.ts';

/** The health status of a server, which is read at most once in a while however often it is wanted. */
export type HealthReader = {
  /** For whoever asks: what only the network can tell is as `whole` saw it last. */
  read(): Promise<HealthStatus>;
  /** For alerts: PUBLIC_URL, the mail server and the clock of the compliance service are asked, too, every five minutes. */
  whole(): Promise<HealthStatus>;
};

export type HealthReaderOptions = {
  core: Core;
  queues: WatchedQueues;
  /** How old a health status may be. */
  freshMs: number;
  /** Undefined: that of DATA_DIR. */
  disk: HealthDeps['disk'] | undefined;
};

/** Five minutes, where a health status is 15 s old at most. */
const OUTSIDE_AGES = 20;

/** How a server comes to its health status. */
export function openHealthReader({ core, queues, freshMs, disk }: HealthReaderOptions): HealthReader {
  const clock = { size: 1, now: () => performance.now() };
  const healthReader = new AnswerCache<HealthStatus>({ ...clock, freshMs: () => freshMs });
  const outside = new AnswerCache<FailedCheck[]>({ ...clock, freshMs: () => freshMs * OUTSIDE_AGES });
  let seen: FailedCheck[] = [];
  const ask = async (): Promise<FailedCheck[]> => {
    seen = await outside.get('', () => askOutside({ config: core.config, mail: mailCheck(core.config) }));
    return seen;
  };
  const deps = healthDeps(core, queues, disk);
  return {
    read: () => healthReader.get('', () => readHealth({ ...deps, outside: async () => seen })),
    whole: () => readHealth({ ...deps, outside: ask }),
  };
}

/** All but what is asked over the network. */
export function healthDeps(core: Core, queues: WatchedQueues, disk = () => spaceOf(core.config.dataDir)): Omit<HealthDeps, 'outside'> {
  const { pool, config, connections, apps, destinations } = core;
  return { pool, config, connections, apps, destinations, queues, disk, restarts: () => embeddedRestarts(config.dataDir) };
}

/** Whether mails can be sent under this configuration. */
export function mailCheck({ mail, dataDir, trustedHttpHosts }: Config): MailCheck {
  return () => openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, 'outbox'), trustedHttpHosts }).check();
}

async function spaceOf(dataDir: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { free: bavail * bsize, size: blocks * bsize };
}
