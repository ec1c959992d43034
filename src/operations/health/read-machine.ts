import { z } from 'zod';
import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import { type Config, isTooShort, SHORTEST_ADMIN_TOKEN } from '../../config/config.ts';
import { errorWords } from '../../platform/error-words.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import type { Reader } from './round.ts';

/** How the mail server answers: as `openMailTransport` checks it. */
export type MailCheck = () => Promise<{ ok: boolean; words: string }>;

type OutsideDeps = { config: Config; mail: MailCheck };

const ANSWER_MS = 4_000;
const alive = z.object({ alive: z.literal(true) });

/** The codes that only asking over the network can tell. */
export const outsideCodes = ['public.silent', 'mail.down', 'clock.off'] as const;

/** Asks PUBLIC_URL, the mail server, and the compliance service for its time. */
export async function askOutside(deps: OutsideDeps): Promise<FailedCheck[]> {
  return (await Promise.all([publicAddress(deps.config), mailServer(deps), clockOfService(deps.config)])).flat();
}

async function publicAddress({ publicUrl }: Config): Promise<FailedCheck[]> {
  if (publicUrl === null) return [];
  const found = await answerOf(`${publicUrl}/healthz`);
  if (found === null) return [];
  const words = `${publicUrl}/healthz ${found}, seen from here: stores send their webhooks to this address; look at its name, certificate and proxy`;
  return [failedCheck('public.silent', { words })];
}

/** Null: it is one of ours. */
async function answerOf(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const body: unknown = await response.json().catch(() => null);
    return response.status === 200 && alive.safeParse(body).success ? null : `answers ${response.status}, not as orderbridge does`;
  } catch (thrown) {
    return `does not answer (${errorWords(thrown)})`;
  }
}

async function mailServer({ config, mail }: OutsideDeps): Promise<FailedCheck[]> {
  if (config.mail.smtpUrl === null) return [];
  // A mail server that hangs is a failed check itself: its transport waits longer than a health status does.
  const { ok, words } = await withTimeout(ANSWER_MS, mail()).catch((thrown: unknown) => ({ ok: false, words: `the mail server: ${errorWords(thrown)}` }));
  return ok ? [] : [failedCheck('mail.down', { words })];
}

/** The time in the answer to a harmless request, without a key; of a service that gives none, nothing is known. */
async function clockOfService({ compliance }: Config): Promise<FailedCheck[]> {
  if (compliance.kind === 'embedded') return [];
  const began = Date.now();
  const date = await dateOf(compliance.baseUrl);
  return date === null ? [] : clockCheck('the compliance API', (began + Date.now()) / 2 - Date.parse(date));
}

async function dateOf(address: string): Promise<string | null> {
  try {
    const { headers } = await fetch(`${address}/public-api/v1/order/${NIL_UUID}`, {
      method: 'DELETE',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return headers.get('date');
  } catch {
    // That it can't be reached is told by pauses, and by doctor.
    return null;
  }
}

/** An order that can't exist. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const MOST_SKEW_MS = 60_000;

/** `ahead`: ms that our clock is ahead of `whose`; signatures with a time are valid for 5 minutes. */
function clockCheck(whose: string, ahead: number): FailedCheck[] {
  if (Number.isNaN(ahead) || Math.abs(ahead) <= MOST_SKEW_MS) return [];
  const words = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${whose}: synchronize this machine's clock (NTP)`;
  return [failedCheck('clock.off', { subject: whose, words })];
}

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
