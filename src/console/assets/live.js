// All of this is a convenience: each page works without it.

/** Markup as the browser writes it. */
function written(markup) {
  const made = document.createElement('template');
  made.innerHTML = markup;
  return made.innerHTML;
}

/** Tries again later where the browser gives up: an answer that is no stream, as of a proxy whose server restarts. */
function goOn(stream, again) {
  stream.addEventListener('error', () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(again, 5_000);
  });
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
  let stream = null;
  const shown = new Map([...document.querySelectorAll('[data-live]')].map(({ id, innerHTML }) => [id, innerHTML]));
  const open = () => {
    if (stream !== null || document.hidden) return;
    stream = new EventSource(`/console/events?page=${encodeURIComponent(location.pathname + location.search)}`);
    stream.addEventListener('part', ({ data }) => {
      const { id, markup } = JSON.parse(data);
      const part = document.getElementById(id);
      const fresh = written(markup);
      // What somebody wrote or writes in is left alone, and so is what he opened in a part that did not change.
      if (part === null || shown.get(id) === fresh || part.contains(document.activeElement) || isTouched(part)) return;
      part.innerHTML = markup;
      shown.set(id, fresh);
    });
    stream.addEventListener('title', ({ data }) => {
      document.title = JSON.parse(data);
    });
    stream.addEventListener('ended', () => location.reload());
    goOn(stream, again);
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

const places = { t: '/console', o: '/console/orders', p: '/console/parked', m: '/console/months', s: '/console/stores' };
let isGoing = false;

/** Moves among the rows of the list. */
function move(by) {
  const links = [...document.querySelectorAll('main table.list tbody tr a:first-of-type')].filter(
    (link, i, all) => all.findIndex((one) => one.closest('tr') === link.closest('tr')) === i,
  );
  const at = links.findIndex((link) => link.closest('tr').contains(document.activeElement));
  links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}

const keys = {
  '/': () => document.getElementById('q')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  x: () => document.activeElement?.closest('tr')?.querySelector('input[type=checkbox]')?.click(),
  r: () => document.querySelector('[data-key=r]')?.focus(),
  '?': () => document.getElementById('keys')?.showModal(),
};

document.addEventListener('keydown', (event) => {
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

// All rows of a list at once.
document.addEventListener('change', ({ target }) => {
  if (target.dataset.all === undefined) return;
  for (const box of target.closest('form').querySelectorAll('input[type=checkbox][name=order]')) box.checked = target.checked;
});

/** What happens, the newest first. Somebody who reads further down is not moved: a button says how much is new. */
function listen() {
  const list = document.querySelector('[data-stream]');
  if (list === null) return;
  const fresh = document.getElementById('fresh');
  let waiting = [];
  let stream = null;
  const show = () => {
    document.getElementById('quiet')?.remove();
    list.insertAdjacentHTML('afterbegin', waiting.toReversed().join(''));
    waiting = [];
    fresh.hidden = true;
    while (list.children.length > 500) list.lastElementChild.remove();
  };
  const take = (markup) => {
    waiting.push(markup);
    if (scrollY < 80) return show();
    fresh.hidden = false;
    fresh.querySelector('span').textContent = waiting.length;
  };
  const open = () => {
    if (document.hidden || stream !== null) return;
    stream = new EventSource(list.dataset.stream);
    stream.addEventListener('line', ({ data }) => take(JSON.parse(data).markup));
    stream.addEventListener('note', ({ data }) => {
      const note = document.createElement('li');
      note.textContent = JSON.parse(data).words;
      take(note.outerHTML);
    });
    goOn(stream, again);
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  const again = () => {
    close();
    open();
  };
  fresh.addEventListener('click', () => {
    show();
    scrollTo({ top: 0 });
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  open();
}

follow();
listen();
