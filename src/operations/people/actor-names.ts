import { personOfId } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';

const PERSON = /^person:(.+)$/;

/** The names, or else the addresses, of the people among those who did something; whoever is no person of the console is not in it. */
export async function actorNames(pool: Pool, actors: readonly Actor[]): Promise<Map<Actor, string>> {
  const names = new Map<Actor, string>();
  for (const actor of new Set(actors)) {
    const [, id] = PERSON.exec(actor) ?? [];
    const person = id === undefined ? null : await personOfId(pool, id);
    if (person !== null) names.set(actor, person.name === '' ? person.email : person.name);
  }
  return names;
}
