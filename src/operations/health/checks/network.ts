import { hostname } from 'node:os';
import { z } from 'zod';
import type { ComplianceClient, Endpoint } from '../../../bridge/client/port.ts';
import type { Connection } from '../../../bridge/connections/connection.ts';
import { keepNetworkChecks, keptNetworkChecks } from '../../../bridge/ledger/alerts/network-checks.ts';
import type { Destination } from '../../../bridge/ledger/connections/destination-store.ts';
import type { Config } from '../../../config/config.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { limitConcurrency } from '../../../platform/limit-concurrency.ts';
import { ProviderProblem } from '../../../platform/oidc/provider-problem.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { type Check, type Codes, checkFailed, type DoctorRemark, failedBy } from '../check.ts';
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
  'provider.down': {
    level: 'attention',
    what: 'sign-in',
    en: 'The identity provider can’t be used: only people with a password can sign in.',
    bg: 'Доставчикът на самоличност не може да бъде използван: влизат само хората с парола.',
    isWrong: true,
    quotes: true,
  },
} as const satisfies Codes;

const failed = failedBy({ ...codes, ...checkFailed });

/** Several times as long as servers wait until one of them asks again: what is older says nothing of now. */
const KEPT_MINUTES = 20;

/** What only calling over the network can tell, as `doctor` sees it, or the servers saw it last. */
export const networkCheck: Check = {
  name: 'network',
  codes: [...Object.keys(codes), 'clock.off'],
  async read({ pool, network }) {
    if (network !== undefined) return network();
    const kept = await keptNetworkChecks(pool, KEPT_MINUTES);
    const [newest] = kept;
    const unknown = `network: this is not known, since no server has asked since ${newest?.at}`;
    if (newest?.isNew === false) return [failed('check.failed', { level: 'attention', subject: 'network', words: unknown, verb: 'doctor' })];
    return kept.flatMap(({ isNew, at, failed: all }) => (isNew ? all.map((one) => ({ ...one, words: `${one.words} (asked at ${at})` })) : []));
  },
};

/** What is called. `provider`: null: nobody signs in by one. `keys`: null: those of compliance services are not tried, as by servers, whom pauses tell of them. */
export type Outside = {
  config: Config;
  mail(): Promise<{ ok: boolean; words: string }>;
  provider: { host: string; check(): Promise<void> } | null;
  keys: KeysTried | null;
};

/** With what each key of a compliance service is tried. `configured`: where the configured key is valid: stores may not be connected yet. */
type KeysTried = {
  client: Pick<ComplianceClient, 'deleteOrder'>;
  connections: { list(): Promise<Connection[]> };
  destinations: { opened(ids: readonly string[]): Promise<Destination[]> };
  endpoint(destinationId: string): Promise<Endpoint>;
  configured(): Promise<Endpoint>;
};

type Found = FailedCheck | DoctorRemark;

export function isFailed(found: Found): found is FailedCheck {
  return 'code' in found;
}

/** Calls as `askOutside` does, and keeps what is wrong, as this machine sees it. */
export async function askNetwork(pool: Pool, outside: Outside, signal?: AbortSignal): Promise<void> {
  const asked = await askOutside(outside, signal);
  if (signal?.aborted !== true) await keepNetworkChecks(pool, hostname(), asked.filter(isFailed));
}

const ANSWER_MS = 4_000;
/** Of all calls together; several services may hang, and each may have many keys. */
const ALL_MS = 60_000;
const alive = z.object({ alive: z.literal(true) });

const asks = [publicAddress, mailServer, clockOfService, identityProvider, complianceApi] as const;

/** Calls all that this program depends on over the network. One that can't be asked hides no other. */
export async function askOutside(outside: Outside, signal?: AbortSignal): Promise<Found[]> {
  const timeout = AbortSignal.timeout(ALL_MS);
  const until = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const asked = await Promise.allSettled(asks.map((ask) => ask(outside, until)));
  const thrown = asked.find((one) => one.status === 'rejected');
  const unknown = thrown === undefined ? [] : [unchecked(`this could not be checked (${errorWords(thrown.reason)})`)];
  return [...asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])), ...unknown];
}

/** It is kept for minutes, and may have been a moment's error. */
function unchecked(words: string): FailedCheck {
  return failed('check.failed', { level: 'attention', subject: 'network', words: `network: ${words}`, verb: 'doctor' });
}

