import { type LocalizedText, messages } from '../../contract/messages.ts';
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
  goneTitle: { en: 'This link no longer works', bg: 'Тази връзка вече не работи' },
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

/** What went wrong, for a merchant: in place of the console's words, which are for those who run this server. */
export const problem = messages({
  missing: {
    en: 'There is no page at this address. Open the link that you were sent.',
    bg: 'На този адрес няма страница. Отворете връзката, която ви изпратиха.',
  },
  foreign: {
    en: 'This form was not sent from one of our pages, so nothing was done. Open the link that you were sent, and send the form again.',
    bg: 'Формулярът не е изпратен от наша страница и нищо не беше направено. Отворете връзката, която ви изпратиха, и го изпратете отново.',
  },
  stale: {
    en: 'It was changed after you opened the page, perhaps by you in another window. Nothing was done. This is what you saw, and what it is now:',
    bg: 'Променено е, след като отворихте страницата, може би от вас в друг прозорец. Нищо не беше направено. Това видяхте и това е сега:',
  },
  failedTitle: { en: 'Something went wrong on our side', bg: 'Нещо се обърка при нас' },
  failed: {
    en: (requestId: string): string =>
      `This page could not be shown. What you saved is kept, and your store’s orders are still taken: there is nothing to do in your store. Try again in a minute. If it happens again, write to the person who sent you the link, and give this number: ${requestId}.`,
    bg: (requestId: string) =>
      `Страницата не можа да бъде показана. Запазеното от вас е на мястото си и поръчките на магазина ви се приемат: в магазина не е нужно да правите нищо. Опитайте отново след минута. Ако се повтори, пишете на този, който ви изпрати връзката, и посочете този номер: ${requestId}.`,
  },
  databaseTitle: { en: 'We are out of order for a moment', bg: 'За малко не работим' },
  database: {
    en: 'It is on our side: what you saved is kept, and there is nothing to do in your store, or at the tax authority. This page tries again by itself. If it lasts for more than an hour, write to the person who sent you the link.',
    bg: 'Причината е при нас: запазеното от вас е на мястото си и не е нужно да правите нищо – нито в магазина, нито пред НАП. Страницата опитва отново сама. Ако продължи повече от час, пишете на този, който ви изпрати връзката.',
  },
  unknown: {
    en: 'Whether your last press was carried out is not known. Open the page again, and look, before you press once more: nothing is made twice.',
    bg: 'Не е известно дали последното ви натискане е изпълнено. Отворете страницата отново и погледнете, преди да натиснете пак: нищо не се създава два пъти.',
  },
});
