import { type Act, writeActs } from '../../platform/audit-log/audit-log.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';

/** What can be done in our compliance service by a command, for the audit log and the docs. */
export const serviceActs = {
  'key.created': 'An API key was made.',
  'key.rotated': 'An API key got a successor, and ends a day later.',
  'key.revoked': 'An API key was ended.',
  'company.granted': 'The operator let an owner of API keys create shops of a company.',
  'numbers.advanced': 'The next document number of a merchant was raised; those between are skipped.',
  'numbers.taken-back': 'The operator took back the last skip of a merchant’s document numbers: they are given after all.',
  'month.generated': 'A version of a month’s file was made.',
  'month.downloaded': 'A person downloaded a month’s files together with those of other shops.',
  'month.mailed': 'A mail with a month’s result was put into the outbox.',
  'month.checked': 'A person said that the sums of a month’s file agree with bookkeeping.',
  'month.filed': 'A person said that a month’s file is filed.',
  'month.accepted': 'A person said that the agency accepted a month’s file.',
  'month.rejected': 'A person said that the agency found errors in a month’s file.',
  'month.nothing': 'A person said that an empty month has nothing to file.',
  'month.returns-settled': 'A person said how returns that no file can tell were dealt with.',
  'link.renewed': 'A new link to a month’s page was asked for by an expired one.',
  'link.opened': 'All companies of the recipient of a link were opened by a code that was mailed to them.',
  'recipient.confirmed': 'A recipient of a shop’s months confirmed that they want them.',
  'recipient.refused': 'A recipient said that a shop is not theirs: its mails do not go there any more.',
  'recipient.resumed': 'A recipient said that a shop is theirs after all.',
  'mail.retried': 'A failed mail was made due again.',
  'rates.imported': 'Exchange rates were imported or fetched by a command.',
  'receipt.issued': 'A receipt was issued by a command.',
  'receipt.resent': 'A receipt was mailed to its buyer again.',
  'shop.options': 'What a shop asks for beyond the documented interface was changed.',
  'order.buyer-forgotten': 'The buyer of an order was forgotten, as a key asked.',
  'buyer.seen': 'Buyers’ data of recorded orders was printed by a command.',
  'order.created': 'An order was recorded by hand.',
  'order.deleted': 'A recorded order was deleted by hand.',
} as const satisfies Record<string, string>;

export type ServiceAct = keyof typeof serviceActs;

export const SERVICE_AUDIT_LOG = { schema: 'compliance' };

/** Adds acts to the service's audit log, within the transaction of what they tell of. */
export function writeServiceActs(tx: Queryable, acts: readonly Act<ServiceAct>[]): Promise<void> {
  return writeActs(tx, SERVICE_AUDIT_LOG, acts);
}

/** The acts of the compliance service, for people who read Bulgarian. */
export const serviceActsInBulgarian: Readonly<Record<ServiceAct, string>> = {
  'key.created': 'Беше създаден ключ.',
  'key.rotated': 'Ключ получи приемник и спира да важи след денонощие.',
  'key.revoked': 'Ключ беше прекратен.',
  'company.granted': 'Операторът позволи на собственик на ключове да създава обекти на фирма.',
  'numbers.advanced': 'Следващият номер на документ на търговец беше повишен; тези между тях са пропуснати.',
  'numbers.taken-back': 'Операторът върна последното пропускане на номера на документи на търговец: те все пак се дават.',
  'month.generated': 'Беше изготвена версия на файла за месец.',
  'month.downloaded': 'Човек изтегли файловете за месеца заедно с тези на други обекти.',
  'month.mailed': 'Писмо с резултата за месец беше поставено за изпращане.',
  'month.checked': 'Човек каза, че сумите във файла за месеца съвпадат със счетоводството.',
  'month.filed': 'Човек каза, че файлът за месец е подаден.',
  'month.accepted': 'Човек каза, че НАП е приела файла за месеца.',
  'month.rejected': 'Човек каза, че НАП е намерила грешки във файла за месец.',
  'month.nothing': 'Човек каза, че за празен месец няма какво да се подава.',
  'month.returns-settled': 'Човек каза как са уредени върнати суми, които никой файл не може да съобщи.',
  'link.renewed': 'През изтекла връзка беше поискана нова за страницата на месец.',
  'link.opened': 'С код по пощата бяха отворени всички фирми на получателя на връзка.',
  'recipient.confirmed': 'Получател на месеците на обект потвърди, че ги иска.',
  'recipient.refused': 'Получател каза, че обектът не е негов: писмата му вече не отиват там.',
  'recipient.resumed': 'Получател каза, че обектът все пак е негов.',
  'mail.retried': 'Неизпратено писмо беше върнато за изпращане.',
  'rates.imported': 'Валутни курсове бяха внесени или изтеглени с команда.',
  'receipt.issued': 'Документ за продажба беше издаден с команда.',
  'receipt.resent': 'Документ за продажба беше изпратен отново на купувача.',
  'shop.options': 'Беше променено какво иска обект извън описания интерфейс.',
  'order.buyer-forgotten': 'Купувачът на поръчка беше забравен по искане с ключ.',
  'buyer.seen': 'Команда показа данни на купувачи от записани поръчки.',
  'order.created': 'Поръчка беше записана на ръка.',
  'order.deleted': 'Записана поръчка беше изтрита на ръка.',
};
