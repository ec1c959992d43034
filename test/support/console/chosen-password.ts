import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import type { PersonRole } from '../../../src/contract/person-role.ts';
import { addPerson } from '../../../src/operations/people/people.ts';
import type { Person } from '../../../src/operations/people/sessions.ts';
import { type KeptAct, readActs } from '../../../src/platform/audit-log/audit-log.ts';
import type { Bridge } from '../worlds/bridge.ts';
import { EnteringBrowser } from './entering-browser.ts';

export const PASSWORD = 'three words and a number 7';
export const BY_TEST = { by: 'cli:test' };

type Options = { role?: PersonRole; password?: string; name?: string };

/** Somebody who chose a password by their link, and the browser in which they did. */
export async function withPassword({ app }: Bridge, email: string, { role = 'operator', password = PASSWORD, name = '' }: Options = {}) {
  const { person, link } = await addPerson(app.core, { email, name, role, shops: null, lang: 'en', ...BY_TEST });
  const browser = new EnteringBrowser(app.url);
  const answer = await browser.post('/console/choose-password', { code: codeOf(link), password });
  if (answer.status !== 303) throw new Error(`the password was not taken: ${answer.status}`);
  return { person, browser };
}

/** What the address of a link says. */
export function codeOf(link: string): string {
  return /code=([\w-]+)/.exec(link)?.[1] ?? '';
}

/** The acts about a person, oldest first. */
export async function actsOf({ app }: Bridge, { id }: Pick<Person, 'id'>): Promise<KeptAct[]> {
  const acts = await readActs(app.core.pool, BRIDGE_AUDIT_LOG, { limit: 100 });
  return acts.filter(({ subject }) => subject === id).reverse();
}
