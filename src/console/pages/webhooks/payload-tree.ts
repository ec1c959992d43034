import { countText } from '../../../contract/plural.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines } from '../../../web/html.ts';
import type { Words } from '../../messages/messages.ts';

/** Values that a page shows, and characters of one. */
const MOST_VALUES = 3_000;
const LONGEST = 2_000;
/** Levels that are open at first, and as many entries at most. */
const OPEN_LEVELS = 3;
const OPEN_ENTRIES = 25;

/** Parsed JSON as a tree that opens and closes without script; what is beyond the bound is counted. */
export function payloadTree(value: unknown, words: Words): Html {
  return html`<ul class="tree">${node({ words, left: MOST_VALUES }, { name: null, value, level: 0 })}</ul>`;
}

function node(tree: { words: Words; left: number }, { name, value, level }: { name: string | null; value: unknown; level: number }): Html {
  tree.left -= 1;
  const label = name === null ? html`` : html`<b>${name}</b> `;
  const isObject = typeof value === 'object' && value !== null;
  const entries = isObject ? Object.entries(value) : [];
  if (entries.length === 0) return html`<li>${label}<code>${leafText(value)}</code></li>`;
  const shown: Html[] = [];
  for (const [key, one] of entries) {
    if (tree.left <= 0) break;
    shown.push(node(tree, { name: key, value: one, level: level + 1 }));
  }
  const cut = entries.length - shown.length;
  const rest = cut === 0 ? [] : [html`<li class="soft">${tree.words.webhooks.payload.cut(cut)}</li>`];
  const count = countText(entries.length, tree.words.lang);
  return html`<li><details${attributes({ open: level < OPEN_LEVELS && entries.length <= OPEN_ENTRIES })}><summary>${label}<span class="soft">${Array.isArray(value) ? `[${count}]` : `{${count}}`}</span></summary>
<ul>
${lines([...shown, ...rest])}</ul></details></li>`;
}

function leafText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
