/** Removes secrets from everything that is reported. */
import { addForm, formsOf } from './forms.ts';
import { type MatchForm, withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import { allMatches } from './search.ts';

const HIDDEN = '***';

/**
 * Returns a function that replaces each of the secrets, in any form and encoding, by `***`. Secrets shorter than 4
 * characters are ignored. Overlapping secrets are both covered.
 * @example redactor(['s3cret'])('token=s3cret') // 'token=***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const needles = new MultiSearch<MatchForm<string>>();
  for (const secret of secrets)
    for (const each of formsOf(secret, secret))
      addForm(needles, each, { secret, form: each.form, encodePlaceholder: each.encodePlaceholder });
  if (needles.size === 0) return (text) => text;
  return (text) => {
    const bytes = Buffer.from(text, 'utf8');
    const matches = withoutOverlaps(allMatches(bytes, needles));
    if (matches.length === 0) return text;
    let [at, redacted] = [0, ''];
    for (const { start, end } of matches) {
      redacted += bytes.toString('utf8', at, start) + HIDDEN;
      at = end;
    }
    return redacted + bytes.toString('utf8', at);
  };
}
