import type { PersonRole } from '../../contract/person-role.ts';

/** Who may do what in the console. The command line may do everything. */
const rights = {
  'orders.see': ['owner', 'operator', 'accountant', 'viewer'],
  /** Names, addresses and the bodies of webhooks; each look is an act. */
  'buyers.see': ['owner', 'operator'],
  /** Release, resolve, confirm, replay, dismiss; end a pause. */
  'orders.decide': ['owner', 'operator'],
  'settings.change': ['owner', 'operator'],
  /** Say what the answer to an issue is, for somebody who may change settings. */
  'settings.propose': ['owner', 'operator', 'accountant'],
  'months.see': ['owner', 'operator', 'accountant', 'viewer'],
  /** Download and make files; say filed, rejected, nothing to file. */
  'months.mark': ['owner', 'operator', 'accountant'],
  'stores.see': ['owner', 'operator', 'viewer'],
  /** Connect and disconnect stores, their secrets. */
  'stores.change': ['owner'],
  /** The dashboard of the queues, for who looks into the machine. */
  'queues.see': ['owner', 'operator'],
  'activity.see': ['owner', 'operator', 'viewer'],
  'people.change': ['owner'],
} as const satisfies Record<string, readonly PersonRole[]>;

export type Right = keyof typeof rights;

export function may(role: PersonRole, right: Right): boolean {
  return rolesThatMay(right).includes(role);
}

export function rolesThatMay(right: Right): readonly PersonRole[] {
  return rights[right];
}
