/** Whose a company is, and its document numbers: a part of `reasonCodes`. */
export const companyReasons = {
  'company.unconfirmed': {
    level: 'attention',
    what: 'companies',
    means: 'A merchant waits until you say whether the company that he named is his.',
    bg: 'Търговец чака да кажете дали посочената от него фирма е негова.',
  },
  'numbers.skipped': {
    level: 'attention',
    what: 'companies',
    means: 'Document numbers of a company were skipped in the last seven days.',
    bg: 'През последните седем дни са пропуснати номера на документи на фирма.',
  },
} as const;
