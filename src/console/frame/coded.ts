import { type Html, html } from '../../web/html.ts';

/** Words in which what is to be typed is between backticks. */
export function coded(words: string): Html {
  return html`${words.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
