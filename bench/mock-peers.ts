/** Mock servers beside replay: Mockoon, msw behind its HTTP middleware, and json-server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type PeerKind, startAt } from './peer-process.ts';
import { isJson } from './replay-cases.ts';

const binOf = (modules: string, name: string): string => {
  const { bin } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  return join(modules, name, typeof bin === 'string' ? bin : (Object.values(bin)[0] as string));
};

/** A route for each request; it does not look at the body of a request. */
export const MOCKOON: PeerKind = {
  packages: ['@mockoon/cli'],
  async start(modules, work, pairs) {
    const port = await freePort();
    const routes = pairs.map(({ request, body, headers }, at) => ({
      uuid: `route-${at}`,
      type: 'http',
      method: request.method.toLowerCase(),
      endpoint: request.target.slice(1),
      responseMode: null,
      responses: [
        {
          uuid: `response-${at}`,
          body,
          statusCode: 200,
          headers: headers.filter(([name]) => name !== 'Content-Length').map(([key, value]) => ({ key, value })),
          bodyType: 'INLINE',
          disableTemplating: true,
          default: true,
          rules: [],
        },
      ],
    }));
    const file = join(work, 'environment.json');
    const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }));
    const environment = {
      uuid: 'bench',
      lastMigration: 33,
      name: 'bench',
      port,
      hostname: '127.0.0.1',
      rootChildren,
      routes,
    };
    writeFileSync(file, JSON.stringify(environment));
    const options = ['--repair', '--disable-log-to-file', '--max-transaction-logs', '1'];
    const args = [binOf(modules, '@mockoon/cli'), 'start', '--data', file, '--port', String(port), ...options];
    return startAt(port, process.execPath, args, pairs);
  },
};

/** A handler for each request, in Express. */
export const MSW: PeerKind = {
  packages: ['msw', '@mswjs/http-middleware'],
  async start(modules, work, pairs) {
    const port = await freePort();
    writeFileSync(join(work, 'pairs.json'), JSON.stringify(pairs));
    const file = join(modules, '../msw-server.mjs');
    const source = `
import { readFileSync } from 'node:fs';
import { createServer } from '@mswjs/http-middleware';
import { HttpResponse, http } from 'msw';
const pairs = JSON.parse(readFileSync(${JSON.stringify(join(work, 'pairs.json'))}, 'utf8'));
const handlers = pairs.map(({ request: { method, target }, body, headers }) =>
  http[method.toLowerCase()](target, () => new HttpResponse(body, { headers })));
createServer(...handlers).listen(${port}, '127.0.0.1');
`;
    writeFileSync(file, source);
    return startAt(port, process.execPath, [file], pairs);
  },
};

/** Rows of a database in memory by their ids. It writes JSON in its own form, and a POST would add a row. */
export const JSON_SERVER: PeerKind = {
  packages: ['json-server'],
  serves: (each) => isJson(each) && each.requests[0]?.method === 'GET',
  async start(modules, work, pairs) {
    const port = await freePort();
    const tables = Map.groupBy(pairs, ({ request }) => request.target.split('/')[1] as string);
    const rowsOf = (each: typeof pairs) =>
      each.map(({ request, body }) => ({ id: Number(request.target.split('/')[2]), ...JSON.parse(body) }));
    const file = join(work, 'db.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries([...tables].map(([name, each]) => [name, rowsOf(each)]))));
    return startAt(
      port,
      process.execPath,
      [binOf(modules, 'json-server'), file, '--port', String(port), '--quiet'],
      pairs,
    );
  },
};
