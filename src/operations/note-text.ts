import { noteMark, type StoreNote } from '../bridge/delivery/store-notes.ts';
import { containsPersonalData } from '../bridge/order/facts/failure.ts';
import { type Lang, messages } from '../contract/messages.ts';
import { codeMeans, problemWords } from './words.ts';

const words = messages({
  recorded: {
    en: (document: string | null): string => (document === null ? 'Recorded.' : `Recorded as document ${document}.`),
    bg: (document: string | null) => (document === null ? 'Поръчката е записана.' : `Поръчката е записана с документ № ${document}.`),
  },
  replaced: {
    en: (document: string | null): string => `Recorded anew${document === null ? '' : ` as document ${document}`}; the record before was deleted.`,
    bg: (document: string | null) => `Поръчката е записана наново${document === null ? '' : ` с документ № ${document}`}; предишният запис е изтрит.`,
  },
  removed: {
    en: (_document: string | null): string => 'Nothing is recorded of this order any more.',
    bg: (_document: string | null) => 'За тази поръчка вече няма запис.',
  },
  unrecorded: {
    en: (_document: string | null): string => 'Needs no review any more. We have no record of this order.',
    bg: (_document: string | null) => 'Вече не е нужна проверка. При нас тази поръчка няма запис.',
  },
  review: { en: (why: string): string => `Needs review: ${why}`, bg: (why: string) => `Нужна е проверка. ${why}` },
  unconfirmed: {
    en: 'It is not known whether the order is recorded: a person must look at the compliance service.',
    bg: 'Не се знае дали поръчката е записана: трябва да се погледне в услугата за отчитане.',
  },
});

/** A note as the merchant reads it; its last line is for programs. */
export function noteText(note: StoreNote, { document, lang }: { document: string | null; lang: Lang }): string {
  const say = words[lang];
  const said = note.state === 'review' ? say.review(whyIn(note, lang)) : say[note.state](document);
  return `${said}\n${noteMark(note, document)}`;
}

/** Why an order needs review, or is unconfirmed. What a service or a store said may repeat a buyer: then it is said in our words alone. */
export function whyIn({ code, detail }: Pick<StoreNote, 'code' | 'detail'>, lang: Lang): string {
  if (code === null) return words[lang].unconfirmed;
  return detail === null || containsPersonalData(code) ? codeMeans(code, lang) : problemWords({ code, detail }, lang);
}
