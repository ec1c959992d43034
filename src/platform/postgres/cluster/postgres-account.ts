import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** The account that runs PostgreSQL. It refuses to run as root; `bypass` lets it through folders that its account may not enter. */
export type ServerAccount = { kind: 'self' } | { kind: 'other'; uid: number; gid: number; bypass: boolean };

type Ids = { uid: number; gid: number };

const NOBODY: Ids = { uid: 65534, gid: 65534 };
const CAPABILITY = '+dac_override';
/** Else access(2), by which PostgreSQL looks for its own programs, leaves the capability out of account. */
const SECUREBITS = '--securebits=+no_setuid_fixup';

/** Not root: this very user. Root: the owner of the cluster, else the system's `postgres`, else nobody. */
export async function chooseServerAccount({ cluster, programs }: { cluster: string; programs: readonly string[] }): Promise<ServerAccount> {
  if (userInfo().uid !== 0) return { kind: 'self' };
  const ids = (await ownerOf(cluster)) ?? (await systemPostgres()) ?? NOBODY;
  const open = await Promise.all([mayEnter(dirname(cluster), ids), ...programs.map((program) => mayEnter(program, ids))]);
  return { kind: 'other', ...ids, bypass: open.includes(false) };
}

/** How to spawn a program as that account. */
export function asAccount(account: ServerAccount, command: readonly [string, ...string[]]): { command: readonly [string, ...string[]]; ids: Partial<Ids> } {
  if (account.kind === 'self') return { command, ids: {} };
  const { uid, gid, bypass } = account;
  if (!bypass) return { command, ids: { uid, gid } };
  const flags = [SECUREBITS, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', `--inh-caps=${CAPABILITY}`, `--ambient-caps=${CAPABILITY}`];
  return { command: ['setpriv', ...flags, '--', ...command], ids: {} };
}

async function ownerOf(path: string): Promise<Ids | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

async function systemPostgres(): Promise<Ids | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return uid === undefined || gid === undefined || uid === '0' ? undefined : { uid: Number(uid), gid: Number(gid) };
}

// Mode bits alone: where an access list says more, the bypass is used needlessly and works as well.
async function mayEnter(path: string, ids: Ids): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(path);
  return parent === path || mayEnter(parent, ids);
}
