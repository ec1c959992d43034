/** What pages of both programs say of a code of eight digits that is mailed: it opens something in the browser that asked for it. */
export const mailedCode = {
  send: { en: 'Mail me a code', bg: 'Изпратете ми код' },
  sent: {
    en: 'A code is on its way to your mailbox. It works for 15 minutes, once, in this browser. If it does not come, look among the spam; in an hour five are mailed at most.',
    bg: 'Изпратихме код на пощата ви. Той важи 15 минути, само веднъж и само в този браузър. Ако не идва, вижте в спама; изпращаме най-много пет кода на час.',
  },
  label: { en: 'The code', bg: 'Кодът' },
  hint: { en: 'Eight digits', bg: 'Осем цифри' },
  again: { en: 'Mail me another', bg: 'Изпратете ми друг' },
  wrong: {
    en: 'This code opens nothing: it is mistyped, was used, is older than 15 minutes, or was asked for in another browser. After five tries another is needed.',
    bg: 'Този код не отваря нищо: сгрешен е, използван е, по-стар е от 15 минути или е поискан в друг браузър. След пет опита е нужен друг.',
  },
};
