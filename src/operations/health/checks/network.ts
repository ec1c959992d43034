import { hostname } from 'node:os';
import { z } from 'zod';
import { keepNetworkChecks, keptNetworkChecks } from '../../../bridge/ledger/alerts/network-checks.ts';
import type { Config } from '../../../config/config.ts';
import { errorWords } from '../../../platform/error-words.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { type Check, type Codes, checkFailed, failedBy } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import { clockCheck } from './machine.ts';

export const codes = {
  'public.silent': {
    level: 'attention',
    what: 'PUBLIC_URL',
    en: 'The public address does not lead here.',
    bg: 'Публичният адрес не води дотук.',
    isWrong: true,
  },
  'mail.down': {
    level: 'attention',
    what: 'mail',
    en: 'The mail server can’t be used.',
    bg: 'Пощенският сървър не може да бъде използван.',
    isWrong: true,
    quotes: true,
  },
} as const satisfies Codes;

const failed = failedBy({ ...codes, ...checkFailed });

/** Several times as long as servers wait until one of them asks again: what is older says nothing of now. */
const KEPT_MINUTES = 20;

/** What only asking over the network can tell, as `doctor` sees it, or the servers saw it last. */
export const networkCheck: Check = {
  name: 'network',
  codes: [...Object.keys(codes), 'clock.off'],
  async read({ pool, network }) {
    if (network !== undefined) return network();
    const kept = await keptNetworkChecks(pool, KEPT_MINUTES);
    const [newest] = kept;
    const unknown = `network: this is not known, since no server has asked since ${newest?.at}`;
    if (newest?.isNew === false) return [failed('check.failed', { level: 'attention', subject: 'network', words: unknown, verb: 'doctor' })];
    return kept.flatMap(({ isNew, at, failed: found }) => (isNew ? found.map((one) => ({ ...one, words: `${one.words} (asked at ${at})` })) : []));
  },
};

/** How the mail server answers: as `openMailTransport` checks it. */
export type MailCheck = () => Promise<{ ok: boolean; words: string }>;

type NetworkDeps = { config: Config; mail: MailCheck };

/** Asks as `askOutside` does, and keeps what is wrong, as this machine sees it. */
export async function askNetwork({ pool, ...deps }: NetworkDeps & { pool: Pool }): Promise<void> {
  await keepNetworkChecks(pool, hostname(), await askOutside(deps));
}

const ANSWER_MS = 4_000;
const alive = z.object({ alive: z.literal(true) });

/** Asks PUBLIC_URL, the mail server, and the compliance service for its time. */
export async function askOutside(deps: NetworkDeps): Promise<FailedCheck[]> {
  return (await Promise.all([publicAddress(deps.config), mailServer(deps), clockOfService(deps.config)])).flat();
}

async function publicAddress({ publicUrl }: Config): Promise<FailedCheck[]> {
  if (publicUrl === null) return [];
  const found = await answerOf(`${publicUrl}/healthz`);
  if (found === null) return [];
  const words = `${publicUrl}/healthz ${found}, seen from here: stores send their webhooks to this address; look at its name, certificate and proxy`;
  return [failed('public.silent', { words })];
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

async function mailServer({ config, mail }: NetworkDeps): Promise<FailedCheck[]> {
  if (config.mail.smtpUrl === null) return [];
  // A mail server that hangs is a failed check itself: its transport waits longer than a health status does.
  const { ok, words } = await withTimeout(ANSWER_MS, mail()).catch((thrown: unknown) => ({ ok: false, words: `the mail server: ${errorWords(thrown)}` }));
  return ok ? [] : [failed('mail.down', { words })];
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
    const { headers, body } = await fetch(`${address}/public-api/v1/order/${NIL_UUID}`, {
      method: 'DELETE',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await body?.cancel();
    return headers.get('date');
  } catch {
    // That it can't be reached is told by pauses, and by doctor.
    return null;
  }
}

/** An order that can't exist. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
