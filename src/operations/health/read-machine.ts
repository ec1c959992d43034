import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import { isTooShort, SHORTEST_ADMIN_TOKEN } from '../../config/config.ts';
import { clockCheck } from './ask-outside.ts';
import { failedCheck } from './health-status.ts';
import type { Reader } from './round.ts';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** Below so much, or below a twentieth of a disk on which that is little. */
const LEAST_FREE = GB;
const LITTLE_FREE = 10 * GB;
const DAY_MS = 24 * 60 * 60_000;

/** The disk of DATA_DIR, where an embedded database and mails without a server are. */
export const diskReader: Reader = {
  codes: ['disk.full'],
  async read({ disk, config: { dataDir } }) {
    const { free, size } = await disk();
    if (size === 0 || free >= LITTLE_FREE || (free >= LEAST_FREE && free >= size / 20)) return [];
    const words = `${Math.floor(free / MB)} MB of ${Math.ceil(size / GB)} GB are free on the disk of DATA_DIR (${dataDir}); make room, before the database stops`;
    return [failedCheck('disk.full', { words })];
  },
};

/** An embedded PostgreSQL that died and was started again, for a day. */
export const restartsReader: Reader = {
  codes: ['database.restarted'],
  async read({ restarts, config: { dataDir }, now }) {
    const times = (await restarts()).filter((time) => now - Date.parse(time) < DAY_MS);
    const since = times.at(-1);
    if (since === undefined) return [];
    const words = `the embedded PostgreSQL died and was started again, last at ${since}; postgres.log in DATA_DIR (${dataDir}) may say why: is there enough memory?`;
    return [failedCheck('database.restarted', { count: times.length, since, words })];
  },
};

export const dashboardReader: Reader = {
  codes: ['admin.short'],
  async read({ config }) {
    const words = `off: ADMIN_TOKEN has fewer than ${SHORTEST_ADMIN_TOKEN} characters, and could be guessed; \`openssl rand -hex 16\` makes one`;
    return isTooShort(config) ? [failedCheck('admin.short', { words })] : [];
  },
};

/** Whether a server runs. Where stores are connected, nothing else tells that it does not: no webhook comes, and nothing is pending. */
export const serverReader: Reader = {
  codes: ['server.down'],
  async read({ isServed, live, config: { dataDir } }) {
    if (isServed === undefined || (await isServed())) return [];
    const isElsewhere = 'if the server has another folder, run this command there, or set DATA_DIR';
    // Most likely a command that was given in another folder than the server's: nothing else would tell.
    if ((await live()).length === 0) {
      return [
        failedCheck('server.down', {
          level: 'attention',
          words: `no server runs on ${dataDir}, and no store is connected there; ${isElsewhere}`,
          verb: 'start',
        }),
      ];
    }
    const words = `no server runs on this DATA_DIR (${dataDir}), so webhooks reach nobody, and nothing is submitted; ${isElsewhere}`;
    return [failedCheck('server.down', { words, verb: 'start' })];
  },
};

/** Whether the database keeps what it was given, and has our time. That it answers is asked before. */
export const databaseReader: Reader = {
  codes: ['database.unsafe', 'clock.off'],
  async read({ pool }) {
    const began = Date.now();
    const { version, now, fsync, synchronousCommit } = await inspectDatabase(pool);
    const clock = clockCheck('the database', (began + Date.now()) / 2 - Date.parse(now));
    if (fsync !== 'on') {
      return [
        ...clock,
        failedCheck('database.unsafe', { subject: 'fsync', words: `PostgreSQL ${version} with fsync ${fsync}: a power cut destroys the ledger; set fsync on` }),
      ];
    }
    if (synchronousCommit !== 'off') return clock;
    const words = `PostgreSQL ${version} with synchronous_commit off: a crash loses what was recorded; set it on`;
    return [...clock, failedCheck('database.unsafe', { subject: 'synchronous_commit', words })];
  },
};
