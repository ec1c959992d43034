import { messages } from '../../contract/messages.ts';
import type { LocalizedText } from '../../contract/said.ts';
import type { OnboardingStep } from '../../operations/onboarding/onboarding.ts';

/** What every page of a merchant has. */
export const steps = messages({
  title: { en: 'Connect your store', bg: 'Свържете магазина си' },
  name: {
    store: { en: 'Store', bg: 'Магазин' },
    company: { en: 'Company', bg: 'Фирма' },
    webhooks: { en: 'Notifications', bg: 'Известия' },
    mapping: { en: 'VAT and payments', bg: 'ДДС и плащания' },
    trial: { en: 'Trial and start', bg: 'Пробна поръчка и старт' },
  } satisfies Readonly<Record<OnboardingStep, LocalizedText>>,
  way: { en: 'Your way to a connected store', bg: 'Пътят до свързан магазин' },
  isDone: { en: 'done', bg: 'готово' },
  /** Its first message may be still to come. */
  isSetUp: { en: 'set up', bg: 'настроени' },
  back: { en: 'Back', bg: 'Назад' },
  next: { en: 'Continue', bg: 'Продължете' },
  language: { en: 'Български', bg: 'English' },
  neededTitle: { en: 'A link is needed here', bg: 'Тук е нужна връзка' },
  needed: {
    en: 'The person who runs this service sends you a link by which you connect your store.',
    bg: 'Този, който поддържа услугата, ви изпраща връзка, с която свързвате магазина си.',
  },
  goneTitle: { en: 'This link opens nothing any more', bg: 'Тази връзка вече не отваря нищо' },
  unknownTitle: { en: 'There is no such link', bg: 'Няма такава връзка' },
  gone: {
    unknown: {
      en: 'Check that the whole address was copied, to its last character. If it was, ask the person who sent it to you for a new one.',
      bg: 'Проверете дали е копиран целият адрес, до последния знак. Ако е така, поискайте нова връзка от този, който ви я изпрати.',
    },
    expired: {
      en: 'The time of this link has passed. Ask the person who sent it for a new one: nothing that you said is lost.',
      bg: 'Срокът на връзката е изтекъл. Поискайте нова от този, който ви я изпрати: казаното от вас е запазено.',
    },
    revoked: {
      en: 'This link was ended. Ask the person who sent it if you still need it.',
      bg: 'Тази връзка е прекратена. Ако още ви трябва, поискайте нова от този, който ви я изпрати.',
    },
  },
  makeLink: { en: 'Make the link', bg: 'Направете връзката' },
  mailLink: { en: 'Send it by mail', bg: 'Изпратете я с писмо' },
  ask: { en: (mail: string): string => `Write to ${mail}.`, bg: (mail: string) => `Пишете на ${mail}.` },
});
