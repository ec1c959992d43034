import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributes } from '../../../src/web/attributes.ts';
import { css, Html, html, lines, nothing } from '../../../src/web/html.ts';
import { htmlDocument } from '../../../src/web/html-document.ts';

const EVIL = `<script>alert("1")</script>&'`;
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';

describe('a template', () => {
  test('escapes text between tags and in attributes', () => {
    expect(html`<p title="${EVIL}">${EVIL}</p>`.markup).toBe(`<p title="${ESCAPED}">${ESCAPED}</p>`);
  });

  test('takes markup, lists of it, numbers, and nothing', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);

    expect(html`<ul>${items}</ul>${1}${nothing}${html`<br>`}`.markup).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>1<br>');
  });

  test('is the same each time', () => {
    const card = (name: string) => html`<b>${name}</b>`.markup;

    expect([card('<'), card('>')]).toEqual(['<b>&lt;</b>', '<b>&gt;</b>']);
  });

  property.prop([fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })])(
    'shows any text as it is, and nothing of it becomes markup',
    (text, value) => {
      const { markup } = html`<p title="${value}">${text}</p>`;

      const [, seenValue = '', seenText = ''] = /^<p title="([^"<>]*)">([^"<>]*)<\/p>$/s.exec(markup) ?? [];
      expect([unescaped(seenText), unescaped(seenValue)]).toEqual([text, value]);
    },
  );

  test('has a type for its pieces: possibly missing values do not compile', () => {
    const missing: string | undefined = undefined;
    const absent: Html | null = null;

    // @ts-expect-error undefined is no piece
    expect(() => html`<p>${missing}</p>`).toThrow('undefined can not be put in as text');
    // @ts-expect-error null is no piece
    expect(() => html`<p>${absent}</p>`).toThrow('null can not be put in as text');
    // @ts-expect-error false is no piece
    expect(() => html`<p>${false}</p>`).toThrow('boolean can not be put in as text');
    // @ts-expect-error an object is no piece
    expect(() => html`<p>${{ markup: '<b>' }}</p>`).toThrow('Object can not be put in as text');
    // @ts-expect-error an object that looks like markup was not made by the tag
    const forged: Html = { markup: '<b>' };
    expect(forged).not.toBeInstanceOf(Html);
  });

  test('takes no markup in an attribute, whose quotes would end it', () => {
    expect(() => html`<p title="${html`<b class="x"></b>`}"></p>`).toThrow('Html can not be put in as value');
    expect(() => html`<p ${'hidden'}></p>`).toThrow('string can not be put in as attributes');
    expect(() => html`<p>${attributes({ hidden: true })}</p>`).toThrow('Attributes can not be put in as text');
  });
});

describe('an address', () => {
  test.each(['https://a.example/?b=1', 'http://a', 'mailto:a@b.example', 'tel:+359888', '/orders/1', '#s1', '?q=a:b', 'orders/1', './a:b', ''])(
    'stays as it is: %s',
    (address) => {
      expect(html`<a href="${address}">x</a>`.markup).toBe(`<a href="${address}">x</a>`);
    },
  );

  test.each(['javascript:alert(1)', 'JavaScript:alert(1)', ' java\nscript\t:alert(1)', '\u0001javascript:alert(1)', 'data:text/html,x', 'vbscript:x'])(
    'leads nowhere if it is a program: %j',
    (address) => {
      expect(html`<a href="${address}">x</a>`.markup).toBe('<a href="about:invalid">x</a>');
      expect(attributes({ href: address }).markup).toBe(' href="about:invalid"');
    },
  );

  test('may have text before and after the interpolation', () => {
    const markup = html`<a href="${'https://a.example'}/b?c=${'d&e'}">x</a><img src="cid:${'a'}" alt="">`.markup;

    expect(markup).toBe('<a href="https://a.example/b?c=d&amp;e">x</a><img src="cid:a" alt="">');
  });
});

describe('attributes', () => {
  test('may be absent, and may have no value', () => {
    expect(html`<td${attributes({ class: 'n', hidden: true, title: null, inert: false, colspan: 2 })}>1</td>`.markup).toBe(
      '<td class="n" hidden colspan="2">1</td>',
    );
    expect(html`<input disabled${attributes({ value: '"' })}>`.markup).toBe('<input disabled value="&quot;">');
  });

  test.each(['onclick', 'ONLOAD', 'srcdoc', 'a b', 'a=b', '', '"'])('are not programs, nor more than a name: %j', (name) => {
    expect(() => attributes({ [name]: 'x' })).toThrow(TypeError);
  });
});

describe('a style sheet', () => {
  test('goes into a style element unescaped, and nowhere else', () => {
    const sheet = css`a > b { content: "x"; }`;

    expect(html`<style media="print">${sheet}</style>`.markup).toBe('<style media="print">a > b { content: "x"; }</style>');
    expect(() => html`<p>${sheet}</p>`).toThrow('Css can not be put in as text');
    expect(() => html`<style>${'a { }'}</style>`).toThrow('string can not be put in as style');
  });

  test('does not end its element, and takes no interpolation', () => {
    expect(() => css`</style><script>`).toThrow(TypeError);
    // @ts-expect-error a style sheet takes no interpolation
    expect(() => css`a { color: ${'red'} }`).toThrow(TypeError);
  });
});

describe('a document', () => {
  test('has a frame', () => {
    const page = htmlDocument({
      lang: 'en',
      title: '<a>',
      meta: [html`<meta name="robots" content="noindex">`],
      styles: [html`<style>${css`b { }`}</style>`],
      bodyStyle: 'margin:0',
      body: lines([html`<p>1</p>`, html`<p>2</p>`]),
    });

    expect(page.markup.split('\n')).toEqual([
      '<!doctype html>',
      '<html lang="en">',
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex">',
      '<title>&lt;a&gt;</title>',
      '<style>b { }</style>',
      '</head>',
      '<body style="margin:0">',
      '<p>1</p>',
      '<p>2</p>',
      '',
      '</body>',
      '</html>',
      '',
    ]);
  });

  test('needs no more than a title and a body', () => {
    expect(htmlDocument({ lang: 'bg', title: 'a', body: nothing }).markup).toContain('<title>a</title>\n</head>\n<body>\n');
  });
});

function unescaped(text: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '');
}
