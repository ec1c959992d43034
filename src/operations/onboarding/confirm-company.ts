import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { insertConfirmLink, waysOfCompany, whileCompanyIsLocked } from '../../bridge/ledger/invitations/company-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import { type Actor, type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { mailboxMark, normalAddress } from '../../platform/mail/mailboxes.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { companiesInUse } from '../../service/shops/check-company.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { confirmMailbox, findNewest, mailboxSays, newOnboardingLink, type Onboarding, saveNewest, type saveStep, scopeText } from './onboarding.ts';
import { type Company, companyOf, saveCompany } from './own-company.ts';

type CompanyDeps = { pool: Pool };

/** A company, by `merchantOf`. */
type ConfirmationRequest = { company: string; by: Actor; now: Date };

/**
 * May a shop of this company be made on a way? It waits until its mailbox or the operator has confirmed it, no matter who has the company: whether somebody has
 * is neither looked at nor shown here. A merchant whose confirmed mailbox has it already needs no other word.
 */
export async function askForCompany({ pool }: CompanyDeps, id: string, { company, by, now }: ConfirmationRequest): Promise<'confirmed' | 'waits'> {
  const { email, company: confirmed } = await findNewest({ pool }, id);
  if (confirmed === company) return 'confirmed';
  const waits = { company, at: now.toISOString() };
  return whileCompanyIsLocked(pool, company, async (tx) => {
    const isTheirs = isOf(email, await waysOfCompany(tx, { company, except: id }));
    await saveCompany({ pool: tx }, id, (known) =>
      isTheirs
        ? { company: { waits: null }, said: { company } }
        : { company: { waits: known.waits?.company === company ? known.waits : waits, refused: false }, said: { company: null } },
    );
    await writeBridgeActs(tx, [{ who: by, act: isTheirs ? 'company.confirmed' : 'company.named', subject: id, after: { company } }]);
    return isTheirs ? 'confirmed' : 'waits';
  });
}

function isOf(email: string | null, ways: readonly { email: string | null }[]): boolean {
  return email !== null && ways.some((one) => one.email !== null && normalAddress(one.email) === normalAddress(email));
}

/** What the compliance service refused: the company is another's there. It waits for the operator. */
export async function contestCompany({ pool }: CompanyDeps, id: string, { company, by, now }: ConfirmationRequest): Promise<void> {
  const waits = { company, at: now.toISOString() };
  await whileCompanyIsLocked(pool, company, async (tx) => {
    await saveCompany({ pool: tx }, id, () => ({ company: { waits, contested: true, sent: null, sentAt: null, press: null }, said: { company: null } }));
    await writeBridgeActs(tx, [{ who: by, act: 'company.contested', subject: id, after: { company } }]);
  });
}

const CONFIRM_LINK_DAYS = 14;
/** Nobody who reads a confirmed mailbox needs more than a few mails a day. */
const OF_CONFIRMED = { day: 5, month: 150 };
/** One that somebody typed may be anybody's: it gets one mail, and another on a later day if nobody minds. */
const OF_TYPED = { day: 1, month: 3 };

/** A link by which a mailbox confirms that mails may go there, and (`company`) whose a company is. */
type AskedMailbox = { token: string; to: string; company: string | null };

/** Null: there is nothing to confirm, no mailbox, or it refused mails, or it had enough of them, whoever typed it. */
export async function confirmLink({ pool }: CompanyDeps, id: string): Promise<AskedMailbox | null> {
  const onboarding = await findNewest({ pool }, id);
  const company = companyOf(onboarding).waits?.company ?? null;
  const to = mailboxOf(onboarding);
  if (to === null) return null;
  const { isConfirmed, isRefused } = await mailboxSays({ pool }, onboarding, to);
  if (isRefused || (isConfirmed && company === null)) return null;
  const token = newToken();
  const scope = scopeText({ kind: 'confirm', mailbox: mailboxText(pool, to), isAsked: true });
  const most = isConfirmed ? OF_CONFIRMED : OF_TYPED;
  const isNew = await insertConfirmLink(pool, { token: hashOf(token), onboarding: id, scope, days: CONFIRM_LINK_DAYS, most });
  return isNew ? { token, to, company } : null;
}

/** A link by which anyone who reads a mailbox says that the store is not theirs. It ends after the mails that it is in are forgotten. */
export async function wayOutLink({ pool }: CompanyDeps, onboarding: Pick<Onboarding, 'id'>, mailbox: string): Promise<string> {
  return newOnboardingLink({ pool }, onboarding, { scope: { kind: 'confirm', mailbox: mailboxText(pool, mailbox), isAsked: false }, days: WAY_OUT_DAYS });
}

const WAY_OUT_DAYS = 90;

function mailboxText(db: Queryable, mailbox: string): string {
  return mailboxMark(db, mailbox).toString('hex');
}

/** Is this the mailbox of the way still? */
export function isItsMailbox(db: Queryable, onboarding: Pick<Onboarding, 'email' | 'mailTo'>, mailbox: string): boolean {
  const now = mailboxOf(onboarding);
  return now !== null && mailboxText(db, now) === mailbox;
}

