import { attributes } from './attributes.ts';
import { type Html, html, lines } from './html.ts';

type Parts = {
  lang: 'bg' | 'en';
  title: string;
  /** Elements of the head, before the title and after it. */
  meta?: readonly Html[];
  styles?: readonly Html[];
  /** An inline style of the body, because mail programs support no other. */
  bodyStyle?: string;
  body: Html;
};

/** A whole document, for pages and mails. */
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
