import type { Connection, LiveSecret } from '../../bridge/connections/connection.ts';
import type { SecretsAfter } from '../../bridge/ledger/secrets-after.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Actor, Said } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';
import { secretProblem } from './secret-problem.ts';

type Deps = { connections: FindConnection & { changeSecrets(id: string, secrets: SecretsAfter, said: Said): Promise<Connection | null> } };

/** `revokeNow`: the old secret has leaked. */
type Rotation = { id: string; secret: string; revokeNow: boolean; by: Actor };

/** The secrets that are live from now on, and until when the old ones are; null: they are refused. */
export type Rotated = { secrets(live: readonly LiveSecret[]): LiveSecret[]; oldUntil: string | null };

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
    throw new Refusal('invalid', { en: problem, bg: 'тази тайна не може да бъде приета: твърде къса е или не е каквато платформата дава; копирайте я цялата' });
  }
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
