import type { SettingsPreview } from '../../../../operations/connections/preview-settings.ts';
import type { SettingDifference } from '../../../../operations/connections/settings-difference.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { lines } from '../../../../web/lines.ts';
import { table } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';

/** What new settings would change, and which orders are looked at again. */
export function previewView({ difference, concerned, warnings }: SettingsPreview, words: Words): Html {
  const { settings: say } = words.store;
  if (difference.length === 0) return html`<p>${say.nothing}</p>\n`;
  const review = Object.values(concerned.review).reduce((sum, count) => sum + count, 0);
  return html`<h2>${say.saved}</h2>
${differences(difference, words)}<p><strong>${say.effect(review, concerned.ignored, concerned.waiting)}</strong> ${concerned.isMore ? say.isMore : ''} ${
    review > 20 ? say.oneFirst : ''
  }</p>
${warnings.length === 0 ? nothing : html`<ul class="banner attention">${lines(warnings.map((warning) => html`<li>${warning[words.lang]}</li>`))}</ul>\n`}`;
}

function differences(difference: readonly SettingDifference[], { store: { settings: say } }: Words): Html {
  return table({
    caption: say.saved,
    columns: [{ name: say.setting }, { name: say.before }, { name: say.after }],
    rows: difference.map(({ path, before, after }) => [html`<code>${path}</code>`, marked(before, say.unset), marked(after, say.unset)]),
  });
}

function marked(value: unknown, unset: string): Html {
  return value === undefined ? html`${unset}` : html`<code>${shown(value, unset)}</code>`;
}

/** Settings in a line each, for somebody whose form is out of date. */
export function differenceLines(difference: readonly SettingDifference[], { store: { settings: say } }: Words): string {
  return difference.map(({ path, after }) => `${path}: ${shown(after, say.unset)}`).join('\n');
}

function shown(value: unknown, unset: string): string {
  if (value === undefined) return unset;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
