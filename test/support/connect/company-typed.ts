/** A company as a merchant types it; `changes` replaces some. */
export function companyTyped(changes: Record<string, string> = {}): Record<string, string> {
  return {
    verb: 'save',
    companyUic: '206 770 508',
    companyName: 'Чаши ЕООД',
    companyAddress: 'София, ул. Шипка 1',
    vat: 'yes',
    nraNumber: 'rf 0000123',
    domain: 'cups.example',
    name: 'Магазин за чаши',
    customerPhone: '0888 123 456',
    customerEmail: 'shop@cups.example',
    auditRecipientEmails: 'one@books.example, two@books.example',
    auditGenerationDay: '10',
    receiptStartNumber: '',
    ...changes,
  };
}
