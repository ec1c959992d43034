import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** Background jobs. */
export const jobs = messages({
  title: { en: 'Background jobs', bg: 'Фонови задачи' },
  intro: {
    en: 'Work that is done beside orders and webhooks. What fails is retried by itself.',
    bg: 'Работа, която се върши отделно от поръчките и известията. Неуспешното се опитва отново само.',
  },
  none: { en: 'No job waits, runs or fails.', bg: 'Никоя задача не чака, не се изпълнява и не е неуспешна.' },
  caption: { en: 'Jobs by kind', bg: 'Задачи по вид' },
  kind: { en: 'Kind', bg: 'Вид' },
  states: {
    waiting: { en: 'Waiting', bg: 'Чакат' },
    due: { en: 'Due', bg: 'На ред' },
    running: { en: 'Running', bg: 'Изпълняват се' },
    failing: { en: 'Failing', bg: 'Неуспешни' },
    blocked: { en: 'Blocked', bg: 'Спрени' },
  },
  failing: { en: 'Jobs that failed', bg: 'Неуспешни задачи' },
  key: { en: 'Job', bg: 'Задача' },
  since: { en: 'Since', bg: 'От' },
  why: { en: 'Why', bg: 'Защо' },
  next: { en: 'Next try', bg: 'Следващ опит' },
  attempts: { en: (n: number): string => counted.en(n, 'try', 'tries'), bg: (n: number): string => counted.bg(n, 'опит', 'опита') },
  blocked: { en: 'when something changes', bg: 'когато нещо се промени' },
  retry: { en: 'Try now', bg: 'Опитай сега' },
  drop: { en: 'Drop it', bg: 'Откажи я' },
  reason: { en: 'Why it is dropped', bg: 'Защо се отказва' },
});
