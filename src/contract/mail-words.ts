/** What pages of both programs say of a code of eight digits that is mailed: it opens something in the browser that asked for it. */
export const mailedCode = {
  send: { en: 'Mail me a code', bg: 'Изпратете ми код' },
  sent: {
    en: 'A code is on its way to your mailbox. It works for 15 minutes, once, in this browser. If it doesn’t arrive, check your spam folder; we send only a few.',
    bg: 'Изпратихме код на пощата ви. Той важи 15 минути, само веднъж и само в този браузър. Ако не идва, вижте в спама; изпращаме само по няколко.',
  },
  label: { en: 'The code', bg: 'Кодът' },
  hint: { en: 'Eight digits', bg: 'Осем цифри' },
  again: { en: 'Mail me another', bg: 'Изпратете ми друг' },
  wrong: {
    en: 'This code does not work: it is mistyped, was used, is older than 15 minutes, or was asked for in another browser. After five tries another is needed.',
    bg: 'Този код не важи: сгрешен е, използван е, по-стар е от 15 минути или е поискан в друг браузър. След пет опита е нужен друг.',
  },
};

/** The code itself. */
export function shownCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** What they, and mails, say of mails about a store or its months, to anyone who reads the mailbox. */
export const mailSayings = {
  notMine: { en: 'This is not my shop', bg: 'Този магазин не е мой' },
  notMineHint: {
    en: 'No more mails about it come to your address then, and the person who runs this service is informed. The shop’s orders are recorded as before.',
    bg: 'Тогава на адреса ви няма да идват повече писма за него и ще съобщим на този, който поддържа услугата. Поръчките на магазина се отчитат както досега.',
  },
  mine: { en: 'It is my shop: write to me again', bg: 'Магазинът е мой: пишете ми отново' },
  notYours: { en: 'This is not your shop?', bg: 'Този магазин не е ваш?' },
  sayItHere: {
    en: 'Say so here, and no more mails about it come to this address',
    bg: 'Кажете го тук и на този адрес няма да идват повече писма за него',
  },
  wait: { en: 'You changed this a moment ago. Try again in a minute.', bg: 'Променихте това току-що. Опитайте пак след минута.' },
};
