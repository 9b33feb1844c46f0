/** The handler of one response against real sockets. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../resources.test.support.ts';
import { ResponseHandler } from './response-handler.ts';

/** Sends a GET to a server that responds with `respond`; returns the handler and the socket of the server. */
async function request(respond: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => respond(socket));
  });
  const pool = new Pool(await listen(server));
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  onTestFinished(() => pool.destroy());
  const response = new ResponseHandler();
  pool.dispatch({ method: 'GET', path: '/' }, response);
  return { response, pool, socket: (await accepted)[0] };
}

async function read(response: ResponseHandler): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of response.chunks()) parts.push(chunk);
  return Buffer.concat(parts).toString('latin1');
}

test.each(['Content-Length: 4 ', 'content-length:4  ', 'Transfer-Encoding: chunked '])(
  'whitespace after the value of %j is no part of it',
  async (line) => {
    const body = line.startsWith('T') ? '4\r\nbody\r\n0\r\n\r\n' : 'body';
    const { response } = await request((socket) => socket.write(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n${body}`));
    expect((await response.head).headers[0]?.[1]).toBe(line.replace(/^.*?: ?/, '').trim());
    expect([await read(response), await response.next()]).toEqual(['body', undefined]);
  },
);

test('abort closes the connection and rejects what waits; on a complete response it does nothing', async () => {
  const first = await request(() => undefined);
  const error = new Error('stop');
  first.response.abort(error);
  await expect(first.response.head).rejects.toBe(error);
  await once(first.socket, 'close');
  const second = await request((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  await second.response.head;
  expect(await read(second.response)).toBe('ok');
  second.response.abort(error);
  expect(await second.response.next()).toBeUndefined();
});

test('a request that is aborted before it starts is never sent', async () => {
  let sent = false;
  const { pool } = await request((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  const response = new ResponseHandler();
  const error = new Error('stop');
  response.abort(error);
  await expect(response.head).rejects.toBe(error);
  const onRequestSent = () => {
    sent = true;
  };
  pool.dispatch({ method: 'GET', path: '/never' }, Object.assign(response, { onRequestSent }));
  const next = new ResponseHandler();
  pool.dispatch({ method: 'GET', path: '/next' }, next);
  await next.head.catch(() => undefined);
  expect(sent).toBe(false);
});
