import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';

const sealedRow = rowsOf('connections', z.object({ sealed: z.string() }));

/** Another text with each change of a connection's secrets, which says nothing about them: it is made of what is sealed. Null: there is no such connection. */
export async function secretsVersion(pool: Pool, connectionId: string): Promise<string | null> {
  const found = await readRow(pool, sealedRow, { text: 'select secrets as sealed from connections where id = $1', values: [connectionId] });
  return found === null ? null : createHash('sha256').update(found.sealed).digest('base64url');
}
