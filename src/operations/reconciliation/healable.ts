import type { Why } from '../../bridge/reconciliation/difference.ts';
import type { Entry } from './entries.ts';

/** Differences that end without a person. */
const HEALABLE: readonly Why[] = ['unknown', 'stale', 'gone', 'adopt', 'record-gone', 'waits', 'replace'];

export function isHealable({ found, ledger }: Pick<Entry, 'found' | 'ledger'>): boolean {
  return found !== null && HEALABLE.includes(found.why) && (ledger?.code == null || found.why === 'adopt' || found.why === 'record-gone');
}