/**
 * Anyone who reads the mailbox of a way says that mails may go there, and (`company`) that the company is theirs. That makes it theirs if it is nobody's, and
 * if no other company was denied to this way; or if they have it already, and a person invited this mailbox. Else the operator decides: who typed a mailbox may
 * be another than who reads it. False: the way has another mailbox, or waits for something else by now.
 */
export async function confirmByMailbox(
  deps: CompanyDeps,
  { id }: Pick<Onboarding, 'id'>,
  { company, mailbox }: { company: string | null; mailbox: string },
): Promise<boolean> {
  const act = async (tx: Queryable): Promise<boolean> => {
    const is = company === null ? await ofMailbox(tx, id, mailbox) : await ofCompany(tx, { id, company, mailbox });
    if (is === 'over') return false;
    await confirmMailbox(tx, await findNewest({ pool: tx }, id), Buffer.from(mailbox, 'hex'));
    const after = company === null ? {} : { after: { company } };
    await writeBridgeActs(tx, [{ who: `merchant:${id}`, act: company === null ? 'mailbox.confirmed' : `company.${is}`, subject: id, ...after }]);
    return true;
  };
  return whileCompanyIsLocked(deps.pool, company ?? id, act);
}

type Said = 'over' | 'confirmed' | 'contested';

async function ofMailbox(tx: Queryable, id: string, mailbox: string): Promise<Said> {
  return isItsMailbox(tx, await findNewest({ pool: tx }, id), mailbox) ? 'confirmed' : 'over';
}

async function ofCompany(tx: Queryable, { id, company, mailbox }: { id: string; company: string; mailbox: string }): Promise<Said> {
  const others = await waysOfCompany(tx, { company, except: id });
  const isFree = others.length === 0 && !(await isInUse(tx, company));
  let is: Said = 'over';
  await saveNewest({ pool: tx }, id, (newest) => {
    is = 'over';
    if (!isItsMailbox(tx, newest, mailbox) || companyOf(newest).waits?.company !== company) return null;
    const isTheirs = isOf(newest.email, others) || (isFree && !companyOf(newest).contested);
    is = isTheirs ? 'confirmed' : 'contested';
    return confirmed(newest, isTheirs ? company : null);
  });
  return is;
}

/** The mailbox of a way is checked once the company is its merchant's. `company` null: the one that it confirms is another's. */
function confirmed(newest: Onboarding, company: string | null): Parameters<typeof saveStep>[2] {
  const part: Partial<Company> = company === null ? { contested: true } : { waits: null };
  const said = company === null ? {} : { company, email: mailboxOf(newest) };
  return { ...said, step: 'company', progress: { ...companyOf(newest), ...part } };
}

/** Of a service whose tables are not in this database it is not known. */
async function isInUse(tx: Queryable, company: string): Promise<boolean> {
  return (await hasService(tx)) && (await companiesInUse(tx, [company])).has(company);
}

type Decision = Authorship & { id: string; company: string; isTheirs: boolean };

/** The operator says whether the company that a way waits for is its merchant's, no matter who else has it. */
export async function decideCompany({ pool }: CompanyDeps, { id, company, isTheirs, ...said }: Decision): Promise<void> {
  await whileCompanyIsLocked(pool, company, async (tx) => {
    await saveCompany({ pool: tx }, id, (known) => {
      if (known.waits?.company !== company) throw nothingWaits();
      return isTheirs
        ? { company: { waits: null }, said: { company } }
        : { company: { waits: null, contested: true, refused: true, typed: { ...known.typed, companyUic: '' } } };
    });
    await writeBridgeActs(tx, [{ ...authorOf(said), act: isTheirs ? 'company.confirmed' : 'company.refused', subject: id, after: { company } }]);
  });
}

export function nothingWaits(): Refusal {
  return new Refusal('conflict', { en: 'no company of this merchant waits to be confirmed', bg: 'няма фирма на този търговец, която да чака потвърждение' });
}

/** Where the merchant is mailed what only they can put right: where they were invited, or else as they typed it; null: nowhere. */
export function mailboxOf({ email, mailTo }: Pick<Onboarding, 'email' | 'mailTo'>): string | null {
  return email ?? mailTo;
}

/** Are they asked where they want mails? Anyone who was invited by a mailbox is not, and once the store records another one takes a code. */
export function isAskedForMailbox({ email, startedAt }: Pick<Onboarding, 'email' | 'startedAt'>): boolean {
  return email === null && startedAt === null;
}

/** Nothing is typed, or an address of e-mail. */
export function isTypedMailbox(typed: string): boolean {
  return typed === '' || emailAddress.safeParse(typed).success;
}

/** What is kept of it; nothing, if they were not asked. It has no say in who they are, such as which shops they may choose. */
export function mailboxSaid(onboarding: Pick<Onboarding, 'email' | 'startedAt'>, typed: string): { mailTo?: string | null } {
  return isAskedForMailbox(onboarding) ? { mailTo: typed === '' ? null : typed } : {};
}

/** Keeps it; false: it is no address of e-mail. */
export async function keepMailbox(deps: { pool: Pool }, id: string, typed: string): Promise<boolean> {
  if (!isTypedMailbox(typed)) return false;
  await saveNewest(deps, id, (newest) => mailboxSaid(newest, typed));
  return true;
}
