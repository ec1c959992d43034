import type { Request } from 'express';
import type { SignedIn } from '../../operations/people/sessions.ts';
import type { Words } from '../words/words.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Form, GoTo, Shown } from './page.ts';

/** A request of whoever it is; `signedIn` null: of nobody that is known. */
export type Entrant = { req: Request; deps: ConsoleDeps; words: Words; signedIn: SignedIn | null };

/** `token`: of the session that begins. `waitMs`: when to come again. `passage`: what the browser keeps until it is back from elsewhere; null: no more. */
export type Entered = ((Shown & { waitMs?: number }) | (GoTo & { token?: string })) & { passage?: string | null };

/** An address that needs no session, below `/console`. */
export type OpenPage = {
  path: string;
  /** Changes nothing, unless the browser brings what it keeps: programs that look at mails open links. */
  get(entrant: Entrant): Promise<Entered>;
  post?(entrant: Entrant, form: Form): Promise<Entered>;
};
