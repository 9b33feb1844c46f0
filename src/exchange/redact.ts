/** Keeps secrets out of everything that is written. */
import { formsOf } from './secrets/forms.ts';

/** Forms of bytes that are no text of their own. */
const NO_TEXT = ['UTF-16', 'Latin-1'];

/**
 * Every form of every secret, longest first, so that a secret which contains another leaves no tail. Secrets shorter
 * than 4 characters are ignored.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .flatMap((each) => formsOf(each, each))
    .filter(({ form }) => !NO_TEXT.includes(form))
    .map(({ bytes }) => bytes.toString('utf8'));
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
