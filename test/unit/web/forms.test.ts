import { describe, expect, test } from 'vitest';
import { button, choices, field, formTo, isStale, mustBeSeen, Stale, seenOf, tick } from '../../../src/web/forms.ts';

const ESCAPED = '&lt;b&gt;';

describe('a field', () => {
  test('has its label, and what is wrong with it, tied to it; what was typed stays', () => {
    const { markup } = field({ name: 'email', label: 'E-mail', hint: 'Yours', value: '<b>', problem: 'No address', required: true });

    expect(markup).toContain('<label for="email">E-mail</label>');
    expect(markup).toContain(
      `<input id="email" name="email" type="text" value="${ESCAPED}" required aria-invalid="true" aria-describedby="email-hint email-problem">`,
    );
    expect(markup).toContain('<p class="hint" id="email-hint">Yours</p>');
    expect(markup).toContain('<p class="problem" id="email-problem" role="alert">No address</p>');
  });

  test('says nothing of hints and problems that it does not have', () => {
    expect(field({ name: 'why', label: 'Why', problem: null }).markup).not.toMatch(/aria-|hint|problem/);
  });

  test('of several lines has the same', () => {
    const { markup } = field({ name: 'note', label: 'Note', rows: 4, value: '<b>', problem: 'Missing', more: { maxlength: 9 } });

    expect(markup).toContain(
      `<textarea id="note" name="note" rows="4" aria-invalid="true" aria-describedby="note-problem" maxlength="9">${ESCAPED}</textarea>`,
    );
  });

  test('that is a list keeps a value that it does not offer', () => {
    const { markup } = field({ name: 'type', label: 'Type', options: { CARD: 'Card' }, none: '–', value: 'CHEQUE' });

    expect([...markup.matchAll(/<option[^>]*>[^<]*/g)].map(([option]) => option)).toEqual([
      '<option value="">–',
      '<option value="CARD">Card',
      '<option value="CHEQUE" selected>CHEQUE',
    ]);
  });
});

test('a choice of one or of several is one question, with what is wrong tied to it', () => {
  const ways = [['a', 'First'] as const, ['b', 'Second'] as const];
  const one = choices({ name: 'how', legend: 'How?', ways, chosen: 'b', problem: 'Choose' }).markup;
  const some = choices({ name: 'shop', legend: 'Which?', ways, chosen: ['a'] }).markup;

  expect(one).toContain('<fieldset class="choices" aria-describedby="how-problem"><legend>How?</legend>');
  expect(one).toMatch(/type="radio" name="how" value="a"> First[\s\S]*type="radio" name="how" value="b" checked> Second[\s\S]*id="how-problem"/);
  expect(some).toMatch(/type="checkbox" name="shop" value="a" checked>[\s\S]*type="checkbox" name="shop" value="b">/);
});

test('a form has what it was made from, its fields and its buttons', () => {
  const { markup } = formTo('/here?a=1&b=2', {
    seen: 7,
    hidden: { id: '<b>' },
    body: tick({ name: 'sure', label: 'Sure' }),
    buttons: [button('Do', { value: '1' })],
  });

  expect(
    markup,
  ).toBe(`<form method="post" action="/here?a=1&amp;b=2"><input type="hidden" name="seen" value="${seenOf(7)}"><input type="hidden" name="id" value="${ESCAPED}">
<p><label><input type="checkbox" name="sure" value="yes"> Sure</label></p>
<p class="verbs"><button value="1">Do</button></p>
</form>
`);
});

test('a form that was made from something else is stale, and says how it can be sent again', () => {
  const sent = (value: unknown) => ({ text: () => seenOf(value) });
  const words = { sent: 'a', now: 'b' };

  expect([isStale(sent([1]), [1]), isStale(sent([1]), [2]), isStale({ text: () => '' }, [1])]).toEqual([false, true, true]);
  expect(() => mustBeSeen(sent([1]), [1], words)).not.toThrow();
  expect(() => mustBeSeen(sent([1]), [2], words)).toThrow(new Stale('a', 'b', seenOf([2])));
});
