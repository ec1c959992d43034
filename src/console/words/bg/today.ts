import type { today as english } from '../en/today.ts';
import { fullStop } from './full-stop.ts';

export const today: typeof english = {
  title: 'Днес',
  calm: (recorded, last) =>
    fullStop(
      `Нищо не ви чака. Днес ${recorded === 1 ? 'е записана 1 поръчка' : `са записани ${recorded} поръчки`}; последното известие от магазин дойде ${last}`,
    ),
  noStore: 'Още няма свързан магазин. Напишете едно от тези там, където работи orderbridge:',
  ways: [
    { command: 'orderbridge connect --help', words: 'свързване на магазин' },
    { command: 'orderbridge demo', words: 'демонстрация' },
  ],
  since: 'от',
  cards: {
    person: { title: 'Чакат човек', none: 'няма' },
    waiting: { title: 'На път към услугата', none: 'няма', oldest: (ago) => `най-старата ${ago}` },
    recorded: { title: 'Записани днес' },
    webhook: { title: 'Последно известие', none: 'още няма' },
  },
  levels: { failing: 'спешно', attention: 'внимание' },
  inFull: 'подробно',
  verbs: {
    review: 'Решете',
    unconfirmed: 'Проверете и кажете',
    month: 'Към месеца',
    store: 'Към магазина',
    destination: 'Към услугата',
    command: 'Напишете',
  },
};
