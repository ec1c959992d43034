import { signInLink } from '../../../operations/people/links.ts';
import { type NoticeKind, type OwnerNotice, ownerNotices } from '../../../operations/people/owner-notices.ts';
import type { Browser, Person } from '../../../operations/people/sessions.ts';
import { cameFromHere } from '../../../operations/people/sign-in.ts';
import { networkOf, originOf } from '../../../platform/http/request-origin.ts';
import { TooManyWait } from '../../../platform/limit-concurrency.ts';
import type { RefusedEntry } from '../../base/console-deps.ts';
import type { Entered, Entrant, Form, PageContext } from '../../base/page.ts';
import { wordsIn } from '../../messages/messages.ts';

/** What may go wrong before somebody is let in: nothing right was given, or it has to wait. */
export type RefusedSignIn = { why: 'wrong' } | { why: 'throttled'; waitMs: number } | { why: 'busy' };

/** As it was typed: blanks at its ends count. */
export function secretOf(form: Form, name: string): string {
  return form.all(name)[0] ?? '';
}

export function browserOf({ req, deps, signedIn }: Entrant): Browser {
  return { agent: req.get('user-agent') ?? '', instead: signedIn?.session ?? null, network: networkMark({ req, deps }) };
}

/** By which a network is known again, and by nobody without the key. */
function networkMark({ req, deps }: Pick<Entrant, 'req' | 'deps'>): string {
  return deps.entry.sealer.digest(`network ${networkOf(req.ip ?? '')}`);
}

type Attempt<T> = {
  /** Whose tries are counted together, beside those of the network. */
  account: string;
  /** Whose it is, if the account is not their address. */
  person?: string;
  /** Null: what was given is not right. */
  try(): Promise<T | null>;
};

/** One try to come in, counted before it is made: many at once are many. */
export async function attempted<T>(entrant: Pick<Entrant, 'req' | 'deps'>, { account, person, try: make }: Attempt<T>): Promise<T | RefusedSignIn> {
  const { req, deps } = entrant;
  const { throttle } = deps.entry;
  const isKnown = await cameFromHere(deps, { account: person ?? account, network: networkMark(entrant) });
  const counted = { address: req.ip ?? '', account, isKnown };
  const waitMs = throttle.take(counted);
  if (waitMs > 0) {
    noteRefused(entrant, 'throttled');
    return { why: 'throttled', waitMs };
  }
  try {
    const made = await make();
    if (made === null) noteRefused(entrant, 'wrong');
    else throttle.giveBack(counted);
    return made ?? { why: 'wrong' };
  } catch (thrown) {
    if (thrown instanceof TooManyWait) return { why: 'busy' };
    throw thrown;
  }
}

/** A link by which they sign in, if they may; 0, or the ms until one may be asked for. */
export async function mailLink({ deps, req }: Pick<Entrant, 'deps' | 'req'>, given: { email: string; to: string }): Promise<number> {
  const { linkThrottle, post, url } = deps.entry;
  const isKnown = await cameFromHere(deps, { account: given.email, network: networkMark({ req, deps }) });
  const waitMs = linkThrottle.take({ address: req.ip ?? '', account: given.email, isKnown });
  if (waitMs > 0) return waitMs;
  post?.(async () => {
    const link = await signInLink(deps, given);
    if (link === null) return null;
    const { subject, text } = wordsIn(link.person.lang).entry.mail.signIn;
    return { to: link.person.email, subject, text: text(`${url}${link.path}`) };
  });
  return 0;
}

/** Who did not choose it learns that somebody else did. */
export function mailPasswordSet({ deps: { entry } }: Pick<Entrant, 'deps'>, { email, lang }: Pick<Person, 'email' | 'lang'>): void {
  const { subject, text } = wordsIn(lang).entry.mail.passwordSet;
  entry.post?.(async () => ({ to: email, subject, text: text(`${entry.url}/console`) }));
}

/** Every owner learns what somebody may not have wanted. */
export function mailOwners({ deps, by }: Pick<PageContext, 'deps' | 'by'>, kind: NoticeKind, person: OwnerNotice['person']): void {
  const { post, url } = deps.entry;
  post?.(() => ownerNotices(deps, { kind, person, by, url: `${url}/console` }));
}

export function isRefused(made: object): made is RefusedSignIn {
  return 'why' in made;
}

export function noteRefused({ req, deps: { entry } }: Pick<Entrant, 'req' | 'deps'>, why: RefusedEntry['why'], person: string | null = null): void {
  // Without a response no header is set: the id alone is of use here.
  if (req.res !== undefined) entry.onRefused({ why, person, ...originOf(req, req.res) });
}

/** What is shown to anyone who has to wait. */
export function refusedStatus(refused: RefusedSignIn): Pick<Extract<Entered, { title: string }>, 'status' | 'waitMs'> {
  if (refused.why === 'throttled') return { status: 429, waitMs: refused.waitMs };
  return refused.why === 'busy' ? { status: 503, waitMs: 5_000 } : { status: 401 };
}
