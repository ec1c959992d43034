import { randomInt, randomUUID } from 'node:crypto';
import { bridgeMails, MAILBOX_MAIL } from '../../bridge/ledger/alerts/merchant-incidents.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { insertCode, isOpenIn, takingCode } from '../../bridge/ledger/invitations/code-store.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { releaseRecipient } from '../../service/mail/recipients.ts';
import { mailboxOf, mailboxSays, markOf } from './confirm-company.ts';
import { type Onboarding, saveNewest } from './onboarding.ts';

type Deps = { pool: Pool };

const DIGITS = 8;
const LIMITS = { minutes: 15, perMailbox: { hours: 1, most: 5 }, perMerchant: 10 };
/** Nobody has confirmed it, so it may be anybody’s, whoever asks. */
const UNCONFIRMED = { hours: 24, most: 2 };
const MOST_TRIES = 5;
/** What a code opened is open for so long. */
const OPEN_MINUTES = 30;

/** `browser`: what it keeps, which nobody can guess. `address`: a mailbox that is to become theirs; null: the one that is. */
type Asking = { browser: string; address: string | null };

/** A code for this browser, to be mailed at once: of it a hash alone is kept. Null: there is no mailbox, it refused mails, or enough codes were mailed to it, or by this merchant. */
export async function newCode({ pool }: Deps, onboarding: Onboarding, { browser, address }: Asking): Promise<{ to: string; code: string } | null> {
  const to = address ?? mailboxOf(onboarding);
  if (to === null) return null;
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const hashes = { mailbox: markOf(to), browser: hashOf(browser), code: codeHash(browser, code) };
  const { isConfirmed, isRefused } = await mailboxSays({ pool }, onboarding, hashes.mailbox);
  const limits = isConfirmed ? LIMITS : { ...LIMITS, perMailbox: UNCONFIRMED };
  const isNew = !isRefused && (await insertCode(pool, { onboarding: onboarding.id, address, ...hashes }, limits));
  return isNew ? { to, code } : null;
}

/** Without what the browser keeps, no code is found by trying all of them. */
function codeHash(browser: string, code: string): Buffer {
  return hashOf(`${browser} ${code}`);
}

/**
 * What was typed opens the files, the answers and the mailbox of a store in this browser, for a while. The mailbox that it was mailed to is the merchant's from
 * now on, and those of before that were confirmed are mailed so. False: it is wrong, or was used, or its time is over, or it was tried too often: no matter which.
 */
export async function takeCode({ pool }: Deps, { id }: Pick<Onboarding, 'id'>, given: { browser: string; typed: string }): Promise<boolean> {
  const { browser, typed } = given;
  const hashes = { browser: hashOf(browser), code: codeHash(browser, typed.replace(/\D/g, '')) };
  const isTaken = await takingCode(pool, { onboarding: id, ...hashes, mostTries: MOST_TRIES, openMinutes: OPEN_MINUTES }, async (tx, taken) => {
    let before = null as Onboarding | null;
    let shopId = null as string | null;
    await saveNewest({ pool: tx }, id, (newest) => {
      const address = taken.address ?? mailboxOf(newest);
      // Where mails go may have been changed since it was mailed: then it opens nothing.
      if (address === null || !markOf(address).equals(taken.mailbox)) return null;
      shopId = newest.shopId;
      if (address === newest.email) return null;
      before = newest;
      return { email: address, mailTo: null };
    });
    const act = taken.address === null ? 'code.taken' : 'mailbox.changed';
    if (taken.isFirst) await writeBridgeActs(tx, [{ who: `merchant:${id}`, act, subject: id }]);
    // Anyone who gave a code reads it.
    if (shopId !== null && (await hasService(tx))) await releaseRecipient(tx, { shopId, mailbox: taken.mailbox });
    const former = before === null ? [] : await confirmedOf(tx, before);
    for (const mailbox of former.filter((one) => !markOf(one).equals(taken.mailbox))) {
      const ref = { onboarding: id, mailbox };
      await queueMail(tx, bridgeMails, { kind: MAILBOX_MAIL, ref, ownerId: id, dedupKey: randomUUID(), now: new Date() });
    }
    return true;
  });
  return isTaken ?? false;
}

async function confirmedOf(tx: Queryable, before: Onboarding): Promise<string[]> {
  const all = [before.email, before.mailTo].flatMap((one) => one ?? []);
  const said = await Promise.all(all.map((mailbox) => mailboxSays({ pool: tx }, before, markOf(mailbox))));
  return all.filter((_, at) => said[at]?.isConfirmed === true && !said[at].isRefused);
}

/** Did this browser give a code for this merchant a while ago at most? */
export async function isOpened({ pool }: Deps, { id, email }: Pick<Onboarding, 'id' | 'email'>, browser: string | null): Promise<boolean> {
  return email !== null && browser !== null && isOpenIn(pool, { onboarding: id, browser: hashOf(browser), mailbox: markOf(email) });
}
