type Code = { code: number; bulgarian: string; source: string };

const ANNEX = 'Наредба Н-18, Приложение № 38';

/** How a payment type is written in the audit file (`paym`), and in words on a document. */
export const paymentCodes: Readonly<Record<string, Code>> = {
  BANK_TRANSFER: { code: 1, bulgarian: 'банков превод', source: `${ANNEX}: освободено по чл. 3 плащане без ППП` },
  VIRTUAL_POS: { code: 2, bulgarian: 'карта, виртуален ПОС терминал', source: `${ANNEX}: виртуален ПОС терминал` },
  POSTAL_PAYMENT: { code: 3, bulgarian: 'наложен платеж с пощенски паричен превод', source: `${ANNEX}: наложен платеж с ППП` },
  PAYMENT_PROCESSOR: { code: 4, bulgarian: 'доставчик на платежни услуги', source: `${ANNEX}: доставчик на платежни услуги` },
  OTHER: { code: 5, bulgarian: 'друг вид плащане', source: `${ANNEX}: друг вид плащане, неизискващо отразяване с фискален бон` },
  FISCAL_RECEIPT: { code: 6, bulgarian: 'отразено с фискален бон', source: `${ANNEX}: плащане, отразено с фискален бон` },
};

/** How a way of giving money back is written in the audit file (`r_paym`), and in words. */
export const returnCodes: Readonly<Record<string, Code>> = {
  IBAN: { code: 1, bulgarian: 'по платежна сметка', source: ANNEX },
  CARD: { code: 2, bulgarian: 'по карта', source: ANNEX },
  CASH: { code: 3, bulgarian: 'в брой', source: ANNEX },
  OTHER: { code: 4, bulgarian: 'друг', source: ANNEX },
};
