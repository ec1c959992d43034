import { type Connection, type LiveSecret, liveSecrets } from '../../bridge/connections/connection.ts';
import { type SecretsAfter, secretsVersion } from '../../bridge/ledger/connection-row.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Actor, Authorship } from '../../platform/audit-log/audit-log.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { connections: FindConnection & { changeSecrets(id: string, secrets: SecretsAfter, said: Authorship): Promise<Connection | null> } };

/** `revokeNow`: the old secret has leaked. */
type Rotation = { id: string; secret: string; revokeNow: boolean; by: Actor };

/** The secrets that are live from now on, and until when the old ones are; null: they are refused. */
type Rotated = { secrets(live: readonly LiveSecret[]): LiveSecret[]; oldUntil: string | null };

const BOTH_LIVE_MS = 24 * 60 * 60 * 1000;

/** Takes a new webhook secret; the old ones stay live for a day, or end now. Returns until when (null: they are refused from now on). */
export async function rotateSecret({ connections }: Deps, { id: named, secret, revokeNow, by }: Rotation): Promise<{ oldUntil: string | null }> {
  const connection = await knownConnection(connections, named);
  const { secrets, oldUntil } = rotated(connection, { secret, revokeNow });
  await connections.changeSecrets(connection.id, secrets, { by });
  return { oldUntil };
}

/** Refuses a secret that could never verify, or could be guessed. */
export function rotated({ platform }: Pick<Connection, 'platform'>, { secret, revokeNow }: Omit<Rotation, 'id' | 'by'>): Rotated {
  const problem = secretProblem(storefrontOf(storefronts, platform), secret);
  if (problem !== null) {
    throw new Refusal('invalid', {
      en: problem,
      bg: 'този таен ключ не може да бъде приет: твърде къс е или не е какъвто платформата дава; копирайте го целия',
    });
  }
  return besideOlder(secret, revokeNow);
}

/** A new secret: the others end in a day, or now. */
export function besideOlder(secret: string, revokeNow: boolean): Rotated {
  const until = Date.now() + BOTH_LIVE_MS;
  const fresh = { secret, until: null };
  if (revokeNow) return { secrets: () => [fresh], oldUntil: null };
  return { secrets: (live) => [fresh, ...ending(live, secret, until)], oldUntil: new Date(until).toISOString() };
}

/** The other secrets that are live now, to end at `until` at the latest. */
function ending(secrets: readonly LiveSecret[], fresh: string, until: number): LiveSecret[] {
  return secrets
    .map((live) => ({ secret: live.secret, ends: Math.min(live.until === null ? until : Date.parse(live.until), until) }))
    .filter(({ secret, ends }) => secret !== fresh && ends > Date.now())
    .map(({ secret, ends }) => ({ secret, until: new Date(ends).toISOString() }));
}

/** A new secret for the webhooks of a store of this platform; null: it has one of its own, which a person copies. */
export function newSecret(platform: string): string | null {
  return storefrontOf(storefronts, platform).newSecret?.() ?? null;
}

/** What a form about a store's secrets was made from: another text with each change of them. */
export async function versionOfSecrets({ pool }: { pool: Pool }, connectionId: string): Promise<string> {
  return (await secretsVersion(pool, connectionId)) ?? '';
}

const LEAST = 8;

/** Whether a webhook secret is so short that it can be guessed from one signed request. */
export function isWeakSecret(secret: string): boolean {
  return [...secret].length < LEAST;
}

/** Why a webhook secret is not taken: it could never verify, or could be guessed; null: it is fine. */
export function secretProblem(storefront: Pick<Storefront, 'secretProblem'>, secret: string): string | null {
  const problem = storefront.secretProblem(secret);
  if (problem !== null || !isWeakSecret(secret)) return problem;
  return `The secret has fewer than ${LEAST} characters, so that it could be guessed: make a longer one in the store, such as with \`openssl rand -hex 32\`.`;
}

/** `wrong`: what does not work because of it. `weak`: what works, and should be better. */
export type SecretWarnings = { wrong: string[]; weak: string[] };

/** What a person should know of the secrets of a connection. `trusted`: hosts to which keys may go over http. */
export function secretWarnings(connection: Connection, trusted: readonly string[]): SecretWarnings {
  const { access, unopened = [] } = connection;
  const insecure = access === null ? null : insecureWords(access.url, trusted);
  const live = liveSecrets(connection, Date.now());
  const { secretAdvice } = storefrontOf(storefronts, connection.platform);
  const advice = secretAdvice === undefined ? [] : live.flatMap((secret) => secretAdvice(secret) ?? []);
  return {
    wrong: [...unopened, ...(insecure === null ? [] : [`the store’s API is not called: ${insecure}`])],
    weak: [...new Set(advice)],
  };
}
