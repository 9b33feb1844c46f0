/** A replay gives a client byte for byte what the gateway gave it, Date and the bounds of chunks aside. */
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import { gatewayTo, serveRaw } from '../gateway/servers.test.support.ts';
import { exchangeBytes, normalised } from './raw.test.support.ts';
import { startReplay } from './replay.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
const CLOSE = 'Connection: close\r\n\r\n';

/** An answer with a length; `lines` each end in a line break. */
const answer = (lines: string, body: Buffer | string, status = '200 OK'): Buffer => {
  const bytes = typeof body === 'string' ? latin(body) : body;
  return Buffer.concat([latin(`HTTP/1.1 ${status}\r\n${lines}Content-Length: ${bytes.length}\r\n${CLOSE}`), bytes]);
};
const chunked = (lines: string, parts: readonly string[], behind = ''): Buffer => {
  const chunks = parts.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('');
  return latin(`HTTP/1.1 200 OK\r\n${lines}Transfer-Encoding: chunked\r\n${CLOSE}${chunks}0\r\n${behind}\r\n`);
};
const TEXT = 'Content-Type: text/plain\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const cut = (bytes: Buffer | string) => (socket: Socket) => {
  socket.write(typeof bytes === 'string' ? latin(bytes) : bytes, () => setTimeout(() => socket.destroy(), 30));
};

/** Says the header lines of the request that begin with `x-`. */
const echoHead = (socket: Socket, _: string, asked: Buffer): void => {
  const lines = asked.toString('latin1').match(/^x-.*$/gim) ?? [];
  socket.write(answer(TEXT, lines.join('|')));
};

interface Case {
  /** Bytes, or what is done to the connection; `own`: the upstream’s origin. */
  readonly says: Buffer | ((socket: Socket, own: string, asked: Buffer) => void);
  /** The request’s head without Host; default a GET. */
  readonly head?: string;
  readonly body?: Buffer;
  /** What the client gets through the gateway, where that is worth spelling out. */
  readonly gets?: string;
}

const coded = (coding: string, compress: (bytes: Buffer) => Buffer): Case => ({
  says: (socket, own) => {
    socket.write(answer(`${JSON_TYPE}Content-Encoding: ${coding}\r\n`, compress(latin(`{"next":"${own}/x"}`))));
  },
});

