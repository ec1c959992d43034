// A convenience: without it what is to be copied is selected by one press.

const { copy, copied } = document.currentScript.dataset;

/** What is renewed while somebody looks stays as it came. */
function offer(text) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'plain copy', textContent: copy });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = copied;
  });
  text.after(' ', button);
}

// Browsers let nobody copy where the way is not encrypted.
if (navigator.clipboard !== undefined) for (const one of document.querySelectorAll('pre.secret, code.copy')) if (!one.closest('[data-live]')) offer(one);
