/** What a command says when it refuses or fails: an error’s text without the credentials of the command line. */

import { secretPartOf } from '../exchange/url.ts';
import { redactor } from '../secrets/redact.ts';

/** Values of flags and words of a command line, whichever flags it knows. */
const wordsOf = (args: readonly string[]): string[] =>
  args.map((each) => (each.startsWith('--') && each.includes('=') ? each.slice(each.indexOf('=') + 1) : each));

/** Values of `--secret`, as `--secret VALUE` or `--secret=VALUE`. */
const secretsOf = (args: readonly string[]): string[] =>
  args.flatMap((each, at) => {
    if (each === '--secret') return args[at + 1] ?? [];
    return each.startsWith('--secret=') ? each.slice('--secret='.length) : [];
  });

/**
 * The message of an error that a command line caused. A word of the command line stands in it without what may be a
 * credential: the userinfo, query and fragment of a URL, and the values of `--secret`.
 * @example withoutSecrets('“http://h/?apikey=s3cret” is no file', ['http://h/?apikey=s3cret']) // '“http://h/…” is no file'
 */
export function withoutSecrets(message: string, args: readonly string[]): string {
  const parts = wordsOf(args).flatMap((word) => secretPartOf(word) ?? []);
  const quoted = parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, part) => text.replaceAll(part, '…'), message);
  return redactor(secretsOf(args))(quoted);
}
