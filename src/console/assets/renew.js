// A convenience: without it the page asks for itself again.

const EVERY_MS = 3_000;

/** Replaces the parts that live by those of the page as it is now; follows it where it leads elsewhere. */
async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (answer.redirected) return location.replace(answer.url);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const now = fresh.getElementById(part.id);
    if (now !== null && now.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.innerHTML = now.innerHTML;
  }
  if (fresh.querySelector('[data-renew]') !== null) setTimeout(again, EVERY_MS);
}

function again() {
  // Nobody looks at it: later.
  if (document.hidden) return void setTimeout(again, EVERY_MS);
  renew().catch(() => setTimeout(again, EVERY_MS));
}

setTimeout(again, EVERY_MS);
