// Takes the pictures of docs/opencart.md in a shop of shop.sh: node picture.mjs http://127.0.0.1:8083/ VERSION OUT.png [ORDER | list]
import { chromium } from 'playwright-core';

const [, , shop, version, out, order] = process.argv;
const separator = version === '4' ? '.' : '/';
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1000 } });
  await page.goto(new URL('admin/', shop).href);
  await page.fill('[name=username]', 'admin');
  await page.fill('[name=password]', 'admin-trial-1');
  await page.click('[type=submit]');
  await page.waitForURL(/user_token=/);
  const token = new URL(page.url()).searchParams.get('user_token');
  const ofOrder = order === 'list' ? 'sale/order' : `sale/order${separator}info`;
  const route = order === undefined ? (version === '4' ? 'extension/orderbridge/module/orderbridge' : 'extension/module/orderbridge') : ofOrder;
  const query = new URLSearchParams({ route, user_token: token, ...(Number(order) > 0 ? { order_id: order } : {}) });
  await page.goto(new URL(`admin/index.php?${query}`, shop).href);
  if (Number(order) > 0) await page.click('a[href="#tab-orderbridge"]');
  // The key of cron is a secret.
  await page.evaluate(() => {
    const field = document.querySelector('#cron_address');
    if (field) field.value = field.value.replace(/key=.*/, 'key=…');
  });
  await page.waitForTimeout(500);
  await page.screenshot({ path: out, ...(order === 'list' ? { clip: { x: 240, y: 80, width: 860, height: 620 } } : {}) });
} finally {
  await browser.close();
}
