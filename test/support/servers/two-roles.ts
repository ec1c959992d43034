import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

export const GRANTS = join(import.meta.dirname, '../../../docs/grants.sql');
export const POOLER = join(import.meta.dirname, '../../../ops/pooler.sql');
const OWNER = 'orderbridge_owner';
const PROGRAM = 'orderbridge';

/** The addresses of one database for its superuser, its owner, and the program. */
export type TwoRoles = { superuser: string; owner: string; program: string };

/** Gives an empty database two roles, as docs/grants.sql says: `url` is its superuser's. */
export async function giveTwoRoles(url: string): Promise<TwoRoles> {
  const database = new URL(url).pathname.slice(1);
  await runSql(url, ...[OWNER, PROGRAM].map(making), `alter database ${database} owner to ${OWNER}`);
  const roles = { superuser: url, owner: addressOf(url, OWNER), program: addressOf(url, PROGRAM) };
  await runSql(roles.owner, await readFile(GRANTS, 'utf8'));
  return roles;
}

export async function runSql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The embedded server's own role of the program has this name, too. */
function making(role: string): string {
  return `do $$ begin if to_regrole('${role}') is null then create role ${role}; end if; end $$; alter role ${role} login password '${role}'`;
}

function addressOf(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password: role }).href;
}
