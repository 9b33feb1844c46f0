/** Removes secrets from everything that is reported. */
import { addForms } from './forms.ts';
import { type MatchForm, splice, withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import { allMatches } from './search.ts';

const HIDDEN = Buffer.from('***');

/**
 * Returns a function that replaces each of the secrets, in any form and encoding, by `***`. Secrets shorter than 4
 * characters are ignored. Overlapping secrets are both covered.
 * @example redactor(['s3cret'])('token=s3cret') // 'token=***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const needles = new MultiSearch<MatchForm<string>>();
  for (const secret of secrets) addForms([needles], secret, { value: secret, placeholder: secret });
  if (needles.size === 0) return (text) => text;
  return (text) => {
    const bytes = Buffer.from(text, 'utf8');
    const matches = withoutOverlaps(allMatches(bytes, needles));
    if (matches.length === 0) return text;
    return Buffer.concat(
      splice(
        bytes,
        matches.map((each) => ({ ...each, placeholder: HIDDEN })),
      ),
    ).toString('utf8');
  };
}
