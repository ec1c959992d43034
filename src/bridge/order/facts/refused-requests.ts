/** Why a webhook is refused: its sender gets an error. */
export const refusedRequests = {
  'connection.unknown': {
    disposition: 'reject',
    means: { en: 'No connection has this id.', bg: 'Няма връзка с този идентификатор.' },
    todo: 'Copy the webhook address that `orderbridge connect` printed.',
  },
  'connection.closed': {
    disposition: 'reject',
    means: { en: 'The store was disconnected.', bg: 'Магазинът е изключен.' },
    todo: 'Connect it again, or remove the webhook from the store.',
  },
  'signature.missing': {
    disposition: 'reject',
    means: { en: 'The request is not signed.', bg: 'Заявката не е подписана.' },
    todo: 'Set the secret in the store’s webhook settings.',
  },
  'signature.mismatch': {
    disposition: 'reject',
    means: { en: 'The signature matches no live secret.', bg: 'Подписът не отговаря на никоя от важащите тайни.' },
    todo: 'Make the store’s secret and the connection’s the same (`orderbridge rotate-secret`).',
  },
  'signature.expired': {
    disposition: 'reject',
    means: { en: 'The signed timestamp is more than 5 minutes off.', bg: 'Подписаният час се различава с повече от 5 минути.' },
    todo: 'Check the sender’s clock; send again with a fresh timestamp.',
  },
  'body.too-large': {
    disposition: 'reject',
    means: { en: 'The body is over 5 MB.', bg: 'Съдържанието е над 5 MB.' },
    todo: 'Send one order per webhook.',
  },
  'body.incomplete': {
    disposition: 'reject',
    means: { en: 'The body did not arrive whole within 10 seconds.', bg: 'Съдържанието не пристигна цяло до 10 секунди.' },
    todo: 'Send it again.',
  },
  'body.not-json': {
    disposition: 'reject',
    means: { en: 'The body is not JSON.', bg: 'Съдържанието не е JSON.' },
    todo: 'Send application/json in UTF-8.',
  },
  'body.wrong-type': {
    disposition: 'reject',
    means: { en: 'The content type is not application/json.', bg: 'Типът на съдържанието не е application/json.' },
    todo: 'Set Content-Type: application/json.',
  },
  'body.encoded': {
    disposition: 'reject',
    means: { en: 'The body is compressed.', bg: 'Съдържанието е компресирано.' },
    todo: 'Send it without Content-Encoding.',
  },
  'delivery.throttled': {
    disposition: 'reject',
    means: {
      en: 'The connection sends more deliveries a second than its `ratePerSecond`.',
      bg: 'Магазинът изпраща повече известия в секунда, отколкото допуска `ratePerSecond`.',
    },
    todo: 'Send it again after the time in Retry-After.',
  },
  'method.not-allowed': {
    disposition: 'reject',
    means: { en: 'Webhooks are sent with POST.', bg: 'Известията се изпращат с POST.' },
    todo: 'Set the sender’s method to POST.',
  },
  'intake.unavailable': {
    disposition: 'reject',
    means: {
      en: 'Neither the queue nor the database could store the delivery, or there was no memory for a large body.',
      bg: 'Нито опашката, нито базата данни можа да приеме известието, или нямаше памет за голямо съдържание.',
    },
    todo: 'Send it again after the time in Retry-After.',
  },
} as const;
