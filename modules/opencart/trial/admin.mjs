// The administration of a shop of shop.sh, as a browser would use it:
// node admin.mjs http://127.0.0.1:8083/ VERSION (install ZIP | connect CODE | press BUTTON | uninstall | delete ORDER | tab ORDER)
import { readFileSync } from 'node:fs';

const [, , shop, version, act, argument] = process.argv;
const isFour = version === '4';
const own = isFour ? 'extension/orderbridge/module/orderbridge' : 'extension/module/orderbridge';
const cookies = new Map();
let token = '';

async function get(route, more = {}, form) {
  const url = new URL('admin/index.php', shop);
  for (const [name, value] of Object.entries({ route, ...(token === '' ? {} : { user_token: token }), ...more })) url.searchParams.set(name, value);
  return load(url, form);
}

async function load(url, form) {
  const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), 'user-agent': 'trial' };
  const answer = await fetch(url, { headers, redirect: 'manual', ...(form === undefined ? {} : { method: 'POST', body: form }) });
  for (const cookie of answer.headers.getSetCookie()) {
    const [name, value] = cookie.split(';')[0].split('=');
    cookies.set(name, value);
  }
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

async function signIn() {
  const form = new URLSearchParams({ username: 'admin', password: 'admin-trial-1' });
  if (isFour) {
    const page = await get('common/login');
    const [, login_token] = /login_token=(\w+)/.exec(page.text) ?? [];
    const { text } = await get('common/login.login', { login_token }, form);
    [, token] = /user_token=(\w+)/.exec(text) ?? [];
  } else {
    await get('common/login');
    const { location } = await get('common/login', {}, form);
    [, token] = /user_token=(\w+)/.exec(location ?? '') ?? [];
  }
  if (!token) throw new Error('nobody was signed in');
}

/** Uploads a zip, then follows the installer from step to step. */
async function upload(zip) {
  const form = new FormData();
  form.set('file', new File([readFileSync(zip)], 'orderbridge.ocmod.zip', { type: 'application/zip' }));
  let said = JSON.parse((await get(isFour ? 'marketplace/installer.upload' : 'marketplace/installer/upload', {}, form)).text);
  if (isFour && said.success) {
    const { text } = await get('marketplace/installer.list');
    const [, id] = [...text.matchAll(/installer\.install[^"]*extension_install_id=(\d+)/g)].at(-1) ?? [];
    said = JSON.parse((await get('marketplace/installer.install', { extension_install_id: id })).text);
  }
  while (said.next) said = JSON.parse((await load(said.next.replaceAll('&amp;', '&'))).text);
  if (said.error) throw new Error(said.error);
  return said;
}

async function module(what) {
  const { text } = isFour
    ? await get(`extension/module.${what}`, { extension: 'orderbridge', code: 'orderbridge' })
    : await get(`extension/extension/module/${what}`, { extension: 'orderbridge' });
  return plain(text).slice(0, 600);
}

/** The settings page's own form, with what it shows, and a button. */
async function press(button, changes = {}) {
  const page = (await get(own)).text;
  const form = new URLSearchParams({ act: button, ...changes });
  for (const [, attributes] of page.matchAll(/<input ([^>]*)>/g)) {
    const [, name] = /name="([^"]*)"/.exec(attributes) ?? [];
    const [, value] = /value="([^"]*)"/.exec(attributes) ?? [];
    const isBox = attributes.includes('type="checkbox"');
    if (name !== undefined && !(name in changes) && (!isBox || attributes.includes(' checked'))) form.append(name, value ?? '');
  }
  const { text } = await get(own, {}, form);
  return [...text.matchAll(/<div class="alert alert-\w+">(.*?)<\/div>/gs)].map(([, alert]) => plain(alert)).join('\n') || plain(text).slice(0, 2000);
}

function plain(html) {
  return html.replace(/<(script|style).*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();
}

await signIn();
const acts = {
  install: async () => [await upload(argument), await module('install')],
  connect: () => press('save', { code: argument, status: '1' }),
  press: () => press(argument),
  uninstall: () => module('uninstall'),
  delete: async () =>
    isFour ? (await get('sale/order.delete', {}, new URLSearchParams({ 'selected[]': argument }))).text : 'in 3.0 by the API: orders.mjs does it',
  tab: async () => {
    const { text } = await get(isFour ? 'sale/order.info' : 'sale/order/info', { order_id: argument });
    const [, tab] = /id="tab-orderbridge"[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
    return tab === undefined ? 'no tab' : plain(tab);
  },
  receipt: async () => {
    const { status, location, text } = await get(`${own}${isFour ? '.' : '/'}receipt`, { order_id: argument });
    return [status, location, plain(text).slice(0, 300)];
  },
  page: async () => (await get(own)).text,
};
const said = await acts[act]();
console.log(typeof said === 'string' ? said : JSON.stringify(said));
