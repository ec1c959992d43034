import { type Html, html } from './html.ts';

/** Elements on a line each, so that the source of a page is readable. */
export function lines(elements: readonly Html[]): Html {
  return html`${elements.map((element) => html`${element}\n`)}`;
}
