/** Entries of any form: one is refused when the recording is opened, or its response reaches the client. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createLiveSource } from '../../src/client/live-source.ts';
import type { RecordedExchange } from '../../src/recording/format/recorded-exchange.ts';
import { RecordingError } from '../../src/recording/format/schema.ts';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import fc from '../../src/seeded-fast-check.test.support.ts';
import { gatewayTo, sendRequest, serve } from '../gateway/servers.test.support.ts';
import { exchangeBytes } from './raw.test.support.ts';
import { startReplay } from './replay.ts';

async function recorded() {
  const upstream = await serve((_, response) => response.setHeader('content-type', 'text/plain').end('hi'));
  const gateway = await gatewayTo(upstream);
  await sendRequest(`${gateway.url}/x`);
  await gateway.close();
  const lane = readdirSync(gateway.folder).find((each) => each.startsWith('main')) as string;
  return { dir: dirname(gateway.folder), file: join(gateway.folder, lane, 'recording.har') };
}

const text = fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('a\r\nb'));
const NAMES = ['X-A', 'content-length', 'connection', 'trailer', 'transfer-encoding', 'content-encoding'];
const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, text);
const value = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('7', 'close', 'chunked', 'X-A', 'caf\xe9') }, text);
const lines = fc.array(fc.tuple(name, value), { maxLength: 3 });
const extra = fc.record(
  {
    reason: value,
    trailers: lines,
    interim: fc.array(fc.record({ status: fc.integer({ min: 101, max: 200 }), headers: lines }), { maxLength: 2 }),
    failure: fc.constantFrom({ kind: 'reset', message: 'cut', reset: true }, { kind: 'closed', message: 'cut' }),
  },
  { requiredKeys: [] },
);

test('an entry of any form is refused, or replayed', async () => {
  const { dir, file } = await recorded();
  const whole = readFileSync(file, 'utf8');
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 150, max: 1010 }), lines, extra, async (status, headers, members) => {
      const har = JSON.parse(whole);
      const [entry] = har.log.entries;
      entry.response.status = status;
      Object.assign(entry._mdwi, members, { responseHeaders: headers });
      writeFileSync(file, JSON.stringify(har));
      let recording: ReturnType<typeof openRecording>;
      try {
        recording = openRecording(dir, 'test');
      } catch (error) {
        expect(error).toBeInstanceOf(RecordingError);
        return;
      }
      replayed += 1;
      const told: string[] = [];
      const replay = await startReplay({ recording, onMessage: (each) => told.push(each) });
      const request = `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${replay.port}\r\nConnection: close\r\n\r\n`;
      const received = (await exchangeBytes(replay.port, Buffer.from(request))).toString('latin1');
      await replay.close();
      expect(told).toEqual([]);
      // A connection that the service cut may lose its last bytes.
      if (!('failure' in members))
        expect(received.replace(/^(?:HTTP\/1\.1 1\d\d .*?\r\n\r\n)*/s, '').slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    }),
    { numRuns: 500 },
  );
  expect(replayed).toBeGreaterThan(50);
});

test('an internal error of a replay is no response of the service', async () => {
  const { dir } = await recorded();
  const recording = openRecording(dir, 'test');
  const responses = recording.lanes.get('main')?.values().next().value as RecordedExchange[];
  const [first] = responses as [RecordedExchange];
  responses[0] = { ...first, response: { status: 99, reasonPhrase: '', headers: [] } };
  const replay = await startReplay({ recording });
  const source = createLiveSource({});
  const sent = source.send({ method: 'GET', url: `${replay.url}/x`, headers: [] });
  await expect(sent).rejects.toThrow('internal error in the replay: RangeError');
  await source.close();
  await replay.close();
});
