import { randomUUID } from 'node:crypto';
import { bridgeMails, MAILBOX_MAIL } from '../../bridge/ledger/alerts/merchant-incidents.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { wayCodes } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { mailboxMark } from '../../platform/mail/mailboxes.ts';
import { isOpenByCode, makeCode, type TakenCode, takeMailedCode } from '../../platform/mail/mailed-codes.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { mailboxOf } from './confirm-company.ts';
import { carryToShop, mailboxSays, type Onboarding, saveNewest } from './onboarding.ts';

type Deps = { pool: Pool };

/** `browser`: what it keeps, which nobody can guess. `address`: a mailbox that is to become theirs; null: the one that is. */
type Asking = { browser: string; address: string | null };

/** A code for this browser, to be mailed at once. Null: there is no mailbox, it refused mails, or enough codes were mailed to it, or by this merchant. */
export async function newCode({ pool }: Deps, onboarding: Onboarding, { browser, address }: Asking): Promise<{ to: string; code: string } | null> {
  const to = address ?? mailboxOf(onboarding);
  if (to === null) return null;
  const mailbox = mailboxMark(pool, to);
  const { isConfirmed, isRefused } = await mailboxSays({ pool }, onboarding, mailbox);
  if (isRefused) return null;
  const code = await makeCode(pool, wayCodes, { ownerId: onboarding.id, browser, at: new Date(), mailbox, isConfirmed, address });
  return code === null ? null : { to, code };
}

/**
 * What was typed opens the files, the answers and the mailbox of a store in this browser, for a while. The mailbox that it was mailed to is the merchant's from
 * now on, and those of before that were confirmed are mailed so. False: it is wrong, or was used, or its time is over, or it was tried too often: no matter which.
 */
export async function takeCode({ pool }: Deps, { id }: Pick<Onboarding, 'id'>, { browser, typed }: { browser: string; typed: string }): Promise<boolean> {
  const act = async (tx: Queryable, taken: TakenCode): Promise<true> => {
    let before = null as Onboarding | null;
    let shopId = null as string | null;
    await saveNewest({ pool: tx }, id, (newest) => {
      const address = taken.address ?? mailboxOf(newest);
      // Where mails go may have been changed since it was mailed: then it opens nothing.
      if (address === null || !mailboxMark(tx, address).equals(taken.mailbox)) return null;
      shopId = newest.shopId;
      if (address === newest.email) return null;
      before = newest;
      return { email: address, mailTo: null };
    });
    if (taken.isFirst) await writeBridgeActs(tx, [{ who: `merchant:${id}`, act: taken.address === null ? 'code.taken' : 'mailbox.changed', subject: id }]);
    // Anyone who gave a code reads it.
    if (shopId !== null) await carryToShop(tx, { id, shopId });
    const former = before === null ? [] : await openOf(tx, before);
    for (const mailbox of former.filter((one) => !mailboxMark(tx, one).equals(taken.mailbox))) {
      const mail = { kind: MAILBOX_MAIL, ref: { onboarding: id }, mailbox, ownerId: id };
      await queueMail(tx, bridgeMails, { ...mail, dedupKey: randomUUID(), now: new Date() });
    }
    return true;
  };
  return (await takeMailedCode(pool, wayCodes, { ownerId: id, browser, at: new Date(), typed, act })) ?? false;
}

async function openOf(tx: Queryable, before: Onboarding): Promise<string[]> {
  const all = [before.email, before.mailTo].flatMap((one) => one ?? []);
  const said = await Promise.all(all.map((mailbox) => mailboxSays({ pool: tx }, before, mailbox)));
  return all.filter((_, at) => said[at]?.isOpen);
}

/** Did this browser give a code for this merchant a while ago at most? */
export async function isOpened({ pool }: Deps, { id, email }: Pick<Onboarding, 'id' | 'email'>, browser: string | null): Promise<boolean> {
  return email !== null && browser !== null && isOpenByCode(pool, wayCodes, { ownerId: id, browser, mailbox: mailboxMark(pool, email), at: new Date() });
}
