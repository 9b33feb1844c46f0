// What an owner of a node:http client writes to replay a recording of ours through stock Polly; run where the package is installed.
import assert from 'node:assert/strict';
import http from 'node:http';
import NodeHttpAdapter from '@pollyjs/adapter-node-http';
import { Polly } from '@pollyjs/core';
import { pollySettings, restoreBodies } from 'mdwi-conformance/polly';

const folder = process.argv[2];
const polly = new Polly('main', { ...pollySettings(folder), adapters: [NodeHttpAdapter], logLevel: 'silent' });
restoreBodies(polly, folder);

const get = (url) =>
  new Promise((resolve, reject) => {
    const request = http.get(url, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') });
    });
    request.on('error', reject);
  });

// A host that does not exist: whatever answers is the recording.
const { status, text } = await get('http://service.invalid/PLATFORMAPI/prodRef/v1/allCategories');
assert.equal(status, 200);
assert.ok(JSON.parse(text));
assert.ok(!text.includes('upstream.invalid'));
await assert.rejects(get('http://service.invalid/never/recorded'));
await polly.stop();
console.log(`stock Polly replays ${folder}: ${text.length} characters of categories`);