async function publicAddress({ config: { publicUrl } }: Outside): Promise<Found[]> {
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

async function mailServer({ config, mail }: Outside): Promise<Found[]> {
  const isFile = config.mail.smtpUrl === null;
  if (isFile && config.compliance.kind === 'remote') return [];
  // A mail server that hangs is a failed check itself: its transport waits longer than a health status does.
  const { ok, words } = await withTimeout(ANSWER_MS, mail()).catch((thrown: unknown) => ({ ok: false, words: `the mail server: ${errorWords(thrown)}` }));
  return ok || isFile ? [{ what: 'mail', words, isNote: isFile }] : [failed('mail.down', { words })];
}

/** The time in the answer to a harmless request, without a key; of a service that gives none, nothing is known. */
async function clockOfService({ config: { compliance } }: Outside): Promise<Found[]> {
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

/** Whether the identity provider answers as itself. Whether it takes our client shows at the first sign-in. */
async function identityProvider({ provider }: Outside): Promise<Found[]> {
  if (provider === null) return [];
  const { host } = provider;
  try {
    await provider.check();
    return [{ what: 'sign-in', words: `the identity provider ${host} answers` }];
  } catch (thrown) {
    if (!(thrown instanceof ProviderProblem)) throw thrown;
    const { kind, code } = thrown;
    const what =
      kind === 'away' ? `the identity provider ${host} does not answer` : `what the identity provider ${host} says of itself does not fit OIDC_ISSUER`;
    return [failed('provider.down', { words: `${what} (${code}); people with a password can still sign in; check OIDC_ISSUER` })];
  }
}

/** Keys that are tried at once. */
const AT_ONCE = 8;

/** Calls with the configured key, and with each other key of a connected store. Those of our own service are read in its database (`destinations.ts`). */
async function complianceApi({ config, keys: tried }: Outside, signal: AbortSignal): Promise<Found[]> {
  if (tried === null) return [];
  const keys = await keysOf(config, tried);
  if (keys.length === 0)
    return [{ what: 'compliance API', words: 'not checked: there is no key yet, neither configured nor of a connected store', isNote: true }];
  const inTurn = limitConcurrency({ atOnce: AT_ONCE, mostWaiting: keys.length });
  const services = [...Map.groupBy(keys, ({ baseUrl }) => baseUrl).values()];
  const attempt = (key: TriedKey) => tryKey(tried, key, signal);
  const found = (await Promise.all(services.map((ofOne) => tryService(ofOne, attempt, inTurn)))).flat();
  const left = found.filter((one) => one === null).length;
  const known = found.filter((one) => one !== null);
  return left === 0 ? known : [...known, unchecked(`${left} of ${keys.length} keys of compliance services were not tried within ${ALL_MS / 1000} s`)];
}

type TriedKey = { who: string; baseUrl: string; endpoint(): Promise<Endpoint> };

async function keysOf({ compliance }: Config, { connections, destinations, endpoint, configured }: KeysTried): Promise<TriedKey[]> {
  const given = compliance.kind === 'embedded' ? null : compliance;
  const known = given?.apiKey === null ? [] : [{ who: 'the configured key', baseUrl: given?.baseUrl ?? '', endpoint: configured }];
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const names = new Map(live.map(({ destinationId, name }) => [destinationId, name]));
  const isKnown = ({ baseUrl, credentials }: Destination) => known.length > 0 && baseUrl === given?.baseUrl && credentials.apiKey === given?.apiKey;
  const others = (await destinations.opened([...names.keys()])).filter((one) => !isKnown(one));
  const ofStores = others.flatMap(({ id, baseUrl }) =>
    baseUrl === null ? [] : [{ who: `the key of ${names.get(id) ?? id}`, baseUrl, endpoint: () => endpoint(id) }],
  );
  return [...known, ...ofStores];
}

/** `silent`: it gave no answer. `found` null: there was no time. */
type Tried = { silent: boolean; found: Found | null };

type InTurn = ReturnType<typeof limitConcurrency>;

/** The first key goes alone: once a service gives no answer, it is not called with another. */
async function tryService([first, ...others]: readonly TriedKey[], attempt: (key: TriedKey) => Promise<Tried>, inTurn: InTurn): Promise<(Found | null)[]> {
  let isSilent = false;
  const next = async (key: TriedKey): Promise<Found | null> => {
    if (isSilent) return unusable(key, `not tried, since ${key.baseUrl} gave no answer to another key`);
    const { silent, found } = await attempt(key);
    isSilent ||= silent;
    return found;
  };
  const found = first === undefined ? [] : [await inTurn(() => next(first))];
  return [...found, ...(await Promise.all(others.map((key) => inTurn(() => next(key)))))];
}

function unusable({ who }: TriedKey, words: string): DoctorRemark {
  return { what: 'compliance API', words: `${who}: ${words}`, isWrong: true };
}

/** Deleting what can't exist changes nothing and needs valid credentials: 404 is the right answer. */
async function tryKey({ client }: KeysTried, key: TriedKey, signal: AbortSignal): Promise<Tried> {
  if (signal.aborted) return { silent: false, found: null };
  try {
    const where = await key.endpoint();
    const reply = await client.deleteOrder(where, NIL_UUID, signal);
    if (reply.kind !== 'answered') return { silent: true, found: unusable(key, `no answer of ${where.baseUrl} (${reply.error}); check COMPLIANCE_API_URL`) };
    const { status, detail } = reply;
    if (status === 404) return { silent: false, found: { what: 'compliance API', words: `${where.baseUrl}, ${key.who}: answers, and accepts the key` } };
    const answer = `${where.baseUrl} answered ${status}, expected 404${detail === '' ? '' : ` (${detail})`}`;
    const todo =
      status === 401 || status === 403
        ? 'check the key, the secret and the signature settings (`orderbridge doctor`)'
        : 'check COMPLIANCE_API_URL, or try again later';
    return { silent: false, found: unusable(key, `${answer}; ${todo}`) };
  } catch (thrown) {
    return { silent: false, found: unusable(key, errorWords(thrown)) };
  }
}
