type Provider = { names: RegExp; number: string; name: string; source: string };

/**
 * Numbers of payment service providers, as `proc_id` of the audit file asks for: ЕИК, or of a foreign one its number in a register, and its name
 * (Наредба Н-18, Приложение № 38). Only those whose number was read in the source that is named; of the others the merchant must say it.
 */
const providers: readonly Provider[] = [
  {
    names: /^(epay|epay\.bg|easypay|изипей)( ад)?$/iu,
    number: '131344648',
    name: 'Изипей АД',
    source: 'www.epay.bg, „Общи условия за ползване на Микросметка“, I.1: „Изипей“ АД, ЕИК 131344648',
  },
  {
    names: /^paypal$/i,
    number: 'B00000351',
    name: 'PayPal (Europe) S.à r.l. et Cie, S.C.A.',
    source: 'www.paypal.com, “Informative Sheet relating to a personal PayPal account”, 1: register of the CSSF, No. B00000351',
  },
  {
    names: /^stripe$/i,
    number: 'IE3206488LH',
    name: 'Stripe',
    source: 'generators of the audit file that Bulgarian shops published: proc_id IE3206488LH',
  },
];

/** `proc_id` of the audit file: what the merchant says; a known provider that is named alone, with its number. */
export function processorId(said: string): string {
  const known = providers.find(({ names }) => names.test(said.trim()));
  return known === undefined ? said : `${known.number} ${known.name}`;
}

const LEAST_DIGITS = 6;

/** Does a `proc_id` lack a number? Each word is looked at: names of providers have few digits, numbers many. */
export function lacksNumber(processor: string): boolean {
  return !processor.split(/[\s,;:/()]+/u).some((word) => word.replaceAll(/\D/g, '').length >= LEAST_DIGITS);
}
