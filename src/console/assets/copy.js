// A convenience: without it what is to be copied is selected by one press.

const { copy, copied } = document.currentScript.dataset;

function offer(text) {
  if (text.nextElementSibling?.matches('button.copy')) return;
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'plain copy', textContent: copy });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = copied;
  });
  text.after(' ', button);
}

// Browsers let nobody copy where the way is not encrypted.
if (navigator.clipboard !== undefined) {
  const offerAll = () => document.querySelectorAll('pre.secret, .copy:not(button)').forEach(offer);
  offerAll();
  // Parts of the page are renewed while somebody looks.
  for (const part of document.querySelectorAll('[data-live]')) new MutationObserver(offerAll).observe(part, { childList: true });
}
