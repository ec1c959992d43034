import { messages } from '../../contract/messages.ts';
import type { LocalizedText } from '../../contract/said.ts';
import { actMessages } from '../../service/audit/summary/month-messages.ts';

const ofAct = (act: 'filed' | 'correct' | 'rejected' | 'again' | 'nothing'): LocalizedText => ({ en: actMessages.en[act].done, bg: actMessages.bg[act].done });

/** What was done, by the key in the address that a form leads to. */
export const done = messages({
  'month-make': ofAct('again'),
  'month-checked': { en: 'Noted: the sums agree with bookkeeping.', bg: 'Записано е, че сумите съвпадат със счетоводството.' },
  'month-mail': { en: 'The mail is on its way.', bg: 'Писмото е на път.' },
  'month-filed': ofAct('filed'),
  'month-number': ofAct('correct'),
  'month-accepted': { en: 'Noted: the agency accepted the file.', bg: 'Записано е, че НАП е приела файла.' },
  'month-rejected': ofAct('rejected'),
  'month-nothing': ofAct('nothing'),
  'account-saved': { en: 'Saved.', bg: 'Запазено.' },
  'password-changed': { en: 'Your password is changed; your other sessions ended.', bg: 'Паролата е сменена; другите ви сесии приключиха.' },
  confirmed: { en: 'You confirmed that it is you. Go on in the other tab.', bg: 'Потвърдихте, че сте вие. Продължете в другия раздел.' },
  'passkey-added': { en: 'Your passkey is added.', bg: 'Ключът за достъп е добавен.' },
  'passkey-removed': {
    en: 'The passkey is removed. Sessions that it began go on: end them below if somebody else has it.',
    bg: 'Ключът за достъп е премахнат. Сесиите, започнати с него, продължават: прекратете ги по-долу, ако е у друг.',
  },
  'factor-ended': { en: 'Your second step is turned off.', bg: 'Втората стъпка е изключена.' },
  'session-ended': { en: 'The session ended.', bg: 'Сесията приключи.' },
  'sessions-ended': { en: 'The sessions ended.', bg: 'Сесиите приключиха.' },
  'person-changed': { en: 'Saved.', bg: 'Запазено.' },
  'person-disabled': { en: 'This person can’t sign in any more.', bg: 'Този човек вече няма достъп.' },
  'factor-reset': { en: 'Their second step is reset.', bg: 'Втората стъпка на човека е нулирана.' },
  'person-enabled': { en: 'This person may sign in again.', bg: 'Този човек отново има достъп.' },
  'link-ended': { en: 'The link opens nothing any more.', bg: 'Връзката вече не отваря нищо.' },
  'company-confirmed': { en: 'The company is confirmed; the merchant can go on.', bg: 'Фирмата е потвърдена; търговецът може да продължи.' },
  'company-refused': { en: 'The company is not confirmed; no shop is made.', bg: 'Фирмата не е потвърдена; обект не се създава.' },
  'invitation-revoked': { en: 'Its links open nothing any more.', bg: 'Връзките ѝ вече не отварят нищо.' },
  split: { en: 'It is a sale of its own; it is decided by itself.', bg: 'Тя е отделна продажба и се преценява сама за себе си.' },
  merged: { en: 'It is the same sale; the order is decided again.', bg: 'Тя е същата продажба; поръчката се преценява отново.' },
  'kept-sale': { en: 'It is still a sale; it is decided again by that.', bg: 'Още е продажба и се преценява отново според това.' },
  'removed-sale': { en: 'It is no sale; a record of it is deleted.', bg: 'Не е продажба; записът ѝ се изтрива.' },
  replayed: { en: 'It was read again; its order goes on.', bg: 'Прочетено е отново; поръчката му продължава.' },
  'replayed-ignored': { en: 'It was read again, and needs nothing.', bg: 'Прочетено е отново и за него не е нужно нищо.' },
  dismissed: { en: 'It needs nothing, and no longer waits.', bg: 'За него не е нужно нищо и вече не чака.' },
  'host-ours': { en: 'It is the store’s: what was quarantined goes on within a minute.', bg: 'На магазина е: задържаното продължава до минута.' },
  'host-not-ours': { en: 'It is not the store’s: what was quarantined is dropped.', bg: 'Не е на магазина: задържаното е изхвърлено.' },
  assigned: { en: 'Saved.', bg: 'Запазено.' },
  'answer-proposed': { en: 'Your proposal is kept; an operator is shown it.', bg: 'Предложението ви е запазено; операторът го вижда.' },
  'answer-declined': { en: 'The proposal is declined; anyone who made it reads why.', bg: 'Предложението е отхвърлено; който го е направил, ще прочете защо.' },
  'order-fetched': { en: 'The store has it; it is taken in.', bg: 'Магазинът я има; приета е.' },
  'order-coming': { en: 'The store has it; it is on its way here. Reload in a moment.', bg: 'Магазинът я има; на път е насам. Презаредете след малко.' },
  'order-released': { en: 'It is decided again.', bg: 'Прави се нов опит.' },
  'order-reevaluated': {
    en: 'Its record is deleted, and another one made by today’s settings.',
    bg: 'Записът ѝ се изтрива и се прави нов по днешните настройки.',
  },
  'order-resolved': { en: 'It is resolved and no longer in review.', bg: 'Приключена е и вече не е за проверка.' },
  'order-kept': { en: 'It is still a sale; it is decided again by that.', bg: 'Остава продажба и се преценява отново според това.' },
  'order-removed': { en: 'Its record will be deleted in a moment.', bg: 'Записът ѝ ще бъде изтрит след малко.' },
  'order-apart': { en: 'It is a sale of its own, and is decided again.', bg: 'Отделна продажба е и се преценява отново.' },
  'order-joined': { en: 'It is the same sale; the first order is decided again.', bg: 'Същата продажба е; първата поръчка се преценява отново.' },
  'order-confirmed': {
    en: 'What you found is written down; the order is decided again from there.',
    bg: 'Намереното е записано; поръчката се преценява отново оттам.',
  },
  destinationWorks: { en: 'The compliance service answers, and takes the key.', bg: 'Услугата за отчитане отговаря и приема ключа.' },
  destinationFails: {
    en: 'The compliance service does not work; below is what it answered.',
    bg: 'Услугата за отчитане не работи; по-долу е нейният отговор.',
  },
  destinationResumed: { en: 'The pauses ended. All that waited is sent now.', bg: 'Паузите свършиха. Всичко чакащо се изпраща сега.' },
  queueResumed: { en: 'Work is taken from the queue again.', bg: 'По опашката отново се работи.' },
  jobRetried: { en: 'It is retried now.', bg: 'Опитва се отново сега.' },
  bulkActionStopped: { en: 'It is stopped. What was decided before stays so.', bg: 'Спряно е. Вече решеното остава.' },
  jobDropped: { en: 'The job is dropped.', bg: 'Задачата е отказана.' },
  queueRan: { en: 'The queue was not paused.', bg: 'Опашката не беше в пауза.' },
  webhooksRepaired: {
    en: 'Its webhooks work now. What was missed is read by the store’s API.',
    bg: 'Известията вече работят. Пропуснатото се чете чрез API на магазина.',
  },
  webhooksNotRepaired: {
    en: 'Not all of its webhooks could be switched on; below is what is left.',
    bg: 'Не всички известия можаха да бъдат включени; по-долу е онова, което остава.',
  },
  webhooksWell: { en: 'Its webhooks in the store work.', bg: 'Известията в магазина работят.' },
  webhooksBroken: { en: 'Something is wrong with its webhooks; below is what.', bg: 'Нещо не е наред с известията; по-долу е какво.' },
  storeReadWanted: {
    en: 'A worker reads the store as soon as one can; what it finds is recorded by itself.',
    bg: 'Магазинът се чете веднага щом е възможно; намереното се записва само.',
  },
  hostOurs: { en: 'The host is the store’s: what was quarantined of it goes on.', bg: 'Адресът е на магазина: задържаното от него продължава.' },
  hostOursNoApi: {
    en: 'The host is the store’s, and what was quarantined of it goes on; but its API is reached neither where it was nor there with the same key: change the address and the keys.',
    bg: 'Адресът е на магазина и задържаното от него продължава; но API на магазина не отговаря нито на стария адрес, нито на новия със същия ключ: сменете адреса и ключовете.',
  },
  hostNotOurs: { en: 'The host is not the store’s: what was quarantined of it is dropped.', bg: 'Адресът не е на магазина: задържаното от него отпада.' },
  settingsSaved: { en: 'The settings are changed.', bg: 'Настройките са променени.' },
  settingsNotReleased: {
    en: 'The settings are changed. One order in review went first and was not recorded, or not yet: the others stay in review until you release them.',
    bg: 'Настройките са променени. Една поръчка тръгна първа и не беше записана или още не е: другите чакат, докато ги пуснете.',
  },
  keysChanged: { en: 'The address and the keys are changed; they work.', bg: 'Адресът и ключовете са сменени; работят.' },
  keysChangedAnyway: {
    en: 'The address and the keys are changed, although they do not work now.',
    bg: 'Адресът и ключовете са сменени, макар че сега не работят.',
  },
  recordingStarted: {
    en: 'Recording has started. What came on trial is being decided again.',
    bg: 'Отчитането започна. За поръчките от пробата се решава отново.',
  },
  storeDisconnected: { en: 'The store is disconnected. This page says what remains in it.', bg: 'Магазинът е изключен. Тук пише какво остава в него.' },
  'record-deleted': {
    en: 'The record is deleted; the order is decided again from the one that is left.',
    bg: 'Записът е изтрит; поръчката се преценява отново според останалия.',
  },
  'record-deleted-more': { en: 'The record is deleted; the order still has more than one.', bg: 'Записът е изтрит; поръчката все още има повече от един.' },
  'record-gone': { en: 'The record is deleted.', bg: 'Записът е изтрит.' },
});

export type Done = keyof (typeof done)['en'];
