// A convenience: a code does the same.

/** What an authenticator says to the options of the page, as JSON. */
async function answerOf({ passkey, options }) {
  const given = JSON.parse(options);
  const publicKey = passkey === 'create' ? PublicKeyCredential.parseCreationOptionsFromJSON(given) : PublicKeyCredential.parseRequestOptionsFromJSON(given);
  return JSON.stringify(await navigator.credentials[passkey]({ publicKey }));
}

function offer(part) {
  const [press, problem, field] = ['button', '.problem', '[name=passkey]'].map((one) => part.querySelector(one));
  press.addEventListener('click', async () => {
    press.disabled = true;
    problem.hidden = true;
    try {
      field.value = await answerOf(part.dataset);
      // As a press of its button, so that it is sent once; what else could be typed may be empty.
      field.form.noValidate = true;
      field.form.requestSubmit();
      field.form.noValidate = false;
      // Who comes back to the page may send a code.
      field.value = '';
    } catch {
      problem.hidden = false;
    }
    press.disabled = false;
  });
  part.hidden = false;
}

/** Browsers use passkeys only at the host that they were made for. */
function isHere({ options }) {
  const { rp, rpId = rp.id } = JSON.parse(options);
  return rpId === location.hostname;
}

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined)
  for (const part of document.querySelectorAll('[data-passkey]')) if (isHere(part.dataset)) offer(part);
