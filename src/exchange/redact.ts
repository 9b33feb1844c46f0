/** Keeps secrets out of everything that is written. */

/** Shorter values would blank out ordinary text (a user name `a`, a tenant `42`) and are not secrets worth the name. */
const SHORTEST = 4;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '');

/**
 * Where a secret stands inside a longer text that was encoded as a whole (`Basic` is base64 of `user:password`), its
 * base64 depends on its offset modulo 3: the digits that hold only bits of the secret, for each offset.
 */
function base64Inside(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Every form a secret takes on its way into a report: as it is, in a URL, a form, base64, JSON, XML, a shell word. */
function formsOf(secret: string): string[] {
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ s: secret }).toString().slice(2);
  const encoded = [base64(secret), ...base64Inside(secret)];
  return [
    secret,
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
    inForm,
    ...encoded,
    ...encoded.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
    inJson(secret),
    inJson(inJson(secret)),
    inXml(secret),
    secret.replaceAll("'", `'\\''`),
  ];
}

/**
 * Every form of every secret, longest first, so that a secret which contains another leaves no tail. Secrets shorter
 * than 4 characters are ignored.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((each) => each.length >= SHORTEST)
    .flatMap((each) => formsOf(each).filter((f) => f.length >= SHORTEST));
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/**
 * A function that replaces each of the secrets, in whatever form, by `***`.
 * @example redactor(['s3cret'])('token=s3cret') // 'token=***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secretForms(secrets);
  if (forms.length === 0) return (text) => text;
  const pattern = forms.map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  const any = new RegExp(pattern, 'g');
  return (text) => text.replace(any, '***');
}
