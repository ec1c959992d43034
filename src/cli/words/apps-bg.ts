import type { appsInEnglish } from './apps-en.ts';

export const appsInBulgarian: typeof appsInEnglish = {
  none: (command) => `Още няма приложение: \`orderbridge ${command} add\` добавя.`,
  next: (command, id) =>
    `\`orderbridge ${command} print ${id}\` печата конфигурационния му файл; след като той влезе в сила, търговците свързват магазините си чрез installLink.`,
  publicUrl: 'Задайте в PUBLIC_URL адреса, на който интернет достига този сървър: без него адресите на приложението не са известни.',
  removed: (id) => `Приложение ${id} е премахнато и тайната му е забравена: на адреса му вече нищо не се приема.`,
  both: (id, until) => `За приложение ${id} и двете тайни важат до ${until}.`,
  now: 'Дотогава отменете старата в платформата.',
  alone: (id) => `Приложение ${id} приема отсега само новата тайна.`,
};
