const orders = (n: number): string => (n === 1 ? '1 order' : `${n} orders`);
const waits = (n: number, isMore: boolean): string => `${isMore ? 'more than ' : ''}${n} ${n === 1 ? 'order waits' : 'orders wait'}`;

/** What is said about the work: services, queues, many orders at once, messages. */
export const workInEnglish = {
  ask: {
    suffix: '[yes/no]',
    noTerminal: 'nothing was changed: give --yes, since there is no terminal to ask at',
    no: 'nothing was changed',
  },
  core: {
    warning: (words: string) => `Warning: ${words}`,
    otherSettings: (names: string) => `the server runs with other settings: ${names}. Give this command the same, such as in a file .env where both run.`,
    noQueue: (why: string) => `the queue does not answer (${why}); check REDIS_URL, and that Redis runs`,
  },
  secrets: {
    committable: (path: string) => `Warning: ${path} could be committed to git: move it out of the checkout, or name it in .gitignore`,
    seen: (flags: readonly string[]) =>
      `Warning: ${flags.join(', ')} ${flags.length === 1 ? 'was' : 'were'} given on the command line, where \`ps\` and the history of the shell show it; give prompt, @FILE or -`,
    type: (flag: string) => `${flag}: type it and press Enter (it is not shown)`,
    cancelled: 'cancelled; nothing was changed',
    notGiven: (flag: string) => `${flag} was not given; nothing was changed`,
  },
  ready: {
    is: (address: string, data: string) => `orderbridge is ready: ${address} · ${data}`,
    dataIn: (folder: string) => `data in ${folder}`,
    dataElsewhere: 'data in the PostgreSQL of DATABASE_URL',
    next: (command: string) => `Next, in another terminal: ${command} · stop with Ctrl-C`,
    connect: './orderbridge shop create --help, then ./orderbridge connect --help',
    setupLink: (address: string) => `Set up the console: ${address}`,
  },
  destinations: {
    none: 'No compliance service is used yet; `orderbridge connect --help` says how a store is connected.',
    pace: ({ requests, failed, isMore }: { requests: number; failed: number; isMore: boolean }) =>
      `${isMore ? 'over ' : ''}${requests} ${requests === 1 ? 'request' : 'requests'}${failed === 0 ? '' : `, ${failed} not taken`}`,
    callTypes: { records: 'records', receipts: 'receipts' },
    ofShop: (shopId: string) => ` of the shop ${shopId}`,
    paused: ({ what, since, why, waiting, until }: { what: string; since: string; why: string; waiting: { orders: number; isMore: boolean }; until: string }) =>
      `${what} paused since ${since}: ${why}; ${waits(waiting.orders, waiting.isMore)}; it is tried again at ${until}`,
    fails: 'the compliance service does not work with this key; `orderbridge doctor` says more',
    noAnswer: (ms: number) => `no answer within ${ms} ms`,
    answered: (status: number, ms: number) => `answered ${status} in ${ms} ms`,
    works: ': it answers, and takes the key',
    probed: (n: number) => `An order of ${n === 1 ? 'the pause' : `each of the ${n} pauses`} is sent now; \`orderbridge destinations\` shows what comes of it.`,
    notPaused: (where: string) => `${where} was not paused.`,
    ended: (n: number, where: string) => `${n === 1 ? 'A pause' : `${n} pauses`} of ${where} ended; the orders that waited are sent now.`,
    endedOne: (what: string, code: string, since: string) => `${what}: ${code} since ${since}`,
  },
  queues: {
    resumed: (name: string) => `${name} is resumed.`,
    notPaused: (name: string) => `${name} was not paused.`,
  },
  drain: {
    interrupted: 'interrupted',
    late: (seconds: number) => `not drained within ${seconds} s`,
    left: ({ behind, deliveries, submissions, inbox }: { behind: number; deliveries: number; submissions: number; inbox: number }) =>
      `${behind} orders are behind, ${deliveries} webhook jobs, ${submissions} submission jobs and ${inbox} inbox rows are left; ` +
      '`orderbridge orders --state queued` shows the orders, `orderbridge connections` whether a compliance service is paused',
  },
  many: {
    would: (n: number, code: string, words: string) => `${orders(n)} that ${n === 1 ? 'is' : 'are'} in review as ${code} would be settled: ${words}.`,
    as: { 'not-a-sale': 'no sale of this shop', elsewhere: 'recorded elsewhere, for good' },
    tooMany: (most: number) => `more than ${most} orders are chosen; narrow them with --connection, --month, --from or --to`,
    ask: (n: number) => `Settle ${n === 1 ? 'it' : `all ${n}`}?`,
    settled: (n: number, run: string | number) => `${orders(n)} ${n === 1 ? 'is' : 'are'} settled; /console/runs/${run} shows what became of them.`,
    alone: 'Those that have a record, or whose request is open, are settled one by one.',
    released: (n: number, code: string, stores: string) =>
      `${n === 1 ? '1 order that was' : `${n} orders that were`} in review as ${code} ${n === 1 ? 'is' : 'are'} decided again${stores === '' ? '' : `: ${stores}`}.`,
    ofStore: (n: number, name: string, id: string) => `${n} of ${name} (${id})`,
    first: (name: string, seconds: number) => `Order ${name} goes first; waiting for what becomes of it (${seconds} s at most).`,
    stay: (n: number, id: string, codes: string) => `${n} more ${n === 1 ? 'order' : 'orders'} of ${id} (${codes}) ${n === 1 ? 'stays' : 'stay'} in review`,
    goesOn: (commands: string) => `Once the cause is put right, ${commands} goes on.`,
    and: 'and',
    undecided: (name: string, seconds: number) =>
      `the order ${name} went first and was not decided within ${seconds} s (\`orderbridge status\` says whether anything works on it)`,
    became: (name: string, state: string) => `the order ${name} went first and is ${state}`,
    becameAs: (name: string, state: string, why: string) => `the order ${name} went first and is ${state} as ${why}`,
  },
  planAgain: {
    ask: (named: string) => `Delete the record of ${named}, and create another one?`,
    done: (id: number | string) => `The order is recorded anew by today’s settings: \`orderbridge order id:${id}\` shows what becomes of it.`,
  },
  proposals: {
    none: 'Nobody proposes anything.',
    states: {
      open: 'waits',
      changed: 'settings changed since',
      answered: 'nobody is asked any more',
      accepted: 'accepted',
      declined: 'declined',
      replaced: 'replaced',
    },
    taken: (store: string, by: string, answers: string) => `The settings of ${store} are what ${by} proposed: ${answers}.`,
    one: (run: string | number, code: string) =>
      `One order is decided by them; /console/runs/${run} shows what became of it, and \`orderbridge release --code ${code}\` decides the others.`,
    declined: (by: string) => `What ${by} proposed is declined.`,
  },
  alerts: {
    nobody: 'nobody is told when something is wrong: set ALERT_MAIL_TO, ALERT_SLACK_URL or ALERT_WEBHOOK_URL, and HEARTBEAT_URL',
    failed: (names: string) => `not told: ${names}; correct the variable, start the server again, and repeat the test`,
    heartbeat: 'heartbeat',
    heartbeatTaken: 'it took the sign of life',
    none: 'Nothing was told in the last 30 days.',
    states: {
      sent: 'sent',
      failed: (why: string) => `failed: ${why}`,
      waiting: 'waiting',
      waitingFor: (why: string) => `waiting: ${why}`,
      beingSent: 'being sent',
    },
  },
  exports: { none: 'No customer has asked.', json: '`orderbridge exports --json` prints the data.' },
  tail: {
    lost: (why: string) => `The database does not answer (${why}); what happens meanwhile is printed once it does.`,
    back: 'The database answers again.',
  },
  shop: {
    updated: (id: string) => `The shop ${id} is updated.`,
    deleted: (id: string, n: number | null) => `The shop ${id} is deleted${n === null ? '' : `, with ${n} orders`}.`,
    refused: (status: number | string, words: string) => `the compliance service answered ${status}: ${words}`,
    checkKey: '; check the API key and its secret (`orderbridge doctor`)',
  },
};
