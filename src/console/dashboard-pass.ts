import type { Request, Response } from 'express';
import { may, type Right } from '../operations/people/rights.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import { pageFrame } from './frame/page-frame.ts';
import { sendOn, sendPage } from './frame/send-reply.ts';
import { wordsIn } from './messages/messages.ts';
import { forbiddenPage } from './problem-pages.ts';
import { whoIs } from './sign-in-cookies.ts';

/** Who wants to see the dashboard of the queues: somebody signed in who may, one who may not, nobody. */
export type DashboardPass = {
  look(req: Request): Promise<'may' | 'may-not' | 'nobody'>;
  /** Says who may. */
  refuse(req: Request, res: Response): Promise<void>;
  /** Leads to the sign-in. */
  lead(res: Response): void;
};

const RIGHT: Right = 'queues.see';

export function dashboardPass(deps: Pick<ConsoleDeps, 'pool' | 'entry'>): DashboardPass {
  return {
    async look(req) {
      const signedIn = await whoIs(deps, req);
      if (signedIn === null) return 'nobody';
      return may(signedIn.person.role, RIGHT) ? 'may' : 'may-not';
    },
    async refuse(req, res) {
      const person = (await whoIs(deps, req))?.person ?? null;
      const words = wordsIn(person?.lang ?? 'en');
      const { status = 403, ...shown } = forbiddenPage(words, RIGHT, '/console');
      sendPage(res, status, pageFrame({ words, ...shown, person }));
    },
    lead: (res) => sendOn(res, { goTo: `/console/sign-in?to=${encodeURIComponent('/console/live')}` }),
  };
}
