import { messages } from '../../contract/messages.ts';

/** The page by which a mailbox confirms whose a company is. */
export const confirm = messages({
  title: { en: 'Is this your company?', bg: 'Това вашата фирма ли е?' },
  words: {
    en: (company: string): string => `A store is to be connected here for the company with the number ${company}, and your address was given for it.`,
    bg: (company: string) => `Тук се свързва магазин за фирмата с ЕИК ${company} и за нея е посочен вашият адрес.`,
  },
  yes: { en: 'Yes, it is my company', bg: 'Да, фирмата е моя' },
  no: { en: 'If you know nothing of it, close this page: nothing is made.', bg: 'Ако не знаете нищо за това, затворете страницата: нищо не се създава.' },
  thanks: {
    en: 'Thank you. Go back to the page from which we wrote to you: you can go on there as soon as everything is confirmed.',
    bg: 'Благодарим. Върнете се на страницата, от която ви писахме: там можете да продължите, щом всичко е потвърдено.',
  },
  over: { en: 'There is nothing to confirm by this link any more.', bg: 'С тази връзка вече няма какво да се потвърди.' },
});
