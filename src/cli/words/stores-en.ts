const decidedAgain = (n: number): string => (n === 1 ? '1 order in review is decided again' : `${n} orders in review are decided again`);
const webhooksWere = (n: number): string => (n === 1 ? '1 webhook was' : `${n} webhooks were`);

/** What is said about connected stores. */
export const storesInEnglish = {
  connect: {
    publicUrl: 'Set PUBLIC_URL to the address under which stores on the internet reach this server; localhost is for trying it out.',
    next: 'What to do next:',
    topics: (topics: string) => `1. In the store, send these topics to the webhookUrl, signed with the secret that you gave:\n   ${topics}`,
    also: (topics: string) => `   also: ${topics}`,
    heal: (id: string) => `   If the key may write, \`orderbridge subscriptions ${id} --heal\` makes the webhooks, and nothing is to be typed in the store.`,
    test: (from: string, id: string) =>
      `2. Place a test order there. Orders paid before ${from} are ignored, also if they are saved again; \`orderbridge backfill ${id}\` takes them in where the store can be read, \`recordFrom\` in its settings changes the time.`,
    testOnTrial: (id: string) => `2. Place a test order there. Nothing is submitted on trial: \`orderbridge start-recording ${id} --from now\` ends it.`,
    look: (id: string) => `3. Look at it with \`orderbridge orders --connection ${id}\`, and at what waits for you with \`orderbridge review\`.`,
    strict: 'Nothing was made or changed, because of --strict.',
  },
  earlier: {
    same: (closedAt: string, filedUnder: string) =>
      `This store was disconnected at ${closedAt}; it goes on as it was, with the same webhookUrl, its orders${filedUnder}, and its settings unless others were given.`,
    filedUnder: (store: string) => ` (filed under ${store})`,
    webhooks: 'Webhooks that are still in the store work again if they are signed with the secret that you gave.',
    gap: (from: string, until: string, id: string) =>
      `Orders paid between ${from} and ${until} are not taken; \`orderbridge reconnect ${id} --record-from ${from}\` takes them.`,
    endedWays: (id: string) =>
      `The links by which a merchant saw this store ended: it may be another’s now. To give it a merchant’s page again, \`orderbridge disconnect ${id}\`, and \`orderbridge invite\` with its shop.`,
    other: (earlier: string, later: string) => `Another store than ${earlier}, which this shop had before: it begins now, with nothing of that one${later}.`,
    decidedLater: ', unless its first delivery names a host of that one',
    ifSame: (id: string, earlierId: string) => `If it is the same store: \`orderbridge disconnect ${id}\`, and connect it with --same-store ${earlierId}.`,
    undecided: (earlier: string) =>
      `This shop had a store before: ${earlier}. Whether this is the same one can’t be known yet: the host of its first delivery decides.`,
    either: 'If it is the same, it goes on with that one’s orders, and with its settings unless others were given; if not, it begins now.',
    sayNow: (id: string) => `To say it now: \`orderbridge disconnect ${id}\`, and connect it with --store-url, --same-store or --new-store.`,
    described: (id: string, name: string, closedAt: string) => `${id} (${name}; disconnected at ${closedAt})`,
  },
  reconnect: {
    changed: (id: string) => `${id} is changed; its webhook address is the same.`,
    otherStore: 'The store at this address says that it is another one than before: check the address and the keys.',
    heldHost: (id: string, host: string) => `Webhooks that name ${host} are held; if the store moved there, \`orderbridge reconnect ${id} --moved ${host}\`.`,
    readAnew: 'What was being read of the store is read anew, from its beginning; what was found before stays.',
    oldSecret: (until: string) => `The old secret is live until ${until}; change it in the store before then.`,
    replaced: (n: number) => `The settings are replaced; ${decidedAgain(n)}.`,
    taken: (from: string, gaps: readonly { from: string; until: string }[]) =>
      `Orders paid from ${from} on are taken${gaps.map((gap) => `, but for those between ${gap.from} and ${gap.until}`).join('')}.`,
  },
  hosts: {
    ours: (host: string, id: string) => `${host} is the store’s: its webhooks count for ${id} from now on, beside those of its other hosts.`,
    apiMoved: (url: string) => `Its API no longer answers where it was, and does at ${url} with the same key: it is called there from now on.`,
    apiStays: (id: string, url: string, host: string) =>
      `Its API is still called at ${url}, which gives no usable answer, nor does ${host} with the same key: \`orderbridge reconnect ${id} --store-url https://…\`, with new keys if these are gone; until then orders that need the API wait.`,
    released: (n: number) => `${webhooksWere(n)} held; now ${n === 1 ? 'it is' : 'they are'} read again, in the order of arrival.`,
    review: (n: number) => `${webhooksWere(n)} held, but can’t be read any more: \`orderbridge review\`.`,
    notKept: (n: number) => `${webhooksWere(n)} not kept before: save their orders in the store, which sends them again.`,
    notOurs: (host: string, id: string) => `${host} is not the store’s: its webhooks are answered and counted, but change nothing for ${id}.`,
    dropped: (n: number) => `${webhooksWere(n)} held, and dropped.`,
    unswept: (why: string) => `${why}; a running worker picks the webhooks up once it is back.`,
  },
  connections: {
    none: 'No store is connected yet; `orderbridge connect --help` says how.',
    onTrial: (since: string) => `on trial since ${since}: nothing is submitted (\`orderbridge start-recording\`)`,
    throttled: (n: number, last: string, rate: string) => `${n} webhooks were answered 429, the last at ${last} (ratePerSecond is ${rate})`,
    read: ({ at, until, unknown, stale }: { at: string; until: string; unknown: number; stale: number }) =>
      `its store was read at ${at}; changes until ${until} are known (the last time ${unknown} orders were unknown, ${stale} stale)`,
    notOurs: (host: string, dismissed: number) => `${host} is not the store’s; webhooks that were not kept: ${dismissed}`,
    ours: (host: string) => `${host} is the store’s, too`,
  },
  disconnect: {
    done: (id: string) => `${id} is disconnected; orders accepted before are still submitted.`,
    already: (id: string, since: string) => `${id} was disconnected already, at ${since}.`,
  },
  settings: {
    notRight: (path: string, problems: string) => `the settings in ${path} are not right; nothing was changed:\n${problems}`,
    changed: (id: string, n: number) => `The settings of ${id} are changed; ${decidedAgain(n)}.`,
    replaced: (id: string, n: number) => `The settings of ${id} are replaced; ${decidedAgain(n)}.`,
    stillTaken: (from: string) => `Orders paid from ${from} on are still taken.`,
    default: '(default)',
    notSet: '(not set)',
    none: 'No setting is different.',
    undo: (command: string) => `To undo it: ${command}`,
    curable: (review: string) => `Orders in review that settings may cure: ${review}`,
    release: (command: string) => `(\`${command}\` decides them again as the settings are)`,
    ofCode: (n: number, code: string) => `${n} as ${code}`,
    concerned: (counts: string) => `Orders that may be decided otherwise now: ${counts}.`,
    counts: { review: (review: string) => `in review: ${review}`, ignored: (n: number) => `ignored: ${n}`, waiting: (n: number) => `waiting: ${n}` },
  },
  rotate: {
    alone: (id: string) => `orderbridge takes the new secret of ${id} alone; webhooks signed with the old one are refused. Change it in the store now.`,
    both: (id: string, until: string) => `orderbridge has the new secret of ${id}; the old one is live until ${until}.`,
    now: 'Now change it in the store, before then.',
  },
  subscriptions: {
    none: 'The store has no webhook for this connection.',
    healed: (topics: string) => `Made anew: ${topics}. What was missed is read by the store’s API.`,
    notHealed: (why: string) => `! not healed: ${why}`,
    right: 'Nothing is wrong with them.',
  },
  start: {
    known: (from: string, orders: string) => `Orders paid from ${from} on that would be recorded: ${orders}.`,
    asked: (orders: number, code: string) => `A person would be asked about ${orders} more (${code}).`,
    unknown: (orders: string) => `The store has more, which no webhook told: ${orders} by its list.`,
    whyUnknown: (why: string) => `What else the store has is not known: ${why}.`,
    ask: 'Were these recorded by other software? Then they would stand twice: answer no. Start?',
    started: (name: string, from: string, id: string) =>
      `${name} is recorded from ${from} on; \`orderbridge orders --connection ${id}\` shows what becomes of its orders.`,
  },
};
