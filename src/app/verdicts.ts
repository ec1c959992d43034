import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Space, VerdictDeps, WatchedQueues } from '../operations/verdict/look.ts';
import { askOutside, type MailCheck } from '../operations/verdict/read-machine.ts';
import { readVerdict } from '../operations/verdict/read-verdict.ts';
import type { Reason, Verdict } from '../operations/verdict/verdict.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import { embeddedRestarts } from '../platform/postgres/embedded-postgres.ts';
import type { Core } from './core.ts';

/** The verdict of a server, which is read at most once in a while however often it is wanted. */
export type Verdicts = {
  /** For whoever asks: what only the network can tell is as `whole` saw it last. */
  read(): Promise<Verdict>;
  /** For alerts: PUBLIC_URL, the mail server and the clock of the compliance service are asked, too, every five minutes. */
  whole(): Promise<Verdict>;
};

export type VerdictOptions = {
  core: Core;
  queues: WatchedQueues;
  /** How old a verdict may be. */
  freshMs: number;
  /** Undefined: that of DATA_DIR. */
  disk: VerdictDeps['disk'] | undefined;
};

/** Five minutes, where a verdict is 15 s old at most. */
const OUTSIDE_AGES = 20;

/** How a server comes to its verdict. */
export function openVerdicts({ core, queues, freshMs, disk }: VerdictOptions): Verdicts {
  const clock = { size: 1, now: () => performance.now() };
  const verdicts = new AnswerCache<Verdict>({ ...clock, freshMs: () => freshMs });
  const outside = new AnswerCache<Reason[]>({ ...clock, freshMs: () => freshMs * OUTSIDE_AGES });
  let seen: Reason[] = [];
  const ask = async (): Promise<Reason[]> => {
    seen = await outside.get('', () => askOutside({ config: core.config, mail: mailCheck(core.config) }));
    return seen;
  };
  const deps = verdictDeps(core, queues, disk);
  return {
    read: () => verdicts.get('', () => readVerdict({ ...deps, outside: async () => seen })),
    whole: () => readVerdict({ ...deps, outside: ask }),
  };
}

/** All but what is asked over the network. */
export function verdictDeps(core: Core, queues: WatchedQueues, disk = () => spaceOf(core.config.dataDir)): Omit<VerdictDeps, 'outside'> {
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
