import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readOne } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import { CONNECTIONS_CHANNEL, connectionRows, SELECT } from './connection-row.ts';
import { sealConnection } from './connection-secrets.ts';

/**
 * The secret for webhooks of a connection that are created anew, live beside the others before it is returned: the one of an earlier time, or what
 * `make` gives. Throws if the others can't be opened, because they would be lost.
 */
export async function healingSecret(pool: Pool, sealer: Sealer, { connectionId, make }: { connectionId: string; make(): string }): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const { secrets, unopened = [] } = await readOne(tx, connectionRows(sealer), {
      text: `${SELECT} where id = $1 for update of connections`,
      values: [connectionId],
    });
    const [words] = unopened;
    if (words !== undefined) throw new Error(`no webhook can be made anew: ${words}`);
    const known = secrets.find(({ healing, until }) => healing === true && until === null);
    if (known !== undefined) return known.secret;
    const secret = make();
    // The first one stays what people gave.
    const sealed = sealConnection(sealer, connectionId).secrets([...secrets, { secret, until: null, healing: true }]);
    await tx.query('update connections set secrets = $2 where id = $1', [connectionId, sealed]);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, connectionId]);
    return secret;
  });
}
