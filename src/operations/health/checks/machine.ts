import { keptOfStores } from '../../../bridge/ledger/counts/read-counts.ts';
import { recordingPlace } from '../../../bridge/ledger/database-acts.ts';
import { inspectDatabase, POSTGRES } from '../../../bridge/ledger/migrate-ledger.ts';
import { isTooShort, SHORTEST_ADMIN_TOKEN } from '../../../config/config.ts';
import type { RecordingStop } from '../../../platform/postgres/database-place.ts';
import { type Check, type Codes, type DoctorRemark, failedBy } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import type { Round } from '../round.ts';

export const codes = {
  'database.down': {
    level: 'failing',
    what: 'database',
    en: 'The database does not answer: nothing can be recorded.',
    bg: 'Базата данни не отговаря: нищо не може да бъде записано.',
  },
  'database.restored': {
    level: 'failing',
    what: 'database',
    en: 'The database was restored, copied or promoted: nothing is recorded until somebody says how far it had got.',
    bg: 'Базата данни е възстановена, копирана или сменена: нищо не се записва, докато не бъде казано докъде е стигнала.',
  },
  'database.untested': {
    level: 'attention',
    what: 'database',
    en: 'PostgreSQL is of a version that this program was never run with.',
    bg: 'Версията на PostgreSQL е такава, с която програмата не е изпробвана.',
    isWrong: true,
  },
  'database.unsafe': {
    level: 'attention',
    what: 'database',
    en: 'The settings of PostgreSQL can lose what was recorded.',
    bg: 'Настройките на PostgreSQL могат да загубят записаното.',
    isWrong: true,
  },
  'database.restarted': {
    level: 'attention',
    what: 'database',
    en: 'The embedded PostgreSQL died within the last day, and was started again.',
    bg: 'Вграденият PostgreSQL е спрял през последното денонощие и е пуснат отново.',
    isWrong: true,
  },
  'clock.off': { level: 'attention', what: 'clock', en: 'The clock of this machine is wrong.', bg: 'Часовникът на машината е неверен.', isWrong: true },
  'server.down': {
    level: 'failing',
    what: 'server',
    en: 'No server takes webhooks: they reach nobody.',
    bg: 'Никой сървър не приема известия от магазините: те не стигат до никого.',
  },
  'disk.full': { level: 'attention', what: 'disk', en: 'The disk is nearly full.', bg: 'Дискът е почти пълен.', isWrong: true },
  'admin.short': {
    level: 'attention',
    what: 'dashboard',
    en: 'The dashboard is off, because its password could be guessed.',
    bg: 'Таблото е изключено, защото паролата му може да бъде отгатната.',
    isWrong: true,
  },
} as const satisfies Codes;

const failed = failedBy(codes);

const MOST_SKEW_MS = 60_000;

/** `ahead`: ms that our clock is ahead of `whose`; signatures with a time are valid for 5 minutes. */
export function clockCheck(whose: string, ahead: number): FailedCheck[] {
  if (Number.isNaN(ahead) || Math.abs(ahead) <= MOST_SKEW_MS) return [];
  const words = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${whose}: synchronize this machine's clock (NTP)`;
  return [failed('clock.off', { subject: whose, words })];
}

const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** Below so much, or below a twentieth of a disk on which that is little. */
const LEAST_FREE = GB;
const LITTLE_FREE = 10 * GB;
const DAY_MS = 24 * 60 * 60_000;

/** The disk of DATA_DIR, where an embedded database and mails without a server are. */
export const diskCheck: Check = {
  name: 'disk',
  codes: ['disk.full'],
  async read({ disk, pool, now, config: { dataDir, keepBodiesMb, keepDeliveriesDays } }) {
    const { free, size } = await disk();
    if (size === 0 || free >= LITTLE_FREE || (free >= LEAST_FREE && free >= size / 20)) return [];
    const words = `${Math.floor(free / MB)} MB of ${Math.ceil(size / GB)} GB are free on the disk of DATA_DIR (${dataDir}); make room, before the database stops`;
    const wanted = { since: new Date(now - keepDeliveriesDays * DAY_MS), each: keepBodiesMb * MB };
    // The database may be what the disk has stopped.
    const [first] = await keptOfStores(pool, wanted).catch(() => []);
    const most = first === undefined ? '' : `. Most is kept of ${first.name}: ${Math.ceil(first.bytes / MB)} MB of its webhooks`;
    return [failed('disk.full', { words: `${words}${most}` })];
  },
};

/** An embedded PostgreSQL that died and was started again, for a day. */
export const restartsCheck: Check = {
  name: 'restarts',
  codes: ['database.restarted'],
  async read({ restarts, config: { dataDir }, now }) {
    const times = (await restarts()).filter((time) => now - Date.parse(time) < DAY_MS);
    const since = times.at(-1);
    if (since === undefined) return [];
    const words = `the embedded PostgreSQL died and was started again, last at ${since}; postgres.log in DATA_DIR (${dataDir}) may say why: is there enough memory?`;
    return [failed('database.restarted', { count: times.length, since, words })];
  },
};

