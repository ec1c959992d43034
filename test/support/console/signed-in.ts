import { insertPerson } from '../../../src/bridge/ledger/people/people-store.ts';
import type { PersonRole } from '../../../src/contract/person-role.ts';
import { openSession, type Person } from '../../../src/operations/people/sessions.ts';
import { inTransaction } from '../../../src/platform/postgres/postgres.ts';
import type { Bridge } from '../worlds/bridge.ts';

export type SignedInBrowser = {
  person: Person;
  /** As the browser's `Cookie` says it. */
  cookie: string;
  get(path: string): Promise<Page>;
  /** As a form of a page of ours sends it. */
  post(path: string, fields?: Record<string, string | string[]>, headers?: Record<string, string>): Promise<Page>;
};

export type Page = { status: number; text: string; location: string | null; headers: Headers };

/** `url`: of another console on the same database. */
type Options = { role?: PersonRole; shops?: string[] | null; lang?: 'en' | 'bg'; email?: string; name?: string; url?: string };

let made = 0;

/** A person of this role who is signed in. */
export async function signIn(
  { app }: Bridge,
  { role = 'owner', shops = null, lang = 'en', email, name = '', url = app.consoleUrl ?? app.url }: Options = {},
): Promise<SignedInBrowser> {
  made += 1;
  const { pool } = app.core;
  const given = { email: email ?? `${role}-${made}@shop.example`, name, role, shops, lang };
  const person = await inTransaction(pool, (tx) => insertPerson(tx, given));
  if (person === null) throw new Error('somebody has this address');
  const session = await openSession({ pool }, { person, way: 'password', agent: 'test' });
  return browserOf(url, person, `orderbridge=${session?.token}`);
}

function browserOf(url: string, person: Person, first: string): SignedInBrowser {
  let cookie = first;
  const ask = async (path: string, init: RequestInit): Promise<Page> => {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
    const pairs = answer.headers.getSetCookie().map((line) => line.replace(/;.*/, ''));
    cookie = pairs.find((pair) => /^orderbridge=./.test(pair)) ?? cookie;
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location'), headers: answer.headers };
  };
  return {
    person,
    get cookie() {
      return cookie;
    },
    get: (path) => ask(path, {}),
    post: (path, fields = {}, headers = { 'sec-fetch-site': 'same-origin' }) => {
      const body = new URLSearchParams(Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])));
      return ask(path, { method: 'POST', body, headers });
    },
  };
}
