import type { Log } from '../platform/log.ts';
import type { KeptGrants } from './reconciliation/keep-grants.ts';

/** What was done of the grants that were due; nothing where none was. */
export function grantsKept(log: Log, { renewed, refused, left }: KeptGrants): void {
  if (renewed + refused + left === 0) return;
  const level = refused > 0 ? 'warn' : 'info';
  log[level]({ event: 'grants.kept', renewed, refused, left }, 'grants of merchants that nothing had renewed for a day');
}

export function grantFailed(log: Log, { connectionId: connection, err }: { connectionId: string | null; err: unknown }): void {
  log.error({ event: 'grant.failed', connection, err }, 'renewing the grant of a merchant failed; it is tried again within the hour');
}

/** Its connection stays: the app was installed again. */
export function uninstalledLate(log: Log, connection: string): void {
  log.info({ event: 'uninstalled.late', connection }, 'word came that the app was uninstalled, and the store still lets it in: it was left alone');
}
