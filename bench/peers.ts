/** Test runners that a run is compared with: each sends the same requests, one after another, and checks nothing. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request as it was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export interface Peer {
  readonly name: string;
  /** Arguments of Node. */
  readonly command: readonly string[];
}

const isContentType = ([name]: readonly [string, string]): boolean => name === 'content-type';

/** An Arazzo workflow of the requests, and the OpenAPI description that Arazzo demands, without an operation. */
function arazzoOf(sent: readonly SentRequest[], description: string) {
  const steps = sent.map(({ method, url, headers, body }, at) => {
    const contentType = headers.find(isContentType)?.[1] ?? '';
    return {
      stepId: `request-${at}`,
      'x-operation': { url, method: method.toLowerCase() },
      parameters: headers
        .filter((line) => !isContentType(line))
        .map(([name, value]) => ({ in: 'header', name, value })),
      ...(body !== undefined && {
        requestBody: { contentType, payload: contentType.endsWith('json') ? JSON.parse(body) : body },
      }),
    };
  });
  const info = { title: 'The requests of a run', version: '1.0.0' };
  return {
    description: { openapi: '3.1.0', info, paths: {} },
    workflow: {
      arazzo: '1.0.1',
      info,
      sourceDescriptions: [{ name: 'service', type: 'openapi', url: description }],
      workflows: [{ workflowId: 'run', steps }],
    },
  };
}

/** A Postman collection of the requests. */
const collectionOf = (sent: readonly SentRequest[]) => ({
  info: {
    name: 'The requests of a run',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: sent.map(({ method, url, headers, body }, at) => ({
    name: String(at),
    request: {
      method,
      url,
      header: headers.map(([key, value]) => ({ key, value })),
      ...(body !== undefined && { body: { mode: 'raw', raw: body } }),
    },
  })),
});

/** Installs Redocly respect and Newman in a folder and writes the requests in their formats. Throws if npm cannot install them. */
export function installPeers(folder: string, sent: readonly SentRequest[]): Peer[] {
  const write = (name: string, content: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  write('package.json', { private: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '@redocly/cli', 'newman'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { description, workflow } = arazzoOf(sent, 'service.json');
  write('service.json', description);
  const modules = join(folder, 'node_modules');
  return [
    {
      name: 'Redocly respect',
      command: [join(modules, '@redocly/cli/bin/cli.js'), 'respect', write('run.arazzo.json', workflow)],
    },
    {
      name: 'Newman',
      command: [join(modules, 'newman/bin/newman.js'), 'run', write('collection.json', collectionOf(sent)), '--silent'],
    },
  ];
}
