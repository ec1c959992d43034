/** The closed sets of the interface that its documentation leaves open. `docs/compliance-service.md` lists them. */
export const VAT_GROUPS = ['GROUP_A', 'GROUP_B', 'GROUP_C', 'GROUP_D'] as const;

export const PAYMENT_TYPES = ['PAYMENT_PROCESSOR', 'VIRTUAL_POS', 'POSTAL_PAYMENT', 'BANK_TRANSFER', 'FISCAL_RECEIPT', 'OTHER'] as const;

export const RETURN_PAYMENT_METHODS = ['IBAN', 'CARD', 'CASH', 'OTHER'] as const;

/** Payment types with a receipt, the sale document of art. 52о: payments in absence, by card or through a payment service. */
export const typesWithReceipt: ReadonlySet<string> = new Set(['PAYMENT_PROCESSOR', 'VIRTUAL_POS']);

/** Payment types that a shop may leave out of its audit files (`auditNoReceiptOrders`): the postal money order is their document. */
export const typesWithoutReceipt: ReadonlySet<string> = new Set(['POSTAL_PAYMENT']);
