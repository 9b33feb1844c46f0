/** Proves that hiding and scanning work, with a generated secret that is processed like any other. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Protection, type ProtectionOptions } from './hide-in-exchange.ts';
import { scanForLeaks } from './scan.ts';

/** The entry of a receipt for a successful canary. */
export const CANARY_FOUND = 'found before redaction, gone after';

/** The prefix of the canary’s temporary folder; a killed recorder may leave one behind. */
export const CANARY_LANE = '.canary-';

/** The size of the chunks of the streamed body: the secret crosses their boundaries. */
const CHUNK = 7;

const hexPairs = (bytes: Buffer): string[] => bytes.toString('hex').match(/../g) ?? [];

/** Bodies that contain a secret in different encodings. */
function bodiesOf(secret: string): string[] {
  const base64 = [Buffer.from('readable'), Buffer.from(secret, 'utf16le'), Buffer.from(secret, 'utf16le')].map((each) =>
    each.toString('base64'),
  );
  return [
    secret,
    `http://upstream.invalid/x?a=${encodeURIComponent(secret)}`,
    Buffer.from(`user:${secret}`).toString('base64'),
    Buffer.from(secret).toString('base64').replace(/.{16}/g, '$&\r\n'),
    // Behind other base64, and again behind itself.
    JSON.stringify(base64),
    hexPairs(Buffer.from(secret)).join(''),
    hexPairs(Buffer.from(secret, 'utf16le')).join(':'),
    secret.replaceAll('/', '&#x2F;'),
    secret.replaceAll('/', '\\057'),
  ].map((each) => JSON.stringify({ note: 'a canary: not a real secret', body: each }));
}

/** The body after `Protection.stream`. */
function hideInChunks(protection: Protection, bytes: Buffer): Buffer {
  const hide = protection.stream({ side: 'response' });
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) out.push(...hide(bytes.subarray(at, at + CHUNK)));
  return Buffer.concat([...out, ...hide()]);
}

/**
 * Writes a known secret in several forms into a folder, first raw, then hidden, and scans both.
 * @param folder the folder of the recording; a temporary folder is created in it and removed again
 * @param options those of the recording
 * @throws Error when the scan misses the raw secret, or finds the hidden one
 * @example receipt.canary = await tryCanary('recordings/acme', protectionOf(profile))
 */
export async function tryCanary(folder: string, options: ProtectionOptions = {}): Promise<typeof CANARY_FOUND> {
  const secret = `c4nary/${randomBytes(12).toString('base64url')}"+x`;
  const declared = [...(options.declared ?? []), { name: 'canary', value: secret }];
  const protection = new Protection({ ...options, declared });
  const temporary = await mkdtemp(join(folder, CANARY_LANE));
  /** In how many files with these contents the scan finds the secret. */
  const found = async (contents: readonly Buffer[]): Promise<number> => {
    await Promise.all(contents.map((each, at) => writeFile(join(temporary, `${at}.json`), each)));
    const { leaks } = await scanForLeaks(temporary, protection.registry);
    return new Set(leaks.flatMap(({ name, file }) => (name === 'canary' ? [file] : []))).size;
  };
  try {
    const bodies = bodiesOf(secret).map((each) => Buffer.from(each));
    if ((await found(bodies)) < bodies.length)
      throw new Error('the scan for secrets is broken: it does not find a test secret');
    const hidden = bodies.map((each) => protection.bytes(each, { side: 'response' }));
    if ((await found(hidden)) > 0 || (await found(bodies.map((each) => hideInChunks(protection, each)))) > 0)
      throw new Error('hiding secrets is broken: a test secret was written');
    return CANARY_FOUND;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
