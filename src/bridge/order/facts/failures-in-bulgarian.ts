import { ownValue } from '../../../contract/own-value.ts';
import type { FailureCode } from './failure.ts';

type Words = { means: string; todo: string };

/** What each code of a failure means and what to do about it, for people who read Bulgarian. */
export const failuresInBulgarian: Readonly<Record<FailureCode, Words>> = {
  'connection.unknown': { means: 'Няма връзка с този идентификатор.', todo: 'Копирайте адреса за известия, който показа `orderbridge connect`.' },
  'connection.closed': { means: 'Магазинът е изключен.', todo: 'Свържете го отново или махнете известието от магазина.' },
  'signature.missing': { means: 'Заявката не е подписана.', todo: 'Задайте тайната в настройките на известията в магазина.' },
  'signature.mismatch': {
    means: 'Подписът не отговаря на никоя от важащите тайни.',
    todo: 'Задайте една и съща тайна в магазина и във връзката (`orderbridge rotate-secret`).',
  },
  'signature.expired': {
    means: 'Подписаният час се различава с повече от 5 минути.',
    todo: 'Проверете часовника на изпращача и изпратете отново с нов час.',
  },
  'body.too-large': { means: 'Съдържанието е над 5 MB.', todo: 'Изпращайте по една поръчка в известие.' },
  'body.incomplete': { means: 'Съдържанието не пристигна цяло до 10 секунди.', todo: 'Изпратете го отново.' },
  'body.not-json': { means: 'Съдържанието не е JSON.', todo: 'Изпращайте application/json в UTF-8.' },
  'body.wrong-type': { means: 'Типът на съдържанието не е application/json.', todo: 'Задайте Content-Type: application/json.' },
  'body.encoded': { means: 'Съдържанието е компресирано.', todo: 'Изпращайте го без Content-Encoding.' },
  'delivery.throttled': {
    means: 'Магазинът изпраща повече известия в секунда, отколкото допуска `ratePerSecond`.',
    todo: 'Изпратете го отново след времето в Retry-After.',
  },
  'method.not-allowed': { means: 'Известията се изпращат с POST.', todo: 'Задайте на изпращача метод POST.' },
  'intake.unavailable': {
    means: 'Нито опашката, нито базата данни можа да приеме известието, или нямаше памет за голямо съдържание.',
    todo: 'Изпратете го отново след времето в Retry-After.',
  },
  'payload.unreadable': {
    means: 'Подписът е верен, но съдържанието не е в познат формат.',
    todo: '`orderbridge delivery show DELIVERY --body` го показва; след обновяване: `orderbridge replay DELIVERY`. Ако не е за продажба или сте записали поръчката му на ръка: `orderbridge delivery dismiss DELIVERY`.',
  },
  'delivery.unrecordable': {
    means: 'Един час това известие не можа да бъде прието, а други бяха.',
    todo: 'Подробностите и дневникът казват защо; след обновяване: `orderbridge replay DELIVERY`. Ако не е за продажба или сте записали поръчката му на ръка: `orderbridge delivery dismiss DELIVERY`.',
  },
  'amount.inexact': {
    means: 'Сума има повече десетични знаци от валутата си.',
    todo: 'Настройте в магазина броя на десетичните знаци според валутата и запазете поръчката отново.',
  },
  'total.mismatch': {
    means: 'Сборът на редовете не е платеното от клиента.',
    todo: 'Сравнете с поръчката в магазина: добавки за ваучери или кредит понякога намаляват сумата, без да има ред за това. Поправете я там или я запишете на ръка и `orderbridge resolve ORDER --recorded ID`.',
  },
  'vat.unmapped': {
    means: 'Ставка на ДДС няма данъчна група в настройките.',
    todo: 'Добавете ставката във `vatGroups` или, ако магазинът изобщо не смята данъци, задайте `pricesContainVat` (`orderbridge settings`); тогава поръчката се преценява отново сама.',
  },
  'vat.unclear': {
    means: 'Не е ясна ставката на ДДС на ред от поръчката.',
    todo: 'Поправете данъците на поръчката в магазина или я запишете на ръка и `orderbridge resolve ORDER --recorded ID`.',
  },
  'currency.ended': {
    means: 'Поръчката е във валута, която вече не е била в обращение, когато е направена, а настройките отказват такива поръчки.',
    todo: 'Задайте в магазина валутата, в която купувачите плащат. Ако сумите са верни, запишете я на ръка в тази валута и `orderbridge resolve ORDER --recorded ID`, или задайте `convertTo`, или `refuseEndedCurrencies` false (`orderbridge settings`); тогава поръчката се преценява отново сама.',
  },
  'payment.unmapped': {
    means: 'Начин на плащане няма вид в настройките.',
    todo: 'Добавете го в `payments` (`orderbridge settings`); тогава поръчката се преценява отново сама.',
  },
  'payment.split': {
    means: 'Една поръчка е платена по два начина.',
    todo: 'Запишете я на ръка и `orderbridge resolve ORDER --recorded ID` или оставете в магазина единия начин.',
  },
  'payment.outstanding': {
    means: 'Поръчката беше платена, а сега част от нея не е.',
    todo: 'Съберете или уредете остатъка в магазина; тогава поръчката се преценява отново сама. Ако статусът ѝ значи, че е платена, добавете го в `paidStatuses`.',
  },
  'refund.unattributed': {
    means:
      'Върната сума не посочва редове, а поръчката има няколко ставки на ДДС. Каквото посочват другите върнати суми, вече е извадено от записа, ако има такъв.',
    todo: 'Върнете сумата по редове в магазина или запишете на ръка каквото остава (ако поръчката вече е записана, първо изтрийте записа ѝ) и `orderbridge resolve ORDER --recorded ID`.',
  },
  'removal.unproven': {
    means:
      'Платена поръчка е отказана, изхвърлена, изтрита, върната като чернова или отбелязана като пробна, а връщането на парите не се вижда или е само за част от тях.',
    todo: 'Ако парите са върнати, отбележете връщането в магазина, или възстановете поръчката там. Или решете за тази: `orderbridge release ORDER --keep`, ако още е продажба, `orderbridge release ORDER --remove`, ако не е. `removeWithoutRefund` и `codCancelled` решават за всички такива поръчки.',
  },
  'refund.deleted': {
    means: 'Магазинът съобщи, че връщане на пари е изтрито, но не и каква е поръчката сега.',
    todo: 'Запазете поръчката в магазина, което я изпраща отново; с ключ за API на магазина тя се прочита сама.',
  },
  'gift-card.undecided': {
    means: 'Продаден е ваучер за подарък, а настройките не казват дали това е продажба.',
    todo: 'Попитайте счетоводителя си и задайте `giftCards` (`orderbridge settings`); тогава поръчката се преценява отново сама.',
  },
  'store.other': {
    means: 'Известия назовават друг адрес, а не този на свързания магазин, например на копие на сайта.',
    todo: 'Ако магазинът е преместен там: `orderbridge reconnect CONNECTION --moved HOST`; ако това не е този магазин: `--not-ours HOST`.',
  },
  'order.other': {
    means: 'Друга поръчка дойде с идентификатора на позната, например след възстановяване от резервно копие. Записаното за познатата остава.',
    todo: 'Сравнете двете в магазина; ако са две продажби: `orderbridge release ORDER --other`; ако са една: `orderbridge release ORDER --same`.',
  },
  'resolution.changed': {
    means: 'Човек каза, че не е продажба или е отчетена другаде, а после за нея дойде нещо ново.',
    todo: 'Сравнете казаното с новото. Ако още е така, кажете го пак: `orderbridge resolve ORDER --not-a-sale` или `--elsewhere`; ако сега трябва да бъде записана: `orderbridge release ORDER`.',
  },
  'seller.other': {
    means: 'Продавачът по тази поръчка е друг (платформа с много търговци).',
    todo: 'Проверете кой дължи ДДС. Ако е търговецът, запишете я на ръка и `orderbridge resolve ORDER --recorded ID`; ако не е: `orderbridge resolve ORDER --not-a-sale`.',
  },
  'order.inexpressible': {
    means: 'В поръчката има нещо, което данъчен запис не може да изрази.',
    todo: 'Поправете поръчката в магазина или я запишете на ръка и `orderbridge resolve ORDER --recorded ID`.',
  },
  'compliance.refused': {
    means: 'Услугата за отчитане отказа записа.',
    todo: 'Съобщението ѝ казва защо; поправете настройките (`orderbridge settings CONNECTION` ги показва), след което се опитва отново, или поръчката или обекта, после `orderbridge release ORDER`.',
  },
  'compliance.conflict': {
    means: 'Услугата за отчитане вече има запис с идентификатора на тази поръчка, който не е направен за нея.',
    todo: 'Вижте на коя продажба е; подробностите казват, ако е направен оттук. На друга поръчка: оставете го и `orderbridge release ORDER --other`. На същата продажба, от друга програма: `orderbridge resolve ORDER --recorded ID` го прави наш, или го изтрийте там и `orderbridge release ORDER`.',
  },
  'replacement.refused': {
    means: 'Променената поръчка беше отказана; предишното съдържание е записано отново.',
    todo: 'Съобщението на услугата казва защо; поправете поръчката, после `orderbridge release ORDER`; или оставете предишния запис: `orderbridge resolve ORDER --recorded ID`.',
  },
  'record.doubled': {
    means: 'Закъснял отговор показва, че поръчката е записана два пъти.',
    todo: 'Вижте кой от записите ѝ е верният; `orderbridge delete-record ORDER` ги показва, изтрива другия и решава за поръчката отново.',
  },
  'receipt.refused': {
    means: 'Поръчката е записана, но услугата за отчитане не издава документ за продажбата.',
    todo: 'Съобщението на услугата казва защо; издайте документа там или задайте `receipts` false, ако тя не издава документи.',
  },
  'compliance.unreachable': {
    means: 'Няма връзка с услугата за отчитане.',
    todo: 'Нищо: опитва се с по една поръчка, докато тя отговори. Ако продължи, проверете адреса.',
  },
  'compliance.throttled': {
    means: 'Услугата за отчитане отговаря, че заявките трябва да почакат (429, 503).',
    todo: 'Нищо: заявките продължават, щом тя позволи.',
  },
  'compliance.misconfigured': {
    means: 'Услугата за отчитане отказва ключа или обекта или не познава обекта или адреса.',
    todo: 'Проверете ключа, тайната му, адреса и идентификатора на обекта (`orderbridge doctor`).',
  },
  'compliance.failing': {
    means: 'Услугата за отчитане връща грешка за всяка поръчка.',
    todo: 'Нищо: опитва се с по една поръчка, докато тя заработи.',
  },
  'compliance.insecure': {
    means: 'Адресът на услугата за отчитане е http:// и ключът за нея би се изпратил открито.',
    todo: 'Използвайте https:// или посочете хоста в TRUSTED_HTTP_HOSTS, ако пътят до него е частен.',
  },
  'storefront.unreachable': {
    means: 'Шест часа API на магазина не върна онова, което известията пропускат.',
    todo: 'Проверете адреса на магазина (`orderbridge connections`), после `orderbridge release --code storefront.unreachable`; `orderbridge reconnect` с друг адрес също преценява поръчката отново.',
  },
  'storefront.refused': {
    means: 'Шест часа магазинът отказва ключа за своя API и онова, което известията пропускат, не може да бъде прочетено.',
    todo: 'Направете в магазина ключ с право за четене и го дайте на `orderbridge reconnect`; щом ключ заработи, поръчката се преценява отново сама.',
  },
  'internal.unexpected': { means: 'Неочаквана грешка.', todo: 'Съобщете за нея заедно с реда от дневника.' },
};

const later: Words = {
  means: 'Този код е от по-нова версия; подробностите казват повече.',
  todo: 'Този код е от по-нова версия: вижте поръчката с нея или обновете тази.',
};

export function failureInBulgarian(code: string): Words {
  return ownValue<Words>(failuresInBulgarian, code) ?? later;
}
