// All of this is a convenience: each page works without it.

/** Markup as the browser writes it. */
function written(markup) {
  const made = document.createElement('template');
  made.innerHTML = markup;
  return made.innerHTML;
}

/** Keeps a stream open while somebody looks at the page. `address()`: where from. `heard`: by kind of message, what is done with its data and id. */
function keepOpen(address, handlers) {
  let stream = null;
  const open = () => {
    if (stream !== null || document.hidden) return;
    stream = new EventSource(address());
    for (const [kind, take] of Object.entries(handlers)) stream.addEventListener(kind, ({ data, lastEventId }) => take(data, lastEventId));
    // The browser gives up where the answer is no stream, as of a proxy whose server restarts.
    stream.addEventListener('error', ({ target }) => {
      if (target.readyState === EventSource.CLOSED) setTimeout(again, 5_000);
    });
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  const again = () => {
    close();
    open();
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  open();
}

/** Did somebody write or choose something in there? */
function isTouched(part) {
  return [...part.querySelectorAll('input, textarea')].some(({ type, checked, defaultChecked, value, defaultValue }) =>
    type === 'checkbox' || type === 'radio' ? checked !== defaultChecked : value !== defaultValue,
  );
}

/** Parts of a page that the server renews. The stream is closed while nobody looks. */
function follow() {
  // What a form answered is at no address that could be asked again.
  if (document.querySelector('[data-live]') === null || document.querySelector('main[data-still]') !== null) return;
  const shown = new Map([...document.querySelectorAll('[data-live]')].map(({ id, innerHTML }) => [id, innerHTML]));
  const renew = ({ id, markup }) => {
    const part = document.getElementById(id);
    const fresh = written(markup);
    // What somebody wrote or writes in is left alone, and so is what they opened in a part that did not change.
    if (part === null || shown.get(id) === fresh || part.querySelector(':focus:not(.copy)') || isTouched(part)) return;
    part.innerHTML = markup;
    shown.set(id, fresh);
  };
  keepOpen(() => `/console/events?page=${encodeURIComponent(location.pathname + location.search)}`, {
    part: (data) => renew(JSON.parse(data)),
    title: (data) => {
      document.title = JSON.parse(data);
    },
    ended: () => location.reload(),
  });
}

// Who signs out in one tab leaves nothing of their pages in another.
const tabs = new BroadcastChannel('session');
if (location.pathname === '/console/sign-in') tabs.postMessage('over');
else tabs.addEventListener('message', () => location.reload());

const places = {
  ...{ t: '/console', o: '/console/orders', p: '/console/review', m: '/console/months', s: '/console/stores' },
  ...{ c: '/console/destinations', a: '/console/activity', l: '/console/live' },
};
let isGoing = false;

/** Moves among the rows of a list; true if it did. */
function move(by, rows = document.querySelectorAll('main table.list tbody tr')) {
  const links = [...rows].map((row) => row.querySelector('a')).filter((link) => link !== null);
  const at = links.findIndex((link) => link.closest('tr, li').contains(document.activeElement));
  const next = links[Math.min(at + by, links.length - 1)];
  (next ?? links[0])?.focus();
  return next !== undefined;
}

const keys = {
  '/': toSearch,
  j: () => move(1),
  k: () => move(-1),
  x: () => document.activeElement?.closest('tr')?.querySelector('input[type=checkbox]')?.click(),
  r: () => document.querySelector('[data-key=r]')?.focus(),
  '?': () => document.getElementById('keys')?.showModal(),
};

function toSearch() {
  document.getElementById('q')?.select();
}

document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
    event.preventDefault();
    toSearch();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
  const went = isGoing ? places[event.key] : undefined;
  isGoing = event.key === 'g' && !isGoing;
  if (went !== undefined) location.assign(went);
  else if (!isGoing && keys[event.key] !== undefined) {
    event.preventDefault();
    keys[event.key]();
  }
});

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  if (event.target.dataset.sent !== undefined) event.preventDefault();
  event.target.dataset.sent = '';
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// Back on a list, the row that was opened has the focus again.
const OPENED = `opened ${location.pathname}${location.search}`;
addEventListener('pagehide', () => {
  const link = document.activeElement?.closest('main tr')?.querySelector('a');
  if (link) sessionStorage.setItem(OPENED, link.getAttribute('href'));
});
if (performance.getEntriesByType('navigation')[0]?.type === 'back_forward')
  document.querySelector(`main tr a[href="${CSS.escape(sessionStorage.getItem(OPENED) ?? '')}"]`)?.focus();

