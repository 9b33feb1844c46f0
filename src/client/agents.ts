/** The undici agents a source sends with. */
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import type { WireRequest } from '../exchange/types.ts';
import { connector } from '../exchange/wire/connection.ts';
import { ProfileError } from '../profile/profile-error.ts';
import type { ClientAuth, ClientCertificate } from './credentials.ts';

/** The document sets no limit to headers; this one keeps a hostile server from filling memory. */
const MAX_HEADER_BYTES = 256 * 1024;

function readPem(what: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ProfileError(`the ${what} file of the profile’s mtls auth cannot be read: ${(error as Error).message}`);
  }
}

const materialOf = ({ cert, key, ca, passphrase }: ClientCertificate) => ({
  cert: readPem('cert', cert),
  key: readPem('key', key),
  ca: ca === undefined ? undefined : readPem('ca', ca),
  passphrase,
});

/**
 * Three agents: `kept` reuses connections, `fresh` opens one for each request, `plain` never shows a client certificate.
 * A POST always goes out fresh: were it to meet the keep-alive race it could not be repeated, and the server would be
 * accused of a reset it is allowed.
 */
export function createAgents(auth: readonly ClientAuth[], timeoutMs: number) {
  const certificate = auth.find((each) => each.scheme === 'mtls');
  const create = (pipelining: 0 | 1, tls: object = {}) =>
    new Agent({
      connect: connector({ ...tls, timeout: timeoutMs }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining,
    });
  const material: ReturnType<typeof materialOf> | undefined = certificate && materialOf(certificate);
  const kept = create(1, material);
  const fresh = create(0, material);
  // A client certificate is a credential: anonymous requests and redirects to another origin go without it.
  const plain = certificate ? create(0, material?.ca && { ca: material.ca }) : fresh;
  const pick = (request: WireRequest, anew: boolean): Agent => {
    if (certificate && request.anonymous) return plain;
    return !anew && (request.method === 'GET' || request.method === 'HEAD') ? kept : fresh;
  };
  return {
    plain,
    for: pick,
    close: async () => {
      await Promise.all([...new Set([kept, fresh, plain])].map((each) => each.destroy()));
    },
  };
}
