import { attributes } from './attributes.ts';
import { type Html, html } from './html.ts';
import { lines } from './lines.ts';

type Parts = {
  lang: 'bg' | 'en';
  title: string;
  /** Elements of the head, before the title and after it. */
  meta?: readonly Html[];
  styles?: readonly Html[];
  /** Of the body itself, for mail programs, which know no other style. */
  bodyStyle?: string;
  body: Html;
};

/** A whole document: the frame that pages and mails share. */
export function htmlDocument({ lang, title, meta = [], styles = [], bodyStyle, body }: Parts): Html {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${lines([...meta, html`<title>${title}</title>`, ...styles])}</head>
<body${attributes({ style: bodyStyle ?? null })}>
${body}
</body>
</html>
`;
}
