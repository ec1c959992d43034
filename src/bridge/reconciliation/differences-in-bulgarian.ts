import { failureInBulgarian } from '../order/failures-in-bulgarian.ts';
import type { Why } from './difference.ts';
import type { About } from './difference-words.ts';

/** What is done about a difference, or what to do, for people who read Bulgarian. */
export const differencesInBulgarian: Readonly<Record<Why, (about: About) => string>> = {
  unknown: () => 'Прочита се от магазина и се записва.',
  stale: () => 'Променила се е в магазина, откакто дневникът чу за нея: прочита се отново и записът ѝ се променя според това.',
  older: () =>
    'Магазинът показва по-старо нейно състояние от съобщеното преди това, например след възстановяване от резервно копие: записаното остава. Повторете в магазина каквото липсва там, например връщане на пари; или, ако то не е било, запазете поръчката там и записът ще я последва.',
  gone: () => 'Магазинът вече я няма и не го е съобщил: приема се за изтрита поръчка.',
  'gone-person': (about) => `Магазинът вече я няма. ${asked(about)}`,
  adopt: ({ complianceId }) => `Услугата има запис ${complianceId} точно на тази продажба: дневникът го приема за свой и го заменя, ако се различава.`,
  conflict: ({ complianceId, order }) =>
    `Под нейния идентификатор услугата има запис ${complianceId} на продажба от друг момент: вижте чий е, след това \`orderbridge release ${order} --other\`, или го изтрийте там.`,
  'record-gone': ({ complianceId }) => `Услугата вече няма записа ѝ ${complianceId}: записва се отново.`,
  waits: () => 'В момента се записва.',
  person: asked,
  replace: () => 'Записът ѝ се заменя или изтрива.',
  'other-content': ({ complianceId }) => `Записът ${complianceId} в услугата е с друго съдържание от изпратеното: сравнете ги и го поправете там.`,
  'other-money': () => 'Платеното и невърнато според списъка на магазина не е това, което е записано: сравнете ги.',
  unclaimed: ({ complianceId }) =>
    `Нито поръчка в дневника, нито в магазина отговаря на записа ${complianceId}. Ако е направен от друг софтуер или на ръка, оставете го; иначе го изтрийте там.`,
  'file-missing': () => 'Записана е след последната версия на файла за месеца: изгответе нова версия.',
  'file-left': () => 'Последната версия на файла за месеца я съдържа, макар че вече не е записана: изгответе нова версия.',
  'file-differs': () => 'В последната версия на файла за месеца тя е с друга сума: изгответе нова версия.',
};

/** The same where the store was not read. */
export const unreadInBulgarian: Readonly<Partial<Record<Why, (about: About) => string>>> = {
  adopt: ({ complianceId }) =>
    `Услугата има запис ${complianceId} на тази продажба. Магазинът не е прочетен, затова дневникът го приема за свой само ако съдържанието е същото: изпратете поръчката отново от магазина и сверете пак.`,
  'record-gone': ({ complianceId }) =>
    `Услугата вече няма записа ѝ ${complianceId}. Магазинът не е прочетен, затова нищо не се записва отново: изпратете поръчката отново от магазина.`,
};

function asked({ code, order }: About): string {
  if (code === null) return 'Чака.';
  if (code === 'unconfirmed') return `Не се знае дали е записана: \`orderbridge resolve ${order}\` го казва.`;
  return failureInBulgarian(code).todo.replaceAll('ORDER', order);
}
