/** Invented credentials, with which a run tests whether a service verifies them (section 5 shows no scheme). */
import { textOfBase64 } from '../bytes.ts';
import { basic } from '../profile/http-text.ts';
import type { Credentials } from './credentials.ts';

type Lines = Credentials['headers'];

const JWT = /^([\w-]+\.[\w-]+\.)([\w-]+)$/;

const withCharacters = (text: string, [digit = '', lower = '', upper = '']: readonly string[]): string =>
  text.replace(/\d/g, digit).replace(/[a-z]/g, lower).replace(/[A-Z]/g, upper);

/**
 * Another text of the same form: each digit and letter is replaced by the same one, so that hexadecimal and Base64 texts
 * stay such. The result shows nothing of the former text but its form.
 * @example inventedText('k-41') // 'a-77'
 */
export function inventedText(text: string): string {
  const other = withCharacters(text, ['7', 'a', 'A']);
  if (other !== text) return other;
  return /[\da-z]/i.test(text) ? withCharacters(text, ['8', 'b', 'B']) : `${text}a`;
}

/** A credential as requests carry it: the name of its scheme stays, and of a JWT all but the signature. */
function inventedValue(value: string): string {
  const [, scheme = '', credential = ''] = /^((?:[A-Za-z][\w-]* +)?)([\s\S]*)$/.exec(value) ?? [];
  if (scheme.trim().toLowerCase() === 'basic') {
    const [user = '', ...password] = textOfBase64(credential).split(':');
    return basic(inventedText(user), inventedText(password.join(':')));
  }
  const [, claims, signature] = JWT.exec(credential) ?? [];
  return signature === undefined ? scheme + inventedText(credential) : scheme + claims + inventedText(signature);
}

const invented = (lines: Lines): Lines => lines.map(([name, value]) => [name, inventedValue(value)]);

/** Credentials of the same form as those of a profile, and with the same names, that no service has issued. */
export const invalidCredentials = ({ headers, query, cookies, members, signatures }: Credentials): Credentials => ({
  headers: invented(headers),
  query: invented(query),
  ...(cookies && { cookies: invented(cookies) }),
  ...(members && { members: invented(members) }),
  ...(signatures && { signatures: signatures.map((scheme) => ({ ...scheme, key: inventedText(scheme.key) })) }),
});
