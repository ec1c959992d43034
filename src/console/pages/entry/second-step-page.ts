import { halfSignedIn, type Opened, offeredFactor, offerFactor, signInByFactor, signInByNewFactor } from '../../../operations/people/second-factor.ts';
import { button, formTo } from '../../../web/forms.ts';
import { html } from '../../../web/html.ts';
import type { Entered, Entrant, Form, OpenPage } from '../../base/page.ts';
import { halfOf } from '../../sign-in-cookies.ts';
import { ownAddress } from '../language.ts';
import { attempted, browserOf, isRefused, noteRefused, type RefusedSignIn, refusedStatus } from './entering.ts';
import { overView, refusedWords } from './entry-views.ts';
import { codeField, codesView, enrolForm } from './factor-views.ts';
import { givenFactor, passkeyPart } from './passkey-views.ts';

const PATH = '/console/second-step';

/** After what was right so far: on, or to the second step. */
export function goneOn(opened: Opened, to: string): Entered {
  if ('token' in opened) return { goTo: to, token: opened.token };
  return { goTo: `${PATH}?to=${encodeURIComponent(to)}`, half: opened.half };
}

/** `GET, POST /console/second-step?to=`: the code, or, once it is required, how to set it up. Its cookie says whose sign-in it is. */
export const secondStepPage: OpenPage = {
  path: '/second-step',
  async get(entrant) {
    const found = await halfIn(entrant);
    const to = ownAddress(String(entrant.req.query['to'] ?? ''));
    if (entrant.signedIn !== null && found === null) return { goTo: to };
    return found === null ? over(entrant) : shown(entrant, { ...found, to });
  },
  async post(entrant, form) {
    const found = await halfIn(entrant);
    if (found === null) return over(entrant);
    const step = { ...found, to: ownAddress(form.text('to')) };
    return step.person.hasFactor ? byCode(entrant, form, step) : byEnrolling(entrant, form, step);
  },
};

type Half = { half: string; person: NonNullable<Awaited<ReturnType<typeof halfSignedIn>>> };
type Step = Half & { to: string };

async function halfIn({ req, deps }: Entrant): Promise<Half | null> {
  const half = halfOf(req, deps.entry.url);
  const person = half === null ? null : await halfSignedIn(deps, half);
  return half === null || person === null ? null : { half, person };
}

function over(entrant: Entrant): Entered {
  noteRefused(entrant, 'link');
  const { words } = entrant;
  return { status: 410, title: words.factor.title, body: overView(words, words.factor.signIn.over), half: null };
}

type Again = { refused?: RefusedSignIn; kept?: string };

async function shown({ words, deps }: Entrant, { half, person, to }: Step, { refused, kept }: Again = {}): Promise<Entered> {
  const { factor } = words;
  const problem = refused === undefined ? null : refused.why === 'wrong' ? factor.wrong : refusedWords(refused, words);
  const status = refused === undefined ? {} : refusedStatus(refused);
  if (person.hasFactor) {
    const body = html`${codeField(words, { problem })}${await passkeyPart({ words, deps }, { person, bound: half, isVerified: false })}`;
    const form = formTo(PATH, { class: 'entry', hidden: { to }, body, buttons: [button(factor.signIn.verb)] });
    return { ...status, title: factor.title, body: html`${form}<p class="hint">${factor.signIn.lost}</p>` };
  }
  const offered = (kept === undefined ? null : offeredFactor(deps.entry, person, kept)) ?? offerFactor(deps.entry, person);
  const form = enrolForm({ words, at: PATH, offered, problem, hidden: { to }, verb: factor.enrol.verb });
  return { ...status, title: factor.title, body: html`<p><strong>${factor.enrol.due}</strong></p>\n${form}` };
}

async function byCode(entrant: Entrant, form: Form, step: Step): Promise<Entered> {
  const { deps } = entrant;
  const given = givenFactor(form, { bound: step.half, isVerified: false });
  const enter = () => signInByFactor({ ...deps, ...deps.entry }, { ...step, given, ...browserOf(entrant) });
  const made = await attempted(entrant, { account: `factor ${step.person.id}`, person: step.person.id, try: enter });
  return isRefused(made) ? shown(entrant, step, { refused: made }) : { goTo: step.to, token: made.token, half: null };
}

async function byEnrolling(entrant: Entrant, form: Form, step: Step): Promise<Entered> {
  const { deps, words } = entrant;
  const kept = form.text('kept');
  const offered = offeredFactor(deps.entry, step.person, kept);
  if (offered === null) return shown(entrant, step);
  const given = { ...step, secret: offered.secret, code: form.text('code'), ...browserOf(entrant) };
  const made = await attempted(entrant, {
    account: `factor ${step.person.id}`,
    person: step.person.id,
    try: () => signInByNewFactor({ ...deps, ...deps.entry }, given),
  });
  if (isRefused(made)) return shown(entrant, step, { refused: made, kept });
  return { title: words.factor.codes.title, body: codesView(words, made.codes, step.to), token: made.token, half: null };
}
