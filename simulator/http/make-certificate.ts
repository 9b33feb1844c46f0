import { isWildcard, machineHosts } from './hosts.ts';
import type { Certificate } from './local-server.ts';

/** The optional package that makes certificates is missing. */
export class MissingCertificateMaker extends Error {
  override readonly name = 'MissingCertificateMaker';
}

const DAY_MS = 86_400_000;

/**
 * Makes a certificate for the names of the loopback interface and, if the server listens elsewhere, of the machine. It signs
 * itself and is valid for a week.
 * @throws MissingCertificateMaker if the package `selfsigned` is not installed
 */
export async function makeCertificate(host?: string): Promise<Certificate> {
  const selfsigned = await import('selfsigned').catch(() => {
    throw new MissingCertificateMaker(
      'TLS without a certificate of your own needs the package selfsigned: npm install --save-dev selfsigned',
    );
  });
  const names = ['localhost', '127.0.0.1', '::1', ...(host === undefined ? [] : [host, ...machineHosts(host)])];
  const altNames = [...new Set(names.map((name) => name.replace(/^\[|\]$/g, '')))]
    .filter((name) => !isWildcard(name))
    .map((name) => (/^[\d.]+$|:/.test(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name }));
  const made = await selfsigned.default.generate([{ name: 'commonName', value: 'mdwi simulator' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 7 * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { cert: made.cert, key: made.private };
}
