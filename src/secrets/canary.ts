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

const body = (secret: string): string =>
  JSON.stringify({
    note: 'a canary: not a real secret',
    raw: secret,
    quoted: `"${secret}"`,
    link: `http://upstream.invalid/x?a=${encodeURIComponent(secret)}`,
    basic: Buffer.from(`user:${secret}`).toString('base64'),
    hex: Buffer.from(secret).toString('hex'),
    html: secret.replaceAll('/', '&#x2F;'),
    // Behind other base64, and again behind itself.
    utf16: [Buffer.from('readable'), Buffer.from(secret, 'utf16le'), Buffer.from(secret, 'utf16le')].map((each) =>
      each.toString('base64'),
    ),
    mail: Buffer.from(secret).toString('base64').replace(/.{16}/g, '$&\r\n'),
  });

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
  const file = join(temporary, 'body');
  const found = async (bytes: Buffer): Promise<boolean> => {
    await writeFile(file, bytes);
    const { leaks } = await scanForLeaks(temporary, protection.registry);
    return leaks.some((each) => each.name === 'canary');
  };
  try {
    const bytes = Buffer.from(body(secret));
    if (!(await found(bytes))) throw new Error('the scan for secrets is broken: it does not find a test secret');
    const hiddenBytes = Buffer.from(protection.text(bytes.toString(), { side: 'response' }));
    if ((await found(hiddenBytes)) || (await found(hideInChunks(protection, bytes))))
      throw new Error('hiding secrets is broken: a test secret was written');
    return CANARY_FOUND;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
