import { expect, test } from 'vitest';
import type { StoreNote } from '../../../src/bridge/delivery/store-notes.ts';
import { noteText } from '../../../src/operations/note-text.ts';

const note = (changes: Partial<StoreNote> = {}): StoreNote => ({
  ...{ orderRef: 15, id: 204, orderId: '7', state: 'recorded', code: null, detail: null, complianceId: null, destinationId: null, triedMs: null },
  ...changes,
});

type Case = [changes: Partial<StoreNote>, document: string | null, en: string, bg: string];

test.each<Case>([
  [{}, '0000000012', 'Recorded as document 0000000012.', 'Поръчката е записана с документ № 0000000012.'],
  [{}, null, 'Recorded.', 'Поръчката е записана.'],
  [
    { state: 'replaced' },
    '0000000013',
    'Recorded anew as document 0000000013; the record before was deleted.',
    'Поръчката е записана наново с документ № 0000000013; предишният запис е изтрит.',
  ],
  [{ state: 'replaced' }, null, 'Recorded anew; the record before was deleted.', 'Поръчката е записана наново; предишният запис е изтрит.'],
  [{ state: 'removed' }, null, 'Nothing is recorded of this order any more.', 'За тази поръчка вече няма запис.'],
  [{ state: 'unrecorded' }, null, 'Needs no review any more. We have no record of this order.', 'Вече не е нужна проверка. При нас тази поръчка няма запис.'],
  [
    { state: 'review', code: 'payment.unmapped', detail: 'The payment method “econt” has no type.' },
    null,
    'Needs review: The payment method “econt” has no type.',
    'Нужна е проверка. Начинът на плащане „econt“ няма вид.',
  ],
  [
    { state: 'review', code: 'payment.unmapped' },
    null,
    'Needs review: A payment method has no type in the settings.',
    'Нужна е проверка. За начина на плащане още не е избран вид.',
  ],
])('%j with document %j', (...[changes, document, en, bg]) => {
  const mark = `(orderbridge: ${changes.state ?? 'recorded'} ${document ?? '-'} 15-204)`;

  expect(noteText(note(changes), { document, lang: 'en' })).toBe(`${en}\n${mark}`);
  expect(noteText(note(changes), { document, lang: 'bg' })).toBe(`${bg}\n${mark}`);
});

test('what a service said of a buyer is in no note, and an unconfirmed order says so', () => {
  const refused = note({ state: 'review', code: 'compliance.refused', detail: '422 Maria Ivanova is no name' });

  expect(noteText(refused, { document: null, lang: 'en' })).not.toContain('Ivanova');
  expect(noteText(note({ state: 'review' }), { document: null, lang: 'en' })).toContain('Needs review: It is not known whether the order is recorded');
});
