/** Folders and servers that end with the test that needs them. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder, which is removed at the end of the test. @param atEnd `afterAll` for one of all tests of a file */
export function newFolder(atEnd: (remove: () => void) => unknown = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets a server listen until the end of the test. Returns its address. */
export async function listen(server: Server | HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
