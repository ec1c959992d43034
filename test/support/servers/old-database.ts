import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/databases');

/** The newest versions of earlier commits (47160e2 and before), and the tables in which their history is. */
const schemas = {
  bridge: { newest: 9, history: 'version int primary key, name text not null, at timestamptz not null default now()' },
  compliance: { newest: 10, history: 'version int primary key, name text not null, applied_at timestamptz not null default now()' },
} as const;

export type OldSchema = keyof typeof schemas;

/** The versions that a schema went through until then. */
export function versionsOf(schema: OldSchema): number[] {
  return Array.from({ length: schemas[schema].newest }, (_, i) => i + 1);
}

/** Makes a schema as it was at a version, with the statements of that time, on a connection that finds the names of the schema. */
export async function makeOldSchema(db: Queryable, schema: OldSchema, version: number): Promise<void> {
  await db.query(`create schema if not exists ${schema}; create table if not exists ${schema}.migrations (${schemas[schema].history})`);
  for (const one of versionsOf(schema).filter((known) => known <= version)) {
    const sql = await readFile(join(FOLDER, `${schema}-${one}.sql`), 'utf8');
    await db.query(sql);
    await db.query(`insert into ${schema}.migrations (version, name) values ($1, $2)`, [one, sql.slice('-- '.length, sql.indexOf('\n'))]);
  }
}
