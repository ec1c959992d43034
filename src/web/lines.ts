import { type Html, html } from './html.ts';

/** Elements with a line of its own each, so that a page can be read as it was sent. */
export function lines(elements: readonly Html[]): Html {
  return html`${elements.map((element) => html`${element}\n`)}`;
}
