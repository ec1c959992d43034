import encodeQR from 'qr';
import type { Html } from '../../web/html.ts';
import { qrImage } from '../../web/qr-image.ts';

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

/** The light modules around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** The code without its quiet zone: 18 mm at least (Наредба Н-18, Приложение № 18а), and a little more for printers that shrink. */
const SMALLEST_MM = 20;
const MODULE_MM = 0.6;
/** With its quiet zone: it must fit an 80 mm roll. */
const LARGEST_MM = 66;
const MAIL_PIXELS = 200;

/** A QR code as inline SVG, black on white; `sizeMm` is its printed size with quiet zone; it grows with the data. */
export function qrSvg(data: string): { svg: Html; sizeMm: number } {
  const { svg, size } = qrImage(encodeQR(data, 'raw', { ecc: 'medium', border: QUIET_ZONE }), 'QR код на документа');
  return { svg, sizeMm: printedMm(size) };
}

function printedMm(size: number): number {
  const modules = size - 2 * QUIET_ZONE;
  const code = Math.max(SMALLEST_MM, modules * MODULE_MM);
  return Math.min(LARGEST_MM, Math.ceil((code * size) / modules));
}

/** The same code as a GIF, for mail programs, which show no SVG; `pixels` is the side of the square. */
export function qrGif(data: string): { gif: Buffer; pixels: number } {
  const size = encodeQR(data, 'raw', { ecc: 'medium', border: QUIET_ZONE }).length;
  const scale = Math.max(2, Math.round(MAIL_PIXELS / size));
  return { gif: Buffer.from(encodeQR(data, 'gif', { ecc: 'medium', border: QUIET_ZONE, scale })), pixels: size * scale };
}