// All rows of a list at once.
document.addEventListener('change', ({ target }) => {
  if (target.dataset.all === undefined) return;
  for (const box of target.closest('form').querySelectorAll('input[type=checkbox][name=order]')) box.checked = target.checked;
});

/** What happens, the newest first. Somebody who reads further down is not moved: a button says how much is new. */
function listOf(list, fresh) {
  let waiting = [];
  const show = () => {
    document.getElementById('quiet')?.remove();
    const markup = waiting.map((line) => line.markup);
    list.insertAdjacentHTML('afterbegin', markup.toReversed().join(''));
    waiting = [];
    fresh.hidden = true;
    while (list.children.length > 500) list.lastElementChild.remove();
  };
  // What was written again in the ledger comes again.
  const isKnown = (key) => [...list.children].some(({ dataset }) => dataset.key === key) || waiting.some((line) => line.key === key);
  fresh.addEventListener('click', () => {
    show();
    scrollTo({ top: 0 });
  });
  return {
    take(lines) {
      waiting.push(...lines.filter(({ key }) => key === undefined || !isKnown(key)));
      if (waiting.length === 0) return;
      if (scrollY < 80) return show();
      fresh.hidden = false;
      fresh.querySelector('span').textContent = waiting.length;
    },
  };
}

function listen() {
  const list = document.querySelector('[data-stream]');
  if (list === null) return;
  const { take } = listOf(list, document.getElementById('fresh'));
  // How far it was seen: a stream that is opened anew goes on from there.
  let { mark } = list.dataset;
  const address = () => {
    const { pathname, searchParams } = new URL(list.dataset.stream, location.href);
    searchParams.set('mark', mark);
    return `${pathname}?${searchParams}`;
  };
  const note = ({ words }) => {
    const made = document.createElement('li');
    made.textContent = words;
    take([{ markup: made.outerHTML }]);
  };
  keepOpen(address, {
    lines: (data, id) => {
      mark = id;
      take(JSON.parse(data));
    },
    note: (data) => note(JSON.parse(data)),
    ended: () => location.reload(),
  });
}

/** What is found is shown while somebody types. An address of a person is looked for when it is sent alone. */
function search() {
  const field = document.getElementById('q');
  if (field === null) return;
  const { form } = field;
  const panel = document.createElement('div');
  panel.className = 'found';
  panel.hidden = true;
  form.append(panel);
  let [timer, last] = [0, 0];
  const close = () => {
    clearTimeout(timer);
    last += 1;
    panel.hidden = true;
  };
  const look = async () => {
    last += 1;
    const mine = last;
    const answer = await fetch(`${form.action}?${new URLSearchParams({ q: field.value, list: '1' })}`).catch(() => null);
    const page = answer?.ok ? await answer.text() : '';
    const found = new DOMParser().parseFromString(page, 'text/html').getElementById('found');
    if (mine !== last || found === null) return;
    panel.replaceChildren(...found.childNodes);
    panel.hidden = false;
  };
  field.addEventListener('input', () => {
    const q = field.value.trim();
    close();
    if (q.length > 1 && !q.includes('@')) timer = setTimeout(look, 150);
  });
  form.addEventListener('submit', close);
  form.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (by === undefined || panel.hidden) return;
    else if (!move(by, panel.querySelectorAll('tr, li'))) field.focus();
    event.preventDefault();
  });
  document.addEventListener('pointerdown', ({ target }) => form.contains(target) || close());
  form.addEventListener('focusout', ({ relatedTarget }) => relatedTarget === null || form.contains(relatedTarget) || close());
}

follow();
listen();
search();
