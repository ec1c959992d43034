import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { newsOf as newsFromApi } from '../../../../../src/bridge/storefronts/woocommerce/normalize.ts';
import { decodeEntities, wooOrder as schema } from '../../../../../src/bridge/storefronts/woocommerce/payload.ts';
import { newsOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, wooOrder } from '../../../../support/samples/woo-order.ts';

describe('HTML entities', () => {
  test.each([
    ['Химикал &amp; пълнител', 'Химикал & пълнител'],
    ['&amp;amp;', '&amp;'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&lt;b&gt; &quot;x&quot; &#039;y&#39; &apos;', `<b> "x" 'y' '`],
    ['&bdquo;Ю&#8211;Я&ldquo; &#x20AC; &#X20ac; &euro;', '„Ю–Я“ € € €'],
    ['a&nbsp;b &laquo;c&raquo; &Ouml;l &yuml; &times;', 'a\u00a0b «c» Öl ÿ ×'],
    ['&#128512;', '😀'],
  ])('%s is %s', (given, shown) => {
    expect(decodeEntities(given)).toBe(shown);
  });

  test.each(['R&D', 'a & b;', '&unknown;', '&AMP;', '&;', '&#;', '&#x;', '&#0;', '&#10;', '&#150;', '&#xD800;', '&#1114112;', '&amp'])('%s stays', (text) => {
    expect(decodeEntities(text)).toBe(text);
  });

  property.prop([fc.string({ unit: fc.constantFrom('&', ';', '#', 'a', 'm', 'p', 'x', '3', 'Я', '<') })])(
    'a text that was escaped once is itself again, however it looks',
    (text) => {
      expect(decodeEntities(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))).toBe(text);
    },
  );
});

const tax = [{ id: 1, total: '4.00', subtotal: '4.00' }];
const line = { total: '20.00', total_tax: '4.00', taxes: tax };
const order = wooOrder({
  total: '72.00',
  line_items: [{ ...line, id: 1, name: 'Химикал &amp; пълнител', quantity: 1, subtotal: '20.00', subtotal_tax: '4.00' }],
  shipping_lines: [{ ...line, id: 2, method_title: 'Еконт &#8211; до офис &amp;amp;' }],
  fee_lines: [{ ...line, id: 3, name: '&bdquo;Опаковка&ldquo;' }],
  billing: { first_name: 'Ю&amp;Я', last_name: 'О&rsquo;Нийл &amp; Син', email: 'a@example.invalid', phone: '1' },
});

test('HTML entities in the names of items, shipping, fees and buyers are decoded once, by webhook and by API alike', () => {
  const news = newsOf(normalize(order));

  expect(news.snapshot?.lines.map(({ name }) => name)).toEqual(['Химикал & пълнител', 'Еконт – до офис &amp;', '„Опаковка“']);
  expect(news.customer).toMatchObject({ firstName: 'Ю&Я', lastName: 'О’Нийл & Син' });
  const read = newsFromApi(schema.parse(order), { readAt: '2026-11-21T10:00:00.000Z' });
  expect(read.snapshot.lines).toEqual(news.snapshot?.lines);
  expect(read.customer).toEqual(news.customer);
});
