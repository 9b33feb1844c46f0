/** Keeping secrets out of everything written. */

/** Every spelling in which a secret may turn up in a text. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/**
 * A function that replaces every secret by `***`. Secrets shorter than four characters are left: they would blank out
 * half of any text, and keep nothing secret.
 * @example redactor(['s3cret'])('key=s3cret') // 'key=***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= 4).flatMap(spellings))].sort(
    (x, y) => y.length - x.length,
  );
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
