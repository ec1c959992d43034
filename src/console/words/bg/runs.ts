import type { runs as english } from '../en/runs.ts';

const orders = (count: number): string => (count === 1 ? '1 поръчка' : `${count} поръчки`);

export const runs: typeof english = {
  title: (count) => `Пуснати: ${orders(count)}`,
  settledTitle: (count) => `Уредени: ${orders(count)}`,
  by: (who) => `от ${who},`,
  progress: (done, all) => `решени ${done} от ${all}`,
  counting: 'Поръчките са много и се преброяват. Страницата ще ги покаже сама.',
  leave: 'Можете да напуснете страницата: поръчките продължават сами, а страницата остава 90 дни.',
  states: {
    recorded: (count) => (count === 1 ? '1 записана' : `${count} записани`),
    removed: (count) => (count === 1 ? '1 изтрита, парите са върнати' : `${count} изтрити, парите са върнати`),
    settled: (count) => (count === 1 ? '1 уредена от човек' : `${count} уредени от човек`),
    ignored: (count) => `${count} без нужда от запис`,
    waiting: (count) => (count === 1 ? '1 още неплатена' : `${count} още неплатени`),
    queued: (count) => `${count} на път`,
    review: (count) => (count === 1 ? '1 чака човек' : `${count} чакат човек`),
    unconfirmed: (count) => `${count} без отговор`,
  },
  refused: (count) => (count === 1 ? '1 отказана' : `${count} отказани`),
  underWay: (count) => `${count} на път`,
  left: (count) =>
    count === 1
      ? '1 поръчка не е решена: работата е била прекъсната. Тя е, каквато беше.'
      : `${count} поръчки не са решени: работата е била прекъсната. Те са, каквито бяха.`,
  toCome: (count) => (count === 1 ? 'остава още 1' : `остават още ${count}`),
  apart: (count) =>
    count === 1
      ? '1 е, каквато беше: решава се отделно или междувременно се е променила.'
      : `${count} са, каквито бяха: решават се поотделно или междувременно са се променили.`,
  goOn: 'Продължи с тях',
  leftNow: (count) => (count === 1 ? '1 е, каквато беше' : `${count} са, каквито бяха`),
  issuesTitle: 'Какво чака човек сега',
  columns: { issue: 'Въпрос', orders: 'Поръчки' },
  toGroup: 'Назад към въпроса',
  order: 'Поръчката',
};
