/** Creates placeholders for secrets: of the same type and length class, from a name and a number only. */
import { createHash } from 'node:crypto';

const PREFIX = 'mdwi';
/** Up to this length a placeholder is as long as the secret; above it, its length is rounded down to a power of two. */
const MAX_EXACT_LENGTH = 64;
const MAX_LENGTH = 4096;

const camel = (name: string): string =>
  name
    .replace(/\d+/g, '')
    .split(/[^A-Za-z]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, 40) || 'Secret';

/**
 * The plain placeholder of a secret with this name; with a number where several secrets have the name.
 * @example plainPlaceholder('access_token', 2) // 'mdwiAccessToken2'
 */
export const plainPlaceholder = (name: string, number?: number): string => `${PREFIX}${camel(name)}${number ?? ''}`;

/** Matches placeholders of declared secrets and of secrets from clients; those of issued secrets have longer numbers. */
export const CLIENT_SIDE = /(?<![A-Za-z0-9])mdwi[A-Z][A-Za-z]*\d{0,3}(?![A-Za-z0-9])/;

const PLAIN = /^mdwi[A-Z][A-Za-z]*\d*x*$/;
const HEX_OR_UUID = [/^5ec4e7[0-9a-f]{10,}$/i, /^5ec4e700-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/i];
const DIGITS = /^90909\d{8,}$/;

/** Whether a text is certainly a placeholder: no service generates such a value. */
export const isPlainPlaceholder = (text: string): boolean => PLAIN.test(text);

/** Whether a text has the format of any placeholder; for clients that received nothing but placeholders. */
export const looksLikePlaceholder = (text: string): boolean =>
  isPlainPlaceholder(text) || isJwtPlaceholder(text) || [...HEX_OR_UUID, DIGITS].some((each) => each.test(text));

const inBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT_HEAD = inBase64({ alg: 'none', typ: 'JWT' });
/** 2100-01-01: for clients the token is not expired. */
const EXPIRY = 4_102_444_800;

export const isJwtPlaceholder = (text: string): boolean => text.startsWith(`${JWT_HEAD}.`) && text.endsWith('.mdwi');

/** Hex digits that differ from name to name; derived from the name, never from the secret. */
const tagOf = (name: string): string => createHash('sha256').update(name).digest('hex');

function lengthen(text: string, secretLength: number): string {
  const length =
    secretLength <= MAX_EXACT_LENGTH ? secretLength : 2 ** Math.floor(Math.log2(Math.min(secretLength, MAX_LENGTH)));
  return text.padEnd(length, 'x');
}

/**
 * A placeholder with the format of the secret, for clients that check it: a UUID stays a UUID, hex stays hex, digits stay
 * digits, a JSON Web Token can still be parsed, and the length stays in its class. The placeholder of a short secret may
 * be longer than the secret.
 * @example shapedPlaceholder('job_token', 1, '7f3e…32 hex digits') // '5ec4e7…0001', 32 hex digits
 */
export function shapedPlaceholder(name: string, number: number, secret: string): string {
  const plain = plainPlaceholder(name, number);
  const tag = tagOf(plainPlaceholder(name));
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(secret))
    return `${JWT_HEAD}.${inBase64({ sub: plain, iat: 0, exp: EXPIRY })}.mdwi`;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(secret)) {
    const tail = String(number).padStart(12, '0');
    const uuid = `5ec4e700-${tag.slice(0, 4)}-4${tag.slice(4, 7)}-8${tag.slice(7, 10)}-${tail}`;
    return /[A-F]/.test(secret) ? uuid.toUpperCase() : uuid;
  }
  if (/^\d+$/.test(secret)) {
    const digits = String(Number.parseInt(tag.slice(0, 6), 16) % 1e4).padStart(4, '0');
    return `90909${digits}${String(number).padStart(Math.max(4, secret.length - 9), '0')}`;
  }
  if (secret.length >= 16 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(secret)) {
    const hex = `5ec4e7${tag.slice(0, 6)}${String(number).padStart(Math.min(secret.length, MAX_EXACT_LENGTH * 2) - 12, '0')}`;
    return /[A-F]/.test(secret) ? hex.toUpperCase() : hex;
  }
  return lengthen(plain, secret.length);
}
