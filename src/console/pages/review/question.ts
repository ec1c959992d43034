import type { AskedSetting } from '../../../bridge/order/facts/failure.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { mayReadPersonalData } from '../../../operations/sheets/quoted-words.ts';
import type { Words } from '../../words/words.ts';

/** What orders are asked alike. */
export type Asked = { code: string; alike: string; settings: readonly AskedSetting[] };

/** The question as a heading. */
export function heading({ code, alike, settings }: Asked, words: Words, person: Person): string {
  const { questions } = words;
  if (settings.length > 0 && code !== 'gift-card.undecided') return settings.map((asked) => settingHeading(asked, words)).join(' · ');
  const isRefusal = code === 'compliance.refused' || code === 'replacement.refused';
  if (isRefusal && alike !== '' && mayReadPersonalData(person)) return questions.refused(alike);
  return questionOf(code, words).heading;
}

export function questionOf(code: string, { questions }: Words): { heading: string; todo: string } {
  return Object.hasOwn(questions.of, code) ? (questions.of[code] ?? questions.later) : questions.later;
}

function settingHeading(asked: AskedSetting, { questions }: Words): string {
  switch (asked.of) {
    case 'payment':
      return questions.payment(asked.gateway);
    case 'vat':
      return questions.vat(asked.rate);
    case 'contained-vat':
      return questions.contained;
    case 'gift-cards':
      return questions.of['gift-card.undecided']?.heading ?? '';
  }
}
