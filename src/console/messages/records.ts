import { messages } from '../../contract/messages.ts';

/** A record of our own compliance service. */
export const records = messages({
  title: { en: (number: string): string => `The record of ${number}`, bg: (number: string) => `Записът на ${number}` },
  id: { en: 'Id of the record', bg: 'Идентификатор на записа' },
  number: { en: 'Number of the order', bg: 'Номер на поръчката' },
  total: { en: 'Total', bg: 'Сума' },
  made: { en: 'Recorded', bg: 'Записан' },
  document: { en: 'Document', bg: 'Документ' },
  month: { en: 'In the file of', bg: 'Във файла за' },
  current: { en: 'orderbridge holds it as the record of its order', bg: 'orderbridge го води като записа на своята поръчка' },
  currentHint: {
    en: 'It does not notice that the record is gone. If the order needs review, resolve it afterwards with another record, or leave this one and say on the order’s page that it is to be removed. If not, comparing the store records it anew.',
    bg: 'Той не забелязва, че записът е изтрит. Ако поръчката е за проверка, след това посочете друг неин запис или оставете този и кажете на страницата ѝ, че трябва да се премахне. Ако не е, съпоставянето на магазина я записва наново.',
  },
  deleteTitle: { en: 'Delete it', bg: 'Изтриване' },
  deleteHint: {
    en: 'Its number is voided; if its month is closed, it becomes a return. This can’t be undone.',
    bg: 'Номерът му се анулира; ако месецът е приключен, се вписва връщане. Това не може да бъде отменено.',
  },
  why: { en: 'Note (kept in Activity)', bg: 'Бележка (остава в „Действия“)' },
  noWhy: { en: 'Write a note.', bg: 'Напишете бележка.' },
  do: { en: 'Delete this record', bg: 'Изтрий този запис' },
});
