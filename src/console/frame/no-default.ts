import { html } from '../../web/html.ts';

/** First in a form of several verbs: Enter in one of its fields presses none of them. */
export const noDefault = html`<button disabled hidden></button>`;
