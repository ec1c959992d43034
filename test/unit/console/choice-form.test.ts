import { expect, test } from 'vitest';
import type { Form } from '../../../src/console/base/page.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { typedIn } from '../../../src/console/pages/review/choice-form.ts';

const form = (fields: Readonly<Record<string, string>>): Form => ({ text: (name) => fields[name] ?? '', all: () => [] });
const typed = (value: string, name: string) =>
  typedIn(form({ 'value-0': value, 'name-0': name }), [{ setting: { of: 'payment', gateway: 'borica' }, value: null, name: null }], wordsIn('en'));

test.each([
  ['VIRTUAL_POS', '', 'A virtual POS needs its number, which the bank gives.'],
  ['VIRTUAL_POS', 'Borica', 'A virtual POS needs its number, which the bank gives.'],
  ['VIRTUAL_POS', '12345678', undefined],
  ['PAYMENT_PROCESSOR', '', 'A payment service needs its name.'],
  ['BANK_TRANSFER', '', undefined],
])('%s with the name “%s”', (value, name, problem) => {
  expect(typed(value, name)[0]?.nameProblem).toBe(problem);
});
