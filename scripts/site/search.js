// Finds sections that have every word; those with the words in their headings come first. The index is loaded at the first use.
const field = document.getElementById('search');
const found = document.getElementById('found');
const { root } = field.dataset;

field.addEventListener('focus', load, { once: true });
field.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && event.target !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') found.replaceChildren();
});

function load() {
  const script = document.createElement('script');
  script.src = `${root}/search-index.js`;
  script.addEventListener('load', show);
  document.head.append(script);
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : (window.sections ?? []).map((section) => ({ section, rank: rankOf(section, words) })).filter(({ rank }) => rank > 0);
  hits.sort((a, b) => b.rank - a.rank);
  found.replaceChildren(...hits.slice(0, 20).map(({ section }) => itemOf(section, words)));
}

function rankOf({ page, heading, text }, words) {
  const [title, body] = [`${page} ${heading}`.toLowerCase(), text.toLowerCase()];
  if (!words.every((word) => title.includes(word) || body.includes(word))) return 0;
  return 1 + words.filter((word) => title.includes(word)).length * 10 + words.filter((word) => heading.toLowerCase() === word).length * 10;
}

function itemOf({ page, heading, at, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}/${at}`;
  link.textContent = page === heading ? page : `${page}: ${heading}`;
  const from = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
  const part = document.createElement('small');
  part.textContent = text.slice(from, from + 140);
  item.append(link, part);
  return item;
}
