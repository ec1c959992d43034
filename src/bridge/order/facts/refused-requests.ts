/** Why a webhook is refused: its sender gets an error. */
export const refusedRequests = {
  'connection.unknown': {
    disposition: 'reject',
    means: { en: 'No connection has this id.', bg: 'Няма връзка с този идентификатор.' },
    todo: {
      en: 'Copy the webhook address that was shown when the store was connected.',
      bg: 'Копирайте адреса за известия, показан при свързването на магазина.',
    },
  },
  'connection.closed': {
    disposition: 'reject',
    means: { en: 'The store was disconnected.', bg: 'Магазинът е изключен.' },
    todo: { en: 'Connect it again, or remove the webhook from the store.', bg: 'Свържете го отново или махнете известието от магазина.' },
  },
  'signature.missing': {
    disposition: 'reject',
    means: { en: 'The request is not signed.', bg: 'Заявката не е подписана.' },
    todo: { en: 'Set the secret in the store’s webhook settings.', bg: 'Задайте тайния ключ в настройките на известията в магазина.' },
  },
  'signature.mismatch': {
    disposition: 'reject',
    means: { en: 'The signature matches no live secret.', bg: 'Подписът не отговаря на никой от важащите тайни ключове.' },
    todo: {
      en: 'Make the store’s secret and the connection’s the same (`orderbridge rotate-secret`).',
      bg: 'Задайте един и същ таен ключ в магазина и във връзката (`orderbridge rotate-secret`).',
    },
  },
  'signature.expired': {
    disposition: 'reject',
    means: { en: 'The signed timestamp is more than 5 minutes off.', bg: 'Подписаният час се различава с повече от 5 минути.' },
    todo: { en: 'Check the sender’s clock; send again with a fresh timestamp.', bg: 'Проверете часовника на изпращача и изпратете отново с нов час.' },
  },
  'body.too-large': {
    disposition: 'reject',
    means: { en: 'The body is over 5 MB.', bg: 'Съдържанието е над 5 MB.' },
    todo: { en: 'Send one order per webhook.', bg: 'Изпращайте по една поръчка в известие.' },
  },
  'body.incomplete': {
    disposition: 'reject',
    means: { en: 'The body did not arrive whole within 10 seconds.', bg: 'Съдържанието не пристигна цяло до 10 секунди.' },
    todo: { en: 'Send it again.', bg: 'Изпратете го отново.' },
  },
  'body.not-json': {
    disposition: 'reject',
    means: { en: 'The body is not JSON.', bg: 'Съдържанието не е JSON.' },
    todo: { en: 'Send application/json in UTF-8.', bg: 'Изпращайте application/json в UTF-8.' },
  },
  'body.wrong-type': {
    disposition: 'reject',
    means: { en: 'The content type is not application/json.', bg: 'Типът на съдържанието не е application/json.' },
    todo: { en: 'Set Content-Type: application/json.', bg: 'Задайте Content-Type: application/json.' },
  },
  'body.encoded': {
    disposition: 'reject',
    means: { en: 'The body is compressed.', bg: 'Съдържанието е компресирано.' },
    todo: { en: 'Send it without Content-Encoding.', bg: 'Изпращайте го без Content-Encoding.' },
  },
  'delivery.throttled': {
    disposition: 'reject',
    means: {
      en: 'The connection sends more deliveries a second than its `ratePerSecond`.',
      bg: 'Магазинът изпраща повече известия в секунда, отколкото допуска `ratePerSecond`.',
    },
    todo: { en: 'Send it again after the time in Retry-After.', bg: 'Изпратете го отново след времето в Retry-After.' },
  },
  'method.not-allowed': {
    disposition: 'reject',
    means: { en: 'Webhooks are sent with POST.', bg: 'Известията се изпращат с POST.' },
    todo: { en: 'Set the sender’s method to POST.', bg: 'Задайте на изпращача метод POST.' },
  },
  'intake.unavailable': {
    disposition: 'reject',
    means: {
      en: 'Neither the queue nor the database could store the delivery, or there was no memory for a large body.',
      bg: 'Нито опашката, нито базата данни можа да приеме известието, или нямаше памет за голямо съдържание.',
    },
    todo: { en: 'Send it again after the time in Retry-After.', bg: 'Изпратете го отново след времето в Retry-After.' },
  },
} as const;
