import type { SettingsInput } from '../../../../bridge/connections/connection-settings.ts';
import { changeSettings } from '../../../../operations/connections/change-settings.ts';
import { previewSettings } from '../../../../operations/connections/preview-settings.ts';
import { settingsDifference } from '../../../../operations/connections/settings-difference.ts';
import { settingsOfForm, type TypedSettings, typedSettings } from '../../../../operations/connections/settings-form.ts';
import { showSettings } from '../../../../operations/connections/show-settings.ts';
import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { Refusal } from '../../../../operations/refusal.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { lines } from '../../../../web/lines.ts';
import type { Form, GoTo, Page, PageContext, Reply, Shown } from '../../../base/page.ts';
import { seen, seenOf } from '../../../frame/parts.ts';
import { mustBeSeen } from '../../../frame/stale.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';
import { hiddenForm, readForm } from './read-form.ts';
import { settingsFields } from './settings-form.ts';
import { differenceLines, previewView } from './settings-preview.ts';

/** Longer than the first of many orders usually takes; a browser waits for it. */
const FIRST_MS = 8_000;

/** `GET, POST /console/stores/ID/settings`: a form, what it would change, and the change. */
export const settingsPage: Page = {
  path: '/stores/:id/settings',
  right: 'settings.change',
  async get(context) {
    const [store, { written }] = await found(context);
    return formPage(context, store, { typed: typedSettings(written), seen: seenOf(written), why: '', problems: [] });
  },
  post: { right: 'settings.change', act },
};

async function found(context: PageContext): Promise<[ShownStore, { written: SettingsInput }]> {
  const store = await storeOf(context);
  return [store, await showSettings(context.deps, store.connectionId)];
}

/** `seen`: which settings the form was made from. */
type Filled = { typed: TypedSettings; seen: string; why: string; problems: readonly string[] };

function formPage({ words }: PageContext, store: ShownStore, { typed, seen: made, why, problems }: Filled): Shown {
  const { settings: say } = words.store;
  return {
    status: problems.length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${wrong(problems, say.wrong)}<form method="post" action="${addressOf(store)}/settings">${seenAs(made)}
${settingsFields({ typed, gaps: store.gapsOfSettings, why, words })}<p class="verbs"><button name="step" value="preview">${say.preview}</button></p>
</form>
`,
  };
}

function seenAs(made: string): Html {
  return html`<input type="hidden" name="seen" value="${made}">`;
}

function wrong(problems: readonly string[], words: string): Html {
  if (problems.length === 0) return nothing;
  return html`<div class="banner failing" role="alert"><h2>${words}</h2><ul>${lines(problems.map((problem) => html`<li>${problem}</li>`))}</ul></div>
`;
}

async function act(context: PageContext, form: Form): Promise<Reply> {
  const [store, { written }] = await found(context);
  const typed = readForm(form);
  const filled = { typed, seen: form.text('seen'), why: form.text('why') };
  if (form.text('step') === 'edit') return formPage(context, store, { ...filled, problems: [] });
  const read = settingsOfForm(typed, written);
  const isMine = (settings: SettingsInput) => mustBe(context, form, { settings, wanted: read.ok ? read.settings : {} });
  isMine(written);
  if (!read.ok) return formPage(context, store, { ...filled, problems: read.problems.map((problem) => problem[context.words.lang]) });
  try {
    if (form.text('step') !== 'save') return await previewPage(context, store, { ...filled, settings: read.settings });
    return await save(context, store, { settings: read.settings, why: filled.why, isMine });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'invalid') return formPage(context, store, { ...filled, problems: [thrown.said[context.words.lang]] });
    throw thrown;
  }
}

/** Both sides of a form that is out of date: what it would make, and what is there, as far as they differ. */
function mustBe({ words }: PageContext, form: Form, { settings, wanted }: { settings: SettingsInput; wanted: SettingsInput }): void {
  const sent = differenceLines(settingsDifference(settings, wanted), words);
  const now = differenceLines(settingsDifference(wanted, settings), words);
  mustBeSeen(form, settings, { sent, now });
}

type Wanted = Omit<Filled, 'problems'> & { settings: SettingsInput };

async function previewPage({ deps, words }: PageContext, store: ShownStore, { typed, settings, why }: Wanted): Promise<Shown> {
  const { settings: say } = words.store;
  const preview = await previewSettings(deps, { id: store.connectionId, settings });
  const isSame = preview.difference.length === 0;
  return {
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${previewView(preview, words)}<form method="post" action="${addressOf(store)}/settings">${seen(preview.before)}${hiddenForm(typed)}<input type="hidden" name="why" value="${why}">
<p class="verbs">${isSame ? nothing : html`<button name="step" value="save">${say.save}</button>`}<button class="second" name="step" value="edit">${say.edit}</button></p>
</form>
`,
  };
}

type Saving = { settings: SettingsInput; why: string; isMine(before: SettingsInput): void };

async function save({ deps, by }: PageContext, store: ShownStore, { settings, why, isMine }: Saving): Promise<GoTo> {
  const patience = { waitMs: FIRST_MS };
  const { again } = await changeSettings(deps, { id: store.connectionId, by, settings, patience, mustBe: isMine, ...(why === '' ? {} : { why }) });
  const done = again.held === undefined ? 'settingsSaved' : 'settingsHeld';
  return { goTo: addressOf(store), done };
}
