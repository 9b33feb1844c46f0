// Sends the requests of a JSON file one after another, reads every body and drops it: node plain-script.mjs FILE
// A file of its own in plain JavaScript, so that it loads nothing but undici.
import { readFileSync } from 'node:fs';
import { request } from 'undici';

for (const { method, url, headers, body = null } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const response = await request(url, { method, headers: headers.flat(), body });
  await response.body.dump({ limit: Number.MAX_SAFE_INTEGER });
}
