import type { MissingSetting } from '../../../bridge/order/facts/failure.ts';
import { mayReadPersonalData } from '../../../operations/order-detail/quoted-words.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { Words } from '../../messages/messages.ts';

/** What similar orders wait for. */
export type IssueKind = { code: string; pattern: string; settings: readonly MissingSetting[] };

export function heading({ code, pattern, settings }: IssueKind, words: Words, person: Person): string {
  const isRefusal = code === 'compliance.refused' || code === 'replacement.refused';
  if (isRefusal && pattern !== '' && mayReadPersonalData(person)) return words.issues.refused(pattern);
  return plainHeading({ code, settings }, words);
}

/** The same without what a service or a store said. */
export function plainHeading({ code, settings }: Pick<IssueKind, 'code' | 'settings'>, words: Words): string {
  if (settings.length > 0 && code !== 'gift-card.undecided') return settings.map((setting) => settingHeading(setting, words)).join(' · ');
  return issueTextOf(code, words).heading;
}

export function issueTextOf(code: string, { issues }: Words): { heading: string; todo: string } {
  return Object.hasOwn(issues.of, code) ? (issues.of[code] ?? issues.later) : issues.later;
}

function settingHeading(setting: MissingSetting, { issues }: Words): string {
  switch (setting.of) {
    case 'payment':
      return issues.payment(setting.gateway);
    case 'vat':
      return issues.vat(setting.rate);
    case 'contained-vat':
      return issues.contained;
    case 'gift-cards':
      return issues.of['gift-card.undecided']?.heading ?? '';
  }
}
