import type { StoreNote, StoreProblemCode } from '../../../bridge/storefronts/onboarding.ts';

type Of = { title: string; to: string; status: string; needed: string; version: string };
type Problem = { what: string; todo: (of: Of) => string };

/** The step in which the store is found, and gives its keys. `title`: the platform, as its makers write it. */
export const store = {
  title: 'Which store?',
  intro: 'Choose how your store works. Nothing is changed in it yet, and nothing is recorded.',
  address: {
    heading: (title: string): string => `A ${title} store`,
    label: 'Address of the store',
    hint: 'As your customers type it, such as shop.bg.',
    verb: 'Look at the store',
  },
  own: {
    heading: 'A shop of your own',
    body: 'Your programmer adds a few lines that send each order. We give them in PHP, Node and Shell.',
    label: 'Name of the shop',
    verb: 'Choose a shop of your own',
    noName: 'Type a name, by which you know the shop.',
  },
  isConnected: 'This store is connected. Its address can’t be changed here; ask whoever sent you the link.',
  newKeys: 'Give it new keys',
  renewed: 'The new keys work.',
  approveAgain: 'If the store no longer lets our app in, approve it there again. Nothing else changes.',
  approvedAgain: 'You approved the app: it may read your orders. Nothing else is to be done.',
  chosen: (name: string): string => `You chose ${name}.`,
  other: 'Choose another store',
  wrongTitle: (host: string): string => `We could not use ${host}`,
  found: {
    title: 'We found your store',
    body: (name: string, host: string): string => (name === host ? `It is at ${host}.` : `${name} at ${host}.`),
    version: (words: string): string => `It runs on ${words}.`,
    next: 'Now your store asks you whether we may read its orders. Sign in there if it wants that, and press “Approve”.',
    verb: (host: string): string => `Go to ${host} and approve`,
    nextApp:
      'Now your store asks you whether our app may read its orders. Sign in there if it wants that, and approve it: then you are back here, at the next step.',
    verbOf: (host: string, app: string): string => `Go to ${host} and approve the app ${app}`,
    pasteOwn: 'Use an app of your own instead',
    paste: 'Paste keys instead',
    pasteNext: 'This store can’t hand its keys over by itself. You make them in its administration and paste them here.',
    pasteVerb: 'Make keys and paste them',
    noPublicUrl: 'This server has no address on the internet yet (PUBLIC_URL), so the store can’t hand its keys over. Tell whoever runs it.',
  },
  note: {
    redirected: ({ to }) => `The address leads to ${to}, and that is used.`,
    'permalinks.plain': () =>
      'The store’s permalinks are “Plain”, so it can’t hand keys over. Choose another setting under Settings → Permalinks and look again, or paste keys.',
    'handover.blocked': () => 'The hosting blocks the page by which keys are handed over. Paste keys, or ask the hosting to allow /wc-auth/.',
    http: () => 'The store is called over http, which only a private network allows.',
    'header.stripped': () => 'The hosting removes the header with the key, so it is sent in the address. Ask the hosting to pass “Authorization” on.',
    'buyers.hidden': () =>
      'The store hides buyers from this app. Orders are recorded all the same, but receipts can’t be mailed to buyers: for that, grant the app access to protected customer data.',
    'scopes.fewer': ({ to }) => `The store granted the app less than was asked: ${to} is missing. Orders are recorded all the same.`,
  } satisfies Record<StoreNote, (of: { to: string }) => string>,
  problem: {
    'address.invalid': { what: 'This is not an address of a store.', todo: () => 'Type it as your customers do, such as shop.bg, without spaces.' },
    'address.private': {
      what: 'This address is not on the internet.',
      todo: () => 'Type the public address of the store; one inside your network can’t be reached.',
    },
    'address.unknown': { what: 'Nobody on the internet has this name.', todo: () => 'Check the spelling, and that the domain is paid for.' },
    'https.missing': {
      what: 'The store does not open over https.',
      todo: () => 'Ask your hosting for a certificate (most give one for free) and try again. Without it anybody on the way could read keys and orders.',
    },
    certificate: {
      what: 'The certificate of the store is not valid.',
      todo: () => 'Ask your hosting to renew it; browsers warn your customers about it, too.',
    },
    unreachable: { what: 'The store does not answer over https.', todo: () => 'Check that it opens in your browser with https://, and try again.' },
    slow: { what: 'The store takes too long to answer.', todo: () => 'Try again in a few minutes; if it lasts, ask your hosting.' },
    'cut-off': { what: 'The store broke off its answer.', todo: () => 'Try again; if it lasts, a firewall of the hosting may refuse us.' },
    'redirects.loop': { what: 'The address leads round in circles.', todo: () => 'Open the store in your browser, and copy the address that you see there.' },
    'redirects.api': {
      what: 'The store sends programs to another address.',
      todo: ({ to }) => (to === '' ? 'Copy the final address from your browser.' : `Type ${to} as its address.`),
    },
    locked: {
      what: 'The whole store asks for a password.',
      todo: () => 'Remove the password of the hosting (as for a store under construction), and try again.',
    },
    firewall: {
      what: 'A firewall in front of the store refuses us.',
      todo: () => 'Allow /wp-json/wc/ in the security plugin or at the hosting, and try again.',
    },
    challenge: {
      what: 'Cloudflare, or a guard like it, wants to see a browser.',
      todo: () => 'Add a rule there that skips the challenge for /wp-json/*, and try again.',
    },
    maintenance: { what: 'The store is closed for maintenance.', todo: () => 'Try again when it is open.' },
    broken: { what: 'The store answers with an error.', todo: ({ status }) => `It answered ${status}. Check that it opens in your browser, and try again.` },
    'site.other': {
      what: 'There is no store of this kind at the address.',
      todo: ({ title }) => `We looked for ${title}. Check the address, or choose a shop of your own.`,
    },
    'shop.missing': {
      what: 'WordPress is there, but no store.',
      todo: ({ title }) => `Activate ${title} under Plugins, or type the address at which the store is.`,
    },
    'shop.old': {
      what: 'The version of the store is too old.',
      todo: ({ title, needed, version }) =>
        `Update ${title} under Plugins, after a backup: version ${needed} or later is needed${version === '' ? '' : `, and yours is ${version}`}. Then try again.`,
    },
    'rest.closed': {
      what: 'A security plugin has closed the store’s REST API.',
      todo: () => 'Allow it for /wp-json/wc/v3 in the plugin (Wordfence, Solid Security, All-In-One Security …), and try again.',
    },
    'rest.html': {
      what: 'The store’s REST API answers with a page.',
      todo: () => 'Switch off a “coming soon” page, and exclude /wp-json/ from the cache.',
    },
    'keys.refused': { what: 'The store refuses the key.', todo: () => 'Copy both parts again, whole, or make a new key.' },
    'keys.unseen': {
      what: 'The store knows no such key, or its hosting takes the key away.',
      todo: () => 'Copy both parts again. If they are right, ask the hosting to pass on the header “Authorization”, and https to PHP.',
    },
    'keys.user': { what: 'The user of the key may not see orders.', todo: () => 'Make the key, or approve, as an administrator or a shop manager.' },
    'grant.ended': { what: 'The store no longer lets the app in.', todo: ({ title }) => `Approve the app again at ${title}, then try again.` },
    'grant.less': {
      what: 'The store let the app in, but not to its orders.',
      todo: ({ title, needed }) =>
        `${needed} is missing. Begin again, and approve all that ${title} shows. If you are not asked for it there, tell whoever sent you the link.`,
    },
    'app.refused': {
      what: 'The app is not set up right on our side.',
      todo: () => 'Whoever runs this service must mend it: there is nothing for you to do in the store. Try again once they have.',
    },
    'address.other': {
      what: 'This is not the address that we need.',
      todo: ({ title, to }) => `Type the address that ${title} gave the store. It looks like ${to}.`,
    },
    'shop.frozen': { what: 'The store is frozen.', todo: ({ title }) => `Pay its bill at ${title}, and try again.` },
    'shop.locked': { what: 'The store is locked.', todo: ({ title }) => `Its owner must ask the support of ${title}.` },
    throttled: { what: 'The store asks us to come slower.', todo: () => 'Wait a minute, and try again.' },
    'scope.missing': {
      what: 'The app may not read orders.',
      todo: ({ needed }) => `Add the scope ${needed} to the app, release or save it, install it in the store again, and try again.`,
    },
    'data.denied': {
      what: 'The app may not see any order.',
      todo: ({ title }) => `Whoever made the app must request access to protected customer data at ${title}. Then try again.`,
    },
  } satisfies Record<StoreProblemCode, Problem>,
  back: {
    denied: 'You said no. Nothing was changed.',
    deniedBody: 'You can approve later, or paste keys that you make yourself.',
    awaited: 'The keys have not come yet',
    awaitedBody: 'We wait for your store to send them; this page looks again by itself. If the store showed an error, go back and try again, or paste keys.',
    refused: 'The keys came, but do not work',
    unusable: 'The keys came, but the store can’t be used yet',
    again: 'Try again',
    elsewhere: 'Go back to where you came from',
    elsewhereBody: 'Open the link that you were sent in the browser in which you began. What you approved is kept.',
  },
  keys: {
    title: 'Make keys and paste them',
    intro: (steps: number): string => `${steps} steps in the administration of your store:`,
    introWays: 'Either of these ways is enough. If you have no app yet, take the first.',
    label: (n: number): string => (n === 1 ? 'First part of the key' : 'Second part of the key'),
    missing: 'Both parts are needed.',
    verb: 'Try the keys and go on',
  },
  tooMany: 'Too many tries. Wait a minute, and try again.',
};
