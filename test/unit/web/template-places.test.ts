import { describe, expect, test } from 'vitest';
import { templatePlaces } from '../../../src/web/template-places.ts';

/** Templates as they are written, with ~ for an interpolation. */
const placesOf = (template: string) => templatePlaces(template.split('~'));

describe('the place of an interpolation', () => {
  test.each([
    ['~', ['text']],
    ['<P>~</p>~', ['text', 'text']],
    ['<title>~</title><textarea>~</textarea>', ['text', 'text']],
    ['<p title="~ and ~" class="~"></p>', ['value', 'value', 'value']],
    ['<p title="a > ~ <b>"></p>', ['value']],
    [`<p title="it's ~">it's "~"</p>`, ['value', 'text']],
    ['<a href="~"></a>', ['address']],
    ['<a href="~/a/~?b=~"></a>', ['address', 'value', 'value']],
    ['<a href="/a/~"></a>', ['value']],
    ['<a href="?a=~&b=~"></a>', ['value', 'value']],
    ['<a href="#~"></a>', ['value']],
    ['<a href="https://a.example/~"></a>', ['value']],
    ['<form action="~"></form>', ['address']],
    ['<td~></td>', ['attributes']],
    ['<td class="a" ~>~</td>', ['attributes', 'text']],
    ['<td\n  class="a"\n  title="~"\n></td>', ['value']],
    ['<style>~</style>', ['style']],
    ['<!-- <a href= --><p>~</p>', ['text']],
    ['<svg viewBox="0 0 ~ ~"><path d="~"/></svg>', ['value', 'value', 'value']],
    ['<br><img alt="~"><input value="~">', ['value', 'value']],
    ['<script src="/live.js" defer></script>~', ['text']],
  ])('%s', (template, places) => {
    expect(placesOf(template)).toEqual(places);
  });
});

describe('a place that can not be made safe is refused', () => {
  test.each([
    ['a value without quotes', '<a href=~>x</a>'],
    ['a value without quotes, after one with them', '<a class="~" href=~>x</a>'],
    ['a value without quotes that goes on', '<a href=/orders/~>x</a>'],
    ['a value without quotes, though nothing is put in', '<a href=x>x</a>'],
    ['a value in single quotes', "<a href='~'>x</a>"],
    ['blanks around the equals sign', '<a href = "~">x</a>'],
    ['a tag’s name', '<~>x</p>'],
    ['a part of a tag’s name', '<h~>x</h~>'],
    ['an attribute’s name', '<p ~="x">x</p>'],
    ['a part of an attribute’s name', '<p data-~="x">x</p>'],
    ['a program', '<script>~</script>'],
    ['a program in an attribute', '<p onclick="~">x</p>'],
    ['a program in an attribute, though nothing is put in', '<p onclick="go()">x</p>'],
    ['a document in an attribute', '<iframe srcdoc="~"></iframe>'],
    ['a comment', '<!-- ~ -->'],
    ['a comment that does not end', '<!-- <p>~</p>'],
    ['another document type', '<!doctype ~>'],
    ['a scheme that is put in', '<a href="java~">x</a>'],
    ['a scheme that is put together', '<a href="~~">x</a>'],
    ['a scheme that is a program', '<a href="javascript:~">x</a>'],
    ['a less-than sign', '<p>1 < ~</p>'],
    ['a less-than sign before an interpolation', '<p><~</p>'],
    ['an element that stays open', '<p>~'],
    ['an element that was not open', '~</p>'],
    ['elements that overlap', '<b><i>~</b></i>'],
    ['a slash that does not close', '<div/>~'],
    ['a tag that does not end', '<p title="~"'],
    ['a quote that does not end', '<p title="~>x</p>'],
    ['an end tag that does not end', '<p>~</p'],
  ])('%s: %s', (_, template) => {
    expect(() => placesOf(template)).toThrow(TypeError);
  });

  test('with an error text that shows the place', () => {
    expect(() => placesOf('<p>~</p><a href=~>x</a>')).toThrow('<a href={…}>x</a>');
    expect(() => placesOf('<ul><li>~</ul>')).toThrow('</ul>');
    expect(() => placesOf('<ul><li>~</li>')).toThrow('leaves <ul> open');
  });

  test('the placeholder character is refused', () => {
    expect(() => templatePlaces(['a \ue000 b'])).toThrow(TypeError);
  });
});
