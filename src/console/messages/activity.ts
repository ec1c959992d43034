import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** The audit log of acts, and what happens now. */
export const activity = messages({
  title: { en: 'Activity', bg: 'Действия' },
  lead: {
    en: 'What people and the program did, the newest first. Entries are never changed or removed.',
    bg: 'Какво направиха хората и програмата, най-новото отгоре. В този списък нищо не се променя и нищо не се изважда.',
  },
  none: {
    en: 'Nothing was done yet. Each act will be here with who did it, when, to what, and why.',
    bg: 'Още нищо не е правено. Тук всяко действие ще е с това кой го е извършил, кога, с какво и защо.',
  },
  noneSuch: { en: 'Nothing of this kind was done.', bg: 'Нищо такова не е правено.' },
  columns: {
    at: { en: 'When', bg: 'Кога' },
    who: { en: 'Who', bg: 'Кой' },
    what: { en: 'What', bg: 'Какво' },
    about: { en: 'About', bg: 'За какво' },
    change: { en: 'Change', bg: 'Промяна' },
    why: { en: 'Why', bg: 'Защо' },
  },
  program: { en: 'orderbridge itself', bg: 'самата програма' },
  order: { en: (number: string): string => `order ${number}`, bg: (number: string) => `поръчка ${number}` },
  filter: { all: { en: 'Everything', bg: 'Всичко' } },
  any: { who: { en: 'anybody', bg: 'всеки' }, act: { en: 'anything', bg: 'всичко' } },
  decided: { en: 'Orders were decided in review', bg: 'Решения за поръчки за проверка' },
  since: { en: (at: string): string => `Since ${at}.`, bg: (at: string) => `След ${at}.` },
  show: { en: 'Show', bg: 'Покажи' },
  hits: {
    en: (n: number, most: number): string => `${n > most ? 'More than ' : ''}${counted.en(Math.min(n, most), 'act', 'acts')}`,
    bg: (n: number, most: number) => `${n > most ? 'Повече от ' : ''}${counted.bg(Math.min(n, most), 'действие', 'действия')}`,
  },
  values: { en: (n: number): string => counted.en(n, 'value', 'values'), bg: (n: number) => counted.bg(n, 'стойност', 'стойности') },
  fileName: { en: 'activity', bg: 'действия' },
  csv: { en: 'As CSV', bg: 'Като CSV' },
  live: {
    title: { en: 'Live', bg: 'На живо' },
    lead: {
      en: 'What happens, as it happens. Without script it is what happened in the last ten minutes; load the page again for more.',
      bg: 'Какво се случва в момента. Без скрипт се вижда какво се случи в последните десет минути; заредете страницата отново за още.',
    },
    quiet: { en: 'Nothing happened in the last ten minutes.', bg: 'В последните десет минути нищо не се е случило.' },
    all: { en: 'All stores', bg: 'Всички магазини' },
    queues: { en: 'The queues, for developers (read-only)', bg: 'Опашките, за разработчици (само за четене)' },
    fresh: { en: 'Show what is new:', bg: 'Покажи новите:' },
    lost: {
      en: 'The database does not answer; what happens meanwhile is shown once it does.',
      bg: 'Базата данни не отговаря; случилото се междувременно ще се види, когато отговори.',
    },
    back: { en: 'The database answers again.', bg: 'Базата данни отново отговаря.' },
  },
});
