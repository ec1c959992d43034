import { randomUUID } from 'node:crypto';
import type { Act } from '../../../platform/audit-log/audit-log.ts';
import { queueMail } from '../../../platform/mail/outbox.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { bridgeMails } from '../alerts/merchant-incidents.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import { personOfId } from './people-store.ts';

/** The kind of mail by which people of the console are told what somebody may not have wanted. */
export const PERSON_MAIL = 'person';

/**
 * owner: somebody is an owner now. reset: an owner's password was taken away. factor: anybody's second factor was. passkey: an owner removed one. Owners are
 * mailed these. password: one was chosen, of which its person is mailed.
 */
export const PERSON_NOTICES = ['owner', 'reset', 'factor', 'passkey', 'password'] as const;
type PersonNotice = (typeof PERSON_NOTICES)[number];

const NOTICES: Partial<Record<BridgeAct, PersonNotice>> = {
  ...{ 'person.added': 'owner', 'person.changed': 'owner', 'person.enabled': 'owner', 'person.bound': 'owner' },
  ...{ 'person.reset': 'reset', 'person.factor-ended': 'factor', 'person.factor-reset': 'factor' },
  ...{ 'person.passkey-removed': 'passkey', 'person.password-chosen': 'password' },
};
const OF_ANYBODY: readonly PersonNotice[] = ['factor', 'password'];

/** Writes an act about a person, within its transaction, and puts the mail about it into the outbox, if there is to be one. */
export async function writePersonAct(tx: Queryable, act: Act<BridgeAct> & { subject: string }): Promise<void> {
  await writeBridgeActs(tx, [act]);
  const notice = NOTICES[act.act];
  if (notice === undefined || !(OF_ANYBODY.includes(notice) || (await personOfId(tx, act.subject))?.role === 'owner')) return;
  const ref = { notice, person: act.subject, by: act.who };
  await queueMail(tx, bridgeMails, { kind: PERSON_MAIL, ref, ownerId: null, dedupKey: randomUUID(), now: new Date() });
}
