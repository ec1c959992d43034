import { addPasskey, removePasskey } from '../../../operations/people/passkeys.ts';
import { endOwnFactor, enrolFactor, newRecoveryCodes, offeredFactor, offerFactor } from '../../../operations/people/second-factor.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { missingPage } from '../../problem-pages.ts';
import { attempted, isRefused, refusedStatus } from './entering.ts';
import { refusedWords } from './entry-views.ts';
import { codesView, enrolForm } from './factor-views.ts';

const ACCOUNT = '/console/account';
const right = 'orders.see';

/** `GET, POST /console/account/factor`: somebody sets up the second step of their own sign-in. */
const factorPage: Page = {
  path: '/account/factor',
  right,
  get: async (context) => (context.person.issuer === null ? shown(context, null) : missingPage(context.words)),
  post: { right, asksAgain: 'by-factor', holdsSecrets: true, act: enrolled },
};

async function shown({ deps, words, person }: PageContext, again: { kept: string; problem: string } | null): Promise<ShownPage> {
  const before = again === null ? null : offeredFactor(deps.entry, person, again.kept);
  const offered = before ?? offerFactor(deps.entry, person);
  const problem = again === null || before !== null ? (again?.problem ?? null) : words.factor.enrol.over;
  const form = enrolForm({ words, at: '/console/account/factor', offered, problem, verb: words.factor.enrol.verb });
  return { title: words.factor.setUp, body: html`${form}<p class="hint">${words.factor.enrol.others}</p>` };
}

async function enrolled(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, person } = context;
  if (person.issuer !== null) return missingPage(words);
  const [kept, code] = [form.text('kept'), form.text('code')];
  const offered = offeredFactor(deps.entry, person, kept);
  if (offered === null) return { ...(await shown(context, { kept, problem: words.factor.enrol.over })), status: 422 };
  const enrol = () => enrolFactor({ ...deps, ...deps.entry }, context, { secret: offered.secret, code });
  const made = await attempted(context, { account: `factor ${person.id}`, person: person.id, try: enrol });
  if (!isRefused(made)) return { title: words.factor.codes.title, body: codesView(words, made, ACCOUNT) };
  const problem = made.why === 'wrong' ? words.factor.wrong : refusedWords(made, words);
  return { ...(await shown(context, { kept, problem })), status: made.why === 'wrong' ? 422 : (refusedStatus(made).status ?? 429) };
}

/** `POST /console/account/factor/codes`: those of before open nothing. */
const codesPage: Page = {
  path: '/account/factor/codes',
  right,
  post: {
    ...{ right, asksAgain: 'by-factor' },
    act: async ({ deps, words, person }) => ({ title: words.factor.codes.title, body: codesView(words, await newRecoveryCodes(deps, person), ACCOUNT) }),
  },
};

/** `POST /console/account/factor/end`. */
const endPage: Page = {
  path: '/account/factor/end',
  right,
  post: {
    ...{ right, asksAgain: 'by-factor' },
    async act({ deps, person }) {
      await endOwnFactor({ ...deps, ...deps.entry }, person);
      return { goTo: ACCOUNT, done: 'factor-ended' };
    },
  },
};

/** `POST /console/account/factor/passkeys`: what the browser made at the page of the account. */
const passkeyPage: Page = {
  path: '/account/factor/passkeys',
  right,
  post: {
    ...{ right, asksAgain: 'by-factor' },
    async act(context, form) {
      const { deps, words } = context;
      const given = { kept: form.text('passkey-kept'), answer: form.text('passkey'), name: form.text('name') || words.frame.none };
      if (await addPasskey({ ...deps, ...deps.entry }, context, given)) return { goTo: ACCOUNT, done: 'passkey-added' };
      const body = html`<p class="problem" role="alert">${words.factor.passkeys.notAdded}</p>\n<p><a href="${ACCOUNT}">${words.account.title}</a></p>`;
      return { status: 422, title: words.factor.passkeys.title, body };
    },
  },
};

/** `POST /console/account/factor/passkeys/remove`. */
const removePasskeyPage: Page = {
  path: '/account/factor/passkeys/remove',
  right,
  post: {
    ...{ right, asksAgain: 'by-factor' },
    async act({ deps, person }, form) {
      await removePasskey(deps, person, form.text('id'));
      return { goTo: ACCOUNT, done: 'passkey-removed' };
    },
  },
};

export const factorPages: readonly Page[] = [factorPage, codesPage, endPage, passkeyPage, removePasskeyPage];
