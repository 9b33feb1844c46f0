/** Removes the credentials of the command line from error messages. */

import { secretPartOf } from '../exchange/url.ts';
import { redactor } from '../secrets/redact.ts';

/** Returns the words and flag values of a command line, for known and unknown flags. */
const wordsOf = (args: readonly string[]): string[] =>
  args.map((each) => (each.startsWith('--') && each.includes('=') ? each.slice(each.indexOf('=') + 1) : each));

/** Returns the values of `--secret`, given as `--secret VALUE` or `--secret=VALUE`. */
const secretsOf = (args: readonly string[]): string[] =>
  args.flatMap((each, at) => {
    if (each === '--secret') return args[at + 1] ?? [];
    return each.startsWith('--secret=') ? each.slice('--secret='.length) : [];
  });

/**
 * Removes from an error message what may be a credential of the command line: the userinfo, query and fragment of a URL, and
 * the values of `--secret`.
 * @example withoutSecrets('“http://h/?apikey=s3cret” is no file', ['http://h/?apikey=s3cret']) // '“http://h/…” is no file'
 */
export function withoutSecrets(message: string, args: readonly string[]): string {
  const parts = wordsOf(args).flatMap((word) => secretPartOf(word) ?? []);
  const quoted = parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, part) => text.replaceAll(part, '…'), message);
  return redactor(secretsOf(args))(quoted);
}
