import { ownValue } from '../../../contract/own-value.ts';

/** Why a paid order is not recorded, for the merchant; the codes are those that docs/compliance-service.md lists. */
const reasons: Readonly<Record<string, string>> = {
  'amount.inexact': 'Сума с повече знаци след запетаята, отколкото има валутата',
  'compliance.conflict': 'Под номера на поръчката вече е записана друга',
  'compliance.failing': 'Услугата отговаря с грешка на всички поръчки',
  'compliance.insecure': 'Адресът на услугата не е защитен (http://)',
  'compliance.misconfigured': 'Услугата отказва ключа или магазина',
  'compliance.refused': 'Услугата отказа поръчката',
  'compliance.throttled': 'Услугата изчаква, преди да приеме още',
  'compliance.unreachable': 'Няма връзка с услугата',
  'currency.ended': 'Валутата на поръчката вече не е била в обращение',
  'gift-card.undecided': 'Продаден е ваучер, а в настройките не е казано дали това е продажба',
  'order.inexpressible': 'В поръчката има нещо, което не може да бъде записано',
  'order.other': 'Под номера на позната поръчка дойде друга',
  'payment.outstanding': 'Поръчката е била платена, но част от нея вече не е',
  'payment.split': 'Платена е по два начина',
  'payment.unmapped': 'Начинът на плащане не е настроен',
  queued: 'Чака да бъде записана',
  'record.doubled': 'Записана е два пъти',
  'refund.deleted': 'Изтрито е връщане на пари и не е ясно каква е поръчката сега',
  'refund.unattributed': 'Не е ясно за какво са върнати пари',
  'removal.unproven': 'Отказана или изтрита е, без да са върнати всички пари',
  'replacement.refused': 'Услугата отказа променената поръчка',
  'seller.other': 'Продавачът е друг',
  'settled.changed': 'Променена е, след като човек реши какво да се прави с нея',
  'storefront.refused': 'Магазинът отказва ключа, с който се четат поръчките',
  'storefront.unreachable': 'Магазинът не отговаря',
  'total.mismatch': 'Редовете не дават сумата, която е платена',
  unconfirmed: 'Не е сигурно дали е записана',
  'vat.unclear': 'Ставката на ДДС на ред не е ясна',
  'vat.unmapped': 'Ставка на ДДС не е настроена',
};

/** The words of a code; one that is not known stands for itself. */
export function reasonWords(code: string): string {
  return ownValue(reasons, code) ?? code;
}
