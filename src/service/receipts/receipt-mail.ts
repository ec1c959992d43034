import { z } from 'zod';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { qrGif } from './qr-image.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { QR_CID, receiptMailHtml } from './receipt-mail-html.ts';
import { receiptText } from './receipt-text.ts';
import { documentOf, FROM_RECEIPTS, STORED_RECEIPT, type StoredReceipt, storedReceipt } from './stored-receipt.ts';

const receiptRef = z.object({ receiptId: z.guid() });
const addressed = rowsOf('compliance.receipts', storedReceipt.extend({ email: z.string().nullable() }));
const SELECT = `select ${STORED_RECEIPT}, o.customer ->> 'email' as email from ${FROM_RECEIPTS} where r.id = $1`;

/** Builds mails of the kind `receipt`: the document for the order's buyer. Null if order, receipt or buyer are gone. */
export function receiptMailBuilder(pool: Pool): MailBuilder {
  return async (ref) => {
    const row = await readRow(pool, addressed, { text: SELECT, values: [receiptRef.parse(ref).receiptId] });
    if (row === null) return null;
    const { email, ...stored } = row;
    return email === null ? null : { to: [email], write: async ({ address }) => receiptMail(stored, address) };
  };
}

function receiptMail(stored: StoredReceipt, email: string): Message {
  const { seller } = stored;
  const receipt = documentOf(stored);
  const { gif, pixels } = qrGif(receipt.qr);
  return {
    to: [email],
    replyTo: seller.customerEmail,
    senderName: seller.name,
    subject: `${seller.test === true ? 'ТЕСТ / TEST: ' : ''}${seller.name}: ${subjectOf(receipt)}`,
    html: receiptMailHtml(receipt, pixels),
    text: receiptText(receipt),
    attachments: [],
    images: [{ cid: QR_CID, filename: 'qr.gif', contentType: 'image/gif', content: gif }],
  };
}

function subjectOf({ number, orderNumber, english }: ReceiptDocument): string {
  const subject = `документ № ${number} за поръчка ${orderNumber}`;
  return english ? `${subject} / document of order ${orderNumber}` : subject;
}
