type QrFields = {
  /** The number that the agency gave the shop: RF and seven digits. */
  shopNumber: string;
  orderNumber: string;
  transaction: string | null;
  /** "2026-11-20" and "14:05:33", in Bulgaria. */
  soldOn: string;
  soldAt: string;
  /** "25.00" */
  amount: string;
};

/** The content of the QR code: six fields separated by asterisks (Наредба Н-18, Приложение № 18а). An asterisk within a field is written `_`. */
export function qrData({ shopNumber, orderNumber, transaction, soldOn, soldAt, amount }: QrFields): string {
  return [shopNumber, orderNumber, transaction ?? '', soldOn, soldAt, amount].map((field) => field.replaceAll('*', '_').replace(/\s+/gu, ' ')).join('*');
}
