// Stands between a shop and orderbridge and keeps each request: node recorder.mjs PORT http://127.0.0.1:3000 FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const [, , port, target, folder] = process.argv;
mkdirSync(folder, { recursive: true });
let count = 0;

createServer(async (request, response) => {
  const body = await buffer(request);
  const headers = Object.entries(request.headers).filter(([name]) => /^(content-type|webhook-|user-agent)/.test(name));
  const number = String(++count).padStart(3, '0');
  const kept = { path: request.url, headers, body_base64: body.toString('base64') };
  writeFileSync(`${folder}/${number}.json`, `${JSON.stringify(kept, null, 2)}\n`);
  try {
    const answer = await fetch(new URL(request.url, target), { method: request.method, headers: Object.fromEntries(headers), body });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
  } catch {
    // As if nobody listened.
    request.socket.destroy();
  }
}).listen(Number(port), '127.0.0.1');
