/** The field that a way of payment needs: without it the month's file could not be made. Refused at create, the order can still be corrected. */
export const neededFields = [
  { paymentType: 'PAYMENT_PROCESSOR', field: 'paymentProcessorName', why: 'the audit file must name the provider' },
  { paymentType: 'VIRTUAL_POS', field: 'transactionId', why: 'the audit file must bear it' },
] as const;