const CASES: Record<string, Case> = {
  'header lines: order, case, duplicates, empty, Latin-1': {
    says: answer(`X-A: 1\r\nx-a: 2\r\nB:\r\nX-L: caf\xe9\r\nX-A: 3\r\n${TEXT}`, 'hi'),
    gets: `HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nB: \r\nX-L: caf\xe9\r\nX-A: 3\r\n${TEXT}Content-Length: 2\r\n${CLOSE}hi`,
  },
  'an odd status without a reason': { says: answer('', 'x', '299 ') },
  'obs-text in the reason phrase and in values': {
    says: answer(`X-L: \x80\xff\xe9\r\n${TEXT}`, 'hi', '200 Tr\xe8s \x80\xff bien'),
    gets: `HTTP/1.1 200 Tr\xe8s \x80\xff bien\r\nX-L: \x80\xff\xe9\r\n${TEXT}Content-Length: 2\r\n${CLOSE}hi`,
  },
  'obs-text before a body in chunks, and where there is none': {
    says: chunked('X-L: caf\xe9\r\n', ['abc']),
    gets: `HTTP/1.1 200 OK\r\nX-L: caf\xe9\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nabc[end]\r\n`,
  },
  'obs-text in the head of an answer without a body': {
    says: latin(`HTTP/1.1 204 D\xe9j\xe0\r\nX-L: \xe9\r\n${CLOSE}`),
    gets: `HTTP/1.1 204 D\xe9j\xe0\r\nX-L: \xe9\r\n${CLOSE}`,
  },
  'two equal lengths': {
    says: latin(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${TEXT}content-length: 5\r\n${CLOSE}12345`),
    gets: `HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${TEXT}${CLOSE}12345`,
  },
  'equal lengths in one line': {
    says: latin(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 5, 05,5\r\n${CLOSE}12345`),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 5\r\n${CLOSE}12345`,
  },
  'lengths that differ': {
    says: latin(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 5\r\nContent-Length: 6\r\n${CLOSE}123456`),
    gets: '',
  },
  'a head byte by byte': {
    says: (socket) => {
      socket.setNoDelay();
      for (const byte of answer(`X-L: \xe9\r\nContent-Length: 2\r\n${TEXT}`, 'hi', '200 \xe9'))
        socket.write(Buffer.of(byte));
    },
    gets: `HTTP/1.1 200 \xe9\r\nX-L: \xe9\r\nContent-Length: 2\r\n${TEXT}${CLOSE}hi`,
  },
  'a body that reads like a head': {
    says: answer(TEXT, 'Content-Length: 1\r\nContent-Length: 2\r\n\r\n'),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 40\r\n${CLOSE}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  },
  'a body of all bytes': { says: answer('Content-Type: image/png\r\n', ALL_BYTES) },
  'a body of all bytes and no type': { says: answer('', ALL_BYTES) },
  'a long body of all bytes': { says: answer('', Buffer.concat(Array.from({ length: 400 }, () => ALL_BYTES))) },
  'text in Latin-1': { says: answer('Content-Type: text/plain; charset=iso-8859-1\r\n', 'caf\xe9') },
  'a long text': { says: answer(TEXT, 'a row\n'.repeat(20_000)) },
  'HEAD with a length': {
    head: 'HEAD / HTTP/1.1\r\n',
    says: latin(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 12345\r\n${CLOSE}`),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 12345\r\n${CLOSE}`,
  },
  '204': { says: latin(`HTTP/1.1 204 No Content\r\nX: 1\r\n${CLOSE}`) },
  '204 with a body': {
    says: latin(`HTTP/1.1 204 No Content\r\nX: 1\r\n${CLOSE}body`),
    gets: `HTTP/1.1 204 No Content\r\nX: 1\r\n${CLOSE}`,
  },
  'HEAD with a body': {
    head: 'HEAD / HTTP/1.1\r\n',
    says: latin(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 4\r\n${CLOSE}body`),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 4\r\n${CLOSE}`,
  },
  'chunks with extensions': {
    says: latin(`HTTP/1.1 200 OK\r\n${TEXT}Transfer-Encoding: chunked\r\n${CLOSE}3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n`),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nabc[end]\r\n`,
  },
  '304 with a length': { says: latin(`HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 99\r\n${CLOSE}`) },
  'interim answers': {
    says: Buffer.concat([
      latin('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\nX-H: 1\r\n\r\n'),
      latin('HTTP/1.1 102 Processing\r\n\r\n'),
      answer(TEXT, 'x'),
    ]),
    gets: `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nX-H: 1\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n${TEXT}Content-Length: 1\r\n${CLOSE}x`,
  },
  'an interim answer, then nothing': { says: cut('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n') },
  'chunks and trailers': {
    says: chunked('Trailer: X-Sum\r\n', ['abc', 'de'], 'X-Sum: 9\r\n'),
    gets: `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nabcde[end]x-sum: 9\r\n\r\n`,
  },
  'chunks and trailers for HTTP/1.0': {
    head: 'GET / HTTP/1.0\r\n',
    says: chunked('Trailer: X-Sum\r\n', ['abc'], 'X-Sum: 9\r\n'),
    gets: 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc',
  },
  'chunks with nothing in them': { says: chunked(JSON_TYPE, []) },
  'a body that ends with its connection': { says: (socket) => void socket.end(`HTTP/1.0 200 OK\r\n${TEXT}\r\nabc`) },
  'a redirect': {
    says: (socket, own) => void socket.write(answer(`Location: ${own}/there\r\n`, '', '302 Found')),
    gets: `HTTP/1.1 302 Found\r\nLocation: http://HOST/there\r\nContent-Length: 0\r\n${CLOSE}`,
  },
  'its own origin in texts': {
    says: (socket, own) =>
      void socket.write(answer('Content-Type: text/csv\r\nETag: "1"\r\n', `a,next\n1,${own}/x\n2,"${own}/y"\n`)),
  },
  'a part of a text': { says: answer(`${TEXT}Content-Range: bytes 0-3/9\r\n`, 'abcd', '206 Partial Content') },
  gzip: coded('gzip', gzipSync),
  br: coded('br', brotliCompressSync),
  deflate: coded('deflate', deflateSync),
  zstd: coded('zstd', zstdCompressSync),
  'a coding it only claims': { says: answer(`Content-Encoding: gzip\r\n${TEXT}`, 'no such thing') },
  'coded nothing': { says: answer('Content-Encoding: gzip\r\n', gzipSync('')) },
  'a reset at once': { says: (socket) => void socket.resetAndDestroy(), gets: '' },
  'a cut behind the head': { says: cut(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 10\r\n\r\n`) },
  'a cut in a body': {
    says: cut(`HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 10\r\n\r\nabc`),
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 10\r\n${CLOSE}abc`,
  },
  'a cut in chunks, where an origin may begin': {
    says: cut(`HTTP/1.1 200 OK\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n10\r\n{"next":"http://\r\n`),
    gets: `HTTP/1.1 200 OK\r\n${JSON_TYPE}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{"next":"http://`,
  },
  'a cut in a long body': {
    says: cut(Buffer.concat([latin('HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n'), Buffer.alloc(200_000, 7)])),
  },
  'a cut in a coded body': {
    says: cut(
      Buffer.concat([
        latin('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 400000\r\n\r\n'),
        gzipSync(Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * at) % 251))).subarray(0, -20),
      ]),
    ),
  },
  'two hundred kilobytes of head': {
    says: answer(`X-Big: ${'a'.repeat(120_000)}\r\nX-Two: ${'b'.repeat(80_000)}\r\n`, 'x'),
  },
  'another method': { head: 'PROPFIND /x HTTP/1.1\r\n', says: answer(TEXT, 'x') },
  'a target of odd spelling': {
    head: 'GET /a//b/../%zz?x=1&x=2&=%&q=\'"<>| HTTP/1.1\r\n'.replaceAll('|', '%7c'),
    says: answer(TEXT, 'x'),
  },
  'a body of all bytes on its way up': {
    head: `POST /x HTTP/1.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 256\r\n`,
    body: ALL_BYTES,
    says: answer(TEXT, 'x'),
  },
  'a long body on its way up': {
    head: 'PUT /x HTTP/1.1\r\nContent-Length: 1500000\r\n',
    body: Buffer.alloc(1_500_000, 'x'),
    says: answer(TEXT, 'x'),
  },
  'a form in parts on its way up': {
    head: 'POST /x HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=z\r\nContent-Length: 60\r\n',
    body: latin('--z\r\nContent-Disposition: form-data; name="f"\r\n\r\n\0\xff\r\n--z--\r\n'),
    says: answer(TEXT, 'x'),
  },
  'chunks with extensions and trailers on their way up': {
    head: 'POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n',
    body: latin('3;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n'),
    says: answer(TEXT, 'x'),
  },
  'obs-text on its way up': {
    head: 'GET /x HTTP/1.1\r\nX-L: caf\xe9 \x80\r\n',
    says: echoHead,
    gets: `HTTP/1.1 200 OK\r\n${TEXT}Content-Length: 11\r\n${CLOSE}X-L: caf\xe9 \x80`,
  },
  'a body that is announced': {
    head: 'POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n',
    body: latin('a'),
    says: answer(TEXT, 'x'),
    gets: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${TEXT}Content-Length: 1\r\n${CLOSE}x`,
  },
};

test.each(Object.entries(CASES))('%s', async (_, { says, head = 'GET / HTTP/1.1\r\n', body, gets }) => {
  let own = '';
  own = await serveRaw((socket, asked) => (Buffer.isBuffer(says) ? socket.write(says) : says(socket, own, asked)));
  const gateway = await gatewayTo(own);
  const asked = ({ port }: { readonly port: number }): Buffer =>
    Buffer.concat([latin(`${head}Host: 127.0.0.1:${port}\r\n${CLOSE}`), body ?? Buffer.alloc(0)]);
  const live = normalised(await exchangeBytes(gateway.port, asked(gateway)), gateway.port);
  await gateway.close();
  const replay = await startReplay({ recording: openRecording(dirname(gateway.folder), 'test') });
  onTestFinished(() => replay.close());
  const again = normalised(await exchangeBytes(replay.port, asked(replay)), replay.port);
  expect(again).toBe(live);
  if (gets !== undefined) expect(live).toBe(gets);
});