export const dashboardCheck: Check = {
  name: 'dashboard',
  codes: ['admin.short'],
  async read({ config }) {
    const words = `off: ADMIN_TOKEN has fewer than ${SHORTEST_ADMIN_TOKEN} characters, and could be guessed; \`openssl rand -hex 16\` makes one`;
    return isTooShort(config) ? [failed('admin.short', { words })] : [];
  },
};

/** Whether a server runs. Where stores are connected, nothing else tells that it does not: no webhook comes, and nothing is pending. */
export const serverCheck: Check = {
  name: 'server',
  codes: ['server.down'],
  async read({ isServed, live, config: { database, dataDir } }) {
    if (isServed === undefined || (await isServed())) return [];
    if (database.kind === 'external') {
      const words = 'no receiver runs on this database (role receiver or all), so webhooks reach nobody';
      return (await live()).length === 0 ? [] : [failed('server.down', { words, verb: 'start' })];
    }
    const isElsewhere = 'if the server has another folder, run this command there, or set DATA_DIR';
    // Most likely a command that was given in another folder than the server's: nothing else would tell.
    if ((await live()).length === 0) {
      return [
        failed('server.down', {
          level: 'attention',
          words: `no server runs on ${dataDir}, and no store is connected there; ${isElsewhere}`,
          verb: 'start',
        }),
      ];
    }
    const words = `no server runs on this DATA_DIR (${dataDir}), so webhooks reach nobody, and nothing is submitted; ${isElsewhere}`;
    return [failed('server.down', { words, verb: 'start' })];
  },
};

/** Whether the database keeps what it was given, and has our time. That it answers is asked before. */
export const databaseCheck: Check = {
  name: 'database',
  codes: ['database.unsafe', 'database.untested', 'clock.off'],
  async read({ pool }) {
    const began = Date.now();
    const { version, major, now, fsync, synchronousCommit } = await inspectDatabase(pool);
    const untested =
      major > POSTGRES.newest
        ? [failed('database.untested', { words: `PostgreSQL ${version}: the newest one that orderbridge was run with is ${POSTGRES.newest}` })]
        : [];
    const clock = [...untested, ...clockCheck('the database', (began + Date.now()) / 2 - Date.parse(now))];
    if (fsync !== 'on') {
      return [
        ...clock,
        failed('database.unsafe', { subject: 'fsync', words: `PostgreSQL ${version} with fsync ${fsync}: a power cut destroys the ledger; set fsync on` }),
      ];
    }
    if (synchronousCommit !== 'off') return clock;
    const words = `PostgreSQL ${version} with synchronous_commit off: a crash loses what was recorded; set it on`;
    return [...clock, failed('database.unsafe', { subject: 'synchronous_commit', words })];
  },
  remarks: databaseRemarks,
};

const FULL = 0.8;
/** A queue in PostgreSQL has connections for what is added and for each worker. */
const OF_QUEUE = 22;

async function databaseRemarks({ pool, config: { database, databaseConnections, compliance, queue } }: Round): Promise<DoctorRemark[]> {
  const isEmbedded = database.kind === 'embedded';
  const { version, open, mostOpen, ...role } = await inspectDatabase(pool);
  // One listens, past a pooler.
  const own = databaseConnections * (compliance.kind === 'embedded' ? 2 : 1) + 1 + (queue.kind === 'postgres' ? OF_QUEUE : 0);
  const few = open > mostOpen * FULL ? '; raise max_connections, or put a pooler between (docs/operate.md)' : '';
  const remark = `${few}${roleRemark(isEmbedded, role)}`;
  const words = `PostgreSQL ${version}${isEmbedded ? ', embedded in DATA_DIR' : ''}, tables fit this version, ${open} of ${mostOpen} connections open, a process opens ${own} at most${remark}`;
  return [
    { what: 'database', words, isNote: remark !== '' },
    { what: 'clock', words: 'in step with the database, and the compliance API if that gives its time' },
  ];
}

/** What the program's role may do beyond its work; the embedded database is its own. */
function roleRemark(isEmbedded: boolean, { isSuperuser, mayCreate }: { isSuperuser: boolean; mayCreate: boolean }): string {
  if (isSuperuser) return '; its role is superuser, which may read files and run programs there: give it one of its own, with docs/grants.sql';
  return mayCreate && !isEmbedded ? '; its role may make tables, which only `orderbridge migrate` needs: docs/grants.sql is for two roles' : '';
}

/** Why nothing is recorded. */
export const stopWords: Readonly<Record<RecordingStop, string>> = {
  moved: 'the database is elsewhere than it was: it was restored, or a replica was promoted',
  older: 'the database lacks what it had: it was restored from a backup, or an older one is used',
  copied: 'DATA_DIR was restored from a backup, or copied',
};

/** Whether the database is the one that numbers were given from. */
export const restoredCheck: Check = {
  name: 'restores',
  codes: ['database.restored'],
  async read({ pool }) {
    const { stop, since } = await recordingPlace(pool);
    if (stop === null) return [];
    const words = `nothing is recorded: ${stopWords[stop]}; \`orderbridge resume\` shows how far it got, and records again once you say what was lost`;
    return [failed('database.restored', { words, since, verb: 'resume' })];
  },
};
