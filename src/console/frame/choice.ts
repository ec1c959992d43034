import { attributes } from '../../web/attributes.ts';
import { type Html, html, nothing } from '../../web/html.ts';

type Choice = { name: string; label: string; value: string; options: Readonly<Record<string, string>>; hint?: string };

/** A field of a form with few values. */
export function choice({ name, label, value, options, hint }: Choice): Html {
  const option = ([key, words]: [string, string]) => html`<option value="${key}"${attributes({ selected: key === value })}>${words}</option>`;
  const described = attributes({ 'aria-describedby': hint === undefined ? null : `${name}-hint` });
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`}<select id="${name}" name="${name}"${described}>${Object.entries(options).map(option)}</select></div>`;
}
