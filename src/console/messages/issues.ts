import { type InBoth, messages } from '../../contract/messages.ts';

/** What a person is asked about orders: as a heading, and what they can do. */
export type IssueText = { heading: string; todo: string };

export const issues = messages({
  of: {
    '': {
      heading: { en: 'Recorded or not? The answer was lost', bg: 'Записана ли е, или не? Отговорът се изгуби' },
      todo: {
        en: 'We lost the reply, so we don’t know if it was recorded. Look for the record in the compliance service, then confirm on the order’s page what you found.',
        bg: 'Отговорът се изгуби и не знаем дали е записана. Потърсете записа в услугата за отчитане и потвърдете на страницата на поръчката какво намерихте.',
      },
    },
    'amount.inexact': {
      heading: { en: 'An amount has more decimals than its currency', bg: 'Сума има повече десетични знаци от валутата си' },
      todo: {
        en: 'Set the number of decimals in the store to the currency’s, then save the order there; it comes again by itself.',
        bg: 'Настройте в магазина броя на десетичните знаци според валутата и запазете поръчката там; тя ще дойде отново сама.',
      },
    },
    'total.mismatch': {
      heading: { en: 'The lines do not add up to what was paid', bg: 'Редовете не дават сумата, която е платена' },
      todo: {
        en: 'Gift cards and store credit may lower the total without a line. Correct the order in the store; or record it by hand and resolve it on its page.',
        bg: 'Ваучери и кредит от магазина понякога намаляват сумата, без да има ред за тях. Поправете поръчката в магазина или я запишете на ръка и я приключете на нейната страница.',
      },
    },
    'vat.unmapped': {
      heading: { en: 'A VAT rate has no group', bg: 'Ставка на ДДС няма данъчна група' },
      todo: { en: 'Choose its group; one order is recorded first.', bg: 'Изберете групата ѝ; първо се записва една поръчка.' },
    },
    'vat.unclear': {
      heading: { en: 'The VAT rate of a line is not clear', bg: 'Не е ясна ставката на ДДС на ред от поръчката' },
      todo: {
        en: 'Correct the taxes of the order in the store; or record it by hand and resolve it on its page.',
        bg: 'Поправете данъците на поръчката в магазина или я запишете на ръка и я приключете на нейната страница.',
      },
    },
    'payment.unmapped': {
      heading: { en: 'A payment method has no type', bg: 'Начин на плащане няма вид' },
      todo: {
        en: 'The order names no payment method. Correct it in the store; or record it by hand and resolve it on its page.',
        bg: 'Поръчката не посочва начин на плащане. Поправете я в магазина или я запишете на ръка и я приключете на нейната страница.',
      },
    },
    'payment.split': {
      heading: { en: 'Two payment methods paid for one order', bg: 'Една поръчка е платена по два начина' },
      todo: {
        en: 'Leave one of them in the store; or record the order by hand and resolve it on its page.',
        bg: 'Оставете в магазина единия начин или запишете поръчката на ръка и я приключете на нейната страница.',
      },
    },
    'payment.outstanding': {
      heading: { en: 'It was paid, and now a part is unpaid', bg: 'Беше платена, а сега част от нея не е' },
      todo: {
        en: 'Collect or settle the rest in the store; the order is then decided again by itself.',
        bg: 'Съберете или уредете остатъка в магазина; след това поръчката се преценява отново сама.',
      },
    },
    'payment.divided': {
      heading: { en: 'Paid in parts, one of them before recording began', bg: 'Платена на части, едната преди да започне отчитането' },
      todo: {
        en: 'Check whether other software recorded it. If not, say that it is to be recorded here; if it did, resolve it on its page as recorded elsewhere.',
        bg: 'Проверете дали друга програма я е отчела. Ако не е, кажете да се запише тук; ако е, приключете я на страницата ѝ като отчетена другаде.',
      },
    },
    'refund.unattributed': {
      heading: {
        en: 'A refund doesn’t say which items it covers, and the order has several VAT rates',
        bg: 'Върната сума не сочи редове, а поръчката има няколко ставки на ДДС',
      },
      todo: {
        en: 'Refund by lines in the store; or record by hand what is left, and resolve the order on its page.',
        bg: 'Върнете сумата по редове в магазина или запишете на ръка каквото остава и приключете поръчката на нейната страница.',
      },
    },
    'removal.unproven': {
      heading: {
        en: 'Cancelled, deleted, or now a draft or test, but no refund was seen',
        bg: 'Отказана, изтрита, вече чернова или пробна, а връщане на парите не се вижда',
      },
      todo: {
        en: 'If the money went back, refund it in the store, too. Or say of each order whether it is still a sale.',
        bg: 'Ако парите са върнати, отбележете връщането и в магазина. Или кажете за всяка поръчка дали още е продажба.',
      },
    },
    'refund.deleted': {
      heading: { en: 'A refund was deleted, and the order’s state is unknown', bg: 'Изтрито е връщане на пари и не се знае каква е поръчката сега' },
      todo: {
        en: 'Save the order in the store: it comes again, and is decided by what it is then.',
        bg: 'Запазете поръчката в магазина: тя ще дойде отново и ще се прецени по това, което е тогава.',
      },
    },
    'currency.ended': {
      heading: { en: 'The order is in a currency that had ended', bg: 'Поръчката е във валута извън обращение' },
      todo: {
        en: 'Set the store’s currency to the one that buyers pay in; record the order by hand in it and resolve it on its page, or change the settings of the store.',
        bg: 'Задайте в магазина валутата, в която купувачите плащат; запишете поръчката на ръка в нея и я приключете на страницата ѝ, или променете настройките на магазина.',
      },
    },
    'gift-card.undecided': {
      heading: { en: 'Is the sale of a gift card a sale?', bg: 'Продажба ли е продажбата на ваучер за подарък?' },
      todo: { en: 'Ask the accountant, and choose; one order is recorded first.', bg: 'Попитайте счетоводителя и изберете; първо се записва една поръчка.' },
    },
    'order.other': {
      heading: { en: 'A different order arrived under a known number', bg: 'Друга поръчка дойде под номера на позната' },
      todo: {
        en: 'Compare both in the store, such as after a backup was restored. What is recorded stays until you say which it is.',
        bg: 'Сравнете двете в магазина, например след възстановяване от резервно копие. Записаното остава, докато не кажете коя е.',
      },
    },
    'resolution.changed': {
      heading: { en: 'It was resolved, then something new arrived', bg: 'Беше приключена, а после дойде нещо ново' },
      todo: {
        en: 'On its page, compare what was said with what is new; then resolve it again, or have it decided anew.',
        bg: 'Сравнете на страницата ѝ казаното с новото и я приключете пак или я оставете да се прецени наново.',
      },
    },
    'seller.other': {
      heading: { en: 'The seller is another party (marketplace)', bg: 'Продавачът е друг (платформа с много търговци)' },
      todo: {
        en: 'Check who owes the VAT. If it is the merchant, record it by hand; if not, it is no sale of theirs. Resolve it on its page.',
        bg: 'Проверете кой дължи ДДС. Ако е търговецът, запишете я на ръка; ако не е, тя не е негова продажба. Приключете я на нейната страница.',
      },
    },
    'order.inexpressible': {
      heading: { en: 'It has something that a tax record can’t express', bg: 'Има нещо, което данъчен запис не може да изрази' },
      todo: {
        en: 'Correct the order in the store; or record it by hand and resolve it on its page.',
        bg: 'Поправете поръчката в магазина или я запишете на ръка и я приключете на нейната страница.',
      },
    },
    'compliance.refused': {
      heading: { en: 'The compliance service refuses the record', bg: 'Услугата за отчитане отказва записа' },
      todo: {
        en: 'Its words say why. Correct the settings, the shop or the order; then retry one order.',
        bg: 'Думите ѝ казват защо. Поправете настройките, магазина или поръчката; после опитайте с една поръчка.',
      },
    },
    'compliance.conflict': {
      heading: { en: 'The compliance service already has a record under this number', bg: 'Услугата за отчитане вече има запис под този номер' },
      todo: { en: 'Check whose sale it is, then say so on the page of the order.', bg: 'Вижте на коя продажба е и го кажете на страницата на поръчката.' },
    },
    'replacement.refused': {
      heading: { en: 'The changed order was refused; what was recorded before is restored', bg: 'Променената поръчка е отказана; върнат е предишният запис' },
      todo: {
        en: 'The words of the service say why. Correct the order, then retry one; or resolve it on its page with the record that it has.',
        bg: 'Думите на услугата казват защо. Поправете поръчката и опитайте с една; или я приключете на нейната страница със записа, който има.',
      },
    },
    'record.doubled': {
      heading: { en: 'It is recorded twice', bg: 'Записана е два пъти' },
      todo: {
        en: 'Its page shows both records. Delete the one that is wrong there; the order is then decided again by itself.',
        bg: 'Страницата ѝ показва двата записа. Изтрийте там грешния; после поръчката се преценява отново сама.',
      },
    },
    'storefront.unreachable': {
      heading: { en: 'The store didn’t send what its webhooks left out', bg: 'Магазинът не изпрати това, което липсва в известията му' },
      todo: {
        en: 'Check the address of the store on its page; then retry one order.',
        bg: 'Проверете адреса на магазина на неговата страница; после опитайте с една поръчка.',
      },
    },
    'storefront.refused': {
      heading: { en: 'The store refuses its key', bg: 'Магазинът отказва ключа си' },
      todo: {
        en: 'Make a key with read rights in the store and give it on the page of the store; the orders are then decided again by themselves.',
        bg: 'Направете в магазина ключ с право за четене и го дайте на страницата на магазина; след това поръчките се преценяват сами.',
      },
    },
  } as Readonly<Record<string, InBoth<IssueText>>>,
  /** A code of a later release. */
  later: {
    heading: { en: 'An issue of a later release', bg: 'Въпрос от по-нова версия' },
    todo: { en: 'Look at the orders with that release, or upgrade this one.', bg: 'Вижте поръчките с по-новата версия или обновете тази.' },
  } satisfies InBoth<IssueText>,
  payment: { en: (gateway: string): string => `“${gateway}” has no payment type`, bg: (gateway: string) => `„${gateway}“ няма вид плащане` },
  vat: { en: (rate: string): string => `The VAT rate ${rate} % has no group`, bg: (rate: string) => `Ставката ${rate} % на ДДС няма данъчна група` },
  contained: { en: 'The orders contain no tax', bg: 'В поръчките няма данък' },
  refused: { en: (words: string): string => `The compliance service says: “${words}”`, bg: (words: string) => `Услугата за отчитане казва: „${words}“` },
  webhooks: { en: 'Webhooks that can’t be read', bg: 'Известия, които не могат да се прочетат' },
  host: { en: (host: string): string => `Whose are the webhooks from ${host}?`, bg: (host: string) => `Чии са известията от ${host}?` },
});
