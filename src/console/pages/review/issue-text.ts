import type { MissingSetting } from '../../../bridge/order/facts/failure.ts';
import { mayReadPersonalData } from '../../../operations/order-detail/quoted-words.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { Words } from '../../messages/messages.ts';

/** What similar orders wait for. */
export type IssueKind = { code: string; pattern: string; settings: readonly MissingSetting[] };

export function heading({ code, pattern, settings }: IssueKind, words: Words, person: Person): string {
  const { issues } = words;
  if (settings.length > 0 && code !== 'gift-card.undecided') return settings.map((setting) => settingHeading(setting, words)).join(' · ');
  const isRefusal = code === 'compliance.refused' || code === 'replacement.refused';
  if (isRefusal && pattern !== '' && mayReadPersonalData(person)) return issues.refused(pattern);
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
