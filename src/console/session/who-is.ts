import type { Request } from 'express';
import { type SignedIn, signedInBy } from '../../operations/people/sessions.ts';
import type { ConsoleDeps } from '../base/console-deps.ts';
import { sessionToken } from './cookie.ts';

/** Who sent a request; null: nobody who is signed in. `isLook`: a page that is open asks by itself, which keeps nobody signed in. */
export async function whoIs(deps: Pick<ConsoleDeps, 'pool' | 'entry'>, req: Request, look: { isLook?: boolean } = {}): Promise<SignedIn | null> {
  const token = sessionToken(req, deps.entry.url);
  return token === null ? null : signedInBy(deps, token, look);
}
