/** Proving that hiding and scanning work, with a secret of our own that takes the way of all others. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Protection, type ProtectionOptions } from './protection.ts';
import { scanForLeaks } from './scan.ts';

/** What a receipt says of a canary that did its work. */
export const CANARY_FOUND = 'found before redaction, gone after';

/** How the folder it is written to begins; one that stays was left by a recorder that was killed. */
export const CANARY_LANE = '.canary-';

/** Bytes between the beginning of a body and its secret: it straddles the chunks the body comes in. */
const CHUNK = 7;

const body = (secret: string): string =>
  JSON.stringify({
    note: 'a canary: no secret of anyone',
    raw: secret,
    quoted: `"${secret}"`,
    link: `http://upstream.invalid/x?a=${encodeURIComponent(secret)}`,
    basic: Buffer.from(`user:${secret}`).toString('base64'),
    hex: Buffer.from(secret).toString('hex'),
    html: secret.replaceAll('/', '&#x2F;'),
    mail: Buffer.from(secret).toString('base64').replace(/.{16}/g, '$&\r\n'),
  });

/** The body as a stream passes it. */
function streamed(protection: Protection, bytes: Buffer): Buffer {
  const hide = protection.stream({ side: 'response' });
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) out.push(...hide(bytes.subarray(at, at + CHUNK)));
  return Buffer.concat([...out, ...hide()]);
}

/**
 * Writes a known secret in several forms into a folder, raw and then hidden, and has each scanned.
 * @param folder where a recording is written; a folder is made in it and removed again
 * @param options those of the recording
 * @throws Error when the scan misses it before, or finds it after
 * @example receipt.canary = await tryCanary('recordings/acme', protectionOf(profile))
 */
export async function tryCanary(folder: string, options: ProtectionOptions = {}): Promise<typeof CANARY_FOUND> {
  const secret = `c4nary/${randomBytes(12).toString('base64url')}"+x`;
  const declared = [...(options.declared ?? []), { name: 'canary', value: secret }];
  const protection = new Protection({ ...options, declared });
  const nest = await mkdtemp(join(folder, CANARY_LANE));
  const file = join(nest, 'body');
  const found = async (bytes: Buffer): Promise<boolean> => {
    await writeFile(file, bytes);
    const { leaks } = await scanForLeaks(nest, protection.pseudonyms);
    return leaks.some((each) => each.name === 'canary');
  };
  try {
    const bytes = Buffer.from(body(secret));
    if (!(await found(bytes))) throw new Error('the scan for secrets is broken: it does not find a planted one');
    const whole = Buffer.from(protection.text(bytes.toString(), { side: 'response' }));
    if ((await found(whole)) || (await found(streamed(protection, bytes))))
      throw new Error('hiding secrets is broken: a planted one was written');
    return CANARY_FOUND;
  } finally {
    await rm(nest, { recursive: true, force: true });
  }
}
