import type { Request } from 'express';
import type { Right } from '../../operations/people/rights.ts';
import type { SignedIn } from '../../operations/people/sessions.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Html } from '../../web/html.ts';
import type { Done } from '../messages/done.ts';
import type { Words } from '../messages/messages.ts';
import type { ConsoleDeps } from './console-deps.ts';

/** A request of somebody who is signed in. */
export type PageContext = SignedIn & {
  req: Request;
  deps: ConsoleDeps;
  words: Words;
  /** As the audit log names who does it. */
  by: Actor;
};

/** Places of the bar above each page. */
export type NavEntry = 'today' | 'orders' | 'review' | 'months' | 'stores' | 'destinations' | 'activity' | 'live' | 'people';

/** A page within the frame; `place`: the one of the bar that is lit. `refreshPlainly`: seconds after which a browser without script asks again. */
export type ShownPage = { status?: number; title: string; place?: NavEntry; body: Html; refreshPlainly?: number };
/** After a form: on to another page, which says what was done. */
export type GoTo = { goTo: string; done?: Done };
/** A file to be kept. */
export type Download = { content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | string; type: string; name: string };

export type PageReply = ShownPage | GoTo | Download;

/** The body of a form: the first value of each field, and all values of a field. */
export type Form = { text(name: string): string; all(name: string): string[] };

/** One address of the console, below `/console`. Express hands the names in its path on. */
export type Page = {
  path: string;
  /** Who may see it. */
  right: Right;
  get?: (context: PageContext) => Promise<PageReply>;
  /** `right`: who may do it. `holdsSecrets`: what is typed there is never shown again. `asksAgain`: only for who proved lately who they are; by-factor: with their second factor, if they have one. */
  post?: { right: Right; act: (context: PageContext, form: Form) => Promise<PageReply>; holdsSecrets?: true; asksAgain?: true | 'by-factor' };
};

/** A request of anyone who it is; `signedIn` null: of nobody that is known. */
export type Entrant = { req: Request; deps: ConsoleDeps; words: Words; signedIn: SignedIn | null };

/** `token`: of the session that begins. `half`: of a sign-in that lacks a second factor; null: no more. `waitMs`: when to come again. `passage`: what the browser keeps until it is back from elsewhere; null: no more. */
export type Entered = ((ShownPage & { waitMs?: number }) | GoTo) & { token?: string; half?: string | null; passage?: string | null };

/** An address that needs no session, below `/console`. */
export type OpenPage = {
  path: string;
  /** Changes nothing, unless the browser brings what it keeps: programs that look at mails open links. */
  get(entrant: Entrant): Promise<Entered>;
  post?(entrant: Entrant, form: Form): Promise<Entered>;
};

/** The id in the address. */
export function idOf({ req }: Pick<PageContext, 'req'>): string {
  return String(req.params['id']);
}
